"""`bee-tek`: a card shoe that writes text records."""

from __future__ import annotations

from typing import Literal

from drivers.protocols.base import DeviceProtocol
from drivers.protocols.beetek import BeeTek, BeeTekSettings
from drivers.specs import Apart, Baud, DeviceSpec, Kind, Milliseconds, serial_port
from drivers.transports.base import Port
from drivers.transports.serial import SerialSettings


class BeeTekSpec(DeviceSpec, frozen=True, kw_only=True):
    """See `drivers.protocols.beetek.BeeTekSettings`."""

    kind: Literal["bee-tek"] = "bee-tek"
    baud: Baud = 9600
    idle_ms: Milliseconds = 200
    cut_card: str = ""
    harmless: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.role == "board":
            raise ValueError('role "board": a Bee-Tek shoe reads cards; write shoe or scanner')
        for field, texts in (("cut_card", (self.cut_card,)), ("harmless", self.harmless)):
            for text in texts:
                if text != text.strip() or set(text) & set("[]<>") or text.startswith("Card:"):
                    raise ValueError(
                        f"{field} {text!r}: the text between < and >, such as Cut Card; never a "
                        "card's"
                    )
        if self.cut_card and self.cut_card in self.harmless:
            raise ValueError(f"harmless: {self.cut_card!r} is the cut card")

    @property
    def apart(self) -> Apart:
        """By nothing but time: its records have no number."""
        return "time"

    @property
    def checked(self) -> bool:
        """No: a record has no check."""
        return False


def make(spec: BeeTekSpec) -> tuple[Port, DeviceProtocol]:
    """Its port and protocol."""
    settings = BeeTekSettings(idle_ms=spec.idle_ms, cut_card=spec.cut_card, harmless=spec.harmless)
    line = SerialSettings(path=spec.port, baud=spec.baud)
    return serial_port(spec, line), BeeTek(spec.name, settings)


KIND = Kind("bee-tek", "Bee-Tek shoe, text records", BeeTekSpec, make)
