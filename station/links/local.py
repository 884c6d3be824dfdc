"""The local socket: newline JSON over a Unix socket of mode 0600, for people's own processes.

One thread. A session has at most one command in it and is not read until that is answered.
Three seconds without a line from a client, and its link is lost; a line too long, too many bad
lines, or a peer of another user ends it at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from station import messages as m
from station.game.refusal import refuse
from station.inbox import Acked, Gone, Item, Joined, Request
from station.links.session import BACKLOG, LocalSession
from station.logs import Logger
from station.table.inputs import Actor
from station.wording.say import refusal_view, say

BAD_LINES = 20
# Every link is an open file, and the journal and the readers need some too.
MAX_LINKS = 64
HELLO_SECONDS = 3.0
LOOK_SECONDS = 0.25
STALL_SECONDS = 1.0

__all__ = ["BACKLOG", "BAD_LINES", "MAX_LINKS", "LinkError", "LocalServer"]

_decoder = msgspec.json.Decoder(m.AnyClientMessage)
_encode = msgspec.json.Encoder().encode
_log = Logger("link")
_BEAT = _encode(m.Heartbeat()) + b"\n"

_REJECTED = {
    "not_json": ("읽을 수 없는 줄입니다: {detail}", "The line cannot be read: {detail}"),
    "too_long": ("줄이 너무 깁니다.", "The line is too long."),
    "no_hello": ("첫 줄은 hello여야 합니다.", "The first line has to be a hello."),
    "protocol": ("프로토콜 버전이 다릅니다: {detail}", "Another protocol version: {detail}"),
    "link_taken": (
        "'{detail}'은(는) 이미 연결되어 있습니다.",
        "'{detail}' is connected already.",
    ),
    "too_many_links": ("연결이 너무 많습니다.", "There are too many links."),
    "too_many": ("잘못된 줄이 너무 많습니다.", "Too many bad lines."),
}


class LinkError(Exception):
    """The socket cannot be had; the message says why and what to do."""


class LocalServer:
    """Listens, reads lines, and posts what they say."""

    def __init__(
        self,
        path: Path,
        post: Callable[[Item], None],
        failed: Callable[[BaseException], None] = lambda _error: None,
    ) -> None:
        """`failed` is told when the thread has ended by a fault of its own: a station nobody can
        speak with must not go on. Raises LinkError.
        """
        self.path = path
        self._post = post
        self._failed = failed
        self._listener = _listen(path)
        self._selector = selectors.DefaultSelector()
        self._wake_r, self._wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._sessions: dict[int, LocalSession] = {}
        self._links: dict[str, LocalSession] = {}
        self._wake_lock = threading.Lock()
        self._count = 0
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="local-link", daemon=True)

    def start(self) -> None:
        self._selector.register(self._listener, selectors.EVENT_READ, "listener")
        self._selector.register(self._wake_r, selectors.EVENT_READ, "wake")
        self._thread.start()

    def stop(self) -> None:
        """End every link, remove the socket."""
        self._stopping = True
        self._wake()
        if self._thread.is_alive():
            self._thread.join(2)
        for session in list(self._sessions.values()):
            session.flush()
            session.close("stopped")
        self._listener.close()
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()
        self._selector.close()
        with self._wake_lock:
            os.close(self._wake_r)
            os.close(self._wake_w)
            self._wake_w = -1

    def _wake(self) -> None:
        with self._wake_lock, contextlib.suppress(OSError):
            if self._wake_w >= 0:
                os.write(self._wake_w, b"w")

    # --- the thread -------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._serve()
        except BaseException as error:  # noqa: BLE001 - the station stops, and says why
            _log.critical("link", exc_info=error)
            self._failed(error)

    def _serve(self) -> None:
        beat = seen = time.monotonic()
        while not self._stopping:
            for key, events in self._selector.select(timeout=LOOK_SECONDS):
                self._ready(key, events)
            now = time.monotonic()
            if now - seen > STALL_SECONDS:
                # The machine stood still, not the clients: what they said is not read yet.
                for session in self._sessions.values():
                    session.heard = now
            seen = now
            if now - beat >= m.HEARTBEAT_MS / 1000:
                beat = now
                for session in list(self._sessions.values()):
                    # The welcome comes first, however long the controller takes over it.
                    if session.greeted and session.spoken:
                        session.send(_BEAT)
            for session in list(self._sessions.values()):
                self._tend(session, now)

    def _ready(self, key: selectors.SelectorKey, events: int) -> None:
        if key.data == "listener":
            self._accept()
        elif key.data == "wake":
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_r, 4096)
        else:
            session: LocalSession = key.data
            if events & selectors.EVENT_WRITE:
                session.flush()
            if events & selectors.EVENT_READ:
                self._read(session)

    def _accept(self) -> None:
        try:
            sock, _ = self._listener.accept()
        except OSError as error:
            _log.warning("accept", error=str(error))
            return
        credentials = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        _pid, uid, _gid = struct.unpack("3i", credentials)
        if uid not in (0, os.geteuid()):
            _log.warning("foreign_peer", uid=uid)
            sock.close()
            return
        sock.setblocking(False)
        if len(self._sessions) >= MAX_LINKS:
            _log.warning("too_many_links", links=len(self._sessions))
            with contextlib.suppress(OSError):
                sock.send(_rejected("too_many_links", fatal=True))
            sock.close()
            return
        self._count += 1
        session = LocalSession(sock, self._count, self._wake)
        self._sessions[sock.fileno()] = session
        self._selector.register(sock, selectors.EVENT_READ, session)

    def _tend(self, session: LocalSession, now: float) -> None:
        """What a session needs beside its bytes: pending lines, silence, interest in writing."""
        if not session.ended and not session.busy and session.inbuf:
            self._lines(session)
        limit = m.LOST_AFTER_MS / 1000 if session.greeted else HELLO_SECONDS
        if not session.ended and not session.busy and now - session.heard > limit:
            session.ended = "silent"
        if session.ended:
            self._end(session)
            return
        wanted = 0 if session.busy else selectors.EVENT_READ
        if session.waiting:
            wanted |= selectors.EVENT_WRITE
        if not wanted:
            # Registered with nothing is not allowed; an answer wakes the thread by itself.
            wanted = selectors.EVENT_WRITE if session.waiting else 0
        self._interest(session, wanted)

    def _interest(self, session: LocalSession, wanted: int) -> None:
        key = self._selector.get_map().get(session.sock.fileno())
        if key is None:
            if wanted:
                self._selector.register(session.sock, wanted, session)
        elif not wanted:
            self._selector.unregister(session.sock)
        elif key.events != wanted:
            self._selector.modify(session.sock, wanted, session)

    def _end(self, session: LocalSession) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(session.sock)
        self._sessions.pop(session.sock.fileno(), None)
        session.close(session.ended)
        if session.greeted:
            self._links.pop(_slot(session), None)
            self._post(Gone(session, session.name, session.ended))
        _log.info("link_ended", session=session.id, link=session.actor.link, why=session.ended)

    def _read(self, session: LocalSession) -> None:
        try:
            data = session.sock.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            session.ended = session.ended or "closed"
            return
        session.heard = time.monotonic()
        session.inbuf += data
        self._lines(session)

    def _lines(self, session: LocalSession) -> None:
        """Whole lines, one at a time, until a command is under way."""
        while not session.busy and not session.ended:
            end = session.inbuf.find(b"\n")
            if end < 0:
                if len(session.inbuf) > m.MAX_LINE:
                    self._reject(session, "too_long", fatal=True)
                return
            line = bytes(session.inbuf[:end])
            del session.inbuf[: end + 1]
            session.heard = time.monotonic()
            if len(line) > m.MAX_LINE:
                self._reject(session, "too_long", fatal=True)
            elif line.strip():
                self._line(session, line)

    def _line(self, session: LocalSession, line: bytes) -> None:
        try:
            message = _message(line)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            self._bad_line(session, line, str(error) or type(error).__name__)
            return
        match message:
            case m.Hello():
                self._hello(session, message)
            case _ if not session.greeted:
                self._reject(session, "no_hello", fatal=True)
            case m.CommandMessage():
                session.busy = True
                self._post(Request(session, message.id, message.command))
            case m.Acknowledge():
                if session.actor.role == "host":
                    # In the inbox like a command: one at a time, so that no host can fill it.
                    session.busy = True
                    self._post(Acked(message.seq, session.ready))
            case m.Beat():
                pass

    def _bad_line(self, session: LocalSession, line: bytes, detail: str) -> None:
        """A command that can be told by its id is refused by name; anything else is rejected."""
        session.bad += 1
        command = _id_of(line)
        if not session.greeted or command is None:
            self._reject(session, "not_json", detail, fatal=not session.greeted)
        else:
            view = refusal_view(refuse("malformed", "", detail=detail[:300]))
            session.send(_encode(m.Answer(command, False, 0, view)) + b"\n")
        if session.bad > BAD_LINES:
            self._reject(session, "too_many", fatal=True)

    def _hello(self, session: LocalSession, hello: m.Hello) -> None:
        if hello.protocol != m.PROTOCOL:
            self._reject(session, "protocol", f"{hello.protocol} ≠ {m.PROTOCOL}", fatal=True)
            return
        if session.greeted:
            self._reject(session, "link_taken", session.actor.link, fatal=True)
            return
        session.actor = Actor(hello.role, f"{hello.role}:{hello.name}")
        other = self._links.get(_slot(session))
        if other is not None and _hung_up(other.sock):
            # Not read while its last command is under way, so its end was not seen.
            other.ended = other.ended or "closed"
            self._end(other)
        elif other is not None:
            self._reject(session, "link_taken", _slot(session), fatal=True)
            return
        session.name, session.after = hello.name, hello.after
        session.greeted = True
        self._links[_slot(session)] = session
        self._post(Joined(session, hello.name))

    def _reject(
        self, session: LocalSession, code: str, detail: str = "", *, fatal: bool = False
    ) -> None:
        session.send(_rejected(code, detail, fatal=fatal))
        if fatal:
            session.ended = session.ended or code


def _rejected(code: str, detail: str = "", *, fatal: bool = False) -> bytes:
    text = say(_REJECTED[code], {"detail": detail[:300]})
    return _encode(m.Rejected(code, text, fatal)) + b"\n"


def _slot(session: LocalSession) -> str:
    """A table has one host; other links are told apart by their names."""
    return "host" if session.actor.role == "host" else session.actor.link


def _hung_up(sock: socket.socket) -> bool:
    """Whether the other side has closed, whatever is still to be read."""
    poller = select.poll()
    poller.register(sock, select.POLLRDHUP)
    return bool(poller.poll(0))


def _message(line: bytes) -> m.AnyClientMessage:
    """A client's line. Raises msgspec.MsgspecError, RecursionError or UnicodeDecodeError."""
    message = _decoder.decode(line)
    if isinstance(message, m.CommandMessage):
        # Of two equal keys one would win silently: nobody can tell which was meant.
        json.loads(line, object_pairs_hook=_each_once)
    return message


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise msgspec.ValidationError(f"the key {twice!r} stands twice")
    return found


class _Named(msgspec.Struct):
    id: str


def _id_of(line: bytes) -> str | None:
    """The id of a command that could not be taken, if it has a usable one."""
    try:
        name = msgspec.json.decode(line, type=_Named).id
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    return name if 0 < len(name) <= 64 else None


def _listen(path: Path) -> socket.socket:
    """A listening socket of mode 0600; one that a killed station left behind is replaced."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _make_room(path)
        old = os.umask(0o177)
        try:
            listener.bind(str(path))
        finally:
            os.umask(old)
        listener.listen(MAX_LINKS)
    except LinkError:
        listener.close()
        raise
    except OSError as error:
        listener.close()
        raise LinkError(f"{path}: {error.strerror or error}; see [link] socket") from error
    listener.setblocking(False)
    return listener


def _make_room(path: Path) -> None:
    """Remove a socket nobody listens at. Raises LinkError when somebody does, OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        # With a time, a listener that is too busy to take us says so at once.
        probe.settimeout(1)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
        else:
            raise LinkError(
                f"{path}: a station is listening here already; stop it, or set another "
                "[link] socket"
            )
