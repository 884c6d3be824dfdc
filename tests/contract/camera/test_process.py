"""The camera's reader as a real process over real pipes, with pictures over a real socket.

Who looks at the pictures is a simple one (tests/support/camera_program.py), so that nothing here
depends on how well cards are read. Waits are for what must come, as long as it takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.observations import (
    CutCard,
    Identified,
    Trouble,
)
from drivers.protocols.base import Wanted
from tests.support.camera_device import WAIT_S, Table, ends, gone, passes, rest
from tests.support.camera_stream import CameraStream, code, empty

KING, ACE, CUT = "AKH35", "AAS1C", "ACUT6"


# --- reading ------------------------------------------------------------------------------


def test_cards_are_read_once_each_in_their_order(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    one = table()
    told = one.until(lambda seen: isinstance(seen, Identified))
    assert isinstance(told, Identified)
    assert str(camera.path) in told.identity
    assert [passes(camera, one, text) for text in (KING, ACE, KING)] == [KING, ACE, KING]
    camera.show(code(CUT))
    assert isinstance(one.until(lambda seen: isinstance(seen, CutCard)), CutCard)
    assert one.cards() == [KING, ACE, KING]


def test_it_is_up_only_when_it_sees(camera: CameraStream, table: Callable[..., Table]) -> None:
    """A camera that is black at first is waited for: not lost, no card, no fault."""
    camera.show(empty(0))
    one = Table(f"virtual:{camera.path}")
    one.device.start()
    waiting = one.health("waiting")
    assert "starting" in waiting.detail
    seen = camera.number
    while not camera.connections or camera.number < seen + 30:
        time.sleep(0.01)
    assert one.device.health == "waiting"
    camera.show(empty())
    one.health("up")
    assert passes(camera, one, KING) == KING
    one.device.stop()
    gone(one)
    assert not [seen for seen in one.said if isinstance(seen, Trouble)]


def test_a_lens_cap_is_a_clear_fault(camera: CameraStream, table: Callable[..., Table]) -> None:
    camera.show(empty(0))
    one = table(warm_up_ms=500, black_ms=500)
    one.trouble("black")
    camera.show(empty())
    one.over("black")
    assert passes(camera, one, KING) == KING


def test_a_card_that_stood_there_at_the_start_is_not_dealt(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    camera.show(code(KING))
    one = table()
    rest(camera, one)
    assert passes(camera, one, ACE) == ACE
    assert one.cards() == [ACE]


def test_reading_off_looks_on_and_reads_nothing(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    one = table()
    one.device.want(Wanted(reading=False))
    rest(camera, one)
    camera.show(code(KING))
    seen = camera.number
    while camera.number < seen + 30:
        time.sleep(0.01)
    one.device.want(Wanted(reading=True))
    rest(camera, one)
    assert passes(camera, one, ACE) == ACE
    assert one.cards() == [ACE]


# --- the camera's own faults -----------------------------------------------------------------


def test_a_frozen_camera_is_told_and_deals_nothing_again(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    """Unplugged, a camera may give its last picture for ever; it shows a card that was dealt."""
    one = table(frozen_ms=600)
    camera.show(code(KING))
    assert one.card() == KING
    camera.freeze(True)
    one.trouble("frozen")
    camera.show(code(ACE))
    camera.freeze(False)
    one.over("frozen")
    rest(camera, one)
    assert passes(camera, one, ACE) == ACE
    assert one.cards() == [KING, ACE]


def test_a_stalled_camera_is_told_and_goes_on(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    one = table(stalled_ms=600)
    camera.paused = True
    one.trouble("stalled")
    camera.paused = False
    one.over("stalled")
    rest(camera, one)
    assert passes(camera, one, KING) == KING


def test_an_unplugged_camera_is_lost_and_found_again(
    camera: CameraStream, tmp_path: Path, table: Callable[..., Table]
) -> None:
    one = table()
    assert passes(camera, one, KING) == KING
    first = one.pid()
    camera.close()
    lost = one.health("lost")
    assert "unplugged" in lost.detail
    ends(first)
    again = CameraStream(camera.path)
    try:
        one.health("up")
        assert passes(again, one, ACE) == ACE
    finally:
        one.device.stop()
        again.close()


@pytest.mark.parametrize(
    "junk",
    [
        b"GARBAGE" * 50,
        b"DSF1J\0\0\0" + b"\xff" * 28,
        b"DSF1B\0\0\0" + (320).to_bytes(4, "little") + (240).to_bytes(4, "little") + bytes(20),
    ],
    ids=["no header", "too large", "no length"],
)
def test_garbage_from_the_camera_is_told_and_it_is_connected_anew(
    camera: CameraStream, table: Callable[..., Table], junk: bytes
) -> None:
    one = table()
    before = camera.connections
    camera.raw(junk)
    end = time.monotonic() + WAIT_S
    while camera.connections == before:
        assert time.monotonic() < end
        time.sleep(0.01)
    rest(camera, one)
    assert passes(camera, one, KING) == KING
    assert one.device.health == "up"
