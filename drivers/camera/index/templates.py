"""The first recogniser: templates, of many styles as they come with the product, or of one deck."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from drivers.camera.cv import cv2
from drivers.camera.index.deck import Deck
from drivers.camera.index.measure import FIGURES, Glyphs, ink_colour
from drivers.camera.index.network import RANKS, SUITS, ModelError
from drivers.camera.index.patch import Floats
from drivers.camera.index.stencils import NOTHING, Match, Space, Stencils
from drivers.camera.sight import Image

STORED = Path(__file__).parent.parent / "models" / "index.npz"
_FORMAT = 1

# Which suits an ink may print. Decks of four colours have green or blue clubs, blue diamonds.
_INKS = {
    "red": "HD",
    "black": "SC",
    "blue": "DC",
    "green": "CS",
    "grey": SUITS,
    "unclear": "",
}

# How much wider or narrower than its deck's a glyph may be, how much larger or smaller its suit.
_SHAPE_OFF = 0.24
_SIZE_OFF = 0.24
_PLACE_OFF = 0.16


# A ten narrower than this (width per height) is a ten with one figure covered, and a suit that far
# right of its rank's middle (per height of the rank) stands under a rank whose right is covered.
_TEN_LEAST = 0.38
_ASIDE_MOST = 0.26


@dataclass(frozen=True)
class Limits:
    """What a glyph must score at least, and by how much it must beat every other label; and how far
    a suit must be like its mirror image: all four are, unless something covers a part of one.
    """

    rank_score: float = 0.55
    rank_margin: float = 0.14
    suit_score: float = 0.62
    suit_margin: float = 0.14
    mirror: float = 0.80


@dataclass(frozen=True)
class Verdict:
    """What the templates make of an index: `face` "" if nothing, `why_not` in words for the
    technician; the matches it rests on; `score` 0..1, the less clear of the two glyphs.
    """

    face: str
    why_not: str
    rank: Match
    suit: Match
    score: float


class Templates:
    """Templates with their limits; of a deck, also its proportions."""

    def __init__(self, ranks: Stencils, suits: Stencils, limits: Limits, deck: Deck | None) -> None:
        self._ranks, self._suits = ranks, suits
        self._limits = limits
        self._deck = deck

    def verdict(self, glyphs: Glyphs) -> Verdict:
        rank, suit = self._ranks.match(glyphs.rank), self._suits.match(glyphs.suit)
        why_not = self._why_not(glyphs, rank, suit)
        face = "" if why_not else rank.label + suit.label
        return Verdict(face, why_not, rank, suit, max(0.0, min(rank.score, suit.score)))

    def _why_not(self, glyphs: Glyphs, rank: Match, suit: Match) -> str:
        limits = self._limits
        if rank.label == NOTHING or rank.score < limits.rank_score:
            return f"rank unlike any ({rank.label} {rank.score:.2f})"
        if suit.label == NOTHING or suit.score < limits.suit_score:
            return f"suit unlike any ({suit.label} {suit.score:.2f})"
        if rank.margin < limits.rank_margin:
            return f"rank not clear ({rank.label} by {rank.margin:.2f})"
        if suit.margin < limits.suit_margin:
            return f"suit not clear ({suit.label} by {suit.margin:.2f})"
        if mirrored(glyphs.suit) < limits.mirror:
            return "suit lopsided"
        if rank.label == "T" and glyphs.figure("rank_shape") < _TEN_LEAST:
            return "too narrow for a ten"
        if glyphs.figure("aside") > _ASIDE_MOST:
            return "rank left of its suit"
        for which in ("rank", "suit"):
            ink = ink_colour(glyphs, "rank" if which == "rank" else "suit")
            if suit.label not in _INKS[ink]:
                return f"{which} printed {ink}"
        return self._proportions(glyphs, rank.label, suit.label) if self._deck else ""

    def _proportions(self, glyphs: Glyphs, rank: str, suit: str) -> str:
        """Whether the index is as broad, as high and as far apart as this deck prints it."""
        deck = self._deck
        assert deck is not None
        of_rank = deck.rank_figures[RANKS.index(rank)]
        of_suit = deck.suit_figures[SUITS.index(suit)]
        ratios = (
            ("rank_shape", of_rank, _SHAPE_OFF),
            ("suit_shape", of_suit, _SHAPE_OFF),
            ("suit_high", of_suit, _SIZE_OFF),
        )
        for name, usual, most in ratios:
            expected = max(float(usual[FIGURES.index(name)]), 0.01)
            if abs(np.log(max(glyphs.figure(name), 0.01) / expected)) > most:
                return f"{name} {glyphs.figure(name):.2f}, not {expected:.2f}"
        for name, usual in (("gap", of_suit), ("aside", of_rank)):
            expected = float(usual[FIGURES.index(name)])
            if abs(glyphs.figure(name) - expected) > _PLACE_OFF:
                return f"{name} {glyphs.figure(name):.2f}, not {expected:.2f}"
        return ""


def mirrored(glyph: Floats) -> float:
    """How like a glyph is to its mirror image, -1..1."""
    flat = glyph - glyph.mean()
    length = float((flat * flat).sum())
    return float((flat * flat[:, ::-1]).sum()) / length if length > 1e-6 else 0.0


@dataclass(frozen=True)
class Stored:
    """What the file of templates holds: stencils of many styles, and the spaces of both kinds."""

    ranks: Stencils
    suits: Stencils


def read_stored(path: Path = STORED) -> Stored:
    """The templates that come with the product. Raises ModelError."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            if int(file["format"]) != _FORMAT:
                raise ModelError(f"{path}: format {file['format']}, this release reads {_FORMAT}")
            ranks, suits = (
                Stencils(
                    Space(_floats(file[f"{kind}_mean"]), _floats(file[f"{kind}_axes"])),
                    _floats(file[f"{kind}_vectors"]),
                    tuple(str(label) for label in file[f"{kind}_labels"]),
                )
                for kind in ("rank", "suit")
            )
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path}: the templates cannot be read: {error}") from error
    return Stored(ranks, suits)


def _floats(array: npt.NDArray[np.generic]) -> Floats:
    return np.asarray(array, dtype=np.float32)


def stored_templates(limits: Limits | None = None, path: Path = STORED) -> Templates:
    """Those of many styles."""
    stored = read_stored(path)
    return Templates(stored.ranks, stored.suits, limits or Limits(), None)


def deck_templates(deck: Deck, path: Path = STORED) -> Templates:
    """Those of a table's own deck, with the limits found when it was checked."""
    stored = read_stored(path)
    ranks = of_deck(stored.ranks, deck.rank_glyphs, deck.rank_labels)
    suits = of_deck(stored.suits, deck.suit_glyphs, deck.suit_labels)
    limits = Limits(rank_score=deck.rank_least, suit_score=deck.suit_least)
    return Templates(ranks, suits, limits, deck)


def of_deck(stored: Stencils, glyphs: Image, labels: str) -> Stencils:
    """Stencils of a deck's glyphs (n x height x width, 0-255) as they are and as motion and defocus
    would blur them, and those stored of what is none.
    """
    space = stored.space
    places, names = [], []
    for label, glyph in zip(labels, glyphs, strict=True):
        for shape in _blurred(np.asarray(glyph / 255, dtype=np.float32)):
            places.append(space.of(shape))
            names.append(label)
    nothing = stored.of(NOTHING)
    vectors = np.concatenate([np.asarray(places, dtype=np.float32), nothing])
    return Stencils(space, vectors, (*names, *[NOTHING] * len(nothing)))


def _blurred(glyph: Floats) -> tuple[Floats, ...]:
    ways = (
        cv2.blur(glyph, (4, 1), borderType=cv2.BORDER_CONSTANT),
        cv2.blur(glyph, (1, 4), borderType=cv2.BORDER_CONSTANT),
        cv2.GaussianBlur(glyph, (0, 0), 1.1, borderType=cv2.BORDER_CONSTANT),
    )
    return (glyph, *(np.asarray(way, dtype=np.float32) for way in ways))
