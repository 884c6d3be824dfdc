"""A program of our own as a device: started, talked to over its pipes, ended.

It is told its settings in a first line and has to say that it is ready; until then the port counts
as not there. So a device is up only when it can see. Its errors (stderr) come out as remarks, at
most a few a second, whatever a library prints. It ends with its station: the pipe's end tells it,
and it asks the kernel for a signal as well.
"""

from __future__ import annotations

import os
import time
import weakref
from pathlib import Path
from typing import Protocol

from drivers.transports.base import (
    Port,
    Transport,
    TransportDenied,
    TransportError,
    TransportLost,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.child import Child, Program
from drivers.transports.places import identity

# A program that ended soon is started again after so long, and then after longer.
FIRST_AGAIN_S, LAST_AGAIN_S = 0.2, 10.0
STEADY_S = 10.0
# Seconds between two looks of who waits for a program.
_LOOK_S = 0.05


class TransportStarting(TransportMissing):
    """The program is starting, or the one before it still ending: it will be there in a moment."""


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
        """The path. Raises TransportMissing, TransportDenied."""
        if self.target() is None:
            raise TransportMissing(f"{self._path}: nothing is there")
        if not os.access(self._path, os.R_OK):
            raise TransportDenied(f"{self._path}: this user may not open it")
        return self._path

    def still(self, opened: str | None) -> bool:
        """Whether the same file is there. A socket that went away says so itself."""
        return self.target() in (opened, None)


class ProcessTransport:
    """A program that is ready. See `drivers.transports.base.Transport`."""

    def __init__(self, child: Child, where: Where, found: str, target: str | None) -> None:
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
        self._child: Child | None = None
        self._last: Child | None = None
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
            if self._finalizer is not None:
                self._finalizer.detach()
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
            raise TransportStarting("the reader's program before this one is still ending")
        if last is not None and self._failed is None:
            self._rest(last, TransportLost("the reader's program ended soon after its start"))
        if self._failed is not None and time.monotonic() < self._again_s:
            kind, words = self._failed
            # Something else stands there now: what was wrong with the other does not count.
            if self._where.target() == self._failed_at:
                raise kind(words)
        self._found = self._where.check()
        try:
            child = Child(self._program)
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

    def _rest(self, child: Child, error: TransportError) -> None:
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
