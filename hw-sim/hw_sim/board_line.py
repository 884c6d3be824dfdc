"""The wire between the conformance kit and a board: a serial port, opened with the kernel's own
calls, and the lines that come over it.
"""

from __future__ import annotations

import os
import select
import termios
import time
import tty
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hw_sim.models.board_lines import SAID_LIMIT, check_of

_PATIENCE_S = 1.0


class Wire(Protocol):
    """Bytes to and from a board, and the time in seconds."""

    def send(self, data: bytes) -> None:
        """Send these bytes."""

    def receive(self, wait_s: float) -> bytes:
        """What comes next, after `wait_s` at the latest; empty when nothing came."""

    def now(self) -> float:
        """The time."""


class SerialWire:
    """A serial port or pseudo-terminal. Raises OSError or termios.error when it cannot be had."""

    def __init__(self, port: Path, baud: int) -> None:
        speed = getattr(termios, f"B{baud}", None)
        if speed is None:
            raise OSError(f"{baud} baud: no speed this system knows")
        self._handle = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            tty.setraw(self._handle)
            attributes = termios.tcgetattr(self._handle)
            attributes[2] |= termios.CLOCAL | termios.CREAD
            attributes[4] = attributes[5] = speed
            termios.tcsetattr(self._handle, termios.TCSANOW, attributes)
            termios.tcflush(self._handle, termios.TCIOFLUSH)
        except BaseException:
            os.close(self._handle)
            raise

    def send(self, data: bytes) -> None:
        """Send all of it, or raise OSError when the board takes nothing for a second."""
        while data:
            if not select.select([], [self._handle], [], _PATIENCE_S)[1]:
                raise OSError("the board takes no bytes")
            data = data[os.write(self._handle, data) :]

    def receive(self, wait_s: float) -> bytes:
        """What comes next."""
        if not select.select([self._handle], [], [], max(0.0, wait_s))[0]:
            return b""
        return os.read(self._handle, 4096)

    def now(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()

    def close(self) -> None:
        """Let go of the port."""
        os.close(self._handle)


@dataclass(frozen=True)
class Said:
    """One line of a board: its words, and when its last byte came."""

    words: tuple[str, ...]
    at_s: float

    @property
    def text(self) -> str:
        """As a person reads it."""
        return " ".join(self.words)


class Lines:
    """The board's lines as they come. `wrong` keeps the first line that is none, and why."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.wrong = ""
        self._part = bytearray()
        self._came: deque[Said] = deque()

    def next(self, until_s: float) -> Said | None:
        """The next line, None when none has come by then."""
        while not self._came:
            left = until_s - self.wire.now()
            data = self.wire.receive(max(0.0, left))
            self._take(data)
            if not data and left <= 0:
                return None
        return self._came.popleft()

    def forget(self) -> None:
        """What has come so far is no answer to what is asked next."""
        self._came.clear()

    def _take(self, data: bytes) -> None:
        for byte in data:
            if byte != ord("\n"):
                self._part.append(byte)
                continue
            line = bytes(self._part).removesuffix(b"\r")
            self._part.clear()
            self._judge(line)
        if len(self._part) > SAID_LIMIT and self._part[:1] == b"$":
            self._complain(f"a line of more than {SAID_LIMIT} bytes")
            self._part.clear()

    def _judge(self, line: bytes) -> None:
        if not line:
            return
        if not line.isascii() or not line.decode("ascii").isprintable():
            self._complain(f"bytes that are no text: {line[:40].hex(' ')}")
        elif line[:1] != b"$":
            return  # Debug text.
        elif len(line) + 1 > SAID_LIMIT:
            self._complain(f"a line of {len(line) + 1} bytes")
        else:
            self._check(line)

    def _check(self, line: bytes) -> None:
        body, star, check = line[1:].partition(b"*")
        right = check_of(body)
        text = body.decode("ascii")
        if not star or check.decode("ascii") != right:
            self._complain(f"{line.decode('ascii')!r}: the check should be {right}")
        elif "$" in text or any(not word for word in text.split(" ")):
            self._complain(f"{text!r}: words with one space between them, without $ and *")
        else:
            self._came.append(Said(tuple(text.split(" ")), self.wire.now()))

    def _complain(self, why: str) -> None:
        self.wrong = self.wrong or why
