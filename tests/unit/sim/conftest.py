"""A virtual shoe that runs, and a station that is only a socket and a script."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hw_sim.control import ShoeControl
from hw_sim.device_server import DeviceServer, DeviceSettings
from tests.unit.sim.fake_station import FakeStation

MakeShoe = Callable[..., ShoeControl]
Until = Callable[[Callable[[], object]], None]


class Clock:
    """A clock that goes when it is told to, in seconds."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def until() -> Until:
    """Waits until something is true, at most a minute on a busy machine; fails then."""

    def wait(is_true: Callable[[], object]) -> None:
        limit = time.monotonic() + 60
        while not is_true():
            assert time.monotonic() < limit
            time.sleep(0.005)

    return wait


@pytest.fixture
def make_shoe(tmp_path: Path) -> Iterator[MakeShoe]:
    """Starts a shoe under `tmp_path/shoe.link`; settings by keyword. Its control is given back."""
    running: list[tuple[DeviceServer, threading.Thread, ShoeControl]] = []

    def make(**changes: Any) -> ShoeControl:
        place = {"link": tmp_path / "shoe.link", "control": tmp_path / "shoe.sock", "seed": 7}
        server = DeviceServer(DeviceSettings(**{**place, **changes}))
        server.start()
        thread = threading.Thread(target=server.run)
        thread.start()
        control = ShoeControl(server.settings.control)
        running.append((server, thread, control))
        return control

    yield make
    for server, thread, control in running:
        control.close()
        server.stop()
        thread.join(5)
        assert not thread.is_alive()
        server.close()


@pytest.fixture
def shoe(make_shoe: MakeShoe) -> ShoeControl:
    """A running shoe of seed 7 that has no cut card."""
    return make_shoe(cut=0)


@pytest.fixture
def station(tmp_path: Path) -> Iterator[FakeStation]:
    """A station that says what the test tells it to."""
    fake = FakeStation(tmp_path / "table.sock")
    yield fake
    fake.close()
