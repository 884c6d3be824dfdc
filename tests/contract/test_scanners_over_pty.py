"""Scanners that are talked to, over a real pseudo-terminal: virtual ones, and a device's thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.catalog import make_device, spec_of
from drivers.device import Device
from drivers.observations import (
    AnyObservation,
    CardRead,
    HealthChanged,
    Identified,
    NoRead,
    Trouble,
    TroubleOver,
)
from drivers.protocols.base import Beep, Wanted
from hw_sim.control import ShoeControl
from hw_sim.device_server import DeviceServer, DeviceSettings

WAIT_S = 15.0


class Bench:
    """A virtual scanner on a pseudo-terminal and the device that reads it."""

    def __init__(self, folder: Path, kind: str, **settings: Any) -> None:
        link = folder / "scanner"
        self.seen: list[AnyObservation] = []
        self._came = threading.Condition()
        self._server = DeviceServer(
            DeviceSettings(link=link, control=folder / "scanner.sock", seed=7, cut=0, kind=kind)
        )
        self._server.start()
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        self.control = ShoeControl(folder / "scanner.sock")
        raw = {"name": "shoe", "port": str(link), "kind": kind, **settings}
        self.device: Device = make_device(spec_of(raw), self._sink)
        self.device.start()

    def _sink(self, one: AnyObservation) -> None:
        with self._came:
            self.seen.append(one)
            self._came.notify_all()

    def of(self, kind: type[Any]) -> list[Any]:
        """What was seen of one kind."""
        return [one for one in self.seen if isinstance(one, kind)]

    def wait(self, is_true: Callable[[], object]) -> None:
        """Until something seen makes it true."""
        with self._came:
            assert self._came.wait_for(lambda: bool(is_true()), WAIT_S), self.seen[-5:]

    def wait_for_cards(self, count: int) -> None:
        """Until so many cards were read."""
        self.wait(lambda: len(self.of(CardRead)) == count)

    def wait_for_model(self, is_true: Callable[[dict[str, Any]], object]) -> None:
        """Until the virtual scanner is so."""
        limit = time.monotonic() + WAIT_S
        while not is_true(dict(self._server.model.state())):
            assert time.monotonic() < limit, self._server.model.state()
            time.sleep(0.01)

    def draw(self) -> str:
        """A card passes; its face."""
        return str(self.control.ask("draw")["face"])

    def close(self) -> None:
        """Both ends end."""
        self.device.stop()
        self.control.close()
        self._server.stop()
        self._thread.join(5)
        self._server.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(kind: str, **settings: Any) -> Bench:
        made.append(Bench(tmp_path, kind, **settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_zebra_scanner_is_set_up_reads_beeps_and_survives_a_replug(
    bench: Callable[..., Bench],
) -> None:
    one = bench("zebra-ssi")
    one.wait(lambda: one.of(Identified))
    one.wait_for_model(lambda state: state["enabled"] and state["parameters"]["EE"] == 1)
    drawn = []
    for count in range(1, 6):
        drawn.append(one.draw())
        one.wait_for_cards(count)
    assert [card.face for card in one.of(CardRead)] == drawn
    assert one.device.send(Beep("bad"))
    one.wait_for_model(lambda state: state["beeps"] == [0x12])
    one.device.want(Wanted(reading=False))
    one.wait_for_model(lambda state: not state["enabled"])
    one.device.want(Wanted(reading=True))
    one.wait_for_model(lambda state: state["enabled"])
    one.control.ask("fault", fault="replug")
    one.wait(lambda: [h.health for h in one.of(HealthChanged)][-2:] == ["lost", "up"])
    one.wait(lambda: len(one.of(Identified)) == 2)
    one.wait_for_model(lambda state: state["enabled"] and state["parameters"]["EE"] == 1)
    drawn.append(one.draw())
    one.wait_for_cards(6)
    assert [card.face for card in one.of(CardRead)] == drawn
    assert not one.of(NoRead)
    assert not one.of(Trouble)


def test_a_gm65_module_reads_dies_and_lives_again(bench: Callable[..., Bench]) -> None:
    one = bench("gm65", heartbeat_seconds=2)
    one.wait(lambda: one.of(Identified))
    drawn = []
    for count in range(1, 6):
        drawn.append(one.draw())
        one.wait_for_cards(count)
    assert not one.device.send(Beep("good"))
    one.control.ask("fault", fault="silent_death", ms=7000)
    one.wait(lambda: [trouble.code for trouble in one.of(Trouble)] == ["silent"])
    one.wait(lambda: [trouble.code for trouble in one.of(TroubleOver)] == ["silent"])
    drawn.append(one.draw())
    one.wait_for_cards(6)
    assert [card.face for card in one.of(CardRead)] == drawn
    assert not one.of(NoRead)
