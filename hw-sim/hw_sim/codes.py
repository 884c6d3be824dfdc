"""The text on a virtual card: set letter, rank, suit, deck number, check character.

`AKH3` and its check character is the king of hearts of deck 3 of set A; the cut card of set A is
`ACUT` and its check character. The check is ISO/IEC 7064 MOD 37,36, the pure hybrid system.
"""

from __future__ import annotations

from dataclasses import dataclass

RANKS = "A23456789TJQK"
SUITS = "SHDC"
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class CodeError(ValueError):
    """A code cannot be made of what was given; the message says what is wrong."""


def check_character(text: str) -> str:
    """The character that makes `text` valid under ISO/IEC 7064 MOD 37,36.

    Raises CodeError for a character other than 0-9 and A-Z.
    """
    modulus = len(ALPHABET)
    product = modulus
    for character in text:
        value = ALPHABET.find(character)
        if value < 0:
            raise CodeError(f"{text!r}: {character!r} has no check value; use 0-9 and A-Z")
        remainder = (product + value) % modulus
        product = 2 * (remainder or modulus) % (modulus + 1)
    return ALPHABET[(1 - product) % modulus]


def is_valid(code: str) -> bool:
    """Whether the last character of `code` is its right check character."""
    return len(code) > 1 and check_character(code[:-1]) == code[-1]


@dataclass(frozen=True)
class VirtualCard:
    """One physical card. `face` such as `KH`, `deck` from 1, `set` a letter; a cut card has the
    face "" and the deck 0.
    """

    face: str
    deck: int
    set: str

    @property
    def cut(self) -> bool:
        """Whether it is the cut card."""
        return not self.face

    @property
    def code(self) -> str:
        """The text of its barcode."""
        text = f"{self.set}CUT" if self.cut else f"{self.set}{self.face}{self.deck}"
        return text + check_character(text)


@dataclass(frozen=True)
class OtherCode(VirtualCard):
    """A card whose code is not its own: another set's, or any text at all."""

    text: str = ""

    @property
    def code(self) -> str:
        """The text a reader finds on it."""
        return self.text or super().code


def decks(count: int, set_letter: str) -> list[VirtualCard]:
    """All cards of `count` decks in factory order. Raises CodeError for a bad count or letter."""
    if not 1 <= count <= 9:
        raise CodeError(f"{count} decks: a card's code has one digit for the deck, 1 to 9")
    if len(set_letter) != 1 or set_letter not in ALPHABET[10:]:
        raise CodeError(f"set {set_letter!r}: one letter, A to Z")
    return [
        VirtualCard(rank + suit, deck, set_letter)
        for deck in range(1, count + 1)
        for suit in SUITS
        for rank in RANKS
    ]
