"""A recording played again: a virtual device that says what the real one said, when it said it.

What came over a line of bytes is played on a pseudo-terminal; reports and keys on the socket of a
virtual node (`virtual:/path`, see `drivers.transports.nodes`). It plays, it does not answer: what
the device would have said to other commands than those of the recording it cannot know.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import select
import socket
import struct
import termios
import time
import tty
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from drivers.catalog import kind_name, kind_of
from drivers.recording import Event, Recording, spec_from
from drivers.specs import VIRTUAL
from drivers.transports.nodes import EVENT, REPORT, HidrawPort, InputPort
from drivers.transports.process import ProcessPort

_MS = 1_000_000
_LOOK_S = 0.02
_DRAIN_S = 0.2
_SETTLE_S = 2.0
_READY_S = 1.0
_QUIET_LOOKS = 5


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

    def settle(self) -> None:
        """Wait until the reader has taken what it was sent: what a port still holds goes with it,
        and what was read when it was recorded was read before the plug was pulled.
        """
        until = time.monotonic() + _SETTLE_S
        # Bytes on their way through the kernel are counted nowhere for a moment.
        quiet = 0
        while quiet < _QUIET_LOOKS and self.opened() and time.monotonic() < until:
            time.sleep(_LOOK_S)
            quiet = 0 if self._untaken() else quiet + 1

    def _untaken(self) -> int:
        count = array.array("i", [0])
        with contextlib.suppress(OSError):
            slave = os.open(self._name, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                fcntl.ioctl(slave, termios.FIONREAD, count, True)
            finally:
                os.close(slave)
        return count[0]

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

    def ready(self) -> bool:
        """Whether the reader has set the port up: a station's driver asks for marks of line errors
        after it has emptied the port. Terminal and port share their settings.
        """
        try:
            return bool(termios.tcgetattr(self._master)[0] & termios.PARMRK)
        except termios.error:
            return False

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


class ReplayNode:
    """A virtual node: a socket that greets its one client, and sends records of `size` bytes."""

    def __init__(self, path: Path, size: int) -> None:
        self.link = path
        self.size = size
        self._listener: socket.socket | None = None
        self._client: socket.socket | None = None

    @property
    def plugged(self) -> bool:
        """Whether it is there."""
        return self._listener is not None

    def plug(self) -> None:
        """Make the socket. Raises ReplayError when something else stands under the name."""
        if self.link.exists() and not self.link.is_socket():
            raise ReplayError(f"{self.link}: something else is here; choose another --link")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        try:
            self.link.unlink(missing_ok=True)
            listener.bind(str(self.link))
            listener.listen(4)
        except OSError as error:
            listener.close()
            raise ReplayError(f"{self.link}: {error.strerror}; choose another --link") from error
        self._listener = listener

    def settle(self) -> None:
        """What was sent stays in the socket for the reader."""

    def unplug(self) -> None:
        """Take the name away, then the node."""
        if self._listener is None:
            return
        self.link.unlink(missing_ok=True)
        self._listener.close()
        self._listener = None
        self._hang_up()

    def opened(self) -> bool:
        """Whether a reader has it open."""
        if self._client is not None and _gone(self._client):
            self._hang_up()
        while self._listener is not None:
            try:
                come, _ = self._listener.accept()
            except BlockingIOError:
                break
            if self._client is not None:
                with contextlib.suppress(OSError), come:
                    come.send(b"busy")
                continue
            come.setblocking(False)
            with contextlib.suppress(OSError):
                come.send(b"ready %d" % self.size)
            self._client = come
        return self._client is not None

    def ready(self) -> bool:
        """Nothing has to be set up."""
        return True

    def send(self, data: bytes, until: float) -> int:
        """Records to the reader, as it takes them, until that monotonic second. How many bytes
        went.
        """
        sent = 0
        while sent < len(data) and time.monotonic() < until and self.opened():
            assert self._client is not None
            try:
                sent += self._client.send(data[sent : sent + self.size])
            except BlockingIOError:
                select.select([], [self._client], [], _LOOK_S)
            except OSError:
                break
        return sent

    def take(self, wait_s: float) -> bytes:
        """What the reader wrote within so many seconds."""
        taken, until = b"", time.monotonic() + wait_s
        while (left := until - time.monotonic()) > 0:
            if not self.opened() or self._client is None:
                time.sleep(min(left, _LOOK_S))
            elif select.select([self._client], [], [], min(left, _LOOK_S))[0]:
                with contextlib.suppress(OSError):
                    taken += self._client.recv(65536)
        return taken

    def _hang_up(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def _gone(link: socket.socket) -> bool:
    poller = select.poll()
    poller.register(link, select.POLLRDHUP)
    return bool(poller.poll(0))


def port_for(recording: Recording, link: Path) -> ReplayPort | ReplayNode:
    """The virtual device a recording can be played on. Raises RecordingError, and ReplayError for
    one of a camera: its reader's words are kept, not its pictures.
    """
    spec = replace(spec_from(recording.header), port=str(link.absolute()))
    port, _ = kind_of(kind_name(spec)).make(spec)
    match port:
        case HidrawPort():
            return ReplayNode(link, REPORT)
        case InputPort():
            return ReplayNode(link, EVENT.size)
        case ProcessPort():
            raise ReplayError(
                f"{link}: a {kind_name(spec)} cannot be played: the recording holds what its "
                "reader said, not what it saw; play a film to it with port = file:/path"
            )
        case _:
            return ReplayPort(link)


class _Player:
    def __init__(
        self,
        port: ReplayPort | ReplayNode,
        told: Callable[[str], object],
        start_ns: int,
        speed: float,
    ) -> None:
        self._port = port
        self._told = told
        self._start_ns = start_ns
        self._speed = speed
        self._began_ns = time.monotonic_ns()
        self._first = True
        self.sent = self.taken = self.recorded = self.lost = 0

    def play(self, event: Event) -> None:
        """Do it at its time."""
        self._wait_until(self._now_for(self._start_ns + round(event.ms * _MS)) / 1e9)
        match event.did:
            case "opened":
                self._open()
            case "closed" if self._port.plugged:
                came_ns = time.monotonic_ns()
                self._port.settle()
                self._port.unplug()
                self._began_ns += time.monotonic_ns() - came_ns
                self._told("unplugged, as it was then")
            case "in":
                self._send(event.data)
            case "out":
                self.recorded += len(event.data)
            case _:
                pass

    def end(self) -> None:
        """Hear what the reader still has to say."""
        if self._port.plugged:
            self._port.settle()
            self.taken += len(self._port.take(_DRAIN_S))

    def _now_for(self, then_ns: int) -> int:
        """Which monotonic time stands for one of the recording."""
        return self._began_ns + round((then_ns - self._start_ns) / self._speed)

    def _wait_until(self, at: float) -> None:
        left = at - time.monotonic()
        if left > 0 and self._port.plugged:
            self.taken += len(self._port.take(left))
        elif left > 0:
            time.sleep(left)

    def _send(self, data: bytes) -> None:
        went = 0
        if self._port.plugged:
            if isinstance(self._port, ReplayNode) and self._port.size == EVENT.size:
                data = restamped(data, self._now_for)
            went = self._port.send(data, time.monotonic() + 1.0)
        self.sent += went
        self.lost += len(data) - went

    def _open(self) -> None:
        """Plug in, and wait for a reader; the time of waiting is not the recording's."""
        came_ns = time.monotonic_ns()
        if not self._port.plugged:
            self._port.plug()
            again = "" if self._first else " again"
            where = f"{VIRTUAL if isinstance(self._port, ReplayNode) else ''}{self._port.link}"
            self._told(f"plugged in{again}: port = {where}; waiting for a reader to open it")
        self._first = False
        while not self._port.opened():
            time.sleep(_LOOK_S)
        # A driver empties the port right after it opens it: nothing may be sent before that.
        until = time.monotonic() + _READY_S
        while not self._port.ready() and time.monotonic() < until:
            time.sleep(_LOOK_S)
        self.taken += len(self._port.take(_DRAIN_S))
        self._began_ns += time.monotonic_ns() - came_ns


def restamped(data: bytes, now_for: Callable[[int], int]) -> bytes:
    """Input events with the kernel's stamps moved to another time: a driver tells slow keys from
    late ones by them.
    """
    moved = bytearray()
    for at in range(0, len(data) - EVENT.size + 1, EVENT.size):
        seconds, micros, *rest = EVENT.unpack_from(data, at)
        stamp_us = now_for(seconds * 1_000_000_000 + micros * 1000) // 1000
        try:
            moved += EVENT.pack(*divmod(stamp_us, 1_000_000), *rest)
        except struct.error:
            # A stamp that no clock shows: noise stays as it is.
            moved += data[at : at + EVENT.size]
    return bytes(moved) + data[len(moved) :]


def replay(
    recording: Recording,
    link: Path,
    *,
    speed: float = 1.0,
    told: Callable[[str], object] = lambda text: None,
) -> Played:
    """Play it under `link`, `speed` times as fast, and unplug at the end; blocks. Each opening
    waits for a reader, for ever. Raises ReplayError, and RecordingError for unknown settings.
    """
    port = port_for(recording, link)
    player = _Player(port, told, recording.header.start_ns, speed)
    try:
        for event in recording.events:
            player.play(event)
        player.end()
    finally:
        port.unplug()
    return Played(player.sent, player.taken, player.recorded, player.lost)
