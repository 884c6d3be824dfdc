"""A shuffled shoe: which card comes next. No wire here, and no clock.

Deterministic: the same seed, decks, set and stack give the same cards and the same cut.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hw_sim.codes import RANKS, SUITS, CodeError, VirtualCard, decks

CUT_FROM_END = (60, 80)


class ShoeEmpty(Exception):
    """All cards are out."""


@dataclass(frozen=True)
class Given:
    """A card that left the shoe, and its place in the order, from 1."""

    position: int
    card: VirtualCard


class Shoe:
    """What is in the shoe and what has left it.

    `cut`: how many cards lie before the cut card; None: 60 to 80 from the end, by the seed; 0: no
    cut card. `stack`: faces, with or without a deck number (`KH`, `KH3`), that come first in that
    order; the rest is shuffled behind them. `lacks`: cards that are not in it, such as `KH3`.
    Raises CodeError for a stack that cannot be made.
    """

    def __init__(
        self,
        seed: int,
        *,
        decks: int = 8,
        set_letter: str = "A",
        cut: int | None = None,
        stack: Sequence[str] = (),
        lacks: Sequence[str] = (),
    ) -> None:
        self.seed = seed
        self.set = set_letter
        self.given: list[Given] = []
        # Cards that have left it, the cut card not counted.
        self.cards_out = 0
        # As they lie before the shuffle.
        self.unshuffled = _whole(decks, set_letter)
        for card in lacks:
            _take(self.unshuffled, card)
        self._order = _shuffled(seed, self.unshuffled, stack)
        self._order.reverse()
        self._cut_card = VirtualCard("", 0, set_letter)
        rng = random.Random(f"cut/{seed}")
        depth = len(self._order) - rng.randint(*CUT_FROM_END) if cut is None else cut
        self._cut_at = depth if 0 < depth < len(self._order) else 0

    @property
    def name(self) -> str:
        """What the shoe is called: set letter and seed, such as `A-7`."""
        return f"{self.set}-{self.seed}"

    @property
    def left(self) -> int:
        """Cards still in it, the cut card not counted."""
        return len(self._order)

    def peek(self) -> str:
        """The face of the next card, "" for the cut card or none. Nobody at a table is told."""
        at_cut = self._cut_at and self.cards_out == self._cut_at
        return "" if at_cut or not self._order else self._order[-1].face

    def remaining(self) -> dict[str, int]:
        """How many of each face are still in it, the cut card not counted; a face of which there
        is none is left out. To be told only of a shoe that is out.
        """
        return dict(sorted(Counter(card.face for card in self._order).items()))

    def draw(self) -> Given:
        """The next card, which may be the cut card. Raises ShoeEmpty."""
        if self._cut_at and self.cards_out == self._cut_at:
            return self.cut()
        if not self._order:
            raise ShoeEmpty("the shoe is empty: load a new one")
        return self._give(self._order.pop())

    def cut(self) -> Given:
        """The cut card, now; it comes once by itself and as often as it is asked for."""
        self._cut_at = 0
        return self._give(self._cut_card)

    def last(self, face: str = "") -> Given | None:
        """The last card given, or the last one of that face; the cut card is not one."""
        for given in reversed(self.given):
            if not given.card.cut and face in ("", given.card.face):
                return given
        return None

    def _give(self, card: VirtualCard) -> Given:
        given = Given(len(self.given) + 1, card)
        self.given.append(given)
        self.cards_out += not card.cut
        return given


# `decks` is a parameter's name there.
_whole = decks


def _shuffled(seed: int, cards: list[VirtualCard], stack: Sequence[str]) -> list[VirtualCard]:
    rest = list(cards)
    first = [_take(rest, face) for face in stack]
    random.Random(seed).shuffle(rest)
    return first + rest


def _take(rest: list[VirtualCard], wanted: str) -> VirtualCard:
    face, deck = wanted[:2].upper(), wanted[2:]
    known = len(face) == 2 and face[0] in RANKS and face[1] in SUITS
    if not known or (deck and deck not in "123456789"):
        raise CodeError(
            f"stack: {wanted!r} is no card; write rank, suit and, if it matters, deck: KH or KH3"
        )
    for index, card in enumerate(rest):
        if card.face == face and deck in ("", str(card.deck)):
            return rest.pop(index)
    raise CodeError(f"stack: there is no {wanted!r} left in the shoe")
