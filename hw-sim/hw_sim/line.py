"""The line between a virtual device and its port, both ways, with what is wrong with it.

What a device says goes through a wire (`hw_sim.wires`), an adapter (which may hand it on late or in
crumbs) and the port. Every byte that does not come as it was said is told to `note`.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

from hw_sim.port import DevicePort
from hw_sim.timers import Timers
from hw_sim.wires import Passed, wires

CRUMB_MS = 1
WAITING = "line"


class Line:
    """`records`: the size of the device's records, 0 for a stream of bytes. `cut`: what to do when
    the wire is cut, with the milliseconds it stays so.
    """

    def __init__(
        self,
        port: DevicePort,
        wire: str,
        records: int,
        timers: Timers,
        now_ms: Callable[[], int],
        note: Callable[[dict[str, Any]], None],
        cut: Callable[[int], None],
    ) -> None:
        self.port = port
        self._out, self._in = wires(wire, records)
        self._records = records
        self._timers = timers
        self._now_ms = now_ms
        self._note = note
        self._cut = cut
        self._held: list[bytes] = []
        self._late: list[bytes] = []
        self._crumbs: random.Random | None = None
        self._crumb_at_ms = 0
        self._every_ms = 0

    # --- from the device --------------------------------------------------------------------

    def hold(self, data: bytes) -> None:
        """It comes only in one piece with what is sent next."""
        if data:
            self._held.append(data)

    def send(self, data: bytes) -> None:
        """The device says something, in one piece with what is held."""
        held, self._held = [*self._held, data], []
        for piece in held if self._records else [b"".join(held)]:
            if piece:
                self._passed(self._out.put(piece, self._now_ms()), "driver", self._adapter)

    def forget_held(self) -> None:
        """What is held is never sent."""
        self._held.clear()

    # --- to the device ----------------------------------------------------------------------

    def take(self, hear: Callable[[bytes], None]) -> None:
        """What the driver has sent goes its way to `hear`, a report at a time."""
        while data := self.port.take():
            self._note({"driver_sent": data.hex()})
            self._passed(self._in.put(data, self._now_ms()), "device", hear)
            if not self._records:
                return

    # --- the adapter ------------------------------------------------------------------------

    def small_reads(self, seed: int | None) -> None:
        """One to three bytes at a time, by the seed; None: in one piece again."""
        self._crumbs = None if seed is None else random.Random(f"{seed}/crumbs")

    def batching(self, every_ms: int) -> None:
        """Hand on what came only so often; 0: at once."""
        self._every_ms = every_ms
        if not every_ms:
            self._hand_on()

    def _adapter(self, data: bytes) -> None:
        if self._every_ms:
            # Its timer runs by itself: what comes waits for the end of the interval it is in.
            if not self._late:
                rest = self._every_ms - self._now_ms() % self._every_ms
                self._timers.later(rest, self._hand_on, WAITING)
            self._late.append(data)
        else:
            self._crumble(data)

    def _hand_on(self) -> None:
        late, self._late = self._late, []
        for data in late if self._records else [b"".join(late)]:
            if data:
                self._crumble(data)

    def _crumble(self, data: bytes) -> None:
        if self._crumbs is None or self._records:
            self._port_send(data)
            return
        now = self._now_ms()
        at = max(self._crumb_at_ms, now)
        while data:
            size = self._crumbs.randint(1, 3)
            crumb = data[:size]
            send = functools.partial(self._port_send, crumb)
            self._timers.later(at - now, send, WAITING, crumb)
            data, at = data[size:], at + CRUMB_MS
        self._crumb_at_ms = at

    def _port_send(self, data: bytes) -> None:
        if not self.port.send(data):
            self._note({"lost": data.hex(), "to": "driver", "why": "nobody took it"})

    # --- the wire ---------------------------------------------------------------------------

    @property
    def wake_at_ms(self) -> int | None:
        """When `tick` is wanted, or None."""
        wakes = [w for w in (self._out.wake_at_ms, self._in.wake_at_ms) if w is not None]
        return min(wakes, default=None)

    def tick(self, hear: Callable[[bytes], None]) -> None:
        """Time passed for what waits on the wire."""
        self._passed(self._out.tick(self._now_ms()), "driver", self._adapter)
        self._passed(self._in.tick(self._now_ms()), "device", hear)

    def unplugged(self) -> None:
        """Whatever is on the line is gone; what is held waits in the device."""
        late, self._late = self._late, []
        for data in [*late, *self._out.waiting(), *self._timers.forget(WAITING)]:
            if data:
                self._note({"lost": data.hex(), "to": "driver", "why": "unplugged"})
        self._out.reset()
        self._in.reset()
        self._crumb_at_ms = 0

    def _passed(self, passed: Passed, to: str, on: Callable[[bytes], None]) -> None:
        for hurt in passed.hurt:
            if hurt.became is None:
                why = "cut" if passed.cut_ms is not None else "wire"
                self._note({"lost": hurt.was.hex(), "at": hurt.at, "to": to, "why": why})
            else:
                was = {"flipped": hurt.was.hex(), "into": hurt.became.hex()}
                self._note({**was, "at": hurt.at, "to": to})
        for piece in passed.pieces:
            waits = piece.data if to == "driver" else b""
            self._timers.later(piece.at_ms, functools.partial(on, piece.data), WAITING, waits)
        if passed.cut_ms is not None:
            self._cut(passed.cut_ms)
