"""The camera's tools as they are called: beside a table, at a terminal, on a whole deck."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hw_sim.camera.design import Design
from hw_sim.camera.glyphs import Style
from station.cli_camera import shoe_in_play
from station.config import load_config
from tests.support.camera_deck import NEW_DECK, Booth, write_slides
from tests.support.camera_stream import CameraStream
from tests.support.floor import Floor

ROOT = Path(__file__).parents[2]
TABLE = """
[table]
id = "T01"
kind = "test"
[[devices]]
name = "shoe"
kind = "camera"
role = "shoe"
port = "{port}"
size = [640, 480]
fps = 240
read = ["index"]
card = "{{rank}}{{suit}}{{deck:2}}{{check}}"
cut_card = "CUT{{check}}"
"""
# A pen so broad that its figures look like no other deck's.
FAT = Design("fat", Style(width=0.7, stroke=0.24))
BOOTH = Booth(design=FAT, size=(400, 300), fps=25.0, part=(0.52, 0.78))
NOWHERE = "/nowhere: nothing is there; write the whole path of a file or folder"
LONG_S = 300


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "station.cli", "camera", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    with start(folder, *arguments) as done:
        out, errors = done.communicate(timeout=LONG_S)
        return done.returncode, out, errors


def table(folder: Path, port: str) -> None:
    (folder / "table.toml").write_text(TABLE.format(port=port))


def test_a_running_tables_device_is_refused_and_the_table_goes_on(floor: Floor) -> None:
    floor.open_table()
    for command in (("setup", "shoe"), ("record", "shoe", "kept"), ("enroll", "shoe", "d.npz")):
        status, _, errors = run(floor.station.folder, *command)
        assert status == 2
        assert "table T01 is running and holds device 'shoe'" in errors
    assert not (floor.station.folder / "kept").exists()
    assert [device.health for device in floor.console.now.devices] == ["up"]


def test_no_pictures_are_kept_while_a_live_table_has_a_shoe_in_play(floor: Floor) -> None:
    """Its daemon may be down: the journal knows."""
    floor.open_table()
    assert floor.station.stop() == 0
    config = load_config(floor.station.config)
    live = msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, kind="live"))
    assert shoe_in_play(config) == ""
    assert shoe_in_play(live) == "table T01: shoe S1 is in play"
    Path(config.journal.path).write_bytes(b"no journal")
    assert "whether a shoe is in play is not known" in shoe_in_play(live)


def test_what_is_no_camera_is_refused_in_one_line(tmp_path: Path) -> None:
    table(tmp_path, "file:/nowhere")
    status, out, errors = run(tmp_path, "setup", "shoe", "--json")
    assert status == 2
    assert json.loads(out) == {"ok": False, "error": NOWHERE}
    assert errors == f"dealer-station: {NOWHERE}\n"
    status, _, errors = run(tmp_path, "setup", "window")
    assert status == 2
    assert "no device 'window'; there are: shoe" in errors


def test_control_c_ends_setting_up_with_its_summary(tmp_path: Path) -> None:
    """Sent to both processes, as a terminal does."""
    stream = CameraStream(tmp_path / "camera.sock")
    table(tmp_path, f"virtual:{tmp_path / 'camera.sock'}")
    try:
        with start(tmp_path, "setup", "shoe", "--json") as tool:
            assert tool.stdout is not None
            first = json.loads(tool.stdout.readline())
            os.killpg(tool.pid, signal.SIGINT)
            *_, last = tool.stdout.read().splitlines()
            assert tool.wait(LONG_S) == 1
    finally:
        stream.close()
    assert first["figures"]["looked"] > 0
    assert [one["code"] for one in json.loads(last)["summary"]["advice"]] == ["no_card"]


@pytest.fixture(scope="module")
def passes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """One deck slid past a camera three times."""
    folder = tmp_path_factory.mktemp("fat")
    for number in (1, 2, 3):
        write_slides(folder / str(number), BOOTH.slides(NEW_DECK, number))
    return folder / "1", folder / "2", folder / "3"


@pytest.mark.timeout(LONG_S)
def test_a_deck_of_an_unusual_design_is_read_better_once_it_was_taught(
    passes: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    """With nothing read wrong, on a third pass, which it was not learned from or checked with."""
    first, second, third = map(str, passes)
    teach = ("enroll", "fat", "fat.npz", "--from", first, "--check", second, "--json")
    status, out, errors = run(tmp_path, *teach)
    assert status == 0, errors
    told = json.loads(out.splitlines()[-1])["summary"]
    assert told["safe"] is True
    with_deck, without = read(tmp_path, third, "--deck", "fat.npz"), read(tmp_path, third)
    figures = f"{len(with_deck)} of 52 with the deck, {len(without)} without"
    for found in (with_deck, without):
        assert all(face == NEW_DECK[number] for number, face in found.items()), figures
    assert len(with_deck) >= len(without) + 2, figures


def read(folder: Path, pictures: str, *more: str) -> dict[int, str]:
    """What the whole reader makes of each card, by its place."""
    asked = ("read", pictures, "--read", "index", "--travel", "right", "--truth", "-", *more)
    status, out, errors = run(folder, *asked)
    assert status == 0, errors
    told: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    assert len(told) == len(NEW_DECK)
    assert all(len(one["cards"]) <= 1 for one in told)
    return {number: one["card"] for number, one in enumerate(told) if one["card"]}
