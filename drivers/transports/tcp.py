"""Serial servers over TCP: the bytes of a serial line as a raw stream, such as a Moxa NPort's.

A connection attempt takes 0.7 s at the most, looking its name up included. A connection whose
other end is gone without a word is noticed within 5 s, with or without anything to send: the
kernel asks after 2 s of silence, then each second, and gives up at `DEAD_MS`.

Bytes given to the kernel cannot be taken back from it, and may go out up to `DEAD_MS` late, when
the connection is given up. So no more than two commands' room (2 KiB) is ever in there, and what
finds more than 1 KiB before it is dropped whole.

A serial server tells nothing of parity or framing errors, nor whether a device is at its other end.
"""

from __future__ import annotations

import array
import contextlib
import errno
import fcntl
import os
import select
import socket
import termios
import threading
import time
from urllib.parse import urlsplit

from drivers.transports.base import (
    TransportBusy,
    TransportDenied,
    TransportError,
    TransportLost,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.output import LIMIT, Output, Sending

OPEN_S = 0.7
LOOK_UP_S = 0.3
ASK_AFTER_S = 2
ASK_EVERY_S = 1
DEAD_MS = 5000

_READ_SIZE = 4096
_KINDS: dict[int, type[TransportError]] = {
    errno.EACCES: TransportDenied,
    errno.EPERM: TransportDenied,
    errno.EINVAL: TransportMisconfigured,
    errno.EADDRNOTAVAIL: TransportBusy,
    errno.EMFILE: TransportBusy,
}
_MEANS: dict[int, str] = {
    errno.ECONNREFUSED: "refused: the serial server is there, but its port is closed or all its "
    "connections are taken; check the port number and its number of connections",
    errno.ETIMEDOUT: "no answer: check that the serial server has power, its cable and its address",
    errno.EHOSTUNREACH: "nothing has that address: check the serial server's power and cable",
    errno.ENETUNREACH: "no way to that network: check this machine's network settings",
    errno.EACCES: "this machine's firewall forbids it",
    errno.EPERM: "this machine's firewall forbids it",
    errno.EADDRNOTAVAIL: "this machine has no free port for it",
}
_LOST: dict[int, str] = {
    errno.ECONNRESET: "the serial server ended the connection: it was restarted, or another "
    "program took its place",
    errno.ETIMEDOUT: "the serial server answers no more: check its power and the network",
    errno.EPIPE: "the serial server has closed the connection",
}

_Address = tuple[socket.AddressFamily, tuple[str, int] | tuple[str, int, int, int]]


class TcpPort:
    """A serial server's port that can be opened. `port` such as `tcp://10.0.0.7:4001`, or with a
    name, or `tcp://[fe80::1%eth0]:4001`. `dead_ms`: see `DEAD_MS`.

    Raises ValueError when it names no host and port.
    """

    def __init__(self, port: str, dead_ms: int = DEAD_MS) -> None:
        address = urlsplit(port)
        if address.scheme != "tcp" or not address.hostname or not address.port:
            raise ValueError(f"port {port!r}: write host and port, such as tcp://10.0.0.7:4001")
        self._port = port
        self._dead_ms = dead_ms
        self._names = _Names(address.hostname, address.port)
        self._turn = 0

    def target(self) -> str | None:
        """The addresses that are known for the name; None before it is looked up. Never waits."""
        return " ".join(sorted(str(where[0]) for _, where in self._names.known())) or None

    def open(self) -> TcpTransport:
        """Connect; raises one of the `TransportError` kinds, after 0.7 s at the latest.

        Where a name has several addresses, each gets its share of the time, and another one is
        first each time.
        """
        until = time.monotonic() + OPEN_S
        try:
            found = self._names.look_up(LOOK_UP_S)
        except OSError as error:
            raise TransportMissing(
                f"{self._port}: the name has no address ({error.strerror or error}); check it, or "
                "write the address in its place"
            ) from error
        self._turn += 1
        turn = self._turn % len(found)
        failed: OSError | None = None
        for left, (family, where) in zip(
            range(len(found), 0, -1), found[turn:] + found[:turn], strict=True
        ):
            try:
                share = max(0.0, until - time.monotonic()) / left
                return self._transport(_connected(family, where, share, self._dead_ms))
            except OSError as error:
                failed = error
        assert failed is not None
        raise _refused(self._port, failed) from failed

    def _transport(self, connection: socket.socket) -> TcpTransport:
        try:
            return TcpTransport(connection, self._port)
        except OSError:
            # It ended as soon as it stood.
            connection.close()
            raise


class TcpTransport(Sending):
    """An open connection. See `drivers.transports.base.Transport`."""

    def __init__(self, connection: socket.socket, port: str) -> None:
        self._socket = connection
        self._port = port
        self._identity = _written(connection.getpeername())
        self._output = Output(self._send, self._discard, self._unsent)

    @property
    def identity(self) -> str:
        """The address behind the name."""
        return self._identity

    def fileno(self) -> int:
        """The descriptor to poll."""
        return self._socket.fileno()

    def read(self) -> bytes:
        """What has come. Raises TransportLost when the connection is gone."""
        try:
            data = self._socket.recv(_READ_SIZE)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self._lost(error) from error
        if not data:
            raise self._lost(OSError(errno.EPIPE, os.strerror(errno.EPIPE)))
        return data

    def still_there(self) -> bool:
        """A connection says itself when it is gone."""
        return True

    def close(self) -> None:
        """End the connection. Never raises; what has not gone out never does."""
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        with contextlib.suppress(OSError):
            self._socket.close()

    def _lost(self, error: BaseException) -> TransportLost:
        number = error.errno or 0 if isinstance(error, OSError) else 0
        return TransportLost(f"{self._port}: {_LOST.get(number, str(error))}")

    def _send(self, data: bytes) -> int:
        if self._unsent() > LIMIT:
            return len(data)  # No room: dropped whole, and what is before it tells of the trouble.
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0

    def _discard(self) -> None:
        """The kernel does not give bytes back; `DEAD_MS` ends what it cannot send."""

    def _unsent(self) -> int:
        count = array.array("i", [0])
        fcntl.ioctl(self._socket.fileno(), termios.TIOCOUTQ, count, True)
        return count[0]


class _Names:
    """A host's addresses. A look-up that takes long goes on in a thread of its own, one at a time;
    what it finds is there for the next attempt.
    """

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._known: tuple[_Address, ...] = ()
        self._failed: OSError | None = None
        self._thread: threading.Thread | None = None
        self._numeric = False
        with contextlib.suppress(OSError):
            self._known = self._resolve(socket.AI_NUMERICHOST)
            self._numeric = True

    def known(self) -> tuple[_Address, ...]:
        """What is known without asking."""
        return self._known

    def look_up(self, wait_s: float) -> tuple[_Address, ...]:
        """The addresses, at least one; those found before while the name cannot be looked up in
        time. Raises OSError when there are none.
        """
        if self._numeric:
            return self._known
        if self._thread is None:
            self._failed = None
            self._thread = threading.Thread(target=self._ask, name="look-up", daemon=True)
            self._thread.start()
        self._thread.join(wait_s)
        if not self._thread.is_alive():
            self._thread = None
        if self._known:
            return self._known
        raise self._failed or OSError(errno.ETIMEDOUT, "the name server does not answer")

    def _ask(self) -> None:
        try:
            self._known = self._resolve(0)
        except OSError as error:
            self._failed = error

    def _resolve(self, flags: int) -> tuple[_Address, ...]:
        try:
            found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM, flags=flags)
        except UnicodeError as error:
            raise OSError(errno.EINVAL, f"no host's name: {error}") from error
        inet = (socket.AF_INET, socket.AF_INET6)
        addresses = {(family, where): None for family, _, _, _, where in found if family in inet}
        if not addresses:
            raise OSError(errno.EADDRNOTAVAIL, "the name has no address")
        return tuple(addresses)  # type: ignore[arg-type]


def _connected(
    family: socket.AddressFamily, where: tuple[object, ...], wait_s: float, dead_ms: int
) -> socket.socket:
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        connection.setblocking(False)
        _keep(connection, dead_ms)
        number = connection.connect_ex(where)
        if number == errno.EINPROGRESS:
            poller = select.poll()
            poller.register(connection, select.POLLOUT)
            done = poller.poll(max(1, int(wait_s * 1000)))
            number = _error_of(connection) if done else errno.ETIMEDOUT
        if not number and connection.getsockname() == connection.getpeername():
            # On this machine a free port can be connected to itself.
            number = errno.ECONNREFUSED
        if number:
            raise OSError(number, os.strerror(number))
    except BaseException:
        connection.close()
        raise
    return connection


def _error_of(connection: socket.socket) -> int:
    return connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


def _keep(connection: socket.socket, dead_ms: int) -> None:
    """Send at once, and notice an other end that is gone."""
    tcp = socket.IPPROTO_TCP
    connection.setsockopt(tcp, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(tcp, socket.TCP_KEEPIDLE, min(ASK_AFTER_S, max(1, dead_ms // 2000)))
    connection.setsockopt(tcp, socket.TCP_KEEPINTVL, ASK_EVERY_S)
    connection.setsockopt(tcp, socket.TCP_KEEPCNT, max(1, dead_ms // 1000))
    connection.setsockopt(tcp, socket.TCP_USER_TIMEOUT, dead_ms)


def _written(where: tuple[object, ...]) -> str:
    host, port = where[0], where[1]
    return f"tcp://[{host}]:{port}" if ":" in str(host) else f"tcp://{host}:{port}"


def _refused(port: str, error: OSError) -> TransportError:
    number = error.errno or 0
    kind = _KINDS.get(number, TransportMissing)
    return kind(f"{port}: {_MEANS.get(number, os.strerror(number))}")
