"""Whether an index is seen clearly enough to tell a club from a spade at all.

A blurred club is a blurred spade, whatever a recogniser makes of it; so it is measured, before any
recogniser is asked, how wide the suit's edge is against its height and how strong the picture's
grain is against the depth of its ink.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.index.locate import Box, Index
from drivers.camera.index.patch import Floats, Patch
from drivers.camera.sight import Image

# The steepest part of a glyph's outline: this share of its pixels is less steep.
_STEEP = 0.94


@dataclass(frozen=True)
class Clarity:
    """`edge`: how wide the suit's outline is, from ink to paper, as a share of its height; across
    or down, whichever is the wider, for motion blurs one of them alone. `grain`: the noise of the
    patch (one standard deviation) as a share of the depth of the suit's ink.
    """

    edge: float
    grain: float


@dataclass(frozen=True)
class ClarityLimits:
    """What may still be asked. See docs/camera/index.md for what was measured."""

    edge: float = 0.33
    grain: float = 0.07

    def why_not(self, clarity: Clarity) -> str:
        """Empty if it is clear enough."""
        if clarity.edge > self.edge:
            return f"too blurred (edge {clarity.edge:.2f} of the suit)"
        if clarity.grain > self.grain:
            return f"too dark or noisy (grain {clarity.grain:.2f} of the ink)"
        return ""


def clarity_of(patch: Patch, index: Index) -> Clarity:
    depth = max(index.suit_ink, 1.0)
    return Clarity(_edge(patch.ink, index.suit, depth), _grain(patch.colour) / depth)


def _edge(ink: Image, box: Box, depth: float) -> float:
    part = ink[max(box.y - 2, 0) : box.bottom + 2, max(box.x - 2, 0) : box.right + 2]
    smooth = cv2.GaussianBlur(part.astype(np.float32), (3, 3), 0.8)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    steep = min(float(np.quantile(np.abs(way), _STEEP)) for way in (across, down))
    return depth / max(steep, 1e-3) / box.high


def _grain(colour: Image) -> float:
    """The middle of what neighbours differ by, which edges hardly change."""
    here, there = (_dark(colour[start:-1:3]) for start in (0, 1))
    rows = min(len(here), len(there))
    apart = np.abs(there[:rows, 1:] - here[:rows, :-1])
    # Of a normal distribution, the middle deviation is 0.674 of the standard one; two pixels differ
    # by the square root of two of it.
    return float(np.median(apart)) / 0.674 / 2**0.5


def _dark(colour: Image) -> Floats:
    b, g, r = cv2.split(np.ascontiguousarray(colour))
    return np.asarray(cv2.min(cv2.min(b, g), r), dtype=np.float32)
