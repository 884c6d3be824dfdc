"""A virtual shoe as a process: a pseudo-terminal, a control socket, and timers between them.

Control: lines of JSON, `{"do": "draw"}` → `{"ok": true, ...}` or `{"ok": false, "error": "..."}`.

| do | what |
|---|---|
| `draw` | the next card goes over the wire; answers with the card and its position |
| `reread` | the last card again (`face`: the last of that face) |
| `state` | position, codes given so far, whether plugged in |
| `out` | the shoe is taken out; nothing can be drawn until `load` |
| `remaining` | faces and how many of each are left in a shoe that is out (`shoe`: its name) |
| `load` | a new shuffled shoe, seed + 1 (`seed`, `set`: others); the old one is out |
| `fault` | `fault` and its parameters: now, or at the next draw |
| `arm` | `fault`, `after`: that many draws go well before it |
| `disarm` | forget what is armed |
| `faults` | the faults there are |
"""

from __future__ import annotations

import contextlib
import functools
import heapq
import json
import os
import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from hw_sim import wire
from hw_sim.codes import CodeError
from hw_sim.faults import FAULTS, FaultError, fault_params
from hw_sim.port import VirtualPort
from hw_sim.shoe import Given, Shoe, ShoeEmpty
from hw_sim.sockets import MAX_LINE, Lines, SocketError, line_of, listen

_RESERVED = ("do", "fault", "after")


@dataclass(frozen=True)
class ShoeSettings:
    """How the shoe is made; see `hw_sim.shoe.Shoe` for seed, decks, set, cut and stack."""

    link: Path
    control: Path
    seed: int
    decks: int = 8
    set: str = "A"
    cut: int | None = None
    suffix: str = "cr"
    stack: tuple[str, ...] = ()
    log: Path | None = None


@dataclass
class _Armed:
    after: int
    fault: str
    params: dict[str, object]


class ShoeServer:
    """Runs one shoe. `start`, then `run` until `stop`; `close` leaves nothing behind."""

    def __init__(self, settings: ShoeSettings, now: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self.port = VirtualPort(settings.link)
        self.shoe = self._new_shoe(settings.seed, settings.set, settings.stack)
        self._out: dict[str, dict[str, int]] = {}
        self._empty = False
        self._suffix = wire.suffix_bytes(settings.suffix)
        self._now = now
        self._armed: list[_Armed] = []
        self._held = b""
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._selector = selectors.DefaultSelector()
        self._wake_r, self._wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._listener: socket.socket | None = None
        self._log: TextIO | None = None
        self._stopping = False

    def start(self) -> None:
        """Plug in and listen. Raises PortError or SocketError."""
        self._listener = listen(self.settings.control)
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        self._selector.register(self._wake_r, selectors.EVENT_READ, None)
        if self.settings.log is not None:
            self.settings.log.parent.mkdir(parents=True, exist_ok=True)
            self._log = self.settings.log.open("a", encoding="utf-8")
        self._plug()

    def stop(self) -> None:
        """End `run`; from any thread or a signal handler."""
        self._stopping = True
        with contextlib.suppress(OSError):
            os.write(self._wake_w, b"w")

    def run(self) -> None:
        """Serve until `stop`."""
        while not self._stopping:
            for key, _ in self._selector.select(self._wait()):
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fd == self._wake_r:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self._wake_r, 4096)
                elif isinstance(key.data, Lines) and isinstance(key.fileobj, socket.socket):
                    self._read(key.fileobj, key.data)
                elif key.fd == self.port.fileno():
                    self._note({"driver_sent": self.port.take().hex()})
            while self._timers and self._timers[0][0] <= self._now():
                heapq.heappop(self._timers)[2]()

    def close(self) -> None:
        """Unplug, close everything, remove link and socket."""
        if self.port.plugged:
            self._selector.unregister(self.port)
            self.port.unplug()
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
        if self._listener is not None:
            self.settings.control.unlink(missing_ok=True)
        if self._log is not None:
            self._log.close()
        self._selector.close()
        os.close(self._wake_r)
        os.close(self._wake_w)

    # --- the control socket -----------------------------------------------------------------

    def _wait(self) -> float | None:
        return max(0.0, self._timers[0][0] - self._now()) if self._timers else None

    def _accept(self) -> None:
        if self._listener is not None:
            client, _ = self._listener.accept()
            client.settimeout(1.0)
            self._selector.register(client, selectors.EVENT_READ, Lines(MAX_LINE))

    def _read(self, client: socket.socket, lines: Lines) -> None:
        try:
            data = client.recv(65536)
            whole = lines.feed(data)
            for line in whole:
                client.sendall(line_of(self.answer(line)))
        except (OSError, SocketError):
            data = b""
        if not data:
            self._selector.unregister(client)
            client.close()

    def answer(self, line: bytes) -> dict[str, Any]:
        """The answer to one line; a bad one is told what is wrong and changes nothing."""
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise FaultError("a request is an object such as {'do': 'draw'}")
            return {"ok": True, **self._do(request)}
        except (FaultError, CodeError, ShoeEmpty, ValueError) as error:
            return {"ok": False, "error": str(error)}

    def _do(self, request: dict[str, Any]) -> dict[str, Any]:
        match request.get("do"):
            case "draw":
                return self.draw()
            case "reread":
                return self._reread(str(request.get("face", "")))
            case "state":
                return self.state()
            case "out":
                self._take_out()
                self._note({"out": self.shoe.name})
                return {"shoe": self.shoe.name}
            case "remaining":
                return self._remaining(str(request.get("shoe", "")))
            case "load":
                return self._load(request)
            case "fault":
                return self._fault(*_fault_of(request))
            case "arm":
                name, params = _fault_of(request)
                after = request.get("after", 0)
                if not isinstance(after, int) or after < 0:
                    raise FaultError(f"after {after!r}: how many cards come before it, 0 or more")
                self._armed.append(_Armed(after, name, params))
                return {"armed": name, "after": after}
            case "disarm":
                self._armed.clear()
                return {}
            case "faults":
                return {"faults": {name: fault.doc for name, fault in FAULTS.items()}}
            case other:
                raise FaultError(
                    f"do {other!r}: draw, reread, state, out, remaining, load, fault, arm, disarm "
                    "or faults"
                )

    def state(self) -> dict[str, Any]:
        """Where the shoe is. What is still in it is never told, but for one that is `out`."""
        last = self.shoe.last()
        return {
            "shoe": self.shoe.name,
            "set": self.shoe.set,
            "seed": self.shoe.seed,
            "position": len(self.shoe.given),
            "out": self._empty,
            "left": self.shoe.left,
            "given": [given.card.code for given in self.shoe.given],
            "last": _told(last) if last else None,
            "plugged": self.port.plugged,
            "port": self.port.name,
            "armed": [{"fault": armed.fault, "after": armed.after} for armed in self._armed],
        }

    # --- cards ------------------------------------------------------------------------------

    def draw(self) -> dict[str, Any]:
        """Pull the next card and send what the reader makes of it. Raises ShoeEmpty."""
        if self._empty:
            raise ShoeEmpty("the shoe is out: load a new one")
        if not self.shoe.left:
            raise ShoeEmpty("the shoe is empty: load a new one")
        fault, params = self._due_fault()
        given = self.shoe.draw()
        more = self._present(given, fault, params)
        return {**_told(given), "left": self.shoe.left, "fault": fault, **more}

    def _due_fault(self) -> tuple[str, dict[str, object]]:
        """The fault of this draw; what is armed for later draws comes one nearer."""
        due = next((armed for armed in self._armed if armed.after == 0), None)
        if due is not None:
            self._armed.remove(due)
        for armed in self._armed:
            armed.after = max(0, armed.after - 1)
        return (due.fault, due.params) if due else ("", {})

    def _present(self, given: Given, fault: str, params: dict[str, object]) -> dict[str, Any]:
        """The wire of one draw, and what came of it beside. A fault that is done at once strikes
        around the card.
        """
        self._note({**_told(given), "fault": fault, "plugged": self.port.plugged})
        code, suffix = given.card.code, self._suffix
        match fault:
            case "unplug":
                self._send(code[: len(code) // 2].encode())
                self._fault(fault, params)
            case "noise":
                self._fault(fault, params)
                self._send(code.encode() + suffix)
            case "early_draw":
                # In one piece with the next card: nothing can happen between the two.
                self._held += code.encode() + suffix
                return self._fault(fault, params)
            case "replug" | "cut":
                self._send(code.encode() + suffix)
                self._fault(fault, params)
            case "merged":
                self._held += code.encode() + suffix
            case "foreign_code":
                read = params["text"] or wire.foreign(given.card, wire.text(params, "set"))
                self._send(str(read).encode() + suffix)
            case "earlier_code":
                self._send(self._earlier(given, wire.number(params, "back")).encode() + suffix)
            case _:
                for piece in wire.plan(code, suffix, fault, params):
                    self._later(piece.at_ms, functools.partial(self._send, piece.data))
        return {}

    def _earlier(self, given: Given, back: int) -> str:
        index = given.position - 1 - back
        if index < 0 or not back:
            return given.card.code
        return self.shoe.given[index].card.code

    def _reread(self, face: str) -> dict[str, Any]:
        given = self.shoe.last(face)
        if given is None:
            raise FaultError(f"no card {face} has left this shoe")
        self._note({"reread": given.card.code, "plugged": self.port.plugged})
        self._send(given.card.code.encode() + self._suffix)
        return _told(given)

    def _take_out(self) -> None:
        """From now on its cards may be looked at. One that no card has left was never in play:
        it is not to be taken for another of its name.
        """
        if self.shoe.given:
            self._out[self.shoe.name] = self.shoe.remaining()
        self._empty = True
        # What a reader still had of its cards went out with them.
        self._held = b""
        self._timers = [timer for timer in self._timers if timer[2] == self._plug_again]
        heapq.heapify(self._timers)

    def _remaining(self, name: str) -> dict[str, Any]:
        if name not in self._out:
            raise FaultError(f"shoe {name!r} is not out here, or no card ever left it")
        return {"shoe": name, "remaining": self._out[name]}

    def _load(self, request: dict[str, Any]) -> dict[str, Any]:
        seed, letter = request.get("seed", self.shoe.seed + 1), request.get("set", self.shoe.set)
        if not isinstance(seed, int) or not isinstance(letter, str):
            raise CodeError("load: seed is a whole number, set a letter")
        fresh = self._new_shoe(seed, letter, ())
        if not self._empty:
            self._take_out()
        self.shoe, self._empty = fresh, False
        self._note({"loaded": self.shoe.name})
        return {"shoe": self.shoe.name, "set": self.shoe.set, "seed": seed, "left": self.shoe.left}

    def _new_shoe(self, seed: int, letter: str, stack: tuple[str, ...]) -> Shoe:
        given = self.settings
        return Shoe(seed, decks=given.decks, set_letter=letter, cut=given.cut, stack=stack)

    # --- faults -----------------------------------------------------------------------------

    def _fault(self, name: str, params: dict[str, object]) -> dict[str, Any]:
        """Do it now, or at the next draw."""
        if FAULTS[name].when == "draw":
            self._armed.insert(0, _Armed(0, name, params))
            return {"armed": name, "after": 0}
        self._note({"fault": name, **params})
        match name:
            case "unplug":
                self._unplug()
                if params["ms"] is not None:
                    self._later(wire.number(params, "ms"), self._plug_again)
            case "replug":
                if self.port.plugged:
                    self._selector.unregister(self.port)
                self._plug()
            case "early_draw":
                return {"drawn": [self.draw() for _ in range(wire.number(params, "count"))]}
            case "cut":
                given = self.shoe.cut()
                self._present(given, "", {})
                return _told(given)
            case "noise":
                self._send(wire.hex_bytes(wire.text(params, "hex")))
        return {"done": name}

    # --- the port ---------------------------------------------------------------------------

    def _plug(self) -> None:
        self.port.plug()
        self._selector.register(self.port, selectors.EVENT_READ, None)

    def _plug_again(self) -> None:
        if not self.port.plugged:
            self._plug()

    def _unplug(self) -> None:
        if self.port.plugged:
            self._selector.unregister(self.port)
            self.port.unplug()

    def _send(self, data: bytes) -> None:
        whole, self._held = self._held + data, b""
        if whole and not self.port.send(whole):
            self._note({"lost": whole.hex()})

    def _later(self, after_ms: int, action: Callable[[], None]) -> None:
        if after_ms <= 0:
            action()
            return
        self._count += 1
        heapq.heappush(self._timers, (self._now() + after_ms / 1000, self._count, action))

    def _note(self, entry: dict[str, Any]) -> None:
        """The truth, for whoever compares it with a journal later."""
        if self._log is not None:
            self._log.write(json.dumps({"shoe": self.shoe.name, **entry}) + "\n")
            self._log.flush()


def _told(given: Given) -> dict[str, Any]:
    card = given.card
    return {
        "position": given.position,
        "face": card.face,
        "deck": card.deck,
        "code": card.code,
        "cut": card.cut,
    }


def _fault_of(request: dict[str, Any]) -> tuple[str, dict[str, object]]:
    name = str(request.get("fault", ""))
    given = {key: value for key, value in request.items() if key not in _RESERVED}
    return name, fault_params(name, given)
