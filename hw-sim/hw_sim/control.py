"""The simulator's own way to a virtual shoe: draw, present again, load, faults. Never in-band."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

from hw_sim.sockets import Lines, SocketError, check_path, line_of

TIMEOUT_S = 5.0


class ControlError(Exception):
    """The shoe is not there, or it said no; the message says which and why."""


class ShoeControl:
    """A virtual shoe's control socket. Connects when needed, and again after a restart."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._socket: socket.socket | None = None
        self._lines = Lines()

    def ask(self, do: str, **params: object) -> dict[str, Any]:
        """One request and its answer. Raises ControlError."""
        try:
            answer = self._exchange(line_of({"do": do, **params}))
        except (OSError, SocketError, ValueError) as error:
            self.close()
            words = f"{self.path}: no answer from the shoe: {_why(error)}"
            raise ControlError(words) from error
        if not answer.get("ok"):
            raise ControlError(f"the shoe refuses {do}: {answer.get('error', 'no reason given')}")
        return answer

    def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            self._lines = Lines()

    def _exchange(self, line: bytes) -> dict[str, Any]:
        if self._socket is None:
            check_path(self.path)
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.settimeout(TIMEOUT_S)
            self._socket.connect(str(self.path))
        self._socket.sendall(line)
        while True:
            data = self._socket.recv(65536)
            if not data:
                raise SocketError("it hung up")
            for answer in self._lines.feed(data):
                document = json.loads(answer)
                if isinstance(document, dict):
                    return document


def _why(error: Exception) -> str:
    """Why there is none, and what to do."""
    match error:
        case FileNotFoundError():
            return "nothing is there; start it first, or mend the path"
        case ConnectionRefusedError() | ConnectionResetError() | BrokenPipeError():
            return "it has ended; start it again"
        case PermissionError():
            return "this user may not ask it; be the user that started it"
        case TimeoutError():
            return "it took too long; look at what it says"
        case OSError():
            return f"{error.strerror or error}; mend the path"
    return str(error)
