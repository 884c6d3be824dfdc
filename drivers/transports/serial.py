"""Serial ports through pyserial: the one file that imports it.

pyserial opens and sets up the port; reading and writing are plain non-blocking calls on its
descriptor, because pyserial's own calls wait, and fail in three unrelated ways after an unplug.
Nothing is set again after opening: a changed time-out alone would wipe the error marking.

Line errors (parity, framing, break) are asked of the kernel with PARMRK. It marks a damaged byte
as FF 00 xx and doubles a real FF; `LineErrors` undoes the doubling and delivers FF in place of a
damaged byte, which no text protocol takes and every checksum finds.
"""

from __future__ import annotations

import array
import contextlib
import errno
import fcntl
import os
import termios
from typing import ClassVar, Literal

import serial
from msgspec import Struct

from drivers.transports.base import (
    TransportBusy,
    TransportDenied,
    TransportError,
    TransportLost,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.output import Output, Sending
from drivers.transports.places import Place, identity

_READ_SIZE = 4096
_PTY_MAJORS = range(136, 144)
_FAILURES = (serial.SerialException, OSError, termios.error)
_KINDS: dict[int, type[TransportError]] = {
    errno.EBUSY: TransportBusy,
    errno.EAGAIN: TransportBusy,
    errno.EACCES: TransportDenied,
    errno.EPERM: TransportDenied,
    errno.ENOTTY: TransportMisconfigured,
    errno.EINVAL: TransportMisconfigured,
    errno.EISDIR: TransportMisconfigured,
}
_MEANS: dict[type[TransportError], str] = {
    TransportBusy: "another program holds it; close that program",
    TransportDenied: "this user may not open it; add the user to the group that owns it",
    TransportMisconfigured: "it is no serial port, or does not take these settings",
    TransportMissing: "nothing answers there; check the cable and the name",
}


class SerialSettings(Struct, frozen=True, kw_only=True):
    """A port by its stable name (such as /dev/serial/by-id/...), and its line."""

    path: str
    baud: int = 9600
    bytesize: Literal[7, 8] = 8
    parity: Literal["none", "even", "odd"] = "none"
    stopbits: Literal[1, 2] = 1
    dtr: bool = True
    rts: bool = True


class SerialPort:
    """A serial port that can be opened. `place`: where its name leads, and which hardware is
    accepted there; left out, its path and any.
    """

    def __init__(self, settings: SerialSettings, place: Place | None = None) -> None:
        self._settings = settings
        self._place = place or Place(settings.path)

    def target(self) -> str | None:
        """The device node behind the name, or None when there is none."""
        return self._place.target()

    def open(self) -> SerialTransport:
        """Open it for this process alone; raises one of the `TransportError` kinds."""
        port = _configured(self._settings, self._place.node())
        try:
            port.open()
        except (ValueError, OverflowError) as error:
            raise TransportMisconfigured(f"{self._settings.path}: {error}") from error
        except _FAILURES as error:
            raise _refused(self._settings.path, error) from error
        try:
            self._place.check(port.fileno())
            _claim(port.fileno())
            with contextlib.suppress(ValueError, NotImplementedError, OSError):
                port.set_low_latency_mode(True)
            _mark_line_errors(port.fileno())
            return SerialTransport(port, self._place)
        except TransportError:
            _close(port)
            raise
        except _FAILURES as error:
            _close(port)
            raise _refused(self._settings.path, error) from error


class SerialTransport(Sending):
    """An open serial port. See `drivers.transports.base.Transport`."""

    failures = _FAILURES

    def __init__(self, port: serial.Serial, place: Place) -> None:
        self._port = port
        self._place = place
        self._path = place.name
        self._fd: int = port.fileno()
        self._opened = identity(os.fstat(self._fd))
        self._identity = os.path.realpath(str(port.port))
        self._errors = LineErrors()
        self._output = Output(self._send, self._discard, self._unsent)

    @property
    def identity(self) -> str:
        """The device node behind the stable name."""
        return self._identity

    def fileno(self) -> int:
        """The descriptor to poll."""
        return self._fd

    def read(self) -> bytes:
        """What has come. Raises TransportLost when the port is gone."""
        try:
            data = os.read(self._fd, _READ_SIZE)
        except BlockingIOError:
            return b""
        except _FAILURES as error:
            raise self._lost(error) from error
        if not data:
            # The port waits for at least one byte (VMIN 1), so nothing at all is a hang-up.
            raise TransportLost(f"{self._path}: hung up")
        return self._errors.decode(data)

    def still_there(self) -> bool:
        """Whether the stable name still names the port that is open."""
        return self._place.still(self._opened)

    def close(self) -> None:
        """Let go of the port. Never raises, never waits for output."""
        _close(self._port)

    def _lost(self, error: BaseException) -> TransportLost:
        return TransportLost(f"{self._path}: {error}")

    def _send(self, data: bytes) -> int:
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0

    def _discard(self) -> None:
        termios.tcflush(self._fd, termios.TCOFLUSH)

    def _unsent(self) -> int:
        count = array.array("i", [0])
        fcntl.ioctl(self._fd, termios.TIOCOUTQ, count, True)
        return count[0]


class LineErrors:
    """Undoes PARMRK: FF FF is a real FF, FF 00 xx a damaged byte, delivered as FF.

    A mark may be cut by the end of a read; what is not complete waits for the next one.
    """

    _WIDTH: ClassVar = {b"\xff\xff": 2, b"\xff\x00": 3}

    def __init__(self) -> None:
        self._rest = b""

    def decode(self, data: bytes) -> bytes:
        """The bytes as they were on the line."""
        if not self._rest and 0xFF not in data:
            return data
        data = self._rest + data
        clean = bytearray()
        at, size = 0, len(data)
        while at < size:
            width = self._WIDTH.get(data[at : at + 2], 1)
            if at + width > size or (data[at] == 0xFF and at + 1 == size):
                break
            clean.append(data[at])
            at += width
        self._rest = data[at:]
        return bytes(clean)


def _configured(settings: SerialSettings, node: str) -> serial.Serial:
    port = serial.Serial()
    port.port = node
    port.baudrate = settings.baud
    port.bytesize = settings.bytesize
    port.parity = settings.parity[0].upper()
    port.stopbits = settings.stopbits
    port.timeout = 0
    port.write_timeout = 0
    port.exclusive = True
    port.dtr = settings.dtr
    port.rts = settings.rts
    return port


def _claim(fd: int) -> None:
    """Make further opens fail, also those that do not ask for the lock (root's excepted).

    Not on a pseudo-terminal: there the mark outlives a killed process for as long as the other
    side keeps the terminal open, and would lock the next start out.
    """
    if os.major(os.fstat(fd).st_rdev) not in _PTY_MAJORS:
        fcntl.ioctl(fd, termios.TIOCEXCL)


def _mark_line_errors(fd: int) -> None:
    """Ask the kernel to mark damaged bytes, and reads to tell a hang-up from nothing yet."""
    attributes = termios.tcgetattr(fd)
    attributes[0] |= termios.PARMRK | termios.INPCK
    attributes[0] &= ~(termios.IGNPAR | termios.BRKINT)
    attributes[6][termios.VMIN] = 1
    attributes[6][termios.VTIME] = 0
    termios.tcsetattr(fd, termios.TCSANOW, attributes)


def _close(port: serial.Serial) -> None:
    # Output left in the kernel would hold the close of a device that does not take it.
    with contextlib.suppress(*_FAILURES, ValueError):
        termios.tcflush(port.fileno(), termios.TCOFLUSH)
    with contextlib.suppress(*_FAILURES, ValueError):
        fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
    with contextlib.suppress(*_FAILURES, ValueError):
        port.close()


def _refused(path: str, error: BaseException) -> TransportError:
    number = _errno(error)
    kind = _KINDS.get(number, TransportMissing)
    reason = os.strerror(number) if number else str(error)
    return kind(f"{path}: {_MEANS[kind]} ({reason})")


def _errno(error: BaseException | None) -> int:
    """The error number, which pyserial sometimes leaves to the error it was raised from."""
    while error is not None:
        if isinstance(error, OSError) and error.errno:
            return error.errno
        if isinstance(error, termios.error) and error.args and isinstance(error.args[0], int):
            return error.args[0]
        error = error.__cause__ or error.__context__
    return 0
