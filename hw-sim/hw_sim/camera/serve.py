"""`hw-sim camera stream`: a camera by itself on a socket, with cards as somebody types them.

Lines on standard input: nothing or `draw`, the next card of the shoe; `KH` or `KH3`, that card;
`cut`, the cut card; the name of a trouble with its parameters, `glare strength=200`, which strikes
at once, or the next card if it is one of the card's; `clear`.
"""

from __future__ import annotations

import os
import selectors
import sys
import time
from collections.abc import Callable
from pathlib import Path

from hw_sim.camera.stream import CameraPort
from hw_sim.codes import RANKS, SUITS, CodeError, VirtualCard
from hw_sim.faults import FaultError, fault_params
from hw_sim.models.camera import Camera
from hw_sim.shoe import Shoe, ShoeEmpty

Say = Callable[[str], None]


class Serve:
    """`pace_s`: a card of the shoe every so many seconds, 0: only as ordered. `cards`: after so
    many of the shoe's it is over, 0: never. Raises PortError at `run` when the socket cannot be.
    """

    def __init__(
        self,
        socket: Path,
        camera: Camera,
        shoe: Shoe,
        say: Say,
        pace_s: float = 0.0,
        cards: int = 0,
    ) -> None:
        self._port = CameraPort(socket)
        self._camera = camera
        self._shoe = shoe
        self._say = say
        self._pace_s = pace_s
        self._cards = cards
        self._armed: tuple[str, dict[str, object]] = ("", {})
        self._stopping = False
        self._typed = ""

    def stop(self) -> None:
        """End it; from a signal handler."""
        self._stopping = True

    def run(self) -> None:
        """Serve until told to end, or all cards are out."""
        selector = selectors.DefaultSelector()
        try:
            self._port.plug()
            self._camera.start(_now_ms())
            selector.register(self._port.fileno(), selectors.EVENT_READ, "port")
            self._say(f"ready port={self._port.name}")
            if not self._pace_s and sys.stdin is not None and _is_open(sys.stdin.fileno()):
                self._listen(selector, sys.stdin.fileno())
            self._loop(selector)
        finally:
            self._port.unplug()
            selector.close()

    def _listen(self, selector: selectors.BaseSelector, typed: int) -> None:
        try:
            selector.register(typed, selectors.EVENT_READ, "typed")
        except PermissionError:
            # A file, or /dev/null: nobody types there, all of it can be read at once.
            while self._read(typed):
                pass

    def _loop(self, selector: selectors.BaseSelector) -> None:
        due = time.monotonic() + self._pace_s
        while not self._stopping:
            wake = self._camera.wake_at_ms or 0
            for key, _ in selector.select(max(0.001, (wake - _now_ms()) / 1000)):
                if key.data == "port":
                    self._port.take()
                elif not self._read(key.fd):
                    selector.unregister(key.fd)
            for piece in self._camera.tick(_now_ms()):
                self._port.send(piece.data)
            enough = self._cards and self._shoe.cards_out >= self._cards
            if self._pace_s and not enough and time.monotonic() >= due:
                due += self._pace_s
                self.order("draw")
            if enough and not self._camera.busy:
                return

    def _read(self, handle: int) -> bool:
        data = os.read(handle, 65536).decode(errors="replace")
        *lines, self._typed = (self._typed + data).split("\n")
        for line in lines:
            self.order(line.strip())
        return bool(data)

    def order(self, line: str) -> None:
        """One line. What is wrong with it is said, and nothing happens."""
        try:
            self._say(self._do(line))
        except (FaultError, CodeError, ShoeEmpty) as error:
            self._say(f"? {error}")

    def _do(self, line: str) -> str:
        word, _, rest = line.partition(" ")
        if word in ("", "draw"):
            return self._pass(self._shoe.draw().card)
        if word == "cut":
            return self._pass(VirtualCard("", 0, self._shoe.set))
        if word == "clear":
            self._camera.do("calm", {}, _now_ms())
            return "clear"
        if len(word) in (2, 3) and word[0].upper() in RANKS and word[1].upper() in SUITS:
            deck = int(word[2]) if word[2:].isdigit() else 1
            return self._pass(VirtualCard(word[:2].upper(), deck, self._shoe.set))
        return self._trouble(word, rest)

    def _trouble(self, name: str, rest: str) -> str:
        given: dict[str, object] = {}
        for pair in rest.split():
            key, _, value = pair.partition("=")
            given[key] = int(value) if value.isdigit() else value
        params = fault_params(name, given, self._camera.faults)
        if self._camera.faults[name].when == "draw":
            self._armed = (name, params)
            return f"{name}: at the next card"
        self._camera.do(name, params, _now_ms())
        return name

    def _pass(self, card: VirtualCard) -> str:
        (fault, params), self._armed = self._armed, ("", {})
        self._camera.card(card, _now_ms(), fault, params)
        return f"{card.face or 'cut'} {self._camera.text(card)} {fault}".rstrip()


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _is_open(handle: int) -> bool:
    try:
        os.fstat(handle)
    except OSError:
        return False
    return True
