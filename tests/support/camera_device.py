"""A camera device whose process is the tests' own, and what it says."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from drivers.catalog import spec_of
from drivers.device import Device
from drivers.kinds import camera as kind
from drivers.kinds.camera import CameraSpec
from drivers.observations import (
    AnyObservation,
    CardRead,
    HealthChanged,
    NoRead,
    Note,
    Trouble,
    TroubleOver,
)
from drivers.transports.process import ProcessPort
from tests.support.camera_stream import CameraStream, code, empty

WAIT_S = 60.0
# Never imported here: OpenCV and Qt do not meet in one process.
PROGRAM = Path(__file__).with_name("camera_program.py")


class Table:
    """A camera device whose process is the test's own, and what it said."""

    def __init__(
        self, port: str, hang_s: float = 10.0, without: tuple[str, ...] = (), **settings: Any
    ) -> None:
        """`without`: what cannot be imported; then the reader of cards itself is started."""
        raw = {"name": "shoe", "kind": "camera", "port": port, "read": ["barcode"], **settings}
        spec = spec_of({"fps": 30, **raw})
        assert isinstance(spec, CameraSpec)
        made, self.protocol = kind.make(spec)
        assert isinstance(made, ProcessPort)
        program = made._program
        script = (str(PROGRAM), *program.arguments[2:], *without)
        self.port = ProcessPort(
            msgspec.structs.replace(program, arguments=script, hang_s=hang_s), made._where
        )
        self.inbox: queue.Queue[AnyObservation] = queue.Queue()
        self.said: list[AnyObservation] = []
        self.device = Device("shoe", self.port, self.protocol, self.inbox.put)

    def start(self) -> Table:
        self.device.start()
        self.health("up")
        return self

    def until(self, is_it: Callable[[AnyObservation], bool]) -> AnyObservation:
        end = time.monotonic() + WAIT_S
        while True:
            one = self.inbox.get(timeout=max(0.0, end - time.monotonic()))
            self.said.append(one)
            if is_it(one):
                return one

    def health(self, wanted: str) -> HealthChanged:
        one = self.until(lambda seen: isinstance(seen, HealthChanged) and seen.health == wanted)
        assert isinstance(one, HealthChanged)
        return one

    def trouble(self, wanted: str) -> Trouble:
        one = self.until(lambda seen: isinstance(seen, Trouble) and seen.code == wanted)
        assert isinstance(one, Trouble)
        return one

    def over(self, wanted: str) -> None:
        self.until(lambda seen: isinstance(seen, TroubleOver) and seen.code == wanted)

    def card(self) -> str:
        one = self.until(lambda seen: isinstance(seen, CardRead | NoRead))
        assert isinstance(one, CardRead), one
        return one.text

    def pid(self) -> int:
        last = [one for one in self.said if isinstance(one, HealthChanged) and one.identity][-1]
        return int(last.identity.rpartition("(process ")[2].rstrip(")"))

    def cards(self) -> list[str]:
        while not self.inbox.empty():
            self.said.append(self.inbox.get())
        return [one.text for one in self.said if isinstance(one, CardRead)]

    def notes(self, said: str) -> list[str]:
        self.cards()
        return [one.detail for one in self.said if isinstance(one, Note) and one.code == said]


def gone(table: Table) -> None:
    last = table.port._last
    end = time.monotonic() + WAIT_S
    while last is not None and not last.gone:
        assert time.monotonic() < end, "the process outlived its device"
        time.sleep(0.01)


def passes(camera: CameraStream, table: Table, text: str) -> str:
    """A card passes and is read; the window is empty before and after."""
    camera.show(code(text))
    read = table.card()
    rest(camera, table)
    return read


def rest(camera: CameraStream, table: Table) -> None:
    """The window is empty, for so many pictures that the reader has looked at some of them."""
    camera.show(empty())
    seen = camera.number
    while camera.number < seen + 20:
        time.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state != "Z"


def ends(pid: int) -> None:
    end = time.monotonic() + WAIT_S
    while alive(pid):
        assert time.monotonic() < end, f"process {pid} lives on"
        time.sleep(0.02)
