"""The device contract over a simulated node and a real thread: HID reports and keys.

The last tests want /dev/uhid and /dev/uinput, which few machines have: there the kernel's own nodes
are plugged in and read.
"""

from __future__ import annotations

import fcntl
import os
import queue
import select
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.catalog import make_device, spec_of
from drivers.device import Device
from drivers.observations import AnyObservation, CardRead, HealthChanged, NoRead, Trouble
from drivers.protocols.base import Beep, Wanted
from drivers.transports.names import plugged
from hw_sim.codes import VirtualCard
from hw_sim.models.base import Model, Piece
from hw_sim.models.hidpos import HidPos
from hw_sim.models.keyboard import Keyboard
from hw_sim.record_port import RecordPort
from tests.support.golden import cases, written

WAIT_S = 5.0
KING, ACE = VirtualCard("KH", 3, "A"), VirtualCard("AS", 1, "A")
MODELS: dict[str, Callable[[], Model]] = {"hid-pos": HidPos, "keyboard": Keyboard}


class Plug:
    """A simulated device at its node, served from a thread of its own."""

    def __init__(self, model: Model, link: Path) -> None:
        self.model = model
        self.port = RecordPort(link, model.records)
        self.heard: list[bytes] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def plug(self, **how: bool) -> None:
        with self._lock:
            self.port.plug(**how)
            self.model.start(0)

    def unplug(self) -> None:
        with self._lock:
            self.port.unplug()

    def release(self) -> None:
        with self._lock:
            self.port.release()

    def send(self, data: bytes) -> None:
        with self._lock:
            assert self.port.send(data)

    def say(self, pieces: list[Piece]) -> None:
        """All of it at once: the times of the pieces are in their stamps."""
        for piece in sorted(pieces, key=lambda piece: piece.at_ms):
            self.send(piece.data)

    def card(self, card: VirtualCard, fault: str = "", **params: object) -> None:
        self.say(self.model.card(card, _now_ms(), fault, params))

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.port.unplug()

    def _serve(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                handle = self.port.fileno()
            if handle < 0 or not select.select([handle], [], [], 0.01)[0]:
                self._stop.wait(0.005)
                continue
            with self._lock:
                data = self.port.take()
                if data:
                    self.heard.append(data)
                    answer = self.model.heard(data, _now_ms())
                else:
                    answer = []
            self.say(answer)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Station:
    """A device and what it said."""

    def __init__(self, **settings: Any) -> None:
        self.inbox: queue.Queue[AnyObservation] = queue.Queue()
        self.device: Device = make_device(spec_of({"name": "scanner", **settings}), self.inbox.put)
        self.device.start()

    def next(self) -> AnyObservation:
        return self.inbox.get(timeout=WAIT_S)

    def health(self) -> str:
        told = self.next()
        assert isinstance(told, HealthChanged), told
        return told.health

    def card(self) -> str:
        told = self.next()
        assert isinstance(told, CardRead), told
        return told.text

    def no_read(self) -> str:
        told = self.next()
        assert isinstance(told, NoRead), told
        return told.reason


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "scanner.sock"


@pytest.fixture
def start(link: Path) -> Iterator[Callable[..., Station]]:
    stations: list[Station] = []

    def begin(**settings: Any) -> Station:
        stations.append(Station(**{"port": f"virtual:{link}", **settings}))
        return stations[-1]

    yield begin
    for station in stations:
        station.device.stop()


@pytest.fixture(params=sorted(MODELS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def plug(kind: str, link: Path) -> Iterator[Plug]:
    plug = Plug(MODELS[kind](), link)
    yield plug
    plug.close()


def test_a_card_is_read_over_the_node(plug: Plug, kind: str, start: Callable[..., Station]) -> None:
    plug.plug()
    station = start(kind=kind)
    told = station.next()
    assert isinstance(told, HealthChanged)
    assert (told.health, told.identity) == ("up", plug.port.name)
    plug.card(KING)
    assert station.card() == "AKH35"
    plug.card(ACE)
    assert station.card() == "AAS1C"


def test_unplug_is_told_and_the_replugged_device_is_read(
    plug: Plug, kind: str, start: Callable[..., Station]
) -> None:
    station = start(kind=kind)
    assert station.health() == "waiting"
    plug.plug()
    assert station.health() == "up"
    plug.card(KING)
    assert station.card() == "AKH35"
    plug.unplug()
    assert station.health() == "lost"
    plug.plug()
    assert station.health() == "up"
    plug.card(ACE)
    assert station.card() == "AAS1C"


def test_half_a_code_is_never_joined_to_what_comes_after_the_replug(
    plug: Plug, kind: str, start: Callable[..., Station]
) -> None:
    plug.plug()
    station = start(
        kind=kind, **({"more_ms": 60_000} if kind == "hid-pos" else {"idle_ms": 60_000})
    )
    assert station.health() == "up"
    plug.card(KING, "lost_report" if kind == "hid-pos" else "half_code", length=60, keep=3)
    held = "_parts" if kind == "hid-pos" else "_keys"
    while not getattr(station.device._protocol, held):
        time.sleep(0.001)
    plug.plug()
    assert station.no_read() == "incomplete"
    assert station.health() == "lost"
    assert station.health() == "up"
    plug.card(ACE)
    assert station.card() == "AAS1C"


def test_a_second_station_is_told_busy_and_the_first_is_unharmed(
    plug: Plug, kind: str, start: Callable[..., Station]
) -> None:
    plug.plug()
    first = start(kind=kind)
    assert first.health() == "up"
    second = start(kind=kind)
    told = second.next()
    assert isinstance(told, HealthChanged)
    assert told.health == "busy"
    assert "another program holds it" in told.detail
    plug.card(KING)
    assert first.card() == "AKH35"
    assert second.inbox.empty()
    first.device.stop()
    assert second.health() == "up"
    plug.card(KING)
    assert second.card() == "AKH35"


def test_a_node_another_program_has_is_tried_until_it_is_free(
    plug: Plug, kind: str, start: Callable[..., Station]
) -> None:
    plug.plug(busy=True)
    station = start(kind=kind)
    assert station.health() == "busy"
    plug.release()
    assert station.health() == "up"
    plug.card(KING)
    assert station.card() == "AKH35"


@pytest.mark.parametrize("kind", sorted(MODELS), indirect=True)
def test_golden_records_over_the_node(plug: Plug, kind: str, start: Callable[..., Station]) -> None:
    plug.plug()
    case = next(case for case in cases(kind) if case.name == "clean_cards")
    station = start(kind=kind)
    assert station.health() == "up"
    for send in case.sends:
        plug.send(send.data)
    for expected in case.sees:
        assert written(station.next()) | {"at_ms": 0} == expected | {"at_ms": 0}


# --- reports ------------------------------------------------------------------------------------


@pytest.fixture
def hid(link: Path) -> Iterator[Plug]:
    plug = Plug(HidPos(), link)
    plug.plug()
    yield plug
    plug.close()


def test_beeps_and_switches_reach_the_scanner(hid: Plug, start: Callable[..., Station]) -> None:
    station = start(kind="hid-pos", vendor="honeywell")
    assert station.health() == "up"
    told = station.next()
    assert "Serial Number: 15232B1F0C" in getattr(told, "identity", "")
    station.device.want(Wanted(reading=False))
    assert station.device.send(Beep("bad"))
    _until(lambda: hid.model.state() == {"reading": False, "started": False, "beeps": ["bad"]})
    assert hid.model.card(KING, 0) == []
    hid.plug()
    assert station.health() == "lost"
    assert station.health() == "up"
    _until(lambda: hid.model.state()["reading"] is False)


def test_a_scanner_that_stops_answering_is_silent(hid: Plug, start: Callable[..., Station]) -> None:
    hid.model.do("mute", {}, 0)
    station = start(kind="hid-pos", vendor="honeywell", answer_ms=100)
    assert station.health() == "up"
    told = station.next()
    assert isinstance(told, Trouble)
    assert told.code == "silent"


def test_another_kind_of_node_is_misconfigured(hid: Plug, start: Callable[..., Station]) -> None:
    station = start(kind="keyboard")
    assert station.health() == "misconfigured"


def _until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not what():
        assert time.monotonic() < end
        time.sleep(0.005)


# --- the kernel's own nodes ---------------------------------------------------------------------


def _may_write(node: str) -> bool:
    return os.access(node, os.W_OK)


@pytest.mark.skipif(not _may_write("/dev/uinput"), reason="no /dev/uinput that may be written")
def test_a_keyboard_of_the_kernel_is_grabbed_and_read(start: Callable[..., Station]) -> None:
    ui_set_evbit, ui_set_keybit, ui_dev_create, ui_dev_destroy = (
        0x40045564, 0x40045565, 0x5501, 0x5502,
    )  # fmt: skip
    fd = os.open("/dev/uinput", os.O_WRONLY | os.O_NONBLOCK)
    fcntl.ioctl(fd, ui_set_evbit, 1)
    for key in range(1, 128):
        fcntl.ioctl(fd, ui_set_keybit, key)
    name = b"dealer-station test".ljust(80, b"\0")
    os.write(fd, name + struct.pack("HHHH", 3, 0x1209, 0x0001, 1) + bytes(4 + 4 * 64 * 4))
    before = set(Path("/dev/input").glob("event*"))
    fcntl.ioctl(fd, ui_dev_create)
    try:
        _until(lambda: bool(set(Path("/dev/input").glob("event*")) - before))
        (node,) = set(Path("/dev/input").glob("event*")) - before
        station = start(kind="keyboard", port=str(node))
        assert station.health() == "up"
        for piece in Keyboard().card(KING, _now_ms()):
            os.write(fd, piece.data)
            time.sleep(0.004)
        assert station.card() == "AKH35"
        assert start(kind="keyboard", port=str(node)).health() == "busy"
        fcntl.ioctl(fd, ui_dev_destroy)
        assert station.health() == "lost"
    finally:
        os.close(fd)


@pytest.mark.skipif(not _may_write("/dev/uhid"), reason="no /dev/uhid that may be written")
def test_a_hid_device_of_the_kernel_is_found_by_name_and_read(
    start: Callable[..., Station],
) -> None:
    descriptor = bytes.fromhex(
        "05 8C 09 02 A1 01 85 02 15 00 26 FF 00 75 08 95 3F 09 30 81 02"
        "85 04 75 08 95 01 09 5F 91 02 C0"
    )
    create = struct.pack(
        "<I128s64s64sHHIIII", 11, b"dealer-station test", b"", b"T1", len(descriptor),
        3, 0x1209, 0x0002, 0, 0,
    )  # fmt: skip
    fd = os.open("/dev/uhid", os.O_RDWR)
    try:
        os.write(fd, create + descriptor)
        _until(lambda: any(one.usb == "1209:0002:T1" for one in plugged()))
        station = start(kind="hid-pos", port="usb:1209:0002:T1", usb="1209:0002:T1")
        while station.health() != "up":
            pass
        for piece in HidPos().card(KING, 0):
            os.write(fd, struct.pack("<IH", 12, len(piece.data)) + piece.data)
        assert station.card() == "AKH35"
    finally:
        os.close(fd)
    assert station.health() == "lost"
