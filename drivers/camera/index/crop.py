"""What the network is shown of an index: rank and suit together with a rim, at one size."""

from __future__ import annotations

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.index.locate import Index
from drivers.camera.index.patch import Patch
from drivers.camera.sight import Image

CROP_WIDE, CROP_HIGH = 40, 72
_RIM = 8


def crop(patch: Patch, index: Index) -> Image:
    """CROP_HIGH x CROP_WIDE x 3 of the whitened patch: the index fills the height but for a rim, in
    the middle; one wider than the crop is narrowed. Beyond the patch is black.
    """
    block = index.block
    down = (CROP_HIGH - 2 * _RIM) / block.high
    across = min(down, (CROP_WIDE - 6) / block.wide)
    matrix = np.array(
        [
            [across, 0, CROP_WIDE / 2 - across * block.middle],
            [0, down, _RIM - down * block.y],
        ],
        dtype=np.float64,
    )
    # A patch that is made smaller is smoothed first, or thin strokes fall between the pixels.
    colour = patch.colour
    if down < 0.6:
        colour = np.asarray(cv2.blur(colour, (2, 2)), dtype=np.uint8)
    shown = cv2.warpAffine(colour, matrix, (CROP_WIDE, CROP_HIGH), flags=cv2.INTER_LINEAR)
    return np.asarray(shown, dtype=np.uint8)
