"""One client of the local socket: what waits to be sent to it, and what of it is not read yet."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

from station.table.inputs import Actor

BACKLOG = 4 << 20

_NO_ACTOR = Actor("console", "")


class LocalSession:
    """One client. Written by the controller's thread and the server's, read by the server's."""

    def __init__(self, sock: socket.socket, number: int, wake: Callable[[], None]) -> None:
        self.sock = sock
        self.id = f"s{number}"
        self.actor = _NO_ACTOR
        self.name = ""
        self.after: int | None = None
        self.greeted = False
        self.busy = False
        self.bad = 0
        self.inbuf = bytearray()
        self.heard = time.monotonic()
        self.ended = ""
        self.spoken = False
        self._out = bytearray()
        self._lock = threading.Lock()
        self._wake = wake

    def send(self, *lines: bytes) -> None:
        """Whole lines, now if the socket takes them, else as soon as it does. Never blocks."""
        with self._lock:
            if self.ended:
                return
            self.spoken = True
            self._out += b"".join(lines)
            self._flush()
            waiting = len(self._out)
            if waiting > BACKLOG:
                self.ended = "too_slow"
        if waiting or self.ended:
            self._wake()

    def answered(self, line: bytes) -> None:
        """The answer; the next command may be read."""
        self.send(line)
        self.ready()

    def ready(self) -> None:
        """What it said is dealt with: it is read on."""
        # It was not read while its command was under way: that is not its silence.
        self.heard = time.monotonic()
        self.busy = False
        self._wake()

    def close(self, why: str) -> None:
        """The end. Under the lock: the file's number may be another file's the moment after."""
        with self._lock:
            self.ended = self.ended or why
            self.sock.close()

    def flush(self) -> None:
        with self._lock:
            self._flush()

    @property
    def waiting(self) -> bool:
        return bool(self._out)

    def _flush(self) -> None:
        while self._out:
            try:
                sent = self.sock.send(self._out)
            except BlockingIOError:
                return
            except OSError:
                self._out.clear()
                self.ended = self.ended or "closed"
                return
            del self._out[:sent]
