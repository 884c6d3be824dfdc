"""Insurance and the questions to those who bet behind, by the rules they prove."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.rules import TableRules
from station.game.state import Phase, Slot, phase
from station.table import inputs as i
from tests.support.felt import Felt
from tests.support.play import CONSOLE, HOST, PIT


def insured() -> Felt:
    """Two seats and a dealer's ace: the insurance window is open."""
    return Felt().put((1, 3)).dealt("TS 9S AS TH 8S")


def split(**behind: int) -> Felt:
    """Seat 1 has split eights; behind it the named players, with their stakes."""
    felt = Felt().put((1, 2), behind=[(name, 1, stake) for name, stake in behind.items()])
    return felt.dealt("8S TS 6S 8H TH").act("split")


def doubled(**behind: int) -> Felt:
    """Seat 1 has doubled 6-5; behind it the named players, with their stakes."""
    felt = Felt().put((1, 2), behind=[(name, 1, stake) for name, stake in behind.items()])
    return felt.dealt("6S TS 9S 5S TH").act("double")


# --- R39, A7, A27: insurance -------------------------------------------------------------------


@pytest.mark.parametrize("upcard", "23456789TJQKA")
def test_r39_insurance_is_offered_when_the_dealers_card_is_an_ace(upcard: str) -> None:
    felt = Felt().put((1,)).dealt(f"9S {upcard}D")
    assert felt.round.window is None, "not before the second cards"
    felt.card("7S")
    assert (phase(felt.round) is Phase.INSURANCE) is (upcard == "A")
    assert (felt.asked is None) is (upcard == "A")


def test_r39_a_separate_stake_of_half_the_main_bet_is_placed() -> None:
    felt = Felt().put({1: 1000, 3: 1100}).dealt("TS 9S AS TH 8S").answer(P1=True, P3=True)
    assert [(bet.kind, bet.seat, bet.hand, bet.stake) for bet in felt.round.bets] == [
        ("main", 1, 1, 1000),
        ("main", 3, 1, 1100),
        ("insurance", 1, 0, 500),
        ("insurance", 3, 0, 550),
    ]


def test_a7_one_window_for_all_seats_before_the_first_action_and_no_card_moves() -> None:
    felt = Felt().put((1, 3, 5)).dealt("TS AH 9S AS TH KH 8S")
    window = felt.round.window
    assert window is not None
    assert window.asked == ("P1", "P3", "P5"), "the player with Blackjack too"
    assert felt.nobody == ("insurance_window", "R39")
    assert felt.running == {"insurance": 10}
    assert felt.asked is None
    felt.answer(P5=True, P1=False)
    assert felt.round.window is not None
    felt.answer(P3=False)
    assert felt.of(g.WindowClosed) == [g.WindowClosed(1, 1, "answered")]
    assert felt.asked == (1, 1)


def test_a7_the_insurance_window_closes_at_its_time_and_silence_buys_nothing() -> None:
    felt = insured().answer(P3=True)
    late = felt.insurance("P1", True)
    felt.fire("insurance")
    assert felt.of(g.WindowClosed) == [g.WindowClosed(1, 1, "countdown")]
    assert [bet.seat for bet in felt.round.bets if bet.kind == "insurance"] == [3]
    assert felt.refused(late) == ("no_window", "R39")
    assert felt.asked == (1, 1)


def test_r39_each_seat_answers_once_and_only_the_window_that_is_open() -> None:
    felt = insured().answer(P1=False)
    assert felt.refused(felt.insurance("P1", True)) == ("answered_already", "R39")
    assert felt.refused(felt.insurance("nobody", True)) == ("not_asked", "R39")
    assert felt.refused(c.Insure(1, 2, "P3", True)) == ("stale_window", "R39")
    assert felt.refused(c.Insure(2, 1, "P3", True)) == ("stale_round", "R39")
    assert felt.refused(felt.follow("P3", True)) == ("stale_window", "R52")
    felt.answer(P3=True)
    assert felt.refused(felt.insurance("P3", True)) == ("no_window", "R39")
    assert [bet.kind for bet in felt.round.bets] == ["main", "main", "insurance"]


def test_a27_a_bet_behind_is_not_insured() -> None:
    felt = Felt().put((1,), behind=[("B", 1, 2000)]).dealt("TS AS TH")
    assert felt.round.window is not None
    assert felt.round.window.asked == ("P1",)
    assert felt.refused(felt.insurance("B", True)) == ("not_asked", "R39")


@pytest.mark.parametrize("buy", [True, False])
def test_a7_insurance_is_asked_once_a_round(buy: bool) -> None:
    felt = Felt().put((1,)).dealt("5S AS 5H").answer(P1=buy).act("hit").drawn("2S")
    assert felt.round.window is None
    assert felt.act("stand").owed == Slot()


@pytest.mark.parametrize(
    ("setting", "kind", "deal"),
    [
        ("betting_seconds", "betting", ""),
        ("decision_seconds", "decision", "TS 9S TH"),
        ("insurance_seconds", "insurance", "TS AS TH"),
    ],
)
def test_a7_each_window_runs_for_its_setting(setting: str, kind: str, deal: str) -> None:
    felt = Felt(TableRules(**{setting: 33})).put((1,))  # type: ignore[arg-type]
    if deal:
        felt.dealt(deal)
    assert felt.running == {kind: 33}


# --- R51-R53: following a split ----------------------------------------------------------------


def test_r51_r52_who_stands_behind_is_asked_before_any_card_of_the_split() -> None:
    felt = split(B=1000, C=2000)
    window = felt.round.window
    assert window is not None
    assert (window.kind, window.seat, window.hand, window.asked) == ("split", 1, 2, ("B", "C"))
    assert felt.nobody == ("follow_window", "R52")
    assert felt.running == {"follow": 5}
    assert felt.asked is None


def test_r52_following_places_the_same_bet_on_the_second_hand() -> None:
    felt = split(B=1500, C=2000).answer(C=True)
    assert felt.nobody == ("follow_window", "R52"), "B has not answered yet"
    felt.answer(B=False)
    assert felt.owed == Slot(1, 1)
    behind = [bet for bet in felt.round.bets if bet.kind == "behind"]
    assert [(bet.player, bet.hand, bet.stake) for bet in behind] == [
        ("B", 1, 1500),
        ("C", 1, 2000),
        ("C", 2, 2000),
    ]


def test_r51_r53_silence_stays_on_the_first_hand_and_depends_on_it_alone() -> None:
    felt = split(B=1000, C=2000).answer(C=True)
    felt.fire("follow")
    # Both hands 18, seat 2 stands on 20; the dealer has 19.
    felt.drawn("TD TC").act("stand").act("stand").act("stand").drawn("3D TS")
    assert felt.paid() == {
        "P1 main 1/1": ("lose", 0),
        "P1 main 1/2": ("lose", 0),
        "P2 main 2/1": ("win", 2000),
        "B behind 1/1": ("lose", 0),
        "C behind 1/1": ("lose", 0),
        "C behind 1/2": ("lose", 0),
    }


def test_r51_who_follows_wins_and_loses_with_each_hand_by_itself() -> None:
    felt = split(B=1000, C=2000).answer(B=False, C=True)
    # First hand 8-10, second 8-2-10 = 20; the dealer ends with 19.
    felt.drawn("TD 2C").act("stand", "hit").drawn("KD").act("stand", "stand").drawn("3D TC")
    assert felt.paid() == {
        "P1 main 1/1": ("lose", 0),
        "P1 main 1/2": ("win", 2000),
        "P2 main 2/1": ("win", 2000),
        "B behind 1/1": ("lose", 0),
        "C behind 1/1": ("lose", 0),
        "C behind 1/2": ("win", 4000),
    }


# --- R54, A15: following a double --------------------------------------------------------------


def test_r54_a15_the_doubled_hands_card_waits_for_those_behind() -> None:
    felt = doubled(B=1000)
    window = felt.round.window
    assert window is not None
    assert (window.kind, window.seat, window.hand, window.asked) == ("double", 1, 1, ("B",))
    assert felt.nobody == ("follow_window", "R54")
    assert felt.running == {"follow": 5}
    felt.answer(B=True)
    assert felt.owed == Slot(1, 1)


def test_r54_a15_silence_declines_and_the_bet_stays_at_its_old_stake() -> None:
    felt = doubled(B=1000, C=2000, D=3000).answer(C=True, D=False)
    felt.fire("follow")
    assert felt.of(g.WindowClosed) == [g.WindowClosed(1, 1, "countdown")]
    # 6-5-9 = 20 against 19.
    felt.drawn("9D").act("stand").drawn("TD")
    assert felt.paid() == {
        "P1 main 1/1": ("win", 4000),
        "P2 main 2/1": ("win", 2000),
        "B behind 1/1": ("win", 2000),
        "C behind 1/1": ("win", 8000),
        "D behind 1/1": ("win", 6000),
    }


def test_a15_each_question_is_asked_of_who_stands_on_that_very_hand() -> None:
    felt = split(B=1000, C=2000).answer(B=False, C=True).drawn("3D 2D")
    felt.act("double")
    assert felt.round.window is not None
    assert (felt.round.window.hand, felt.round.window.asked) == (1, ("B", "C"))
    felt.answer(B=True, C=False).card("TD")
    felt.act("double")
    assert felt.round.window is not None
    assert (felt.round.window.hand, felt.round.window.asked) == (2, ("C",))
    felt.answer(C=True).card("9D")
    stakes = [(bet.player, bet.hand, bet.stake) for bet in felt.round.bets if bet.kind == "behind"]
    assert stakes == [("B", 1, 2000), ("C", 1, 2000), ("C", 2, 4000)]
    # 8-3-10 = 21 and 8-2-9 = 19 against 6-10-2 = 18.
    felt.act("stand").drawn("TC 2C")
    assert felt.paid() == {
        "P1 main 1/1": ("win", 4000),
        "P1 main 1/2": ("win", 4000),
        "P2 main 2/1": ("win", 2000),
        "B behind 1/1": ("win", 4000),
        "C behind 1/1": ("win", 4000),
        "C behind 1/2": ("win", 8000),
    }


def test_a15_nobody_waits_where_nobody_stands_behind_that_hand() -> None:
    felt = Felt().put((1, 2), behind=[("B", 2, 1000)], behind_pair=[("C", 1, 100)])
    felt.dealt("8S TS 6S 8H TH").act("split")
    assert felt.owed == Slot(1, 1), "C has a Pair bet alone, B stands behind another seat"
    felt.drawn("3D 2D").act("double")
    assert felt.owed == Slot(1, 1)
    declined = split(B=1000).answer(B=False).drawn("TD 3D").act("stand", "double")
    assert declined.owed == Slot(1, 2), "B did not follow to the second hand"


@pytest.mark.parametrize("kind", ["split", "double"])
def test_r52_r54_only_who_was_asked_answers_and_once(kind: str) -> None:
    felt = split(B=1000, C=1000) if kind == "split" else doubled(B=1000, C=1000)
    rule = "R52" if kind == "split" else "R54"
    felt.answer(B=False)
    assert felt.refused(felt.follow("B", True)) == ("answered_already", rule)
    for player in ("P1", "P2", "passer-by", ""):
        assert felt.refused(felt.follow(player, True)) == ("not_asked", rule)
    assert felt.refused(c.Follow(1, 7, "C", True)) == ("stale_window", rule)
    assert felt.refused(felt.insurance("C", True)) == ("stale_window", "R39")
    late = felt.follow("C", True)
    felt.fire("follow")
    assert felt.refused(late) == ("no_window", "R52")


@pytest.mark.parametrize("kind", ["insurance", "split", "double"])
def test_a15_a7_a_card_read_while_a_window_is_open_is_exposed_and_voids_the_round(
    kind: str,
) -> None:
    """No slot is owed one: the table holds, and under the strict policy only a void ends it."""
    felt = insured() if kind == "insurance" else (split if kind == "split" else doubled)(B=1000)
    dealt = len(felt.of(g.CardDealt))
    felt.card("2C")
    assert len(felt.of(g.CardDealt)) == dealt
    assert [card.face for card in felt.table.game.exposed] == ["2C"]
    assert felt.hold_codes == ["exposed_card"]
    assert felt.running == {}
    hold = felt.table.holds[0].hold
    assert felt.refused(i.Rule(hold, "burn", "", None), PIT) == ("card_changed_order", "R60")
    felt.must(PIT, i.Rule(hold, "void", "", None))
    assert felt.round.ended == "void"
    assert {back[0] for back in felt.paid().values()} == {"void"}


def test_a7_a_window_interrupted_by_a_hold_starts_anew_and_keeps_its_answers() -> None:
    felt = split(B=1000, C=1000).answer(B=True)
    felt.must(CONSOLE, i.Wait())
    assert felt.running == {}
    assert felt.refused(felt.follow("C", True)) == ("table_holds", "R60")
    felt.must(CONSOLE, i.Resume(felt.table.holds[0].hold))
    assert felt.running == {"follow": 5}
    assert felt.refused(felt.follow("B", False)) == ("answered_already", "R52")
    felt.must(HOST, felt.follow("C", False))
    assert felt.owed == Slot(1, 1)
