"""A driver's protocol and a virtual device talking to each other in memory, without a wire.

Time is a number of milliseconds that jumps from one thing to do to the next. What goes over may be
mangled in both directions.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from typing import Any

from drivers.observations import AnyObservation
from drivers.protocols.base import DeviceProtocol, Out
from hw_sim.codes import VirtualCard
from hw_sim.faults import Fault
from hw_sim.models.base import Model, Piece

MS = 1_000_000
Mangle = Callable[[bytes], bytes]


def clean(data: bytes) -> bytes:
    """A line that changes nothing."""
    return data


def rough(seed: int, per_mille: int) -> Mangle:
    """A line on which that many bytes in a thousand are lost, doubled or changed."""
    dice = random.Random(seed)

    def mangle(data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            luck = dice.randrange(3000)
            if luck >= 3 * per_mille:
                out.append(byte)
            elif luck % 3 == 1:
                out += bytes((byte, byte))
            elif luck % 3 == 2:
                out.append(byte ^ (1 << dice.randrange(8)))
        return bytes(out)

    return mangle


class Pair:
    """Both ends. `seen` is what the driver says, `written` what it writes, with their times."""

    def __init__(
        self,
        protocol: DeviceProtocol,
        model: Model,
        to_driver: Mangle = clean,
        to_device: Mangle = clean,
    ) -> None:
        self.protocol, self.model = protocol, model
        self.to_driver, self.to_device = to_driver, to_device
        self.now_ms = 0
        self.seen: list[AnyObservation] = []
        self.written: list[tuple[int, bytes]] = []
        self._queue: list[tuple[int, int, bytes]] = []
        self._count = 0
        self._wake_ns: int | None = None

    def start(self) -> None:
        """The device is switched on and the port opened."""
        self._queue_pieces(self.model.start(self.now_ms))
        self.take(self.protocol.start(self.now_ms * MS))

    def card(self, card: VirtualCard, fault: str = "", **params: object) -> None:
        """A card passes the reader."""
        given = defaults(self.model.faults[fault], params) if fault else {}
        self._queue_pieces(self.model.card(card, self.now_ms, fault, given))

    def do(self, fault: str, **params: object) -> None:
        """A fault now."""
        given = defaults(self.model.faults[fault], params)
        self._queue_pieces(self.model.do(fault, given, self.now_ms))

    def take(self, out: Out) -> None:
        """What a call of the protocol gave."""
        self.seen += out.observations
        self._wake_ns = out.wake_at_ns
        for message in out.write:
            self.written.append((self.now_ms, message))
            data = self.to_device(message)
            if data:
                self._queue_pieces(self.model.heard(data, self.now_ms))

    def run(self, ms: int) -> None:
        """Let that much time pass."""
        until = self.now_ms + ms
        while True:
            at = min((at for at in self._times() if at is not None), default=until + 1)
            if at > until:
                break
            self.now_ms = max(self.now_ms, at)
            self._step()
        self.now_ms = until

    def of(self, kind: type[Any]) -> list[Any]:
        """What was seen of one kind."""
        return [one for one in self.seen if isinstance(one, kind)]

    def _times(self) -> tuple[int | None, ...]:
        wake = None if self._wake_ns is None else -(-self._wake_ns // MS)
        return self._queue[0][0] if self._queue else None, self.model.wake_at_ms, wake

    def _step(self) -> None:
        due, device, driver = self._times()
        if due is not None and due <= self.now_ms:
            data = self.to_driver(heapq.heappop(self._queue)[2])
            if data:
                self.take(self.protocol.feed(data, self.now_ms * MS))
        elif device is not None and device <= self.now_ms:
            self._queue_pieces(self.model.tick(self.now_ms))
            wake = self.model.wake_at_ms
            assert wake is None or wake > self.now_ms, "the device would spin"
        elif driver is not None:
            self.take(self.protocol.tick(self.now_ms * MS))
            assert self._wake_ns is None or self._wake_ns > self.now_ms * MS, "would spin"

    def _queue_pieces(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            self._count += 1
            heapq.heappush(self._queue, (self.now_ms + piece.at_ms, self._count, piece.data))


def defaults(fault: Fault, params: dict[str, object]) -> dict[str, object]:
    """A fault's parameters, where not given as they are by default."""
    assert set(params) <= set(fault.params)
    return {key: default for key, (default, _) in fault.params.items()} | params
