"""What happens to a virtual device: cards, faults, the plug, and what it hears.

Every fault of `hw_sim.faults` that all devices have is done here; a fault of a kind of its own is
handed to the model.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from hw_sim.codes import ALPHABET, CodeError, OtherCode, VirtualCard
from hw_sim.faults import Fault, FaultError, hex_bytes, number, text
from hw_sim.line import Line
from hw_sim.models.base import Model, Piece
from hw_sim.models.registry import Kind
from hw_sim.port import DevicePort
from hw_sim.shoe import Given
from hw_sim.shoes import Shoes, told
from hw_sim.tcp_port import TcpPort
from hw_sim.timers import Timers

# Timers by name: what the model is about to say, the plug that comes back, faults that end.
SPEAKS, PLUG, LASTS = "speaks", "plug", "lasts"
# Done after the card they come with; other faults done at once come before it.
AFTER_THE_CARD = ("replug", "cut", "permission_denied", "busy", "drop")


class Body(Protocol):
    """What the device consists of."""

    kind: Kind
    model: Model
    port: DevicePort
    shoes: Shoes
    faults: dict[str, Fault]

    def port_changes(self) -> None:
        """The port's descriptor is about to be another one."""


@dataclass
class Armed:
    """A fault that waits for its card: `after` cards go well before it."""

    after: int
    fault: str
    params: dict[str, object]


class Happenings:
    """Everything that happens to one device, in order. `now_ms` gives milliseconds."""

    def __init__(
        self,
        body: Body,
        line: Line,
        timers: Timers,
        now_ms: Callable[[], int],
        note: Callable[[dict[str, Any]], None],
        seen: Callable[[VirtualCard], None],
    ) -> None:
        self._body = body
        self._line = line
        self._timers = timers
        self._now_ms = now_ms
        self._note = note
        self._seen = seen
        self.armed: list[Armed] = []
        self.blocked = False
        self._dead = False

    # --- cards ------------------------------------------------------------------------------

    def draw(self) -> dict[str, Any]:
        """Pull the next card and send what the device makes of it. Raises ShoeEmpty, FaultError."""
        if not self._body.kind.shoe:
            raise FaultError(f"no card is drawn from a {self._body.kind.name}; let one pass")
        self._body.shoes.check()
        fault, params = self._due_fault()
        given = self._body.shoes.draw()
        more = self._present(given, fault, params)
        return {**told(given), "left": self._body.shoes.shoe.left, "fault": fault, **more}

    def card_passes(self, card: VirtualCard) -> dict[str, Any]:
        """A card that was drawn elsewhere passes. Raises FaultError."""
        fault, params = self._due_fault()
        self._note({"passes": card.code, "fault": fault, "plugged": self._body.port.plugged})
        if fault in self._body.model.faults:
            self._present_own(card, fault, params)
        elif fault in ("", *AFTER_THE_CARD):
            self._say(self._read(card))
        if fault in self._body.faults and fault not in self._body.model.faults:
            self.do(fault, params)
        return {"passed": card.code, "fault": fault}

    def check(self, index: int) -> dict[str, Any]:
        """The card of that place in the unshuffled set passes, and stays in it: a check before the
        shuffle. `over` where there is none. Raises FaultError once cards have left the shoe.
        """
        shoe = self._body.shoes.shoe
        if shoe.given or self._body.shoes.is_out:
            raise FaultError(f"shoe {shoe.name} was dealt from: load a new one to check it")
        if index >= len(shoe.unshuffled):
            return {"over": True, "of": len(shoe.unshuffled)}
        card = shoe.unshuffled[index]
        self._seen(card)
        self._say(self._read(card))
        return {"over": False, "of": len(shoe.unshuffled), "card_ms": self._body.kind.card_ms}

    def again(self, face: str = "") -> dict[str, Any]:
        """The last card once more, or the last of that face. Raises FaultError."""
        given = self._body.shoes.again(face)
        self._note({"reread": given.card.code, "plugged": self._body.port.plugged})
        if self._speaks(given.card):
            self._say(self._body.model.again(given.card, self._now_ms()))
        return told(given)

    def _due_fault(self) -> tuple[str, dict[str, object]]:
        """The fault of this draw; what is armed for later draws comes one nearer."""
        due = next((armed for armed in self.armed if armed.after == 0), None)
        if due is not None:
            self.armed.remove(due)
        for armed in self.armed:
            armed.after = max(0, armed.after - 1)
        return (due.fault, due.params) if due else ("", {})

    def _present(self, given: Given, fault: str, params: dict[str, object]) -> dict[str, Any]:
        """One card passes. What came of it beside is given back."""
        entry = {**told(given), "fault": fault, "plugged": self._body.port.plugged}
        self._note({**entry, **({"params": params} if params else {})})
        self._seen(given.card)
        if fault in self._body.model.faults:
            return self._present_own(given.card, fault, params)
        match fault:
            case "unplug":
                self._say(self._cut_short(self._read(given.card)))
                return self.do(fault, params)
            case "early_draw":
                # In one piece with the next card: nothing can happen between the two.
                self._hold(self._read(given.card))
                return self.do(fault, params)
            case "no_read":
                pass
            case "merged":
                self._hold(self._read(given.card))
            case "stolen":
                self._say(self._stolen(self._read(given.card), number(params, "count")))
            case "foreign_code":
                self._say(self._read(_foreign(given.card, params)))
            case "earlier_code":
                back = number(params, "back")
                self._say(self._read(self._body.shoes.earlier(given, back).card))
            case "":
                self._say(self._read(given.card))
            case _ if fault in AFTER_THE_CARD:
                self._say(self._read(given.card))
                self.do(fault, params)
            case _:
                self.do(fault, params)
                self._say(self._read(given.card))
        return {}

    def _present_own(
        self, card: VirtualCard, fault: str, params: dict[str, object]
    ) -> dict[str, Any]:
        if self._body.model.faults[fault].when == "now":
            self.do(fault, params)
            self._say(self._read(card))
        elif self._speaks(card):
            self._say(self._body.model.card(card, self._now_ms(), fault, params))
        return {}

    def _read(self, card: VirtualCard) -> list[Piece]:
        return self._body.model.card(card, self._now_ms()) if self._speaks(card) else []

    def _speaks(self, card: VirtualCard) -> bool:
        """Whether it has power and lives; a card that passes it otherwise is not read."""
        body = self._body
        powered = body.port.plugged or body.kind.own_power or isinstance(body.port, TcpPort)
        if powered and not self._dead:
            return True
        self._note({"unread": card.code, "why": "dead" if powered else "unplugged"})
        return False

    def _cut_short(self, pieces: list[Piece]) -> list[Piece]:
        """The first piece, and of that the first half; records are whole or not there."""
        if not pieces:
            return []
        first = b"" if self._body.model.records else pieces[0].data
        keep = max(0, len(first) - 1) // 2
        rest = pieces[0].data[keep:] + b"".join(piece.data for piece in pieces[1:])
        self._note({"lost": rest.hex(), "to": "driver", "why": "unplugged"})
        return [Piece(0, first[:keep])] if keep else []

    def _stolen(self, pieces: list[Piece], count: int) -> list[Piece]:
        left = []
        for piece in pieces:
            taken, count = piece.data[:count], max(0, count - len(piece.data))
            if taken:
                self._note({"lost": taken.hex(), "to": "driver", "why": "stolen"})
            if piece.data[len(taken) :]:
                left.append(Piece(piece.at_ms, piece.data[len(taken) :]))
        return left

    # --- the shoe ---------------------------------------------------------------------------

    def take_out(self) -> None:
        """The shoe is out; what a reader still had of its cards went out with them."""
        self._body.shoes.take_out()
        self.forget_cards()

    def forget_cards(self) -> None:
        """What the device was about to say is never said."""
        self._line.forget_held()
        self._silence("the shoe went out")

    def new_shoe(self) -> None:
        """A shoe was put in; a device that notices says so."""
        if "new_shoe" in self._body.model.faults and not self._dead:
            self._say(self._body.model.do("new_shoe", {}, self._now_ms()))

    # --- faults -----------------------------------------------------------------------------

    def arm(self, name: str, params: dict[str, object], after: object) -> dict[str, Any]:
        """It strikes at the draw that comes so many cards later. Raises FaultError."""
        if not isinstance(after, int) or isinstance(after, bool) or after < 0:
            raise FaultError(f"after {after!r}: how many cards come before it, 0 or more")
        self.armed.append(Armed(after, name, params))
        return {"armed": name, "after": after}

    def fault(self, name: str, params: dict[str, object]) -> dict[str, Any]:
        """Do it now, or at the next draw."""
        if self._body.faults[name].when == "draw":
            self.armed.insert(0, Armed(0, name, params))
            return {"armed": name, "after": 0}
        return self.do(name, params)

    def do(self, name: str, params: dict[str, object]) -> dict[str, Any]:
        """A fault that is done at once."""
        self._note({"fault": name, **params})
        if name in self._body.model.faults:
            self._say(self._body.model.do(name, params, self._now_ms()))
            return {"done": name}
        match name:
            case "early_draw":
                return {"drawn": [self.draw() for _ in range(number(params, "count"))]}
            case "cut":
                given = self._body.shoes.shoe.cut()
                self._present(given, "", {})
                return told(given)
            case "noise":
                for _ in range(number(params, "times")):
                    self._line.send(self._sized(hex_bytes(text(params, "hex"))))
            case "unplug" | "replug" | "permission_denied" | "busy" | "drop":
                self._do_port(name, params)
            case _:
                self._do_lasting(name, params)
        return {"done": name}

    def _do_port(self, name: str, params: dict[str, object]) -> None:
        match name:
            case "unplug":
                self.unplug()
                if params["ms"] is not None:
                    self._timers.later(number(params, "ms"), self._plug_again, PLUG)
            case "replug":
                self.plug()
            case "permission_denied":
                self.plug(denied=True)
                self._timers.later(number(params, "ms"), self._body.port.permit, PLUG)
            case "busy":
                self.plug(busy=True)
                self._timers.later(number(params, "ms"), self._body.port.release, PLUG)
            case "drop":
                assert isinstance(self._body.port, TcpPort)
                self._body.port.drop()

    def _do_lasting(self, name: str, params: dict[str, object]) -> None:
        if name == "batching":
            self._line.batching(number(params, "every_ms"))
        else:
            self._lasting(name, on=True)
        if params.get("ms") is not None:
            self._timers.later(
                number(params, "ms"), functools.partial(self._lasting, name, on=False), LASTS
            )

    def _lasting(self, name: str, *, on: bool) -> None:
        match name:
            case "blocked":
                self.blocked = on
            case "small_reads":
                self._line.small_reads(self._body.shoes.shoe.seed if on else None)
            case "batching":
                self._line.batching(0)
            case "dead" if on:
                self._dead = True
                self._silence("dead")
            case "dead" if self._dead:
                # What hung comes back only by being switched off and on.
                self._dead = False
                self._say(self._body.model.start(self._now_ms()))
            case "half_open" if isinstance(self._body.port, TcpPort):
                self._body.port.half_open(on)

    def clear(self) -> None:
        """Faults that last are over."""
        self._timers.forget(LASTS)
        for name in ("blocked", "small_reads", "batching", "dead", "half_open"):
            self._lasting(name, on=False)
        if "calm" in self._body.model.faults:
            self._say(self._body.model.do("calm", {}, self._now_ms()))

    # --- the plug ---------------------------------------------------------------------------

    def plug(self, *, denied: bool = False, busy: bool = False) -> None:
        """Plug it in as a new port. A device without power of its own starts anew."""
        body = self._body
        self._timers.forget(PLUG)
        self._line.unplugged()
        body.port_changes()
        body.port.plug(denied=denied, busy=busy)
        if not body.kind.own_power:
            self._power_on()

    def unplug(self) -> None:
        """Pull the plug; what the driver has not read of what was sent may never reach it."""
        body = self._body
        if not body.port.plugged:
            return
        if unread := body.port.unread:
            self._note({"in_flight": unread, "to": "driver", "why": "unplugged"})
        self._line.unplugged()
        if not body.kind.own_power:
            self._silence("unplugged")
        body.port_changes()
        body.port.unplug()

    def _plug_again(self) -> None:
        if not self._body.port.plugged:
            self.plug()

    def _power_on(self) -> None:
        self._silence("unplugged")
        self._dead = self.blocked = False
        self._say(self._body.model.start(self._now_ms()))

    # --- what it says and hears -------------------------------------------------------------

    def take(self) -> None:
        """The port has something for it."""
        self._line.take(self._hear)

    def tick(self) -> None:
        """Time passed."""
        now = self._now_ms()
        if self._due(self._line.wake_at_ms, now):
            self._line.tick(self._hear)
        if not self._dead and self._due(self._body.model.wake_at_ms, now):
            self._say(self._body.model.tick(now))

    def wait_s(self) -> float | None:
        """Seconds until `tick` is wanted, or None."""
        model = None if self._dead else self._body.model.wake_at_ms
        wakes = [wake for wake in (model, self._line.wake_at_ms) if wake is not None]
        return max(0.001, (min(wakes) - self._now_ms()) / 1000) if wakes else None

    def _due(self, wake_at_ms: int | None, now: int) -> bool:
        return wake_at_ms is not None and now >= wake_at_ms

    def _hear(self, data: bytes) -> None:
        if self._dead:
            self._note({"lost": data.hex(), "to": "device", "why": "dead"})
        else:
            self._say(self._body.model.heard(data, self._now_ms()))

    def _say(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            send = functools.partial(self._line.send, piece.data)
            self._timers.later(piece.at_ms, send, SPEAKS, piece.data)

    def _silence(self, why: str) -> None:
        """What it was about to say is never said."""
        for data in self._timers.forget(SPEAKS):
            self._note({"lost": data.hex(), "to": "driver", "why": why})

    def _hold(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            self._line.hold(piece.data)

    def _sized(self, data: bytes) -> bytes:
        size = self._body.model.records
        return data[:size].ljust(size, b"\0") if size else data


def _foreign(card: VirtualCard, params: dict[str, object]) -> OtherCode:
    if params["text"]:
        return OtherCode(card.face, card.deck, card.set, text(params, "text"))
    letter = text(params, "set")
    if len(letter) != 1 or letter not in ALPHABET[10:]:
        raise CodeError(f"set {letter!r}: one letter, A to Z")
    return OtherCode(card.face, card.deck, letter)
