"""A virtual shoe whose reader is a camera: ordered as any other, its counts exact."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import zxingcpp
from typer.testing import CliRunner

from drivers.catalog import spec_of
from drivers.kinds.camera import CameraSpec
from hw_sim.camera.cv import cv2
from hw_sim.camera.stream import HEADER
from hw_sim.cli import app
from hw_sim.control import ControlError, ShoeControl
from hw_sim.models.registry import faults_of, kind_of, make_model
from hw_sim.table_config import CAMERA_CODES, TableDir, config_text
from tests.unit.sim.conftest import MakeShoe, Until
from tests.unit.sim.test_table import play

OPTIONS = (("code", "qr"), ("fps", "30"), ("mm_s", "300"), ("size", "320x240"))


class Watcher:
    """Who watches the frames: the texts of the codes in them, in order, each once in a row."""

    def __init__(self, path: Path) -> None:
        self.link = socket.socket(socket.AF_UNIX)
        self.link.settimeout(20)
        self.link.connect(str(path))
        self.texts: list[str] = []
        self.numbers: list[int] = []
        self.light = 0.0

    def look(self) -> bool:
        """One more frame; False, so that something else may be asked. Raises EOFError when the
        camera is gone.
        """
        head = self._take(HEADER.size)
        _, _, _, _, number, _, length = HEADER.unpack(head)
        flat = np.frombuffer(self._take(length), dtype=np.uint8)
        image = cv2.imdecode(flat, cv2.IMREAD_COLOR)
        assert image is not None
        self.numbers.append(number)
        self.light = float(image.mean())
        big = cv2.resize(image, None, fx=2, fy=2)
        for found in zxingcpp.read_barcodes(big):
            if self.texts[-1:] != [found.text]:
                self.texts.append(found.text)
        return False

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.link.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data


@pytest.fixture
def camera(make_shoe: MakeShoe, tmp_path: Path) -> ShoeControl:
    return make_shoe(kind="camera", options=OPTIONS, cut=0, log=tmp_path / "log")


@pytest.fixture
def watcher(camera: ShoeControl, tmp_path: Path) -> Iterator[Watcher]:
    made = Watcher(tmp_path / "shoe.link")
    yield made
    made.link.close()


def test_cards_drawn_by_order_are_seen_in_order_and_counted(
    camera: ShoeControl, watcher: Watcher, until: Until
) -> None:
    drawn = []
    for _ in range(3):
        drawn.append(camera.ask("draw")["code"])
        until(lambda: watcher.look() or watcher.texts[-1:] == drawn[-1:])
        until(lambda: watcher.look() or camera.ask("state")["device"]["window"] == "empty")
    assert watcher.texts == drawn
    state = camera.ask("state")
    assert state["given"] == drawn
    assert (state["cards_out"], state["left"]) == (3, 413)
    assert state["port"].startswith("virtual:")
    again = camera.ask("reread")
    watcher.texts.clear()
    until(lambda: watcher.look() or watcher.texts == [again["code"]])
    assert camera.ask("state")["cards_out"] == 3


def test_two_cards_in_one_pull_are_two_passes(
    camera: ShoeControl, watcher: Watcher, until: Until
) -> None:
    camera.ask("arm", fault="early_draw")
    camera.ask("draw")
    given = camera.ask("state")["given"]
    assert len(given) == 2
    until(lambda: watcher.look() or len(watcher.texts) == 2)
    assert watcher.texts == given


def test_faults_of_a_card_by_order(camera: ShoeControl, watcher: Watcher, until: Until) -> None:
    camera.ask("arm", fault="no_read")
    hidden = camera.ask("draw")
    assert hidden["fault"] == "no_read"
    until(lambda: watcher.look() or camera.ask("state")["device"]["window"] == "empty")
    assert watcher.texts == []
    camera.ask("fault", fault="foreign_code", set="Z")
    foreign = camera.ask("draw")
    until(lambda: watcher.look() or watcher.texts)
    assert watcher.texts[0].startswith("Z")
    assert watcher.texts[0][1:3] == foreign["face"]
    with pytest.raises(ControlError, match="no fault 'merged'"):
        camera.ask("arm", fault="merged")
    with pytest.raises(ControlError, match="blur has no parameter 'much'"):
        camera.ask("fault", fault="blur", much=3)


def test_troubles_of_the_light_last_until_clear(
    camera: ShoeControl, watcher: Watcher, until: Until
) -> None:
    watcher.look()
    camera.ask("fault", fault="black", ms=60_000)
    until(lambda: watcher.look() or watcher.light < 4)
    camera.ask("clear")
    until(lambda: watcher.look() or watcher.light > 20)
    camera.ask("fault", fault="wrong_exposure", percent=300)
    until(lambda: watcher.look() or watcher.light > 60)
    assert camera.ask("state")["device"]["troubles"] == ["wrong_exposure"]
    camera.ask("clear")
    until(lambda: watcher.look() or watcher.light < 60)


def test_the_plug_is_pulled_and_what_was_not_seen_is_told(
    camera: ShoeControl, watcher: Watcher, tmp_path: Path, until: Until
) -> None:
    watcher.look()
    camera.ask("fault", fault="unplug")
    with pytest.raises(EOFError):
        until(watcher.look)
    assert not (tmp_path / "shoe.link").exists()
    missed = camera.ask("draw")["code"]
    camera.ask("fault", fault="replug")
    after = Watcher(tmp_path / "shoe.link")
    after.look()
    assert after.numbers[0] < 200
    card = camera.ask("draw")["code"]
    until(lambda: after.look() or after.texts)
    assert after.texts == [card]
    after.link.close()
    log = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [entry["unread"] for entry in log if "unread" in entry] == [missed]
    # A frame is never told in the log, whoever missed it.
    assert max(len(json.dumps(entry)) for entry in log) < 1_000


def test_a_dead_camera_sends_nothing_and_lives_again(
    camera: ShoeControl, watcher: Watcher, until: Until
) -> None:
    watcher.look()
    camera.ask("fault", fault="dead")
    watcher.link.settimeout(0.5)
    with pytest.raises(TimeoutError):
        until(watcher.look)
    camera.ask("clear")
    watcher.link.settimeout(20)
    watcher.look()
    assert watcher.numbers[-1] < 20


def test_what_a_camera_can_suffer() -> None:
    known = faults_of(kind_of("camera"), make_model("camera"))
    assert {"unplug", "replug", "early_draw", "cut", "dead", "permission_denied"} <= set(known)
    assert {"glare", "frozen", "hand", "pushed_back", "torn"} <= set(known)
    # What only a stream of bytes can have, and what would bring cards of no shoe.
    assert not {"merged", "stolen", "batching", "small_reads", "blocked"} & set(known)
    assert not {"same_again", "two_behind", "two_overlapped", "joker", "confusable"} & set(known)


def test_a_camera_is_not_behind_a_tcp_server(tmp_path: Path) -> None:
    command = ["shoe", "--kind", "camera", "--link", str(tmp_path / "s"), "--tcp", "127.0.0.1:0"]
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 2
    assert "leave out --tcp" in run.stderr


# --- by itself, and at a table ----------------------------------------------------------------


def test_stream_shows_cards_as_they_are_typed(tmp_path: Path) -> None:
    path = tmp_path / "camera.sock"
    command = [sys.executable, "-m", "hw_sim.cli", "camera", "stream", str(path), "--code", "qr"]
    with subprocess.Popen(
        [*command, "--fps", "30"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline() == f"ready port=virtual:{path}\n"
        watcher = Watcher(path)
        child.stdin.write("KH3\nlocusts\nglare strength=1\nupside_down\n")
        child.stdin.flush()
        said = [child.stdout.readline() for _ in range(4)]
        assert said[0].split() == ["KH", "AKH3I"] or said[0].startswith("KH AKH3")
        assert said[1].startswith("? no fault 'locusts'")
        assert said[2:] == ["glare\n", "upside_down: at the next card\n"]
        while not watcher.texts:
            watcher.look()
        assert watcher.texts == [said[0].split()[1]]
        watcher.link.close()
        child.send_signal(signal.SIGTERM)
        assert child.wait(20) == 0
    assert not path.exists()


def test_stream_deals_a_shoe_by_itself_and_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hw_sim.cli", "camera", "stream", str(tmp_path / "c.sock")]
    command += ["--pace", "0.2", "--cards", "2", "--fps", "20", "--size", "320x240", "--seed", "4"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    assert len(run.stdout.splitlines()) == 3
    assert run.stderr == ""


@pytest.mark.parametrize("code", [*CAMERA_CODES, ""])
def test_the_tables_file_and_the_virtual_camera_fit(tmp_path: Path, code: str) -> None:
    place = TableDir(tmp_path)
    place.open(config_text(kind="camera", place=tmp_path, code=code))
    place.close()
    assert place.camera_code() == (code or "code128")
    assert place.shoe_options()[:2] == ("--option", f"code={code or 'code128'}")
    entry = tomllib.loads(place.config.read_text())["devices"][0]
    spec = spec_of(entry)
    assert isinstance(spec, CameraSpec)
    assert spec.codes == (code != "none")
    assert spec.port == f"virtual:{place.shoe_link}"


def test_code_is_for_a_camera_and_not_another_than_the_files(tmp_path: Path) -> None:
    run = play(tmp_path / "t", "--code", "qr")
    assert run.returncode == 2
    assert "it needs --camera" in run.stderr
    place = TableDir(tmp_path / "t")
    place.open(config_text(kind="camera", place=place.path, code="qr"))
    place.close()
    run = play(place.path, "--rounds", "1", "--camera", "--code", "none")
    assert run.returncode == 1
    assert "says that cards bear qr, not none" in run.stderr


def test_bringing_in_opencv_leaves_qt_alone() -> None:
    program = (
        "import os; before = dict(os.environ); from hw_sim.camera.cv import cv2; "
        "new = {n for n in os.environ if n not in before and 'QT' in n}; "
        "assert not new, new; assert cv2.getNumThreads() == 1"
    )
    environment = {name: v for name, v in os.environ.items() if not name.startswith("QT")}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)


def test_nothing_else_of_the_simulator_brings_in_opencv() -> None:
    program = (
        "import sys, hw_sim.cli, hw_sim.device_server, hw_sim.table_run, hw_sim.soak; "
        "assert not {'cv2', 'numpy', 'zxingcpp'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
