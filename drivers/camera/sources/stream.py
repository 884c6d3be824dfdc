"""A simulator's pictures, over a Unix socket (`virtual:/path.sock`).

Each picture has a header, little-endian: `DSF1`, the format (`J` a JPEG, `B` raw BGR), three zero
bytes, width, height, its number, when it was taken (CLOCK_MONOTONIC, ns), the length of what
follows. Whatever does not keep to it ends the connection, and another is made.
"""

from __future__ import annotations

import socket
import struct
import time

import numpy as np

from drivers.camera.refusal_words import refusal
from drivers.camera.sight import Frame, Image
from drivers.camera.sources.base import Shot, SourceError, Torn, cropped, whole_jpeg
from drivers.kinds.camera import EXIT_BUSY, EXIT_DENIED, EXIT_LOST, EXIT_MISSING

HEADER = struct.Struct("<4sB3xIIQQI")
MAGIC = b"DSF1"
SIDE, LENGTH = 8192, 64 * 1024 * 1024

_WAIT_S = 0.5
# A picture that has begun and does not go on for so long is torn.
_REST_S = 2.0
_TRIES_S = 2.0


class Broken(Exception):
    """What came is no picture; nothing after it can be trusted."""


class Stream:
    """The pictures of a simulator. Raises SourceError when nothing listens there."""

    def __init__(self, path: str, window: tuple[int, int, int, int]) -> None:
        self._path = path
        self._window = window
        self._buffer = bytearray()
        self._heard = False
        self._link = self._connected(0.0)

    @property
    def what(self) -> str:
        """Where its pictures come from."""
        return refusal("stream", path=self._path)

    @property
    def over(self) -> bool:
        """Never: its end is the loss of a camera."""
        return False

    @property
    def refused(self) -> str:
        """It takes no settings."""
        return ""

    def read(self) -> Shot | Torn | None:
        """The next picture. Raises SourceError when the simulator is gone."""
        try:
            header = self._take(HEADER.size, _WAIT_S)
            if header is None:
                return None
            return self._picture(header)
        except Broken as error:
            self._again()
            return Torn(f"{error}; connected anew")

    def close(self) -> None:
        """End the connection."""
        self._link.close()

    def _picture(self, header: bytes) -> Shot | Torn:
        magic, form, width, height, number, at_ns, length = HEADER.unpack(header)
        if magic != MAGIC:
            raise Broken(f"no picture begins with {magic!r}")
        if not (0 < width <= SIDE and 0 < height <= SIDE and 0 < length <= LENGTH):
            raise Broken(f"a picture of {width} x {height} in {length} bytes")
        if form not in b"JB" or (form == ord("B") and length != width * height * 3):
            raise Broken(f"format {form} with {length} bytes for {width} x {height}")
        data = self._take(length, _REST_S)
        if data is None:
            raise Broken("a picture that stopped half-way")
        image = _decoded(form, data, width, height)
        if isinstance(image, str):
            return Torn(image)
        now_ns = time.monotonic_ns()
        # A clock that is not ours proves nothing of how fresh it is.
        taken_ns = at_ns if abs(now_ns - at_ns) < 3600 * 1_000_000_000 else now_ns
        frame = Frame(number, cropped(image, self._window), min(taken_ns, now_ns))
        return Shot(frame, float(at_ns), data if form == ord("J") else b"")

    def _take(self, size: int, wait_s: float) -> bytes | None:
        """So many bytes; None when nothing of them came in time. Raises Broken, SourceError."""
        until = time.monotonic() + wait_s
        while len(self._buffer) < size:
            left = until - time.monotonic()
            if left <= 0:
                if self._buffer and wait_s == _WAIT_S:
                    until += _REST_S  # Half a header: the rest is on its way.
                    wait_s = _REST_S
                    continue
                if self._buffer:
                    raise Broken("a picture that stopped half-way")
                return None
            self._link.settimeout(left)
            try:
                data = self._link.recv(max(65536, size - len(self._buffer)))
            except TimeoutError:
                continue
            except OSError as error:
                raise self._gone() from error
            if not data:
                raise self._gone()
            self._heard = True
            self._buffer += data
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def _gone(self) -> SourceError:
        self._link.close()
        if not self._heard:
            return SourceError(refusal("in_use", path=self._path), EXIT_BUSY)
        return SourceError(refusal("stream_gone", path=self._path), EXIT_LOST)

    def _again(self) -> None:
        self._link.close()
        self._buffer.clear()
        self._link = self._connected(_TRIES_S)

    def _connected(self, tries_s: float) -> socket.socket:
        until = time.monotonic() + tries_s
        while True:
            link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                link.connect(self._path)
            except (OSError, ValueError) as error:
                link.close()
                if time.monotonic() >= until:
                    denied = isinstance(error, PermissionError)
                    status = EXIT_LOST if tries_s else EXIT_DENIED if denied else EXIT_MISSING
                    code = "no_right" if denied else "no_simulator"
                    raise SourceError(refusal(code, path=self._path), status) from error
                time.sleep(0.05)
            else:
                return link


def _decoded(form: int, data: bytes, width: int, height: int) -> Image | str:
    if form == ord("B"):
        return np.frombuffer(data, np.uint8).reshape(height, width, 3)
    image = whole_jpeg(data)
    if not isinstance(image, str) and image.shape[:2] != (height, width):
        return f"a JPEG of {image.shape[1]} x {image.shape[0]}, told as {width} x {height}"
    return image
