"""Faces drawn from a design: indices, pips, court figures, jokers; and the places they stand at."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from hw_sim.camera.court import court, joker
from hw_sim.camera.cv import Image, Points, cv2
from hw_sim.camera.design import CARD_MM, Design
from hw_sim.camera.glyphs import write
from hw_sim.camera.shapes import Sheet, ellipse, suit
from hw_sim.codes import RANKS, SUITS

# Rows in shares of the space between the first and the last, columns -1, 0, 1.
_LEFT_RIGHT = ((-1, 0.0), (1, 0.0), (-1, 1.0), (1, 1.0))
_SIDES = ((-1, 0.5), (1, 0.5))
_THIRDS = ((-1, 1 / 3), (1, 1 / 3), (-1, 2 / 3), (1, 2 / 3))
PIPS: dict[str, tuple[tuple[int, float], ...]] = {
    "A": ((0, 0.5),),
    "2": ((0, 0.0), (0, 1.0)),
    "3": ((0, 0.0), (0, 0.5), (0, 1.0)),
    "4": _LEFT_RIGHT,
    "5": (*_LEFT_RIGHT, (0, 0.5)),
    "6": (*_LEFT_RIGHT, *_SIDES),
    "7": (*_LEFT_RIGHT, *_SIDES, (0, 0.25)),
    "8": (*_LEFT_RIGHT, *_SIDES, (0, 0.25), (0, 0.75)),
    "9": (*_LEFT_RIGHT, *_THIRDS, (0, 0.5)),
    "T": (*_LEFT_RIGHT, *_THIRDS, (0, 1 / 6), (0, 5 / 6)),
}
FACES = tuple(rank + letter for letter in SUITS for rank in RANKS)

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Index:
    """Where rank and suit of the upper left index stand: x, y, width, height in mm."""

    rank: Box
    suit: Box


@functools.lru_cache(maxsize=1024)
def index_of(design: Design, face: str) -> Index:
    """Where the index of a face stands; the other is this one turned by 180 degrees."""
    written = write(_shown(face[0]), design.rank, design.rank_mm, design.index_at)
    x, y, width, height = written.box
    side = design.suit_mm
    middle = max(x + width / 2, design.index_at[0] * 0.7 + side / 2)
    return Index(written.box, (middle - side / 2, y + height + design.gap_mm, side, side))


def _shown(rank: str) -> str:
    return "10" if rank == "T" else rank


def draw_face(design: Design, face: str, px_per_mm: float) -> Image:
    """A face such as `KH`, BGR, 63 x 88 mm; `JOKER` is one too. Corners are not cut."""
    sheet = Sheet(*CARD_MM, px_per_mm, design.paper)
    if face == "JOKER":
        joker(sheet, design)
        return sheet.done()
    rank, letter = face[0], face[1]
    colour = design.colours[letter]
    if rank in PIPS and design.pips == "standard":
        _pips(sheet, design, rank, letter)
    elif rank in PIPS or design.court == "none":
        _place(sheet, design, letter, (31.5, 44.0), design.pip_mm, up=True)
    elif design.court == "letter":
        big = write(rank, design.rank, 26.0, (31.5 - 26.0 * design.rank.width / 2, 31.0))
        sheet.stroke(big.lines, big.pen, colour, design.rank.square)
    else:
        court(sheet, design, rank, letter)
        sheet.mirror_ends()
    return _indexed(sheet, design, face)


def _indexed(sheet: Sheet, design: Design, face: str) -> Image:
    """The sheet with both its indices."""
    colour = design.colours[face[1]]
    written = write(_shown(face[0]), design.rank, design.rank_mm, design.index_at)
    where = index_of(design, face).suit
    middle = (where[0] + where[2] / 2, where[1] + where[3] / 2)
    for turned in (False, True):
        lines = [_other_end(line) if turned else line for line in written.lines]
        sheet.stroke(lines, written.pen, colour, design.rank.square)
        at = tuple(_other_end(np.array(middle))) if turned else middle
        _place(sheet, design, face[1], (at[0], at[1]), design.suit_mm, up=not turned)
    return sheet.done()


def _other_end(points: Points) -> Points:
    return np.asarray(np.array(CARD_MM) - points)


def _place(
    sheet: Sheet, design: Design, letter: str, at: tuple[float, float], size: float, *, up: bool
) -> None:
    scale = size if up else -size
    outlines = tuple(part * scale + at for part in suit(letter, design.plump))
    sheet.fill(outlines, design.colours[letter])


def _pips(sheet: Sheet, design: Design, rank: str, letter: str) -> None:
    size = design.pip_mm * (1.9 if rank == "A" else 1.0)
    first = 10.0 + size / 2
    for column, row in PIPS[rank]:
        y = first + row * (CARD_MM[1] - 2 * first)
        x = 31.5 + column * design.columns_mm / 2
        _place(sheet, design, letter, (x, y), size, up=row <= 0.5)


@functools.lru_cache(maxsize=16)
def outline_mask(px_per_mm: float, corner_mm: float) -> Image:
    """255 where a card is, 0 outside its rounded corners."""
    sheet = Sheet(*CARD_MM, px_per_mm, (0, 0, 0))
    width, height = CARD_MM
    r = corner_mm
    arcs = [
        ellipse(width - r, r, r, r, -90, 0),
        ellipse(width - r, height - r, r, r, 0, 90),
        ellipse(r, height - r, r, r, 90, 180),
        ellipse(r, r, r, r, 180, 270),
    ]
    sheet.fill(np.vstack(arcs), (255, 255, 255))
    return np.ascontiguousarray(sheet.done()[:, :, 0])


def cut_out(picture: Image, px_per_mm: float, corner_mm: float) -> Image:
    """BGRA, premultiplied, with the card's rounded corners and edge."""
    mask = outline_mask(px_per_mm, corner_mm)
    edge = np.minimum(mask, 255)
    inked = [cv2.multiply(channel, edge, scale=1 / 255) for channel in cv2.split(picture)]
    return np.asarray(cv2.merge([*inked, mask]), dtype=np.uint8)
