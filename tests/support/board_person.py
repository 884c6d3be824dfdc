"""A person at a board who does what the conformance kit asks, and a virtual board on a port."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from hw_sim.board_events import ASKED, RESET
from hw_sim.models.base import Piece
from hw_sim.models.board import Board
from tests.support.pty import VirtualSerial

Do = Callable[[str, dict[str, Any]], object]


def orders() -> set[str]:
    """The rules that are one more of `B17 events`, for each thing a person is asked for."""
    return {f"B17 {what}" for what in ASKED}


class Person:
    """Reads what the kit writes, and does at once what it asks."""

    def __init__(self, do: Do) -> None:
        self.text = ""
        self.rules: dict[str, str] = {}
        self._do = do

    def write(self, text: str) -> None:
        """A line of the kit."""
        self.text += text
        asked = text.strip().removeprefix("-> ")
        for what, words in ASKED.items():
            if asked == words:
                press = what in ("help", "cut_card")
                self._do("press" if press else what, {"button": what} if press else {})
        if asked == RESET:
            self._do("reboot", {})
        if text.startswith("B"):
            self.rules[text[:18].strip()] = text[19:].strip()

    def flush(self) -> None:
        """Nothing waits."""


class Served:
    """A virtual board on a pseudo-terminal, in real time."""

    def __init__(self, board: Board, serial: VirtualSerial) -> None:
        self._board, self._serial = board, serial
        self._asked: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
        self._ends = threading.Event()

    def do(self, fault: str, params: dict[str, Any]) -> None:
        """Something happens at the board."""
        defaults = {key: value for key, (value, _) in self._board.faults[fault].params.items()}
        self._asked.put((fault, defaults | params))

    def stop(self) -> None:
        """It is over."""
        self._ends.set()

    def run(self) -> None:
        """Until it is stopped."""
        self._send(self._board.start(0))
        while not self._ends.is_set():
            data = self._serial.take(0.01)
            if data:
                self._send(self._board.heard(data, self._now()))
            while not self._asked.empty():
                self._send(self._board.do(*self._asked.get(), self._now()))
            self._send(self._board.tick(self._now()))

    def _now(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def _send(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            self._serial.send(piece.data)
