"""Exact odds of the game from a fresh shoe of eight decks (R2), for `tests.bench.strategy`.

A hand is a multiset of cards, each multiset that is not bust a row of a `Tree`, with the chance of
each next card and what standing brings when the dealer then draws from exactly the cards left.
Nothing is approximated but one thing: the shoe is fresh, so neither earlier rounds, other seats'
decisions nor the cut card matter.

Cards are counted by value: index 0 is the ace, 8 the nine, 9 every ten-valued card. Values are in
initial main bets, a lost bet being -1. With `original` (A22) a dealer's Blackjack costs exactly one
bet whatever was done: it is left out of all values here, to be taken off once at the end. With
`all` every unit staked is lost to it, and it is in the values.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

Takes = Literal["all", "original"]
Reals = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Counts = tuple[int, ...]

ACE, TEN = 0, 9
SHOE: Whole = np.array([32] * 9 + [128], dtype=np.int64)
SOFT = 20  # The cell of a soft total is 20 above its points, of a hard total its points.
CELLS = SOFT + 22
BUST, NATURAL = 22, 23
OUTCOMES = (17, 18, 19, 20, 21, BUST, NATURAL)


def more(counts: Counts, card: int) -> Counts:
    """The hand with one more card."""
    return (*counts[:card], counts[card] + 1, *counts[card + 1 :])


def only(*cards: int) -> Counts:
    """The hand of just these cards."""
    return tuple(cards.count(card) for card in range(10))


def hard(counts: Counts) -> int:
    """Points with every ace as 1."""
    return sum(number * (card + 1) for card, number in enumerate(counts))


def best(counts: Counts) -> tuple[int, bool]:
    """Points, and whether an ace counts 11 in them (R5)."""
    points = hard(counts)
    soft = counts[ACE] > 0 and points + 10 <= 21
    return (points + 10 if soft else points), soft


@cache
def hands() -> tuple[Counts, ...]:
    """Every hand of at least one card that is not bust."""
    found: list[Counts] = []

    def add(counts: Counts, least: int) -> None:
        for card in range(least, 10):
            longer = more(counts, card)
            if hard(longer) <= 21:
                found.append(longer)
                add(longer, card)

    add(only(), 0)
    return tuple(found)


class Dealer:
    """How the dealer ends with this upcard (R18, R24), from any shoe."""

    def __init__(self, upcard: int) -> None:
        draws: dict[Counts, int] = defaultdict(int)
        growing: dict[Counts, int] = {only(): 1}
        while growing:
            longer: dict[Counts, int] = defaultdict(int)
            for drawn, orders in growing.items():
                for card in range(10):
                    now = more(drawn, card)
                    ended = best(more(now, upcard))[0] >= 17
                    (draws if ended else longer)[now] += orders
            growing = longer
        self.upcard = upcard
        self._draws: Whole = np.array(list(draws), dtype=np.int64)
        self._orders: Reals = np.array(list(draws.values()), dtype=np.float64)
        self._ends = np.array([OUTCOMES.index(self._outcome(drawn)) for drawn in draws])
        self._falling = falling(int(SHOE.sum()), int(self._draws.sum(axis=1).max()))

    def _outcome(self, drawn: Counts) -> int:
        points, _ = best(more(drawn, self.upcard))
        return NATURAL if points == 21 and sum(drawn) == 1 else min(points, BUST)

    def chances(self, left: Whole) -> Reals:
        """The chance of each outcome, columns as OUTCOMES, for each row of cards left."""
        chance = np.tile(self._orders, (len(left), 1))
        for card in range(10):
            some = np.flatnonzero(self._draws[:, card])
            chance[:, some] *= self._falling[left[:, [card]], self._draws[some, card]]
        chance /= self._falling[left.sum(axis=1, keepdims=True), self._draws.sum(axis=1)]
        ends = [chance[:, self._ends == end].sum(axis=1) for end in range(len(OUTCOMES))]
        return np.stack(ends, axis=1)


def falling(top: int, most: int) -> Reals:
    """n (n-1) … (n-k+1): rows are n from 0 to `top`, columns k from 0 to `most`."""
    table = np.ones((top + 1, most + 1))
    for k in range(1, most + 1):
        table[:, k] = table[:, k - 1] * np.maximum(np.arange(top + 1) - k + 1, 0)
    return table


@dataclass(frozen=True)
class Shape:
    """The hands of a tree and how they grow; the same for every upcard."""

    row: dict[Counts, int]
    counts: Whole
    size: Whole
    points: Whole
    cell: Whole
    child: Whole  # Row after each next card; one past the last row when that is a bust.
    levels: tuple[Whole, ...]  # Rows of equal hard points, the highest first.

    @property
    def undecided(self) -> Flags:
        """21 completes a hand (A18)."""
        return self.points < 21


@cache
def shape(first: int | None) -> Shape:
    """Every hand, or every hand that a split hand of the card `first` may become."""
    every = [counts for counts in hands() if first is None or counts[first]]
    row = {counts: number for number, counts in enumerate(every)}
    totals = [best(counts) for counts in every]
    points = np.array([points for points, _ in totals])
    sums = np.array([hard(counts) for counts in every])
    return Shape(
        row=row,
        counts=np.array(every),
        size=np.array([sum(counts) for counts in every]),
        points=points,
        cell=points + SOFT * np.array([soft for _, soft in totals]),
        child=np.array([[row.get(more(c, card), len(every)) for card in range(10)] for c in every]),
        levels=tuple(np.flatnonzero(sums == level) for level in range(21, 0, -1)),
    )


@dataclass(frozen=True)
class Odds:
    """A tree's values, row by row: standing; the part of hitting that is bust; doubling."""

    stand: Reals
    bust: Reals
    double: Reals


class Tree:
    """The hands of a shape, played against one upcard with `gone` out of the shoe beside them:
    the upcard and, for a split hand, the other card of its pair."""

    def __init__(self, dealer: Dealer, gone: Counts, first: int | None) -> None:
        self.shape = shape(first)
        self.first = first
        self._dealer = dealer
        self._left = SHOE - np.array(gone) - self.shape.counts
        self.chance: Reals = self._left / self._left.sum(axis=1, keepdims=True)
        self._ends = dealer.chances(self._left)
        self.natural: Reals = self._ends[:, -1]
        self.odds: dict[Takes, Odds] = {
            "all": self._odds("all"),
            "original": self._odds("original"),
        }

    def _odds(self, takes: Takes) -> Odds:
        ends, points = self._ends, self.shape.points
        stand: Reals = ends[:, 5] - (ends[:, 6] if takes == "all" else 0.0)  # A31, R6
        for column, theirs in enumerate(OUTCOMES[:5]):
            stand = stand + np.sign(points - theirs) * ends[:, column]  # R8, R10
        kept = self._no_blackjack_after() if takes == "original" else 1.0
        busts = self.shape.child == len(points)
        bust: Reals = -(self.chance * kept * busts).sum(axis=1)
        ahead = (self.chance * np.append(stand, 0.0)[self.shape.child]).sum(axis=1)
        return Odds(stand, bust, 2 * (ahead + bust))

    def _no_blackjack_after(self) -> Reals:
        """For each row and next card, the chance that the dealer has no Blackjack then."""
        if self._dealer.upcard not in (ACE, TEN):
            return np.ones(self._left.shape)
        needed = TEN if self._dealer.upcard == ACE else ACE
        left = self._left[:, [needed]] - np.eye(10)[needed]
        chance: Reals = 1 - left / (self._left.sum(axis=1, keepdims=True) - 1)
        return chance
