"""`gm65`: a Grow GM65 or GM812 barcode module."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from drivers.cardcode import Reject
from drivers.protocols.base import DeviceProtocol
from drivers.protocols.gm65 import Gm65, Gm65Settings, Mode, Terminator
from drivers.protocols.judge import Aim
from drivers.specs import (
    Baud,
    CodeSpec,
    Kind,
    Milliseconds,
    serial_port,
    symbologies,
)
from drivers.transports.base import Port
from drivers.transports.serial import SerialSettings

_READ_FAILED_LIMIT = 15


class Gm65Spec(CodeSpec, frozen=True, kw_only=True):
    """`read_failed`: the text the module is set to send when it could not read, "" when it sends
    none. Code fields: see `drivers.cardcode`; the others: see `drivers.protocols.gm65`.
    """

    kind: Literal["gm65"] = "gm65"
    baud: Baud = 9600
    dtr: bool = True
    rts: bool = True
    aim: Aim = ("C0", "d1")
    aim_required: bool = False
    terminator: Terminator = "cr"
    mode: Mode = "as_set"
    own_beep: bool = False
    read_failed: str = ""
    heartbeat_seconds: Annotated[int, Meta(ge=2, le=60)] = 10
    reassert_seconds: Annotated[int, Meta(ge=30, le=3600)] = 120
    idle_ms: Milliseconds = 2000
    gap_ms: Milliseconds = 60

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.terminator == "none" and self.gap_ms >= self.idle_ms:
            raise ValueError(f"gap_ms {self.gap_ms}: it must be shorter than idle_ms")
        symbologies(self.aim, self.aim_required)
        self._check_read_failed()

    def _check_read_failed(self) -> None:
        text = self.read_failed
        plain = text.isascii() and (text.isprintable() or not text)
        if not plain or text.startswith("]") or len(text) > _READ_FAILED_LIMIT:
            limit = _READ_FAILED_LIMIT
            raise ValueError(
                f"read_failed {text!r}: up to {limit} letters and digits, such as FAIL"
            )
        if text and not isinstance(self.code().parse(text), Reject):
            raise ValueError(f"read_failed {text!r}: it is the code of a card")


def make(spec: Gm65Spec) -> tuple[Port, DeviceProtocol]:
    """Its port and protocol."""
    settings = SerialSettings(path=spec.port, baud=spec.baud, dtr=spec.dtr, rts=spec.rts)
    protocol = Gm65(
        spec.name,
        spec.code(),
        Gm65Settings(
            symbologies=symbologies(spec.aim, spec.aim_required),
            terminator=spec.terminator,
            mode=spec.mode,
            own_beep=spec.own_beep,
            read_failed=spec.read_failed,
            heartbeat_s=spec.heartbeat_seconds,
            reassert_s=spec.reassert_seconds,
            idle_ms=spec.idle_ms,
            gap_ms=spec.gap_ms,
        ),
    )
    return serial_port(spec, settings), protocol


KIND = Kind("gm65", "Grow GM65 or GM812 barcode module", Gm65Spec, make)
