"""A made-up card, looked at before the first real one: libraries load what they need at first use,
and that must not cost the first card its pictures.
"""

from __future__ import annotations

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.sight import Frame, Image

_NUMBERS = 3


def frames(size: tuple[int, int]) -> tuple[Frame, ...]:
    """A light card with bars and an index-like print, at three places."""
    return tuple(Frame(-1 - at, _picture(size, 0.1 + 0.2 * at)) for at in range(_NUMBERS))


def _picture(size: tuple[int, int], at: float) -> Image:
    width, height = size
    image = np.full((height, width, 3), 30, dtype=np.uint8)
    unit = min(width, height) / 60
    x, y = int(at * width), int(0.15 * height)
    cv2.rectangle(image, (x, y), (int(x + 45 * unit), height), (225, 228, 230), -1)
    place = (int(x + 3 * unit), int(y + 10 * unit))
    cv2.putText(image, "K", place, cv2.FONT_HERSHEY_DUPLEX, unit / 3, (20, 20, 20), 2)
    cv2.circle(image, (int(x + 5 * unit), int(y + 15 * unit)), int(2 * unit), (20, 20, 20), -1)
    for bar in range(0, 30, 2):
        left = int(x + (12 + bar * 0.6) * unit)
        lower = (int(left + 0.5 * unit), int(y + 9 * unit))
        cv2.rectangle(image, (left, int(y + 3 * unit)), lower, (15, 15, 15), -1)
    return image
