"""A program of our own that runs, and its pipes. Nothing here blocks but the start itself."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from drivers.transports.base import TransportError, TransportLost

# A program that is not ready by then never will be.
START_S = 60.0
# One that says nothing for so long hangs, and is ended.
HANG_S = 10.0
STALE_NS = 500_000_000

_READ_SIZE = 65536
_QUEUE = 64 * 1024
_HELD = 256 * 1024
_EXIT_WAIT_S = 0.2
_KEPT = ("PATH", "HOME", "TMPDIR", "SYSTEMROOT")


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


class Child:
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
