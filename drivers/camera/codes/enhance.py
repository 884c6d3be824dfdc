"""What makes a hard patch readable. All take and give a grey picture whose bars run up and down."""

from __future__ import annotations

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.sight import Image


def stretched(grey: Image) -> Image:
    """The paper white, the ink black: by the lightest and darkest hundredth."""
    dark, light = np.percentile(grey, (1, 99))
    if light - dark < 4:
        return grey
    levels = np.clip((np.arange(256) - dark) * (255.0 / (light - dark)), 0, 255)
    return np.asarray(cv2.LUT(grey, levels.astype(np.uint8)), dtype=np.uint8)


def along_bars(grey: Image, height: int = 9) -> Image:
    """The mean of `height` pixels along the bars: it takes the noise and leaves the edges."""
    return np.asarray(cv2.blur(grey, (1, height)), dtype=np.uint8)


def twice(grey: Image) -> Image:
    """Twice as large both ways, and sharpened."""
    large = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    soft = cv2.GaussianBlur(large, (0, 0), 2.0)
    return np.asarray(cv2.addWeighted(large, 2.0, soft, -1.0, 0), dtype=np.uint8)
