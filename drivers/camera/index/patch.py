"""The part of the picture where a corner's index would be, laid straight and its paper made white.

A patch is `WIDE_MM` x `HIGH_MM` at `SCALE` px a mm; the card's corner lies `OUT_MM` from its top
and left, so that a corner found a little too far inside cuts nothing off. Its millimetres are as
good as the scale it was cut out with, which may be off by a third: what reads a patch goes by the
ink, not by the ruler.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from drivers.camera.cv import cv2
from drivers.camera.sight import Corner, Frame, Image, Points

OUT_MM = 2.0
WIDE_MM = 18.0
HIGH_MM = 38.0
SCALE = 6.0
WIDE = round(WIDE_MM * SCALE)
HIGH = round(HIGH_MM * SCALE)

# A frame as fine as this (px a mm) is cut out at twice the scale and then halved, or its noise and
# the stair-steps of its edges would come along.
_FINE = 12.0

# The paper around a glyph is found on a picture this much smaller, with a brush wider than a
# glyph's parts; and it never strays further than this from the paper of the whole patch, or a
# finger would be taken for paper in shadow.
_SHRINK = 4
_BRUSH_MM = 7.0
_PAPER_RANGE = (0.70, 1.18)

# Darker paper than this tells no print from no light.
_LEAST_PAPER = 24.0

# A grey picture's channels differ by no more than this, which compression may add.
_GREY = 6

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Patch:
    """`colour`: HIGH x WIDE x 3, the paper is 200 in each channel, brighter is cut at 255. `ink`:
    HIGH x WIDE, 0 is paper and 255 black or full colour. `seen`: what lies within the frame.
    `paper` the paper's colour before. `to_frame`: 2 x 3, px of the patch to px of the frame.
    `coloured`: the picture has colour (or noise of its own in each channel), it is no grey one.
    """

    colour: Image
    ink: Image
    seen: npt.NDArray[np.bool_]
    paper: tuple[float, float, float]
    to_frame: npt.NDArray[np.float64]
    coloured: bool

    def in_frame(self, points: Points) -> Points:
        """Points (n x 2) of the patch as points of the frame."""
        homogeneous = np.hstack([points, np.ones((len(points), 1))])
        return np.asarray(homogeneous @ self.to_frame.T, dtype=np.float32)


def unwarp(frame: Frame, corner: Corner, px_per_mm: float) -> Patch | None:
    """The patch at a corner, or None where less than a third of it is seen or it has no light."""
    to_frame = _to_frame(corner, px_per_mm / SCALE)
    twice = 2 if px_per_mm >= _FINE else 1
    grid = to_frame.copy()
    grid[:, :2] /= twice
    # Border pixels are told from seen ones by a mask, for a frame's own black is no border.
    size = (WIDE * twice, HIGH * twice)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(frame.image, grid, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    if twice > 1:
        cut = cv2.resize(cut, (WIDE, HIGH), interpolation=cv2.INTER_AREA)
    raw = np.asarray(cut, dtype=np.uint8)
    seen = _seen(to_frame, frame.size)
    if seen.mean() < 0.33:
        return None
    paper = paper_of(raw, seen)
    if min(paper) < _LEAST_PAPER:
        return None
    colour = _whitened(raw, paper)
    return Patch(colour, ink_of(colour), seen, paper, to_frame, _coloured(raw))


def paper_of(raw: Image, seen: npt.NDArray[np.bool_]) -> tuple[float, float, float]:
    """The paper's colour (B, G, R): the middle one of the lighter half of what is seen."""
    small = raw[2::_SHRINK, 2::_SHRINK].reshape(-1, 3)[seen[2::_SHRINK, 2::_SHRINK].ravel()]
    light = small.sum(axis=1, dtype=np.int32)
    upper = small[light >= np.median(light)]
    b, g, r = np.median(upper, axis=0)
    return float(b), float(g), float(r)


def ink_of(colour: Image) -> Image:
    """How much ink there is: the mean darkness of the two darkest channels, so that red, blue and
    green ink are as dark as black.
    """
    b, g, r = cv2.split(colour)
    lightest = cv2.max(cv2.max(b, g), r)
    total = b.astype(np.uint16) + g + r - lightest
    dark = 255.0 - total.astype(np.float32) * (255.0 / 400.0)
    return np.asarray(np.clip(dark, 0, 255), dtype=np.uint8)


def _coloured(raw: Image) -> bool:
    few = raw[::3, ::3]
    apart = few.max(axis=2) - few.min(axis=2)
    return bool((apart > _GREY).mean() > 0.02)


def _to_frame(corner: Corner, step: float) -> npt.NDArray[np.float64]:
    axes = np.array([corner.x_axis, corner.y_axis], dtype=np.float64).T * step
    start = np.array(corner.at) - axes.sum(axis=1) * OUT_MM * SCALE
    return np.hstack([axes, start[:, None]])


def _seen(to_frame: npt.NDArray[np.float64], size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    ends = np.array([[0, 0, 1], [WIDE - 1, 0, 1], [0, HIGH - 1, 1], [WIDE - 1, HIGH - 1, 1]])
    at = ends @ to_frame.T
    # One pixel less than the frame: its outermost row may be half of something else.
    if at.min() >= 1 and at[:, 0].max() <= size[0] - 2 and at[:, 1].max() <= size[1] - 2:
        return np.ones((HIGH, WIDE), dtype=np.bool_)
    columns = np.arange(WIDE, dtype=np.float32)[None, :]
    rows = np.arange(HIGH, dtype=np.float32)[:, None]
    x = to_frame[0, 0] * columns + to_frame[0, 1] * rows + to_frame[0, 2]
    y = to_frame[1, 0] * columns + to_frame[1, 1] * rows + to_frame[1, 2]
    return np.asarray((x >= 1) & (y >= 1) & (x <= size[0] - 2) & (y <= size[1] - 2))


def _whitened(raw: Image, paper: tuple[float, float, float]) -> Image:
    """Every pixel relative to the paper around it, so that light, colour and shadow go away."""
    small = cv2.resize(raw, (WIDE // _SHRINK, HIGH // _SHRINK), interpolation=cv2.INTER_AREA)
    brush = round(_BRUSH_MM * SCALE / _SHRINK) | 1
    kernel = np.ones((brush, brush), dtype=np.uint8)
    around = cv2.morphologyEx(small, cv2.MORPH_CLOSE, kernel, borderType=cv2.BORDER_REPLICATE)
    around = cv2.blur(around, (5, 5)).astype(np.float32)
    low, high = (np.array(paper, dtype=np.float32) * share for share in _PAPER_RANGE)
    around = np.clip(around, low, np.minimum(high, 255.0))
    white = cv2.resize(around, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(raw, (3, 3), 0.7)
    return np.asarray(cv2.divide(smooth.astype(np.float32), white, scale=200.0, dtype=cv2.CV_8U))
