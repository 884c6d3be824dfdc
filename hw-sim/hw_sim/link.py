"""A link to the station: lines of JSON over its Unix socket, heartbeats, and a new try when lost.

The protocol is the one of the JSON Schemas (`dealer-station schema`). Snapshots are read as plain
dictionaries, so that a station that says more than this program knows is no trouble.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hw_sim.sockets import Lines, SocketError, check_path, line_of

PROTOCOL = 1
BEAT_S = 1.0
LOST_AFTER_S = 3.0
FIRST_RETRY_S = 0.1
LAST_RETRY_S = 2.0
TAKEN_TRIES = 6

Message = dict[str, Any]


class LinkRefused(Exception):
    """The station will not have this link; the message says why."""


class StationLink:
    """One client's link. Single-threaded but for `wake`.

    `after`: asked at each connection; up to which fact a host has everything, or None.
    """

    def __init__(
        self,
        path: Path,
        role: str,
        name: str,
        after: Callable[[], int | None] = lambda: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        check_path(path)
        self.path = path
        self.role = role
        self.name = name
        self._after = after
        self._now = now
        self._socket: socket.socket | None = None
        self._lines = Lines()
        self._beat_at = 0.0
        self._heard = 0.0
        self._retry_at = 0.0
        self._retry_s = FIRST_RETRY_S
        self._wake_r, self._wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._taken_tries = 0
        self.last_error = ""

    @property
    def connected(self) -> bool:
        """Whether there is a connection; the station may not have welcomed it yet."""
        return self._socket is not None

    def fileno(self) -> int:
        """For a selector; -1 without a connection."""
        return self._socket.fileno() if self._socket is not None else -1

    def wake(self) -> None:
        """Make `poll` return; from any thread or a signal handler."""
        with contextlib.suppress(OSError):
            os.write(self._wake_w, b"w")

    def close(self) -> None:
        """End the link for good."""
        self._drop("closed")
        os.close(self._wake_r)
        os.close(self._wake_w)

    def send(self, message: Message) -> None:
        """One message; a link that breaks is found again by `poll`."""
        if self._socket is None:
            return
        try:
            self._socket.sendall(line_of(message))
        except OSError as error:
            self._drop(str(error))

    def poll(self, timeout_s: float | None) -> list[Message]:
        """What came, at the latest after `timeout_s` (None: whenever). Connects when needed.

        Raises LinkRefused when the station ends the link for a reason that stays.
        """
        self._tend()
        wait = self._next_chore() if timeout_s is None else min(timeout_s, self._next_chore())
        handles: list[Any] = [self._wake_r]
        if self._socket is not None:
            handles.append(self._socket)
        ready, _, _ = select.select(handles, [], [], max(0.0, wait))
        if self._wake_r in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_r, 4096)
        return self._receive() if self._socket in ready and self._socket else []

    # --- connection -------------------------------------------------------------------------

    def _next_chore(self) -> float:
        if self._socket is None:
            return self._retry_at - self._now()
        return self._beat_at - self._now()

    def _tend(self) -> None:
        now = self._now()
        if self._socket is not None:
            if now - self._heard > LOST_AFTER_S:
                self._drop("the station is silent")
            elif now >= self._beat_at:
                self._beat_at = now + BEAT_S
                self.send({"type": "heartbeat"})
        if self._socket is None and now >= self._retry_at:
            self._connect()

    def _connect(self) -> None:
        self._retry_at = self._now() + self._retry_s
        self._retry_s = min(LAST_RETRY_S, self._retry_s * 2)
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            link.connect(str(self.path))
        except OSError as error:
            link.close()
            self.last_error = f"{self.path}: {error.strerror}"
            return
        link.settimeout(LOST_AFTER_S)
        self._socket = link
        self._lines = Lines()
        self._heard = self._now()
        self._beat_at = self._now() + BEAT_S
        hello: Message = {
            "type": "hello",
            "protocol": PROTOCOL,
            "role": self.role,
            "name": self.name,
        }
        after = self._after()
        self.send(hello if after is None else {**hello, "after": after})

    def _drop(self, why: str) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            self.last_error = f"{self.path}: {why}"
            self._retry_at = self._now() + self._retry_s

    def _receive(self) -> list[Message]:
        if self._socket is None:
            return []
        try:
            data = self._socket.recv(1 << 20)
            lines = self._lines.feed(data)
        except (OSError, SocketError) as error:
            self._drop(str(error))
            return []
        if not data:
            self._drop("the station ended the link")
            return []
        self._heard = self._now()
        return [message for line in lines if (message := self._message(line)) is not None]

    def _message(self, line: bytes) -> Message | None:
        try:
            message = json.loads(line)
        except ValueError:
            self.last_error = f"a line that is no JSON: {line[:80]!r}"
            return None
        if not isinstance(message, dict):
            return None
        if message.get("type") == "welcome":
            self._retry_s = FIRST_RETRY_S
            self._taken_tries = 0
        if message.get("type") == "rejected" and message.get("fatal"):
            self._rejected(message)
            return None
        return message

    def _rejected(self, message: Message) -> None:
        """A name still taken frees itself when the old link is found dead; the rest stays."""
        text = message.get("text", {}).get("en", "")
        if message.get("code") == "link_taken" and self._taken_tries < TAKEN_TRIES:
            self._taken_tries += 1
            self._drop(text)
            return
        raise LinkRefused(f"{self.path}: {self.role} {self.name!r}: {text}")
