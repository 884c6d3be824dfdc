"""The golden bytes of `tests/data/wire`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from drivers.observations import AnyObservation

WIRE = Path(__file__).parent.parent / "data" / "wire"


class Send(Struct, frozen=True, forbid_unknown_fields=True):
    """Bytes on the wire, milliseconds from the start."""

    at_ms: int
    hex: str

    @property
    def data(self) -> bytes:
        """The bytes."""
        return bytes.fromhex(self.hex)


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """One file: see `tests/data/wire/README.md`."""

    name: str
    about: str
    settings: dict[str, Any]
    sends: list[Send]
    ends_ms: int
    sees: list[dict[str, Any]]


def cases(protocol: str) -> list[Case]:
    """All cases of a protocol, by name."""
    files = sorted((WIRE / protocol).glob("*.json"))
    return [msgspec.json.decode(file.read_bytes(), type=Case) for file in files]


def written(observation: AnyObservation) -> dict[str, Any]:
    """An observation as the golden files write it."""
    seen: dict[str, Any] = msgspec.to_builtins(observation)
    seen["raw"] = observation.raw.hex(" ").upper()
    seen["at_ms"] = observation.at_ns // 1_000_000
    for unused in ("device", "at_ns", "resent", "detail"):
        seen.pop(unused, None)
    return seen
