"""Faults of every device, whatever its kind: the port, the adapter, the death of it."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from hw_sim.control import ControlError, ShoeControl
from tests.unit.sim.conftest import MakeShoe, Until

OPEN = """
import os, serial, sys
if os.geteuid() == 0:
    os.setuid(65534)
try:
    serial.Serial(sys.argv[1], exclusive=True).close()
except serial.SerialException as error:
    print(error.errno)
"""


@pytest.fixture
def logged(make_shoe: MakeShoe, tmp_path: Path) -> ShoeControl:
    return make_shoe(cut=0, log=tmp_path / "log")


@pytest.fixture
def port(logged: ShoeControl, tmp_path: Path) -> Iterator[serial.Serial]:
    with serial.Serial(str(tmp_path / "shoe.link"), 9600, timeout=5) as opened:
        yield opened


def truth(tmp_path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]


def line(answer: dict[str, Any]) -> bytes:
    return f"{answer['code']}\r".encode()


def try_open(tmp_path: Path) -> str:
    """The error number a program of a common user meets, "" when it gets in."""
    shown = tmp_path / "shoe.link"
    run = subprocess.run(
        [sys.executable, "-c", OPEN, str(shown.readlink())],
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def test_permission_denied_until_udev_is_done(
    logged: ShoeControl, tmp_path: Path, until: Until
) -> None:
    before = (tmp_path / "shoe.link").readlink()
    logged.ask("fault", fault="permission_denied", ms=60_000)
    now = (tmp_path / "shoe.link").readlink()
    assert now != before
    assert now.stat().st_mode & 0o777 == 0
    assert try_open(tmp_path) == str(errno.EACCES)
    logged.ask("fault", fault="permission_denied", ms=20)
    shown = tmp_path / "shoe.link"
    until(lambda: shown.stat().st_mode & 0o777)


def test_busy_with_another_program_that_lets_go(
    logged: ShoeControl, tmp_path: Path, until: Until
) -> None:
    logged.ask("fault", fault="busy", ms=60_000)
    shown = str((tmp_path / "shoe.link").readlink())
    with pytest.raises(serial.SerialException) as told:
        serial.Serial(shown, exclusive=True)
    assert told.value.errno == errno.EAGAIN
    logged.ask("fault", fault="busy", ms=20)

    def opens() -> bool:
        try:
            serial.Serial(str(tmp_path / "shoe.link"), exclusive=True).close()
        except serial.SerialException:
            return False
        return True

    until(opens)


def test_blocked_it_reads_nothing_and_cards_still_come(
    logged: ShoeControl, port: serial.Serial, tmp_path: Path, until: Until
) -> None:
    logged.ask("fault", fault="blocked")
    port.write_timeout = 0.2
    with pytest.raises(serial.SerialTimeoutException):
        port.write(bytes(100_000))
    assert line(logged.ask("draw")) == port.read(6)
    assert not any("driver_sent" in entry for entry in truth(tmp_path))
    logged.ask("clear")
    until(lambda: any("driver_sent" in entry for entry in truth(tmp_path)))


def test_small_reads_are_one_to_three_bytes(logged: ShoeControl, port: serial.Serial) -> None:
    logged.ask("fault", fault="small_reads")
    expected = b"".join(line(logged.ask("draw")) for _ in range(20))
    assert port.read(len(expected)) == expected


def test_batching_hands_on_what_came_only_so_often(
    logged: ShoeControl, port: serial.Serial
) -> None:
    logged.ask("fault", fault="batching", every_ms=400)
    first, second = logged.ask("draw"), logged.ask("draw")
    assert port.read(12) == line(first) + line(second)
    logged.ask("clear")
    began = time.monotonic()
    assert line(logged.ask("draw")) == port.read(6)
    assert time.monotonic() - began < 0.3


def test_dead_says_and_hears_nothing_and_its_port_stays(
    logged: ShoeControl, port: serial.Serial, tmp_path: Path, until: Until
) -> None:
    logged.ask("fault", fault="dead")
    lost = logged.ask("draw")
    port.write(b"hello")
    until(lambda: any(entry.get("why") == "dead" for entry in truth(tmp_path) if "lost" in entry))
    assert logged.ask("state")["plugged"]
    logged.ask("clear")
    assert line(logged.ask("draw")) == port.read(6)
    assert [e["unread"] for e in truth(tmp_path) if "unread" in e] == [lost["code"]]


def test_stolen_bytes_never_come(logged: ShoeControl, port: serial.Serial, tmp_path: Path) -> None:
    logged.ask("arm", fault="stolen", count=2)
    stolen, clean = logged.ask("draw"), logged.ask("draw")
    assert port.read(10) == line(stolen)[2:] + line(clean)
    assert [e["lost"] for e in truth(tmp_path) if "lost" in e] == [line(stolen)[:2].hex()]


def test_a_lasting_fault_ends_after_its_time(
    logged: ShoeControl, port: serial.Serial, until: Until
) -> None:
    logged.ask("fault", fault="dead", ms=30)

    def lives() -> bool:
        logged.ask("draw")
        return bool(port.in_waiting)

    until(lives)


def test_what_is_not_sent_when_the_plug_is_pulled_is_in_the_log(
    logged: ShoeControl, port: serial.Serial, tmp_path: Path
) -> None:
    logged.ask("arm", fault="burst", ms=60_000, times=2)
    card = logged.ask("draw")
    assert port.read(6) == line(card)
    logged.ask("fault", fault="unplug")
    lost = [entry["lost"] for entry in truth(tmp_path) if "lost" in entry]
    assert lost == [line(card).hex()] * 2
    unread = logged.ask("draw")
    assert truth(tmp_path)[-1]["unread"] == unread["code"]


def test_every_byte_of_a_lossy_line_is_accounted_for(make_shoe: MakeShoe, tmp_path: Path) -> None:
    """What came is what was sent less what the log says, byte by byte; the same by the seed."""
    came, logs = [], []
    for name in ("a", "b"):
        place = {"link": tmp_path / name, "control": tmp_path / f"{name}.sock"}
        shoe = make_shoe(cut=0, log=tmp_path / "log", wire="lossy:rate=0.05,seed=3", **place)
        (tmp_path / "log").write_text("")
        sent = b""
        with serial.Serial(str(tmp_path / name), timeout=5) as port:
            sent = b"".join(line(shoe.ask("draw")) for _ in range(60))
            hurt = [e for e in truth(tmp_path) if "lost" in e or "flipped" in e]
            lost = sum("lost" in entry for entry in hurt)
            came.append(port.read(len(sent) - lost))
        assert lost > 3
        assert len(hurt) > lost
        logs.append([{k: v for k, v in entry.items() if k != "at_ms"} for entry in hurt])
        assert len(came[-1]) == len(sent) - lost
    assert came[0] == came[1]
    assert logs[0] == logs[1]


def test_a_line_that_is_cut_comes_back_by_itself(
    make_shoe: MakeShoe, tmp_path: Path, until: Until
) -> None:
    shoe = make_shoe(cut=0, wire="cut:rate=1,ms=300", log=tmp_path / "log")
    shoe.ask("draw")
    assert not shoe.ask("state")["plugged"]
    until(lambda: shoe.ask("state")["plugged"])
    assert any(entry.get("why") == "cut" for entry in truth(tmp_path))


def test_an_unknown_kind_option_or_wire_is_named(make_shoe: MakeShoe) -> None:
    bad: list[tuple[dict[str, Any], str]] = [
        ({"kind": "abacus"}, "there are text-line"),
        ({"options": (("colour", "red"),)}, "has no option 'colour'; it has suffix"),
        ({"wire": "string"}, "there are perfect"),
        ({"wire": "lossy:rate=2"}, "0 to 1"),
        ({"wire": "merged:rate=1"}, "has no setting 'rate'; it has pieces, ms"),
        ({"tcp": "nowhere"}, "write HOST:PORT"),
    ]
    for settings, message in bad:
        with pytest.raises(Exception, match=message):
            make_shoe(**settings)


def test_a_fault_of_a_tcp_server_is_none_of_a_serial_port(logged: ShoeControl) -> None:
    with pytest.raises(ControlError, match="no fault 'half_open'"):
        logged.ask("fault", fault="half_open")
