"""A serial device server: the device at the far end of a TCP connection, as an NPort offers it.

Several clients may be connected, as such a server is often set up: each hears all that the device
says, and the device hears them all. The address is the stable name.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct

from hw_sim.port import PortError

CLIENTS = 4


class TcpPort:
    """The device's end. `address`: HOST:PORT; port 0 is one that is free, kept from then on."""

    def __init__(self, address: str) -> None:
        host, colon, port = address.rpartition(":")
        if not colon or not host or not port.isdigit() or int(port) > 65535:
            raise PortError(f"--tcp {address!r}: write HOST:PORT, such as 127.0.0.1:4001")
        self._host, self._port = host.strip("[]"), int(port)
        self._listener: socket.socket | None = None
        self._clients: dict[int, socket.socket] = {}
        self._epoll: select.epoll | None = None
        self._busy = False
        self._half_open = False

    @property
    def plugged(self) -> bool:
        """Whether the server is there."""
        return self._epoll is not None

    @property
    def name(self) -> str:
        """The port as a station's settings write it; "" when unplugged."""
        return f"tcp://{self._host}:{self._port}" if self.plugged else ""

    @property
    def clients(self) -> int:
        """How many are connected."""
        return len(self._clients)

    @property
    def unread(self) -> int:
        """What lies in the clients' own buffers cannot be told."""
        return 0

    def fileno(self) -> int:
        """Readable when a client comes, goes or has sent something; -1 when unplugged."""
        return self._epoll.fileno() if self._epoll is not None else -1

    def plug(self, *, denied: bool = False, busy: bool = False) -> None:
        """The server is there; whoever was connected is not any more. `denied`: it refuses
        connections. `busy`: it ends them at once, as one that has all its clients.

        Raises PortError when the address cannot be had.
        """
        self.unplug()
        self._epoll = select.epoll()
        self._busy = busy
        if not denied:
            self._listen()

    def permit(self) -> None:
        """It takes connections again."""
        if self.plugged and self._listener is None:
            self._listen()

    def release(self) -> None:
        """It has room for clients again."""
        self._busy = False

    def unplug(self) -> None:
        """The server is gone: connections are reset, new ones refused."""
        self.drop()
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        if self._epoll is not None:
            self._epoll.close()
            self._epoll = None
        self._half_open = False

    def drop(self) -> None:
        """Every connection is reset."""
        for client in self._clients.values():
            with contextlib.suppress(OSError):
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        self._clients.clear()

    def half_open(self, on: bool) -> None:
        """The way to the clients is dead, and they are not told; at its end they find out."""
        if self._half_open and not on:
            self.drop()
        self._half_open = on

    def send(self, data: bytes) -> bool:
        """To every client; False when there is none, or none took all of it."""
        if self._half_open:
            return False
        taken = False
        for client in list(self._clients.values()):
            try:
                taken = client.send(data) == len(data) or taken
            except BlockingIOError:
                continue
            except OSError:
                self._gone(client)
        return taken

    def take(self) -> bytes:
        """What the clients have sent; those who come and go are seen to."""
        came = b""
        for fd, _ in self._epoll.poll(0) if self._epoll is not None else []:
            if self._listener is not None and fd == self._listener.fileno():
                self._accept(self._listener)
            elif fd in self._clients:
                came += self._read(self._clients[fd])
        return came if not self._half_open else b""

    def _listen(self) -> None:
        assert self._epoll is not None
        listener = socket.socket(socket.AF_INET6 if ":" in self._host else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((self._host, self._port))
        except OSError as error:
            listener.close()
            reason = error.strerror or error
            raise PortError(f"--tcp {self._host}:{self._port}: {reason}; choose another") from error
        listener.listen(8)
        listener.setblocking(False)
        self._port = listener.getsockname()[1]
        self._listener = listener
        self._epoll.register(listener, select.EPOLLIN)

    def _accept(self, listener: socket.socket) -> None:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        if self._busy or len(self._clients) >= CLIENTS:
            client.close()
            return
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._clients[client.fileno()] = client
        if self._epoll is not None:
            self._epoll.register(client, select.EPOLLIN)

    def _read(self, client: socket.socket) -> bytes:
        try:
            data = client.recv(65536)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._gone(client)
        return data

    def _gone(self, client: socket.socket) -> None:
        self._clients.pop(client.fileno(), None)
        client.close()
