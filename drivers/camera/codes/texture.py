"""Where in a picture something like a code stands: parallel bars, or a chequered square.

From the structure tensor in cells of a few pixels: bars have strong gradients that all run one way,
over an area; the edge of a card is a line and not an area, and a face's drawing runs all ways.
It costs about a millisecond and says which way the bars run, to a degree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from drivers.camera.cv import cv2
from drivers.camera.sight import Image, Point

CELL_PX: Final = 4
# Over so many cells the texture is looked at: the widest bar of a code is four modules.
AREA_CELLS: Final = 5
# Pictures are made smaller to about this scale, where a cell is a millimetre of the card and the
# widest bar a third of an area: finer ones fall apart into their bars, coarser ones melt.
PX_PER_MM: Final = 5.0
# The width of a picture that is made no smaller, where the scale is not known.
WIDTH_PX: Final = 320
# Mean squared Sobel response (after a mean of 3 x 3) above which an area is not plain.
LEAST_ENERGY: Final = 300.0
# Of the strongest area's energy.
SHARE_OF_STRONGEST: Final = 0.05
# A card with a code on it is quiet paper for the most part.
QUIET_PERCENT: Final = 25
# How much of the gradient runs one way: of clean bars nearly 1, of a drawing about 0.3.
ONE_WAY: Final = 0.4
# How far dark-to-light and light-to-dark cancel: of bars nearly 1, of an edge 0.
ALTERNATING: Final = 0.6
# The same of the whole patch, and how much longer than high it is: a code is, a drawing seldom.
STRAIGHT: Final = 0.55
ASPECT: Final = 1.3
# How far from square a chequered patch may be.
SQUARE: Final = 0.6
LEAST_CELLS: Final = 30


@dataclass(frozen=True)
class Patch:
    """`centre` in pixels, `angle` (radians) the way across the bars, `size` its extent that way and
    along the bars. `bars` False: a chequered patch, whose `angle` is 0.
    """

    centre: Point
    angle: float
    size: tuple[float, float]
    bars: bool
    strength: float
    straight: float


def shrink_for(width: int, px_per_mm: float | None) -> int:
    """How much smaller to make a picture, by the frame's width or the card's scale if it is
    known.
    """
    wanted = width / WIDTH_PX if px_per_mm is None else px_per_mm / PX_PER_MM
    return max(1, round(wanted))


def patches(grey: Image, shrink: int, most: int = 2) -> list[Patch]:
    """The strongest first, bars before chequered ones; at most `most` of each. The picture is made
    `shrink` times smaller for it.
    """
    if min(grey.shape) < 3 * CELL_PX * shrink:
        return []
    if shrink > 1:
        size = (grey.shape[1] // shrink, grey.shape[0] // shrink)
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    cells = _cells(grey)
    # Noise has as much energy everywhere and runs no way: what the quieter areas show is taken off.
    floor = _quiet(cells.xx + cells.yy)
    energy = np.maximum(cells.xx + cells.yy - floor, 0)
    limit = max(LEAST_ENERGY, floor, SHARE_OF_STRONGEST * float(energy.max()))
    one_way = np.hypot(cells.xx - cells.yy, 2 * cells.xy) / np.maximum(energy, 1.0)
    strong = (energy > limit) & (cells.alternating > ALTERNATING)
    barred = _opened(strong & (one_way > ONE_WAY))
    chequered = _opened(strong & (one_way <= ONE_WAY))
    scale = float(CELL_PX * shrink)
    bars = [
        patch
        for patch in _components(barred, cells, floor, scale, bars=True)
        if _like_a_code(patch)
    ]
    squares = _components(chequered, cells, floor, scale, bars=False)
    squares = [patch for patch in squares if min(patch.size) >= SQUARE * max(patch.size)]
    return bars[:most] + squares[:most]


def _like_a_code(patch: Patch) -> bool:
    """Longer across its bars than along them; a thin line of a drawing is not."""
    return patch.straight >= STRAIGHT and patch.size[0] >= ASPECT * patch.size[1]


def _opened(mask: Any) -> Any:
    square = np.ones((3, 3), dtype=np.uint8)
    return cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, square)


Cells: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True)
class _Texture:
    """Means over areas, one value a cell: of the squared and mixed gradients, and how far the
    gradients cancel.
    """

    xx: Cells
    yy: Cells
    xy: Cells
    alternating: Cells


def _cells(grey: Image) -> _Texture:
    dx = cv2.Sobel(grey, cv2.CV_32F, 1, 0)
    dy = cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    size = (grey.shape[1] // CELL_PX, grey.shape[0] // CELL_PX)
    area = (AREA_CELLS, AREA_CELLS)

    def mean(values: Any) -> Cells:
        small = cv2.resize(values, size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.blur(small, area), np.float32)

    length = np.maximum(mean(cv2.magnitude(dx, dy)), 1.0)
    left_over = cv2.magnitude(mean(dx), mean(dy)) / length
    xx, yy, xy = (mean(cv2.multiply(*pair)) for pair in ((dx, dx), (dy, dy), (dx, dy)))
    return _Texture(xx, yy, xy, np.asarray(1.0 - left_over, np.float32))


def _quiet(energy: Cells) -> float:
    """The energy a quarter of the areas stay below, by a sample of them."""
    some = energy[::3, ::3].ravel()
    rank = len(some) * QUIET_PERCENT // 100
    return float(np.partition(some, rank)[rank])


def _components(mask: Any, cells: _Texture, floor: float, scale: float, bars: bool) -> list[Patch]:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    found = []
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] < LEAST_CELLS:
            continue
        rows, columns = np.nonzero(labels == label)
        xx, yy, xy = (float(part[rows, columns].sum()) for part in (cells.xx, cells.yy, cells.xy))
        angle = math.atan2(2 * xy, xx - yy) / 2 if bars else 0.0
        straight = math.hypot(xx - yy, 2 * xy) / max(xx + yy - floor * len(rows), 1.0)
        across = columns * math.cos(angle) + rows * math.sin(angle)
        along = rows * math.cos(angle) - columns * math.sin(angle)
        length = float(across.max() - across.min()) + 1
        height = float(along.max() - along.min()) + 1
        u, v = float(across.max() + across.min()) / 2, float(along.max() + along.min()) / 2
        x = u * math.cos(angle) - v * math.sin(angle)
        y = u * math.sin(angle) + v * math.cos(angle)
        centre = ((x + 0.5) * scale, (y + 0.5) * scale)
        found.append(
            Patch(centre, angle, (length * scale, height * scale), bars, xx + yy, straight)
        )
    return sorted(found, key=lambda patch: -patch.strength)


def lean(grey: Image) -> float:
    """How far from upright bars stand (radians), by all gradients of a picture of them."""
    if min(grey.shape) < 8:
        return 0.0
    # At the picture's ends no gradient along the bars is seen, which made the lean too small.
    dx = cv2.Scharr(grey, cv2.CV_32F, 1, 0)[2:-2, 2:-2]
    dy = cv2.Scharr(grey, cv2.CV_32F, 0, 1)[2:-2, 2:-2]
    xx, yy, xy = (
        float(cv2.sumElems(cv2.multiply(*pair))[0]) for pair in ((dx, dx), (dy, dy), (dx, dy))
    )
    return math.atan2(2 * xy, xx - yy) / 2
