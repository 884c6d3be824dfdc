"""`angel-eye`: a shoe of the Angel Eye family, with numbered reports sent three times."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from drivers.protocols.angeleye import SEQUENCE, AngelEye, AngelEyeSettings
from drivers.protocols.angeleye_frames import Bcc
from drivers.protocols.base import DeviceProtocol
from drivers.specs import Apart, Baud, DeviceSpec, Kind, Milliseconds, serial_port
from drivers.transports.base import Port
from drivers.transports.serial import SerialSettings


class AngelEyeSpec(DeviceSpec, frozen=True, kw_only=True):
    """See `drivers.protocols.angeleye.AngelEyeSettings`."""

    kind: Literal["angel-eye"] = "angel-eye"
    baud: Baud = 4800
    # Longer, a report nine draws later could pass for a copy.
    copies_ms: Annotated[int, Meta(ge=110, le=2000)] = 400
    idle_ms: Milliseconds = 200
    sequence: str = SEQUENCE
    commands: bool = False
    bcc: Bcc = "with_stx"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.role == "board":
            raise ValueError('role "board": an Angel Eye reads cards; write shoe or scanner')
        turns = self.sequence
        if (
            len(turns) < 4
            or len(set(turns)) < len(turns)
            or not all("!" <= c <= "~" for c in turns)
        ):
            raise ValueError(
                f"sequence {turns!r}: the shoe's report numbers in turn, at least four characters, "
                f"none twice, such as {SEQUENCE}"
            )
        if self.idle_ms > self.copies_ms:
            raise ValueError(f"idle_ms {self.idle_ms}: it must not be longer than copies_ms")

    @property
    def apart(self) -> Apart:
        """By the number of the report."""
        return "number"


def make(spec: AngelEyeSpec) -> tuple[Port, DeviceProtocol]:
    """Its port and protocol."""
    settings = AngelEyeSettings(
        copies_ms=spec.copies_ms,
        idle_ms=spec.idle_ms,
        sequence=spec.sequence,
        commands=spec.commands,
        bcc=spec.bcc,
    )
    line = SerialSettings(path=spec.port, baud=spec.baud)
    return serial_port(spec, line), AngelEye(spec.name, settings)


KIND = Kind("angel-eye", "Angel Eye shoe, numbered reports", AngelEyeSpec, make)
