"""Court figures and jokers: simple figures of our own, no artwork of any printed deck.

The upper half is drawn; the lower is the upper one turned.
"""

from __future__ import annotations

import random

import numpy as np

from hw_sim.camera.cv import Colour, Points
from hw_sim.camera.design import Design, rng_of
from hw_sim.camera.glyphs import Style, write
from hw_sim.camera.shapes import Sheet, bezier, ellipse, suit

_SKIN: Colour = (205, 222, 245)
_GOLD: Colour = (60, 195, 240)
_INK: Colour = (30, 25, 25)
_COATS: tuple[Colour, ...] = ((150, 60, 30), (40, 30, 190), (60, 120, 40), (30, 30, 40))


def _poly(*points: tuple[float, float]) -> Points:
    return np.asarray(points, dtype=np.float64)


def court(sheet: Sheet, design: Design, rank: str, letter: str) -> None:
    """The upper half of a jack, queen or king."""
    rng = rng_of("court", design.name, rank, letter)
    coat, sash = rng.sample(_COATS, 2)
    x, _, wide, _ = write(rank, design.rank, design.rank_mm, design.index_at).box
    left, top = max(13.5, x + wide + 1.0), 10.0
    right = 63.0 - left
    if design.frame:
        sheet.line(_poly((left, 44), (left, top), (right, top), (right, 44)), 0.35, (150, 70, 40))
    if design.court == "busy":
        _cloth(sheet, rng, (left, top, right, 44.5))
    lean = rng.uniform(-1.5, 1.5)
    x = 31.5 + lean
    sheet.fill(_poly((left + 0.5, 44.5), (x - 9, 31), (x + 9, 31), (right - 0.5, 44.5)), coat)
    for step in range(rng.randint(3, 5)):
        y = 33.0 + step * 2.6
        reach = 8.0 + step * 2.0
        bar = _poly((x - reach, y), (x + reach, y), (x + reach + 1, y + 1), (x - reach - 1, y + 1))
        sheet.fill(bar, _GOLD if step % 2 else sash)
    sheet.fill(_poly((x - 4.5, 44.5), (x, 31), (x + 4.5, 44.5)), sash)
    for dot in range(3):
        sheet.fill(ellipse(x, 35.0 + 3.2 * dot, 0.8, 0.8), _GOLD)
    _head(sheet, rank, x, rng.random() < 0.5)
    _arm(sheet, rank, x, rng.choice((-1, 1)))
    size = design.pip_mm * 0.72
    pip = tuple(
        part * size + (left + 1.2 + size / 2, top + 1.5 + size / 2)
        for part in suit(letter, design.plump)
    )
    sheet.fill(pip, design.colours[letter])


def _cloth(sheet: Sheet, rng: random.Random, box: tuple[float, float, float, float]) -> None:
    """The whole frame filled with a pattern, as crowded as printed court cards are."""
    left, top, right, bottom = box
    first, second, third = rng.sample((*_COATS, _GOLD, (235, 225, 215)), 3)
    sheet.fill(_poly((left, top), (right, top), (right, bottom), (left, bottom)), first)
    step = rng.uniform(2.6, 4.2)
    for row in range(int((bottom - top) / step)):
        for column in range(int((right - left) / step)):
            x, y = left + (column + 0.5) * step, top + (row + 0.5) * step
            r = step * (0.42 if (row + column) % 2 else 0.3)
            sheet.fill(ellipse(x, y, r, r), second if (row + column) % 2 else third)
            sheet.fill(ellipse(x, y, r * 0.4, r * 0.4), first)


def _head(sheet: Sheet, rank: str, x: float, looks_left: bool) -> None:
    hair: Colour = (70, 190, 235) if rank == "Q" else (90, 110, 130)
    if rank != "K":
        sheet.fill(ellipse(x, 25.5, 6.6, 7.4), hair)
    sheet.fill(ellipse(x, 24.8, 4.8, 6.2), _SKIN)
    sheet.line(ellipse(x, 24.8, 4.8, 6.2), 0.3, _INK, closed=True)
    side = -1 if looks_left else 1
    for eye in (-1.7, 1.9):
        sheet.fill(ellipse(x + side * eye, 23.6, 0.7, 0.45), _INK)
    sheet.line(_poly((x + side * 0.2, 23.8), (x + side * 1.0, 26.2), (x, 26.4)), 0.25, _INK)
    sheet.line(bezier((x - 1.4, 28.2), (x, 28.9), (x + 1.4, 28.2)), 0.35, (50, 40, 180))
    if rank == "K":
        beard = np.vstack(
            [ellipse(x, 27.2, 4.7, 5.6, 10, 170), ellipse(x, 27.0, 2.6, 1.6, 170, 10)]
        )
        sheet.fill(beard, hair)
    points = {"K": 5, "Q": 7, "J": 0}[rank]
    if points:
        xs = np.linspace(x - 5.5, x + 5.5, 2 * points - 1)
        crown = [(float(px), 13.0 if i % 2 == 0 else 16.6) for i, px in enumerate(xs)]
        sheet.fill(_poly((x - 5.2, 19.6), *crown, (x + 5.2, 19.6)), _GOLD)
        sheet.line(_poly((x - 5.2, 19.6), *crown, (x + 5.2, 19.6)), 0.3, _INK, closed=True)
    else:
        sheet.fill(
            _poly((x - 6.5, 19.5), (x - 5.0, 15.0), (x + 5.5, 14.2), (x + 6.8, 19.5)), (40, 30, 180)
        )
        sheet.line(bezier((x + 4, 16), (x + 9, 10), (x + 12, 15)), 0.9, (60, 160, 60))


def _arm(sheet: Sheet, rank: str, x: float, side: int) -> None:
    """A hand with what it holds."""
    hand = (x + side * 11.5, 32.0)
    if rank == "K":
        blade = _poly(
            (hand[0] - 0.9, 13),
            (hand[0], 11),
            (hand[0] + 0.9, 13),
            (hand[0] + 0.9, 31),
            (hand[0] - 0.9, 31),
        )
        sheet.fill(blade, (215, 205, 195))
        sheet.line(blade, 0.25, _INK, closed=True)
    elif rank == "Q":
        for petal in range(5):
            a = petal * 2 * np.pi / 5
            sheet.fill(
                ellipse(hand[0] + 1.7 * np.cos(a), 26.0 + 1.7 * np.sin(a), 1.3, 1.3), (70, 60, 215)
            )
        sheet.fill(ellipse(hand[0], 26.0, 1.1, 1.1), _GOLD)
        sheet.line(_poly((hand[0], 27.5), hand), 0.5, (60, 130, 40))
    else:
        sheet.line(_poly((hand[0] + 1.0, 14.0), (hand[0] - 0.6, 42.0)), 0.9, (50, 90, 140))
        sheet.fill(
            _poly((hand[0] - 0.6, 15), (hand[0] + 2.8, 15), (hand[0] + 1.1, 10.6)), (200, 190, 180)
        )
    sheet.fill(ellipse(*hand, 2.1, 1.7), _SKIN)
    sheet.line(ellipse(*hand, 2.1, 1.7), 0.25, _INK, closed=True)


def joker(sheet: Sheet, design: Design) -> None:
    """A joker: the word down both edges, and a cap with bells."""
    rng = rng_of("joker", design.name)
    colour = design.colours[rng.choice("SH")]
    style = Style(width=0.62, stroke=0.15, other=design.rank.other)
    for row, character in enumerate("JOKER"):
        letter = write(character, style, 4.4, (design.index_at[0], design.index_at[1] + 5.4 * row))
        sheet.stroke(letter.lines, letter.pen, colour)
        turned = [np.array((63.0, 88.0)) - line for line in letter.lines]
        sheet.stroke(turned, letter.pen, colour)
    if design.frame:
        sheet.line(_poly((13, 10), (50, 10), (50, 78), (13, 78)), 0.35, _INK, closed=True)
    for tip, part in (
        ((18.0, 30.0), (40, 30, 190)),
        ((31.5, 18.0), _GOLD),
        ((45.0, 30.0), (150, 60, 30)),
    ):
        sheet.fill(_poly((24.0, 40.0), tip, (39.0, 40.0)), part)
        sheet.fill(ellipse(*tip, 2.2, 2.2), _GOLD)
        sheet.line(ellipse(*tip, 2.2, 2.2), 0.3, _INK, closed=True)
    sheet.fill(ellipse(31.5, 46.0, 7.5, 9.0), _SKIN)
    sheet.line(ellipse(31.5, 46.0, 7.5, 9.0), 0.3, _INK, closed=True)
    for eye in (-2.6, 2.6):
        sheet.fill(ellipse(31.5 + eye, 44.0, 1.0, 0.8), _INK)
    sheet.line(bezier((27.0, 49.0), (31.5, 54.0), (36.0, 49.0)), 0.5, (40, 30, 180))
    sheet.fill(_poly((20, 70), (31.5, 54), (43, 70)), (60, 120, 40))
