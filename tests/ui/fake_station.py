"""A station on a real Unix socket that says what a test tells it to, and notes what it hears."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from station import messages as m
from station import snapshot as v


class FakeStation:
    """Serves one console at a time. `heard` holds every decoded line but heartbeats, in order."""

    def __init__(self, path: Path, snapshot: v.Snapshot, lost_after_ms: int = 3000) -> None:
        self.path = path
        self.snapshot = snapshot
        self.lost_after_ms = lost_after_ms
        self.heard: list[m.AnyClientMessage] = []
        self.beats = 0
        self.links = 0
        self.taken = 0
        """So many hellos to come are refused: another console has the name."""
        self.answer: Callable[[m.CommandMessage], m.Answer | None] = self.accept
        self._decoder = msgspec.json.Decoder(m.AnyClientMessage)
        self._link: socket.socket | None = None
        self._lock = threading.Lock()
        self._stop = False
        self._beating = True
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(str(path))
        self._server.listen(1)
        self._server.settimeout(0.05)
        self._threads = [
            threading.Thread(target=self._serve, daemon=True),
            threading.Thread(target=self._beat, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def commands(self) -> list[m.CommandMessage]:
        """The commands heard, in order."""
        return [line for line in self.heard if isinstance(line, m.CommandMessage)]

    def accept(self, message: m.CommandMessage) -> m.Answer:
        """Yes, at the version on show."""
        return m.Answer(message.id, True, self.snapshot.version)

    def show(self, snapshot: v.Snapshot) -> None:
        """Serve this snapshot from now on."""
        self.snapshot = snapshot
        self.say(msgspec.json.encode(snapshot) + b"\n")

    def say(self, data: bytes) -> None:
        """Raw bytes to the console that is there."""
        with self._lock:
            if self._link is not None:
                try:
                    self._link.sendall(data)
                except OSError:
                    self._link = None

    def dribble(self, data: bytes, size: int, between: Callable[[], None]) -> None:
        """Raw bytes in pieces of that size, and no heartbeat among them."""
        with self._lock:
            assert self._link is not None
            for at in range(0, len(data), size):
                self._link.sendall(data[at : at + size])
                between()

    def hush(self) -> None:
        """No more heartbeats: the station hangs."""
        self._beating = False

    def cut(self) -> None:
        """End the link that is there."""
        with self._lock:
            if self._link is not None:
                with contextlib.suppress(OSError):  # The console was quicker.
                    self._link.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """The station ends; its socket file goes away."""
        self._stop = True
        self.cut()
        for thread in self._threads:
            thread.join(5)
        self._server.close()
        if self.path.exists():
            self.path.unlink()

    def _serve(self) -> None:
        while not self._stop:
            try:
                link, _ = self._server.accept()
            except TimeoutError:
                continue
            self.links += 1
            link.settimeout(None)
            with link:
                self._converse(link)
            with self._lock:
                self._link = None

    def _converse(self, link: socket.socket) -> None:
        with link.makefile("rb") as lines:
            try:
                for line in lines:
                    self._on_line(link, line)
            except OSError:
                return

    def _on_line(self, link: socket.socket, line: bytes) -> None:
        message = self._decoder.decode(line)
        if isinstance(message, m.Beat):
            self.beats += 1
            return
        self.heard.append(message)
        if isinstance(message, m.Hello) and self.taken:
            self.taken -= 1
            text = v.Text("이미 연결되어 있습니다.", "'console' is connected already.")
            link.sendall(msgspec.json.encode(m.Rejected("link_taken", text, True)) + b"\n")
            link.shutdown(socket.SHUT_RDWR)
        elif isinstance(message, m.Hello):
            welcome = m.Welcome(
                m.PROTOCOL,
                self.snapshot.table.id,
                self.snapshot.table.kind,
                f"s{self.links}",
                max(self.lost_after_ms // 3, 1),
                self.lost_after_ms,
            )
            with self._lock:
                self._link = link
            self.say(msgspec.json.encode(welcome) + b"\n")
            self.show(self.snapshot)
        elif isinstance(message, m.CommandMessage):
            answer = self.answer(message)
            if answer is not None:
                self.say(msgspec.json.encode(answer) + b"\n")

    def _beat(self) -> None:
        while not self._stop:
            if self._beating:
                self.say(msgspec.json.encode(m.Heartbeat()) + b"\n")
            time.sleep(min(self.lost_after_ms / 4000, 0.25))
