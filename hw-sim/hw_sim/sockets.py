"""Unix sockets of mode 0600 and lines of JSON: what every simulator process talks in."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

MAX_LINE = 1 << 16
MAX_PATH = 107


class SocketError(Exception):
    """The socket cannot be had; the message says why and what to do."""


def check_path(path: Path) -> None:
    """Raises SocketError when the path is longer than the system takes."""
    length = len(os.fsencode(path))
    if length > MAX_PATH:
        raise SocketError(
            f"{path}: {length} bytes are too many for a socket's path (at most {MAX_PATH}); "
            "choose a shorter directory"
        )


def listen(path: Path) -> socket.socket:
    """A listening socket of mode 0600; one left behind by a killed process is replaced.

    Raises SocketError when somebody listens there already, or it cannot be made.
    """
    check_path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_socket():
        if is_listening(path):
            raise SocketError(f"{path}: another simulator listens here; stop it or choose another")
        path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    old = os.umask(0o177)
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        raise SocketError(f"{path}: {error.strerror}; choose another path") from error
    finally:
        os.umask(old)
    listener.listen(8)
    listener.setblocking(False)
    return listener


def is_listening(path: Path) -> bool:
    """Whether somebody takes connections there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def line_of(message: dict[str, Any]) -> bytes:
    """One line of JSON."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class Lines:
    """Whole lines out of bytes as they come."""

    def __init__(self, limit: int = 1 << 22) -> None:
        self._limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that ended in `data`. Raises SocketError for one that has no end."""
        self._buffer += data
        *lines, rest = self._buffer.split(b"\n")
        if len(rest) > self._limit:
            raise SocketError(f"a line of more than {self._limit} bytes")
        self._buffer = bytearray(rest)
        return [bytes(line) for line in lines if line.strip()]
