"""How the camera's process ends and begins anew, and what it says where something is missing."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drivers.catalog import make_device, spec_of
from drivers.kinds import camera as kind
from drivers.observations import (
    AnyObservation,
    HealthChanged,
    NoRead,
    Note,
)
from drivers.transports.child import environment
from tests.support.camera_device import WAIT_S, Table, alive, ends, gone, passes, rest
from tests.support.camera_stream import BURST, CameraStream, code, empty

KING, ACE, CUT = "AKH35", "AAS1C", "ACUT6"


# --- the process ---------------------------------------------------------------------------


def test_a_killed_reader_comes_back_and_reads_the_next_card_once(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    one = table()
    camera.show(code(KING))
    assert one.card() == KING
    first = one.pid()
    os.kill(first, signal.SIGKILL)
    assert "ended by SIGKILL" in one.health("lost").detail
    one.health("up")
    assert one.pid() != first
    rest(camera, one)
    assert passes(camera, one, ACE) == ACE
    assert one.cards() == [KING, ACE], "the card that lay in the window is not dealt again"


@pytest.mark.parametrize(
    ("how", "words"), [("abort", "SIGABRT; a library it uses aborted it"), ("exit", "status 3")]
)
def test_a_decoder_that_dies_costs_one_restart(
    camera: CameraStream,
    table: Callable[..., Table],
    monkeypatch: pytest.MonkeyPatch,
    how: str,
    words: str,
) -> None:
    monkeypatch.setenv(kind.FAILPOINT, f"{how}:60")
    one = table()
    assert words in one.health("lost").detail
    one.health("up")
    rest(camera, one)
    assert passes(camera, one, KING) == KING
    assert [seen.health for seen in one.said if isinstance(seen, HealthChanged)].count("lost") == 1


def test_a_reader_that_hangs_is_silent_then_ended_and_started_again(
    camera: CameraStream, table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(kind.FAILPOINT, "hang:60")
    one = table(hang_s=4.0, silent_ms=2500)
    first = one.pid()
    one.trouble("silent")
    assert "has said nothing" in one.health("lost").detail
    ends(first)
    one.health("up")
    rest(camera, one)
    assert passes(camera, one, KING) == KING


def test_a_fault_of_ours_costs_one_card_which_is_told(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    one = table()
    camera.show(code("FAULT"))
    assert "ZeroDivisionError" in one.trouble("internal").detail
    missed = one.until(lambda seen: isinstance(seen, NoRead))
    assert isinstance(missed, NoRead)
    assert missed.reason == "unread"
    rest(camera, one)
    assert passes(camera, one, KING) == KING
    one.over("internal")
    assert one.device.health == "up"


def test_what_a_library_prints_fills_no_log_and_is_no_card(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    """20,000 warnings, and lines on the standard output that look like a read."""
    one = table()
    camera.show(code("CHATTER"))
    one.until(lambda seen: isinstance(seen, Note) and seen.code == "stderr")
    rest(camera, one)
    assert passes(camera, one, KING) == KING
    assert one.cards() == [KING]
    assert 1 <= len(one.notes("stderr")) <= 25
    assert not [seen for seen in one.said if isinstance(seen, NoRead)]


def test_ten_thousand_cards_at_once_are_no_hands_and_the_next_one_is_read(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    """What a hand can have drawn while the station was held up is told, the rest is said to be
    lost; and nothing of it stands in the way of the next card.
    """
    one = table()
    camera.show(code("BURST"))
    one.trouble("reads_lost")
    rest(camera, one)
    told = len(one.cards())
    assert 1 <= told < BURST / 10
    assert passes(camera, one, KING) == KING


def test_a_station_that_does_not_listen_loses_nothing(camera: CameraStream) -> None:
    """The reader waits with its lines; what it says then is late, and all of it comes."""
    one = Table(f"virtual:{camera.path}")
    target = None
    end = time.monotonic() + WAIT_S
    while target is None or "|" not in target:
        with pytest.raises(Exception, match="starting"):
            one.port.open()
        while time.monotonic() < end and "|" not in (target := one.port.target() or ""):
            time.sleep(0.02)
    transport = one.port.open()
    camera.show(code("BURST"))
    time.sleep(1.0)
    data, quiet = b"", time.monotonic()
    while data.count(b'"say":"read"') < BURST:
        got = transport.read()
        data += got
        quiet = time.monotonic() if got else quiet
        assert time.monotonic() - quiet < WAIT_S
        time.sleep(0.001)
    assert data.count(b'"say":"read"') == BURST
    transport.close()
    gone(one)


def test_garbage_from_the_station_is_passed_over(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    one = table()
    transport = one.device._transport
    assert transport is not None
    transport.write(b"\x00\xffnonsense\n" + b'{"say":"enable","on":false}#00000000\n', 0)
    assert passes(camera, one, KING) == KING
    assert any("an order that is none" in note for note in one.notes("stderr"))


def test_stopping_the_device_ends_the_process_at_once(camera: CameraStream) -> None:
    one = Table(f"virtual:{camera.path}").start()
    pid = one.pid()
    began = time.monotonic()
    one.device.stop()
    assert time.monotonic() - began < 1.5
    ends(pid)


def test_stopping_a_device_whose_process_is_starting_ends_it(camera: CameraStream) -> None:
    camera.show(empty(0))
    one = Table(f"virtual:{camera.path}", warm_up_ms=60_000)
    one.device.start()
    end = time.monotonic() + WAIT_S
    while one.port._child is None or not camera.connections:
        assert time.monotonic() < end
        time.sleep(0.01)
    pid = one.port._child.pid
    one.device.stop()
    ends(pid)
    del one


PARENT = """
import sys, time
from drivers.catalog import make_device, spec_of
def said(one):
    if getattr(one, "identity", "") and hasattr(one, "health"):
        print(one.identity, flush=True)
device = make_device(spec_of({"name": "shoe", "kind": "camera", "port": sys.argv[1],
                              "read": ["barcode"]}), said)
device.start()
time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_its_station_however_that_ends(camera: CameraStream, how: int) -> None:
    """This is the reader of cards itself, as a table starts it."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, f"virtual:{camera.path}"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as station:
        assert station.stdout is not None
        identity = station.stdout.readline()
        pid = int(identity.rpartition("(process ")[2].rstrip(")\n"))
        assert alive(pid)
        station.send_signal(how)
        station.wait(WAIT_S)
        ends(pid)


def test_the_process_gets_no_settings_of_a_display_or_of_python(
    camera: CameraStream, table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("QT_QPA_PLATFORM", "PYTHONPATH", "LD_PRELOAD_X", "DISPLAY"):
        monkeypatch.setenv(name, "/nowhere")
    one = table()
    raw = Path(f"/proc/{one.pid()}/environ").read_bytes()
    names = {entry.partition(b"=")[0].decode() for entry in raw.split(b"\0") if entry}
    assert names <= {"PATH", "HOME", "TMPDIR", "SYSTEMROOT", "LANG", "OMP_NUM_THREADS"}
    assert os.getpgid(one.pid()) == one.pid(), "its own session: no key of a terminal ends it"


def test_a_process_that_is_aborted_leaves_no_memory_behind(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    """There may be the picture of a card in it that is not dealt."""
    limits = Path(f"/proc/{table().pid()}/limits").read_text().splitlines()
    (core,) = [line.split()[4:6] for line in limits if line.startswith("Max core file size")]
    assert core == ["1", "1"], "neither a file nor a program of the system's gets it"


# --- without a camera -----------------------------------------------------------------------


def test_no_camera_is_waited_for(tmp_path: Path) -> None:
    inbox: queue.Queue[AnyObservation] = queue.Queue()
    raw = {"name": "shoe", "kind": "camera", "port": f"virtual:{tmp_path}/none.sock"}
    device = make_device(spec_of(raw), inbox.put)
    device.start()
    told = inbox.get(timeout=WAIT_S)
    device.stop()
    assert isinstance(told, HealthChanged)
    assert (told.health, "nothing is there" in told.detail) == ("waiting", True)


def test_a_file_that_is_no_socket_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no socket")
    one = Table(f"virtual:{tmp_path}/file")
    one.device.start()
    end = time.monotonic() + WAIT_S
    while one.port._failed is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    one.device.stop()
    assert "no simulator answers" in one.port._failed[1]


def test_a_table_that_needs_what_is_not_there_is_told_what_to_change(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    one = Table(f"file:{tmp_path}/pictures")
    one.device.start()
    wrong = one.health("misconfigured")
    one.device.stop()
    assert "no pictures" in wrong.detail


def test_without_one_decoder_it_says_so_and_reads_with_the_other(camera: CameraStream) -> None:
    """The reader of cards itself, on a machine without the library of zbar."""
    one = Table(f"virtual:{camera.path}", without=("pyzbar",)).start()
    missing = one.trouble("part_missing")
    one.device.stop()
    gone(one)
    assert "libzbar0" in missing.detail
    assert one.device.health == "up"


@pytest.mark.parametrize(
    ("without", "decoder", "words"),
    [
        (("pyzbar",), "pyzbar", "install the system's package libzbar0"),
        (("pyzbar", "zxingcpp"), "both", "libzbar0"),
        (("zxingcpp",), "zxing", "zxing-cpp: install the station anew"),
        (("cv2",), "both", "libgl1 and libglib2.0-0"),
    ],
)
def test_without_what_it_cannot_do_without_it_says_what_to_install(
    camera: CameraStream, without: tuple[str, ...], decoder: str, words: str
) -> None:
    one = Table(f"virtual:{camera.path}", without=without, decoder=decoder)
    one.device.start()
    wrong = one.health("misconfigured")
    one.device.stop()
    assert words in wrong.detail


def test_a_deck_that_is_none_is_told_before_a_card_is_drawn(
    camera: CameraStream, tmp_path: Path
) -> None:
    settings: dict[str, Any] = {"read": ["index"], "deck": str(tmp_path / "deck")}
    one = Table(f"virtual:{camera.path}", without=("none",), **settings)
    one.device.start()
    wrong = one.health("misconfigured")
    one.device.stop()
    assert "deck" in wrong.detail
