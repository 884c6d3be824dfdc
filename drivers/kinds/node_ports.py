"""The ports of readers without a serial port: HID reports and keys, real or a simulator's."""

from __future__ import annotations

from drivers.specs import VIRTUAL, DeviceSpec
from drivers.transports.base import Port
from drivers.transports.nodes import EVENT, REPORT, HidrawPort, InputPort, VirtualNodePort
from drivers.transports.places import Place

_BARCODE_SCANNER = "8c:02"


def check_node(spec: DeviceSpec) -> None:
    """Raise ValueError for a port that is no node."""
    if spec.port.startswith("tcp://"):
        raise ValueError(
            f"port {spec.port!r}: this reader is plugged into USB; write usb:vid:pid:serial"
        )


def hidraw_port(spec: DeviceSpec, feature: bytes = b"") -> Port:
    """The reports of a HID barcode scanner; `feature` is sent to it at opening."""
    if spec.virtual:
        return VirtualNodePort(spec.port.removeprefix(VIRTUAL), REPORT)
    place = Place(spec.port, "hidraw", pin=spec.usb, usage=_BARCODE_SCANNER)
    return HidrawPort(place, feature)


def input_port(spec: DeviceSpec) -> Port:
    """The keys of a scanner that types."""
    if spec.virtual:
        return VirtualNodePort(spec.port.removeprefix(VIRTUAL), EVENT.size)
    return InputPort(Place(spec.port, "input", pin=spec.usb))
