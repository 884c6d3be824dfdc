"""A device node that is not there: records over a socket under a stable name.

It stands for /dev/hidrawN (a report of 64 bytes a record) or /dev/input/eventN (an event of 24
bytes). A driver connects to the socket (SOCK_SEQPACKET) and gets `ready SIZE`; while one is
connected, or another program has the node, the next one gets `busy` and is cut off. Like a
kernel's node it keeps nothing for a driver that is not there, but the lamps of a keyboard that are
lit: those are the first events of whoever opens it.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
from pathlib import Path

from hw_sim.port import PortError

REPORT = 64
EVENT = 24
_IN_ONE = 64
_EVENT = struct.Struct("llHHi")
_EV_LED = 17


class RecordPort:
    """The device's end of a node. `link`: the path of the socket; `size`: of a record."""

    def __init__(self, link: Path, size: int) -> None:
        self.link = link
        self.size = size
        self._listener: socket.socket | None = None
        self._client: socket.socket | None = None
        self._epoll: select.epoll | None = None
        self._inode = 0
        self._busy = False
        self._lit: dict[int, bytes] = {}

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
        """How many drivers are connected, 0 or 1."""
        return int(self._client is not None)

    @property
    def unread(self) -> int:
        """What lies in the socket cannot be told."""
        return 0

    def fileno(self) -> int:
        """Readable when a driver comes, goes or has sent something; -1 when unplugged."""
        return self._epoll.fileno() if self._epoll is not None else -1

    def plug(self, *, denied: bool = False, busy: bool = False) -> None:
        """Plug it in as a new node, its lamps dark. `denied`: its mode lets nobody but root open
        it, until `permit`. `busy`: another program has it, until `release`.

        A socket that a killed simulator left behind is replaced. Raises PortError when something
        else is in the way, or the socket cannot be made.
        """
        if self.link.exists() and not self.link.is_socket():
            raise PortError(f"{self.link}: there is a file here that is no socket; choose another")
        self._hang_up()
        self._busy = busy
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        fresh = self.link.with_name(f"{self.link.name}.{os.getpid()}")
        try:
            self.link.parent.mkdir(parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            listener.bind(str(fresh))
            fresh.chmod(0 if denied else 0o600)
            self._inode = fresh.stat().st_ino
            listener.listen(8)
            fresh.replace(self.link)
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
        """Pull the plug: the name goes first, as udev takes it away, then the node."""
        if not self.plugged:
            return
        with contextlib.suppress(OSError):
            # Another simulator may have taken the name meanwhile: its socket stays.
            if self.link.stat().st_ino == self._inode:
                self.link.unlink()
        self._hang_up()

    def send(self, data: bytes) -> bool:
        """Records to the driver; False when not all of them went: unplugged, or nobody takes them.

        Events go out several at a time, as a node gives them; reports one by one.
        """
        if not self.plugged:
            return False
        self._note_lamps(data)
        self._accept()
        if self._client is None:
            return False
        step = EVENT * _IN_ONE if self.size == EVENT else self.size
        try:
            for at in range(0, len(data), step):
                self._client.send(data[at : at + step])
        except BlockingIOError:
            return False
        except OSError:
            self._drop()
            return False
        return True

    def take(self) -> bytes:
        """One report the driver has sent, b"" when there is none. Drivers that come are let in,
        or sent away.
        """
        self._accept()
        if self._client is None:
            return b""
        try:
            data = self._client.recv(4096)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._drop()
        return data

    # --- drivers ------------------------------------------------------------------------------

    def _accept(self) -> None:
        while self._listener is not None and self._epoll is not None:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            client.setblocking(False)
            self._notice_gone()
            if self._busy or self._client is not None:
                with contextlib.suppress(OSError):
                    client.send(b"busy")
                client.close()
                continue
            with contextlib.suppress(OSError):
                client.send(b"ready %d" % self.size)
                if self._lit:
                    client.send(b"".join(self._lit.values()))
            self._client = client
            self._epoll.register(client.fileno(), select.EPOLLIN)

    def _notice_gone(self) -> None:
        """The driver that was connected may have left just now, and come again."""
        if self._client is not None:
            poller = select.poll()
            poller.register(self._client.fileno(), select.POLLIN)
            if any(events & select.POLLHUP for _, events in poller.poll(0)):
                self._drop()

    def _drop(self) -> None:
        if self._client is not None and self._epoll is not None:
            self._epoll.unregister(self._client.fileno())
            self._client.close()
            self._client = None

    def _hang_up(self) -> None:
        self._drop()
        if self._listener is not None:
            self._listener.close()
        if self._epoll is not None:
            self._epoll.close()
        self._listener = self._epoll = None
        self._lit.clear()

    def _note_lamps(self, data: bytes) -> None:
        if self.size != EVENT:
            return
        for at in range(0, len(data) - EVENT + 1, EVENT):
            record = data[at : at + EVENT]
            _, _, kind, code, value = _EVENT.unpack(record)
            if kind == _EV_LED and value:
                self._lit[code] = record
            elif kind == _EV_LED:
                self._lit.pop(code, None)
