"""What left the shoe (R2). What remains in it is nobody's business while it is in play."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.cards import Card
from station.game.rules import DECKS

ShoeState = Literal["none", "loaded", "in_play", "out"]


class Gone(Struct, frozen=True):
    """A card that left the shoe: which, its place in the order from 1, and in which round."""

    card: Card
    order: int
    round: int


class Shoe(Struct, frozen=True):
    """A shoe's life. `set` is the set letter its cards carry, "" when any is taken."""

    id: str = ""
    set: str = ""
    state: ShoeState = "none"
    cut: bool = False
    gone: tuple[Gone, ...] = ()

    @property
    def last(self) -> Gone | None:
        """The last card accepted from it."""
        return self.gone[-1] if self.gone else None


def earlier(shoe: Shoe, card: Card) -> Gone | None:
    """The read by which this very card has left the shoe already, or None.

    Only a code with a deck number tells a card from the others of its face.
    """
    if not card.unique:
        return None
    for gone in shoe.gone:
        if gone.card == card:
            return gone
    return None


def foreign(shoe: Shoe, card: Card) -> str:
    """Why the card cannot be of this shoe, as a code, or ""."""
    if shoe.set and card.set and card.set != shoe.set:
        return "wrong_set"
    if card.deck > DECKS:
        return "wrong_deck"
    # Eight decks of one set hold eight of each: only other sets or unnumbered codes can exceed it.
    if (not card.unique or not shoe.set) and _copies(shoe, card) >= DECKS:
        return "ninth_copy"
    return ""


def _copies(shoe: Shoe, card: Card) -> int:
    """How many cards of that face have left the shoe."""
    return sum(
        1 for gone in shoe.gone if gone.card.rank is card.rank and gone.card.suit is card.suit
    )
