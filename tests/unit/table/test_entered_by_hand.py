"""P2: a card that no reader can read is entered by a supervisor and a second person, in its own
slot and before the next one is drawn (R60, A20).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import pytest

from station import messages as m
from station.game import facts as g
from station.game.cards import card_of
from station.game.rules import TableRules
from station.game.state import BURN, Slot
from station.table import facts as f
from station.table import inputs as i
from station.table.facts import Person
from station.telling import WITNESSED, digest_of
from tests.support.felt import Felt
from tests.support.play import CONSOLE, DEALER, MANAGER, PIT, SUPERVISOR


def unread(felt: Felt, times: int = 3) -> Felt:
    """The card that is owed passes the reader unread, so many times."""
    for _ in range(times):
        felt.give(i.ReadMissed("shoe", "unread", "", "", passed=True))
    return felt


def entry(
    felt: Felt, face: str = "5D", person: Person | None = DEALER, second: str = "", deck: int = 0
) -> i.EnterCard:
    number = felt.table.holds[0].hold if felt.table.holds else 1
    who = second or (person.staff if person else DEALER.staff)
    return i.EnterCard(number, card_of(face, "", deck), who, person, "torn corner")


def deciding() -> Felt:
    """Seat 1 has 8S 8H and hits; its card cannot be read."""
    felt = Felt().put((1,)).dealt("8S 9S 3H").act("hit")
    return unread(felt)


def test_p2_it_goes_to_the_hand_it_was_drawn_for_marked_with_both_names() -> None:
    felt = deciding()
    assert felt.hold_codes == ["unreadable_card"]
    felt.must(PIT, entry(felt))
    assert felt.hand(1) == "8S 3H 5D"
    assert not felt.table.holds
    dealt = felt.of(g.CardDealt)[-1]
    assert isinstance(dealt, g.CardDealt)
    assert dealt.manual
    assert felt.of(f.CardEntered) == [
        f.CardEntered(card_of("5D"), 1, SUPERVISOR.staff, DEALER.staff, "torn corner")
    ]
    released = felt.of(f.HoldReleased)[-1]
    assert isinstance(released, f.HoldReleased)
    assert (released.ruling, released.by) == ("manual", SUPERVISOR.staff)
    assert felt.asked == (1, 1), "and play goes on"
    assert not felt.table.unread.cards
    felt.act("stand").drawn("8C")
    assert felt.round.ended == "settled"


def test_p2_the_first_card_of_a_round_and_the_dealers_upcard_are_entered_as_well() -> None:
    felt = unread(Felt().put((1,)).close())
    felt.must(PIT, entry(felt, "TS"))
    unread(felt)
    felt.must(PIT, entry(felt, "9H", MANAGER))
    assert felt.round.dealer == (card_of("9H"),)
    assert felt.owed == Slot(1, 1)


def test_p2_a_burn_that_cannot_be_read_is_entered_too() -> None:
    felt = Felt(TableRules(burn=1))
    assert felt.owed == Slot(BURN)
    unread(felt)
    felt.must(PIT, entry(felt))
    assert felt.table.game.shoe.burned == 1
    felt.put((1,))


@dataclass(frozen=True)
class Case:
    """A card that is not to be entered."""

    command: dict[str, object]
    code: str
    rule: str


@pytest.mark.parametrize(
    "case",
    [
        Case({"person": SUPERVISOR}, "second_is_first", "R59"),
        Case({"person": None}, "wrong_pin", ""),
        Case({"face": "8S", "deck": 1}, "card_is_out", "R2"),
        Case({"face": "5D", "deck": 9}, "not_of_this_shoe", "R2"),
    ],
    ids=lambda case: case.code,
)
def test_p2_one_person_alone_a_wrong_pin_and_an_impossible_card_are_refused(case: Case) -> None:
    felt = deciding()
    command = entry(felt, **case.command)  # type: ignore[arg-type]
    assert felt.refused(command, PIT) == (case.code, case.rule)
    assert felt.hold_codes == ["unreadable_card"]


def test_p2_a_dealer_enters_nothing() -> None:
    felt = deciding()
    assert felt.refused(entry(felt, person=MANAGER), CONSOLE) == ("supervisor_only", "R59")


def test_p2_nothing_is_entered_before_three_reads_have_failed() -> None:
    felt = Felt().put((1,)).dealt("8S 9S 3H").act("hit")
    assert felt.refused(entry(felt), PIT) == ("stale_hold", "")
    unread(felt, 2)
    felt.must(CONSOLE, i.ReportError("other"))
    assert felt.refused(entry(felt), PIT) == ("ruling_not_open", "R60")


def test_p3_once_another_card_was_drawn_nothing_is_filled_in_any_more() -> None:
    """The order can no longer be proven: the round is void."""
    felt = deciding()
    felt.card("KC")
    command = entry(felt)
    code, _ = felt.refused(command, PIT)
    assert code == "drawn_during_hold"


def test_p2_while_anything_else_holds_nothing_is_entered() -> None:
    felt = deciding()
    command = entry(felt)
    felt.must(CONSOLE, i.EmergencyStop())
    assert felt.refused(command, PIT)[0] == "table_holds"


def test_p2_a_hold_without_an_unread_card_takes_no_entry() -> None:
    """Under another round's number, or after the card was read after all."""
    felt = deciding()
    number = felt.table.holds[0].hold
    rule = i.Rule(number, "release", "", None)
    felt.must(PIT, rule)
    felt.card("5D")
    late = i.EnterCard(number, card_of("6D"), DEALER.staff, DEALER)
    assert felt.refused(late, PIT) == ("stale_hold", "")
    assert felt.hand(1) == "8S 3H 5D"


def test_r58_after_a_lost_host_no_card_is_owed_any_more_and_none_is_entered() -> None:
    felt = deciding()
    command = entry(felt)
    felt.lose_host()
    assert felt.round.ended == "void"
    assert felt.refused(command, PIT) == ("no_card_unread", "R60")


def test_p2_wrong_pins_of_the_second_person_count_against_him_and_a_right_one_ends_the_count() -> (
    None
):
    felt = deciding()
    for _ in range(4):
        felt.refused(entry(felt, person=None, second=DEALER.staff), PIT)
    felt.must(PIT, entry(felt))
    assert DEALER.staff not in felt.table.attempts.people
    other = deciding()
    for _ in range(5):
        other.refused(entry(other, person=None, second=DEALER.staff), PIT)
    assert other.refused(entry(other), PIT)[0] == "pin_locked"


def test_no_pin_is_in_what_is_kept_of_a_command() -> None:
    """A digest of four digits hides nothing: whatever the PIN, it is the same."""
    told = {digest_of(m.EnterCard(1, "5D", "1001", pin)) for pin in ("1001", "9999", "abcdefgh")}
    told |= {digest_of(m.EnterCard(1, "5D", "1001", "1001"))}
    assert len(told) == 1
    with_pins = [kind for kind in get_args(m.AnyCommand) if "pin" in kind.__struct_fields__]
    assert set(with_pins) == {m.LogIn, *get_args(WITNESSED)}
    for kind in get_args(WITNESSED):
        said = {name: "1" for name in kind.__struct_fields__ if name not in ("pin", "hold", "deck")}
        number = {"hold": 1} if "hold" in kind.__struct_fields__ else {}
        given = [kind(**said, pin=pin, **number) for pin in "12"]
        assert len({digest_of(one) for one in given}) == 1
