"""Device nodes as files: HID reports (/dev/hidrawN) and input events (/dev/input/eventN).

Opening and the requests a node takes are here; the rest is `read` and `write` on a descriptor, the
same for a node and for the socket of a simulator (`virtual:/path`), which serves records to one
client at a time and greets it with `ready SIZE`, or with `busy`.

A node is opened for this process alone or not at all: by a lock (hidraw) or by the grab (input),
without which the desktop would get the keys as well.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import socket
import struct
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from drivers.transports import ioctls
from drivers.transports.base import (
    TransportBusy,
    TransportDenied,
    TransportError,
    TransportLost,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.places import Place, identity
from drivers.transports.reports import Reports

REPORT = 64
EVENT = struct.Struct("llHHi")
EV_SYN, EV_KEY, EV_LED = 0, 1, 17
LED_CAPS_LOCK = 1

_READ_SIZE = 4096
_GREETING_MS = 500
_ENTER = 28
_KEY_BYTES = 96
_KINDS: dict[int, type[TransportError]] = {
    errno.EBUSY: TransportBusy,
    errno.EAGAIN: TransportBusy,
    errno.EACCES: TransportDenied,
    errno.EPERM: TransportDenied,
    errno.ENOTTY: TransportMisconfigured,
    errno.EINVAL: TransportMisconfigured,
    errno.EISDIR: TransportMisconfigured,
    errno.EPIPE: TransportMisconfigured,
    errno.EPROTOTYPE: TransportMisconfigured,
    errno.ENOTSOCK: TransportMisconfigured,
}
_MEANS: dict[type[TransportError], str] = {
    TransportBusy: "another program holds it; close that program",
    TransportDenied: "this user may not open it; add the user to the group that owns it",
    TransportMisconfigured: "it is no such node, or does not take these settings",
    TransportMissing: "nothing answers there; check the cable and the name",
}


class Opened(Struct, frozen=True):
    """What opening found. `told`: what the device says it is. `first`: what it told of its state,
    as the bytes it would have sent for it. `release`: lets go of lock or grab.
    """

    told: str
    release: Callable[[int], object]
    first: bytes = b""


class NodeTransport:
    """An open node. See `drivers.transports.base.Transport`. `size`: of a record."""

    def __init__(
        self, fd: int, name: str, opened: Opened, size: int, still: Callable[[], bool]
    ) -> None:
        self._fd = fd
        self._name = name
        self._opened = opened
        self._size = size
        self._still = still
        self._first = opened.first
        self._reports = Reports(fd)

    @property
    def identity(self) -> str:
        """The node behind the stable name, and what it says it is."""
        return self._opened.told

    def fileno(self) -> int:
        """The descriptor to poll."""
        return self._fd

    def read(self) -> bytes:
        """Whole records, as many as have come; a short report is filled up with zeros. Raises
        TransportLost when the node is gone.
        """
        if self._first:
            first, self._first = self._first, b""
            return first
        try:
            data = os.read(self._fd, _READ_SIZE)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise TransportLost(f"{self._name}: {os.strerror(error.errno or 0)}") from error
        if not data:
            raise TransportLost(f"{self._name}: hung up")
        return data + bytes(-len(data) % self._size)

    def write(self, data: bytes, now_ns: int) -> None:
        """Queue one report; what is older than half a second is dropped."""
        self._reports.put(data, now_ns)

    def pump(self, now_ns: int) -> None:
        """Drop what is stale."""
        self._reports.pump(now_ns)

    @property
    def output_waiting(self) -> bool:
        """Never: reports are sent by a thread of their own."""
        return False

    @property
    def output_wake_at_ns(self) -> int | None:
        """When `pump` is wanted."""
        return self._reports.wake_at_ns

    @property
    def answering(self) -> bool:
        """False once the device has let output go stale, until it takes a report again."""
        return self._reports.answering

    def still_there(self) -> bool:
        """Whether the stable name still names the node that is open."""
        return self._still()

    def close(self) -> None:
        """Let go of it: the grab and the lock end with it. Never raises, never waits."""
        self._reports.close()
        # A report still on its way keeps the file open, but nobody from opening it anew.
        with contextlib.suppress(OSError):
            self._opened.release(self._fd)
        with contextlib.suppress(OSError):
            os.close(self._fd)


class HidrawPort:
    """A HID device's reports. `feature`: a feature report sent at opening, its number first."""

    def __init__(self, place: Place, feature: bytes = b"") -> None:
        self._place = place
        self._feature = feature

    def target(self) -> str | None:
        """The node behind the name, or None when there is none."""
        return self._place.target()

    def open(self) -> NodeTransport:
        """Open it for this process alone; raises one of the `TransportError` kinds."""
        return _opened(self._place, os.O_RDWR, REPORT, self._claim)

    def _claim(self, fd: int) -> Opened:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        data = fcntl.ioctl(fd, ioctls.HIDIOCGRAWINFO, bytes(ioctls.RAW_INFO.size))
        _, vid, pid = ioctls.RAW_INFO.unpack(data)
        if self._feature:
            fcntl.ioctl(fd, ioctls.hidiocsfeature(len(self._feature)), self._feature)
        return Opened(f"{vid & 0xFFFF:04x}:{pid & 0xFFFF:04x}", _unlock)


class InputPort:
    """A keyboard's events, for this process alone."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def target(self) -> str | None:
        """The node behind the name, or None when there is none."""
        return self._place.target()

    def open(self) -> NodeTransport:
        """Open and grab it; raises one of the `TransportError` kinds. Never ungrabbed."""
        try:
            return _opened(self._place, os.O_RDWR, EVENT.size, grab)
        except TransportDenied:
            return _opened(self._place, os.O_RDONLY, EVENT.size, grab)


def grab(fd: int) -> Opened:
    """Take an input node for this process alone. Gives what it says it is, and the event of a
    Caps Lock lamp that is lit and cannot be put out. Raises OSError, TransportMisconfigured.

    While it is grabbed, lamps do not follow the desktop: a lamp lit before would stay lit, and a
    scanner that looks at it would go on sending letters in the wrong case.
    """
    fcntl.ioctl(fd, ioctls.EVIOCGRAB, 1)
    fcntl.ioctl(fd, ioctls.EVIOCSCLOCKID, struct.pack("i", ioctls.CLOCK_MONOTONIC))
    if not ioctls.bits(fd, ioctls.eviocgbit(EV_KEY, _KEY_BYTES), _KEY_BYTES) >> _ENTER & 1:
        raise TransportMisconfigured("this node has no Enter key; a scanner may have a second one")
    _, vid, pid, _ = ioctls.INPUT_ID.unpack(fcntl.ioctl(fd, ioctls.EVIOCGID, bytes(8)))
    told = f"{vid:04x}:{pid:04x} {ioctls.text(fd, ioctls.eviocgname(256), 256)}"
    if not _caps_lock(fd):
        return Opened(told, _ungrab)
    with contextlib.suppress(OSError):
        os.write(fd, EVENT.pack(0, 0, EV_LED, LED_CAPS_LOCK, 0) + EVENT.pack(0, 0, EV_SYN, 0, 0))
    lit = EVENT.pack(0, 0, EV_LED, LED_CAPS_LOCK, 1) if _caps_lock(fd) else b""
    return Opened(told, _ungrab, lit)


def _ungrab(fd: int) -> None:
    fcntl.ioctl(fd, ioctls.EVIOCGRAB, 0)


def _unlock(fd: int) -> None:
    fcntl.flock(fd, fcntl.LOCK_UN)


def _hang_up(fd: int) -> None:
    with socket.socket(fileno=os.dup(fd)) as link:
        link.shutdown(socket.SHUT_RDWR)


def _caps_lock(fd: int) -> bool:
    return bool(ioctls.bits(fd, ioctls.eviocgled(8), 8) >> LED_CAPS_LOCK & 1)


def _opened(place: Place, flags: int, size: int, claim: Callable[[int], Opened]) -> NodeTransport:
    node = place.node()
    try:
        fd = os.open(node, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _refused(place.name, error) from error
    try:
        place.check(fd)
        found = claim(fd)
        opened = identity(os.fstat(fd))
        told = f"{os.path.realpath(node)} {found.told}"
        found = Opened(told, found.release, found.first)
        return NodeTransport(fd, place.name, found, size, lambda: place.still(opened))
    except TransportError:
        os.close(fd)
        raise
    except OSError as error:
        os.close(fd)
        raise _refused(place.name, error) from error


# --- a simulator's node ------------------------------------------------------------------------


class VirtualNodePort:
    """The socket of a simulated node. `size`: of the records that are read from it."""

    def __init__(self, path: str, size: int) -> None:
        self._path = path
        self._size = size

    def target(self) -> str | None:
        """The socket, or None when there is none."""
        try:
            return identity(Path(self._path).stat())
        except (OSError, ValueError):
            return None

    def open(self) -> NodeTransport:
        """Connect to it; raises one of the `TransportError` kinds."""
        link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        try:
            opened = self.target()
            link.connect(self._path)
            self._greeted(link)
            return NodeTransport(
                link.detach(),
                self._path,
                Opened(f"virtual:{self._path}", _hang_up),
                self._size,
                lambda: self.target() == opened,
            )
        except TransportError:
            link.close()
            raise
        except OSError as error:
            link.close()
            raise _refused(self._path, error) from error

    def _greeted(self, link: socket.socket) -> None:
        poller = select.poll()
        poller.register(link.fileno(), select.POLLIN)
        if not poller.poll(_GREETING_MS):
            raise TransportMissing(f"{self._path}: {_MEANS[TransportMissing]}")
        greeting = link.recv(64)
        if greeting == b"busy":
            raise TransportBusy(f"{self._path}: {_MEANS[TransportBusy]}")
        if greeting != b"ready %d" % self._size:
            raise TransportMisconfigured(f"{self._path}: it is another kind of device's node")


def _refused(name: str, error: OSError | ValueError) -> TransportError:
    number = error.errno or 0 if isinstance(error, OSError) else 0
    kind = _KINDS.get(number, TransportMissing)
    return kind(f"{name}: {_MEANS[kind]} ({os.strerror(number) if number else error})")
