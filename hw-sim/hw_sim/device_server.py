"""A virtual device as a process: a model, its port, the line between them, and a control socket.

Control: lines of JSON, `{"do": "draw"}` → `{"ok": true, ...}` or `{"ok": false, "error": "..."}`.

| do | what |
|---|---|
| `draw` | the next card goes over the wire; answers with the card and its position |
| `pass` | a card drawn elsewhere passes it: `face`, `deck`, `set`; the cut card has no face |
| `check` | the card at `index` of the unshuffled set passes, and stays; `over` after the last |
| `reread` | the last card again (`face`: the last of that face) |
| `state` | position, codes given so far, whether plugged in, what a person at the device sees |
| `out` | the shoe is taken out; nothing can be drawn until `load` |
| `remaining` | faces and how many of each are left in a shoe that is out (`shoe`: its name) |
| `load` | a new shuffled shoe, seed + 1 (`seed`, `set`: others; `lacks`: without those cards); the
old one is out |
| `fault` | `fault` and its parameters: now, or at the next draw |
| `arm` | `fault`, `after`: that many draws go well before it |
| `disarm` | forget what is armed |
| `clear` | faults that last are over: it reads, speaks and hands on as ever |
| `faults` | the faults there are |
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.control import ControlError, ShoeControl
from hw_sim.faults import FaultError, fault_params
from hw_sim.happenings import Happenings
from hw_sim.line import Line
from hw_sim.models.registry import DEFAULT, Kind, faults_of, kind_of, make_model
from hw_sim.port import DevicePort, PortError, VirtualPort
from hw_sim.shoe import ShoeEmpty
from hw_sim.shoes import ShoeMaking, Shoes, told
from hw_sim.sockets import MAX_LINE, Lines, SocketError, line_of, listen
from hw_sim.tcp_port import TcpPort
from hw_sim.timers import Timers

_RESERVED = ("do", "fault", "after")


@dataclass(frozen=True)
class DeviceSettings:
    """How the device is made. `link`: the stable name of its port; with `tcp`, HOST:PORT, the
    device is reached there instead. `board`: the control socket of a board whose sensor sees each
    card that leaves this shoe. `wire`: see `hw_sim.wires`. `options`: the model's own settings
    by name. Seed, decks, set, cut and stack: see `hw_sim.shoe.Shoe`.
    """

    link: Path
    control: Path
    seed: int
    decks: int = 8
    set: str = "A"
    cut: int | None = None
    stack: tuple[str, ...] = ()
    log: Path | None = None
    kind: str = DEFAULT
    options: tuple[tuple[str, str], ...] = ()
    wire: str = "perfect"
    tcp: str = ""
    board: Path | None = None


class DeviceServer:
    """Runs one device. `start`, then `run` until `stop`; `close` leaves nothing behind.

    Raises CodeError, KindError, WireError or PortError for settings of no use.
    """

    def __init__(
        self,
        settings: DeviceSettings,
        now: Callable[[], float] = time.monotonic,
        board: ShoeControl | None = None,
    ) -> None:
        """`board`: the control of a board, where it is not reached by its socket."""
        self.settings = settings
        self.kind = kind_of(settings.kind)
        self.model = make_model(settings.kind, dict(settings.options))
        self.faults = faults_of(self.kind, self.model, tcp=bool(settings.tcp))
        self.port = _port(settings, self.kind, self.model.records)
        self._now = now
        self._timers = Timers(now)
        making = ShoeMaking(settings.decks, settings.cut)
        self.shoes = Shoes(making, settings.seed, settings.set, settings.stack)
        records = self.model.records
        line = Line(
            self.port, settings.wire, records, self._timers, self._now_ms, self._note, self._cut
        )
        self._board = ShoeControl(settings.board) if settings.board else board
        self.what = Happenings(self, line, self._timers, self._now_ms, self._note, self._seen)
        self._selector = selectors.DefaultSelector()
        self._wake_r, self._wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._listener: socket.socket | None = None
        self._watched = -1
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
        self.what.plug()

    def stop(self) -> None:
        """End `run`; from any thread or a signal handler."""
        self._stopping = True
        with contextlib.suppress(OSError):
            os.write(self._wake_w, b"w")

    def run(self) -> None:
        """Serve until `stop`."""
        while not self._stopping:
            self.turn(None)

    def turn(self, most_s: float | None) -> None:
        """Do what is due and what comes within `most_s` (None: whenever something comes)."""
        self._watch()
        wait = self.wait_s()
        if most_s is not None:
            wait = most_s if wait is None else min(wait, most_s)
        for key, _ in self._selector.select(wait):
            if key.fileobj is self._listener:
                self._accept()
            elif key.fd == self._wake_r:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wake_r, 4096)
            elif isinstance(key.data, Lines) and isinstance(key.fileobj, socket.socket):
                self._read(key.fileobj, key.data)
            elif key.fd == self.port.fileno():
                self.what.take()
        self._timers.run()
        self.what.tick()

    def fileno(self) -> int:
        """Readable when `turn` has something to take in; `turn` once before it is waited for."""
        return self._selector.fileno()

    def close(self) -> None:
        """Unplug, close everything, remove link and socket."""
        self._unwatch()
        self.port.unplug()
        if self._board is not None:
            self._board.close()
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

    def port_changes(self) -> None:
        """The port's descriptor is about to be another one."""
        self._unwatch()

    # --- the port and the clock -------------------------------------------------------------

    def _watch(self) -> None:
        """The port is watched while the device reads from it; it may be another one by now."""
        wanted = -1 if self.what.blocked else self.port.fileno()
        if wanted != self._watched:
            self._unwatch()
            if wanted >= 0:
                self._selector.register(wanted, selectors.EVENT_READ, None)
            self._watched = wanted

    def _unwatch(self) -> None:
        if self._watched >= 0:
            self._selector.unregister(self._watched)
            self._watched = -1

    def wait_s(self) -> float | None:
        """Seconds until something is due, or None."""
        waits = [wait for wait in (self._timers.wait_s(), self.what.wait_s()) if wait is not None]
        return min(waits, default=None)

    def _now_ms(self) -> int:
        return int(self._now() * 1000)

    def _cut(self, ms: int) -> None:
        self.what.do("unplug", {"ms": ms})

    def _seen(self, card: VirtualCard) -> None:
        """A card leaves the shoe, before a board's sensor."""
        if self._board is not None:
            try:
                self._board.ask("pass", face=card.face, deck=card.deck, set=card.set)
            except ControlError as error:
                self._note({"board": str(error)})

    # --- the control socket -----------------------------------------------------------------

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
                return self.what.draw()
            case "pass":
                return self.what.card_passes(_card_of(request))
            case "check":
                return self.what.check(_index(request))
            case "reread":
                return self.what.again(str(request.get("face", "")))
            case "state":
                return self.state()
            case "out":
                self.what.take_out()
                self._note({"out": self.shoes.shoe.name})
                return {"shoe": self.shoes.shoe.name}
            case "remaining":
                name = str(request.get("shoe", ""))
                return {"shoe": name, "remaining": self.shoes.remaining(name)}
            case "load":
                return self._load(request)
            case "fault":
                return self.what.fault(*self._fault_of(request))
            case "arm":
                name, params = self._fault_of(request)
                return self.what.arm(name, params, request.get("after", 0))
            case "disarm":
                self.what.armed.clear()
                return {}
            case "clear":
                self._note({"clear": True})
                self.what.clear()
                return {}
            case "faults":
                return {"faults": {name: fault.doc for name, fault in self.faults.items()}}
            case other:
                raise FaultError(
                    f"do {other!r}: draw, pass, check, reread, state, out, remaining, load, fault, "
                    "arm, disarm, clear or faults"
                )

    def _load(self, request: dict[str, Any]) -> dict[str, Any]:
        before = self.shoes.is_out
        self.shoes.load(request)
        if not before:
            self.what.forget_cards()
        shoe = self.shoes.shoe
        self._note({"loaded": shoe.name})
        self.what.new_shoe()
        return {"shoe": shoe.name, "set": shoe.set, "seed": shoe.seed, "left": shoe.left}

    def _fault_of(self, request: dict[str, Any]) -> tuple[str, dict[str, object]]:
        name = str(request.get("fault", ""))
        given = {key: value for key, value in request.items() if key not in _RESERVED}
        return name, fault_params(name, given, self.faults)

    def state(self) -> dict[str, Any]:
        """Where the shoe is. What is still in it is never told, but for one that is `out`."""
        shoe = self.shoes.shoe
        last = shoe.last()
        return {
            "kind": self.kind.name,
            "shoe": shoe.name,
            "set": shoe.set,
            "seed": shoe.seed,
            "position": len(shoe.given),
            "cards_out": shoe.cards_out,
            "out": self.shoes.is_out,
            "left": shoe.left,
            "given": [given.card.code for given in shoe.given],
            "last": told(last) if last else None,
            "plugged": self.port.plugged,
            "port": self.port.name,
            "armed": [{"fault": one.fault, "after": one.after} for one in self.what.armed],
            "device": self.model.state(),
        }

    def remark(self, entry: dict[str, Any]) -> None:
        """Something people do, for the log of what is true."""
        self._note(entry)

    def _note(self, entry: dict[str, Any]) -> None:
        """The truth, for whoever compares it with a journal later."""
        if self._log is not None:
            whole = {"shoe": self.shoes.shoe.name, "at_ms": self._now_ms(), **entry}
            self._log.write(json.dumps(whole) + "\n")
            self._log.flush()


def _index(request: dict[str, Any]) -> int:
    index = request.get("index", 0)
    if not isinstance(index, int) or isinstance(index, bool) or index < 0:
        raise CodeError("check: index is a whole number from 0")
    return index


def _card_of(request: dict[str, Any]) -> VirtualCard:
    face, deck, letter = (request.get(key) for key in ("face", "deck", "set"))
    if not (isinstance(face, str) and isinstance(deck, int) and isinstance(letter, str)):
        raise CodeError("pass: face, deck and set of a card, such as KH, 3 and A")
    return VirtualCard(face, deck, letter)


def _port(settings: DeviceSettings, kind: Kind, records: int) -> DevicePort:
    if kind.port == "frames":
        if settings.tcp:
            raise PortError("a camera is not behind a TCP serial server: leave out --tcp")
        from hw_sim.camera.stream import CameraPort

        return CameraPort(settings.link)
    if settings.tcp:
        return TcpPort(settings.tcp)
    if records:
        from hw_sim.record_port import RecordPort

        return RecordPort(settings.link, records)
    return VirtualPort(settings.link)
