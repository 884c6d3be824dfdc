"""How sharp a picture is, told by the edges of the card in it: paper ends there within nothing, so
whatever the step is wide, lens, movement and sensor have made of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from drivers.camera.cv import cv2
from drivers.camera.sight import Corner, Image, Point, Region

Rows: TypeAlias = npt.NDArray[np.float32]

# Samples across an edge: half a pixel apart, so many to each side.
_STEP = 0.5
_REACH_PX = 16.0
_REACH_MM = 1.9
_LEAST_REACH = 6.0
# Pieces of the edge, each the mean of so many pixels along it.
_PIECES, _ALONG = 9, 7
_LEAST_ARM = 40.0
# A step of fewer grey levels is no edge between paper and background.
_LEAST_STEP = 45.0


@dataclass(frozen=True)
class EdgeWidth:
    """One edge of a card. `normal`: unit vector across it, into the card; `width`: px over which
    it rises from 10 to 90 % of its step.
    """

    normal: Point
    width: float


def edge_widths(grey: Image, region: Region, px_per_mm: float | None) -> tuple[EdgeWidth, ...]:
    """Of each edge that is seen at a corner of the card, as far as it stands clear."""
    found = []
    for corner in region.corners:
        for along, into, seen in (
            (corner.x_axis, corner.y_axis, corner.x_seen),
            (corner.y_axis, corner.x_axis, corner.y_seen),
        ):
            one = _edge(grey, corner, (along, into, seen), px_per_mm)
            if one is not None:
                found.append(one)
    return tuple(found)


def _edge(
    grey: Image, corner: Corner, arm: tuple[Point, Point, float], px_per_mm: float | None
) -> EdgeWidth | None:
    (ax, ay), into, seen = arm
    if seen < _LEAST_ARM:
        return None
    normal = (-ay, ax) if -ay * into[0] + ax * into[1] > 0 else (ay, -ax)
    reach = min(_REACH_PX, _REACH_MM * px_per_mm if px_per_mm else _REACH_PX)
    reach = max(_LEAST_REACH, reach)
    across = np.arange(-reach, reach + _STEP, _STEP, dtype=np.float32)
    rows = []
    for share in np.linspace(0.25, 0.9, _PIECES):
        steps = share * seen + np.arange(_ALONG, dtype=np.float32)[:, None] - _ALONG / 2
        x = corner.at[0] + ax * steps + normal[0] * across
        y = corner.at[1] + ay * steps + normal[1] * across
        if x.min() < 1 or y.min() < 1 or x.max() > grey.shape[1] - 2 or y.max() > grey.shape[0] - 2:
            continue
        cut = cv2.remap(
            grey, x.astype(np.float32), y.astype(np.float32), interpolation=cv2.INTER_LINEAR
        )
        rows.append(cut.astype(np.float32).mean(axis=0))
    widths = [width for width in (_width(row) for row in rows) if width is not None]
    if len(widths) < max(2, len(rows) // 2):
        return None
    return EdgeWidth(normal, float(np.median(widths)))


def _width(row: Rows) -> float | None:
    """10-90 % of one rise, px; None where it is no clear step from dark to light."""
    fifth = max(2, len(row) // 5)
    dark, light = float(np.median(row[:fifth])), float(np.median(row[-fifth:]))
    if light - dark < _LEAST_STEP:
        return None
    level = (row - dark) / (light - dark)
    middle = _crossing(level, 0.5, range(len(level) - 1))
    if middle is None:
        return None
    start = int(middle)
    low = _crossing(level, 0.1, range(start, -1, -1))
    high = _crossing(level, 0.9, range(start, len(level) - 1))
    if low is None or high is None:
        return None
    return (high - low) * _STEP


def _crossing(level: Rows, wanted: float, order: range) -> float | None:
    """Where it passes `wanted` upwards, the first in that order, between two samples."""
    for index in order:
        below, above = float(level[index]), float(level[index + 1])
        if below <= wanted < above:
            return index + (wanted - below) / (above - below)
    return None
