"""The reader's end of the pipes: lines out, numbered and checked; orders in."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

import msgspec

from drivers.protocols import camera_lines as c

_TEXT, _DETAIL, _PICTURES = 256, 2000, 16


class Talk:
    """Writes lines. What passed the window gets its number here, in the order in which it is told.

    Writing waits while the station does not read: the station then gets every line, later.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._passed = 0

    def say(self, line: c.Up) -> None:
        """One line. What cannot be said as it is, is said as a card that was not read, for it
        passed; of anything else only a remark is left.
        """
        if isinstance(line, c.Read | c.CutOut | c.Missed):
            self._passed += 1
            line = msgspec.structs.replace(line, n=self._passed)
        try:
            raw = _whole(_fitting(line))
        except (c.NoLine, TypeError, ValueError) as error:
            words = f"{type(line).__name__}: {error}"[:_DETAIL]
            if isinstance(line, c.Read | c.CutOut | c.Missed):
                raw = _whole(c.Missed(n=self._passed, reason="unread", detail=words))
            else:
                raw = _whole(c.Remark(code="unsayable", detail=words))
        self._write(raw)

    def _write(self, raw: bytes) -> None:
        try:
            while raw:
                raw = raw[os.write(self._fd, raw) :]
        except OSError:
            # Nobody is there any more.
            os._exit(0)


class Orders:
    """What the station says, read by a thread of its own. The end of the pipe ends the program."""

    def __init__(self, fd: int, ended: Callable[[], None] | None = None) -> None:
        self._fd = fd
        self._ended = ended or _end
        self._settings: c.Settings | None = None
        self._came = threading.Event()
        self.reading = self.keeping = True
        self._thread = threading.Thread(target=self._run, name="orders", daemon=True)
        self._thread.start()

    def settings(self, wait_s: float) -> c.Settings | None:
        """The first line, None when it does not come in time."""
        self._came.wait(wait_s)
        return self._settings

    def _run(self) -> None:
        cutter = c.Cutter()
        while True:
            try:
                data = os.read(self._fd, 65536)
            except OSError:
                data = b""
            if not data:
                self._ended()
                return
            for raw in cutter.feed(data):
                self._obey(raw)

    def _obey(self, raw: bytes) -> None:
        try:
            order = c.down(raw)
        except c.NoLine as error:
            complain(f"an order that is none: {error}")
            return
        match order:
            case c.Settings():
                self._settings = self._settings or order
                self._came.set()
            case c.Enable():
                self.reading = order.on
            case c.Keep():
                self.keeping = order.on
            case c.Bye():
                self._ended()


def complain(words: str) -> None:
    """A line to the program's errors, for the technician."""
    sys.stderr.write(" ".join(words.split()) + "\n")
    sys.stderr.flush()


def _end() -> None:
    # Out of a thread, and whatever a library is doing at this moment.
    os._exit(0)


def _fitting(line: c.Up) -> c.Up:
    """The line with its texts cut to what a line may hold."""
    changes: dict[str, object] = {}
    for name, most in (("text", _TEXT), ("detail", _DETAIL), ("what", _DETAIL)):
        value = getattr(line, name, "")
        if len(value) > most:
            changes[name] = value[:most]
    if len(getattr(line, "evidence", ())) > _PICTURES:
        changes["evidence"] = getattr(line, "evidence", ())[:_PICTURES]
    return msgspec.structs.replace(line, **changes) if changes else line


def _whole(line: c.Up) -> bytes:
    """The line as bytes which the other side takes. Raises NoLine, TypeError, ValueError."""
    raw = c.encode(line)
    c.up(raw)
    return raw
