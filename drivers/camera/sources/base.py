"""What every source of pictures offers, and how its pictures are judged before they are used.

A picture is used if it is whole and fresh. One that arrived cut short, or whose decoder complained,
is `Torn`: it is counted and never looked at, for its lower half may be another card's.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.sight import Frame, Image
from drivers.kinds.camera import EXIT_LOST

_SOI, _EOI = b"\xff\xd8", b"\xff\xd9"


class SourceError(Exception):
    """The source cannot be had, or is gone. `status`: the exit status that says so; the text is for
    the technician.
    """

    def __init__(self, words: str, status: int = EXIT_LOST) -> None:
        super().__init__(words)
        self.status = status


@dataclass(frozen=True)
class Torn:
    """A picture that did not arrive whole. `why` is for the technician."""

    why: str


@dataclass(frozen=True)
class Shot:
    """A picture as it came. `stamp`: the source's own time stamp, whatever its unit, None where it
    has none: one that stands still is that of a frozen camera. `jpeg`: the whole picture as it was
    sent, where it was sent so.
    """

    frame: Frame
    stamp: float | None = None
    jpeg: bytes = b""


class Source(Protocol):
    """A source of pictures, open from the beginning. Read by one thread."""

    @property
    def what(self) -> str:
        """What it is and how its pictures are, for the technician."""

    @property
    def over(self) -> bool:
        """Whether it has come to its end, as a film does."""

    @property
    def refused(self) -> str:
        """The settings a camera would not take, "" when it took all."""

    def read(self) -> Shot | Torn | None:
        """The next picture, None when none came within about a second. Raises SourceError."""

    def close(self) -> None:
        """Let go of it. Never raises."""


def whole_jpeg(data: bytes | memoryview) -> Image | str:
    """The picture of a JPEG, or why it is not whole: cut short, no JPEG, or data its decoder
    stumbled over. libjpeg goes on after damage and says so only in words.
    """
    raw = bytes(data)
    if not raw.startswith(_SOI):
        return "no JPEG"
    end = raw.rfind(_EOI)
    if end < 0:
        return "it has no end"
    with _Listening() as said:
        try:
            image = cv2.imdecode(np.frombuffer(raw[: end + 2], np.uint8), cv2.IMREAD_COLOR)
        except cv2.error as error:
            return f"it cannot be decoded ({error.err})"
    if "JPEG" in said.text:
        return said.text.strip().splitlines()[0]
    if image is None:
        return "it cannot be decoded"
    if grey_below(np.asarray(image)):
        return "its lower part is missing (grey)"
    return np.asarray(image, dtype=np.uint8)


class _Listening:
    """Hears what a C library writes to the program's errors meanwhile, and passes it on unless it
    is a JPEG decoder's complaint: those are counted as torn pictures, not told one by one.
    """

    _lock = threading.Lock()

    def __init__(self) -> None:
        self.text = ""

    def __enter__(self) -> _Listening:
        self._lock.acquire()
        self._saved = os.dup(2)
        self._file = tempfile.TemporaryFile() if not hasattr(os, "memfd_create") else None
        self._fd = self._file.fileno() if self._file else os.memfd_create("errors")
        os.dup2(self._fd, 2)
        return self

    def __exit__(self, *_: object) -> None:
        os.dup2(self._saved, 2)
        size = os.lseek(self._fd, 0, os.SEEK_CUR)
        data = os.pread(self._fd, min(size, 4096), 0) if size else b""
        self.text = data.decode("utf-8", "replace")
        if self._file is not None:
            self._file.close()
        else:
            os.close(self._fd)
        if data and "JPEG" not in self.text:
            with contextlib.suppress(OSError):
                os.write(self._saved, data)
        os.close(self._saved)
        self._lock.release()


def grey_below(image: Image) -> bool:
    """Whether the lower end of a picture is the even grey which stands for data that never came
    (libjpeg, and camera drivers, fill up with 128). A sensor has noise: it never gives that.
    """
    rows = max(8, image.shape[0] // 16)
    end = image[-rows:]
    return bool(abs(int(end[-1, 0, 0]) - 128) <= 2 and int(end.min()) >= 126 and end.max() <= 130)


def cropped(image: Image, window: tuple[int, int, int, int]) -> Image:
    """The part that is looked at: x, y, width, height; all 0: the whole picture. Raises
    SourceError when the picture is smaller than that.
    """
    x, y, wide, high = window
    if not wide:
        return image
    height, width = image.shape[:2]
    if x + wide > width or y + high > height:
        raise SourceError(
            f"window {list(window)}: it reaches out of the pictures, which are {width} x {height}"
        )
    return np.ascontiguousarray(image[y : y + high, x : x + wide])


def bgr(image: Image) -> Image:
    """A picture as height x width x 3, also one without colour."""
    if image.ndim == 2 or image.shape[2] == 1:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    return image
