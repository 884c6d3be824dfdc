"""The example firmware keeps to the board protocol, drives its pins, and works with the driver."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.catalog import make_device, spec_of
from drivers.observations import AnyObservation, Badge, Button, CardOut
from drivers.protocols.base import Wanted
from hw_sim import board_check
from tests.support.board_person import Person
from tests.support.firmware import (
    ARDUINO,
    FIRMWARE,
    PICO,
    Firmware,
    build_arduino,
    compiler,
    micropython,
)

PATIENCE_S = 10.0


@pytest.fixture(scope="module")
def arduino_command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    if compiler() is None:
        pytest.skip("no C++ compiler (c++, g++ or clang++) on this machine")
    return build_arduino(tmp_path_factory.mktemp("arduino"))


@pytest.fixture(params=["arduino", "micropython"])
def firmware(request: pytest.FixtureRequest) -> Iterator[Firmware]:
    if request.param == "arduino":
        made = Firmware(request.getfixturevalue("arduino_command"), ARDUINO)
    else:
        made = Firmware(micropython(), PICO)
    with made:
        yield made


def wait_for(true: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until, "it did not come about"
        time.sleep(0.01)


def test_the_firmware_keeps_every_rule(firmware: Firmware) -> None:
    """The whole conformance kit, with bouncing buttons and a restart."""
    out = Person(firmware.do)
    code = board_check.run(firmware.port, 115200, out, patience_s=PATIENCE_S)
    assert set(out.rules.values()) == {"pass"}, out.text
    assert code == 0


def test_the_firmware_does_what_the_station_wants_and_tells_each_press_once(
    firmware: Firmware,
) -> None:
    """The real driver on the port: states at the pins, presses, and the safe state without it."""
    pins, seen = firmware.wiring, list[AnyObservation]()
    raw = {"name": "board", "kind": "board", "port": str(firmware.port), "sensor": True}
    device = make_device(spec_of(raw), seen.append)
    device.want(Wanted(light="red", seat=3, shoe_locked=False))
    device.start()
    try:
        wait_for(lambda: firmware.outputs.get(pins.brake) == 1)
        wait_for(lambda: firmware.outputs.get(pins.lamps[2]) == 1)
        assert [firmware.outputs.get(pin) for pin in pins.rgb] == [255, 0, 0]
        lit = [pin for pin in pins.lamps if firmware.outputs.get(pin)]
        assert lit == [pins.lamps[2]]
        badge: list[tuple[str, dict[str, Any]]] = (
            [("badge", {})] if "badge" in device.capabilities else []
        )
        for what, params in [("press", {"button": "help"}), ("card_out", {}), *badge]:
            before = len(said(seen))
            firmware.do(what, params)
            wait_for(lambda: len(said(seen)) > before)  # noqa: B023 - it is called at once
        device.want(Wanted(light="green", seat=0, shoe_locked=True))
        wait_for(lambda: firmware.outputs.get(pins.brake) == 0)
        device.want(Wanted(light="green", seat=5, shoe_locked=False))
        wait_for(lambda: firmware.outputs.get(pins.lamps[4]) == 1)
    finally:
        device.stop()
    assert [type(one) for one in said(seen)] == [Button, CardOut, *[Badge] * len(badge)]
    # Nobody pings any more: brake on, lamps out, amber and blinking.
    wait_for(lambda: firmware.outputs.get(pins.brake) == 0)
    wait_for(lambda: firmware.history.count((pins.rgb[1], 90)) >= 2)
    assert not any(firmware.outputs.get(pin) for pin in pins.lamps)


def said(seen: list[AnyObservation]) -> list[AnyObservation]:
    return [one for one in seen if isinstance(one, Button | CardOut | Badge)]


@pytest.mark.parametrize("name", ["board.ino", "board.py"])
def test_the_firmware_stays_small(name: str) -> None:
    lines = (FIRMWARE / name).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 220
    assert max(map(len, lines)) <= 110


def test_a_wrong_firmware_is_told_by_the_rule_it_breaks(tmp_path: Path) -> None:
    """The same kit over the same pins: what it passes above, it does not pass here."""
    text = (FIRMWARE / "board.py").read_text(encoding="utf-8")
    wrong = tmp_path / "board.py"
    wrong.write_text(text.replace('say("no", 0, "check")', "pass"), encoding="utf-8")
    command = [*micropython()[:-1], str(wrong)]
    with Firmware(command, PICO) as firmware:
        out = Person(firmware.do)
        assert board_check.run(firmware.port, 115200, out, person=False) == 1
    failed = {name for name, said in out.rules.items() if said.startswith("fail")}
    assert failed == {"B11 wrong check"}
