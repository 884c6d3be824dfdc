"""A simulated device node: one driver, whole records, lamps, plug and unplug."""

from __future__ import annotations

import select
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw_sim.port import PortError
from hw_sim.record_port import EVENT, REPORT, RecordPort

CAPS_ON = struct.pack("llHHi", 0, 0, 17, 1, 1)
CAPS_OFF = struct.pack("llHHi", 0, 0, 17, 1, 0)
KEY = struct.pack("llHHi", 0, 0, 1, 30, 1)
A = bytes((2,)).ljust(REPORT, b"\0")


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "reader.sock"


@pytest.fixture
def port(link: Path) -> Iterator[RecordPort]:
    port = RecordPort(link, REPORT)
    port.plug()
    yield port
    port.unplug()


@pytest.fixture
def keyboard(link: Path) -> Iterator[RecordPort]:
    port = RecordPort(link, EVENT)
    port.plug()
    yield port
    port.unplug()


class Driver:
    """A program at the other end."""

    def __init__(self, port: RecordPort) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(5)
        self.socket.connect(str(port.link))
        assert readable(port)
        assert port.take() == b""
        self.greeting = self.socket.recv(64)

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()


def readable(port: RecordPort) -> bool:
    return bool(select.select([port], [], [], 5)[0])


def test_a_driver_gets_whole_reports_and_its_reports_come_one_by_one(port: RecordPort) -> None:
    with Driver(port) as driver:
        assert driver.greeting == b"ready 64"
        assert port.send(A + A)
        assert [driver.socket.recv(4096), driver.socket.recv(4096)] == [A, A]
        driver.socket.send(b"\x04\x40")
        driver.socket.send(b"\x04\x20")
        assert readable(port)
        assert [port.take(), port.take(), port.take()] == [b"\x04\x40", b"\x04\x20", b""]


def test_a_second_driver_is_refused_and_let_in_when_the_first_is_gone(port: RecordPort) -> None:
    with Driver(port) as first:
        with Driver(port) as second:
            assert second.greeting == b"busy"
            assert second.socket.recv(64) == b""
        assert port.send(A)
        assert first.socket.recv(64) == A
    assert readable(port)
    with Driver(port) as third:
        assert third.greeting == b"ready 64"
        assert port.clients == 1


def test_nothing_is_kept_for_a_driver_that_is_not_there(port: RecordPort) -> None:
    assert not port.send(A)
    with Driver(port) as driver:
        driver.socket.setblocking(False)
        with pytest.raises(BlockingIOError):
            driver.socket.recv(64)


def test_a_lamp_that_is_lit_is_the_first_thing_a_driver_sees(keyboard: RecordPort) -> None:
    keyboard.send(CAPS_ON + KEY)
    with Driver(keyboard) as driver:
        assert driver.greeting == b"ready 24"
        assert driver.socket.recv(4096) == CAPS_ON
        assert keyboard.send(CAPS_OFF + KEY)
        assert driver.socket.recv(4096) == CAPS_OFF + KEY
    with Driver(keyboard) as again:
        again.socket.setblocking(False)
        with pytest.raises(BlockingIOError):
            again.socket.recv(64)


def test_a_driver_that_does_not_read_is_noticed(port: RecordPort) -> None:
    with Driver(port):
        assert not all(port.send(A) for _ in range(10_000))


def test_unplug_cuts_the_driver_off_and_takes_the_name_away(port: RecordPort, link: Path) -> None:
    with Driver(port) as driver:
        port.unplug()
        assert driver.socket.recv(64) == b""
    assert not link.exists()
    assert (port.plugged, port.name, port.fileno()) == (False, "", -1)
    port.plug()
    assert port.name == f"virtual:{link}"


def test_plugged_in_anew_it_is_another_node(port: RecordPort, link: Path) -> None:
    before = link.stat().st_ino
    with Driver(port) as driver:
        port.plug()
        assert driver.socket.recv(64) == b""
    assert link.stat().st_ino != before


def test_busy_and_denied(port: RecordPort, link: Path) -> None:
    port.plug(busy=True, denied=True)
    assert link.stat().st_mode & 0o777 == 0
    port.permit()
    assert link.stat().st_mode & 0o777 == 0o600
    with Driver(port) as driver:
        assert driver.greeting == b"busy"
    port.release()
    with Driver(port) as driver:
        assert driver.greeting == b"ready 64"


def test_another_simulators_node_under_the_name_stays(port: RecordPort, link: Path) -> None:
    other = RecordPort(link, REPORT)
    other.plug()
    port.unplug()
    assert link.exists()
    other.unplug()
    assert not link.exists()


def test_a_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(PortError, match="no socket"):
        RecordPort(tmp_path / "file", REPORT).plug()
    assert (tmp_path / "file").read_text() == "x"
