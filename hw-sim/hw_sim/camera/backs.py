"""What is no face: backs of several patterns, cut cards, jokers' company, and the empty window."""

from __future__ import annotations

import numpy as np

from hw_sim.camera.cv import Colour, Image, Points, cv2
from hw_sim.camera.design import CARD_MM, Design, rng_of
from hw_sim.camera.glyphs import Style, write
from hw_sim.camera.shapes import Sheet, ellipse

_MARGIN = 4.0
_WIDE, _HIGH = CARD_MM
CUT_COLOURS: tuple[Colour, ...] = ((40, 205, 235), (60, 60, 220), (40, 160, 60), (35, 30, 30))


def draw_back(design: Design, px_per_mm: float) -> Image:
    """The back of a design, BGR, corners not cut."""
    sheet = Sheet(*CARD_MM, px_per_mm, design.paper)
    _PATTERNS.get(design.back, _plain)(sheet, design.paper, design.back_colour)
    return sheet.done()


def _box(left: float, top: float, right: float, bottom: float) -> Points:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _plain(sheet: Sheet, paper: Colour, ink: Colour) -> None:
    sheet.fill(_box(_MARGIN, _MARGIN, _WIDE - _MARGIN, _HIGH - _MARGIN), ink)


def _lattice(sheet: Sheet, paper: Colour, ink: Colour) -> None:
    _plain(sheet, paper, ink)
    for k in range(-16, 34):
        x = _MARGIN + k * 3.6
        for lean in (1, -1):
            end = x + lean * (_HIGH - 2 * _MARGIN) * 0.6
            line = np.array([(x, _MARGIN), (end, _HIGH - _MARGIN)])
            sheet.line(_within(line, _MARGIN, _WIDE - _MARGIN), 0.45, paper)


def _rings(sheet: Sheet, paper: Colour, ink: Colour) -> None:
    inside = _box(_MARGIN, _MARGIN, _WIDE - _MARGIN, _HIGH - _MARGIN)
    centre = np.array([_WIDE / 2, _HIGH / 2])
    for step in range(7):
        part = centre + (inside - centre) * (1 - step * 3.4 / 27.5)
        sheet.fill(part, ink if step % 2 == 0 else paper)


def _stripes(sheet: Sheet, paper: Colour, ink: Colour) -> None:
    for k in range(14):
        y = _MARGIN + k * (_HIGH - 2 * _MARGIN) / 13.5
        sheet.fill(_box(_MARGIN, y, _WIDE - _MARGIN, y + 3), ink)


def _rosettes(sheet: Sheet, paper: Colour, ink: Colour) -> None:
    _plain(sheet, paper, ink)
    for row in range(9):
        for column in range(6):
            at = (_MARGIN + 5 + column * 9.0, _MARGIN + 4.5 + row * 8.9)
            for radius, colour in ((3.4, paper), (2.3, ink), (1.0, paper)):
                sheet.fill(ellipse(*at, radius, radius), colour)


def _checks(sheet: Sheet, paper: Colour, ink: Colour) -> None:
    for row in range(20):
        for column in range(14):
            if (row + column) % 2 == 0:
                x, y = _MARGIN + column * 3.93, _MARGIN + row * 4.0
                sheet.fill(_box(x, y, x + 3.93, y + 4), ink)


_PATTERNS = {
    "lattice": _lattice,
    "rings": _rings,
    "stripes": _stripes,
    "rosettes": _rosettes,
    "checks": _checks,
}


def _within(line: Points, low: float, high: float) -> Points:
    """The part of a leaning line between two uprights."""
    (x0, y0), (x1, y1) = line
    ts = np.clip(np.array([(low - x0) / (x1 - x0), (high - x0) / (x1 - x0)]), 0, 1)
    return np.array([(x0 + t * (x1 - x0), y0 + t * (y1 - y0)) for t in sorted(ts)])


def draw_cut(colour: Colour, px_per_mm: float, *, lettered: bool = False) -> Image:
    """A cut card: plastic of one colour, perhaps with the word."""
    sheet = Sheet(*CARD_MM, px_per_mm, colour)
    if lettered:
        word = write("CUT", Style(stroke=0.2), 12.0, (18.0, 38.0))
        sheet.stroke(word.lines, word.pen, (250, 250, 250))
    return sheet.done()


def empty_window(size: tuple[int, int], px_per_mm: float, seed: int) -> Image:
    """The shoe's bed, where no card is: dark and rough, perhaps with a seam."""
    rng = rng_of("bed", seed)
    noise = np.random.default_rng(rng.randrange(1 << 30))
    width, height = size
    tone = np.array([rng.uniform(26, 60) * rng.uniform(0.85, 1.15) for _ in range(3)])
    rough = np.zeros((height, width), dtype=np.float32)
    for cell, strength in ((2.0, 5.0), (0.6, 3.0), (0.2, 2.0)):
        grid = (max(2, int(height / cell / px_per_mm)), max(2, int(width / cell / px_per_mm)))
        field = noise.standard_normal(grid).astype(np.float32) * strength
        rough += cv2.resize(field, (width, height), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.5:
        x = int(rng.uniform(0.2, 0.8) * width)
        thick = max(1, int(px_per_mm * rng.uniform(0.2, 1.2)))
        rough[:, x : x + thick] += tone.mean() * (rng.choice((0.55, 1.5)) - 1)
    bed = cv2.merge([rough + np.float32(level) for level in tone])
    return np.asarray(cv2.convertScaleAbs(cv2.max(bed, np.zeros_like(bed))), dtype=np.uint8)
