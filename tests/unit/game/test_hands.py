"""R2-R6, R9, A1, A2, A10, A16: the cards, and what a hand is worth."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.game.cards import RANKS, SUITS, Card, card_of
from station.game.hands import (
    dealer_stands,
    is_blackjack,
    is_bust,
    same_rank,
    same_value,
    total,
    value,
)
from station.game.rules import CARDS
from station.game.shoe import Gone, Shoe, earlier, foreign

POINTS = (
    {rank: [int(rank)] for rank in "23456789"} | {rank: [10] for rank in "TJQK"} | {"A": [1, 11]}
)


def hand(faces: str) -> tuple[Card, ...]:
    return tuple(card_of(f"{rank}S") for rank in faces)


def test_r2_416_cards_leave_a_shoe_of_eight_decks_and_none_more() -> None:
    assert CARDS == 416
    shoe = Shoe("S1", "A", "in_play")
    gone: tuple[Gone, ...] = ()
    for deck in range(1, 9):
        for face in (rank + suit for rank in RANKS for suit in SUITS):
            card = card_of(face, "A", deck)
            assert earlier(shoe, card) is None
            assert foreign(shoe, card) == ""
            gone = (*gone, Gone(card, len(gone) + 1, 1))
    assert len(gone) == 416
    shoe = Shoe("S1", "A", "in_play", gone=gone)
    again = earlier(shoe, card_of("KH", "A", 3))
    assert again is not None
    assert again.card == card_of("KH", "A", 3)
    assert foreign(shoe, card_of("KH", "A", 9)) == "wrong_deck"
    assert foreign(shoe, card_of("KH", "B", 3)) == "wrong_set"
    assert foreign(shoe, card_of("KH")) == "ninth_copy"


@pytest.mark.parametrize("face", ["XX", "JK", "*S", "1S", "0S", "TX", "", "K", "10S"])
def test_r2_there_is_no_joker_and_no_other_card(face: str) -> None:
    with pytest.raises(ValueError, match="not a card's face"):
        card_of(face)


@pytest.mark.parametrize(
    ("rank", "points"),
    [("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("7", 7), ("8", 8), ("9", 9), ("T", 10)],
)
def test_r3_2_to_10_are_worth_the_number_on_their_face(rank: str, points: int) -> None:
    assert [value(card_of(rank + suit)) for suit in SUITS] == [points] * 4


@pytest.mark.parametrize("rank", "JQK")
def test_r4_jack_queen_and_king_are_worth_10_each(rank: str) -> None:
    assert [value(card_of(rank + suit)) for suit in SUITS] == [10] * 4
    assert total(hand(rank + "5")) == (15, False)


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


def test_r9_a1_21_does_not_bust_and_22_does() -> None:
    assert not is_bust(hand("777"))
    assert is_bust(hand("778"))


@pytest.mark.parametrize("ten", "TJQK")
def test_r6_a2_any_ten_valued_card_and_an_ace_is_blackjack(ten: str) -> None:
    assert is_blackjack(hand("A" + ten))
    assert is_blackjack(hand(ten + "A"))


def test_r6_21_of_three_cards_is_no_blackjack() -> None:
    assert not is_blackjack(hand("777"))
    assert not is_blackjack(hand("A55"))


@pytest.mark.parametrize("ranks", ["A6", "A24", "AA5", "T7", "89"])
def test_r24_a16_dealer_stands_on_every_17(ranks: str) -> None:
    assert dealer_stands(hand(ranks))


@pytest.mark.parametrize("ranks", ["T6", "A5T", "2383", "A5", "AAA3"])
def test_r24_dealer_draws_on_16_and_less(ranks: str) -> None:
    assert not dealer_stands(hand(ranks))


@pytest.mark.parametrize(
    ("first", "second", "value_", "rank"),
    [
        ("TS", "TH", True, True),
        ("TS", "KH", True, False),
        ("JS", "QH", True, False),
        ("8S", "8H", True, True),
        ("AS", "AH", True, True),
        ("AS", "KH", False, False),
        ("AS", "2H", False, False),
        ("9S", "TH", False, False),
    ],
)
def test_a10_split_goes_by_value_and_pair_by_rank(
    first: str, second: str, value_: bool, rank: bool
) -> None:
    cards = card_of(first), card_of(second)
    assert (same_value(*cards), same_rank(*cards)) == (value_, rank)
