"""Outlines of the suits and the pen that draws all shapes, in millimetres of the card.

A `Sheet` is drawn twice as fine as it is handed out, so that edges are smooth. Outlines stand
in a box from -0.5 to 0.5 both ways, y down.
"""

from __future__ import annotations

import functools

import numpy as np

from hw_sim.camera.cv import Colour, Image, Points, cv2

FINER = 2
_SHIFT = 4


def bezier(*points: tuple[float, float], steps: int = 14) -> Points:
    """A curve of that many control points (two to four), ends included."""
    control = np.asarray(points, dtype=np.float64)[:, None, :]
    t = np.linspace(0.0, 1.0, steps)[:, None]
    while len(control) > 1:
        control = control[:-1] * (1 - t) + control[1:] * t
    return np.asarray(control[0])


def ellipse(
    cx: float, cy: float, rx: float, ry: float, start: float = 0, end: float = 360
) -> Points:
    """Part of an ellipse, clockwise from `start` to `end` degrees, 0 at the right."""
    a = np.radians(np.linspace(start, end, max(8, int(abs(end - start) / 8))))
    return np.stack([cx + rx * np.cos(a), cy + ry * np.sin(a)], axis=1)


def turned(points: Points, degrees: float) -> Points:
    """Turned about the origin, clockwise on the picture."""
    a = np.radians(degrees)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return np.asarray(points @ turn)


def _mirrored(half: Points) -> Points:
    """A right half from top to bottom, and its mirror image."""
    return np.vstack([half, half[::-1] * (-1, 1)])


@functools.lru_cache(maxsize=64)
def suit(letter: str, plump: float = 0.5) -> tuple[Points, ...]:
    """The outlines of a suit S, H, D or C. `plump` 0 to 1: from slim and straight to round."""
    match letter:
        case "H":
            return (_heart(plump),)
        case "S":
            return (_heart(plump) * (1, -1) * (1, 0.86) + (0, -0.07), _stem(plump))
        case "D":
            return (_diamond(plump),)
        case "C":
            return _club(plump)
    raise ValueError(f"suit {letter!r}: S, H, D or C")


def _heart(plump: float) -> Points:
    side = 0.44 + 0.08 * plump
    upper = bezier((0, -0.26), (0.06, -0.56), (side + 0.02, -0.62), (side, -0.2))
    lower = bezier((side, -0.2), (side - 0.02, 0.04), (0.22 - 0.1 * (1 - plump), 0.2), (0, 0.5))
    return _mirrored(np.vstack([upper, lower]))


def _stem(plump: float) -> Points:
    foot = 0.17 + 0.07 * plump
    return _mirrored(bezier((0.02, 0.05), (0.05, 0.38), (foot * 0.8, 0.46), (foot, 0.5)))


def _diamond(plump: float) -> Points:
    width, bow = 0.36 + 0.07 * plump, 0.5 - 0.1 * plump
    right = bezier((0, -0.5), (width * bow, -0.5 * (1 - bow)), (width, 0))
    back = bezier((width, 0), (width * bow, 0.5 * (1 - bow)), (0, 0.5))
    return _mirrored(np.vstack([right, back]))


def _club(plump: float) -> tuple[Points, ...]:
    r = 0.215 + 0.02 * plump
    leaves = [ellipse(x, y, r, r) for x, y in ((0, -0.5 + r), (-0.27, 0.06), (0.27, 0.06))]
    middle = ellipse(0, -0.02, 0.13, 0.16)
    return (*leaves, middle, _stem(plump))


class Sheet:
    """Something to draw on, `width` x `height` millimetres at `px_per_mm`."""

    def __init__(self, width: float, height: float, px_per_mm: float, colour: Colour) -> None:
        self.size = (round(width * px_per_mm), round(height * px_per_mm))
        self._scale = np.array([self.size[0] / width, self.size[1] / height]) * FINER
        self._fine = np.empty((self.size[1] * FINER, self.size[0] * FINER, 3), dtype=np.uint8)
        cv2.rectangle(self._fine, (0, 0), self._fine.shape[1::-1], colour, cv2.FILLED)

    def fill(self, outlines: tuple[Points, ...] | Points, colour: Colour) -> None:
        """Fill each outline by itself, so that parts may overlap."""
        for outline in outlines if isinstance(outlines, tuple) else (outlines,):
            cv2.fillPoly(self._fine, [self._fixed(outline)], colour, cv2.LINE_AA, _SHIFT)

    def line(self, points: Points, width_mm: float, colour: Colour, closed: bool = False) -> None:
        """A line of that width with round ends."""
        thick = max(1, round(width_mm * self._scale[0]))
        cv2.polylines(self._fine, [self._fixed(points)], closed, colour, thick, cv2.LINE_AA, _SHIFT)

    def stroke(
        self, lines: list[Points], pen: tuple[float, float], colour: Colour, square: bool = False
    ) -> None:
        """Lines of a pen so many mm wide and high: a broad pen makes thick and thin strokes."""
        every = np.vstack(lines)
        left, top = np.floor((every.min(axis=0) - pen) * self._scale).astype(int)
        right, bottom = np.ceil((every.max(axis=0) + pen) * self._scale).astype(int) + 1
        left, top = max(0, left), max(0, top)
        part = self._fine[top:bottom, left:right]
        if not part.size:
            return
        mask = np.zeros(part.shape[:2], dtype=np.uint8)
        for points in lines:
            moved = self._fixed(points - np.array([left, top]) / self._scale)
            cv2.polylines(mask, [moved], False, 255, 1, cv2.LINE_8, _SHIFT)
        size = (max(1, round(pen[0] * self._scale[0])), max(1, round(pen[1] * self._scale[1])))
        shape = cv2.MORPH_RECT if square else cv2.MORPH_ELLIPSE
        part[cv2.dilate(mask, cv2.getStructuringElement(shape, size)) > 0] = colour

    def mirror_ends(self) -> None:
        """The lower half becomes the upper one turned by 180 degrees, as on court cards."""
        half = self._fine.shape[0] // 2
        self._fine[-half:] = self._fine[:half][::-1, ::-1]

    def done(self) -> Image:
        """What was drawn, BGR."""
        small = cv2.resize(self._fine, self.size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8)

    def _fixed(self, points: Points) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
        fixed = np.round((points * self._scale - 0.5) * (1 << _SHIFT))
        return np.asarray(fixed, dtype=np.int32)
