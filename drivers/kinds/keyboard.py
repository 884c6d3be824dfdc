"""`keyboard`: a USB barcode scanner that types."""

from __future__ import annotations

from typing import Literal

from drivers.cardcode import LETTERS
from drivers.kinds.node_ports import check_node, input_port
from drivers.protocols.base import DeviceProtocol
from drivers.protocols.judge import Aim
from drivers.protocols.keyboard import Keyboard, KeyboardSettings, confusable
from drivers.specs import CodeSpec, Kind, Milliseconds, symbologies
from drivers.transports.base import Port


class KeyboardSpec(CodeSpec, frozen=True, kw_only=True):
    """`max_key_ms`: the longest pause between two keys of a code; a person's are longer.
    `idle_ms`: a code without an end is over after so long. Code fields: see `drivers.cardcode`;
    keys: `drivers.protocols.keyboard`.
    """

    kind: Literal["keyboard"] = "keyboard"
    max_key_ms: Milliseconds = 40
    idle_ms: Milliseconds = 500
    aim: Aim = ("C0", "d1")
    aim_required: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_node(self)
        if self.max_key_ms >= self.idle_ms:
            raise ValueError(f"max_key_ms {self.max_key_ms}: it must be shorter than idle_ms")
        symbologies(self.aim, self.aim_required)
        code = self.code()
        if not code.has_check and (two := confusable(code, self.sets or LETTERS)):
            raise ValueError(
                f"card {self.card!r}: {two} are the same keys in two keyboard layouts; "
                f"add {{check}} to the code, or set the scanner to serial"
            )


def make(spec: KeyboardSpec) -> tuple[Port, DeviceProtocol]:
    """Its port and protocol."""
    protocol = Keyboard(
        spec.name,
        spec.code(),
        KeyboardSettings(
            symbologies=symbologies(spec.aim, spec.aim_required),
            max_key_ms=spec.max_key_ms,
            idle_ms=spec.idle_ms,
        ),
    )
    return input_port(spec), protocol


KIND = Kind("keyboard", "barcode scanner that types", KeyboardSpec, make, "input")
