"""A station of a socket and a script: it checks what clients say by the real messages, and says
what the test tells it to.
"""

from __future__ import annotations

import contextlib
import copy
import json
import queue
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from hw_sim.client import Client
from station import messages as m

WAIT_S = 10.0

Kind = TypeVar("Kind", m.Hello, m.CommandMessage, m.Acknowledge)


class FakeStation:
    """One client at a time. Every line is checked against `station.messages`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.version = 0
        self.said: queue.Queue[m.AnyClientMessage] = queue.Queue()
        self.bad: list[str] = []
        self._client: socket.socket | None = None
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        """The station is gone. A client that said something wrong fails the test."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self.hang_up()
        self._thread.join(5)
        self._listener.close()
        assert self.bad == []

    def hang_up(self) -> None:
        """Cut the link."""
        if self._client is not None:
            with contextlib.suppress(OSError):
                self._client.shutdown(socket.SHUT_RDWR)

    # --- what the client says -----------------------------------------------------------------

    def hello(self) -> m.Hello:
        """Wait for a hello and welcome it."""
        hello = self._next(m.Hello)
        self.send({"type": "welcome", "protocol": 1, "table": "T", "kind": "test", "session": "s"})
        return hello

    def command(self) -> m.CommandMessage:
        """Wait for a command."""
        return self._next(m.CommandMessage)

    def accept(self, do: str, **fields: Any) -> m.CommandMessage:
        """Wait for a command, see that it is this one, and answer that it is done."""
        message = self.command()
        assert message.command.__struct_config__.tag == do
        for name, value in fields.items():
            assert getattr(message.command, name) == value
        self.answer(message.id)
        return message

    def ack(self) -> int:
        """Wait for an acknowledgement."""
        return self._next(m.Acknowledge).seq

    def silent(self) -> bool:
        """Whether nothing but heartbeats is waiting."""
        return self.said.empty()

    # --- what the station says ----------------------------------------------------------------

    def send(self, *messages: dict[str, Any]) -> None:
        """One message, or several that come in one piece."""
        assert self._client is not None
        self._client.sendall(b"".join(json.dumps(one).encode() + b"\n" for one in messages))

    def show(self, snapshot: dict[str, Any]) -> None:
        """A snapshot, of the next version."""
        self.version += 1
        self.send({**snapshot, "type": "snapshot", "version": self.version})

    def answer(self, command: str, refusal: str = "") -> None:
        """The answer to a command, a fact of its own; a refusal by its code."""
        self.send(self.answer_to(command, refusal))

    def answer_to(self, command: str, refusal: str = "") -> dict[str, Any]:
        """Such an answer, to be sent."""
        self.version += 1
        text = {"ko": refusal, "en": refusal}
        view = {"code": refusal, "rule": "", "params": {}, "text": text} if refusal else None
        answer = {"type": "answer", "id": command, "ok": not refusal, "version": self.version}
        return {**answer, "refusal": view}

    # --- the thread ---------------------------------------------------------------------------

    def _next(self, kind: type[Kind]) -> Kind:
        message = self.said.get(timeout=WAIT_S)
        assert isinstance(message, kind), message
        return message

    def _serve(self) -> None:
        while True:
            try:
                self._client, _ = self._listener.accept()
            except OSError:
                return
            with contextlib.suppress(OSError), self._client.makefile("rb") as lines:
                for line in lines:
                    self._take(line)
            self._client.close()

    def _take(self, line: bytes) -> None:
        try:
            message = msgspec.json.decode(line, type=m.AnyClientMessage)
        except msgspec.MsgspecError as error:
            self.bad.append(f"{line!r}: {error}")
            return
        if isinstance(message, m.Beat):
            self.send({"type": "heartbeat"})
        else:
            self.said.put(message)


@contextlib.contextmanager
def running(client: Client) -> Iterator[threading.Thread]:
    """A client in a thread of its own; stopped at the end."""
    thread = threading.Thread(target=client.run)
    thread.start()
    try:
        yield thread
    finally:
        client.stop()
        thread.join(5)
        assert not thread.is_alive()


def text(words: str) -> dict[str, str]:
    """A sentence in both languages."""
    return {"ko": words, "en": words}


_BASE: dict[str, Any] = {
    "at": "2030-01-01T00:00:00Z",
    "table": {"id": "T", "kind": "test", "currency": "KRW", "minor_digits": 0},
    "phase": "idle",
    "round": 0,
    "rules": {"fingerprint": "f" * 64},
    "prompt": {"kind": "none", "code": "no_round", "text": text("")},
    "last_read": None,
    "seats": [{"seat": n, "player": "", "hands": [], "bets": []} for n in range(1, 8)],
    "dealer": {"cards": [], "total": 0, "soft": False, "state": "open"},
    "decision": None,
    "shoe": {"id": "A-1", "state": "in_play", "text": text("")},
    "devices": [],
    "holds": [],
    "staff": {"dealer": None, "signed_in": []},
    "actions": [],
    # A newer station says more than this program knows.
    "news": {"of": "a later version"},
}


def snapshot(**changes: Any) -> dict[str, Any]:
    """An idle table's snapshot with some of its parts changed."""
    return {**copy.deepcopy(_BASE), **changes}


def seat(number: int, player: str, **changes: Any) -> dict[str, Any]:
    """One seat's view."""
    return {"seat": number, "player": player, "hands": [], "bets": [], **changes}


def hand(*cards: str, total: int, soft: bool = False, state: str = "turn") -> dict[str, Any]:
    """One hand's view."""
    parts = {"hand": 1, "cards": list(cards), "total": total, "soft": soft, "state": state}
    return {**parts, "result": ""}


def action(command: str, target: str = "", refusal: str = "") -> dict[str, Any]:
    """One entry of the snapshot's actions."""
    view = {"code": refusal, "rule": "", "params": {}, "text": text("")} if refusal else None
    return {"command": command, "target": target, "refusal": view}


def hold(code: str, number: int = 1, **rulings: str) -> dict[str, Any]:
    """A hold; `rulings` by name, with the code that refuses them now or ""."""
    ways = [
        {"ruling": name, "text": text(""), "refusal": action("", "", refusal)["refusal"]}
        for name, refusal in rulings.items()
    ]
    return {"hold": number, "code": code, "what": text(code), "rulings": ways}
