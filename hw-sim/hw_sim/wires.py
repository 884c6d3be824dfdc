"""What lies between a device and its port: a good line, or one that cuts, delays and loses.

A wire is written `KIND` or `KIND:NAME=VALUE,...`, such as `lossy:rate=0.001,seed=7`. There is one
each way, with chances of its own by the seed. Pure: time is given in milliseconds, and what the
line did to the bytes is told, for the log of what is true.

| kind | | settings |
|---|---|---|
| `perfect` | what goes in comes out | |
| `byte_at_a_time` | each byte by itself | `ms` between two |
| `merged` | several pieces in one | `pieces`, and `ms` a piece waits at most |
| `delayed` | late, but in order | `ms` at most, `seed` |
| `lossy` | bytes are lost or flipped | `rate` of each, `seed` |
| `cut` | unplugged in mid-piece and plugged in again | `rate` of pieces, `ms` out, `seed` |

A device that speaks in records loses and keeps them whole, and none is flipped or split.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hw_sim.models.base import Piece


class WireError(ValueError):
    """There is no such wire, or it has no such setting; the message says what there is."""


@dataclass(frozen=True)
class Hurt:
    """One byte that did not come as it was sent: its place in the piece, what it was, and what it
    became, None when it was lost. A record is lost as one: `was` is then the whole of it.
    """

    at: int
    was: bytes
    became: bytes | None = None


@dataclass
class Passed:
    """What came of a piece. `cut_ms`: the plug is out now, for so long."""

    pieces: list[Piece] = field(default_factory=list)
    hurt: list[Hurt] = field(default_factory=list)
    cut_ms: int | None = None


class Wire(Protocol):
    """One way of a line."""

    def put(self, data: bytes, now_ms: int) -> Passed:
        """A piece goes in."""

    def tick(self, now_ms: int) -> Passed:
        """Time passed."""

    @property
    def wake_at_ms(self) -> int | None:
        """When `tick` is wanted, or None."""

    def waiting(self) -> list[bytes]:
        """Pieces that are held back."""

    def reset(self) -> None:
        """The plug was pulled: what is on the line is gone."""


class Perfect:
    """What goes in comes out. The base of the others."""

    wake_at_ms: int | None = None

    def put(self, data: bytes, now_ms: int) -> Passed:
        return Passed([Piece(0, data)])

    def tick(self, now_ms: int) -> Passed:
        return Passed()

    def waiting(self) -> list[bytes]:
        return []

    def reset(self) -> None:
        """Nothing is kept."""


class _InOrder(Perfect):
    """Pieces that wait never overtake each other."""

    def __init__(self) -> None:
        self._free_ms = 0

    def reset(self) -> None:
        self._free_ms = 0

    def _at(self, wanted_ms: int, now_ms: int) -> int:
        self._free_ms = max(self._free_ms, wanted_ms)
        return max(0, self._free_ms - now_ms)


class ByteAtATime(_InOrder):
    def __init__(self, ms: int) -> None:
        super().__init__()
        self._ms = ms

    def put(self, data: bytes, now_ms: int) -> Passed:
        first = max(now_ms, self._free_ms)
        return Passed(
            [
                Piece(self._at(first + i * self._ms, now_ms), data[i : i + 1])
                for i in range(len(data))
            ]
        )


class Merged(Perfect):
    def __init__(self, pieces: int, ms: int) -> None:
        self._pieces, self._ms = pieces, ms
        self._held: list[bytes] = []

    def put(self, data: bytes, now_ms: int) -> Passed:
        self._held.append(data)
        if self.wake_at_ms is None:
            self.wake_at_ms = now_ms + self._ms
        return self._all() if len(self._held) >= self._pieces else Passed()

    def tick(self, now_ms: int) -> Passed:
        due = self.wake_at_ms is not None and now_ms >= self.wake_at_ms
        return self._all() if due else Passed()

    def waiting(self) -> list[bytes]:
        return list(self._held)

    def reset(self) -> None:
        self._held.clear()
        self.wake_at_ms = None

    def _all(self) -> Passed:
        whole = b"".join(self._held)
        self.reset()
        return Passed([Piece(0, whole)] if whole else [])


class MergedRecords(Merged):
    """Records come together, but each is one."""

    def _all(self) -> Passed:
        held = [Piece(0, data) for data in self._held]
        self.reset()
        return Passed(held)


class Delayed(_InOrder):
    def __init__(self, ms: int, rng: random.Random) -> None:
        super().__init__()
        self._ms, self._rng = ms, rng

    def put(self, data: bytes, now_ms: int) -> Passed:
        return Passed([Piece(self._at(now_ms + self._rng.randint(0, self._ms), now_ms), data)])


class Lossy(Perfect):
    def __init__(self, rate: float, rng: random.Random) -> None:
        self._rate, self._rng = rate, rng

    def put(self, data: bytes, now_ms: int) -> Passed:
        """Each byte is lost with the rate, else one of its bits is flipped with the rate."""
        left = bytearray()
        hurt = []
        for at, byte in enumerate(data):
            was = bytes([byte])
            if self._rng.random() < self._rate:
                hurt.append(Hurt(at, was))
            elif self._rng.random() < self._rate:
                became = byte ^ (1 << self._rng.randrange(8))
                hurt.append(Hurt(at, was, bytes([became])))
                left.append(became)
            else:
                left.append(byte)
        return Passed([Piece(0, bytes(left))] if left else [], hurt)


class LossyRecords(Lossy):
    """A record comes whole, or not at all. `size`: of one record in a piece of several."""

    def __init__(self, rate: float, rng: random.Random, size: int) -> None:
        super().__init__(rate, rng)
        self._size = size

    def put(self, data: bytes, now_ms: int) -> Passed:
        left, hurt = b"", []
        for at in range(0, len(data), self._size):
            record = data[at : at + self._size]
            if self._rng.random() < self._rate:
                hurt.append(Hurt(at, record))
            else:
                left += record
        return Passed([Piece(0, left)] if left else [], hurt)


class Cut(Perfect):
    def __init__(self, rate: float, ms: int, rng: random.Random, size: int) -> None:
        self._rate, self._ms, self._rng, self._size = rate, ms, rng, max(1, size)

    def put(self, data: bytes, now_ms: int) -> Passed:
        if self._rng.random() >= self._rate:
            return Passed([Piece(0, data)])
        keep = self._rng.randrange(max(1, len(data) // self._size)) * self._size
        pieces = [Piece(0, data[:keep])] if keep else []
        return Passed(pieces, [Hurt(keep, data[keep:])], self._ms)


WIRES: dict[str, dict[str, float]] = {
    "perfect": {},
    "byte_at_a_time": {"ms": 1},
    "merged": {"pieces": 3, "ms": 200},
    "delayed": {"ms": 40, "seed": 0},
    "lossy": {"rate": 0.001, "seed": 0},
    "cut": {"rate": 0.01, "ms": 400, "seed": 0},
}


def wires(text: str, records: int = 0) -> tuple[Wire, Wire]:
    """The line as written, from the device and to it. `records`: the size of the device's records,
    0 for a stream of bytes. Raises WireError.
    """
    kind, _, rest = text.partition(":")
    if kind not in WIRES:
        raise WireError(f"no wire {kind!r}; there are {', '.join(WIRES)}")
    given = dict(WIRES[kind])
    for part in filter(None, rest.split(",")):
        name, _, value = part.partition("=")
        if name not in given:
            known = ", ".join(given) or "none"
            raise WireError(f"the wire {kind} has no setting {name!r}; it has {known}")
        given[name] = _value(kind, name, value)
    return _wire(kind, given, "out", records), _wire(kind, given, "in", records)


def _value(kind: str, name: str, text: str) -> float:
    try:
        value = float(text) if name == "rate" else int(text)
    except ValueError:
        value = -1
    if value < 0 or (name == "rate" and value > 1) or (name == "pieces" and value < 1):
        want = "0 to 1" if name == "rate" else "a whole number, 0 or more"
        raise WireError(f"the wire {kind}: {name} {text!r}: {want}")
    return value


def _wire(kind: str, given: Mapping[str, float], way: str, records: int) -> Wire:
    rng = random.Random(f"{given.get('seed', 0)}/{kind}/{way}")
    ms = int(given.get("ms", 0))
    match kind:
        case "byte_at_a_time":
            return Perfect() if records else ByteAtATime(ms)
        case "merged":
            return (MergedRecords if records else Merged)(int(given["pieces"]), ms)
        case "delayed":
            return Delayed(ms, rng)
        case "lossy":
            rate = given["rate"]
            return LossyRecords(rate, rng, records) if records else Lossy(rate, rng)
        case "cut":
            return Cut(given["rate"], ms, rng, records)
        case _:
            return Perfect()
