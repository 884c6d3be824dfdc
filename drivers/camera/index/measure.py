"""What is measured on an index for the templates: its two glyphs, their proportions, their ink."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from drivers.camera.index.locate import Box, Index, glyph
from drivers.camera.index.patch import Floats, Patch
from drivers.camera.sight import Image

RANK_SIZE = (20, 28)
SUIT_SIZE = (20, 20)

Ink: TypeAlias = Literal["red", "black", "blue", "green", "grey", "unclear"]

# The order of `Glyphs.figures`.
FIGURES = (
    "rank_shape",
    "suit_shape",
    "suit_high",
    "gap",
    "aside",
    "pieces",
    "rank_red",
    "suit_red",
    "rank_blue",
    "suit_blue",
    "rank_green",
    "suit_green",
    "coloured",
    "rank_ink",
    "suit_ink",
)


@dataclass(frozen=True)
class Glyphs:
    """`rank` (28 x 20) and `suit` (20 x 20): ink 0..1 in the glyph's own box. `figures` as named by
    FIGURES: width/height of each; the suit's height, the gap between them and how far the suit's
    middle is right of the rank's, all per height of the rank; how much less of red, blue, green
    each ink takes away than of the others (0 black .. 1); whether the picture has colour; depth of
    ink.
    """

    rank: Floats
    suit: Floats
    figures: Floats

    def figure(self, name: str) -> float:
        return float(self.figures[FIGURES.index(name)])


def measure(patch: Patch, index: Index) -> Glyphs:
    rank, suit = index.rank, index.suit
    rank_glyph = glyph(patch.ink, rank, index.rank_ink, RANK_SIZE)
    suit_glyph = glyph(patch.ink, suit, index.suit_ink, SUIT_SIZE)
    rank_colours = _taken(patch, rank)
    suit_colours = _taken(patch, suit)
    pairs = [value for pair in zip(rank_colours, suit_colours, strict=True) for value in pair]
    figures = np.array(
        [
            rank.wide / rank.high,
            suit.wide / suit.high,
            suit.high / rank.high,
            (suit.y - rank.bottom) / rank.high,
            (suit.middle - rank.middle) / rank.high,
            index.pieces,
            *pairs,
            patch.coloured,
            index.rank_ink,
            index.suit_ink,
        ],
        dtype=np.float32,
    )
    return Glyphs(rank_glyph, suit_glyph, figures)


def _taken(patch: Patch, box: Box) -> tuple[float, float, float]:
    """How much less the ink of a glyph takes away of red, of blue, of green than of the other two
    channels; 0 for black, near 1 for a pure colour.
    """
    colour: Image = patch.colour[box.y : box.bottom, box.x : box.right]
    ink = patch.ink[box.y : box.bottom, box.x : box.right].astype(np.float32)
    # The middle of the strokes: at their edges, lenses and JPEG make colours of their own.
    weight = np.clip(ink - 0.7 * np.percentile(ink, 92), 0, None)
    total = float(weight.sum())
    if total <= 0:
        return 0.0, 0.0, 0.0
    dark = 200.0 - colour.astype(np.float32)
    b, g, r = (float((dark[..., i] * weight).sum()) / total for i in range(3))
    return _less(r, g, b), _less(b, g, r), _less(g, b, r)


def _less(this: float, first: float, second: float) -> float:
    others = (first + second) / 2
    return float(np.clip(1 - this / others, -1.0, 1.5)) if others > 8 else 0.0


def ink_colour(glyphs: Glyphs, which: Literal["rank", "suit"]) -> Ink:
    """The colour of a glyph's ink; `grey` where the picture has no colour to tell by."""
    if not glyphs.figure("coloured"):
        return "grey"
    red = glyphs.figure(f"{which}_red")
    blue = glyphs.figure(f"{which}_blue")
    green = glyphs.figure(f"{which}_green")
    if red > 0.42 and red > blue + 0.25 and red > green + 0.25:
        return "red"
    if max(red, blue, green) < 0.24:
        return "black"
    if blue > 0.35 and blue > red + 0.25:
        return "blue"
    if green > 0.25 and green > red + 0.15:
        return "green"
    return "unclear"
