"""`text-line`: a barcode scanner or shoe that sends one code a line."""

from __future__ import annotations

from typing import Literal

from drivers.protocols.base import DeviceProtocol
from drivers.protocols.judge import Aim
from drivers.protocols.textline import Suffix, TextLine, TextLineSettings
from drivers.specs import (
    Baud,
    CodeSpec,
    Kind,
    Milliseconds,
    hex_bytes,
    serial_port,
    symbologies,
)
from drivers.transports.base import Port
from drivers.transports.serial import SerialSettings


class TextLineSpec(CodeSpec, frozen=True, kw_only=True):
    """Times are milliseconds; beeps are the reader's own bytes in hex, such as `16 07 0D`, empty
    when it has none. Code fields: see `drivers.cardcode`; line fields: see
    `drivers.protocols.textline`.
    """

    kind: Literal["text-line"] = "text-line"
    baud: Baud = 9600
    bytesize: Literal[7, 8] = 8
    parity: Literal["none", "even", "odd"] = "none"
    stopbits: Literal[1, 2] = 1
    dtr: bool = True
    rts: bool = True
    suffix: Suffix = "any"
    aim: Aim = ("C0", "d1")
    aim_required: bool = False
    idle_ms: Milliseconds = 2000
    gap_ms: Milliseconds = 60
    good_beep: str = ""
    bad_beep: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.suffix == "none" and self.gap_ms >= self.idle_ms:
            raise ValueError(f"gap_ms {self.gap_ms}: it must be shorter than idle_ms")
        symbologies(self.aim, self.aim_required)
        hex_bytes("good_beep", self.good_beep)
        hex_bytes("bad_beep", self.bad_beep)


def make(spec: TextLineSpec) -> tuple[Port, DeviceProtocol]:
    """Its port and protocol."""
    settings = SerialSettings(
        path=spec.port,
        baud=spec.baud,
        bytesize=spec.bytesize,
        parity=spec.parity,
        stopbits=spec.stopbits,
        dtr=spec.dtr,
        rts=spec.rts,
    )
    protocol = TextLine(
        spec.name,
        spec.code(),
        TextLineSettings(
            suffix=spec.suffix,
            symbologies=symbologies(spec.aim, spec.aim_required),
            idle_ms=spec.idle_ms,
            gap_ms=spec.gap_ms,
            good_beep=hex_bytes("good_beep", spec.good_beep),
            bad_beep=hex_bytes("bad_beep", spec.bad_beep),
        ),
    )
    return serial_port(spec, settings), protocol


KIND = Kind("text-line", "barcode reader, one code a line", TextLineSpec, make)
