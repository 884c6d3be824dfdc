"""A recording played again on a pseudo-terminal: a virtual port that says what the real one said.

It plays, it does not answer: what the reader's own device would have said to other commands than
those of the recording it cannot know. Only what came over a line of bytes can be played.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
import tty
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from drivers.recording import Event, Recording

_LOOK_S = 0.02
_DRAIN_S = 0.2


class ReplayError(Exception):
    """The port cannot be made; the message says why and what to do."""


class Played(Struct, frozen=True):
    """`sent`: bytes played; `taken`: bytes the reader of the port wrote; `recorded`: bytes the
    station wrote when it was recorded. `lost`: bytes nobody took.
    """

    sent: int
    taken: int
    recorded: int
    lost: int


class ReplayPort:
    """A pseudo-terminal under a stable name, `link`. Its end of a reader is not held open, so
    that it can be seen when one opens it.
    """

    def __init__(self, link: Path) -> None:
        self.link = link
        self._master = -1
        self._name = ""

    @property
    def plugged(self) -> bool:
        """Whether it is there."""
        return self._master >= 0

    def plug(self) -> None:
        """Make the port. Raises ReplayError when something else stands under the name."""
        if self.link.exists() and not self.link.is_symlink():
            raise ReplayError(f"{self.link}: something else is here; choose another --link")
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self._name = os.ttyname(slave)
        os.close(slave)
        try:
            fresh = self.link.with_name(f"{self.link.name}.{os.getpid()}")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(self._name)
            fresh.replace(self.link)
        except OSError as error:
            self.unplug()
            raise ReplayError(f"{self.link}: {error.strerror}; choose another --link") from error

    def unplug(self) -> None:
        """Take the name away, then the port."""
        if self._master < 0:
            return
        with contextlib.suppress(OSError):
            if str(self.link.readlink()) == self._name:
                self.link.unlink()
        os.close(self._master)
        self._master = -1

    def opened(self) -> bool:
        """Whether a reader has it open: the other side hangs up while none has."""
        poller = select.poll()
        poller.register(self._master, 0)
        return not any(events & select.POLLHUP for _, events in poller.poll(0))

    def send(self, data: bytes, until: float) -> int:
        """Bytes to the reader, as it takes them, until that monotonic second. How many went."""
        sent = 0
        while sent < len(data) and time.monotonic() < until:
            try:
                sent += os.write(self._master, data[sent:])
            except BlockingIOError:
                select.select([], [self._master], [], _LOOK_S)
            except OSError:
                break
        return sent

    def take(self, wait_s: float) -> bytes:
        """What the reader wrote within so many seconds."""
        taken, until = b"", time.monotonic() + wait_s
        while (left := until - time.monotonic()) > 0:
            if not self.opened():
                time.sleep(min(left, _LOOK_S))
                continue
            if select.select([self._master], [], [], left)[0]:
                with contextlib.suppress(OSError):
                    taken += os.read(self._master, 65536)
        return taken


class _Player:
    def __init__(self, port: ReplayPort, told: Callable[[str], object]) -> None:
        self._port = port
        self._told = told
        self._first = True
        self.sent = self.taken = self.recorded = self.lost = 0

    def wait_until(self, at: float) -> None:
        left = at - time.monotonic()
        if left <= 0:
            return
        if self._port.plugged:
            self.taken += len(self._port.take(left))
        else:
            time.sleep(left)

    def play(self, event: Event) -> float:
        """Do it; how many seconds were spent waiting for a reader."""
        match event.did:
            case "opened":
                return self._open()
            case "closed" if self._port.plugged:
                self._port.unplug()
                self._told("unplugged, as it was then")
            case "in":
                went = 0
                if self._port.plugged:
                    went = self._port.send(event.data, time.monotonic() + 1.0)
                self.sent += went
                self.lost += len(event.data) - went
            case "out":
                self.recorded += len(event.data)
            case _:
                pass
        return 0.0

    def _open(self) -> float:
        began = time.monotonic()
        if not self._port.plugged:
            self._port.plug()
            again = "" if self._first else " again"
            self._told(f"plugged in{again} at {self._port.link}; waiting for a reader to open it")
        self._first = False
        while not self._port.opened():
            time.sleep(_LOOK_S)
        # A driver empties the port's buffers right after it opens it.
        self.taken += len(self._port.take(_DRAIN_S))
        return time.monotonic() - began


def replay(
    recording: Recording,
    link: Path,
    *,
    speed: float = 1.0,
    told: Callable[[str], object] = lambda text: None,
) -> Played:
    """Play it under `link`, `speed` times as fast, and unplug at the end; blocks. Each opening
    waits for a reader, for ever. Raises ReplayError.
    """
    port = ReplayPort(link)
    player = _Player(port, told)
    began = time.monotonic()
    try:
        for event in recording.events:
            player.wait_until(began + event.ms / 1000 / speed)
            began += player.play(event)
        if port.plugged:
            player.taken += len(port.take(_DRAIN_S))
    finally:
        port.unplug()
    return Played(player.sent, player.taken, player.recorded, player.lost)
