"""What makes a hard patch readable: grey pictures in and out, in which bars run up and down."""

from __future__ import annotations

from typing import Final

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.sight import Image

ALONG_PX: Final = 25


def stretched(grey: Image) -> Image:
    """The paper white, the ink black: by the lightest and darkest hundredth."""
    dark, light = np.percentile(grey, (1, 99))
    if light - dark < 4:
        return grey
    levels = np.clip((np.arange(256) - dark) * (255.0 / (light - dark)), 0, 255)
    return np.asarray(cv2.LUT(grey, levels.astype(np.uint8)), dtype=np.uint8)


def along_bars(grey: Image) -> Image:
    """The mean of `ALONG_PX` pixels along the bars, or of two fifths of the picture if that is
    less: it takes the noise and leaves the edges.
    """
    height = max(1, min(ALONG_PX, grey.shape[0] * 2 // 5))
    return np.asarray(cv2.blur(grey, (1, height)), dtype=np.uint8)


def wider(grey: Image) -> Image:
    """Twice as long across the bars."""
    return np.asarray(
        cv2.resize(grey, None, fx=2, fy=1, interpolation=cv2.INTER_LINEAR), dtype=np.uint8
    )


def sharper(grey: Image) -> Image:
    """Twice as long across the bars, and what blur took from narrow bars put back that way."""
    long = cv2.resize(grey, None, fx=2, fy=1, interpolation=cv2.INTER_CUBIC)
    soft = cv2.GaussianBlur(long, (0, 0), sigmaX=4.0, sigmaY=0.01)
    return np.asarray(cv2.addWeighted(long, 3.0, soft, -2.0, 0), dtype=np.uint8)


def larger(grey: Image, times: int) -> Image:
    """So many times as large both ways."""
    large = cv2.resize(grey, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, dtype=np.uint8)


def smooth(grey: Image, sigma: float) -> Image:
    """Fine noise taken out, equally in all directions."""
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), sigma), dtype=np.uint8)


def sharp(grey: Image, amount: float, sigma: float) -> Image:
    """What blur took put back, equally in all directions."""
    soft = cv2.GaussianBlur(grey, (0, 0), sigma)
    return np.asarray(cv2.addWeighted(grey, 1 + amount, soft, -amount, 0), dtype=np.uint8)
