"""Whether pieces of a glyph stand apart from it: something light lies across the index.

A scratch or the light's reflection across the lower tip of a diamond leaves what, without colour,
both recognisers take for a spade; the tip that was cut off still stands below it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.sight import Image

if TYPE_CHECKING:
    from drivers.camera.index.locate import Index

# A piece is one of this share of the glyphs' depth of ink, and of this share of the suit's box; it
# begins no further below the suit than this share of the suit's height and ends within a height.
_SHARE = 0.4
_LEAST = 0.01
_BELOW = 0.4


def broken_off(ink: Image, index: Index) -> bool:
    """Whether the suit is in pieces, or some stand between it and the rank or just below it, wholly
    within the breadth of both. What reaches out of there is another thing: a pip, a frame.
    """
    block, suit = index.block, index.suit
    low = min(suit.bottom + suit.high, ink.shape[0])
    begins = suit.bottom - index.rank.bottom + _BELOW * suit.high
    part = ink[index.rank.bottom : low, max(block.x - 3, 0) : block.right + 3]
    mask = (part >= _SHARE * min(index.rank_ink, index.suit_ink)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    least = max(3.0, _LEAST * suit.wide * suit.high)
    pieces = [
        area
        for x, y, wide, tall, area in stats[1:count].tolist()
        if x > 0 and x + wide < mask.shape[1] and 0 <= y <= begins and y + tall < mask.shape[0]
    ]
    return len([area for area in pieces if area >= least]) > 1
