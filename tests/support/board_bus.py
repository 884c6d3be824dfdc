"""A table board's driver and its virtual board in memory: two wires that delay and lose."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from typing import Any

from drivers.observations import AnyObservation
from drivers.protocols.base import Out, Wanted
from drivers.protocols.board import Board
from hw_sim.models.base import Piece
from hw_sim.models.board import Board as VirtualBoard

MS = 1_000_000
# A wire: the bytes that arrive of those sent, and how many milliseconds later; None: lost.
Wire = Callable[[bytes], tuple[int, bytes] | None]


def good(data: bytes) -> tuple[int, bytes]:
    """A wire that delivers everything after 5 ms."""
    return 5, data


class Bus:
    """Both ends and what passes between them. Time in milliseconds; nothing sleeps.

    `sent` is what the board put on the wire, `written` what the station did, with their times.
    """

    def __init__(
        self, driver: Board, board: VirtualBoard, *, to_board: Wire = good, to_station: Wire = good
    ) -> None:
        self.driver, self.board = driver, board
        self.to_board, self.to_station = to_board, to_station
        self.now = 0
        self.seen: list[AnyObservation] = []
        self.sent: list[tuple[int, bytes]] = []
        self.written: list[tuple[int, bytes]] = []
        self._wake: int | None = None
        self._order = count()
        self._queue: list[tuple[int, int, Callable[[], None], bool]] = []
        self._plugged = False

    # --- what happens ----------------------------------------------------------------------

    def start(self) -> None:
        """The station opens the port."""
        self._plugged = True
        self._took(self.driver.start(self.now * MS))

    def cut(self) -> None:
        """The line is cut: what is on its way is lost, and so is what is sent before `start`."""
        self._plugged = False
        self._queue = [entry for entry in self._queue if not entry[3]]
        heapq.heapify(self._queue)
        self._took(self.driver.reset(self.now * MS))

    def want(self, **wanted: Any) -> None:
        """The station wants that state."""
        self._took(self.driver.want(Wanted(**wanted), self.now * MS))

    def do(self, fault: str, **params: Any) -> None:
        """Something happens at the board; parameters left out are the fault's defaults."""
        defaults = {key: value for key, (value, _) in self.board.faults[fault].params.items()}
        self._sends(self.board.do(fault, defaults | params, self.now))

    def at(self, ms: int, act: Callable[[], None]) -> None:
        """Something to be done then."""
        heapq.heappush(self._queue, (ms, next(self._order), act, False))

    def run(self, until: int) -> None:
        """Time passes, up to and with that millisecond."""
        while (due := self._due()) is not None and due <= until:
            self.now = max(self.now, due)
            if self._wake is not None and self._wake <= self.now * MS:
                out = self.driver.tick(self._wake)
                assert out.wake_at_ns is None or out.wake_at_ns > self._wake, "would spin"
                self._took(out)
            elif (wake := self.board.wake_at_ms) is not None and wake <= self.now:
                self._sends(self.board.tick(self.now))
            else:
                heapq.heappop(self._queue)[2]()
        self.now = until

    # --- the wires -------------------------------------------------------------------------

    def _due(self) -> int | None:
        times = [self._queue[0][0]] if self._queue else []
        times += [] if self._wake is None else [self._wake // MS]
        wake = self.board.wake_at_ms
        times += [] if wake is None else [wake]
        return min(times, default=None)

    def _took(self, out: Out) -> None:
        self.seen += out.observations
        self._wake = out.wake_at_ns
        for message in out.write:
            self.written.append((self.now, message))
            self._carry(self.to_board(message), self.now, self._hears)

    def _hears(self, data: bytes) -> None:
        self._sends(self.board.heard(data, self.now))

    def _sends(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            self.sent.append((self.now + piece.at_ms, piece.data))
            self._carry(self.to_station(piece.data), self.now + piece.at_ms, self._feeds)

    def _carry(
        self, arrives: tuple[int, bytes] | None, at: int, take: Callable[[bytes], None]
    ) -> None:
        if arrives is not None and self._plugged:
            delay, data = arrives
            entry = (at + delay, next(self._order), lambda: take(data), True)
            heapq.heappush(self._queue, entry)

    def _feeds(self, data: bytes) -> None:
        self._took(self.driver.feed(data, self.now * MS))
