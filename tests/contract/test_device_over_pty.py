"""The device contract, over a real pty and a real thread: what the table may rely on."""

from __future__ import annotations

import queue
import resource
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.catalog import make_device
from drivers.device import Device
from drivers.kinds.textline import TextLineSpec
from drivers.observations import (
    AnyObservation,
    CardRead,
    HealthChanged,
    NoRead,
    Trouble,
    TroubleOver,
)
from drivers.protocols.base import Beep
from drivers.transports.base import TransportBusy
from drivers.transports.serial import SerialPort, SerialSettings
from tests.support.golden import Case, cases, written
from tests.support.pty import VirtualSerial

WAIT_S = 5.0
# The passing of time inside a case is judged without a wire.
UNTIMED = [case for case in cases("text-line") if len(case.sends) == 1]
LOST_WITHIN_S = 2.0
PTY_BUFFER = 4096


def open_descriptors() -> int:
    """How many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


class Station:
    """A device and what it said."""

    def __init__(self, link: Path, **settings: Any) -> None:
        self.inbox: queue.Queue[AnyObservation] = queue.Queue()
        self.log: list[tuple[str, dict[str, object]]] = []
        self.refuse: Callable[[AnyObservation], None] = lambda observation: None
        spec = TextLineSpec(name="shoe", port=str(link), **settings)
        self.device: Device = make_device(spec, self._sink, log=self._log)

    def _sink(self, observation: AnyObservation) -> None:
        self.refuse(observation)
        self.inbox.put(observation)

    def _log(self, event: str, **fields: object) -> None:
        self.log.append((event, fields))

    def next(self, wait_s: float = WAIT_S) -> AnyObservation:
        """The next thing it says."""
        return self.inbox.get(timeout=wait_s)

    def card(self) -> str:
        """The next thing it says is a card."""
        observation = self.next()
        assert isinstance(observation, CardRead), observation
        return observation.text

    def health(self) -> str:
        """The next thing it says is a change of health."""
        observation = self.next()
        assert isinstance(observation, HealthChanged), observation
        return observation.health

    def no_read(self) -> str:
        """The next thing it says is a failed read."""
        observation = self.next()
        assert isinstance(observation, NoRead), observation
        return observation.reason

    def says_nothing_more(self, virtual: VirtualSerial) -> bool:
        """A marker line comes next: nothing else was said before it."""
        virtual.send(b"AAS1C\r")
        return self.card() == "AAS1C" and self.inbox.empty()


@pytest.fixture
def virtual(tmp_path: Path) -> Iterator[VirtualSerial]:
    virtual = VirtualSerial(tmp_path / "shoe")
    yield virtual
    virtual.unplug()


@pytest.fixture
def start(virtual: VirtualSerial) -> Iterator[Callable[..., Station]]:
    stations: list[Station] = []

    def begin(**settings: Any) -> Station:
        station = Station(virtual.link, **settings)
        stations.append(station)
        station.device.start()
        return station

    yield begin
    for station in stations:
        station.device.stop()


@pytest.fixture
def station(virtual: VirtualSerial, start: Callable[..., Station]) -> Station:
    virtual.plug()
    station = start()
    assert station.health() == "up"
    return station


def test_a_card_arrives_with_its_bytes_and_its_time(
    virtual: VirtualSerial, station: Station
) -> None:
    before = time.monotonic_ns()
    virtual.send(b"AKH35\r")
    card = station.next()
    assert isinstance(card, CardRead)
    assert (card.device, card.face, card.deck, card.raw) == ("shoe", "KH", 3, b"AKH35\r")
    assert before < card.at_ns < time.monotonic_ns()


@pytest.mark.parametrize("case", UNTIMED, ids=lambda case: case.name)
def test_golden_bytes_over_the_wire(
    virtual: VirtualSerial, start: Callable[..., Station], case: Case
) -> None:
    virtual.plug()
    settings = dict(case.settings)
    if isinstance(settings.get("aim"), list):
        settings["aim"] = tuple(settings["aim"])
    station = start(**settings)
    assert station.health() == "up"
    virtual.send(case.sends[0].data)
    for expected in case.sees:
        assert written(station.next()) | {"at_ms": 0} == expected
    assert station.inbox.empty()


# --- unplugged, plugged again -------------------------------------------------------


def test_a01_unplug_is_told_once_and_the_replugged_device_is_read(
    virtual: VirtualSerial, station: Station
) -> None:
    began = time.monotonic()
    virtual.unplug()
    assert station.health() == "lost"
    assert time.monotonic() - began < LOST_WITHIN_S
    virtual.plug()
    assert station.health() == "up"
    assert station.says_nothing_more(virtual)
    assert not [event for event, _ in station.log if event != "device_health"]


def test_a01_a_half_line_is_never_joined_to_what_comes_after_the_replug(
    virtual: VirtualSerial, station: Station
) -> None:
    virtual.send(b"AKH")
    while not station.device._protocol._line:  # type: ignore[attr-defined]
        time.sleep(0.001)
    virtual.unplug()
    assert station.no_read() == "incomplete"
    assert station.health() == "lost"
    virtual.plug()
    assert station.health() == "up"
    virtual.send(b"35\r")
    assert station.no_read() == "not_a_card"
    assert station.says_nothing_more(virtual)


def test_a01_unplug_while_writing(virtual: VirtualSerial, start: Callable[..., Station]) -> None:
    virtual.plug()
    station = start(good_beep="07" * 64)
    assert station.health() == "up"
    stop = threading.Event()

    def beep() -> None:
        while not stop.is_set():
            station.device.send(Beep("good"))
            time.sleep(0.0005)

    beeper = threading.Thread(target=beep)
    beeper.start()
    try:
        virtual.take(WAIT_S)
        virtual.unplug()
        assert station.health() == "lost"
        virtual.plug()
        assert station.health() == "up"
        assert virtual.take(WAIT_S)
    finally:
        stop.set()
        beeper.join()
    virtual.send(b"AKH35\r")
    assert station.card() == "AKH35"


def test_a01_no_busy_loop_with_the_device_gone_or_silent(
    virtual: VirtualSerial, station: Station
) -> None:
    def cpu_s_in_half_a_second() -> float:
        used = resource.getrusage(resource.RUSAGE_SELF)
        time.sleep(0.5)
        now = resource.getrusage(resource.RUSAGE_SELF)
        return now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime

    assert cpu_s_in_half_a_second() < 0.1
    virtual.hang_up()
    assert station.health() == "lost"
    assert cpu_s_in_half_a_second() < 0.1


def test_a01_replug_under_another_name_is_noticed_while_the_old_port_lives(
    virtual: VirtualSerial, station: Station
) -> None:
    old = virtual.repoint()
    assert station.health() == "lost"
    assert station.health() == "up"
    assert station.says_nothing_more(virtual)
    old.unplug()
    assert station.says_nothing_more(virtual)


def test_a_device_that_is_not_there_is_waited_for(
    virtual: VirtualSerial, start: Callable[..., Station]
) -> None:
    station = start()
    assert station.health() == "waiting"
    assert station.device.health == "waiting"
    virtual.plug()
    assert station.health() == "up"
    assert station.says_nothing_more(virtual)


def test_what_is_no_serial_port_is_misconfigured(
    virtual: VirtualSerial, start: Callable[..., Station]
) -> None:
    virtual.link.write_text("not a port")
    station = start()
    told = station.next()
    assert isinstance(told, HealthChanged)
    assert told.health == "misconfigured"
    assert str(virtual.link) in told.detail
    assert "no serial port" in told.detail


# --- B-06: bytes that are not clean lines -------------------------------


def test_a03_a_pause_inside_a_line_is_one_card_and_a_fragment_none(
    virtual: VirtualSerial, start: Callable[..., Station]
) -> None:
    virtual.plug()
    station = start(idle_ms=400)
    assert station.health() == "up"
    virtual.send(b"AKH")
    time.sleep(0.2)
    virtual.send(b"35\r")
    assert station.card() == "AKH35"
    virtual.send(b"AKH")
    assert station.no_read() == "incomplete"
    assert station.says_nothing_more(virtual)


def test_a06_a_dirty_first_line_is_no_card(virtual: VirtualSerial, station: Station) -> None:
    virtual.send(bytes.fromhex("AA65D1B9F1") + b"AAS1C\rAKH35\r")
    assert station.no_read() == "garbage"
    assert station.card() == "AKH35"


def test_a11_wrong_baud_is_a_trouble_until_a_code_is_read(
    virtual: VirtualSerial, station: Station
) -> None:
    virtual.send(bytes.fromhex("7E66FA9E0D E080FF0D 00FFFE0D") * 20 + b"AQC3E\r")
    seen: list[AnyObservation] = []
    while not (seen and isinstance(seen[-1], CardRead)):
        seen.append(station.next())
    troubles = [one for one in seen if isinstance(one, Trouble | TroubleOver)]
    assert [(type(one), one.code) for one in troubles] == [
        (Trouble, "check_baud"),
        (TroubleOver, "check_baud"),
    ]
    assert {one.reason for one in seen if isinstance(one, NoRead)} == {"garbage"}


def test_b06_without_suffix_a_whole_code_is_taken_by_silence_when_so_set(
    virtual: VirtualSerial, start: Callable[..., Station]
) -> None:
    virtual.plug()
    station = start(suffix="none")
    assert station.health() == "up"
    for text in ("A5D40", "AKH35"):
        virtual.send(text.encode())
        assert station.card() == text


# --- two stations, one port ---------------------------------------------------------


def test_a08_a_second_station_is_told_busy_and_the_first_is_unharmed(
    virtual: VirtualSerial, station: Station, start: Callable[..., Station]
) -> None:
    second = start()
    told = second.next()
    assert isinstance(told, HealthChanged)
    assert told.health == "busy"
    assert "another program holds it" in told.detail
    with pytest.raises(TransportBusy):
        SerialPort(SerialSettings(path=str(virtual.link))).open()
    for _ in range(50):
        virtual.send(b"AKH35\r")
        assert station.card() == "AKH35"
    assert second.inbox.empty()
    station.device.stop()
    assert second.health() == "up"


# --- a device that has stopped reading ----------------------------------------------


def test_a10_a_device_that_does_not_read_holds_nothing_up_and_gets_no_stale_beeps(
    virtual: VirtualSerial, start: Callable[..., Station]
) -> None:
    virtual.plug()
    station = start(good_beep="07" * 64)
    assert station.health() == "up"
    stop, slowest, asked = threading.Event(), [0.0], [0]

    def beep() -> None:
        while not stop.is_set():
            began = time.monotonic()
            asked[0] += 64 * station.device.send(Beep("good"))
            slowest[0] = max(slowest[0], time.monotonic() - began)
            time.sleep(0.001)

    beeper = threading.Thread(target=beep)
    beeper.start()
    try:
        trouble = station.next()
        assert isinstance(trouble, Trouble)
        assert trouble.code == "not_answering"
        virtual.send(b"AKH35\r")
        assert station.card() == "AKH35"
    finally:
        stop.set()
        beeper.join()
    assert slowest[0] < 0.2
    while station.inbox.empty():
        # What still waits goes stale first; then a command finds the way free again.
        station.device.send(Beep("good"))
        time.sleep(0.7)
    over = station.next()
    assert isinstance(over, TroubleOver)
    assert over.code == "not_answering"
    # A pseudo-terminal's far end keeps one buffer that nobody but its holder can empty.
    assert len(virtual.take()) < PTY_BUFFER < asked[0]


def test_a_beep_goes_out_at_once_and_a_missing_one_is_not_pretended(
    virtual: VirtualSerial, start: Callable[..., Station]
) -> None:
    virtual.plug()
    station = start(good_beep="16 07 0D")
    assert not station.device.send(Beep("bad"))
    assert station.health() == "up"
    assert station.device.send(Beep("good"))
    assert virtual.take(WAIT_S) == b"\x16\x07\x0d"
    virtual.unplug()
    assert station.health() == "lost"
    assert not station.device.send(Beep("good"))


# --- faults of our own --------------------------------------------------------------------


def test_a_fault_in_the_sink_is_a_trouble_and_the_thread_goes_on(
    virtual: VirtualSerial, station: Station
) -> None:
    def refuse(observation: AnyObservation) -> None:
        if isinstance(observation, CardRead) and observation.face == "KH":
            raise RuntimeError("no room")

    station.refuse = refuse
    virtual.send(b"AKH35\r")
    trouble = station.next()
    assert isinstance(trouble, Trouble)
    assert trouble.code == "internal"
    assert "no room" in trouble.detail
    virtual.send(b"AAS1C\r")
    assert station.card() == "AAS1C"
    over = station.next()
    assert isinstance(over, TroubleOver)
    assert [event for event, _ in station.log if event == "device_internal_fault"]


def test_a_trouble_the_sink_does_not_take_is_told_again(
    virtual: VirtualSerial, station: Station
) -> None:
    refused: list[AnyObservation] = []

    def refuse(observation: AnyObservation) -> None:
        if len(refused) < 3:
            refused.append(observation)
            raise RuntimeError("no room")

    station.refuse = refuse
    virtual.send(b"AKH35\r")
    trouble = station.next()
    assert isinstance(trouble, Trouble)
    assert trouble.code == "internal"
    assert [type(one) for one in refused] == [CardRead, Trouble, Trouble]


def test_a_fault_in_the_protocol_is_a_trouble_and_the_thread_goes_on(
    virtual: VirtualSerial, station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = station.device._protocol.feed

    def broken(data: bytes, now_ns: int) -> Any:
        if b"KH" in data:
            raise ZeroDivisionError
        return feed(data, now_ns)

    monkeypatch.setattr(station.device._protocol, "feed", broken)
    virtual.send(b"AKH35\r")
    trouble = station.next()
    assert isinstance(trouble, Trouble)
    assert trouble.code == "internal"
    virtual.send(b"AAS1C\r")
    assert station.card() == "AAS1C"
    assert isinstance(station.next(), TroubleOver)


# --- the end ------------------------------------------------------------------------------


@pytest.mark.parametrize("plugged", [True, False])
def test_stop_ends_within_a_second_and_lets_go_of_the_port(
    virtual: VirtualSerial, start: Callable[..., Station], plugged: bool
) -> None:
    if plugged:
        virtual.plug()
    descriptors = open_descriptors()
    station = start()
    assert station.health() == ("up" if plugged else "waiting")
    began = time.monotonic()
    station.device.stop()
    assert time.monotonic() - began < 1.0
    assert not station.device._thread.is_alive()
    assert open_descriptors() == descriptors
    station.device.stop()
    if plugged:
        SerialPort(SerialSettings(path=str(virtual.link))).open().close()
