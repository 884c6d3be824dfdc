"""The console's end of the link: lines of JSON over a local socket, on Qt's own event loop.

The link is lost after `lost_after_ms` without a line and is sought again for ever. A command
that has no answer yet is sent again under its own id after a reconnect, so it happens once.
"""

from __future__ import annotations

import logging
import time
from uuid import uuid4

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalSocket

from station.messages import (
    HEARTBEAT_MS,
    LOST_AFTER_MS,
    MAX_STATION_LINE,
    PROTOCOL,
    Answer,
    AnyClientMessage,
    AnyCommand,
    AnyStationMessage,
    Beat,
    CommandMessage,
    Hello,
    Rejected,
    Welcome,
)
from station.snapshot import Snapshot

log = logging.getLogger("ui.client")

FIRST_RETRY_MS = 100
LAST_RETRY_MS = 2000
SETTLE_MS = 1000
TAKEN_RETRIES = 5
TAKEN_RETRY_MS = 1000
"""A link of this console's own that died unseen holds its name for `LOST_AFTER_MS`."""


class Pending:
    """A command on its way: the line it was sent as, and the version its answer stands at."""

    __slots__ = ("answered_ns", "key", "line", "version")

    def __init__(self, key: str, line: bytes) -> None:
        self.key = key
        self.line = line
        self.version: int | None = None
        self.answered_ns = 0


class StationClient(QObject):
    """One console link. `state` is `connecting`, `up` (a snapshot has come) or `lost`."""

    snapshot = Signal(object, object)
    """A `Snapshot`, and the monotonic nanoseconds at which its bytes were read."""
    answered = Signal(str, object)
    """The pressed key's name and its `Answer`."""
    rejected = Signal(object)
    """A `Rejected` line, or None for a line that could not be read (`bad_lines` counts)."""
    taken = Signal(object)
    """Another console has this name for good: the `Rejected` that says so. Nothing follows."""
    state_changed = Signal(str)
    pending_changed = Signal()

    def __init__(self, path: str, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._name = name
        self.state = "connecting"
        self.bad_lines = 0
        self.wrong_protocol = 0
        self._version = -1
        self._buffer = bytearray()
        self._skipping = False
        self._welcomed = False
        self._closing = False
        self._pending: dict[str, Pending] = {}
        self._lost_after_ms = LOST_AFTER_MS
        self._heard_ns = 0
        self._retry_ms = FIRST_RETRY_MS
        self._times_taken = 0
        self._decoder = msgspec.json.Decoder(AnyStationMessage)
        self._encoder = msgspec.json.Encoder()
        self._socket = QLocalSocket(self)
        self._socket.connected.connect(self._on_connected)
        self._socket.disconnected.connect(self._on_gone)
        self._socket.errorOccurred.connect(self._on_gone)
        self._socket.readyRead.connect(self._on_bytes)
        self._beat = QTimer(self)
        self._beat.timeout.connect(self._on_beat)
        self._watch = QTimer(self)
        self._watch.timeout.connect(self._on_watch)
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.timeout.connect(self._connect)

    def start(self) -> None:
        """Seek the station from now on."""
        self._connect()

    def close(self) -> None:
        """End the link; nothing is emitted afterwards."""
        self._closing = True
        for timer in (self._beat, self._watch, self._retry):
            timer.stop()
        self._socket.abort()

    def is_pending(self, key: str) -> bool:
        """Whether a command of that key still waits for its answer."""
        return any(pending.key == key for pending in self._pending.values())

    def pending_keys(self) -> list[str]:
        """The keys that wait, each once."""
        return list(dict.fromkeys(pending.key for pending in self._pending.values()))

    def send(self, key: str, command: AnyCommand) -> bool:
        """Send once. False, and nothing happens, while `key` waits or the link is not up."""
        if self.state != "up" or self.is_pending(key):
            return False
        command_id = uuid4().hex
        line = self._line(CommandMessage(command_id, command))
        self._pending[command_id] = Pending(key, line)
        self._socket.write(line)
        self._socket.flush()
        self.pending_changed.emit()
        return True

    # --- the socket -------------------------------------------------------------------------

    def _connect(self) -> None:
        self._socket.abort()
        self._buffer.clear()
        self._skipping = False
        self._welcomed = False
        self._socket.connectToServer(self._path)

    def _on_connected(self) -> None:
        self._heard_ns = time.monotonic_ns()
        self._write(Hello(PROTOCOL, "console", self._name))
        self._set_pace(HEARTBEAT_MS, LOST_AFTER_MS)

    def _on_gone(self) -> None:
        if self._closing:
            return
        self._beat.stop()
        self._watch.stop()
        self._set_state("lost" if self.state != "connecting" else "connecting")
        if not self._retry.isActive():
            self._retry.start(self._retry_ms)
            self._retry_ms = min(self._retry_ms * 2, LAST_RETRY_MS)

    def _on_beat(self) -> None:
        self._write(Beat())

    def _on_watch(self) -> None:
        silent_ms = (time.monotonic_ns() - self._heard_ns) // 1_000_000
        if silent_ms > self._lost_after_ms:
            log.warning("station silent for %d ms", silent_ms)
            self._socket.abort()
            self._on_gone()
            return
        self._drop_settled()

    def _set_pace(self, heartbeat_ms: int, lost_after_ms: int) -> None:
        self._lost_after_ms = max(lost_after_ms, 1)
        self._beat.start(max(heartbeat_ms, 1))
        self._watch.start(max(lost_after_ms // 8, 1))

    def _write(self, message: AnyClientMessage) -> None:
        self._socket.write(self._line(message))
        self._socket.flush()

    def _line(self, message: AnyClientMessage) -> bytes:
        return self._encoder.encode(message) + b"\n"

    # --- lines ------------------------------------------------------------------------------

    def _on_bytes(self) -> None:
        received_ns = time.monotonic_ns()
        self._heard_ns = received_ns
        self._buffer += self._socket.readAll().data()
        while (end := self._buffer.find(b"\n")) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            if self._skipping:
                self._skipping = False
            elif end > MAX_STATION_LINE:
                self._bad(f"longer than {MAX_STATION_LINE} bytes", line)
            else:
                self._on_line(line, received_ns)
        if len(self._buffer) > MAX_STATION_LINE:
            if not self._skipping:
                self._bad(f"longer than {MAX_STATION_LINE} bytes", bytes(self._buffer))
            self._skipping = True
            self._buffer.clear()

    def _bad(self, why: str, line: bytes) -> None:
        self.bad_lines += 1
        log.warning("line ignored: %s: %r", why, line[:200])
        self.rejected.emit(None)

    def _on_line(self, line: bytes, received_ns: int) -> None:
        try:
            message = self._decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self._bad(str(error), line)
            return
        match message:
            case Welcome():
                self._on_welcome(message)
            case Snapshot() if self._welcomed:
                self._version = message.version
                self._set_state("up")
                self._drop_settled()
                self.snapshot.emit(message, received_ns)
            case Answer():
                self._on_answer(message)
            case Rejected():
                self._on_rejected(message)
            case _:
                pass

    def _on_welcome(self, welcome: Welcome) -> None:
        if welcome.protocol != PROTOCOL:
            self.wrong_protocol = welcome.protocol
            log.error("station speaks protocol %d, this console %d", welcome.protocol, PROTOCOL)
            self.rejected.emit(None)
            self._socket.abort()
            self._on_gone()
            return
        self.wrong_protocol = 0
        self._welcomed = True
        self._times_taken = 0
        self._version = -1
        self._retry_ms = FIRST_RETRY_MS
        self._set_pace(welcome.heartbeat_ms, welcome.lost_after_ms)
        for pending in self._pending.values():
            if pending.version is None:
                self._socket.write(pending.line)

    def _on_answer(self, answer: Answer) -> None:
        pending = self._pending.get(answer.id)
        if pending is None:
            return
        # The key stays shut until the snapshot shows what the command did.
        pending.version = answer.version if answer.ok else -1
        pending.answered_ns = time.monotonic_ns()
        self._drop_settled()
        self.answered.emit(pending.key, answer)

    def _on_rejected(self, rejected: Rejected) -> None:
        if rejected.code == "link_taken":
            self._on_taken(rejected)
            return
        log.warning("rejected: %s %s", rejected.code, rejected.text.en)
        # A rejection names no command; the oldest unanswered one is what the station could
        # not take, and sending it again would be rejected again.
        oldest = next((i for i, p in self._pending.items() if p.version is None), None)
        if oldest is not None:
            del self._pending[oldest]
            self.pending_changed.emit()
        self.rejected.emit(rejected)

    def _on_taken(self, rejected: Rejected) -> None:
        """Ask again for a while; no command was sent on this link, so none is dropped."""
        self._times_taken += 1
        if self._times_taken > TAKEN_RETRIES:
            self.close()
            self.taken.emit(rejected)
            return
        self._retry_ms = TAKEN_RETRY_MS
        self.rejected.emit(rejected)
        self._socket.abort()
        self._on_gone()

    def _drop_settled(self) -> None:
        late_ns = time.monotonic_ns() - SETTLE_MS * 1_000_000
        settled = [
            command_id
            for command_id, pending in self._pending.items()
            if pending.version is not None
            and (pending.version <= self._version or pending.answered_ns < late_ns)
        ]
        for command_id in settled:
            del self._pending[command_id]
        if settled:
            self.pending_changed.emit()

    def _set_state(self, state: str) -> None:
        if state != self.state:
            self.state = state
            log.info("link %s", state)
            self.state_changed.emit(state)
