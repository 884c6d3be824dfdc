"""`zebra-ssi`: a Zebra or Symbol scanner by the Simple Serial Interface."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from drivers.protocols.base import DeviceProtocol
from drivers.protocols.judge import Aim
from drivers.protocols.ssi import Ssi
from drivers.protocols.ssi_settings import SsiSettings, TriggerMode
from drivers.specs import Baud, CodeSpec, Kind, serial_port, symbologies
from drivers.transports.base import Port
from drivers.transports.serial import SerialSettings


class ZebraSsiSpec(CodeSpec, frozen=True, kw_only=True):
    """`aim`: the symbologies that are read, by their AIM identifiers; the scanner itself says which
    one a code is in. Times are seconds. Code fields: see `drivers.cardcode`; the others: see
    `drivers.protocols.ssi_settings`.
    """

    kind: Literal["zebra-ssi"] = "zebra-ssi"
    baud: Baud = 9600
    parity: Literal["none", "even", "odd"] = "none"
    stopbits: Literal[1, 2] = 1
    dtr: bool = True
    rts: bool = True
    aim: Aim = ("C0", "d1")
    trigger_mode: TriggerMode = "presentation"
    decode_seconds: Annotated[float, Meta(ge=0, le=9.9)] = 0
    heartbeat_seconds: Annotated[int, Meta(ge=2, le=60)] = 10
    reassert_seconds: Annotated[int, Meta(ge=30, le=3600)] = 120
    identity: str = ""
    led: bool = False
    own_beep: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0 < self.decode_seconds < 0.5:
            raise ValueError(
                f"decode_seconds {self.decode_seconds}: 0.5 to 9.9, or 0 to leave it as it is"
            )
        symbologies(self.aim, required=False)


def make(spec: ZebraSsiSpec) -> tuple[Port, DeviceProtocol]:
    """Its port and protocol."""
    settings = SerialSettings(
        path=spec.port,
        baud=spec.baud,
        parity=spec.parity,
        stopbits=spec.stopbits,
        dtr=spec.dtr,
        rts=spec.rts,
    )
    protocol = Ssi(
        spec.name,
        spec.code(),
        SsiSettings(
            symbologies=symbologies(spec.aim, required=False),
            trigger_mode=spec.trigger_mode,
            heartbeat_s=spec.heartbeat_seconds,
            reassert_s=spec.reassert_seconds,
            decode_tenths=round(spec.decode_seconds * 10),
            identity=spec.identity,
            led=spec.led,
            own_beep=spec.own_beep,
        ),
    )
    return serial_port(spec, settings), protocol


KIND = Kind("zebra-ssi", "Zebra or Symbol scanner, Simple Serial Interface", ZebraSsiSpec, make)
