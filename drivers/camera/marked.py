"""The picture of `camera setup`: what the camera saw, and on it what was found, written large
enough to be read from a stool behind a table.

Card outline green, corners with an index cyan (read) or orange (found, not read), codes magenta,
glare red, the window to write white, the one in the file grey.
"""

from __future__ import annotations

import numpy as np

from drivers.camera.counting import index_place
from drivers.camera.cv import cv2
from drivers.camera.measured import Measured
from drivers.camera.measuring import Marks
from drivers.camera.sight import Image, Point, Points

_WIDE = 1280
_BURNT = 252
_GREEN, _CYAN, _ORANGE = (80, 220, 60), (255, 230, 40), (0, 150, 255)
_MAGENTA, _WHITE, _GREY, _RED = (255, 60, 255), (255, 255, 255), (150, 150, 150), (40, 40, 255)
_ARROWS: dict[str, Point] = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}
_FONT = cv2.FONT_HERSHEY_SIMPLEX

Window = tuple[int, int, int, int]


def marked(marks: Marks, m: Measured, configured: Window) -> Image:
    """The picture with its marks, at least 1280 px wide, with a strip of figures below."""
    frame = marks.frame
    scale = max(1.0, _WIDE / frame.size[0])
    # Noise on white paper is no glare: a spot is burnt out over some pixels.
    glare = np.asarray(cv2.blur(frame.grey, (5, 5)) >= _BURNT, dtype=np.uint8)
    image = _larger(frame.image, scale)
    burnt = cv2.resize(glare, image.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    image[burnt > 0] = _RED
    pen = _Pen(image, scale)
    window = window_to_write(m)
    if configured[2] and configured != window:
        pen.box(configured, _GREY, "window in the file")
    if window is not None:
        pen.box(window, _WHITE, f"window = {list(window)}", below=True)
    for region in marks.regions:
        hull = cv2.convexHull(region.outline).reshape(-1, 2)
        pen.polygon(np.asarray(hull, dtype=np.float32), _GREEN)
        for corner in region.corners:
            pen.dot(corner.at, _GREEN)
            if m.index is not None and m.index.out and m.px_per_mm:
                _cut_off(pen, index_place(corner, m.px_per_mm), frame.size)
    for look in marks.indices:
        if look.quad is None or look.why == "no_index":
            continue
        colour = _CYAN if look.face else _ORANGE
        pen.polygon(look.quad, colour)
        pen.text(_beside(look.quad), look.face or f"index {look.why}", colour)
    for code in marks.codes:
        words = f"{code.symbology} {code.text}"
        if code.module_px:
            words += f" {code.module_px:.1f} px"
        if code.quad is not None:
            pen.polygon(code.quad, _MAGENTA)
            pen.text(_beside(code.quad), words, _MAGENTA)
    if m.travel is not None:
        pen.arrow(_ARROWS[m.travel])
    return _with_strip(image, _figures(marks, m), pen.size)


def _cut_off(pen: _Pen, place: Points, size: tuple[int, int]) -> None:
    """The place of an index that is not wholly in the picture."""
    low, high = place.min(axis=0), place.max(axis=0)
    if low.min() < 0 or high[0] > size[0] or high[1] > size[1]:
        pen.polygon(np.clip(place, 2, np.array(size, np.float32) - 3), _ORANGE)
        pen.text(_beside(place), "index cut off", _ORANGE)


def window_to_write(m: Measured) -> Window | None:
    """The window, if it leaves out a tenth of the picture. Where no index is whole the camera will
    be moved, and the window with it.
    """
    if m.window is None or (m.index is not None and not m.index.corners):
        return None
    wide, high = m.size
    return m.window if m.window[2] * m.window[3] < 0.9 * wide * high else None


def _figures(marks: Marks, m: Measured) -> list[str]:
    wide, high = marks.frame.size
    first = [f"{wide} x {high}"]
    if m.px_per_mm:
        first.append(f"{m.px_per_mm:.1f} px/mm")
    if marks.edge_px is not None:
        first.append(f"edge {marks.edge_px:.1f} px")
    if m.paper is not None:
        first.append(f"paper {m.paper:.0f}")
    if m.travel is not None:
        first.append(f"travel {m.travel}")
    second = []
    if m.index is not None and m.index.high_mm is not None:
        second.append(f"index {m.index.high_mm:.1f} mm, read {m.index.read} of {m.index.found}")
    if m.code is not None and m.code.texts:
        second.append(f"code {m.code.symbology}, module {m.code.module_px:.1f} px")
    return [line for line in ("   ".join(first), "   ".join(second)) if line]


def _larger(image: Image, scale: float) -> Image:
    if scale == 1.0:
        return image.copy()
    large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, dtype=np.uint8)


def _beside(quad: Points) -> Point:
    """Where a word about it stands: right of it, at half its height."""
    return float(quad[:, 0].max()) + 4, float(quad[:, 1].mean())


def _with_strip(image: Image, rows: list[str], size: float) -> Image:
    line = round(34 * size)
    strip = np.zeros((line * len(rows) + line // 2, image.shape[1], 3), dtype=np.uint8)
    for number, row in enumerate(rows):
        at = (round(12 * size), line * (number + 1))
        cv2.putText(strip, row, at, _FONT, 0.8 * size, _WHITE, max(1, round(2 * size)), cv2.LINE_AA)
    return np.concatenate([image, strip])


class _Pen:
    """Draws in the frame's own pixels on a picture that is `scale` times as large."""

    def __init__(self, image: Image, scale: float) -> None:
        self._image = image
        self._scale = scale
        self.size = image.shape[1] / _WIDE
        self._thick = max(2, round(2.5 * self.size))

    def _at(self, point: Point) -> tuple[int, int]:
        return round(point[0] * self._scale), round(point[1] * self._scale)

    def polygon(self, points: Points, colour: tuple[int, int, int]) -> None:
        scaled = np.round(points * self._scale).astype(np.int32)
        cv2.polylines(self._image, [scaled], True, (0, 0, 0), self._thick + 2, cv2.LINE_AA)
        cv2.polylines(self._image, [scaled], True, colour, self._thick, cv2.LINE_AA)

    def dot(self, point: Point, colour: tuple[int, int, int]) -> None:
        cv2.circle(self._image, self._at(point), 3 * self._thick, colour, -1, cv2.LINE_AA)

    def box(
        self, box: Window, colour: tuple[int, int, int], words: str, *, below: bool = False
    ) -> None:
        x, y, w, h = box
        inset = self._thick / self._scale
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        middle = np.array([x + w / 2, y + h / 2], dtype=np.float32)
        points = np.array(corners, dtype=np.float32)
        self.polygon(points + np.sign(middle - points) * inset, colour)
        row = y + h - 10 / self._scale if below else y + 26 * self.size / self._scale
        self.text((x + 10, row), words, colour)

    def text(self, point: Point, words: str, colour: tuple[int, int, int]) -> None:
        """On a dark ground, within the picture."""
        size, thick = 0.75 * self.size, max(1, round(2 * self.size))
        (wide, high), _ = cv2.getTextSize(words, _FONT, size, thick)
        x, y = self._at(point)
        x = max(4, min(x, self._image.shape[1] - wide - 6))
        y = max(high + 6, min(y, self._image.shape[0] - 8))
        corner = (x - 4, y - high - 5), (x + wide + 4, y + 7)
        cv2.rectangle(self._image, *corner, (0, 0, 0), -1)
        cv2.putText(self._image, words, (x, y), _FONT, size, colour, thick, cv2.LINE_AA)

    def arrow(self, way: Point) -> None:
        """In the middle of the upper border: where cards go."""
        high, wide = self._image.shape[:2]
        long = 0.09 * wide
        middle = wide / 2, 0.09 * high
        start = round(middle[0] - way[0] * long / 2), round(middle[1] - way[1] * long / 2)
        end = round(middle[0] + way[0] * long / 2), round(middle[1] + way[1] * long / 2)
        for colour, thick in (((0, 0, 0), 4 * self._thick), (_GREEN, 2 * self._thick)):
            cv2.arrowedLine(self._image, start, end, colour, thick, cv2.LINE_AA, tipLength=0.3)
