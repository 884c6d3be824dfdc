"""What was seen of the codes and the indices on cards, counted, and the geometry that takes."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

import numpy as np

from drivers.camera.measured import Aside, CodeFigures, IndexFigures
from drivers.camera.sharpness import EdgeWidth
from drivers.camera.sight import CodeLook, Corner, IndexLook, Point, Points, Region, Symbology

# What a corner's index takes, mm along its short and its long side.
INDEX_MM = (12.0, 25.0)
# An edge counts as one across a way, or along it, if its normal is so near to it.
ALONG, ACROSS = 0.85, 0.35
TRAVEL: dict[str, Point] = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}
_MOST = 4000


@dataclass
class CodeCount:
    """The codes. `bars`: pictures with bars on a card and nothing read."""

    modules: list[float] = field(default_factory=list)
    blurs: list[float] = field(default_factory=list)
    along: list[bool] = field(default_factory=list)
    symbologies: Counter[Symbology] = field(default_factory=Counter)
    read: int = 0
    bars: int = 0

    def add(self, look: CodeLook, edges: Sequence[EdgeWidth], travel: str | None) -> None:
        """One that was read, in a picture with those edges."""
        self.symbologies[look.symbology] += 1
        self.read += 1
        if not look.module_px:
            return
        self.modules.append(look.module_px)
        if look.quad is None:
            return
        ways = _ways(look.quad)[: 1 if look.symbology == "code128" else 2]
        if travel is not None:
            self.along.append(any(abs(dot(way, TRAVEL[travel])) > 0.7 for way in ways))
        widths = [e.width for e in edges for way in ways if abs(dot(e.normal, way)) > ALONG]
        if widths:
            self.blurs.append(max(widths) / look.module_px)

    def figures(self, pictures: int) -> CodeFigures | None:
        """Of so many pictures with cards; None where there is no code."""
        if not self.read:
            # Bars now and then are a drawing's.
            if self.bars < max(3, 0.3 * pictures):
                return None
            return CodeFigures(symbology="code128", module_px=0.0, unread=self.bars)
        return CodeFigures(
            symbology=self.symbologies.most_common(1)[0][0],
            module_px=float(median(self.modules)) if self.modules else 0.0,
            blur_modules=middle(self.blurs),
            along=sum(self.along) > len(self.along) / 2,
            texts=self.read,
            unread=self.bars,
        )


@dataclass
class IndexCount:
    """The indices. Corners of a card are of two kinds, those with an index and those without, and
    lie turned by a quarter: all is counted for each (`True`: it would read from left to right or
    back). `out`: of the corner that lay best, how far its index was cut off, px, and on which side.
    """

    whole: Counter[bool] = field(default_factory=Counter)
    found: Counter[bool] = field(default_factory=Counter)
    read: int = 0
    high: deque[float] = field(default_factory=lambda: deque(maxlen=_MOST))
    out: dict[bool, tuple[float, Aside]] = field(default_factory=dict)

    def place(self, corners: Iterable[Corner], size: tuple[int, int], scale: float) -> None:
        """How far the place of an index at each corner reaches out of the picture."""
        for corner in corners:
            side, level = _out(corner, size, scale), _level(corner)
            if side is None:
                self.whole[level] += 1
            elif level not in self.out or side[0] < self.out[level][0]:
                self.out[level] = side

    def add(self, look: IndexLook) -> None:
        """One that was found."""
        self.found[_level(look.corner)] += 1
        self.read += bool(look.face)
        if look.quad is not None:
            self.high.append(float(np.hypot(*(look.quad[3] - look.quad[0]))))

    def figures(self, scale: float | None, pictures: int) -> IndexFigures:
        """At so many px a mm, of so many pictures with cards."""
        found = sum(self.found.values())
        # Something like an index now and then is a drawing's.
        if not self.read and found < max(3, 0.1 * pictures):
            found = 0
        high = middle(self.high) if found else None
        corners, out = sum(self.whole.values()), None
        if found:
            corners = max(found, sum(self.whole[level] for level in self.found))
        else:
            cut = [side for level, side in self.out.items() if not self.whole[level]]
            corners, out = (0, min(cut)) if cut else (corners, None)
        return IndexFigures(
            corners=corners,
            found=found,
            read=self.read,
            high_px=high,
            high_mm=high / scale if high is not None and scale else None,
            out_mm=out[0] / scale if out is not None and scale else None,
            out=out[1] if out is not None else "",
        )


def middle(values: Sequence[float] | deque[float]) -> float | None:
    """The middle one, None of none."""
    return float(median(values)) if values else None


def dot(one: Point, other: Point) -> float:
    """Their scalar product."""
    return one[0] * other[0] + one[1] * other[1]


def _ways(quad: Points) -> tuple[Point, Point]:
    """Unit vectors along a symbol's two sides: across its bars, and along them."""
    across = quad[1] + quad[2] - quad[0] - quad[3]
    down = quad[2] + quad[3] - quad[0] - quad[1]
    return _unit(across), _unit(down)


def _unit(step: Points) -> Point:
    length = float(np.hypot(*step)) or 1.0
    return float(step[0]) / length, float(step[1]) / length


def _level(corner: Corner) -> bool:
    return abs(corner.x_axis[0]) > abs(corner.x_axis[1])


def lean_of(corner: Corner) -> float:
    """Degrees that a card's edge is off the picture's."""
    x, y = corner.x_axis
    return math.degrees(min(math.atan2(abs(y), abs(x)), math.atan2(abs(x), abs(y))))


def index_place(corner: Corner, scale: float) -> Points:
    """Where an index at that corner would be (4 x 2), at so many px a mm."""
    wide, high = INDEX_MM[0] * scale, INDEX_MM[1] * scale
    (x, y), (ux, uy), (vx, vy) = corner.at, corner.x_axis, corner.y_axis
    right, down = (x + ux * wide, y + uy * wide), (vx * high, vy * high)
    return np.array(
        [(x, y), right, (right[0] + down[0], right[1] + down[1]), (x + down[0], y + down[1])],
        dtype=np.float32,
    )


def _out(corner: Corner, size: tuple[int, int], scale: float) -> tuple[float, Aside] | None:
    """How many px of an index at that corner lie outside the picture, and on which side; None if
    none do.
    """
    place = index_place(corner, scale)
    (left, top), (right, bottom) = place.min(axis=0).tolist(), place.max(axis=0).tolist()
    sides: tuple[tuple[float, Aside], ...] = (
        (-left, "left"),
        (right - size[0], "right"),
        (-top, "up"),
        (bottom - size[1], "down"),
    )
    worst = max(sides)
    return worst if worst[0] > 2 else None


def turned(region: Region, width: int) -> Region:
    """The same thing on the picture turned left to right."""

    def at(point: Point) -> Point:
        return width - 1 - point[0], point[1]

    corners = tuple(
        Corner(
            at(one.at),
            (-one.y_axis[0], one.y_axis[1]),
            (-one.x_axis[0], one.x_axis[1]),
            one.y_seen,
            one.x_seen,
            one.rounding,
        )
        for one in region.corners
    )
    outline = region.outline.copy()
    outline[:, 0] = width - 1 - outline[:, 0]
    x, y, w, h = region.box
    return Region(
        region.kind,
        outline,
        corners,
        region.touches,
        region.px_per_mm,
        region.paper,
        (width - x - w, y, w, h),
        region.spread,
        region.share,
    )
