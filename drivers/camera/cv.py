"""OpenCV, brought in at one place: `from drivers.camera.cv import cv2`.

Its wheel carries a Qt of its own and points the process and its children to it, so it must never
meet PySide6 in one process; and its pool of threads would take the table's cores.
"""

from __future__ import annotations

import os
import sys

if "PySide6" in sys.modules:
    raise RuntimeError("OpenCV and PySide6 must not meet in one process: their Qt libraries clash")

_QT = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")
_before = {name: os.environ.get(name) for name in _QT}

# For how many seconds a stalled camera may block a read; OpenCV looks once, at the first opening.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
# What its film library says of a file that is no film is said in our own words.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
# A small file may claim to be a huge picture: above this OpenCV raises an error instead of taking
# 3 bytes for each pixel. The largest cameras of telephones give 200 million.
MAX_PIXELS = 220_000_000
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))

import cv2  # noqa: E402

for _name, _value in _before.items():
    if _value is None:
        os.environ.pop(_name, None)
    else:
        os.environ[_name] = _value

cv2.setNumThreads(1)

__all__ = ["MAX_PIXELS", "cv2"]
