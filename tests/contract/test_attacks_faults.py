"""Faults of this program itself: what stays alive after them, each named by what would go wrong."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from drivers.device import Device
from drivers.observations import AnyObservation, CardRead, HealthChanged, NoRead, Trouble
from drivers.protocols.base import DeviceProtocol, Out, Wanted
from drivers.transports.base import TransportLost
from tests.support.golden import protocol_of

WAIT_S = 5.0
Seen = TypeVar("Seen", bound=AnyObservation)


class Line:
    """An open port over a socket. See `drivers.transports.base.Transport`."""

    identity = "line"
    output_waiting = False
    output_wake_at_ns: int | None = None
    answering = True

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def fileno(self) -> int:
        return self._end.fileno()

    def read(self) -> bytes:
        data = self._end.recv(4096)
        if not data:
            raise TransportLost("hung up")
        return data

    def write(self, data: bytes, now_ns: int) -> None:
        self._end.sendall(data)

    def pump(self, now_ns: int) -> None:
        pass

    def still_there(self) -> bool:
        return True

    def close(self) -> None:
        self._end.close()


class Plug:
    """A port that is there; `target` may fail."""

    def __init__(self) -> None:
        self.far: socket.socket | None = None
        self.opened = 0
        self.fails: list[Exception] = []

    def target(self) -> str | None:
        if self.fails:
            raise self.fails.pop()
        return "there"

    def open(self) -> Line:
        near, far = socket.socketpair()
        if self.far is not None:
            self.far.close()
        self.far = far
        self.opened += 1
        return Line(near)


class Station:
    """A device, what it said, and what it sent."""

    def __init__(self, protocol: DeviceProtocol) -> None:
        self.port = Plug()
        self.inbox: queue.Queue[AnyObservation] = queue.Queue()
        self.device = Device("shoe", self.port, protocol, self.inbox.put)

    def next(self, kind: type[Seen]) -> Seen:
        """The next thing of that kind it says."""
        until = time.monotonic() + WAIT_S
        while True:
            seen = self.inbox.get(timeout=max(0.01, until - time.monotonic()))
            if isinstance(seen, kind):
                return seen

    def hears(self, data: bytes) -> None:
        """Bytes come."""
        assert self.port.far is not None
        self.port.far.sendall(data)

    def sent(self, part: bytes) -> bool:
        """Whether the device sends that, soon."""
        assert self.port.far is not None
        self.port.far.settimeout(0.1)
        sent, until = b"", time.monotonic() + WAIT_S
        while time.monotonic() < until:
            try:
                sent += self.port.far.recv(4096)
            except TimeoutError:
                continue
            if part in sent:
                return True
        return False


@pytest.fixture
def begin() -> Iterator[Callable[[DeviceProtocol], Station]]:
    stations: list[Station] = []

    def make(protocol: DeviceProtocol) -> Station:
        stations.append(Station(protocol))
        stations[-1].device.start()
        stations[-1].next(HealthChanged)
        return stations[-1]

    yield make
    for station in stations:
        station.device.stop()
        if station.port.far is not None:
            station.port.far.close()


def once_broken(protocol: DeviceProtocol, call: str) -> threading.Event:
    """The protocol fails in that call, once the event is set, and then never again."""
    good, fail = getattr(protocol, call), threading.Event()

    def broken(*args: object) -> Out:
        if fail.is_set():
            fail.clear()
            raise ZeroDivisionError(call)
        out: Out = good(*args)
        return out

    setattr(protocol, call, broken)
    return fail


# --- a protocol that fails ----------------------------------------------------------------


@pytest.mark.parametrize("call", ["feed", "want"])
def test_a_board_opens_a_session_again_after_a_fault_of_its_protocol(
    begin: Callable[[DeviceProtocol], Station], call: str
) -> None:
    protocol = protocol_of("board", {"role": "board"})
    fail = once_broken(protocol, call)
    station = begin(protocol)
    assert station.sent(b"$open ")
    fail.set()
    station.hears(b"\n")
    station.device.want(Wanted("red"))
    told = station.next(Trouble)
    assert told.code == "internal"
    assert station.sent(b"$open ")


def test_a_scanner_is_asked_again_whether_it_lives_after_a_fault_of_its_protocol(
    begin: Callable[[DeviceProtocol], Station],
) -> None:
    protocol = protocol_of("gm65", {})
    fail = once_broken(protocol, "feed")
    station = begin(protocol)
    heartbeat = bytes.fromhex("7E 00 0A 01 00 00 00 30 1A")
    assert station.sent(heartbeat)
    fail.set()
    station.hears(b"\r")
    station.next(Trouble)
    assert station.sent(heartbeat)
    assert station.sent(heartbeat), "its silence is noticed, too"


def test_a_protocol_that_cannot_start_any_more_is_told_and_stays_alive(
    begin: Callable[[DeviceProtocol], Station],
) -> None:
    protocol = protocol_of("text-line", {})
    fail_feed, fail_start = once_broken(protocol, "feed"), once_broken(protocol, "start")
    station = begin(protocol)
    fail_feed.set()
    fail_start.set()
    station.hears(b"AKH35\r")
    station.next(Trouble)
    station.hears(b"AAS1C\r")
    card = station.next(CardRead)
    assert card.face == "AS"


def test_a_protocol_is_not_started_while_the_port_is_gone(
    begin: Callable[[DeviceProtocol], Station],
) -> None:
    protocol = protocol_of("text-line", {})
    calls: list[str] = []
    for call in ("start", "reset"):
        good = getattr(protocol, call)

        def noted(now_ns: int, good: Callable[[int], Out] = good, call: str = call) -> Out:
            calls.append(call)
            return good(now_ns)

        setattr(protocol, call, noted)
    fail = once_broken(protocol, "reset")
    station = begin(protocol)
    station.hears(b"AK")
    fail.set()
    assert station.port.far is not None
    station.port.far.close()
    station.next(NoRead)
    for health in ("lost", "up"):
        seen = station.next(HealthChanged)
        assert seen.health == health
    assert calls == ["start", "reset", "start"]


# --- a port that fails --------------------------------------------------------------------


def test_a_name_that_cannot_be_looked_at_does_not_end_the_thread(
    begin: Callable[[DeviceProtocol], Station],
) -> None:
    station = begin(protocol_of("text-line", {}))
    for count in (1, 2, 3):
        station.port.fails = [RuntimeError("sysfs")] * count
        assert station.port.far is not None
        station.port.far.close()
        station.port.far = None
        while True:
            seen = station.next(HealthChanged)
            if seen.health == "up":
                break
    station.hears(b"AKH35\r")
    station.next(CardRead)


# --- many times, many at once -------------------------------------------------------------


def descriptors_and_threads() -> tuple[int, int]:
    """How many of each this process has."""
    return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


def test_two_hundred_starts_and_stops_leave_nothing_behind() -> None:
    before = descriptors_and_threads()
    for turn in range(200):
        station = Station(protocol_of("text-line", {}))
        station.device.start()
        if turn % 2:
            station.next(HealthChanged)
        station.device.stop()
        station.device.stop()
        if station.port.far is not None:
            station.port.far.close()
    assert descriptors_and_threads() == before


def test_twenty_devices_at_once_keep_their_cards_apart() -> None:
    stations = [Station(protocol_of("text-line", {})) for _ in range(20)]
    for station in stations:
        station.device.start()
        station.next(HealthChanged)
    for _ in range(50):
        for station in stations:
            station.hears(b"AKH35\r")
    for station in stations:
        for _ in range(50):
            station.next(CardRead)
        assert station.inbox.empty()
        station.device.stop()
        assert station.port.far is not None
        station.port.far.close()


def test_a_device_stopped_from_its_own_sink_ends_and_leaves_nothing_behind() -> None:
    before = descriptors_and_threads()
    port, inbox = Plug(), queue.Queue[AnyObservation]()
    stopped = threading.Event()

    def sink(seen: AnyObservation) -> None:
        inbox.put(seen)
        if isinstance(seen, CardRead):
            device.stop()
            stopped.set()

    device = Device("shoe", port, protocol_of("text-line", {}), sink)
    device.start()
    assert isinstance(inbox.get(timeout=WAIT_S), HealthChanged)
    assert port.far is not None
    port.far.sendall(b"AKH35\r")
    assert stopped.wait(WAIT_S)
    device._thread.join(WAIT_S)
    port.far.close()
    device.stop()
    assert descriptors_and_threads() == before
