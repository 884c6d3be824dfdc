"""R3-R6, R9, A1, A2, A16: what a hand is worth."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.game.cards import RANKS, card_of
from station.game.hands import dealer_stands, is_blackjack, is_bust, total

POINTS = (
    {rank: [int(rank)] for rank in "23456789"} | {rank: [10] for rank in "TJQK"} | {"A": [1, 11]}
)


def hand(faces: str) -> tuple:  # type: ignore[type-arg]
    return tuple(card_of(f"{rank}S") for rank in faces)


@pytest.mark.parametrize(
    ("ranks", "points", "soft"),
    [
        ("AAA6", 19, True),
        ("AAAA5", 19, True),
        ("AAK", 12, False),
        ("A47", 12, False),
        ("AA9", 21, True),
        ("AK", 21, True),
        ("A6", 17, True),
        ("A5T", 16, False),
        ("2383", 16, False),
        ("AAAAAAAAAAA", 21, True),
        ("AAAAAAAAAAAK", 21, False),
    ],
)
def test_r5_an_ace_counts_what_is_better_for_the_hand(ranks: str, points: int, soft: bool) -> None:
    assert total(hand(ranks)) == (points, soft)


@given(st.text(alphabet=RANKS, min_size=0, max_size=12))
def test_r5_total_is_the_best_of_all_ways_to_count_the_aces(ranks: str) -> None:
    sums = {sum(choice) for choice in itertools.product(*(POINTS[rank] for rank in ranks))}
    fitting = [points for points in sums if points <= 21]
    best = max(fitting) if fitting else min(sums)
    low = sum(min(POINTS[rank]) for rank in ranks)
    assert total(hand(ranks)) == (best, best != low)


def test_a1_21_does_not_bust_and_22_does() -> None:
    assert not is_bust(hand("777"))
    assert is_bust(hand("778"))


@pytest.mark.parametrize("ten", "TJQK")
def test_a2_any_ten_valued_card_and_an_ace_is_blackjack(ten: str) -> None:
    assert is_blackjack(hand("A" + ten))
    assert is_blackjack(hand(ten + "A"))


def test_r6_21_of_three_cards_is_no_blackjack() -> None:
    assert not is_blackjack(hand("777"))
    assert not is_blackjack(hand("A55"))


@pytest.mark.parametrize("ranks", ["A6", "A24", "AA5", "T7", "89"])
def test_r24_dealer_stands_on_every_17(ranks: str) -> None:
    assert dealer_stands(hand(ranks))


@pytest.mark.parametrize("ranks", ["T6", "A5T", "2383", "A5", "AAA3"])
def test_r24_dealer_draws_on_16_and_less(ranks: str) -> None:
    assert not dealer_stands(hand(ranks))
