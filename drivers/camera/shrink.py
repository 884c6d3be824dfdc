"""A picture made smaller, as fast as OpenCV can: by halves first, which it does in one go."""

from __future__ import annotations

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.sight import Image


def shrunk(image: Image, size: tuple[int, int]) -> Image:
    """The picture at that width and height, no larger than it is; every pixel counts. A quarter of
    a 1280x720 frame takes a third of the time of one step.
    """
    width, height = size
    high, wide = image.shape[:2]
    while wide >= 2 * width and high >= 2 * height and not (wide % 2 or high % 2):
        wide, high = wide // 2, high // 2
        halved = cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA)
        image = np.asarray(halved, dtype=np.uint8)
    if (wide, high) != size:
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return image
