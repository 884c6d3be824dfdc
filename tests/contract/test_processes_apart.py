"""Image code, Qt and the daemon never meet in one process: every entry point, loaded and running.

OpenCV's wheel brings a Qt of its own; a crash in image code or in Qt must not end a round.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.camera_stream import CameraStream
from tests.support.daemon import Station

IMAGES = {"cv2", "numpy", "pyzbar", "zxingcpp"}
QT = {"PySide6", "shiboken6"}
WAIT_S = 60.0

# What each process is made of: packages with all their modules, those left out, what must never be
# there, and what must, so that the test would notice if nothing was loaded.
PROCESSES = {
    "dealer-station": (("station", "drivers"), "drivers.camera", IMAGES | QT, {"serial", "typer"}),
    "dealer-station console": (("ui",), "", IMAGES, {"PySide6"}),
    "camera reader": (("drivers.camera",), "", QT, {"cv2", "numpy"}),
    "hw-sim": (("hw_sim",), "hw_sim.camera hw_sim.models.camera", IMAGES | QT, {"hw_sim"}),
    "hw-sim camera": (("hw_sim.camera",), "", QT, {"cv2", "numpy"}),
}

LOAD = """
import importlib, pkgutil, sys

def load(name, but):
    if any(name == one or name.startswith(one + ".") for one in but):
        return
    module = importlib.import_module(name)
    for one in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if one.name != "__main__":
            load(f"{name}.{one.name}", but)

for package in sys.argv[2:]:
    load(package, sys.argv[1].split())
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize("process", PROCESSES)
def test_e03_whatever_a_process_may_ever_load_its_libraries_are_its_own(process: str) -> None:
    packages, but, never, there = PROCESSES[process]
    done = subprocess.run(
        [sys.executable, "-c", LOAD, but, *packages],
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert there <= loaded
    assert never & loaded == set()


# --- running --------------------------------------------------------------------------------

TABLE = """\
[table]
id = "T01"
kind = "test"

[[devices]]
name = "cam"
kind = "camera"
port = "virtual:{socket}"
read = ["barcode"]
fps = 10
size = [320, 240]
"""


def mapped(pid: int) -> set[str]:
    """The files that a process has loaded."""
    try:
        lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    except FileNotFoundError:
        return set()
    return {line.split(maxsplit=5)[5] for line in lines if line.count(" ") > 5 and "/" in line}


def loads(pid: int, library: str) -> bool:
    """Whether a process has loaded anything of that package."""
    return any(f"/{library}/" in file or f"/{library}." in file for file in mapped(pid))


def children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    """A table with a virtual camera, running."""
    stream = CameraStream(tmp_path / "camera.sock")
    made = Station(tmp_path / "table")
    made.config.write_text(TABLE.format(socket=tmp_path / "camera.sock"))
    made.start()
    yield made
    made.close()
    stream.close()


def test_e03_a_running_table_holds_no_image_code_and_its_camera_no_qt(station: Station) -> None:
    end = time.monotonic() + WAIT_S
    readers: list[int] = []
    while not readers:
        assert time.monotonic() < end, station.errors()
        readers = [pid for pid in children(station.pid) if loads(pid, "cv2")]
        time.sleep(0.05)
    for library in IMAGES | QT:
        assert not loads(station.pid, library), library
    for pid in readers:
        assert not any(loads(pid, library) for library in QT)


def test_the_folder_of_pictures_is_beside_the_journal_of_a_running_table(station: Station) -> None:
    folder = station.folder / "journal.db.evidence"
    assert folder.is_dir()
    assert folder.stat().st_mode & 0o777 == 0o700
