"""How a simulated player plays his cards: basic strategy for this game, or anything legal.

The table is total-dependent: eight decks, the dealer has one card and does not peek, stands on
every 17, and his Blackjack takes everything; any first two cards may be doubled, one split by
value, surrender against 2 to 9 (R18, R24, R29-R37). Derived and explained in `docs/strategy.md`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

STRATEGIES = ("basic", "random", "absent")
UPCARDS = "23456789TA"

# A column an upcard. h hit, s stand, d double or else hit, e double or else stand,
# r surrender or else hit.
HARD = {
    9: "hddddhhhhh",
    10: "ddddddddhh",
    11: "ddddddddhh",
    12: "hhssshhhhh",
    13: "ssssshhhhh",
    14: "ssssshhhhh",
    15: "ssssshhhhh",
    16: "ssssshhrhh",
}
SOFT = {
    13: "hhhddhhhhh",
    14: "hhhddhhhhh",
    15: "hhdddhhhhh",
    16: "hhdddhhhhh",
    17: "hddddhhhhh",
    18: "seeeesshhh",
}
# y split, o split only where a split hand may double, n play the total. Pairs of equal value.
PAIRS = {
    "A": "yyyyyyyyyn",
    "2": "ooyyyynnnn",
    "3": "ooyyyynnnn",
    "4": "nnnoonnnnn",
    "6": "oyyyynnnnn",
    "7": "yyyyyynnnn",
    "8": "yyyyyyyynn",
    "9": "yyyyynyynn",
}
# Where a dealer's Blackjack takes the original bet alone (`dealer_blackjack_takes`).
ORIGINAL_HARD = {11: "dddddddddh"}
ORIGINAL_PAIRS = {"A": "yyyyyyyyyy", "8": "yyyyyyyyyy"}

WISHES = {
    "h": ("hit", "stand"),
    "s": ("stand", "hit"),
    "d": ("double", "hit", "stand"),
    "e": ("double", "stand", "hit"),
    "r": ("surrender", "hit", "stand"),
}


def basic(
    hand: Mapping[str, Any], up: str, legal: Sequence[str], settings: Mapping[str, Any]
) -> str:
    """What basic strategy does with a hand of the snapshot against the upcard (`KH`).

    `settings` are the table's rules by name. Always one of `legal`, which is not empty.
    """
    column = UPCARDS.index(_rank(up))
    original = settings.get("dealer_blackjack_takes") == "original"
    cards = hand["cards"]
    if "split" in legal and len(cards) == 2 and _rank(cards[0]) == _rank(cards[1]):
        rows = {**PAIRS, **ORIGINAL_PAIRS} if original else PAIRS
        word = rows.get(_rank(cards[0]), "n" * len(UPCARDS))[column]
        if word == "y" or (word == "o" and settings.get("double_after_split", True)):
            return "split"
    for wish in WISHES[_word(hand["total"], hand["soft"], column, original=original)]:
        if wish in legal:
            return wish
    return legal[0]


def _word(total: int, soft: bool, column: int, *, original: bool) -> str:
    if soft:
        row = SOFT.get(total, "")
        return row[column] if row else ("s" if total > 18 else "h")
    rows = {**HARD, **ORIGINAL_HARD} if original else HARD
    row = rows.get(total, "")
    return row[column] if row else ("s" if total > 16 else "h")


def anything(rng: random.Random, legal: Sequence[str]) -> str | None:
    """Any legal action, or None: he says nothing and his time runs out."""
    if rng.random() < 0.12:
        return None
    return rng.choice(sorted(legal))


def _rank(face: str) -> str:
    """A card's rank; all tens are T."""
    return "T" if face[0] in "TJQK" else face[0]
