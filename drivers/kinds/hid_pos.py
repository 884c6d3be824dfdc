"""`hid-pos`: a USB barcode scanner set to HID point-of-sale."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from drivers.kinds.node_ports import check_node, hidraw_port
from drivers.protocols.base import DeviceProtocol
from drivers.protocols.hidpos import ANSWERS, FEATURE_TO_POS, HidPos, HidPosSettings, Vendor
from drivers.specs import CodeSpec, Kind, Milliseconds, symbologies
from drivers.transports.base import Port


class HidPosSpec(CodeSpec, frozen=True, kw_only=True):
    """`vendor`: whose commands it knows beside the standard's. `commands`: it takes beeps and
    switches. `aim`: the AIM identifiers of the cards' symbology; every report names its own.
    `more_ms`: how long the rest of a long code may take. `heartbeat_s` 0: it is not asked.
    Code fields: see `drivers.cardcode`; reports: `drivers.protocols.hidpos`.
    """

    kind: Literal["hid-pos"] = "hid-pos"
    vendor: Vendor = "none"
    commands: bool = True
    aim: tuple[str, ...] = ("C0", "d1")
    more_ms: Milliseconds = 250
    heartbeat_s: Annotated[int, Meta(ge=0, le=600)] = 10
    answer_ms: Milliseconds = 3000

    def __post_init__(self) -> None:
        super().__post_init__()
        check_node(self)
        read = symbologies(self.aim, required=True)
        if self.vendor == "honeywell" and any(map(read.allow, ANSWERS)):
            raise ValueError(
                f"aim {list(self.aim)}: X0 and Z6 are this scanner's answers, no cards' symbology"
            )


def make(spec: HidPosSpec) -> tuple[Port, DeviceProtocol]:
    """Its port and protocol."""
    protocol = HidPos(
        spec.name,
        spec.code(),
        HidPosSettings(
            symbologies=symbologies(spec.aim, required=True),
            vendor=spec.vendor,
            commands=spec.commands,
            more_ms=spec.more_ms,
            heartbeat_s=spec.heartbeat_s,
            answer_ms=spec.answer_ms,
        ),
    )
    feature = FEATURE_TO_POS if spec.vendor == "honeywell" else b""
    return hidraw_port(spec, feature), protocol


KIND = Kind("hid-pos", "barcode scanner, HID point-of-sale", HidPosSpec, make, "hidraw")
