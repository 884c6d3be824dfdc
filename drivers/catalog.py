"""The devices there are, and how a setting becomes one."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Annotated, Literal

from msgspec import Meta, Struct

from drivers.cardcode import DECKS, DEFAULT_CARD, DEFAULT_CUT, CardCode
from drivers.device import Device, Log, Sink, no_log
from drivers.protocols.textline import Aim, Suffix, TextLine, TextLineSettings
from drivers.transports.output import LIMIT
from drivers.transports.serial import SerialPort, SerialSettings

Role = Literal["shoe", "scanner"]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
Baud = Literal[1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200]
Milliseconds = Annotated[int, Meta(ge=10, le=60_000)]


class DeviceSpec(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One device as configured. Building one from bad values raises ValueError (in a decoder:
    msgspec's ValidationError with the path), naming the field and what to write.

    `port` is a stable name such as /dev/serial/by-id/...; times are milliseconds; beeps are the
    reader's own bytes in hex, such as `16 07 0D`, empty when it has none. Code fields: see
    `drivers.cardcode`; line fields: see `drivers.protocols.textline`.
    """

    name: Name
    port: str
    kind: Literal["text-line"] = "text-line"
    role: Role = "shoe"
    transport: Literal["serial"] = "serial"
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
    card: str = DEFAULT_CARD
    cut_card: str = DEFAULT_CUT
    sets: str = ""
    decks: int = DECKS

    def __post_init__(self) -> None:
        if not PurePosixPath(self.port).is_absolute():
            raise ValueError(f"port {self.port!r}: write the whole path, such as /dev/table/shoe")
        if self.suffix == "none" and self.gap_ms >= self.idle_ms:
            raise ValueError(f"gap_ms {self.gap_ms}: it must be shorter than idle_ms")
        if self.aim == () or (self.aim != "off" and not all(map(_is_symbology, self.aim))):
            raise ValueError(f'aim {self.aim!r}: "off", or a list such as ["C0", "d1"]')
        if self.aim == "off" and self.aim_required:
            raise ValueError("aim_required: it needs a list in aim, which is off")
        _bytes_of("good_beep", self.good_beep)
        _bytes_of("bad_beep", self.bad_beep)
        self.code()

    def code(self) -> CardCode:
        """The format of the codes it reads; ask it `has_check` and `has_deck`."""
        return CardCode.from_template(
            self.card, self.cut_card, sets=self.sets or None, decks=self.decks
        )


def make_device(
    spec: DeviceSpec,
    sink: Sink,
    *,
    log: Log = no_log,
    clock: Callable[[], int] = time.monotonic_ns,
) -> Device:
    """The device of a setting, not started. `sink` is called from the device's own thread."""
    port = SerialPort(
        SerialSettings(
            path=spec.port,
            baud=spec.baud,
            bytesize=spec.bytesize,
            parity=spec.parity,
            stopbits=spec.stopbits,
            dtr=spec.dtr,
            rts=spec.rts,
        )
    )
    protocol = TextLine(
        spec.name,
        spec.code(),
        TextLineSettings(
            suffix=spec.suffix,
            aim=spec.aim,
            aim_required=spec.aim_required,
            idle_ms=spec.idle_ms,
            gap_ms=spec.gap_ms,
            good_beep=_bytes_of("good_beep", spec.good_beep),
            bad_beep=_bytes_of("bad_beep", spec.bad_beep),
        ),
    )
    return Device(spec.name, port, protocol, sink, log=log, clock=clock)


def _is_symbology(text: str) -> bool:
    return len(text) in (1, 2) and text.isascii() and text.isalnum() and text[0].isalpha()


def _bytes_of(field: str, text: str) -> bytes:
    try:
        data = bytes.fromhex(text)
    except ValueError:
        raise ValueError(f"{field} {text!r}: bytes in hex, such as 16 07 0D") from None
    if len(data) > LIMIT:
        raise ValueError(f"{field}: {len(data)} bytes; at most {LIMIT} bytes can go out at once")
    return data
