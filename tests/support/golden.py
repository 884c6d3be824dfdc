"""The golden bytes of `tests/data/wire`, and a protocol run against them without a wire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from drivers.catalog import kind_of, spec_of
from drivers.observations import AnyObservation
from drivers.protocols.base import Beep, Command, DeviceProtocol, Flush, Out, Trigger, Wanted

WIRE = Path(__file__).parent.parent / "data" / "wire"
MS = 1_000_000
COMMANDS: dict[str, Command] = {
    "good": Beep("good"),
    "bad": Beep("bad"),
    "trigger_on": Trigger(True),
    "trigger_off": Trigger(False),
    "flush": Flush(),
}


class Send(Struct, frozen=True, forbid_unknown_fields=True):
    """Bytes on the wire, milliseconds from the start."""

    at_ms: int
    hex: str

    @property
    def data(self) -> bytes:
        """The bytes."""
        return bytes.fromhex(self.hex)


class Ask(Struct, frozen=True, forbid_unknown_fields=True):
    """What the station does: `do` is `start`, `reset`, `want` or one of `COMMANDS`."""

    at_ms: int
    do: str
    want: dict[str, Any] = {}


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """One file: see `tests/data/wire/README.md`."""

    name: str
    about: str
    settings: dict[str, Any]
    sends: list[Send]
    ends_ms: int
    sees: list[dict[str, Any]]
    asks: list[Ask] = []
    writes: list[Send] = []


def protocols() -> list[str]:
    """The kinds of device that have golden bytes."""
    return sorted(path.name for path in WIRE.iterdir() if path.is_dir())


def cases(protocol: str) -> list[Case]:
    """All cases of a protocol, by name."""
    files = sorted((WIRE / protocol).glob("*.json"))
    return [msgspec.json.decode(file.read_bytes(), type=Case) for file in files]


def protocol_of(kind: str, settings: dict[str, Any]) -> DeviceProtocol:
    """The protocol of a device with those settings."""
    raw = {"name": "shoe", "port": "/dev/table/shoe", "kind": kind, **settings}
    return kind_of(kind).make(spec_of(raw))[1]


def written(observation: AnyObservation) -> dict[str, Any]:
    """An observation as the golden files write it: what is not so by default, and when."""
    seen: dict[str, Any] = msgspec.to_builtins(observation)
    seen["raw"] = observation.raw.hex(" ").upper()
    seen["at_ms"] = observation.at_ns // MS
    for unused in ("device", "at_ns", "detail"):
        seen.pop(unused, None)
    for marked in ("resent", "numbered", "evidence"):
        if not seen.get(marked):
            seen.pop(marked, None)
    if "evidence" in seen:
        seen["evidence"] = list(seen["evidence"])
    return seen


class Told(Struct):
    """What came of a run: observations, and what went out with its time in milliseconds."""

    seen: list[AnyObservation]
    writes: list[tuple[int, bytes]]

    @property
    def written(self) -> list[dict[str, Any]]:
        """The observations as the golden files write them."""
        return [written(one) for one in self.seen]


def run(protocol: DeviceProtocol, case: Case, *, by_bytes: bool = False) -> Told:
    """Feed, ask and tick at the times of the case. The protocol may not ask to be woken at once."""
    told = Told([], [])
    wake: int | None = None
    for now, step in _steps(case, by_bytes=by_bytes):
        while wake is not None and wake <= now:
            out = protocol.tick(wake)
            assert out.wake_at_ns is None or out.wake_at_ns > wake, "would spin"
            _note(told, out, wake)
            wake = out.wake_at_ns
        out = _do(protocol, step, now)
        _note(told, out, now)
        wake = out.wake_at_ns
    return told


def watch(
    protocol: DeviceProtocol, sends: Iterable[tuple[int, bytes]], ends_ms: int
) -> list[AnyObservation]:
    """Feed bytes at their times (ms) and tick whenever the protocol wants to be woken."""
    seen: list[AnyObservation] = []
    wake: int | None = None
    for at_ms, data in [*sends, (ends_ms, b"")]:
        now = at_ms * MS
        while wake is not None and wake <= now:
            out = protocol.tick(wake)
            assert out.wake_at_ns is None or out.wake_at_ns > wake, "would spin"
            seen.extend(out.observations)
            wake = out.wake_at_ns
        out = protocol.feed(data, now)
        seen.extend(out.observations)
        wake = out.wake_at_ns
    return seen


def _steps(case: Case, *, by_bytes: bool) -> Iterator[tuple[int, bytes | Ask]]:
    steps: list[tuple[int, bytes | Ask]] = [(ask.at_ms * MS, ask) for ask in case.asks]
    for send in case.sends:
        parts = [bytes((byte,)) for byte in send.data] if by_bytes else [send.data]
        steps += [(send.at_ms * MS, part) for part in parts]
    yield from sorted(steps, key=lambda step: step[0])
    yield case.ends_ms * MS, b""


def _do(protocol: DeviceProtocol, step: bytes | Ask, now: int) -> Out:
    if isinstance(step, bytes):
        return protocol.feed(step, now)
    match step.do:
        case "start":
            return protocol.start(now)
        case "reset":
            return protocol.reset(now)
        case "want":
            return protocol.want(msgspec.convert(step.want, Wanted), now)
        case command:
            return protocol.send(COMMANDS[command], now)


def _note(told: Told, out: Out, now: int) -> None:
    told.seen.extend(out.observations)
    told.writes.extend((now // MS, message) for message in out.write)
