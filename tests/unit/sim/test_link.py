"""A client's link: heartbeats, a station that is not there, one that will not have it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw_sim.link import LAST_RETRY_S, LOST_AFTER_S, LinkRefused, Message, StationLink
from hw_sim.sockets import SocketError
from station.messages import MAX_STATION_LINE
from tests.unit.sim.conftest import Clock, Until
from tests.unit.sim.fake_station import FakeStation, text


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def link(tmp_path: Path, clock: Clock) -> Iterator[StationLink]:
    made = StationLink(tmp_path / "table.sock", "pit", "test", now=clock)
    yield made
    made.close()


def test_beats_once_a_second(station: FakeStation, link: StationLink, clock: Clock) -> None:
    link.poll(0)
    station.hello()
    assert link.poll(5)[0]["type"] == "welcome"
    beats = 0
    for second in range(1, 6):
        clock.now += 1.0
        while beats < second:
            beats += len(link.poll(0))
    # The station of these tests answers each heartbeat with one: no more than these were sent.
    assert beats == 5
    assert link.poll(0) == []


def test_silent_station_is_left_and_sought_again(
    station: FakeStation, link: StationLink, clock: Clock
) -> None:
    link.poll(0)
    station.hello()
    assert link.poll(5)
    clock.now += LOST_AFTER_S + 0.1
    link.poll(0)
    assert "silent" in link.last_error
    clock.now += LAST_RETRY_S
    link.poll(0)
    assert station.hello().name == "test"


def test_the_longest_line_of_a_station_is_one_message(
    station: FakeStation, link: StationLink, until: Until
) -> None:
    """Two mebibytes: seven seats settled, with fifty behind each."""
    assert MAX_STATION_LINE == 2 * 1024 * 1024
    link.poll(0)
    station.hello()
    got: list[Message] = []

    def both_came() -> bool:
        got.extend(link.poll(0.01))
        return len(got) == 2

    fill = "x" * (MAX_STATION_LINE - 100)
    sender = threading.Thread(target=lambda: station.send({"type": "fact", "fill": fill}))
    sender.start()
    until(both_came)
    sender.join(5)
    assert got[1]["fill"] == fill


def test_station_that_is_not_there_is_named_and_tried_ever_more_slowly(
    link: StationLink, clock: Clock, tmp_path: Path
) -> None:
    link.poll(0)
    assert not link.connected
    assert str(tmp_path / "table.sock") in link.last_error
    for _ in range(10):
        clock.now += LAST_RETRY_S
        link.poll(0)
    station = FakeStation(tmp_path / "table.sock")
    link.poll(0)
    assert not link.connected
    clock.now += LAST_RETRY_S
    link.poll(0)
    assert station.hello().name == "test"
    station.close()


@pytest.mark.parametrize(("code", "final"), [("protocol", True), ("link_taken", False)])
def test_refused_link_says_why_but_a_name_still_taken_is_tried_again(
    station: FakeStation, link: StationLink, clock: Clock, code: str, final: bool
) -> None:
    link.poll(0)
    rejected = {"type": "rejected", "code": code, "text": text("no"), "fatal": True}
    station.said.get(timeout=5)
    station.send(rejected)
    if final:
        with pytest.raises(LinkRefused, match="pit 'test': no"):
            link.poll(5)
        return
    assert link.poll(5) == []
    clock.now += LAST_RETRY_S
    link.poll(0)
    assert station.hello().name == "test"


def test_wake_ends_a_poll(link: StationLink) -> None:
    link.poll(0)
    thread = threading.Thread(target=link.wake)
    thread.start()
    link.poll(None)
    thread.join()


def test_path_too_long_for_a_socket_is_named(tmp_path: Path) -> None:
    with pytest.raises(SocketError, match="choose a shorter directory"):
        StationLink(tmp_path / ("x" * 120), "pit", "test")
