"""What is no face: backs of several patterns, cut cards, jokers' company, and the empty window."""

from __future__ import annotations

import numpy as np

from hw_sim.camera.cv import Colour, Image, cv2
from hw_sim.camera.design import CARD_MM, Design, rng_of
from hw_sim.camera.glyphs import Style, write
from hw_sim.camera.shapes import Sheet, ellipse

BACKS = ("lattice", "rings", "stripes", "rosettes", "checks", "plain")
CUT_COLOURS: tuple[Colour, ...] = ((40, 205, 235), (60, 60, 220), (40, 160, 60), (35, 30, 30))


def draw_back(design: Design, px_per_mm: float) -> Image:
    """The back of a design, BGR, corners not cut."""
    width, height = CARD_MM
    paper, ink = design.paper, design.back_colour
    sheet = Sheet(width, height, px_per_mm, paper)
    margin = 4.0
    inside = np.array(
        [
            (margin, margin),
            (width - margin, margin),
            (width - margin, height - margin),
            (margin, height - margin),
        ]
    )
    match design.back:
        case "lattice":
            sheet.fill(inside, ink)
            for k in range(-16, 34):
                x = margin + k * 3.6
                for lean in (1, -1):
                    line = np.array(
                        [(x, margin), (x + lean * (height - 2 * margin) * 0.6, height - margin)]
                    )
                    sheet.line(_within(line, margin, width - margin), 0.45, paper)
        case "rings":
            for step in range(7):
                grow = step * 3.4
                centre = np.array([width / 2, height / 2])
                part = centre + (inside - centre) * (1 - grow / 27.5)
                sheet.fill(part, ink if step % 2 == 0 else paper)
        case "stripes":
            for k in range(14):
                y = margin + k * (height - 2 * margin) / 13.5
                sheet.fill(
                    inside * (1, 0) + np.array([(0, y), (0, y), (0, y + 3), (0, y + 3)]), ink
                )
        case "rosettes":
            sheet.fill(inside, ink)
            for row in range(9):
                for column in range(6):
                    at = (margin + 5 + column * 9.0, margin + 4.5 + row * 8.9)
                    sheet.fill(ellipse(*at, 3.4, 3.4), paper)
                    sheet.fill(ellipse(*at, 2.3, 2.3), ink)
                    sheet.fill(ellipse(*at, 1.0, 1.0), paper)
        case "checks":
            for row in range(20):
                for column in range(14):
                    if (row + column) % 2 == 0:
                        x, y = margin + column * 3.93, margin + row * 4.0
                        sheet.fill(
                            np.array([(x, y), (x + 3.93, y), (x + 3.93, y + 4), (x, y + 4)]), ink
                        )
        case _:
            sheet.fill(inside, ink)
    return sheet.done()


def _within(line: np.ndarray, low: float, high: float) -> np.ndarray:
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
