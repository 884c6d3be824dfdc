"""A link of the benchmark: plain blocking lines, nothing of the product's own client code."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Seen = dict[str, Any]


class Lines:
    """One client; reads only when asked, and keeps the newest snapshot."""

    def __init__(self, path: Path, role: str, name: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(str(path))
        self._socket.settimeout(10)
        self._buffer = b""
        self._count = 0
        self._beat = 0.0
        self._seen: Seen = {}
        self._name = name
        self._send({"type": "hello", "protocol": 1, "role": role, "name": name})
        self.until(lambda now: True)

    def _send(self, message: Seen) -> None:
        self._socket.sendall(json.dumps(message).encode() + b"\n")

    def beat(self) -> None:
        """Say that we are here, once in half a second; and take in what has come."""
        if time.monotonic() - self._beat > 0.5:
            self._beat = time.monotonic()
            self._send({"type": "heartbeat"})
        self.fresh()

    def _line(self) -> Seen:
        while b"\n" not in self._buffer:
            data = self._socket.recv(1 << 20)
            if not data:
                raise SystemExit(f"{self._name}: the station ended the link")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        message: Seen = json.loads(line)
        if message["type"] == "snapshot":
            self._seen = message
        elif message["type"] == "rejected":
            raise SystemExit(message["text"]["en"])
        return message

    def fresh(self) -> Seen:
        """The newest snapshot that has arrived."""
        self._socket.setblocking(False)
        try:
            while True:
                try:
                    data = self._socket.recv(1 << 20)
                except BlockingIOError:
                    break
                if not data:
                    raise SystemExit(f"{self._name}: the station ended the link")
                self._buffer += data
        finally:
            self._socket.settimeout(10)
        while b"\n" in self._buffer:
            self._line()
        return self._seen

    def until(self, there: Callable[[Seen], bool]) -> Seen:
        """Read until a snapshot fits."""
        if self._seen and there(self._seen):
            return self._seen
        while True:
            message = self._line()
            if message["type"] == "snapshot" and there(message):
                return message

    def say(self, command: Seen) -> int:
        """A command that has to be accepted; the fact its answer stands at."""
        self._count += 1
        name = f"{self._name}-{self._count}"
        self._send({"type": "command", "id": name, "command": command})
        while True:
            message = self._line()
            if message["type"] == "answer" and message["id"] == name:
                if not message["ok"]:
                    raise SystemExit(f"{command}: {message['refusal']['text']['en']}")
                version: int = message["version"]
                return version
