"""What a camera sees, kept in a folder: whole pictures, private, bounded, no disk filled."""

from __future__ import annotations

import errno
import json
import os
import stat
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.camera import asked, private_files, tools_record
from drivers.camera.cv import cv2
from drivers.camera.looking import Pictures
from drivers.camera.reading import frames_of, sequences
from drivers.camera.sight import Frame, Image
from drivers.camera.sources.base import Shot
from drivers.camera.sources.stream import HEADER, MAGIC
from drivers.camera.tools_record import LEAST_FREE, TIMES, Reel, keep, record
from tests.support.camera_stream import CameraStream, empty
from tests.unit.camera.test_tools_setup import Scripted, entry

HEAD = {"recording": "shoe"}


def picture(seed: int) -> Image:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 255, (120, 160, 3), dtype=np.uint8)


def shot(number: int, jpeg: bytes = b"") -> Shot:
    return Shot(Frame(number, picture(number), number * 20_000_000), None, jpeg)


def plenty(_: Path) -> int:
    return LEAST_FREE * 10


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / TIMES).read_text().splitlines()]


def recorded(folder: Path, *shots: Shot, limit: int = 10_000_000, seconds: float = 60) -> Reel:
    reel = Reel(folder, limit, HEAD, plenty)
    keep(Pictures(Scripted(*shots), 50.0, time.monotonic), reel, lambda: False, seconds)
    reel.close()
    return reel


def test_a_recording_is_one_sequence_without_loss_with_its_times(tmp_path: Path) -> None:
    reel = recorded(tmp_path, *(shot(n) for n in range(12)))
    assert (reel.kept, reel.ended) == (12, "")
    (sequence,) = sequences([tmp_path])
    frames = [one.image for one in frames_of(sequence) if isinstance(one, Frame)]
    assert len(frames) == 12
    assert all(np.array_equal(one, picture(n)) for n, one in enumerate(frames))
    head, *told = lines(tmp_path)
    assert head == HEAD
    assert [one["ms"] for one in told] == [20.0 * n for n in range(12)]
    assert [one["file"] for one in told] == [path.name for path in sequence.files]


def test_only_its_owner_may_read_a_recording(tmp_path: Path) -> None:
    folder = tools_record.new_folder(tmp_path / "new" / "one")
    recorded(folder, shot(0))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_the_cameras_own_jpeg_is_kept_byte_for_byte(tmp_path: Path) -> None:
    _, data = cv2.imencode(".jpg", picture(1))
    recorded(tmp_path, shot(0, bytes(data) + b"\0padding"))
    assert (tmp_path / "frame_00000.jpg").read_bytes() == bytes(data)


def test_a_recording_ends_at_its_size(tmp_path: Path) -> None:
    size = len(tools_record._encoded(shot(0))[0])
    reel = recorded(tmp_path, *(shot(0) for _ in range(9)), limit=size * 3 + 10)
    assert reel.kept == 3
    assert reel.ended.endswith("MB are full")
    assert not reel.failed
    assert len(list(tmp_path.glob("*.png"))) == 3


def test_a_recording_ends_at_its_time(tmp_path: Path) -> None:
    clock = iter(range(100))
    reel = Reel(tmp_path, 10_000_000, HEAD, plenty)
    pictures = Pictures(Scripted(*(shot(n) for n in range(50))), 50.0, time.monotonic)
    keep(pictures, reel, lambda: False, 5, lambda: float(next(clock)))
    assert reel.kept == 4


def test_the_tables_disk_is_never_filled(tmp_path: Path) -> None:
    left = iter([LEAST_FREE * 2, LEAST_FREE + 1000, LEAST_FREE])
    reel = Reel(tmp_path, 10_000_000, HEAD, lambda _: next(left))
    reel.take(shot(0))
    reel.take(shot(1))
    assert "MB are left on the disk" in reel.failed
    assert reel.ended == reel.failed
    assert len(list(tmp_path.glob("*.png"))) == 1


def test_a_disk_that_fails_ends_it_and_leaves_no_half_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fdopen = os.fdopen

    class Full:
        def __init__(self, descriptor: int) -> None:
            self._file = fdopen(descriptor, "wb", buffering=0)

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            self._file.close()

        def write(self, data: bytes) -> None:
            self._file.write(data[:100])
            raise OSError(errno.ENOSPC, "No space left on device")

    reel = Reel(tmp_path, 10_000_000, HEAD, plenty)
    reel.take(shot(0))
    monkeypatch.setattr(os, "fdopen", lambda fd, mode: Full(fd))
    reel.take(shot(1))
    monkeypatch.undo()
    assert "the disk is full; make room" in reel.failed
    assert reel.kept == 1
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["frame_00000.png", TIMES]
    assert len(lines(tmp_path)) == 2


def test_nothing_is_written_over_or_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("mine")
    with pytest.raises(ValueError, match="there is something in it"):
        tools_record.new_folder(tmp_path)
    target = tmp_path / "elsewhere"
    link = tmp_path / "link"
    link.symlink_to(target)
    with pytest.raises(FileExistsError):
        private_files.write_new(link, b"cards")
    assert not target.exists()
    with pytest.raises(ValueError, match="there is something of this name already; name another"):
        tools_record.new_folder(tmp_path / "old.txt")


def test_a_file_is_replaced_whole_and_private(tmp_path: Path) -> None:
    path = tmp_path / "view.png"
    path.write_bytes(b"old")
    path.chmod(0o644)
    private_files.replace_with(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_of_pictures_is_recorded_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for number in range(5):
        cv2.imwrite(str(source / f"a_{number}.png"), picture(number))
    request = asked.Record(
        spec=entry(f"file:{source}", fps=240), folder=str(tmp_path / "kept"), as_json=True
    )
    assert record(request) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert (summary["kept"], summary["missed"], summary["torn"]) == (5, 0, 0)


def test_a_running_simulators_camera_is_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As it comes, a JPEG as it was sent, until it is unplugged."""
    _, jpeg = cv2.imencode(".jpg", picture(1))
    stream = CameraStream(tmp_path / "camera.sock")
    stream.show(empty())
    kept = tmp_path / "kept"

    def unplug() -> None:
        while len(list(kept.glob("*.png"))) < 3 or not list(kept.glob("*.jpg")):
            # Only the newest picture is taken: sent until one was.
            header = HEADER.pack(MAGIC, ord("J"), 160, 120, 1, time.monotonic_ns(), jpeg.size)
            stream.raw(header + jpeg.tobytes())
            time.sleep(0.02)
        stream.close()

    unplugging = threading.Thread(target=unplug)
    unplugging.start()
    spec = entry(f"virtual:{tmp_path / 'camera.sock'}")
    assert record(asked.Record(spec=spec, folder=str(kept), seconds=60.0, as_json=True)) == 0
    unplugging.join()
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert summary["kept"] >= 4
    assert {path.read_bytes() for path in kept.glob("*.jpg")} == {jpeg.tobytes()}
    assert "unplugged" in summary["ended"]


def test_a_camera_without_a_picture_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a_0.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match="no picture in it is whole"):
        record(asked.Record(spec=entry(f"file:{source}"), folder=str(tmp_path / "kept")))
    assert not (tmp_path / "kept").exists()


def test_a_camera_that_cannot_be_had_leaves_no_folder(tmp_path: Path) -> None:
    """But one that was there already stays."""
    (tmp_path / "mine").mkdir()
    for name in ("new", "mine"):
        request = asked.Record(spec=entry("file:/nowhere/at/all"), folder=str(tmp_path / name))
        with pytest.raises(ValueError, match="nothing is there"):
            record(request)
    assert [one.name for one in tmp_path.iterdir()] == ["mine"]
