"""The dealer's own hand, by the rules it proves."""

from __future__ import annotations

import pytest

from station.game import facts as g
from station.game.rules import TableRules
from station.game.state import Phase, Slot, phase
from tests.support.felt import Felt

UNTIL_DECIDED = TableRules(dealer_draw="until_decided")
ORIGINAL = TableRules(dealer_draw="until_decided", dealer_blackjack_takes="original")


def test_r18_r24_the_second_card_of_the_dealer_comes_after_all_player_hands() -> None:
    felt = Felt().put((1, 2)).dealt("TS TH 6S 2H 2D")
    assert len(felt.round.dealer) == 1
    assert felt.nobody == ("decision_open", "R20")
    felt.act("stand")
    assert felt.nobody == ("decision_open", "R20"), "once at the end, not after each player"
    felt.act("hit")
    assert felt.owed == Slot(2, 1)
    felt.drawn("5D").act("stand")
    assert felt.owed == Slot()


@pytest.mark.parametrize(
    ("upcard", "draws", "total"),
    [
        ("9S", "8D", 17),
        ("AS", "6D", 17),  # soft 17 stands
        ("AS", "2D 4D", 17),
        ("AS", "AD 5D", 17),
        ("6S", "TD 5D", 21),  # 16 draws
        ("AS", "5D TD 2H", 18),  # soft 16 draws, hard 16 draws
        ("2S", "3D 8D 3H 8H", 24),
        ("TS", "6D TD", 26),
        ("5S", "5D 6D AD", 17),  # the ace counts 1 at 16
        ("2S", "2D 2H AD", 17),  # 6 and an ace: soft 17
    ],
)
def test_r24_a16_the_dealer_draws_on_16_and_stands_on_every_17(
    upcard: str, draws: str, total: int
) -> None:
    felt = Felt().put((1,)).dealt(f"TS {upcard} TH")
    if felt.round.window is not None:
        felt.answer(P1=False)
    felt.act("stand")
    for face in draws.split():
        assert felt.owed == Slot()
        assert phase(felt.round) is Phase.DEALER
        felt.card(face)
    assert phase(felt.round) is Phase.RESULT
    assert felt.owed is None
    result = "win" if total < 20 or total > 21 else "lose"
    assert felt.paid()["P1 main 1/1"][0] == result


def test_r24_a_card_after_the_dealer_stands_is_exposed_and_no_result_changes() -> None:
    felt = Felt().put((1,)).dealt("TS 9S TH").act("stand").drawn("8D")
    assert felt.nobody == ("round_settled", "R24")
    felt.card("5D")
    assert felt.hold_codes == ["exposed_card"]
    assert [card.face for card in felt.round.dealer] == ["9S", "8D"]


# What stands against the dealer, and how many cards he draws before nothing depends on them.
BUST = "TS {up} 6S hit KS"
DOUBLED_BUST = "8S {up} 7S double KS"
SPLIT_BUST = "8S {up} 8H split 7S 6S hit KS hit KH"
BLACKJACK = "AS {up} KS"


@pytest.mark.parametrize(
    ("rules", "steps", "up", "insure", "draws"),
    [
        (UNTIL_DECIDED, BUST, "6D", False, 0),
        (UNTIL_DECIDED, BUST, "TD", False, 0),
        (UNTIL_DECIDED, BUST, "AD", False, 0),
        (UNTIL_DECIDED, BUST, "AD", True, 1),  # the insurance waits for the second card
        (UNTIL_DECIDED, BLACKJACK, "9D", False, 0),
        (UNTIL_DECIDED, BLACKJACK, "TD", False, 1),
        (UNTIL_DECIDED, BLACKJACK, "KD", False, 1),
        (UNTIL_DECIDED, BLACKJACK, "AD", False, 1),
        (UNTIL_DECIDED, DOUBLED_BUST, "TD", False, 0),
        (ORIGINAL, DOUBLED_BUST, "TD", False, 1),  # A22: the extra unit waits for it
        (ORIGINAL, DOUBLED_BUST, "9D", False, 0),
        (ORIGINAL, SPLIT_BUST, "TD", False, 1),
        (ORIGINAL, SPLIT_BUST, "6D", False, 0),
        (ORIGINAL, BUST, "TD", False, 0),
        (UNTIL_DECIDED, "TS {up} 6S surrender", "9D", False, 0),
        (UNTIL_DECIDED, "TS {up} 6S stand", "6D", False, 3),  # one hand is still open: to 17
        (TableRules(), BUST, "6D", False, 3),
        (TableRules(), BUST, "AD", False, 2),
        (TableRules(), BLACKJACK, "9D", False, 2),
        (TableRules(), "TS {up} 6S surrender", "9D", False, 2),
    ],
)
def test_a17_dealer_draw_says_whether_he_draws_when_nothing_depends_on_it(
    rules: TableRules, steps: str, up: str, insure: bool, draws: int
) -> None:
    """The cards that come are 3, 5 and 8: 22 from a 6, 17 from a 9, a soft 19 from an ace."""
    first, upcard, second, *rest = steps.format(up=up).split()
    felt = Felt(rules).put((1,)).dealt(f"{first} {upcard} {second}")
    if felt.round.window is not None:
        felt.answer(P1=insure)
    for step in rest:
        if len(step) == 2:
            felt.card(step)
        else:
            felt.act(step)  # type: ignore[arg-type]
    cards = iter(["3D", "5D", "8D", "2D", "4D"])
    drawn = 0
    while not felt.round.ended:
        assert felt.owed == Slot()
        felt.card(next(cards))
        drawn += 1
    assert drawn == draws


def test_a17_a_pair_bet_waits_for_no_card_of_the_dealer() -> None:
    felt = Felt(UNTIL_DECIDED).put((1,), pair={1: 100}).dealt("8S TS 8H").act("hit").drawn("KS")
    assert felt.paid() == {"P1 main 1/1": ("bust", 0), "P1 pair 1": ("win", 1200)}
    assert len(felt.of(g.RoundSettled)) == 1
