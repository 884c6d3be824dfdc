"""What every virtual device is: its own behaviour on the wire, without any I/O.

A model is told what happens to it (it is switched on, a card passes, the driver sends bytes, time
passes) and answers with the pieces it puts on the wire. Time is in milliseconds and given to it.
Ports, shoes, control sockets and the cutting and losing of bytes are the business of others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hw_sim.codes import VirtualCard
from hw_sim.faults import Fault


@dataclass(frozen=True)
class Piece:
    """Bytes that go out `at_ms` after now, in one piece."""

    at_ms: int
    data: bytes


class Model(Protocol):
    """One virtual device.

    `kind`: as the station's settings call it. `faults`: those of its own, by name; the faults every
    device has (unplug, replug, early_draw, no_read ...) are not among them. `records`: the size of
    the records a driver reads, 0 for a stream of bytes.
    """

    kind: str
    faults: dict[str, Fault]
    records: int

    def start(self, now_ms: int) -> list[Piece]:
        """It is switched on or plugged in: what was asked of it before is forgotten."""

    def card(
        self,
        card: VirtualCard,
        now_ms: int,
        fault: str = "",
        params: dict[str, object] | None = None,
    ) -> list[Piece]:
        """A card (or the cut card) passes, well or with a fault of `when = "draw"`."""

    def do(self, fault: str, params: dict[str, object], now_ms: int) -> list[Piece]:
        """A fault of `when = "now"`."""

    def again(self, card: VirtualCard, now_ms: int) -> list[Piece]:
        """The dealer presents the last card once more; nothing where the device cannot."""

    def heard(self, data: bytes, now_ms: int) -> list[Piece]:
        """The driver sent bytes; a report device gets one report a call."""

    def tick(self, now_ms: int) -> list[Piece]:
        """Time passed: what was not answered is sent again, and the like."""

    @property
    def wake_at_ms(self) -> int | None:
        """When `tick` is wanted, or None."""

    def state(self) -> dict[str, object]:
        """What a person at the device would see: enabled, last beep, lamps, lock ..."""
