"""What stands in the window: paper and other things, their edges and corners, from one frame.

Worked out on a small copy of the frame (320 px wide): edges are fitted over many pixels, so that
their place is known to about one pixel of the whole frame all the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from drivers.camera.cv import cv2
from drivers.camera.edges import Edge, corners_of, edges_of, scale_of, seams_of
from drivers.camera.sight import Figures, Frame, Image, Points, Region, Scene, Side

_WIDTH = 320
# Two classes of light are told apart only if they lie this far from each other (grey levels).
_APART = 28.0
_PAPER_LEAST = 60
_AREA_LEAST = 0.004
_STRANGE = 34
_LINE = 26
_THINGS = 4
# Paper is white: its least channel is no less than this share of its most, whatever the lamp.
_WHITE = 0.6
_GLARE = 252
_LEARN = 0.1


@dataclass
class SceneFinder:
    """Finds what stands in frames of one camera. It learns the empty window from the frames of
    which the caller says that they are empty (`learn`); without that it sees paper only.
    """

    _empty: Image | None = field(default=None, init=False)

    def find(self, frame: Frame) -> Scene:
        """Everything in the window larger than four thousandths of the picture."""
        small, scale = _small(frame.image)
        light = _darkest(small)
        figures = _figures(small)
        level = _paper_level(light)
        regions: list[Region] = []
        if level is not None:
            paper = _parted(light, level)
            regions += self._regions(frame, small, paper, scale, paper=True)
        strange = self._strange(small, regions, scale)
        if strange is not None:
            regions += self._regions(frame, small, strange, scale, paper=False)
        return Scene(frame, tuple(regions), figures)

    def learn(self, frame: Frame) -> None:
        """This frame shows the empty window."""
        small = cv2.blur(_small(frame.image)[0], (5, 5))
        if self._empty is None or self._empty.shape != small.shape:
            self._empty = np.asarray(small, dtype=np.uint8)
        else:
            mixed = cv2.addWeighted(self._empty, 1 - _LEARN, small, _LEARN, 0)
            self._empty = np.asarray(mixed, dtype=np.uint8)

    def forget(self) -> None:
        """The camera has been moved or opened anew: the empty window is not known."""
        self._empty = None

    def _strange(self, small: Image, known: list[Region], scale: float) -> Image | None:
        """Where the window differs from the empty one, the paper found already left out."""
        if self._empty is None or self._empty.shape != small.shape:
            return None
        difference = _brightest(cv2.absdiff(cv2.blur(small, (5, 5)), self._empty))
        mask = np.asarray(difference > _STRANGE, dtype=np.uint8)
        for region in known:
            hull = cv2.convexHull(region.outline / scale).astype(np.int32)
            cv2.fillConvexPoly(mask, hull, 0)
            cv2.polylines(mask, [hull], True, 0, 7)
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)))

    def _regions(
        self, frame: Frame, small: Image, mask: Image, scale: float, *, paper: bool
    ) -> list[Region]:
        height, width = mask.shape
        outlines = _outlines(mask)
        if _cut_at_seams(mask, outlines):
            outlines = _outlines(mask)
        regions = []
        for outline in outlines:
            edges = edges_of(outline, (width, height))
            regions.append(self._region(frame, small, mask, outline, edges, scale, paper))
        return regions

    def _region(
        self,
        frame: Frame,
        small: Image,
        mask: Image,
        outline: Points,
        edges: tuple[Edge, ...],
        scale: float,
        paper: bool,
    ) -> Region:
        height, width = mask.shape
        x, y, w, h = cv2.boundingRect(outline)
        box = (x, y, w, h)
        straight = sum(edge.length for edge in edges) >= 0.12 * min(width, height)
        colour = _paper_colour(small, mask, box)
        white = min(colour) >= _WHITE * max(colour)
        kind = ("card" if paper and white else "dark") if straight else "other"
        whole = tuple(edge.times(scale) for edge in edges)
        full = np.asarray((outline + 0.5) * scale, dtype=np.float32)
        bounds = (int(box[0] * scale), int(box[1] * scale))
        size = (int(np.ceil(box[2] * scale)), int(np.ceil(box[3] * scale)))
        corners = corners_of(whole, full) if kind != "other" else ()
        return Region(
            kind=kind,  # type: ignore[arg-type]
            outline=full,
            corners=corners,
            touches=_touches(outline, width, height),
            px_per_mm=scale_of(corners, full),
            paper=colour,
            box=(*bounds, *size),
        )


def _small(image: Image) -> tuple[Image, float]:
    scale = image.shape[1] / _WIDTH
    if scale <= 1:
        return image, 1.0
    size = (_WIDTH, max(1, round(image.shape[0] / scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), scale


def _parted(light: Image, level: int) -> Image:
    """Where there is paper. Two cards that lie close show a thin dark line between them, which the
    camera's blur has made too light for the level: it parts them all the same.
    """
    paper = np.asarray(light > level, dtype=np.uint8)
    smooth = cv2.blur(light, (3, 3))
    line = cv2.morphologyEx(smooth, cv2.MORPH_BLACKHAT, np.ones((9, 9), np.uint8))
    paper[line > _LINE] = 0
    return paper


def _outlines(mask: Image) -> list[Points]:
    """The outlines of the largest things (each n x 2), those left out that lie inside another one:
    they are print.
    """
    height, width = mask.shape
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    sized = [(cv2.contourArea(one), np.asarray(one, dtype=np.float32)) for one in found]
    large = [pair for pair in sized if pair[0] >= _AREA_LEAST * width * height]
    kept: list[Points] = []
    for _, contour in sorted(large, key=lambda pair: pair[0], reverse=True):
        outline = contour.reshape(-1, 2)
        points = outline[:: max(1, len(outline) // 40)]
        hulls = [cv2.convexHull(one) for one in kept]
        inside = [
            sum(cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in points)
            for hull in hulls
        ]
        if all(count < 0.7 * len(points) for count in inside):
            kept.append(outline)
        if len(kept) == _THINGS:
            break
    return kept


def _cut_at_seams(mask: Image, outlines: list[Points]) -> bool:
    """Part cards that lie edge to edge. True if there are such."""
    height, width = mask.shape
    seams = [seam for outline in outlines for seam in seams_of(outline, (width, height))]
    for at, inward in seams:
        end = at[0] + inward[0] * 2 * width, at[1] + inward[1] * 2 * width
        cv2.line(mask, (round(at[0]), round(at[1])), (round(end[0]), round(end[1])), 0, 2)
    return bool(seams)


def _darkest(image: Image) -> Image:
    """The least of a pixel's three channels: paper is bright in all of them, ink and skin not."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.min(cv2.min(blue, green), red), dtype=np.uint8)


def _brightest(image: npt.NDArray[Any]) -> Image:
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def _paper_level(light: Image) -> int | None:
    """The grey level above which there is paper, None when the picture is of one kind."""
    blurred = cv2.blur(light, (3, 3))
    level, mask = cv2.threshold(blurred, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    above = mask > 0
    share = float(above.mean())
    if share in (0.0, 1.0):
        return None
    bright, dark = float(light[above].mean()), float(light[~above].mean())
    if bright - dark < _APART or bright < _PAPER_LEAST:
        return None
    return int(max(level, (bright + dark) / 2 - 6))


def _figures(small: Image) -> Figures:
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    mean, spread = cv2.meanStdDev(grey)
    glare = float((grey >= _GLARE).mean())
    return Figures(float(mean[0, 0]), float(spread[0, 0]), glare)


def _touches(outline: Points, width: int, height: int) -> frozenset[Side]:
    sides: set[Side] = set()
    left, top = outline.min(axis=0)
    right, bottom = outline.max(axis=0)
    if left <= 1:
        sides.add("left")
    if top <= 1:
        sides.add("top")
    if right >= width - 2:
        sides.add("right")
    if bottom >= height - 2:
        sides.add("bottom")
    return frozenset(sides)


def _paper_colour(
    small: Image, mask: Image, box: tuple[int, int, int, int]
) -> tuple[float, float, float]:
    x, y, w, h = box
    step = max(1, w * h // 4000)
    inside = small[y : y + h, x : x + w][mask[y : y + h, x : x + w] > 0][::step]
    if len(inside) == 0:
        return (255.0, 255.0, 255.0)
    darkest = np.minimum(np.minimum(inside[:, 0], inside[:, 1]), inside[:, 2])
    order = np.sort(darkest)
    bright = inside[darkest >= order[int(0.4 * len(order))]]
    blue, green, red = np.median(bright, axis=0)
    return float(blue), float(green), float(red)
