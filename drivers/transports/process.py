"""A program of our own as a device: started, talked to over its pipes, ended.

It is told its settings in a first line and has to say that it is ready; until then the port counts
as not there. So a device is up only when it can see. Its errors (stderr) come out as remarks, at
most a few a second, whatever a library prints. It ends with its station: the pipe's end tells it,
and it asks the kernel for a signal as well.

Nothing here blocks but the start itself, which the kernel does.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from drivers.transports.base import (
    Port,
    Transport,
    TransportError,
    TransportLost,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.places import identity

# Seconds between two looks of who waits for a program.
_LOOK_S = 0.05
# A program that is not ready by then never will be.
START_S = 60.0
# One that says nothing for so long hangs, and is ended.
HANG_S = 10.0
# A program that ended soon is started again after so long, and then after longer.
FIRST_AGAIN_S, LAST_AGAIN_S = 0.2, 10.0
STEADY_S = 10.0
STALE_NS = 500_000_000

_READ_SIZE = 65536
_QUEUE = 64 * 1024
_HELD = 256 * 1024
_EXIT_WAIT_S = 0.2
_KEPT = ("PATH", "HOME", "TMPDIR", "SYSTEMROOT")


class TransportStarting(TransportMissing):
    """The program is starting: it is there, and sees nothing yet."""


class Where(Protocol):
    """What the program looks after, seen from here."""

    def target(self) -> str | None:
        """What stands there now, None for nothing."""

    def check(self) -> str:
        """What the program will find, for the technician. Raises one of the `TransportError`
        kinds when it would find nothing, or may not have it.
        """

    def still(self, opened: str | None) -> bool:
        """Whether what stood there (`target`) still does."""


class FileThere:
    """A file, a folder or a socket of another program."""

    def __init__(self, path: str) -> None:
        self._path = path

    def target(self) -> str | None:
        """What is there; a folder's or file's content may change."""
        try:
            status = Path(self._path).stat()
        except (OSError, ValueError):
            return None
        return identity(status)

    def check(self) -> str:
        """The path. Raises TransportMissing."""
        if self.target() is None:
            raise TransportMissing(f"{self._path}: nothing is there")
        return self._path

    def still(self, opened: str | None) -> bool:
        """Whether the same file is there. A socket that went away says so itself."""
        return self.target() in (opened, None)


class Program(Struct, frozen=True):
    """`arguments`: of this Python. `greeting`: the first line it is given. `ready`: how the line
    begins by which it says that it is ready. `exits`: what its exit statuses mean. `remark`: a
    line of its errors as a line of its protocol.
    """

    arguments: tuple[str, ...]
    greeting: Callable[[], bytes]
    ready: bytes
    exits: dict[int, type[TransportError]]
    remark: Callable[[str], bytes]
    start_s: float = START_S
    hang_s: float = HANG_S


def environment() -> dict[str, str]:
    """What the program gets of ours: no display's, no Qt's and no Python's settings."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {"PATH": os.defpath, **kept, "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1"}


class Chatter:
    """What a program writes to its errors: the last line is kept, a few a second are told."""

    BURST, EACH_S, LONGEST = 20, 1.0, 400

    def __init__(self) -> None:
        self.last = ""
        self._line = bytearray()
        self._told: deque[str] = deque(maxlen=self.BURST)
        self._left, self._filled_s, self._untold = self.BURST, 0.0, 0

    def feed(self, data: bytes, now_s: float) -> None:
        """Bytes came."""
        refill = int((now_s - self._filled_s) / self.EACH_S)
        if refill > 0:
            self._left = min(self.BURST, self._left + refill)
            self._filled_s = now_s
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._line += piece[: self.LONGEST]
            self._end()
        self._line += rest[: self.LONGEST]
        del self._line[self.LONGEST :]

    def take(self) -> list[str]:
        """The lines that may be told, oldest first."""
        told = list(self._told)
        self._told.clear()
        return told

    def end(self) -> None:
        """Nothing more comes."""
        self._end()

    def _end(self) -> None:
        text = self._line[: self.LONGEST].decode("utf-8", "replace").strip()
        self._line.clear()
        if not text:
            return
        again, self.last = text == self.last, text
        if again or self._left <= 0:
            self._untold += 1
            return
        self._left -= 1
        more = f" (and {self._untold} lines before it)" if self._untold else ""
        self._untold = 0
        self._told.append(text + more)


class _Child:
    """The running program and its pipes."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.began_s = self.heard_s = time.monotonic()
        self._process = subprocess.Popen(
            (sys.executable, "-P", *program.arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment(),
            start_new_session=True,
        )
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (s.fileno() for s in streams if s is not None)
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        self._poll = select.epoll(3)
        self._poll.register(self._out, select.EPOLLIN)
        self._poll.register(self._err, select.EPOLLIN)
        # Wakes who polls for what was already taken from the pipe.
        self._held_fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._poll.register(self._held_fd, select.EPOLLIN)
        self._chatter = Chatter()
        self._data = bytearray()
        self._queue = bytearray()
        self._queued_ns: int | None = None
        self._at_line_end = True
        self.answering = True
        self.ready = self.ended = self.closed = False
        self.lasted_s = 0.0
        self.send(program.greeting(), time.monotonic_ns())

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def gone(self) -> bool:
        """Whether it is ended and cleared away."""
        return self._process.poll() is not None

    def fileno(self) -> int:
        return self._poll.fileno()

    # --- from it --------------------------------------------------------------------------

    def pump(self) -> None:
        """Take what has come, and send what goes."""
        now_s = time.monotonic()
        if not self.ended and len(self._data) < _HELD:
            self._take_out(now_s)
        with contextlib.suppress(BlockingIOError, OSError):
            if data := os.read(self._err, _READ_SIZE):
                self._chatter.feed(data, now_s)
            else:
                self._poll.unregister(self._err)
        if self._queue:
            self._push()

    def _take_out(self, now_s: float) -> None:
        try:
            data = os.read(self._out, _READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.ended = True
            return
        self.heard_s = now_s
        self._data += data
        self._at_line_end = data.endswith(b"\n")
        if not self.ready:
            self.ready = self._data.startswith(self.program.ready) or (
                b"\n" + self.program.ready in self._data
            )

    def take(self) -> bytes:
        """What it said, and between its lines what it wrote to its errors."""
        if self._at_line_end:
            for text in self._chatter.take():
                self._data += self.program.remark(text)
        data = bytes(self._data)
        self._data.clear()
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._held_fd)
        return data

    def hand_over(self) -> None:
        """From now on it is polled: what is held already must not wait for more."""
        os.eventfd_write(self._held_fd, 1)

    def verdict(self) -> TransportError:
        """Why it ended. Waits a moment for its status, which comes after its last word."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_WAIT_S)
        self.pump()
        self._chatter.end()
        status, last = self._process.poll(), self._chatter.last
        words = f": {last}" if last else ""
        if status is None:
            return TransportLost(f"the reader's program closed its output{words}")
        if status < 0:
            name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
            why = "; a library it uses aborted it" if -status == signal.SIGABRT else ""
            return TransportLost(f"the reader's program was ended by {name}{why}{words}")
        kind = self.program.exits.get(status, TransportLost)
        if status in self.program.exits and last:
            return kind(last)
        return kind(f"the reader's program ended with status {status}{words}")

    def waits(self) -> bool:
        """Whether something it wrote has not been read."""
        poller = select.poll()
        poller.register(self._out, select.POLLIN)
        return bool(poller.poll(0))

    # --- to it ----------------------------------------------------------------------------

    def send(self, data: bytes, now_ns: int) -> None:
        """Queue whole lines; what has no room is dropped whole."""
        if len(self._queue) + len(data) > _QUEUE:
            self.answering = False
            return
        if not self._queue:
            self._queued_ns = now_ns
        self._queue += data
        self._push()

    def judge(self, now_ns: int) -> None:
        """Whether it takes what is sent to it."""
        if self._queued_ns is not None and now_ns - self._queued_ns >= STALE_NS:
            self.answering = False

    @property
    def wake_at_ns(self) -> int | None:
        if self._queued_ns is None or not self.answering:
            return None
        return self._queued_ns + STALE_NS

    def _push(self) -> None:
        while self._queue:
            try:
                del self._queue[: os.write(self._in, self._queue)]
            except BlockingIOError:
                with contextlib.suppress(OSError):
                    self._poll.register(self._in, select.EPOLLOUT)
                return
            except OSError:
                # It is gone: the end of its output says so.
                self._queue.clear()
        self._queued_ns = None
        self.answering = True
        with contextlib.suppress(OSError):
            self._poll.unregister(self._in)

    # --- its end --------------------------------------------------------------------------

    def close(self) -> None:
        """End it. Never waits: it is cleared away by a thread of its own."""
        if self.closed:
            return
        self.closed = True
        self.lasted_s = time.monotonic() - self.began_s
        if self._process.poll() is None:
            # Its own session: what it may have started ends with it.
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._poll.close()
        os.close(self._held_fd)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        if self._process.poll() is None:
            threading.Thread(target=self._process.wait, name="reap", daemon=True).start()


class ProcessTransport:
    """A program that is ready. See `drivers.transports.base.Transport`."""

    def __init__(self, child: _Child, where: Where, found: str, target: str | None) -> None:
        self._child = child
        self._where = where
        self._target = target
        self._identity = f"{found} (process {child.pid})"

    @property
    def identity(self) -> str:
        """What it looks at, and its number."""
        return self._identity

    def fileno(self) -> int:
        """The descriptor to poll: of its output, its errors, and its input while it is full."""
        return self._child.fileno()

    def read(self) -> bytes:
        """What has come, whole lines of its errors among it. Raises TransportLost or another kind
        when the program has ended.
        """
        self._child.pump()
        data = self._child.take()
        if not data and self._child.ended:
            raise self._child.verdict()
        return data

    def write(self, data: bytes, now_ns: int) -> None:
        """Queue whole lines and send what goes."""
        self._child.send(data, now_ns)

    def pump(self, now_ns: int) -> None:
        """Judge what has not gone."""
        self._child.pump()
        self._child.judge(now_ns)

    @property
    def output_waiting(self) -> bool:
        """Never: `fileno` also tells when its input takes something."""
        return False

    @property
    def output_wake_at_ns(self) -> int | None:
        """When `pump` is wanted."""
        return self._child.wake_at_ns

    @property
    def answering(self) -> bool:
        """False while the program takes nothing."""
        return self._child.answering

    def still_there(self) -> bool:
        """Whether its hardware is. Raises TransportLost when the program hangs."""
        silent_s = time.monotonic() - self._child.heard_s
        if silent_s >= self._child.program.hang_s and not self._child.waits():
            raise TransportLost(
                f"the reader's program has said nothing for {silent_s:.0f} s and was ended"
            )
        return self._where.still(self._target)

    def close(self) -> None:
        """End the program. Never raises, never waits."""
        self._child.close()


class ProcessPort:
    """A program that looks after `where`, started when that is there.

    The first `open` starts it and says that it is starting; a later one, when it is ready, gives
    the transport. `target` changes when it is, so that nobody has to wait for that.
    """

    def __init__(self, program: Program, where: Where) -> None:
        self._program = program
        self._where = where
        self._child: _Child | None = None
        self._last: _Child | None = None
        self._found = ""
        self._failed: tuple[type[TransportError], str] | None = None
        self._failed_at: str | None = None
        self._again_s, self._pause_s = 0.0, FIRST_AGAIN_S
        self._finalizer: weakref.finalize[..., ProcessPort] | None = None

    def target(self) -> str | None:
        """What the place stands for, and whether a program is ready there."""
        target = self._where.target()
        child = self._child
        if child is None or target is None:
            return target
        child.pump()
        return f"{target}|{child.pid}" if child.ready or child.ended else target

    def open(self) -> ProcessTransport:
        """A ready program; raises one of the `TransportError` kinds, TransportMissing while it
        starts.
        """
        if self._child is None:
            self._start()
        child = self._child
        assert child is not None
        child.pump()
        if child.ended:
            raise self._over(child.verdict())
        if child.ready:
            self._child, self._failed = None, None
            child.hand_over()
            return ProcessTransport(child, self._where, self._found, self._where.target())
        if time.monotonic() - child.began_s >= self._program.start_s:
            late = f"the reader's program was not ready within {self._program.start_s:.0f} s"
            raise self._over(TransportMissing(late))
        raise TransportStarting(f"{self._found}: the reader's program is starting")

    def close(self) -> None:
        """End a program that is still starting; one that was handed over is its transport's."""
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def _start(self) -> None:
        """Start one, if it is time: one that ends soon after its start is not started at once."""
        last = self._last
        if last is not None and not last.gone:
            raise TransportLost("the reader's program before this one is still ending")
        if last is not None and self._failed is None:
            self._rest(last, TransportLost("the reader's program ended soon after its start"))
        if self._failed is not None and time.monotonic() < self._again_s:
            kind, words = self._failed
            # Something else stands there now: what was wrong with the other does not count.
            if self._where.target() == self._failed_at:
                raise kind(words)
        self._found = self._where.check()
        try:
            child = _Child(self._program)
        except OSError as error:
            raise TransportMisconfigured(f"the reader's program does not start: {error}") from error
        self._child = self._last = child
        self._failed = None
        if self._finalizer is not None:
            self._finalizer.detach()
        self._finalizer = weakref.finalize(self, child.close)

    def _over(self, error: TransportError) -> TransportError:
        """The program ended, or is ended, before it was ready."""
        child, self._child = self._child, None
        if child is not None:
            child.close()
            self._rest(child, error)
        return error

    def _rest(self, child: _Child, error: TransportError) -> None:
        if child.lasted_s >= STEADY_S:
            self._pause_s = FIRST_AGAIN_S
            return
        self._failed, self._failed_at = (type(error), str(error)), self._where.target()
        self._again_s = time.monotonic() + self._pause_s
        self._pause_s = min(2 * self._pause_s, LAST_AGAIN_S)


def opened(port: Port, wait_s: float) -> Transport:
    """A port opened by who may wait for it: a program's is, until it is ready. Raises one of the
    `TransportError` kinds.
    """
    until = time.monotonic() + wait_s
    while True:
        try:
            return port.open()
        except TransportStarting:
            if time.monotonic() >= until:
                if isinstance(port, ProcessPort):
                    port.close()
                raise
            time.sleep(_LOOK_S)
