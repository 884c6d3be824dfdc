"""What went wrong at other shoes (I-01, I-04, I-05, I-07), each with the input that shows it."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.state import Slot
from station.table import inputs as i
from tests.support.felt import Felt
from tests.support.play import CONSOLE, PIT

CUT = i.CutCardSeen("shoe", "ACUT", "")
PLAIN = i.ReadMissed("shoe", "incomplete", "", "", passed=True)


def dealt(felt: Felt) -> list[tuple[str, Slot]]:
    facts = [fact for fact in felt.facts if isinstance(fact, g.CardDealt)]
    return [(fact.card.face, fact.slot) for fact in facts]


def ruled(felt: Felt, ruling: str) -> None:
    felt.must(PIT, i.Rule(felt.table.holds[0].hold, ruling, "", None))  # type: ignore[arg-type]


# --- I-01: a card dealt to the wrong place -----------------------------------------------------


@pytest.mark.parametrize("more", ["", "2H 3H"])
def test_i_01_a_skipped_dealers_card_is_reported_voided_and_never_shifted(more: str) -> None:
    """The dealer skipped his own first card and staff shifted the cards afterwards."""
    felt = Felt().put(
        (1, 2, 3, 4), pair={2: 100}, behind=[("B", 3, 2000)], behind_pair=[("B", 4, 200)]
    )
    felt.close()
    for seat, face in enumerate(("5H", "6C", "7D", "8S"), start=1):
        assert felt.owed == Slot(seat, 1)
        felt.card(face)
    assert felt.owed == Slot(), "the fifth is the dealer's, whatever the hand meant"
    felt.drawn("9C").drawn(more)
    before = dealt(felt)
    assert before[4] == ("9C", Slot())
    felt.must(CONSOLE, i.ReportError("misdeal"))
    assert felt.nobody == ("held", "")
    hold = felt.table.holds[0].hold
    for ruling in ("burn", "use", "aligned"):
        way = i.Rule(hold, ruling, "", None)
        assert felt.refused(way, PIT)[0] == "ruling_not_open"
    assert felt.refused(i.Rule(hold, "void", "", None), CONSOLE) == ("supervisor_only", "R59")
    ruled(felt, "void")
    assert felt.paid() == {
        "P1 main 1/1": ("void", 1000),
        "P2 main 2/1": ("void", 1000),
        "P3 main 3/1": ("void", 1000),
        "P4 main 4/1": ("void", 1000),
        "P2 pair 2": ("void", 100),
        "B behind 3/1": ("void", 2000),
        "B behind_pair 4": ("void", 200),
    }
    assert felt.table.game.shoe.state == "out"
    assert dealt(felt) == before


# --- I-04: the cut card ------------------------------------------------------------------------

PLACES = {
    "before the first card": ("", Slot(1, 1)),
    "as the dealer's upcard": ("TS TH", Slot()),
    "as seat 2's second card": ("TS TH 9S 2S", Slot(2, 1)),
    "in mid-hit": ("TS TH 9S 2S 3S hit", Slot(1, 1)),
    "as the dealer's draw": ("TS TH 6S TC TD stand stand", Slot()),
}
WHOLE = "TS TH 9S 2S 3S"


@pytest.mark.parametrize("what", [(CUT,), (CUT, CUT), (CUT, PLAIN), (PLAIN, CUT)])
@pytest.mark.parametrize("place", list(PLACES))
def test_i_04_the_cut_card_is_never_a_hand_card_and_the_slot_stays(
    place: str, what: tuple[i.AnyInput, ...]
) -> None:
    """It turned up as the dealer's upcard and play went on with it."""
    steps, slot = PLACES[place]
    felt = Felt().put((1, 2)).close()
    for step in steps.split():
        if step.islower():
            felt.act(step)  # type: ignore[arg-type]
        else:
            felt.card(step)
    before = dealt(felt)
    for seen in what:
        felt.give(seen)
        assert felt.owed == slot
    assert dealt(felt) == before
    assert len(felt.of(g.CutCardOut)) == 1
    felt.card("5D")
    assert dealt(felt)[-1] == ("5D", slot), "the same slot takes the next card"


def test_i_04_the_round_is_finished_and_no_other_starts_from_that_shoe() -> None:
    felt = Felt().put((1,)).dealt("TS")
    felt.give(CUT)
    felt.drawn("9S TH").act("stand").drawn("8D")
    assert felt.paid() == {"P1 main 1/1": ("win", 2000)}
    felt.clear()
    opening = c.OpenRound(felt.round.fingerprint)
    assert felt.refused(opening) == ("shoe_change_due", "A21")
    felt.new_shoe("S2")
    felt.put((1,))


@pytest.mark.parametrize("window", ["insurance", "follow"])
def test_i_04_the_cut_card_in_an_open_window_is_no_exposed_card(window: str) -> None:
    felt = Felt().put((1,), behind=[("B", 1, 1000)])
    felt.dealt("8S AS 8H" if window == "insurance" else "8S 6S 8H")
    if window == "follow":
        felt.act("split")
    felt.give(CUT)
    assert felt.hold_codes == []
    assert felt.running.keys() == {window}


# --- I-05: a card that was not read ------------------------------------------------------------


def test_i_05_a_card_that_fails_is_read_again_before_anything_else() -> None:
    felt = Felt().put((1, 3)).dealt("5H 6C 9D")
    felt.give(PLAIN)
    assert felt.owed == Slot(1, 1)
    felt.drawn("AS 7D")
    assert [face for face, _ in dealt(felt)] == ["5H", "6C", "9D", "AS", "7D"]


def test_i_05_a_missed_card_is_not_filled_in_and_nothing_is_settled_after_the_void() -> None:
    """An ace was never read and the next card was out; the round was cancelled too late."""
    felt = Felt().put((1, 2, 3)).dealt("5H 6C 7D 2S 3D")
    felt.must(CONSOLE, i.ReportError("missed_scan"))
    before = dealt(felt)
    felt.card("AS")
    assert dealt(felt) == before, "no back-fill"
    hold = felt.table.holds[0].hold
    release = i.Rule(hold, "release", "", None)
    assert felt.refused(release, PIT) == ("drawn_during_hold", "R60")
    ruled(felt, "void")
    paid = felt.paid()
    assert set(paid.values()) == {("void", 1000)}
    assert len(paid) == 3
    felt.card("KH")
    again = i.VoidRound(felt.number, "misdeal", felt.table.version)
    assert felt.refused(again, PIT) == ("round_void_already", "R60")
    assert felt.refused(c.Cleared(felt.number), CONSOLE) == ("round_void_already", "R60")
    assert felt.paid() == paid
    assert felt.of(g.RoundSettled) == []
    assert len(felt.of(g.RoundVoided)) == 1


# --- I-07: a card that was there before --------------------------------------------------------


def test_i_07_both_reads_of_a_card_are_suspect_and_the_earlier_round_is_to_be_reviewed() -> None:
    """It is more often the earlier read that was wrong: rejecting the new one hides that."""
    felt = Felt()
    for number in range(1, 9):
        felt.put((1,)).close()
        faces = ["TS", "9H", "AS" if number == 3 else "KD", "8C"]
        for face in faces:
            if felt.asked is not None:
                felt.act("stand")
            felt.card(face, deck=1 if face == "AS" else number)
        felt.clear()
    felt.put((1,)).close()
    felt.card("2H")
    felt.card("AS", deck=1)
    hold = felt.table.holds[0]
    assert hold.code == "duplicate_card"
    assert hold.params == {"face": "AS", "deck": 1, "first_order": 11, "first_round": 3}
    assert hold.cards[0].face == "AS"
    assert dealt(felt)[-1] == ("2H", Slot(1, 1)), "the new read is not dealt"
    assert felt.refused(i.Rule(hold.hold, "release", "", None), PIT)[0] == "ruling_not_open"
    earlier = next(past for past in felt.table.recent if past.round == 3)
    assert earlier.marked == ""
    ruled(felt, "void")
    assert (felt.number, felt.round.ended) == (9, "void")
    assert felt.of(g.RoundsMarked) == [g.RoundsMarked((3,), "S1", "duplicate_card")]
    marked = {past.round: past.marked for past in felt.table.recent if past.marked}
    assert marked == {3: "duplicate_card"}
