"""A camera of a test: pictures of cards' codes over a Unix socket, as a simulator sends them.

No OpenCV here: this runs in the tests' own process.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import zxingcpp

HEADER = struct.Struct("<4sB3xIIQQI")
WIDE, HIGH = 320, 240
FPS = 30
# The code `BURST` stands for so many cards.
BURST = 10_000
Picture = npt.NDArray[np.uint8]


def empty(light: int = 60) -> Picture:
    """The empty window: grey."""
    return np.full((HIGH, WIDE, 3), light, np.uint8)


def code(text: str) -> Picture:
    """A card with its code in the window."""
    made = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode)
    symbol = np.asarray(made.to_image(scale=5), dtype=np.uint8)
    picture = empty()
    high, wide = symbol.shape[:2]
    picture[50 : 50 + high, 80 : 80 + wide] = symbol.reshape(high, wide, -1)
    return picture


def live(picture: Picture, rng: np.random.Generator) -> Picture:
    """As a sensor sees it: no two pictures are alike."""
    noise = rng.integers(-3, 4, picture.shape, dtype=np.int16)
    seen: Picture = np.clip(picture.astype(np.int16) + noise, 0, 255).astype(np.uint8)
    return seen


class CameraStream:
    """Serves one reader at a time, what is `shown` in a thread of its own, 30 a second."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        self.connections = 0
        self.picture = empty()
        self.frozen: bytes | None = None
        self.paused = False
        self._rng = np.random.default_rng(1)
        self._pending: list[bytes] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._link: socket.socket | None = None
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        path.unlink(missing_ok=True)
        self._listener.bind(str(path))
        self._listener.listen(4)
        self._listener.settimeout(0.05)
        self._thread = threading.Thread(target=self._run, name="camera")
        self._thread.start()

    def show(self, picture: Picture) -> int:
        """Show this from now on; the number of the first picture of it."""
        with self._lock:
            self.picture = picture
            return self.number + 1

    def card(self, text: str, seconds: float = 0.5) -> None:
        """A card passes: the window is empty before and after."""
        self.show(code(text))
        time.sleep(seconds)
        self.show(empty())
        time.sleep(seconds)

    def raw(self, data: bytes) -> None:
        """Put these bytes on the wire."""
        with self._lock:
            self._pending.append(data)

    def freeze(self, on: bool) -> None:
        """Send the last picture again and again, its number and time included."""
        with self._lock:
            self.frozen = self._packed() if on else None

    def close(self) -> None:
        """Unplug it."""
        self._stop.set()
        self._thread.join()
        self._listener.close()
        self.path.unlink(missing_ok=True)

    def _run(self) -> None:
        due = time.monotonic()
        while not self._stop.is_set():
            if self._link is None and not self._accepted():
                continue
            with self._lock:
                data = b"".join(self._pending)
                self._pending.clear()
                if not self.paused:
                    data += self.frozen or self._packed()
            self._send(data)
            due = max(due + 1 / FPS, time.monotonic())
            self._stop.wait(max(0.0, due - time.monotonic()))
        if self._link is not None:
            self._link.close()

    def _accepted(self) -> bool:
        try:
            self._link, _ = self._listener.accept()
        except TimeoutError:
            return False
        self._link.settimeout(1)
        self.connections += 1
        return True

    def _send(self, data: bytes) -> None:
        assert self._link is not None
        try:
            self._link.sendall(data)
        except OSError:
            self._link.close()
            self._link = None

    def _packed(self) -> bytes:
        self.number += 1
        data = live(self.picture, self._rng).tobytes()
        now = time.monotonic_ns()
        return HEADER.pack(b"DSF1", ord("B"), WIDE, HIGH, self.number, now, len(data)) + data
