"""`board`: a table board that speaks the open protocol of docs/board-protocol.md."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from drivers.protocols.base import DeviceProtocol
from drivers.protocols.board import Board, BoardSettings
from drivers.specs import Baud, DeviceSpec, Kind, Role, serial_port
from drivers.transports.base import Port
from drivers.transports.serial import SerialSettings


class BoardSpec(DeviceSpec, frozen=True, kw_only=True):
    """`sensor`: the card-out sensor counts as a witness; the board must then have one.
    `silent_ms`: silence after which the board counts as silent, milliseconds.
    """

    kind: Literal["board"] = "board"
    role: Role = "board"
    baud: Baud = 115200
    dtr: bool = True
    rts: bool = True
    sensor: bool = False
    silent_ms: Annotated[int, Meta(ge=2500, le=60_000)] = 3000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.role != "board":
            raise ValueError(f'role {self.role!r}: a table board reads no cards; write "board"')

    @property
    def watches(self) -> bool:
        """Whether its card-out sensor is believed."""
        return self.sensor


def make(spec: BoardSpec) -> tuple[Port, DeviceProtocol]:
    """Its port and protocol."""
    settings = SerialSettings(path=spec.port, baud=spec.baud, dtr=spec.dtr, rts=spec.rts)
    protocol = Board(spec.name, BoardSettings(sensor=spec.sensor, silent_ms=spec.silent_ms))
    return serial_port(spec, settings), protocol


KIND = Kind("board", "table board: lamps, light, brake, sensor, buttons, badge", BoardSpec, make)
