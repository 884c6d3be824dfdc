"""The console as a program of its own: it starts, ends cleanly, or says in a line why not."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui import fixtures, holds, screens
from tests.ui.fake_station import FakeStation
from ui import start
from ui.start import CannotStart

PYTHON = [sys.executable, "-m", "ui"]


_running: list[subprocess.Popen[bytes]] = []


@pytest.fixture
def station(tmp_path: Path) -> Iterator[FakeStation]:
    station = FakeStation(tmp_path / "s.sock", fixtures.drawing())
    yield station
    station.close()
    for program in _running:
        if program.poll() is None:
            program.kill()
            program.communicate()
    _running.clear()


def launch(station: FakeStation, *more: str) -> subprocess.Popen[bytes]:
    program = subprocess.Popen(
        [*PYTHON, "--socket", str(station.path), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    _running.append(program)
    return program


def until(condition: object, what: str) -> None:
    assert callable(condition)
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(0.01)


def end(program: subprocess.Popen[bytes], number: int) -> None:
    program.send_signal(number)
    out, err = program.communicate(timeout=20)
    assert (program.returncode, out, err) == (0, b"", b"")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_code_0_and_nothing_said(station: FakeStation, number: int) -> None:
    program = launch(station)
    until(lambda: station.links == 1, "the console")
    end(program, number)


def test_e01_it_ends_cleanly_amid_a_stream_of_snapshots(station: FakeStation) -> None:
    seed = random.Random(1)
    builds = list(screens.SCREENS.values())
    for _ in range(3):
        links = station.links
        program = launch(station)
        until(lambda links=links: station.links > links, "the console")
        for version in range(seed.randrange(5, 60)):
            station.show(replace(seed.choice(builds)(), version=version))
        end(program, signal.SIGTERM)


def test_killed_and_started_again_it_shows_the_same_table(
    station: FakeStation, tmp_path: Path
) -> None:
    pictures = []
    for run in range(2):
        folder = tmp_path / f"shots{run}"
        links = station.links
        program = launch(station, "--screenshots", str(folder))
        until(lambda links=links: station.links > links, "the console")
        until(lambda folder=folder: list(folder.glob("001-drawing-card-ko.png")), "a picture")
        until(lambda folder=folder: (folder / "001-drawing-card-ko.png").stat().st_size, "it")
        if run == 0:
            program.kill()
            program.communicate(timeout=20)
        else:
            end(program, signal.SIGTERM)
        pictures.append(sorted(path.name for path in folder.iterdir()))
    assert pictures[0] == pictures[1] == ["001-drawing-card-ko.png"]


def test_a_picture_of_each_moment_and_a_trace_of_each_snapshot(
    station: FakeStation, tmp_path: Path
) -> None:
    folder, trace = tmp_path / "shots", tmp_path / "trace.jsonl"
    program = launch(
        station, "--screenshots", str(folder), "--trace", str(trace), "--language", "en"
    )
    until((folder / "001-drawing-card-en.png").exists, "the first picture")
    moments = [
        (fixtures.deciding, "deciding-none"),
        (fixtures.dealers_turn, "dealer-card"),
        (holds.held, "dealer-hold"),
        (fixtures.result, "result-none"),
    ]
    for number, (build, name) in enumerate(moments, start=2):
        station.show(replace(build(), version=300 + number))
        path = folder / f"{number:03d}-{name}-en.png"
        until(path.exists, str(path))
    until(lambda: trace.read_text().count("\n") >= 5, "the trace")
    end(program, signal.SIGTERM)
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    assert [line["version"] for line in lines] == [100, 302, 303, 304, 305]
    for line in lines:
        assert line["swapped_ns"] > line["received_ns"]


def test_no_station_is_waited_for_not_an_error(tmp_path: Path) -> None:
    program = subprocess.Popen(
        [*PYTHON, "--socket", str(tmp_path / "none.sock")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(1.5)  # There is nothing to see from outside: it waits, and that is the test.
    assert program.poll() is None
    end(program, signal.SIGTERM)


def test_a_name_that_stays_taken_ends_it_with_a_line_and_code_4(station: FakeStation) -> None:
    station.taken = 1000
    program = launch(station, "--name", "main")
    out, err = program.communicate(timeout=30)
    assert (program.returncode, out) == (4, b"")
    assert err.count(b"\n") == 1
    assert b"'main'" in err
    assert b"connected already" in err
    assert station.links == 6


def test_a_stale_link_of_its_own_is_outlasted(station: FakeStation) -> None:
    station.taken = 3
    program = launch(station)
    until(lambda: station.links == 4 and station.beats, "the fourth link")
    end(program, signal.SIGTERM)


def test_no_display_is_said_in_one_line(tmp_path: Path) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    }
    done = subprocess.run(
        [*PYTHON, "--socket", str(tmp_path / "s")],
        env=environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "DISPLAY" in done.stderr


def test_the_pair_that_aborts_is_refused() -> None:
    with pytest.raises(CannotStart, match=r"6\.12\.0 aborts on Python 3\.11"):
        start.check_version("6.12.0", (3, 11))
    start.check_version("6.12.0", (3, 12))
    start.check_version("6.11.3", (3, 11))


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libEGL.so.1", "libegl1"),
        ("libGL.so.1", "libgl1"),
        ("libxkbcommon.so.0", "libxkbcommon0"),
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
    ],
)
def test_a_missing_library_names_its_package(library: str, package: str) -> None:
    message = str(start.missing_library(library))
    assert f"{library} is missing" in message
    assert f"apt-get install {package}" in message


def test_the_console_never_loads_opencv(station: FakeStation) -> None:
    code = (
        "import sys, ui.app, ui.start; ui.start.load_qt(); import ui.window; "
        "print('cv2' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "False\n"
