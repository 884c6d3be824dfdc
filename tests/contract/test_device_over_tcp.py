"""A device behind a serial server: a raw TCP stream over real sockets."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from drivers.catalog import make_device
from drivers.device import Device
from drivers.kinds.textline import TextLineSpec
from drivers.observations import AnyObservation, CardRead, HealthChanged, NoRead, Trouble
from drivers.protocols.base import Beep
from drivers.transports.base import TransportLost, TransportMissing
from drivers.transports.output import LIMIT
from drivers.transports.tcp import DEAD_MS, OPEN_S, TcpPort, TcpTransport
from tests.support.tcp import VirtualServer

WAIT_S = 5.0
SECOND = 1_000_000_000
IPV6 = socket.has_ipv6


class Station:
    """A text-line device over TCP, and what it said."""

    def __init__(self, port: str, **settings: Any) -> None:
        self.inbox: queue.Queue[AnyObservation] = queue.Queue()
        spec = TextLineSpec(name="shoe", port=port, **settings)
        self.device: Device = make_device(spec, self.inbox.put)

    def next(self, wait_s: float = WAIT_S) -> AnyObservation:
        """The next thing it says."""
        return self.inbox.get(timeout=wait_s)

    def health(self) -> HealthChanged:
        """The next thing it says is a change of health."""
        told = self.next(10.0)
        assert isinstance(told, HealthChanged), told
        return told

    def card(self) -> str:
        """The next thing it says is a card."""
        told = self.next()
        assert isinstance(told, CardRead), told
        return told.text


@pytest.fixture
def server() -> Iterator[VirtualServer]:
    with VirtualServer() as server:
        yield server


@pytest.fixture
def start() -> Iterator[Callable[..., Station]]:
    stations: list[Station] = []

    def begin(port: str, **settings: Any) -> Station:
        station = Station(port, **settings)
        stations.append(station)
        station.device.start()
        return station

    yield begin
    for station in stations:
        station.device.stop()


@pytest.fixture
def station(server: VirtualServer, start: Callable[..., Station]) -> Station:
    station = start(server.port)
    assert station.health().identity == server.port
    server.accept()
    return station


def test_a_text_line_reader_is_read_and_told_over_tcp(
    server: VirtualServer, start: Callable[..., Station]
) -> None:
    station = start(server.port, good_beep="16 07 0D")
    assert station.health().health == "up"
    server.accept()
    server.send(b"AKH")
    server.send(b"35\rAA")
    server.send(b"S1C\r")
    assert (station.card(), station.card()) == ("AKH35", "AAS1C")
    assert station.device.send(Beep("good"))
    assert server.take(3) == b"\x16\x07\x0d"


@pytest.mark.skipif(not IPV6, reason="this machine has no IPv6")
def test_ipv6(start: Callable[..., Station]) -> None:
    try:
        server = VirtualServer(socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    with server:
        station = start(server.port)
        assert station.health().identity == server.port
        server.accept()
        server.send(b"AKH35\r")
        assert station.card() == "AKH35"


def test_a_hosts_name(server: VirtualServer, start: Callable[..., Station]) -> None:
    station = start(f"tcp://localhost:{server.number}")
    told = station.health()
    while told.health != "up":
        told = station.health()
    server.accept()
    server.send(b"AKH35\r")
    assert station.card() == "AKH35"


# --- not there ----------------------------------------------------------------------------


def test_a_refused_connection_says_what_to_check_and_is_waited_for(
    server: VirtualServer, start: Callable[..., Station]
) -> None:
    server.off()
    station = start(server.port)
    told = station.health()
    assert told.health == "waiting"
    assert "refused" in told.detail
    assert "number of connections" in told.detail
    server.listen()
    assert station.health().health == "up"


def test_an_address_that_never_answers_holds_the_thread_no_longer_than_it_says() -> None:
    full = VirtualServer(backlog=0)
    crowd = [socket.socket() for _ in range(4)]
    try:
        for one in crowd:
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", full.number))
        began = time.monotonic()
        with pytest.raises(TransportMissing, match="no answer"):
            TcpPort(full.port).open()
        assert OPEN_S / 2 < time.monotonic() - began < OPEN_S + 0.1
    finally:
        for one in crowd:
            one.close()
        full.off()


def test_a_device_that_connects_to_nothing_stops_within_a_second() -> None:
    full = VirtualServer(backlog=0)
    crowd = [socket.socket() for _ in range(4)]
    for one in crowd:
        one.setblocking(False)
        one.connect_ex(("127.0.0.1", full.number))
    station = Station(full.port)
    station.device.start()
    time.sleep(0.1)
    began = time.monotonic()
    station.device.stop()
    assert time.monotonic() - began < 1.0
    assert not station.device._thread.is_alive()
    for one in crowd:
        one.close()
    full.off()


def test_a_name_server_that_hangs_holds_nothing_up_and_its_answer_counts_later(
    server: VirtualServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered, really = threading.Event(), socket.getaddrinfo

    def slow(host: str, port: int, **how: Any) -> Any:
        if how.get("flags"):
            raise socket.gaierror(socket.EAI_NONAME, "not a number")
        assert answered.wait(WAIT_S)
        return really("127.0.0.1", port, type=socket.SOCK_STREAM)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    port = TcpPort(f"tcp://nport.table:{server.number}")
    began = time.monotonic()
    with pytest.raises(TransportMissing, match="name server does not answer"):
        port.open()
    assert time.monotonic() - began < OPEN_S
    assert port.target() is None
    answered.set()
    transport = port.open()
    assert transport.identity == server.port
    assert port.target() is not None
    transport.close()


def test_an_unknown_name_is_told_with_what_to_do() -> None:
    with pytest.raises(TransportMissing, match=r"no address .* check it, or write the address"):
        _opened_at_last(TcpPort("tcp://no-such-host.invalid:4001"))


def _opened_at_last(port: TcpPort) -> None:
    for _ in range(20):
        try:
            port.open()
        except TransportMissing as error:
            if "does not answer" not in str(error):
                raise


def test_a_free_port_is_never_connected_to_itself() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number = probe.getsockname()[1]

    class Bound(socket.socket):
        """A socket that gets the very port it connects to."""

        def connect_ex(self, where: Any) -> int:
            self.bind(("127.0.0.1", number))
            return int(super().connect_ex(where))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "socket", Bound)
        with pytest.raises(TransportMissing, match="refused"):
            TcpPort(f"tcp://127.0.0.1:{number}").open()


# --- gone ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("how", "words"), [("hang_up", "closed"), ("reset", "ended")])
def test_a_connection_that_is_ended_is_lost_and_made_again(
    server: VirtualServer, station: Station, how: str, words: str
) -> None:
    server.send(b"AKH")
    while not station.device._protocol._line:  # type: ignore[attr-defined]
        time.sleep(0.001)
    getattr(server, how)()
    half = station.next()
    assert isinstance(half, NoRead)
    assert half.reason == "incomplete"
    told = station.health()
    assert told.health == "lost"
    assert words in told.detail
    assert station.health().health == "up"
    server.accept()
    server.send(b"AAS1C\r")
    assert station.card() == "AAS1C"


def test_a_serial_server_that_restarts_is_found_again(
    server: VirtualServer, station: Station
) -> None:
    server.off()
    assert station.health().health == "lost"
    server.listen()
    assert station.health().health == "up"
    server.accept()
    server.send(b"AKH35\r")
    assert station.card() == "AKH35"


def test_a_half_open_connection_is_noticed_in_time(
    server: VirtualServer, start: Callable[..., Station]
) -> None:
    station = start(server.port)
    assert station.health().health == "up"
    server.accept()
    server.vanish()
    began = time.monotonic()
    told = station.health()
    assert told.health == "lost"
    assert "answers no more" in told.detail
    assert time.monotonic() - began < DEAD_MS / 1000 + 2


def test_half_open_with_output_waiting_is_noticed_in_time_too(server: VirtualServer) -> None:
    transport = TcpPort(server.port, dead_ms=1000).open()
    server.accept()
    server.vanish()
    transport.write(b"\x07", 0)
    transport.pump(SECOND)
    assert not transport.answering
    began = time.monotonic()
    with pytest.raises(TransportLost, match="answers no more"):
        _read_for(transport, WAIT_S)
    assert time.monotonic() - began < 3
    transport.close()


def _read_for(transport: TcpTransport, wait_s: float) -> None:
    until = time.monotonic() + wait_s
    while time.monotonic() < until:
        transport.read()
        time.sleep(0.01)


# --- a slow reader ------------------------------------------------------------------------


def test_a_peer_that_takes_nothing_holds_nothing_up_and_no_heap_grows(
    server: VirtualServer,
) -> None:
    transport = TcpPort(server.port).open()
    server.accept()
    server.vanish()
    for at in range(200):
        transport.write(b"x" * 64, at * SECOND // 100)
        transport.pump(at * SECOND // 100)
    assert not transport.answering
    assert transport._unsent() <= 2 * LIMIT
    assert not transport.output_waiting
    transport.close()


def test_a_device_behind_a_full_server_has_the_trouble_and_is_still_read(
    server: VirtualServer, start: Callable[..., Station]
) -> None:
    station = start(server.port, good_beep="07" * 512)
    assert station.health().health == "up"
    server.accept()
    seen: list[AnyObservation] = []
    until = time.monotonic() + 15
    while not any(isinstance(one, Trouble) for one in seen) and time.monotonic() < until:
        station.device.send(Beep("good"))
        time.sleep(0.001)
        while not station.inbox.empty():
            seen.append(station.inbox.get())
    assert [one.code for one in seen if isinstance(one, Trouble)] == ["not_answering"]
    server.send(b"AKH35\r")
    assert station.card() == "AKH35"


def test_a_card_sent_just_before_the_end_is_read(server: VirtualServer, station: Station) -> None:
    server.send(b"AKH35\r")
    server.hang_up()
    assert station.card() == "AKH35"
    assert station.health().health == "lost"


@pytest.mark.parametrize("port", ["tcp://", "tcp://host", "serial://host:1", "/dev/ttyUSB0"])
def test_a_port_without_host_and_number_is_refused(port: str) -> None:
    with pytest.raises(ValueError, match="write host and port"):
        TcpPort(port)
