"""What a hand is worth (R3-R6, R9, A1-A3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from station.game.cards import Card, Rank

BLACKJACK = 21
DEALER_STANDS = 17

_VALUE: dict[Rank, int] = dict.fromkeys(Rank, 10) | {Rank(str(pips)): pips for pips in range(2, 10)}
_VALUE[Rank.ACE] = 1


class Total(NamedTuple):
    """The best total not over 21 where there is one, and whether an ace counts 11 in it."""

    points: int
    soft: bool


def value(card: Card) -> int:
    """Points of one card, the ace as 1 (R3-R5)."""
    return _VALUE[card.rank]


def total(cards: Iterable[Card]) -> Total:
    """The hand's total (R5). At most one ace can count 11 without busting."""
    points = 0
    ace = False
    for card in cards:
        points += _VALUE[card.rank]
        ace = ace or card.rank is Rank.ACE
    if ace and points + 10 <= BLACKJACK:
        return Total(points + 10, soft=True)
    return Total(points, soft=False)


def is_bust(cards: Iterable[Card]) -> bool:
    """22 or more (R23, A1)."""
    return total(cards).points > BLACKJACK


def is_blackjack(cards: tuple[Card, ...]) -> bool:
    """An ace and a ten-valued card as the first two cards (R6, A2). Not for split hands (R38)."""
    return len(cards) == 2 and total(cards).points == BLACKJACK


def dealer_stands(cards: tuple[Card, ...]) -> bool:
    """17 or more, soft or hard (R24, A16)."""
    return total(cards).points >= DEALER_STANDS


def same_value(first: Card, second: Card) -> bool:
    """Whether two first cards may be split: by value, so a ten and a king may (R34, A10)."""
    return value(first) == value(second)


def same_rank(first: Card, second: Card) -> bool:
    """Whether two first cards are a pair for the Pair bet: by rank (R42, A10)."""
    return first.rank is second.rank
