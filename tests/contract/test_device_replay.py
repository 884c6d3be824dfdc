"""A recording played to a real device of the product: what was a line of bytes on a terminal, what
were reports or keys on the socket of a virtual node.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from pathlib import Path

import pytest

from drivers.catalog import kind_of, kinds, make_device, spec_of
from drivers.observations import AnyObservation, CardRead, HealthChanged
from drivers.protocols.base import Wanted
from drivers.recording import Recorder, Recording, decode, load, observations
from drivers.replay import (
    Played,
    ReplayError,
    ReplayNode,
    ReplayPort,
    port_for,
    replay,
    restamped,
)
from drivers.transports.nodes import EVENT
from tests.support.golden import Case, cases, protocols, run
from tests.support.pty import VirtualSerial

WAIT_S = 20.0
NODES = {"hid-pos", "keyboard"}


def recording_of(kind: str, case: Case, folder: Path) -> Recording:
    """A golden case up to its last card, written down as if it had come over a wire."""
    spec = spec_of({"name": "shoe", "port": "/dev/table/shoe", "kind": kind, **case.settings})
    writing = Recorder(
        folder / "a.rec", spec, release="1", start="2026-01-02T03:04:05Z", start_ns=0
    )
    protocol = writing.wrap(kind_of(kind).make(spec)[1])
    protocol.start(0)
    protocol.want(Wanted(), 0)
    run(protocol, case)
    writing.close()
    whole = load(folder / "a.rec")
    cards = [
        place
        for place, (_, out) in enumerate(decode(whole))
        if any(isinstance(seen, CardRead) for seen in out.observations)
    ]
    calls = [event for event in whole.events if event.did not in ("out", "full")]
    last = whole.events.index(calls[cards[-1]])
    return Recording(whole.header, whole.events[: last + 1])


def first_card(kind: str) -> Case:
    """The first case in which a card is read, and nothing is asked of the device."""
    return next(
        case
        for case in cases(kind)
        if any(seen["saw"] == "card" for seen in case.sees)
        and not any(ask.do in ("start", "reset") for ask in case.asks)
    )


class Reader:
    """A device of the product on a virtual one, and what it says."""

    def __init__(self, recording: Recording, port: str) -> None:
        self.inbox: queue.Queue[AnyObservation] = queue.Queue()
        settings = {**recording.header.settings, "port": port, "usb": ""}
        self.device = make_device(spec_of(settings), self.inbox.put)
        self.device.want(Wanted())
        self.device.start()

    def cards(self, count: int) -> list[str]:
        """So many cards."""
        found: list[str] = []
        until = time.monotonic() + WAIT_S
        while len(found) < count:
            seen = self.inbox.get(timeout=max(0.0, until - time.monotonic()))
            if isinstance(seen, CardRead):
                found.append(seen.face)
        return found

    def health(self, wanted: str) -> None:
        """Wait until it is so."""
        until = time.monotonic() + WAIT_S
        while True:
            seen = self.inbox.get(timeout=max(0.0, until - time.monotonic()))
            if isinstance(seen, HealthChanged) and seen.health == wanted:
                return


class Playing(threading.Thread):
    """A replay at work."""

    def __init__(self, recording: Recording, link: Path, speed: float) -> None:
        super().__init__(daemon=True)
        self._what = (recording, link, speed)
        self.played: Played | None = None
        self.start()

    def run(self) -> None:
        recording, link, speed = self._what
        self.played = replay(recording, link, speed=speed)


@pytest.mark.parametrize(
    "kind", [kind for kind in protocols() if kind in kinds() and kind != "camera"]
)
def test_the_cards_of_a_recording_are_read_again_from_the_virtual_device(
    kind: str, tmp_path: Path
) -> None:
    if not any(seen["saw"] == "card" for case in cases(kind) for seen in case.sees):
        pytest.skip(f"a {kind} reads no cards")
    case, link = first_card(kind), tmp_path / "link"
    recording = recording_of(kind, case, tmp_path)
    once = [seen.face for seen in observations(recording) if isinstance(seen, CardRead)]
    assert once
    playing = Playing(recording, link, speed=1.0)
    reader = Reader(recording, f"virtual:{link}" if kind in NODES else str(link))
    try:
        assert reader.cards(len(once)) == once
        playing.join(WAIT_S)
    finally:
        reader.device.stop()
    played = playing.played
    assert played is not None
    sent = sum(len(event.data) for event in recording.events if event.did == "in")
    assert (played.lost, played.sent) == (0, sent)
    assert not link.exists()


def test_what_a_cameras_reader_said_cannot_be_played_to_it(tmp_path: Path) -> None:
    recording = recording_of("camera", cases("camera")[0], tmp_path)
    assert any(isinstance(seen, CardRead) for seen in observations(recording))
    with pytest.raises(ReplayError, match="not what it saw; play a film"):
        replay(recording, tmp_path / "link")
    assert not (tmp_path / "link").exists()


@pytest.mark.skipif("hid-pos" not in kinds(), reason="no kind whose reports could be played")
def test_reports_are_played_on_a_node_with_one_reader(tmp_path: Path) -> None:
    recording = recording_of("hid-pos", first_card("hid-pos"), tmp_path)
    node = port_for(recording, tmp_path / "link")
    assert isinstance(node, ReplayNode)
    node.plug()
    assert not node.opened()
    first = Reader(recording, f"virtual:{node.link}")
    until = time.monotonic() + WAIT_S
    while not node.opened() and time.monotonic() < until:
        time.sleep(0.01)
    first.health("up")
    second = Reader(recording, f"virtual:{node.link}")
    answering = threading.Thread(target=lambda: node.take(2.0), daemon=True)
    answering.start()
    second.health("busy")
    second.device.stop()
    first.device.stop()
    answering.join()
    while node.opened() and time.monotonic() < until:
        time.sleep(0.01)
    assert not node.opened()
    node.unplug()
    assert not node.link.exists()


def test_a_port_shows_whether_a_reader_has_it_open(tmp_path: Path) -> None:
    port = ReplayPort(tmp_path / "link")
    port.plug()
    assert not port.opened()
    assert not port.ready()
    recording = recording_of("text-line", first_card("text-line"), tmp_path)
    reader = Reader(recording, str(port.link))
    reader.health("up")
    assert port.opened()
    assert port.ready()
    reader.device.stop()
    assert not port.opened()
    port.unplug()


@pytest.mark.parametrize("kind", [kind for kind in ("text-line", "hid-pos") if kind in kinds()])
def test_nothing_that_stands_in_the_way_is_taken_away(kind: str, tmp_path: Path) -> None:
    recording = recording_of(kind, first_card(kind), tmp_path)
    precious = tmp_path / "precious"
    precious.write_text("mine")
    with pytest.raises(ReplayError, match="something else is here"):
        replay(recording, precious)
    assert precious.read_text() == "mine"
    with pytest.raises(ReplayError, match="choose another --link"):
        replay(recording, tmp_path / "no" / "folder" / "link")


def test_a_link_another_program_has_taken_meanwhile_stays(tmp_path: Path) -> None:
    port, other = ReplayPort(tmp_path / "link"), VirtualSerial(tmp_path / "link")
    port.plug()
    other.plug()
    port.unplug()
    assert other.link.is_symlink()
    other.unplug()


def test_the_plug_is_not_pulled_before_the_reader_has_taken_what_it_was_sent(
    tmp_path: Path,
) -> None:
    port = ReplayPort(tmp_path / "link")
    port.plug()
    slave = os.open(port.link, os.O_RDWR | os.O_NOCTTY)
    assert port.send(b"AKH35\r", time.monotonic() + WAIT_S) == 6
    taken: list[bytes] = []

    def read_late() -> None:
        time.sleep(0.3)
        taken.append(os.read(slave, 64))

    late = threading.Thread(target=read_late)
    late.start()
    port.settle()
    port.unplug()
    late.join()
    os.close(slave)
    assert taken == [b"AKH35\r"]


def test_speed_shortens_the_time_between_bytes(tmp_path: Path) -> None:
    case = next(case for case in cases("text-line") if case.name == "repeats")
    recording = recording_of("text-line", case, tmp_path)
    slow_s = recording.events[-1].ms / 1000
    assert slow_s > 1
    playing = Playing(recording, tmp_path / "link", speed=50.0)
    reader = Reader(recording, str(tmp_path / "link"))
    reader.health("up")
    began = time.monotonic()
    playing.join(WAIT_S)
    assert time.monotonic() - began < slow_s
    reader.device.stop()


def test_stamps_of_keys_are_moved_to_the_time_of_playing() -> None:
    keys = EVENT.pack(5, 250_000, 1, 30, 1) + EVENT.pack(5, 258_000, 0, 0, 0)
    moved = restamped(keys + b"rest", lambda ns: ns // 2 + 1_000_000_000)
    assert moved == EVENT.pack(3, 625_000, 1, 30, 1) + EVENT.pack(3, 629_000, 0, 0, 0) + b"rest"
