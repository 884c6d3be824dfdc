"""The total-dependent basic strategy of this game (R18, R24, R26-R36), as data and as a player.

The tables are what `python -m tests.bench.strategy` derives from the rules, which also compares
them; `docs/strategy.md` shows and explains them. Nothing here is taken from elsewhere: the dealer
has one card and does not peek, so common tables do not fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from station.game.cards import Card
from station.game.hands import total, value

Takes = Literal["all", "original"]
Play = Literal["hit", "stand", "double", "split", "surrender"]

UPCARDS = "23456789TA"  # The columns; T is every ten-valued card.

# H hit, S stand, D double or else hit, d double or else stand, R surrender or else hit.
# Pairs of equal value (R34): P split, p split where a split hand may double, . play the total.
# fmt: off
_ALL = {
    #           2 3 4 5 6 7 8 9 T A
    "hard 4":  "H H H H H H H H H H",
    "hard 5":  "H H H H H H H H H H",
    "hard 6":  "H H H H H H H H H H",
    "hard 7":  "H H H H H H H H H H",
    "hard 8":  "H H H H H H H H H H",
    "hard 9":  "H D D D D H H H H H",
    "hard 10": "D D D D D D D D H H",
    "hard 11": "D D D D D D D D H H",
    "hard 12": "H H S S S H H H H H",
    "hard 13": "S S S S S H H H H H",
    "hard 14": "S S S S S H H H H H",
    "hard 15": "S S S S S H H H H H",
    "hard 16": "S S S S S H H R H H",
    "hard 17": "S S S S S S S S S S",
    "hard 18": "S S S S S S S S S S",
    "hard 19": "S S S S S S S S S S",
    "hard 20": "S S S S S S S S S S",
    "soft 12": "H H H H H H H H H H",
    "soft 13": "H H H D D H H H H H",
    "soft 14": "H H H D D H H H H H",
    "soft 15": "H H D D D H H H H H",
    "soft 16": "H H D D D H H H H H",
    "soft 17": "H D D D D H H H H H",
    "soft 18": "S d d d d S S H H H",
    "soft 19": "S S S S S S S S S S",
    "soft 20": "S S S S S S S S S S",
    "pair A":  "P P P P P P P P P .",
    "pair 2":  "p p P P P P . . . .",
    "pair 3":  "p p P P P P . . . .",
    "pair 4":  ". . . p p . . . . .",
    "pair 5":  ". . . . . . . . . .",
    "pair 6":  "p P P P P . . . . .",
    "pair 7":  "P P P P P P . . . .",
    "pair 8":  "P P P P P P P P . .",
    "pair 9":  "P P P P P . P P . .",
    "pair T":  ". . . . . . . . . .",
}
_ORIGINAL = _ALL | {
    #           2 3 4 5 6 7 8 9 T A
    "hard 11": "D D D D D D D D D H",
    "pair A":  "P P P P P P P P P P",
    "pair 8":  "P P P P P P P P P P",
}
# fmt: on
TABLES: Mapping[Takes, Mapping[str, str]] = {"all": _ALL, "original": _ORIGINAL}

_Cells = Mapping[tuple[str, str], str]
_CELLS: Mapping[Takes, _Cells] = {
    takes: {
        (name, upcard): word
        for name, row in rows.items()
        for upcard, word in zip(UPCARDS, row.split(), strict=True)
    }
    for takes, rows in TABLES.items()
}
_WISHES: Mapping[str, tuple[Play, ...]] = {
    "H": ("hit", "stand"),
    "S": ("stand", "hit"),
    "D": ("double", "hit", "stand"),
    "d": ("double", "stand", "hit"),
    "R": ("surrender", "hit", "stand"),
}
_ELSE: tuple[Play, ...] = ("double", "surrender", "split")


def basic(
    cards: tuple[Card, ...],
    upcard: Card,
    legal: tuple[str, ...],
    takes: Takes = "all",
    double_after_split: bool = True,
) -> Play:
    """What basic strategy does with these cards against this upcard; always one of `legal`.

    `takes` and `double_after_split` are the table's settings `dealer_blackjack_takes` (A22) and
    `double_after_split` (A9). Whether this hand may double, split or surrender now is for `legal`
    to say; insurance is never bought. Raises ValueError when none of the five plays is legal or
    the hand has fewer than two cards.
    """
    if len(cards) < 2:
        raise ValueError(f"no decision on {len(cards)} cards (R17, R35)")
    column = _rank(upcard)
    pair = value(cards[0]) == value(cards[1]) and len(cards) == 2
    if pair and "split" in legal:
        word = _CELLS[takes]["pair " + _rank(cards[0]), column]
        if word == "P" or (word == "p" and double_after_split):
            return "split"
    points, soft = total(cards)
    name = f"{'soft' if soft else 'hard'} {points}"
    # 21 and more have no row: such a hand is complete (R23, A18).
    wishes = _WISHES[_CELLS[takes].get((name, column), "S")]
    for play in (*wishes, *_ELSE):
        if play in legal:
            return play
    raise ValueError(f"no play among what is legal: {', '.join(legal) or 'nothing'}")


def _rank(card: Card) -> str:
    """The card's column or pair: every ten-valued card is T."""
    return "T" if value(card) == 10 else card.rank.value
