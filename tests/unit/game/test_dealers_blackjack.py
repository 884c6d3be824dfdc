"""A22: what a dealer's Blackjack takes of doubled and split bets, worked out by hand."""

from __future__ import annotations

import pytest

from station.game.rules import TableRules
from tests.support.felt import Felt

ORIGINAL = TableRules(dealer_blackjack_takes="original")

# The dealer shows a ten and draws an ace. Behind stands B with 2,000, who follows everything.
AGAINST_BLACKJACK: list[tuple[str, str, dict[str, int], dict[str, int]]] = [
    ("plain", "TS TH 9S stand", {"1": 0}, {"1": 0}),
    ("doubled", "6S TH 5S double 9D", {"1": 0}, {"1": 1000}),
    ("doubled and bust", "8S TH 7S double KD", {"1": 0}, {"1": 1000}),
    ("bust, not doubled", "8S TH 7S hit KD", {"1": 0}, {"1": 0}),
    ("split", "8S TH 8D split TD TC stand stand", {"1": 0, "2": 0}, {"1": 0, "2": 1000}),
    (
        "second hand bust",
        "8S TH 8D split TD 7C stand hit KD",
        {"1": 0, "2": 0},
        {"1": 0, "2": 1000},
    ),
    (
        "first hand bust",
        "8S TH 8D split 7C TD hit KD stand",
        {"1": 0, "2": 0},
        {"1": 0, "2": 1000},
    ),
    (
        "both hands doubled",
        "8S TH 8D split 3C 3D double 9D double KD",
        {"1": 0, "2": 0},
        {"1": 1000, "2": 2000},
    ),
    ("split aces, 21 each", "AS TH AC split KD KC", {"1": 0, "2": 0}, {"1": 0, "2": 1000}),
    ("Blackjack", "AS TH KS", {"1": 1000}, {"1": 1000}),
]


def against(steps: str, rules: TableRules) -> dict[str, int]:
    """What comes back of each bet, when the dealer's ace has come."""
    first, upcard, second, *rest = steps.split()
    felt = Felt(rules).put((1,), behind=[("B", 1, 2000)]).dealt(f"{first} {upcard} {second}")
    for step in rest:
        if len(step) == 2:
            felt.card(step)
        else:
            felt.act(step)  # type: ignore[arg-type]
        if felt.round.window is not None:
            felt.answer(B=True)
    felt.card("AD")
    return {name: back for name, (_, back) in felt.paid().items()}


@pytest.mark.parametrize(("name", "steps", "all_", "original"), AGAINST_BLACKJACK)
@pytest.mark.parametrize("takes", ["all", "original"])
def test_a22_a_dealers_blackjack_takes_all_or_the_original_bet_alone(
    name: str, steps: str, all_: dict[str, int], original: dict[str, int], takes: str
) -> None:
    rules = ORIGINAL if takes == "original" else TableRules()
    back = original if takes == "original" else all_
    want = {f"P1 main 1/{hand}": amount for hand, amount in back.items()}
    want |= {f"B behind 1/{hand}": amount * 2 for hand, amount in back.items()}
    assert against(steps, rules) == want, name


def test_a22_a_bet_behind_that_declined_has_no_unit_beyond_its_original() -> None:
    felt = Felt(ORIGINAL).put((1,), behind=[("B", 1, 2000)]).dealt("6S TH 5S").act("double")
    felt.answer(B=False).drawn("9D").drawn("AD")
    assert felt.paid() == {"P1 main 1/1": ("lose", 1000), "B behind 1/1": ("lose", 0)}


def test_a22_without_a_dealers_blackjack_nothing_comes_back() -> None:
    felt = Felt(ORIGINAL).put((1,)).dealt("6S TH 5S").act("double").drawn("2D").drawn("5D 6D")
    assert felt.paid() == {"P1 main 1/1": ("lose", 0)}


@pytest.mark.parametrize(("takes", "main"), [("all", ("lose", 0)), ("original", ("lose", 1000))])
def test_a22_r40_an_insurance_wins_whatever_the_setting_gives_back(
    takes: str, main: tuple[str, int]
) -> None:
    felt = Felt(TableRules(dealer_blackjack_takes=takes)).put((1,), pair={1: 100})  # type: ignore[arg-type]
    felt.dealt("5S AS 5H").answer(P1=True).act("double").drawn("9D").drawn("KD")
    assert felt.paid() == {
        "P1 main 1/1": main,
        "P1 pair 1": ("win", 1200),
        "P1 insurance 1": ("win", 1500),
    }
