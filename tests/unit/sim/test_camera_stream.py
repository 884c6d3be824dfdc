"""The simulated camera's socket: the newest client, the newest frame, never half a one."""

from __future__ import annotations

import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw_sim.camera.stream import HEADER, JPEG, CameraPort, packed
from hw_sim.port import PortError
from tests.unit.sim.test_camera_live import Got, got


@pytest.fixture
def port(tmp_path: Path) -> Iterator[CameraPort]:
    made = CameraPort(tmp_path / "camera.sock")
    made.plug()
    yield made
    made.unplug()


def client(port: CameraPort) -> socket.socket:
    link = socket.socket(socket.AF_UNIX)
    link.settimeout(10)
    link.connect(str(port.link))
    port.take()
    return link


def frame_of(number: int, size: int = 100) -> bytes:
    return packed(JPEG, (640, 480), number, number * 1_000, bytes([number % 256]) * size)


def read_frame(link: socket.socket) -> Got:
    head = read_all(link, HEADER.size)
    return got(head + read_all(link, HEADER.unpack(head)[-1]))


def read_all(link: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = link.recv(count - len(data))
        assert more
        data += more
    return data


def test_only_its_user_may_look(port: CameraPort) -> None:
    assert stat.S_IMODE(port.link.stat().st_mode) == 0o600
    assert port.name == f"virtual:{port.link}"


def test_frames_come_as_they_were_sent(port: CameraPort) -> None:
    with client(port) as link:
        for number in range(3):
            assert port.send(frame_of(number))
            assert read_frame(link) == got(frame_of(number))


def test_the_newest_client_gets_the_frames(port: CameraPort) -> None:
    with client(port) as first, client(port) as second:
        assert port.send(frame_of(7))
        assert read_frame(second).number == 7
        assert first.recv(1) == b""
        assert port.clients == 1


def test_a_slow_client_loses_frames_but_never_half_a_one(port: CameraPort) -> None:
    with client(port) as link:
        for number in range(60):
            # Nobody reads: the socket is full long before.
            assert port.send(frame_of(number, 100_000))
        assert port.dropped > 20
        numbers: list[int] = []
        while not numbers or numbers[-1] != 59:
            numbers.append(read_frame(link).number)
            port.take()
        assert numbers == sorted(set(numbers))
        assert numbers[-1] == 59
        assert len(numbers) < 40


def test_a_client_that_vanishes_in_a_frame_does_no_harm(port: CameraPort) -> None:
    with client(port) as link:
        for number in range(20):
            port.send(frame_of(number, 100_000))
        link.recv(5_000)
    port.take()
    port.take()
    for number in range(5):
        assert port.send(frame_of(number))
    assert port.clients == 0
    with client(port) as other:
        port.send(frame_of(9))
        assert read_frame(other).number == 9


def test_the_rest_of_a_frame_stays_behind_its_beginning(port: CameraPort) -> None:
    whole = frame_of(1, 900_000)
    with client(port) as link:
        port.send(whole[:400_000])
        port.send(whole[400_000:])
        port.send(frame_of(2))
        head = read_all(link, 10_000)
        port.take()
        rest = b""
        while len(head) + len(rest) < len(whole):
            rest += read_all(link, min(10_000, len(whole) - len(head) - len(rest)))
            port.take()
        assert head + rest == whole
        assert read_frame(link).number == 2


def test_unplugged_busy_and_denied(port: CameraPort) -> None:
    with client(port) as link:
        port.unplug()
        assert link.recv(1) == b""
    assert not port.link.exists()
    assert (port.plugged, port.name, port.fileno()) == (False, "", -1)
    assert port.send(frame_of(1))
    port.plug(busy=True)
    with client(port) as link:
        assert link.recv(1) == b""
    port.release()
    with client(port) as link:
        port.send(frame_of(2))
        assert read_frame(link).number == 2
    port.plug(denied=True)
    assert stat.S_IMODE(port.link.stat().st_mode) == 0
    port.permit()
    assert stat.S_IMODE(port.link.stat().st_mode) == 0o600


def test_what_is_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(PortError, match="no socket"):
        CameraPort(tmp_path / "file").plug()
    with pytest.raises(PortError, match="too many"):
        CameraPort(tmp_path / ("x" * 120)).plug()
    assert (tmp_path / "file").read_text() == "mine"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
