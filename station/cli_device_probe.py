"""One device opened alone, for the technician: what comes, what the protocol cuts out of it, what
that means, and at which layer it stops. No table runs, so a card read here counts nowhere.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec
from msgspec import Struct

from drivers import observations as o
from drivers.badge import carries_badge
from drivers.catalog import kind_name, make_device
from drivers.device import Device, Sink, Tap
from drivers.protocols.base import Beep, Frame, Wanted
from drivers.protocols.judge import printable
from drivers.specs import DeviceSpec
from station.cli_device_words import FIX, fix_of, in_words

_MS = 1_000_000
_LOOK_S = 0.1

Making = Callable[[Sink, Tap], Device]

Layer = Literal["connected", "bytes", "frames", "decoded"]
LAYERS: tuple[Layer, ...] = ("connected", "bytes", "frames", "decoded")


class Said(Struct, frozen=True, omit_defaults=True):
    """One line of `--json`. `at_ms`: since the start. `raw` and `sent` have `hex` and `text`;
    `frame` also `name` and `note`; `observation` its own fields in `observation` and `says`, the
    same in words; `health` has `health` and `detail`.
    """

    at_ms: float
    what: Literal["raw", "sent", "frame", "observation", "health", "beep"]
    hex: str = ""
    text: str = ""
    name: str = ""
    note: str = ""
    observation: dict[str, Any] = {}
    says: str = ""
    health: str = ""
    detail: str = ""


class Counted(Struct):
    """How far it came: how many of each layer, what was wrong last, the troubles there are.
    `reads`: it is a reader of cards.
    """

    reads: bool = True
    health: str = "waiting"
    detail: str = ""
    opened: int = 0
    bytes: int = 0
    frames: int = 0
    bad_frames: int = 0
    decoded: int = 0
    no_reads: int = 0
    last_reason: str = ""
    troubles: dict[str, str] = {}

    @property
    def reached(self) -> Layer | None:
        """The last layer that worked; None when even the port does not."""
        if self.decoded:
            return "decoded"
        if self.frames > self.bad_frames:
            return "frames"
        if self.bytes:
            return "bytes"
        return "connected" if self.health == "up" else None

    def hint(self) -> str:
        """What to look at next, at the layer where it stops."""
        for code, detail in self.troubles.items():
            return FIX.get(code) or f"{code}: {detail or 'see docs/technician.md'}"
        match self.reached:
            case None:
                return fix_of(self.health)
            case "connected":
                return FIX["no bytes"]
            case "bytes":
                return FIX["no frame"]
            case "frames":
                return FIX.get(self.last_reason, FIX["no card" if self.reads else "no event"])
            case _ if self.health != "up":
                return f"it worked, and then: {fix_of(self.health)}"
            case _:
                return "it works: " + ("cards are read" if self.reads else "what it says is read")


class Probe:
    """A device and everything it does, in order. `start` it, read `events`, `stop` it."""

    def __init__(self, spec: DeviceSpec, make: Making | None = None) -> None:
        """`make`: how the device is made, when not as the table makes it."""
        self.counted = Counted(reads=spec.role != "board")
        # A board's brake stays on: no table runs. A shoe's lock does not: cards are to be drawn.
        self._locked = spec.role == "board"
        self._began_ns = time.monotonic_ns()
        self._queue: queue.Queue[Said] = queue.Queue()
        self.kind = kind_name(spec)
        self.device = (
            make(self.sink, self.tap) if make else make_device(spec, self.sink, tap=self.tap)
        )

    def start(self) -> None:
        """Open it, and ask it to read: without a table nobody else does."""
        self.device.want(Wanted(light="off", shoe_locked=self._locked, reading=True))
        self.device.start()

    def stop(self) -> None:
        """Let go of it."""
        self.device.stop()

    def beep(self, sound: Literal["good", "bad"]) -> Said:
        """Try the beeper."""
        sent = self.device.send(Beep(sound))
        said = (
            f"{sound} beep asked for"
            if sent
            else f"{sound} beep: not available; kind {self.kind}, set up like this, has none"
        )
        return Said(self._ms(time.monotonic_ns()), "beep", says=said)

    def events(
        self, until: float | None, *, beep: Literal["good", "bad", ""] = ""
    ) -> Iterator[Said]:
        """What happens, until that monotonic second; for ever when None. At a quiet moment comes
        nothing: ask again.
        """
        wanted: Literal["good", "bad", ""] = beep
        while until is None or time.monotonic() < until:
            left = _LOOK_S if until is None else max(0.0, min(_LOOK_S, until - time.monotonic()))
            with contextlib.suppress(queue.Empty):
                said = self._queue.get(timeout=left)
                yield said
            if wanted and self.device.health == "up":
                yield self.beep(wanted)
                wanted = ""

    def summary(self) -> dict[str, Any]:
        """The layers, for the last line of `--json`."""
        counted = self.counted
        return {
            "at_ms": self._ms(time.monotonic_ns()),
            "what": "summary",
            "reached": counted.reached,
            "connected": counted.reached is not None,
            "bytes": counted.bytes,
            "frames": counted.frames,
            "bad_frames": counted.bad_frames,
            "decoded": counted.decoded,
            "no_reads": counted.no_reads,
            "troubles": list(counted.troubles),
            "hint": counted.hint(),
        }

    # --- from the device's thread ---------------------------------------------------------

    def tap(self, what: Literal["in", "out"] | Frame, data: bytes, at_ns: int) -> None:
        """Bytes and frames."""
        hexed, text = data.hex(" ").upper(), printable(data)
        if carries_badge(text):
            # What a badge carries opens a table: it is not shown.
            hexed, text = "", "(a badge)"
        if isinstance(what, Frame):
            self.counted.frames += 1
            self.counted.bad_frames += bool(what.note)
            said = Said(self._ms(at_ns), "frame", hexed, text, what.name, what.note)
        elif what == "in":
            self.counted.bytes += len(data)
            said = Said(self._ms(at_ns), "raw", hexed, text)
        else:
            said = Said(self._ms(at_ns), "sent", hexed, text)
        self._queue.put(said)

    def sink(self, seen: o.AnyObservation) -> None:
        """Observations and health."""
        self._count(seen)
        if isinstance(seen, o.HealthChanged):
            says = in_words(seen)
            said = Said(self._ms(seen.at_ns), "health", says=says, health=seen.health)
            self._queue.put(msgspec.structs.replace(said, detail=seen.detail or seen.identity))
            return
        told: dict[str, Any] = msgspec.to_builtins(seen)
        told["raw"] = seen.raw.hex(" ").upper()
        if isinstance(seen, o.Badge):
            told["text"] = told["raw"] = ""
        told.pop("at_ns")
        said = Said(self._ms(seen.at_ns), "observation", observation=told, says=in_words(seen))
        self._queue.put(said)

    def _count(self, seen: o.AnyObservation) -> None:
        counted = self.counted
        match seen:
            case o.HealthChanged(health=health, detail=detail):
                counted.health, counted.detail = health, detail
                counted.opened += health == "up"
            case o.NoRead(reason=reason):
                counted.no_reads += 1
                counted.last_reason = reason
            case o.Trouble(code=code, detail=detail):
                counted.troubles[code] = detail
            case o.TroubleOver(code=code):
                counted.troubles.pop(code, None)
            case o.CardRead() | o.CutCard() | o.Button() | o.Badge() | o.CardOut():
                counted.decoded += 1
            case _:
                pass

    def _ms(self, at_ns: int) -> float:
        return round((at_ns - self._began_ns) / _MS, 3)
