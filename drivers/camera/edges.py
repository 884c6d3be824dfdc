"""Straight edges of an outline, the corners they make, and the scale they tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from drivers.camera.cv import cv2
from drivers.camera.sight import CARD_MM, Corner, Point, Points

# An edge shorter than this share of the picture's shorter side is no card's edge.
_SHORTEST = 0.07
_BORDER = 2.5
_OFF_LINE = 1.2
_NOTCH = 3.0
_BULGE = 0.1
# Every so-manieth pixel of an outline is enough to tell on which side of a line it lies.
_EACH = 3
_SEAM = 0.14
_RIGHT_ANGLE = 0.42
_PARALLEL = 0.14
# A card's corner is rounded by 3-4 mm: its edges end so far from where they would meet, as a share
# of the edge or of the whole thing.
_ROUNDING = 0.14
_GAP = 0.06


@dataclass(frozen=True)
class Edge:
    """A straight edge from `a` to `b`, the thing lying to its right (y down: outlines run so that
    the inside is at a known side). `inward` is the unit normal into the thing.
    """

    a: Point
    b: Point
    inward: Point

    @property
    def length(self) -> float:
        """From end to end, px."""
        return float(np.hypot(self.b[0] - self.a[0], self.b[1] - self.a[1]))

    @property
    def along(self) -> Point:
        """Unit vector from a to b."""
        return (self.b[0] - self.a[0]) / self.length, (self.b[1] - self.a[1]) / self.length

    def times(self, scale: float) -> Edge:
        """The same edge on a picture so many times as large."""
        a = (self.a[0] + 0.5) * scale, (self.a[1] + 0.5) * scale
        return Edge(a, ((self.b[0] + 0.5) * scale, (self.b[1] + 0.5) * scale), self.inward)


@dataclass(frozen=True)
class Outline:
    """The contour of one piece of a thing (n x 2, every pixel, in order) on a picture of a size."""

    points: Points
    size: tuple[int, int]

    @cached_property
    def straight(self) -> tuple[Edge, ...]:
        """Its straight parts that are not the picture's border, the longest first."""
        return tuple(_straight(self.points, self.size))

    @cached_property
    def hull(self) -> Points:
        """Its convex hull."""
        return _vector(cv2.convexHull(self.points.reshape(-1, 1, 2)))


def edges_of(outlines: Sequence[Outline]) -> tuple[Edge, ...]:
    """The straight edges of a thing that has those outlines."""
    if len(outlines) == 1:
        return tuple(_joined(outlines[0].straight))
    whole = _vector(np.concatenate([one.points[::_EACH] for one in outlines]))
    middle = _vector(whole.mean(axis=0))
    found = [_turned(edge, middle) for one in outlines for edge in one.straight]
    return tuple(_joined([edge for edge in found if _outermost(edge, whole)]))


def seams_of(outline: Outline) -> tuple[tuple[Point, Point], ...]:
    """Where two cards lie edge to edge: a notch in one straight edge, as two rounded corners make
    it. Each as the bottom of the notch and the unit vector into the thing.
    """
    shorter = min(outline.size)
    found = []
    for first, second in combinations(outline.straight, 2):
        if max(_distance(first, second.a), _distance(first, second.b)) > 3.0:
            continue
        if first.inward[0] * second.inward[0] + first.inward[1] * second.inward[1] < 0.995:
            continue
        ends = [(a, b) for a in (first.a, first.b) for b in (second.a, second.b)]
        a, b = min(ends, key=lambda pair: _apart(*pair))
        gap = _apart(a, b)
        if not 2.0 < gap < _SEAM * shorter:
            continue
        between = _between(outline.points, a, b)
        if len(between) == 0:
            continue
        depth = (between - np.asarray(first.a)) @ np.asarray(first.inward)
        deepest = int(depth.argmax())
        if 1.3 < float(depth[deepest]) < 0.8 * gap:
            found.append((_point(between[deepest]), first.inward))
    return tuple(found)


def _between(outline: Points, a: Point, b: Point) -> Points:
    """The outline's pixels over the gap from a to b."""
    along = np.array([b[0] - a[0], b[1] - a[1]], dtype=np.float32)
    length = float(np.hypot(*along))
    offset = outline - np.asarray(a, dtype=np.float32)
    at = offset @ (along / length)
    off = np.abs(offset @ np.array([-along[1], along[0]]) / length)
    return _vector(outline[(at > 0) & (at < length) & (off < length)])


def _straight(outline: Points, size: tuple[int, int]) -> list[Edge]:
    width, height = size
    shortest = _SHORTEST * min(width, height)
    polygon = cv2.approxPolyDP(outline.reshape(-1, 1, 2), 1.8, True).reshape(-1, 2)
    places = {(x, y): place for place, (x, y) in enumerate(outline.tolist())}
    middle, thin = _inside(outline), outline[::_EACH]
    corners = polygon.tolist()
    found: list[Edge] = []
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        length = np.hypot(end[0] - start[0], end[1] - start[1])
        if length < shortest or _on_border(start, end, width, height):
            continue
        chord = _turned(_chord(start, end), middle)
        if not _outermost(chord, thin):
            continue
        first, last = places[start[0], start[1]], places[end[0], end[1]]
        points = _run(outline, first, last)
        fitted = _fit(points, chord)
        if fitted is not None and fitted.length >= shortest:
            found.append(fitted)
    return sorted(found, key=lambda edge: -edge.length)


def _outermost(edge: Edge, whole: Points) -> bool:
    """What the print or a finger cuts into the outline is no edge of the card: much of the outline
    lies beyond it. A little may: glare at the edge bulges out.
    """
    beyond = (whole - np.asarray(edge.a, np.float32)) @ np.asarray(edge.inward, np.float32)
    return bool(np.count_nonzero(beyond < -_NOTCH) <= _BULGE * len(whole))


def _chord(start: Sequence[float], end: Sequence[float]) -> Edge:
    x, y = end[0] - start[0], end[1] - start[1]
    length = float(np.hypot(x, y))
    return Edge((start[0], start[1]), (end[0], end[1]), (-y / length, x / length))


def _turned(edge: Edge, middle: Points) -> Edge:
    """The edge with its normal towards the middle of the thing."""
    x, y = edge.inward
    over = (middle[0] - edge.a[0]) * x + (middle[1] - edge.a[1]) * y
    return edge if over >= 0 else Edge(edge.a, edge.b, (-x, -y))


def _run(outline: Points, start: int, end: int) -> Points:
    """The outline's pixels from one place to another, round the end if it must be."""
    if start <= end:
        return outline[start : end + 1]
    return _vector(np.concatenate([outline[start:], outline[: end + 1]]))


def _inside(outline: Points) -> Points:
    moments = cv2.moments(outline.reshape(-1, 1, 2))
    if moments["m00"] == 0:
        return np.asarray(outline.mean(axis=0), dtype=np.float32)
    centre = (moments["m10"] / moments["m00"], moments["m01"] / moments["m00"])
    return np.asarray(centre, dtype=np.float32)


def _on_border(a: Sequence[float], b: Sequence[float], width: int, height: int) -> bool:
    for axis, most in ((0, width - 1), (1, height - 1)):
        low, high = min(a[axis], b[axis]), max(a[axis], b[axis])
        if high <= _BORDER or low >= most - _BORDER:
            return True
    return False


def _fit(points: Points, chord: Edge) -> Edge | None:
    """A line through the outline's pixels over a chord, ends left out."""
    cut = max(1, int(0.06 * len(points)))
    inner = points[cut:-cut]
    if len(inner) < 6:
        return None
    vx, vy, x0, y0 = cv2.fitLine(inner, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
    ax, ay = chord.along
    if vx * ax + vy * ay < 0:
        vx, vy = -vx, -vy
    off = np.abs((inner[:, 0] - x0) * -vy + (inner[:, 1] - y0) * vx)
    if float(np.partition(off, place := int(0.8 * len(off)))[place]) > _OFF_LINE:
        return None

    def on_line(point: Point) -> Point:
        at = (point[0] - x0) * vx + (point[1] - y0) * vy
        return x0 + vx * at, y0 + vy * at

    x, y = chord.inward
    inward = (-vy, vx) if -vy * x + vx * y > 0 else (vy, -vx)
    return Edge(on_line(chord.a), on_line(chord.b), inward)


def _vector(point: npt.ArrayLike) -> Points:
    return np.asarray(point, dtype=np.float32)


def _point(vector: Points) -> Point:
    return float(vector[0]), float(vector[1])


def _joined(edges: Sequence[Edge]) -> list[Edge]:
    """Pieces of one line (an edge with a finger over its middle) made one edge."""
    kept: list[Edge] = []
    for edge in sorted(edges, key=lambda one: -one.length):
        for index, other in enumerate(kept):
            off = _distance(other, edge.a), _distance(other, edge.b)
            same_side = edge.inward[0] * other.inward[0] + edge.inward[1] * other.inward[1] > 0.97
            if same_side and max(off) < 3.0:
                kept[index] = _over(other, edge)
                break
        else:
            kept.append(edge)
    return kept


def _distance(edge: Edge, point: Point) -> float:
    return abs((point[0] - edge.a[0]) * edge.inward[0] + (point[1] - edge.a[1]) * edge.inward[1])


def _over(edge: Edge, other: Edge) -> Edge:
    ax, ay = edge.along

    def at(point: Point) -> float:
        return (point[0] - edge.a[0]) * ax + (point[1] - edge.a[1]) * ay

    reach = [at(point) for point in (edge.a, edge.b, other.a, other.b)]
    low, high = min(reach), max(reach)
    a = edge.a[0] + ax * low, edge.a[1] + ay * low
    b = edge.a[0] + ax * high, edge.a[1] + ay * high
    return Edge(a, b, edge.inward)


def corners_of(edges: tuple[Edge, ...], outline: Points) -> tuple[Corner, ...]:
    """The corners at which two edges of one card meet."""
    found = (_corner(first, second, outline) for first, second in combinations(edges, 2))
    return tuple(corner for corner in found if corner is not None)


def _corner(first: Edge, second: Edge, outline: Points) -> Corner | None:
    u, v = first.along, second.along
    if abs(u[0] * v[0] + u[1] * v[1]) > _RIGHT_ANGLE:
        return None
    cross = u[0] * v[1] - u[1] * v[0]
    dx, dy = second.a[0] - first.a[0], second.a[1] - first.a[1]
    t = (dx * v[1] - dy * v[0]) / cross
    at = first.a[0] + u[0] * t, first.a[1] + u[1] * t
    arms = []
    for edge, other in ((first, second), (second, first)):
        near, far = sorted((edge.a, edge.b), key=lambda p: _apart(p, at))
        reach = _apart(far, at)
        axis = (far[0] - at[0]) / reach, (far[1] - at[1]) / reach
        # The ends must lie near the corner, and the arm must run into the card.
        if _apart(near, at) > max(_ROUNDING * reach, _GAP * _across(outline)):
            return None
        if axis[0] * other.inward[0] + axis[1] * other.inward[1] < 0.8:
            return None
        arms.append((axis, reach))
    (u, u_seen), (v, v_seen) = arms
    if u[0] * v[1] - u[1] * v[0] < 0:
        (u, u_seen), (v, v_seen) = (v, v_seen), (u, u_seen)
    away = np.hypot(outline[:, 0] - at[0], outline[:, 1] - at[1])
    return Corner((float(at[0]), float(at[1])), u, v, u_seen, v_seen, float(away.min()))


def _apart(a: Point, b: Point) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def _across(outline: Points) -> float:
    return float(np.hypot(*(outline.max(axis=0) - outline.min(axis=0))))


def scale_of(corners: tuple[Corner, ...], outline: Points) -> float | None:
    """Pixels per millimetre, from two rounded corners at the ends of one edge of a card; None if
    there are none or they do not tell.

    Which side of the card the edge is, is known from how far the card is seen to run beside it (at
    most as far as the other side is long) and from the corners' roundness, which is about the same
    on all cards. A sharp corner is none of a card: the window's frame cuts it off there.
    """
    found = []
    for first, second in combinations(corners, 2):
        length = _apart(first.at, second.at)
        along = (second.at[0] - first.at[0]) / length, (second.at[1] - first.at[1]) / length
        facing = (_facing(first, along), _facing(second, (-along[0], -along[1])))
        rounding = min(first.rounding, second.rounding)
        if None in facing or rounding < 0.008 * length or rounding < 1.5:
            continue
        across = outline @ np.asarray([-along[1], along[0]], dtype=np.float32)
        extent = float(across.max() - across.min())
        side = _side(length, extent, (first.rounding + second.rounding) / 2)
        if side is not None:
            found.append(length / side)
    return float(np.median(found)) if found else None


def _facing(corner: Corner, along: Point) -> Point | None:
    for axis in (corner.x_axis, corner.y_axis):
        if axis[0] * along[0] + axis[1] * along[1] > 0.985:
            return axis
    return None


def _side(length: float, extent: float, rounding: float) -> float | None:
    """Which side of a card (mm) an edge of that length is, None if it is none."""
    short, long = CARD_MM
    # A corner passes its edges' meeting point at 0.41 of its radius, which is about 3.2 mm.
    as_short, as_long = rounding / length * short / 0.41, rounding / length * long / 0.41
    if extent > 1.12 * length:
        return short if extent < 1.6 * length and 1.5 < as_short < 6 else None
    if 2.8 < as_short < 5:
        return short
    return long if as_short < 2.5 and as_long > 2 else None
