"""Frames over a Unix socket (SOCK_STREAM, mode 0600): the simulated camera's port.

The simulator listens; who connects last gets the frames, the one before is cut off. Each frame is a
header, little-endian, and its payload:

| bytes | |
|---|---|
| 4 | `DSF1` |
| 1 + 3 | `J`: a JPEG, `B`: BGR, row by row; zeros |
| 4, 4 | width, height |
| 8 | number of the frame |
| 8 | when it was taken, CLOCK_MONOTONIC in ns |
| 4 | length of the payload |

The client says nothing. One that is slow loses frames: it gets the newest, and never half a one.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
from pathlib import Path

from hw_sim.port import PortError
from hw_sim.sockets import SocketError, check_path

HEADER = struct.Struct("<4sB3xIIQQI")
MAGIC = b"DSF1"
JPEG, RAW = ord("J"), ord("B")
_BUFFER = 1 << 18


def packed(form: int, size: tuple[int, int], number: int, at_ns: int, payload: bytes) -> bytes:
    """A frame as it goes over the socket."""
    return HEADER.pack(MAGIC, form, *size, number, at_ns, len(payload)) + payload


class CameraPort:
    """The camera's end. `link`: the path of the socket. See `hw_sim.port.DevicePort`."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self._listener: socket.socket | None = None
        self._client: socket.socket | None = None
        self._epoll: select.epoll | None = None
        self._inode = 0
        self._busy = False
        self._going = b""
        self._next = b""
        self.dropped = 0

    @property
    def plugged(self) -> bool:
        """Whether it is plugged in."""
        return self._listener is not None

    @property
    def name(self) -> str:
        """The port as a station's settings write it; "" when unplugged."""
        return f"virtual:{self.link}" if self.plugged else ""

    @property
    def clients(self) -> int:
        """How many watch, 0 or 1."""
        return int(self._client is not None)

    @property
    def unread(self) -> int:
        """Frames that were not read are no loss."""
        return 0

    def fileno(self) -> int:
        """Readable when somebody comes or goes, or takes frames again; -1 when unplugged."""
        return self._epoll.fileno() if self._epoll is not None else -1

    def plug(self, *, denied: bool = False, busy: bool = False) -> None:
        """Plug it in as a new camera. `denied`: nobody may open it until `permit`. `busy`: another
        program has it until `release`. Raises PortError when it cannot be.
        """
        if self.link.exists() and not self.link.is_socket():
            raise PortError(
                f"{self.link}: there is something here that is no socket; choose another name"
            )
        self._hang_up()
        self._busy = busy
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        fresh = self.link.with_name(f"{self.link.name}.{os.getpid()}")
        try:
            check_path(fresh)
            self.link.parent.mkdir(parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            listener.bind(str(fresh))
            fresh.chmod(0 if denied else 0o600)
            self._inode = fresh.stat().st_ino
            listener.listen(8)
            fresh.replace(self.link)
        except SocketError as error:
            listener.close()
            raise PortError(str(error)) from error
        except OSError as error:
            listener.close()
            raise PortError(f"{self.link}: {error.strerror or error}; choose another") from error
        self._listener = listener
        self._epoll = select.epoll()
        self._epoll.register(listener.fileno(), select.EPOLLIN)

    def permit(self) -> None:
        """It may be opened from now on."""
        if self.plugged:
            self.link.chmod(0o600)

    def release(self) -> None:
        """The other program lets go of it."""
        self._busy = False

    def unplug(self) -> None:
        """Pull the plug: the socket goes first, then whoever watches is cut off."""
        if not self.plugged:
            return
        with contextlib.suppress(OSError):
            # Another simulator may have taken the name meanwhile: its socket stays.
            if self.link.stat().st_ino == self._inode:
                self.link.unlink()
        self._hang_up()

    def send(self, data: bytes) -> bool:
        """A frame, or the rest of one. Always taken: what nobody watches is not lost."""
        if self._client is None:
            return True
        if not data.startswith(MAGIC):
            # The rest of a frame stays behind its beginning.
            if self._next:
                self._next += data
            else:
                self._going += data
        elif self._going:
            self.dropped += bool(self._next)
            self._next = data
        else:
            self._going = data
        self._flush()
        return True

    def take(self) -> bytes:
        """Sees to those who come, go, or can take more; they say nothing."""
        for fd, events in self._epoll.poll(0) if self._epoll is not None else []:
            if self._listener is not None and fd == self._listener.fileno():
                self._accept(self._listener)
            elif self._client is not None and fd == self._client.fileno():
                if events & (select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR):
                    self._read()
                if events & select.EPOLLOUT:
                    self._flush()
        return b""

    # --- the client -------------------------------------------------------------------------

    def _accept(self, listener: socket.socket) -> None:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        if self._busy:
            client.close()
            return
        self._forget_client()
        client.setblocking(False)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        self._client = client
        if self._epoll is not None:
            self._epoll.register(client.fileno(), select.EPOLLIN)

    def _read(self) -> None:
        assert self._client is not None
        try:
            came = self._client.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            came = b""
        if not came:
            self._forget_client()

    def _flush(self) -> None:
        while self._client is not None and (self._going or self._next):
            if not self._going:
                self._going, self._next = self._next, b""
            try:
                sent = self._client.send(self._going)
            except BlockingIOError:
                break
            except OSError:
                self._forget_client()
                return
            self._going = self._going[sent:]
        if self._client is not None and self._epoll is not None:
            wants = select.EPOLLIN | (select.EPOLLOUT if self._going or self._next else 0)
            self._epoll.modify(self._client.fileno(), wants)

    def _forget_client(self) -> None:
        if self._client is not None:
            if self._epoll is not None:
                with contextlib.suppress(OSError):
                    self._epoll.unregister(self._client.fileno())
            self._client.close()
        self._client = None
        self._going = self._next = b""

    def _hang_up(self) -> None:
        self._forget_client()
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        if self._epoll is not None:
            self._epoll.close()
            self._epoll = None
