"""A card's corner as a camera would see it, with the truth of what is on it.

The artwork is drawn flat around the card's corner (`art`), covered by what may cover it, and then
seen (`view`): turned, blurred, lit, tinted, noisy, compressed. `harsh` 0..1 scales all of that;
up to 2: several troubles at once, in pictures of which nobody should read much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drivers.camera.sight import Corner, Frame
from scripts.train_index import decks, view
from scripts.train_index.art import ART, EDGE, Art


@dataclass
class Sample:
    """`rank`, `suit` are -1 for none; `boxes` where its two glyphs are on the artwork and how
    that lies in the frame, `hidden` the share of the index's ink that is covered (of the glyph
    worse off), `odd_rank`, `odd_suit`: what stands there is no rank, no suit.
    """

    frame: Frame
    corner: Corner
    hint: float
    rank: int
    suit: int
    joker: bool
    kind: str
    boxes: tuple | None
    hidden: float
    harsh: float
    mono: bool
    px_per_mm: float
    odd_rank: bool = False
    odd_suit: bool = False


def sample(
    rng: np.random.Generator,
    deck: decks.Deck,
    bank,
    harsh: float,
    kind: str,
    face: tuple[int, int] | None = None,
) -> Sample:
    """One corner. `kind` is `index`, `covered`, or the name of one of Art's ways to have none;
    `face` the numbers of rank and suit, by chance if not given.
    """
    rank, suit = face if face else (int(rng.integers(13)), int(rng.integers(4)))
    art = Art(rng, deck, bank)
    glyphs: list[np.ndarray] = []
    if kind in ("index", "covered"):
        glyphs = art.index(rank, suit)
        art.beside(rank, suit)
    else:
        getattr(art, kind)(rank, suit)
    hidden = 0.0
    if kind == "covered":
        hidden = art.covered(glyphs)
    elif rng.random() < 0.06:
        hidden = art.finger(glyphs, far=True)
    frame, corner, hint, to_art, mono, scale = view.seen(rng, art.image, harsh)
    return Sample(
        frame=frame,
        corner=corner,
        hint=hint,
        rank=rank if glyphs else -1,
        suit=suit if glyphs else -1,
        joker=kind == "joker",
        kind=kind,
        boxes=([_box(glyph) for glyph in glyphs], to_art) if glyphs else None,
        hidden=hidden,
        harsh=harsh,
        mono=mono,
        px_per_mm=scale,
        odd_rank=art.odd_rank,
        odd_suit=art.odd_suit,
    )


def _box(glyph: np.ndarray) -> np.ndarray:
    """Top left and bottom right of a glyph, px of the artwork."""
    rows, columns = np.flatnonzero(glyph.max(axis=1) > 127), np.flatnonzero(glyph.max(axis=0) > 127)
    return np.array([[columns[0], rows[0]], [columns[-1] + 1, rows[-1] + 1]], float)


def to_frame_points(points: np.ndarray, seen) -> np.ndarray:
    """Points of the artwork (px) as points of the frame."""
    turn, scale, at = seen
    return (points - EDGE * ART) @ (turn.T * (scale / ART)) + at
