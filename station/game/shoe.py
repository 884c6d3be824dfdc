"""What left the shoe (R2). What remains in it is nobody's business while it is in play."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.cards import RANKS, SUITS, Card
from station.game.rules import DECKS

ShoeState = Literal["none", "loaded", "in_play", "out"]


class Gone(Struct, frozen=True):
    """A card that left the shoe: which, its place in the order from 1, and in which round."""

    card: Card
    order: int
    round: int


class Shoe(Struct, frozen=True):
    """A shoe's life. `set` is the set letter its cards carry, "" when any is taken; `burned` counts
    the cards of its first burn.
    """

    id: str = ""
    set: str = ""
    state: ShoeState = "none"
    cut: bool = False
    burned: int = 0
    gone: tuple[Gone, ...] = ()

    @property
    def last(self) -> Gone | None:
        """The last card accepted from it."""
        return self.gone[-1] if self.gone else None


class Retired(Struct, frozen=True):
    """A shoe that is out and waits to be counted: how many of each face left it, and in which
    rounds.
    """

    id: str
    counts: dict[str, int]
    cards: int
    rounds: tuple[int, ...]


def one_card(one: Card, other: Card) -> bool:
    """Whether two codes with a deck number name one card. A set letter that one of them does not
    carry tells nothing apart.
    """
    same = (one.face, one.deck) == (other.face, other.deck) and one.unique
    return same and (one.set == other.set or not one.set or not other.set)


def earlier(shoe: Shoe, card: Card) -> Gone | None:
    """The read by which this very card has left the shoe already, or None.

    Only a code with a deck number tells a card from the others of its face.
    """
    if not card.unique:
        return None
    for gone in shoe.gone:
        if one_card(gone.card, card):
            return gone
    return None


def suspects(shoe: Shoe, card: Card) -> tuple[Gone, ...]:
    """The earlier reads of that face, newest first: where there is one too many, either the new
    read or one of these is wrong.
    """
    return tuple(
        gone
        for gone in reversed(shoe.gone)
        if gone.card.rank is card.rank and gone.card.suit is card.suit
    )


def foreign(shoe: Shoe, card: Card) -> str:
    """Why the card cannot be of this shoe, as a code, or ""."""
    if shoe.set and card.set and card.set != shoe.set:
        return "wrong_set"
    if card.deck > DECKS:
        return "wrong_deck"
    # Eight decks hold eight of each. A card with a deck number is checked too: some of those before
    # it may have been read by their face alone, and this may be one of them.
    return "ninth_copy" if _copies(shoe, card) >= DECKS else ""


def _copies(shoe: Shoe, card: Card) -> int:
    """How many cards of that face have left the shoe."""
    return len(suspects(shoe, card))


class Count(Struct, frozen=True):
    """What is wrong with a shoe whose cards were counted together; faces and how many."""

    missing: dict[str, int]
    surplus: dict[str, int]

    @property
    def why(self) -> Literal["", "short_shoe", "long_shoe", "wrong_shoe"]:
        """What its rounds are marked with; "" for a whole shoe."""
        if self.missing and self.surplus:
            return "wrong_shoe"
        if self.missing:
            return "short_shoe"
        return "long_shoe" if self.surplus else ""


def retire(shoe: Shoe) -> Retired:
    """What its count needs of a shoe that is out."""
    counts: dict[str, int] = {}
    for gone in shoe.gone:
        counts[gone.card.face] = counts.get(gone.card.face, 0) + 1
    rounds = tuple(sorted({gone.round for gone in shoe.gone if gone.round}))
    return Retired(shoe.id, counts, len(shoe.gone), rounds)


def reconcile(shoe: Retired, remaining: dict[str, int]) -> Count:
    """Dealt, burned and remaining must be eight of each face (R2).

    `remaining` counts faces such as `KH`; a face that is not named counts 0.
    """
    faces = [rank + suit for rank in RANKS for suit in SUITS]
    counts = {face: remaining.get(face, 0) + shoe.counts.get(face, 0) for face in faces}
    missing = {face: DECKS - count for face, count in counts.items() if count < DECKS}
    surplus = {face: count - DECKS for face, count in counts.items() if count > DECKS}
    return Count(missing, surplus)
