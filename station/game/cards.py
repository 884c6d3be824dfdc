"""Cards as printed and as coded (R2-R5)."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

RANKS = "A23456789TJQK"
SUITS = "SHDC"


class Rank(StrEnum):
    """The printed rank; `T` is the ten."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


class Suit(StrEnum):
    """The printed suit."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Card(Struct, frozen=True):
    """One physical card: what is printed on it and what its code adds.

    `set` is the set's letter ("" when the code has none), `deck` the deck's number from 1
    (0 when the code has none). Two cards of the same face are different cards unless both say
    the same set and deck.
    """

    rank: Rank
    suit: Suit
    set: str = ""
    deck: int = 0

    @property
    def face(self) -> str:
        """Two characters, rank then suit: `KH`."""
        return f"{self.rank.value}{self.suit.value}"

    @property
    def unique(self) -> bool:
        """Whether the code tells this card from the seven others of the same face."""
        return self.deck > 0


def card_of(face: str, set: str = "", deck: int = 0) -> Card:  # noqa: A002 - the field's own name
    """The card of a two-character face such as `KH`.

    Raises ValueError when the face is not a rank of `A23456789TJQK` and a suit of `SHDC`.
    """
    if len(face) != 2 or face[0] not in RANKS or face[1] not in SUITS:
        raise ValueError(f"not a card's face: {face!r} (rank of {RANKS}, then suit of {SUITS})")
    return Card(Rank(face[0]), Suit(face[1]), set, deck)
