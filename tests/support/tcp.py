"""A serial server on the loopback, for tests: accept, send, take, reset, vanish, come back."""

from __future__ import annotations

import contextlib
import ctypes
import socket
import struct
import time
from types import TracebackType

SO_ATTACH_FILTER = 26
_LINGER_0 = struct.pack("ii", 1, 0)


class VirtualServer:
    """Listens on a port of its own; one connection at a time is looked at."""

    def __init__(self, family: socket.AddressFamily = socket.AF_INET, backlog: int = 4) -> None:
        self._family = family
        self._backlog = backlog
        self._listener: socket.socket | None = None
        self._connection: socket.socket | None = None
        self.number = 0
        self.listen()

    def __enter__(self) -> VirtualServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.off()

    @property
    def port(self) -> str:
        """As a device's setting names it."""
        host = "[::1]" if self._family == socket.AF_INET6 else "127.0.0.1"
        return f"tcp://{host}:{self.number}"

    def listen(self) -> None:
        """It is switched on: the same port again, when it had one."""
        listener = socket.socket(self._family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        listener.bind(("::1" if self._family == socket.AF_INET6 else "127.0.0.1", self.number))
        listener.listen(self._backlog)
        self.number = listener.getsockname()[1]
        self._listener = listener

    def accept(self, wait_s: float = 5.0) -> None:
        """Take the next connection."""
        assert self._listener is not None
        self._listener.settimeout(wait_s)
        self._connection, _ = self._listener.accept()

    def send(self, data: bytes) -> None:
        """The device behind it says something."""
        assert self._connection is not None
        self._connection.sendall(data)

    def take(self, size: int, wait_s: float = 5.0) -> bytes:
        """What came, up to `size` bytes."""
        assert self._connection is not None
        until = time.monotonic() + wait_s
        data = b""
        while len(data) < size and (left := until - time.monotonic()) > 0:
            self._connection.settimeout(left)
            with contextlib.suppress(TimeoutError):
                data += self._connection.recv(size - len(data))
        return data

    def hang_up(self) -> None:
        """End the connection in order (FIN)."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def reset(self) -> None:
        """End the connection at once (RST)."""
        assert self._connection is not None
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_0)
        self.hang_up()

    def vanish(self) -> None:
        """Half-open: no packet reaches this end any more, so nothing is ever answered.

        A socket filter that keeps no byte drops each segment before TCP sees it.
        """
        assert self._connection is not None
        keep_nothing = struct.pack("HBBI", 0x06, 0, 0, 0)  # BPF_RET | BPF_K, 0
        code = ctypes.create_string_buffer(keep_nothing)
        program = struct.pack("HP", 1, ctypes.addressof(code))
        self._connection.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)

    def off(self) -> None:
        """It is switched off."""
        self.hang_up()
        if self._listener is not None:
            self._listener.close()
            self._listener = None
