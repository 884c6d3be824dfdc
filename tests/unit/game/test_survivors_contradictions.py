"""What cannot be is raised and named, never played on: facts and calls that contradict the game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from station.game import bets, decisions
from station.game import commands as c
from station.game import facts as f
from station.game.cards import card_of
from station.game.dealing import Nobody, autoplay, next_expected
from station.game.game import Game, evolve
from station.game.refusal import Refusal
from station.game.round import decide, inactive
from station.game.rules import TableRules
from station.game.settlement import settle
from station.game.state import Bet, Box, Hand, Round, Slot, Window, hand_at

RULES = TableRules()
OPEN = Round(1, "S1", "", boxes=(Box(1, "P1"),), closed=True)
STRAY = Bet(1, "main", "P2", 2, 1, 1000)


@pytest.mark.parametrize(
    "fact",
    [
        f.RoundCleared(1),
        f.RoundVoided(1, "emergency", "2001", ()),
        f.CardDealt(1, card_of("8S"), Slot(), 1),
    ],
)
def test_a_fact_of_a_round_needs_a_round(fact: f.AnyGameFact) -> None:
    with pytest.raises(ValueError, match="no round was opened"):
        evolve(Game(), fact)


def test_an_answer_needs_a_window() -> None:
    with pytest.raises(ValueError, match="no window was opened"):
        evolve(Game(round=OPEN), f.WindowAnswered(1, 1, "P1", True))


def test_a_card_to_a_seat_that_does_not_play_has_no_hand() -> None:
    assert hand_at(OPEN, Slot(1, 1)) == Hand()
    with pytest.raises(KeyError):
        hand_at(OPEN, Slot(2, 1))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: decide(Game(), RULES, c.CloseBetting(1)), "no round was opened"),
        (lambda: inactive(Game()), "no round was opened"),
        (lambda: bets.place(Game(), c.PlaceBet(1, 1, "P1", 1000)), "no round was opened"),
    ],
)
def test_what_a_round_brings_needs_a_round(call: Callable[[], object], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def test_r22_a_bust_hand_asks_the_station_nothing() -> None:
    bust = Box(1, "P1", (Hand(tuple(card_of(face) for face in ("TS", "9S", "3S"))),))
    with pytest.raises(AssertionError, match="bust"):
        autoplay(bust, 1, RULES)
    complete = Box(1, "P1", (Hand(tuple(card_of(face) for face in ("TS", "9S", "2S"))),))
    assert autoplay(complete, 1, RULES) == "stand"


def test_r13_a_seat_decides_and_insures_upon_its_bet() -> None:
    with pytest.raises(AssertionError, match="seat 1 plays without a bet"):
        decisions.decide(OPEN, c.Decide(1, 1, 1, 1, "stand"))
    asked = Round(
        1, "S1", "", boxes=OPEN.boxes, closed=True, window=Window(1, "insurance", 0, 0, ("P1",))
    )
    with pytest.raises(AssertionError, match="seat 1 plays without a bet"):
        decisions.answer(Game(round=asked), asked, c.Insure(1, 1, "P1", True))


def test_r26_nothing_is_said_of_a_seat_that_does_not_play() -> None:
    with pytest.raises(AssertionError, match="seat 2 does not play"):
        decisions.why_not_action(OPEN, RULES, Slot(2, 1), "stand")


def test_r37_a_split_ace_with_its_card_is_not_doubled_whoever_asks() -> None:
    """It is complete and never in turn; the rule of doubling says so too."""
    ace = Hand((card_of("AS"), card_of("5S")), split=True)
    split = Round(1, "S1", "", boxes=(Box(1, "P1", (ace, ace)),), closed=True)
    refusal = decisions.why_not_action(split, RULES, Slot(1, 1), "double")
    assert refusal == Refusal("split_aces_one_card", "R37", {"seat": 1})


def test_a7_no_answer_without_a_window() -> None:
    with pytest.raises(AssertionError, match="no window is open"):
        decisions.answer(Game(round=OPEN), OPEN, c.Insure(1, 1, "P1", True))


def test_a5_a_bet_on_a_seat_that_does_not_play_is_never_settled() -> None:
    with pytest.raises(AssertionError, match="stands on seat 2, which does not play"):
        settle(Round(1, "S1", "", bets=(STRAY,), boxes=OPEN.boxes), RULES)


def test_r24_between_the_dealers_last_card_and_the_results_nobody_is_owed_a_card() -> None:
    hand = Hand((card_of("TS"), card_of("9S")), stood=True)
    dealer = (card_of("TH"), card_of("7H"))
    done = Round(1, "S1", "", boxes=(Box(1, "P1", (hand,)),), closed=True, dealer=dealer)
    assert next_expected(Game(round=done), RULES) == Nobody("dealer_stands", "R24")
