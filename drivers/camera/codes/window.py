"""Pieces cut out of a frame, turned upright, and the way back from their pixels to the frame's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from drivers.camera.cv import cv2
from drivers.camera.sight import Image, Point, Points, Region

Affine: TypeAlias = npt.NDArray[np.float64]

# Below this a decoder's own search copes, and turning the picture costs more than it brings.
UPRIGHT_DEGREES: Final = 8.0
# Of paper around a window: zxing-cpp reads no Data Matrix that touches the picture's end.
PAD_PX: Final = 8
# Below this a piece is cut out as it stands: over its length the bars lean by less than a module.
STRAIGHT_DEGREES: Final = 1.0


@dataclass(frozen=True)
class Window:
    """`grey` is a piece of the frame, height x width; `back` (2 x 3) takes its pixels to the
    frame's.
    """

    grey: Image
    back: Affine

    @cached_property
    def paper(self) -> float:
        """How light the lightest tenth is, by a sample of it: mostly the card's paper."""
        some = self.grey[::7, ::7].ravel()
        rank = len(some) * 9 // 10
        return float(np.partition(some, rank)[rank]) if len(some) else 255.0

    def padded(self, side: int = PAD_PX) -> Window:
        """With a frame of paper: a symbol at the picture's end has a quiet zone again. One that is
        cut off there lacks its stop or its corner and stays unread.
        """
        around = (side, side, side, side)
        grey = cv2.copyMakeBorder(
            self.grey, *around, borderType=cv2.BORDER_CONSTANT, value=self.paper
        )
        here = np.array([[1.0, 0.0, -side], [0.0, 1.0, -side]])
        return Window(np.asarray(grey, dtype=np.uint8), chained(self.back, here))

    def to_frame(self, points: Points) -> Points:
        """Points (n x 2) of the piece as points of the frame."""
        moved = points.astype(np.float64) @ self.back[:, :2].T + self.back[:, 2]
        return moved.astype(np.float32)

    def piece(
        self, centre: Point, angle: float, size: tuple[float, float], scale: float = 1.0
    ) -> Window:
        """The part around `centre` whose x axis runs at `angle` (radians) in this window; `size` is
        its width and height in this window's pixels, `scale` how much larger it is drawn.
        """
        if scale == 1.0 and abs(math.degrees(angle)) < STRAIGHT_DEGREES:
            return self.cut(centre, size)
        width = max(8, round(size[0] * scale))
        height = max(8, round(size[1] * scale))
        cos, sin = math.cos(angle) / scale, math.sin(angle) / scale
        turn = np.array([[cos, -sin], [sin, cos]])
        middle = np.array([(width - 1) / 2, (height - 1) / 2])
        here = np.column_stack([turn, np.array(centre) - turn @ middle])
        # Linear: cubic rings at the sharp edges of bars, and zbar takes the rings for bars.
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        drawn = cv2.warpAffine(
            self.grey,
            here,
            (width, height),
            flags=flags,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=self.paper,
        )
        return Window(np.asarray(drawn, dtype=np.uint8), chained(self.back, here))

    def cut(self, centre: Point, size: tuple[float, float]) -> Window:
        """The part around `centre` as it stands, as far as it lies within this window."""
        high, wide = self.grey.shape
        left = min(max(0, round(centre[0] - size[0] / 2)), wide)
        top = min(max(0, round(centre[1] - size[1] / 2)), high)
        right = max(left, min(wide, round(centre[0] + size[0] / 2)))
        bottom = max(top, min(high, round(centre[1] + size[1] / 2)))
        here = np.array([[1.0, 0.0, left], [0.0, 1.0, top]])
        return Window(self.grey[top:bottom, left:right], chained(self.back, here))


def chained(outer: Affine, inner: Affine) -> Affine:
    """First `inner`, then `outer`."""
    linear = outer[:, :2] @ inner[:, :2]
    offset = outer[:, :2] @ inner[:, 2] + outer[:, 2]
    return np.column_stack([linear, offset])


def whole(grey: Image) -> Window:
    """The frame itself."""
    return Window(grey, np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))


def of_region(grey: Image, region: Region) -> Window:
    """The region's box and a little around it, with a frame of paper."""
    x, y, width, height = region.box
    left, top = max(0, x - PAD_PX), max(0, y - PAD_PX)
    right = min(grey.shape[1], x + width + PAD_PX)
    bottom = min(grey.shape[0], y + height + PAD_PX)
    here = np.array([[1.0, 0.0, left], [0.0, 1.0, top]])
    cut = Window(grey[top:bottom, left:right], here)
    return cut.padded() if cut.grey.size else cut


def upright(window: Window, region: Region) -> Window:
    """The window turned by the card's edges, if they are askew by more than `UPRIGHT_DEGREES`."""
    angle = card_angle(region)
    if angle is None or abs(math.degrees(angle)) < UPRIGHT_DEGREES:
        return window
    high, wide = window.grey.shape
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    size = (wide * cos + high * sin, wide * sin + high * cos)
    return window.piece(((wide - 1) / 2, (high - 1) / 2), angle, size)


def card_angle(region: Region) -> float | None:
    """How far the card's edges are from the picture's, radians in (-45, 45] degrees; None where no
    straight edge is seen. By the axes of its corners, else by the longest edge of its outline.
    """
    # Edges at right angles to each other are one direction: their angles are added fourfold.
    x = y = 0.0
    for corner in region.corners:
        for axis, seen in ((corner.x_axis, corner.x_seen), (corner.y_axis, corner.y_seen)):
            fourfold = 4 * math.atan2(axis[1], axis[0])
            x += seen * math.cos(fourfold)
            y += seen * math.sin(fourfold)
    if math.hypot(x, y) > 0:
        return math.atan2(y, x) / 4
    return _longest_edge(region)


def _longest_edge(region: Region) -> float | None:
    if len(region.outline) < 2:
        return None
    outline = region.outline.reshape(-1, 1, 2).astype(np.float32)
    corners = cv2.approxPolyDP(outline, 0.01 * cv2.arcLength(outline, True), True).reshape(-1, 2)
    _left, _top, width, height = region.box
    edges = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        # The side of the picture is no edge of the card, but as straight.
        along = np.abs(end - start)
        if min(along) < 1.5 and region.touches:
            continue
        edges.append((float(np.hypot(*along)), float(math.atan2(*(end - start)[::-1]))))
    if not edges or max(edges)[0] < 0.2 * max(width, height):
        return None
    fourfold = 4 * max(edges)[1]
    return math.atan2(math.sin(fourfold), math.cos(fourfold)) / 4
