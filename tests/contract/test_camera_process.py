"""The camera's reader as a real process over real pipes, with pictures over a real socket.

Who looks at the pictures is a simple one (tests/support/camera_program.py), so that nothing here
depends on how well cards are read. Waits are for what must come, as long as it takes.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from drivers.catalog import make_device, spec_of
from drivers.device import Device
from drivers.kinds import camera as kind
from drivers.kinds.camera import CameraSpec
from drivers.observations import (
    AnyObservation,
    CardRead,
    CutCard,
    HealthChanged,
    Identified,
    NoRead,
    Note,
    Trouble,
    TroubleOver,
)
from drivers.protocols.base import Wanted
from drivers.transports.child import environment
from drivers.transports.process import ProcessPort
from tests.support import camera_program
from tests.support.camera_stream import CameraStream, code, empty

WAIT_S = 60.0
KING, ACE, CUT = "AKH35", "AAS1C", "ACUT6"


class Table:
    """A camera device whose process is the test's own, and what it said."""

    def __init__(self, port: str, hang_s: float = 10.0, **settings: Any) -> None:
        raw = {"name": "shoe", "kind": "camera", "port": port, "read": ["barcode"], **settings}
        spec = spec_of({"fps": 30, **raw})
        assert isinstance(spec, CameraSpec)
        made, self.protocol = kind.make(spec)
        assert isinstance(made, ProcessPort)
        program = made._program
        script = (str(Path(camera_program.__file__)), *program.arguments[2:])
        self.port = ProcessPort(
            msgspec.structs.replace(program, arguments=script, hang_s=hang_s), made._where
        )
        self.inbox: queue.Queue[AnyObservation] = queue.Queue()
        self.said: list[AnyObservation] = []
        self.device = Device("shoe", self.port, self.protocol, self.inbox.put)

    def start(self) -> Table:
        self.device.start()
        self.health("up")
        return self

    def until(self, is_it: Callable[[AnyObservation], bool]) -> AnyObservation:
        end = time.monotonic() + WAIT_S
        while True:
            one = self.inbox.get(timeout=max(0.0, end - time.monotonic()))
            self.said.append(one)
            if is_it(one):
                return one

    def health(self, wanted: str) -> HealthChanged:
        one = self.until(lambda seen: isinstance(seen, HealthChanged) and seen.health == wanted)
        assert isinstance(one, HealthChanged)
        return one

    def trouble(self, wanted: str) -> Trouble:
        one = self.until(lambda seen: isinstance(seen, Trouble) and seen.code == wanted)
        assert isinstance(one, Trouble)
        return one

    def over(self, wanted: str) -> None:
        self.until(lambda seen: isinstance(seen, TroubleOver) and seen.code == wanted)

    def card(self) -> str:
        one = self.until(lambda seen: isinstance(seen, CardRead | NoRead))
        assert isinstance(one, CardRead), one
        return one.text

    def pid(self) -> int:
        last = [one for one in self.said if isinstance(one, HealthChanged) and one.identity][-1]
        return int(last.identity.rpartition("(process ")[2].rstrip(")"))

    def cards(self) -> list[str]:
        while not self.inbox.empty():
            self.said.append(self.inbox.get())
        return [one.text for one in self.said if isinstance(one, CardRead)]

    def notes(self, said: str) -> list[str]:
        self.cards()
        return [one.detail for one in self.said if isinstance(one, Note) and one.code == said]


@pytest.fixture
def camera(tmp_path: Path) -> Iterator[CameraStream]:
    stream = CameraStream(tmp_path / "camera.sock")
    yield stream
    stream.close()


@pytest.fixture
def table(camera: CameraStream) -> Iterator[Callable[..., Table]]:
    tables: list[Table] = []

    def begin(**settings: Any) -> Table:
        tables.append(Table(f"virtual:{camera.path}", **settings))
        return tables[-1].start()

    yield begin
    for one in tables:
        one.device.stop()
        _gone(one)


def _gone(table: Table) -> None:
    last = table.port._last
    end = time.monotonic() + WAIT_S
    while last is not None and not last.gone:
        assert time.monotonic() < end, "the process outlived its device"
        time.sleep(0.01)


def passes(camera: CameraStream, table: Table, text: str) -> str:
    """A card passes and is read; the window is empty before and after."""
    camera.show(code(text))
    read = table.card()
    rest(camera, table)
    return read


def rest(camera: CameraStream, table: Table) -> None:
    """The window is empty, for so many pictures that the reader has looked at some of them."""
    camera.show(empty())
    seen = camera.number
    while camera.number < seen + 20:
        time.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state != "Z"


def ends(pid: int) -> None:
    end = time.monotonic() + WAIT_S
    while alive(pid):
        assert time.monotonic() < end, f"process {pid} lives on"
        time.sleep(0.02)


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
    _gone(one)
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


def test_ten_thousand_lines_at_once_all_arrive(
    camera: CameraStream, table: Callable[..., Table]
) -> None:
    one = table()
    camera.show(code("BURST"))
    end = time.monotonic() + WAIT_S
    while len(one.cards()) < camera_program.BURST:
        assert time.monotonic() < end, len(one.cards())
        time.sleep(0.05)
    rest(camera, one)
    assert passes(camera, one, KING) == KING
    assert len(one.cards()) == camera_program.BURST + 1
    assert not [seen for seen in one.said if isinstance(seen, Trouble)]


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
    while data.count(b'"say":"read"') < camera_program.BURST:
        got = transport.read()
        data += got
        quiet = time.monotonic() if got else quiet
        assert time.monotonic() - quiet < WAIT_S
        time.sleep(0.001)
    assert data.count(b'"say":"read"') == camera_program.BURST
    transport.close()
    _gone(one)


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
