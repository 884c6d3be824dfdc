"""Where a code says nothing but the face, time tells a repeat from a second card, and a person
decides between the two; a shoe that numbers its draws needs neither.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.game import facts as g
from station.game.cards import card_of
from station.game.rules import TableRules
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision
from station.table.state import wishes
from tests.support.play import PIT, Play

ALL_SEATS = (1, 2, 3, 4, 5, 6, 7)


class FacePlay(Play):
    """A table whose reader tells faces and nothing else."""

    def start(self) -> None:
        start = i.StationStart("T01", "test", "0", ("shoe",), self.rules, self.kind, timed=True)
        self.give(start)

    def face(self, face: str, at_ms: int, *, numbered: bool = False) -> Decision:
        """That face, read at that time."""
        return self.give(
            i.CardSeen("shoe", card_of(face), face, face.encode().hex(), at_ms, numbered)
        )

    def resent(self, face: str, at_ms: int) -> Decision:
        return self.give(i.CardSeen("shoe", card_of(face), face, "", at_ms, True, True))

    def rule(self, ruling: str) -> None:
        hold = self.table.holds[0].hold
        self.must(PIT, i.Rule(hold, ruling, "", None))  # type: ignore[arg-type]


def dealing() -> FacePlay:
    """Seven seats have bet and fifteen cards are owed."""
    play = FacePlay(TableRules())
    play.open_table()
    play.bet(ALL_SEATS).close()
    return play


def dealt(play: Play) -> list[str]:
    return [fact.card.face for fact in play.facts if isinstance(fact, g.CardDealt)]


@pytest.mark.parametrize("after_ms", [0, 40, 150, 400])
def test_b_01_the_same_face_within_400_ms_is_a_repeat(after_ms: int) -> None:
    play = dealing()
    play.face("KH", 1000)
    decision = play.face("KH", 1000 + after_ms)
    assert any(isinstance(fact, f.ReadRepeated) for fact in decision.facts)
    assert dealt(play) == ["KH"]
    assert play.table.holds == ()


def test_b_01_repeats_extend_the_window() -> None:
    """A card that lies before the reader for two seconds is one card."""
    play = dealing()
    for at_ms in range(1000, 3100, 100):
        play.face("KH", at_ms)
    play.face("5C", 3200)
    assert dealt(play) == ["KH", "5C"]
    assert play.table.holds == ()


@pytest.mark.parametrize("after_ms", [401, 800, 2400])
def test_the_same_face_within_two_seconds_more_holds_and_asks(after_ms: int) -> None:
    play = dealing()
    play.face("KH", 1000)
    decision = play.face("KH", 1000 + after_ms)
    assert play.hold_codes == ["same_or_second"]
    assert any(isinstance(fact, f.ReadDoubted) for fact in decision.facts)
    assert dealt(play) == ["KH"]
    assert wishes(play.table).shoe_locked


def test_later_it_is_another_card() -> None:
    play = dealing()
    play.face("KH", 1000)
    play.face("KH", 3401)
    assert dealt(play) == ["KH", "KH"]
    assert play.table.holds == ()


def test_ruled_the_same_the_slot_stays_and_play_goes_on() -> None:
    play = dealing()
    play.face("KH", 1000)
    play.face("KH", 2000)
    play.rule("same")
    play.face("5C", 9000)
    slots = [fact.slot.seat for fact in play.facts if isinstance(fact, g.CardDealt)]
    assert (dealt(play), slots) == (["KH", "5C"], [1, 2])
    assert [gone.card.face for gone in play.table.game.shoe.gone] == ["KH", "5C"]


def test_ruled_a_second_card_it_goes_where_one_was_owed() -> None:
    play = dealing()
    play.face("KH", 1000)
    play.face("KH", 2000)
    play.rule("second")
    slots = [fact.slot.seat for fact in play.facts if isinstance(fact, g.CardDealt)]
    assert (dealt(play), slots) == (["KH", "KH"], [1, 2])
    assert play.table.holds == ()


def test_whoever_looks_may_read_the_doubted_card_again() -> None:
    play = dealing()
    play.face("KH", 1000)
    play.face("KH", 2000)
    play.face("KH", 6000)
    play.face("KH", 9000)
    assert play.hold_codes == ["same_or_second"]
    play.rule("second")
    assert dealt(play) == ["KH", "KH"]


def test_another_card_drawn_during_the_doubt_leaves_nothing_but_a_void() -> None:
    play = dealing()
    play.face("KH", 1000)
    play.face("KH", 2000)
    play.face("5C", 4000)
    hold = play.table.holds[0].hold
    for ruling in ("same", "second"):
        refusal = play.say(PIT, i.Rule(hold, ruling, "", None))
        assert refusal is not None
        assert refusal.code == "drawn_during_hold"
    play.rule("void")
    assert dealt(play) == ["KH"]


def test_the_rounds_first_card_drawn_during_a_doubt_leaves_nothing_but_a_void() -> None:
    """No card of the round is out yet, and still nobody can prove whose the one set aside is."""
    play = FacePlay(TableRules())
    play.open_table()
    play.bet((1,)).close()
    for number, face in enumerate(("TS", "TH", "9S"), start=1):
        play.face(face, number * 1000)
    play.act("stand")
    play.face("8D", 4000)
    play.clear()
    play.bet((1,)).close()
    play.face("8D", 5000)
    assert play.hold_codes == ["same_or_second"]
    play.face("5S", 5100)
    hold = play.table.holds[0].hold
    for ruling in ("same", "second"):
        refusal = play.say(PIT, i.Rule(hold, ruling, "", None))
        assert refusal is not None
        assert refusal.code == "drawn_during_hold"
    play.rule("void")
    assert dealt(play) == ["TS", "TH", "9S", "8D"]
    assert play.table.game.shoe.state == "out"


def test_a_second_card_nobody_is_owed_is_exposed() -> None:
    play = dealing()
    for number in range(14):
        play.face(f"{'23456789TJQKA2'[number]}{'SHDCSHDCSHDCSH'[number]}", 5000 * (number + 1))
    play.face("9C", 100_000)
    play.face("9C", 101_000)
    assert "same_or_second" in play.hold_codes
    before = len(dealt(play))
    play.rule("second")
    assert play.hold_codes == ["exposed_card"]
    assert len(dealt(play)) == before


def test_a_clock_that_went_back_proves_nothing() -> None:
    play = dealing()
    play.face("KH", 500_000)
    play.face("KH", 1000)
    assert play.hold_codes == ["same_or_second"]


def test_a_ninth_copy_is_named_however_late_it_comes() -> None:
    play = dealing()
    for number in range(9):
        play.face("KH", 10_000 * (number + 1))
    assert play.hold_codes == ["foreign_card"]
    assert dealt(play) == ["KH"] * 8


def test_a_shoe_that_numbers_its_draws_gives_two_equal_cards_at_once() -> None:
    play = dealing()
    play.face("KH", 1000, numbered=True)
    play.face("KH", 1100, numbered=True)
    assert dealt(play) == ["KH", "KH"]


def test_a_card_the_shoe_tells_of_again_may_be_the_last_one_or_another() -> None:
    """After an overdraw the shoe may or may not have told of the card before: a person looks."""
    play = dealing()
    play.face("KH", 1000, numbered=True)
    play.resent("KH", 60_000)
    assert play.hold_codes == ["same_or_second"]
    assert dealt(play) == ["KH"]
    play.rule("same")
    assert (play.table.holds, dealt(play)) == ((), ["KH"])


def test_a_reader_that_says_itself_that_it_sends_again_repeats() -> None:
    play = dealing()
    play.face("KH", 1000)
    again = i.CardSeen("shoe", card_of("KH"), "KH", "", 60_000, resent=True)
    play.give(again)
    assert dealt(play) == ["KH"]
    assert play.table.holds == ()


def test_during_a_devices_hold_a_numbered_read_is_a_card_drawn_and_aligns_nothing() -> None:
    play = dealing()
    play.face("KH", 1000, numbered=True)
    play.give(i.DeviceFault("shoe", "missed_reports", ""))
    play.face("KH", 9000, numbered=True)
    assert [card.face for card in play.table.set_aside] == ["KH"]
    assert not play.table.holds[0].aligned


def test_a_card_told_of_again_that_was_never_seen_is_exposed() -> None:
    play = dealing()
    play.face("KH", 1000, numbered=True)
    play.resent("5C", 60_000)
    assert play.hold_codes == ["exposed_card"]
    assert dealt(play) == ["KH"]


def test_with_another_card_in_between_it_is_no_repeat_however_soon() -> None:
    play = dealing()
    play.face("KH", 1000)
    play.face("5C", 1150)
    play.face("KH", 1300)
    assert play.hold_codes == ["same_or_second"]
    play.rule("second")
    assert dealt(play) == ["KH", "5C", "KH"]


def test_a_shoe_switched_on_again_while_none_is_in_play_holds_nothing() -> None:
    play = FacePlay(TableRules())
    play.open_table()
    restarted = i.DeviceFault("shoe", "restarted", "")
    play.give(restarted)
    assert play.hold_codes == ["device_fault"], "cards may have passed it"
    play.rule("release")
    play.must(PIT, i.LoadShoe("S2", "A"))
    play.give(restarted)
    assert play.table.holds == ()
    assert isinstance(play.facts[-1], f.Observed)


reads = st.lists(
    st.tuples(st.sampled_from(["KH", "5C", "5D"]), st.integers(0, 4000)), min_size=1, max_size=14
)


@given(reads)
def test_no_order_of_reads_deals_a_card_twice_or_loses_one(steps: list[tuple[str, int]]) -> None:
    """Against the rule on paper: a face is a card, a repeat, or a doubt, by its own last read."""
    play, now, last, cards = dealing(), 10_000, dict[str, int](), list[str]()
    for face, pause in steps:
        now += pause
        play.face(face, now)
        quiet = now - last[face] if face in last else None
        newest = next(reversed(last), "")
        last.pop(face, None)
        last[face] = now
        if quiet is None or quiet > 2400:
            cards.append(face)
        elif quiet > 400 or newest != face:
            assert play.hold_codes == ["same_or_second"]
            break
        assert play.table.holds == ()
    assert dealt(play) == cards
