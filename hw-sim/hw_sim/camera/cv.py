"""OpenCV, brought in at one place: `from hw_sim.camera.cv import cv2`.

Its wheel points the process and its children to a Qt of its own, which must never meet the
console's; and its pool of threads would take the cores the table needs.
"""

from __future__ import annotations

import os
from typing import TypeAlias

_QT = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")
_before = {name: os.environ.get(name) for name in _QT}
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")

import cv2  # noqa: E402
import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402

for _name, _value in _before.items():
    if _value is None:
        os.environ.pop(_name, None)
    else:
        os.environ[_name] = _value

cv2.setNumThreads(1)

# Pictures are BGR (or BGRA, premultiplied), uint8, height x width x channels.
Image: TypeAlias = npt.NDArray[np.uint8]
Plane: TypeAlias = npt.NDArray[np.float32]
# Points are n x 2, x to the right and y down; matrices are homographies, 3 x 3.
Points: TypeAlias = npt.NDArray[np.float64]
Matrix: TypeAlias = npt.NDArray[np.float64]
Colour: TypeAlias = tuple[int, int, int]

__all__ = ["Colour", "Image", "Matrix", "Plane", "Points", "cv2"]
