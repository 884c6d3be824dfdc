"""The last card was read as another one (R60): two people correct it in its place, before anything
was decided on it; it never goes to another hand, and a later mistake is void.
"""

from __future__ import annotations

import random

import msgspec
import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.cards import card_of
from station.game.state import Slot
from station.table import inputs as i
from station.table.facts import Person
from tests.support.chaos import Chaos
from tests.support.felt import Felt
from tests.support.play import CONSOLE, DEALER, PIT, SUPERVISOR


def reported(felt: Felt) -> Felt:
    felt.must(CONSOLE, i.ReportError("wrong_card"))
    return felt


def fix(felt: Felt, face: str, person: Person | None = DEALER, deck: int = 0) -> i.CorrectCard:
    who = person.staff if person else DEALER.staff
    return i.CorrectCard(felt.table.holds[0].hold, card_of(face, "", deck), who, person, "smudged")


def deciding() -> Felt:
    """Seat 1 has 8S 3H; the 3H was a 5H. It is asked."""
    felt = Felt().put((1,)).dealt("8S 9S 3H")
    assert felt.asked == (1, 1)
    return reported(felt)


def corrected(felt: Felt) -> g.CardCorrected:
    (fact,) = felt.of(g.CardCorrected)
    assert isinstance(fact, g.CardCorrected)
    return fact


def test_it_becomes_the_card_that_is_read_again_in_its_place_with_both_names() -> None:
    felt = deciding()
    before = felt.round.asked
    felt.card("5H")
    assert [card.face for card in felt.table.set_aside] == ["5H"]
    felt.must(PIT, fix(felt, "5H"))
    assert felt.hand(1) == "8S 5H"
    assert not felt.table.holds
    assert not felt.table.set_aside
    fact = corrected(felt)
    assert (fact.was.face, fact.card.face, fact.order) == ("3H", "5H", 3)
    assert (fact.slot, fact.by, fact.second) == (Slot(1, 1), SUPERVISOR.staff, DEALER.staff)
    assert (fact.manual, fact.note) == (False, "smudged")
    assert fact.card.deck, "it is the card that was read, not the word of it"
    assert [gone.card.face for gone in felt.table.game.shoe.gone] == ["8S", "9S", "5H"]
    # The question stands anew: whoever answers the old one is too late.
    assert before is not None
    assert felt.asked == (1, 1)
    late = c.Decide(felt.number, before.decision, 1, 1, "stand")
    assert felt.refused(late) == ("stale_decision", "R20")
    felt.act("stand").drawn("8C")
    assert felt.paid()["P1 main 1/1"][0] == "lose"


def test_where_no_reader_reads_it_two_people_name_it_and_it_is_marked() -> None:
    felt = deciding()
    felt.must(PIT, fix(felt, "5H"))
    assert corrected(felt).manual
    assert felt.hand(1) == "8S 5H"


def test_the_same_card_again_corrects_nothing_and_ends_the_report() -> None:
    felt = deciding()
    felt.card("3H", 1)
    hold = felt.table.holds[0]
    assert hold.aligned
    assert felt.refused(fix(felt, "3H"), PIT) == ("same_card", "R60")
    felt.must(PIT, i.Rule(hold.hold, "aligned", "", None))
    assert felt.asked == (1, 1)


def test_a_hand_that_the_wrong_card_had_ended_is_asked_again() -> None:
    felt = Felt().put((1, 3)).dealt("8S 8D 9S 3H 2D").act("hit").drawn("TH")
    assert felt.asked == (3, 1), "seat 1 has 21"
    reported(felt)
    felt.must(PIT, fix(felt, "9H"))
    assert felt.hand(1) == "8S 3H 9H"
    assert felt.asked == (1, 1), "it has 20"


def test_a_hand_that_the_right_card_ends_is_asked_no_more() -> None:
    felt = Felt().put((1, 3)).dealt("8S 8D 9S 3H 2D").act("hit").drawn("2H")
    assert felt.asked == (1, 1)
    reported(felt)
    felt.must(PIT, fix(felt, "TH"))
    assert felt.asked == (3, 1), "21"


def test_an_ace_of_the_dealer_that_was_none_offers_no_insurance_and_the_other_way_round() -> None:
    none = reported(Felt().put((1,)).dealt("8S AS"))
    none.must(PIT, fix(none, "9H"))
    none.drawn("3H")
    assert none.round.window is None
    ace = reported(Felt().put((1,)).dealt("8S 9S"))
    ace.must(PIT, fix(ace, "AH"))
    ace.drawn("3H")
    assert ace.round.window is not None


def test_a_window_that_nobody_has_answered_opens_anew() -> None:
    felt = Felt().put((1,)).dealt("8S AS 3H")
    window = felt.round.window
    assert window is not None
    reported(felt)
    felt.must(PIT, fix(felt, "5H"))
    assert felt.round.window is not None
    assert felt.round.window.window == window.window + 1


def test_a_window_that_somebody_has_answered_lets_nothing_be_corrected() -> None:
    felt = Felt().put((1, 3)).dealt("8S 8D AS 3H 2D").answer(P1=True)
    reported(felt)
    assert felt.refused(fix(felt, "5H"), PIT) == ("decided_since", "R60")


@pytest.mark.parametrize(
    ("face", "deck", "person", "code"),
    [
        ("8S", 1, DEALER, "card_is_out"),
        ("5H", 9, DEALER, "not_of_this_shoe"),
        ("5H", 0, SUPERVISOR, "second_is_first"),
        ("5H", 0, None, "wrong_pin"),
    ],
)
def test_an_impossible_card_and_one_person_alone_are_refused(
    face: str, deck: int, person: Person | None, code: str
) -> None:
    felt = deciding()
    assert felt.refused(fix(felt, face, person, deck), PIT)[0] == code
    assert felt.hold_codes == ["dealer_report"]


def test_a_dealer_corrects_nothing() -> None:
    felt = deciding()
    assert felt.refused(fix(felt, "5H"), CONSOLE) == ("supervisor_only", "R59")


def test_i_07_once_something_was_decided_the_card_stays_and_the_round_is_void() -> None:
    """Of two equal cards the earlier read may be the wrong one: it is named, and no more the
    last.
    """
    felt = reported(Felt().put((1,)).dealt("8S 9S 3H").act("hit"))
    assert felt.refused(fix(felt, "5H"), PIT) == ("decided_since", "R60")
    felt.must(PIT, i.Rule(felt.table.holds[0].hold, "void", "", None))
    assert felt.round.ended == "void"
    assert felt.round.why_void == "wrong_card"


def test_another_card_drawn_in_the_hold_can_only_be_void() -> None:
    felt = deciding()
    felt.cards("5H 6H")
    assert felt.refused(fix(felt, "5H"), PIT) == ("drawn_during_hold", "R60")


def test_a_settled_round_is_never_corrected() -> None:
    felt = reported(Felt().put((1,)).dealt("TS 9S TH").act("stand").drawn("8C"))
    assert felt.round.ended == "settled"
    assert felt.refused(fix(felt, "7C"), PIT) == ("decided_since", "R60")


def test_only_in_the_hold_of_that_report() -> None:
    felt = Felt().put((1,)).dealt("8S 9S 3H")
    felt.must(CONSOLE, i.ReportError("misdeal"))
    assert felt.refused(fix(felt, "5H"), PIT) == ("ruling_not_open", "R60")
    felt.must(PIT, i.Rule(felt.table.holds[0].hold, "release", "", None))
    lost = i.CorrectCard(99, card_of("5H"), DEALER.staff, DEALER)
    assert felt.refused(lost, PIT) == ("stale_hold", "")


@pytest.mark.parametrize("seed", range(12))
def test_no_command_ever_moves_a_dealt_card_to_another_place(seed: int) -> None:
    """Whatever is ordered: cards are added to hands, parted by a split, or corrected in place."""
    play, rand = Chaos(seed), random.Random(seed)
    dealt = 0
    for _ in range(250):
        before, count = shape(play), len(play.facts)
        play.trouble() if rand.random() < 0.4 else play.natural()
        fresh = play.facts[count:]
        dealt += sum(isinstance(x, g.CardDealt) for x in fresh)
        moved = any(isinstance(x, g.CardDealt | g.RoundOpened | g.BettingClosed) for x in fresh)
        split = any(isinstance(x, g.DecisionMade) and x.action == "split" for x in fresh)
        if not (moved or split):
            assert shape(play) == before, fresh
    assert dealt


def shape(play: Chaos) -> bytes:
    """How many cards lie where."""
    round_ = play.table.game.round
    if round_ is None:
        return b""
    return msgspec.json.encode(
        [round_.number, len(round_.dealer)]
        + [[box.seat, [len(hand.cards) for hand in box.hands]] for box in round_.boxes]
    )
