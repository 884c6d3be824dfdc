"""A short link from the command line to a running table: sign in, say something, and go."""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from station import messages as m
from station import snapshot as v

ANSWER_SECONDS = 15.0
_BEAT_SECONDS = 1.0


class LinkFailed(Exception):
    """No table answers, or it ended the link; the message says where and what to do."""


class Refused(Exception):
    """The table refused; the message is its own."""


class TableLink:
    """One link in the pit's role. Used by one thread. Raises LinkFailed throughout."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = f"shoe-{os.getpid()}"
        self._buffer = b""
        self._count = 0
        self._beaten = time.monotonic()
        self._decoder = msgspec.json.Decoder(m.AnyStationMessage)
        self.snapshot: v.Snapshot | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise LinkFailed(
                f"{path}: no table is running here ({error.strerror or error}); "
                "start it with `dealer-station run`"
            ) from None
        self._say(m.Hello(m.PROTOCOL, "pit", self._name))
        until = time.monotonic() + ANSWER_SECONDS
        while self.snapshot is None:
            self._wait(until)

    def close(self) -> None:
        """Hang up: whoever signed in here is signed out."""
        self._socket.close()

    @property
    def now(self) -> v.Snapshot:
        """The table as it is shown now."""
        if self.snapshot is None:
            raise LinkFailed(f"{self._path}: the table shows nothing")
        return self.snapshot

    def must(self, command: m.AnyCommand) -> None:
        """A command that has to be accepted, and shown. Raises Refused."""
        self._count += 1
        name = f"{self._name}-{time.time_ns()}-{self._count}"
        self._say(m.CommandMessage(name, command))
        until = time.monotonic() + ANSWER_SECONDS
        answer: m.Answer | None = None
        while answer is None or (answer.ok and self.now.version < answer.version):
            for message in self._wait(until):
                if isinstance(message, m.Answer) and message.id == name:
                    answer = message
            if answer is not None and answer.refusal is not None:
                text = answer.refusal.text
                raise Refused(f"{text.en} ({answer.refusal.code})")

    def look(self, seconds: float, also: int = -1) -> bool:
        """Take in what comes; True as soon as the descriptor `also` can be read."""
        watched: list[int] = [self._socket.fileno(), *([also] if also >= 0 else [])]
        ready, _, _ = select.select(watched, [], [], seconds)
        self._beat()
        if self._socket.fileno() in ready:
            for _message in self._received():
                pass
        return also in ready

    def _wait(self, until: float) -> Iterator[m.AnyStationMessage]:
        left = until - time.monotonic()
        if left <= 0:
            raise LinkFailed(f"{self._path}: the table does not answer")
        ready, _, _ = select.select([self._socket], [], [], min(left, _BEAT_SECONDS))
        self._beat()
        return self._received() if ready else iter(())

    def _beat(self) -> None:
        now = time.monotonic()
        if now - self._beaten >= _BEAT_SECONDS:
            self._beaten = now
            self._say(m.Beat())

    def _say(self, message: m.AnyClientMessage) -> None:
        try:
            self._socket.sendall(msgspec.json.encode(message) + b"\n")
        except OSError as error:
            raise LinkFailed(f"{self._path}: the table ended the link ({error})") from None

    def _received(self) -> Iterator[m.AnyStationMessage]:
        try:
            data = self._socket.recv(1 << 20)
        except OSError as error:
            raise LinkFailed(f"{self._path}: the table ended the link ({error})") from None
        if not data:
            raise LinkFailed(f"{self._path}: the table ended the link")
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        found = []
        for line in lines:
            try:
                message = self._decoder.decode(line)
            except msgspec.MsgspecError as error:
                raise LinkFailed(f"what answers here is no table: {error}") from error
            if isinstance(message, v.Snapshot):
                self.snapshot = message
            if isinstance(message, m.Rejected) and message.fatal:
                raise LinkFailed(message.text.en)
            found.append(message)
        return iter(found)
