"""The reader of cards at a simulated camera with troubles: all are told, and no card is wrong.

Both are the programs a table starts. Cards are drawn one by one; what was read of them must be the
cards that were drawn, in their order, none twice. How many are read is not asked here.
"""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.catalog import make_device, spec_of
from drivers.observations import (
    AnyObservation,
    CardRead,
    HealthChanged,
    NoRead,
    Trouble,
    TroubleOver,
)
from drivers.transports.child import environment

WAIT_S = 90.0
FPS = 30
SIMULATOR = str(Path(sys.executable).with_name("hw-sim"))


class Shoe:
    """A simulated camera with a shoe behind it, in a process of its own."""

    def __init__(self, socket: Path) -> None:
        self.drawn: list[str] = []
        command = [SIMULATOR, "camera", "stream", str(socket)]
        self._process = subprocess.Popen(
            [*command, "--code", "code128", "--fps", str(FPS), "--size", "480x360"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()
        assert self._line().startswith("ready")

    def say(self, order: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(order + "\n")
        self._process.stdin.flush()

    def draw(self) -> str:
        self.say("draw")
        while True:
            face, code, *_ = [*self._line().split(), "", ""]
            if len(face) == 2 and code:
                self.drawn.append(code)
                return code

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(WAIT_S)
        self._thread.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def _line(self) -> str:
        return self._lines.get(timeout=WAIT_S)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.strip())


class Reader:
    """A table's camera device, and what it said."""

    def __init__(self, socket: Path) -> None:
        self.inbox: queue.Queue[AnyObservation] = queue.Queue()
        self.said: list[AnyObservation] = []
        raw: dict[str, Any] = {"name": "shoe", "kind": "camera", "port": f"virtual:{socket}"}
        self.device = make_device(spec_of({**raw, "fps": FPS, "frozen_ms": 1000}), self.inbox.put)
        self.device.start()

    def until(self, what: str) -> None:
        """Something of that sort: a health, `trouble`, `trouble over`, or `card`."""
        end = time.monotonic() + WAIT_S
        while True:
            one = self.inbox.get(timeout=max(0.0, end - time.monotonic()))
            self.said.append(one)
            if what in _words(one):
                return

    def passed(self) -> bool:
        """Whether something passed within some seconds."""
        end = time.monotonic() + 4
        while time.monotonic() < end:
            try:
                one = self.inbox.get(timeout=0.1)
            except queue.Empty:
                continue
            self.said.append(one)
            if isinstance(one, CardRead | NoRead):
                return True
        return False

    def read(self) -> list[CardRead]:
        while not self.inbox.empty():
            self.said.append(self.inbox.get())
        return [one for one in self.said if isinstance(one, CardRead)]


def _words(one: AnyObservation) -> tuple[str, ...]:
    match one:
        case HealthChanged():
            return (one.health,)
        case Trouble():
            return (one.code,)
        case TroubleOver():
            return (f"{one.code} over",)
        case CardRead():
            return ("card",)
        case _:
            return ()


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[Shoe]:
    one = Shoe(tmp_path / "camera.sock")
    yield one
    one.close()


@pytest.fixture
def reader(shoe: Shoe, tmp_path: Path) -> Iterator[Reader]:
    one = Reader(tmp_path / "camera.sock")
    one.until("up")
    yield one
    one.device.stop()


def draw_until_read(shoe: Shoe, reader: Reader) -> None:
    """Draw cards, each in its time, until one is read."""
    before = len(reader.read())
    for _ in range(20):
        shoe.draw()
        reader.passed()
        if len(reader.read()) > before:
            return
    raise AssertionError(f"none of 20 cards was read: {reader.said[-10:]}")


def never_wrong(shoe: Shoe, reader: Reader) -> None:
    """What was read are cards that were drawn, in their order, each once."""
    drawn = list(shoe.drawn)
    for card in reader.read():
        place = next(
            (n for n, code in enumerate(drawn) if card.text in ("", code) and card.face in code),
            None,
        )
        assert place is not None, (card, shoe.drawn, reader.read())
        del drawn[: place + 1]


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        ("frozen ms=3000", "frozen"),
        ("stall ms=3500", "stalled"),
        ("black ms=3500", "black"),
        ("blocked_stream ms=4500", "stalled"),
        ("jpeg_damage percent=60 ms=3000", "torn"),
    ],
)
def test_a_trouble_of_the_camera_is_told_and_over_and_makes_no_wrong_card(
    shoe: Shoe, reader: Reader, trouble: str, told: str
) -> None:
    draw_until_read(shoe, reader)
    shoe.say(trouble)
    shoe.draw()
    reader.until(told)
    shoe.draw()
    reader.until(f"{told} over")
    reader.passed()
    draw_until_read(shoe, reader)
    never_wrong(shoe, reader)


@pytest.mark.parametrize("trouble", ["torn percent=50 ms=1500", "torn_grey percent=50 ms=1500"])
def test_a_torn_picture_makes_no_wrong_card(shoe: Shoe, reader: Reader, trouble: str) -> None:
    for _ in range(3):
        shoe.say(trouble)
        shoe.draw()
        reader.passed()
    draw_until_read(shoe, reader)
    never_wrong(shoe, reader)


def test_a_camera_that_warms_up_is_waited_for(tmp_path: Path) -> None:
    """Black, then dark pictures after its opening: not up before, no card, nothing lost."""
    shoe = Shoe(tmp_path / "camera.sock")
    shoe.say("warm_up ms=3000")
    reader = Reader(tmp_path / "camera.sock")
    try:
        reader.until("up")
        draw_until_read(shoe, reader)
        never_wrong(shoe, reader)
        healths = [one.health for one in reader.said if isinstance(one, HealthChanged)]
        assert healths == ["waiting", "up"]
        assert not [one for one in reader.said if isinstance(one, Trouble)]
    finally:
        reader.device.stop()
        shoe.close()
