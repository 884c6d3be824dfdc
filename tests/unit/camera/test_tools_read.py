"""`camera read` beside files that are no pictures: each is named, the others are read."""

from __future__ import annotations

import os
import shutil
import struct
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from drivers.camera import asked, reading, truth
from drivers.camera.tools_read import read

FRAMES = Path(__file__).parents[2] / "data" / "camera" / "dev" / "img"
WHOLE = sorted(FRAMES.glob("*.jpg"))[0]


def claims(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose head says it is that large."""

    def chunk(name: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + check

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = [chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(b"\0" * 99)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One whole picture among others that are none."""
    shutil.copy(WHOLE, tmp_path / "whole.jpg")
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "huge.png").write_bytes(claims(60_000, 60_000))
    (tmp_path / "cut.jpg").write_bytes(WHOLE.read_bytes()[:400])
    (tmp_path / "of\nlines.jpg").write_text("no picture")
    (tmp_path / "film.mp4").touch()
    (tmp_path / "gone.jpg").symlink_to("nowhere.jpg")
    (tmp_path / "self.jpg").symlink_to("self.jpg")
    (tmp_path / "loop").symlink_to(".")
    os.mkfifo(tmp_path / "pipe.jpg")
    os.mkfifo(tmp_path / "pipe.mp4")
    (tmp_path / "folder.jpg").mkdir()
    return tmp_path


def lines_of(text: str) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in text.splitlines()]


def test_what_is_no_picture_is_named_and_the_others_are_read(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status = read(asked.Read(paths=(str(folder),), read=("barcode",), truth="-"))
    said = capfd.readouterr()
    found = {Path(line["path"]).name: line for line in lines_of(said.out)}
    assert status == 1
    assert found.pop("whole.jpg")["frames"] == 1
    assert set(found) == {
        *("empty.jpg", "huge.png", "cut.jpg", "of\nlines.jpg"),
        *("film.mp4", "gone.jpg", "self.jpg", "pipe.jpg", "pipe.mp4"),
    }
    for name, line in found.items():
        assert line["frames"] == 0
        assert line["cards"] == []
        (why,) = line["broken"]
        assert why.startswith(f"{folder / name}: ")
        assert f"dealer-station: {why}" in said.err
    assert "empty" in found["empty.jpg"]["broken"][0]
    assert "too large" in found["huge.png"]["broken"][0]


def test_whole_pictures_alone_are_no_error(capfd: pytest.CaptureFixture[str]) -> None:
    assert read(asked.Read(paths=(str(WHOLE),), read=("barcode",), truth="-")) == 0
    assert lines_of(capfd.readouterr().out)[0]["frames"] == 1


def test_a_name_that_is_no_utf_8_is_written_out(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, data in ((b"\xff.jpg", WHOLE.read_bytes()), (b"\xfe.jpg", b"")):
        Path(tmp_path, os.fsdecode(name)).write_bytes(data)
    assert read(asked.Read(paths=(str(tmp_path),), read=("barcode",), truth="-")) == 1
    broken, whole = lines_of(capfd.readouterr().out)
    assert (Path(broken["path"]).name, Path(whole["path"]).name) == ("\\udcfe.jpg", "\\udcff.jpg")
    assert (broken["frames"], whole["frames"]) == (0, 1)


def test_a_folder_that_may_not_be_looked_into_is_not_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(place: str) -> None:
        raise PermissionError(13, "Permission denied", str(place))

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(reading.NoPictures, match=f"{tmp_path}: this user may not open it; give"):
        list(reading.sequences([tmp_path]))


@pytest.mark.parametrize("text", ["", "null", '"x"', "[1]", "{}", "[" * 100_000, '{"sequences":1}'])
def test_a_truth_that_says_nothing_is_told_and_how_to_go_on(text: str, tmp_path: Path) -> None:
    place = tmp_path / "truth.json"
    place.write_text(text)
    with pytest.raises(truth.NoTruth, match=r"truth\.json: .*--truth -"):
        truth.load(place, lambda card: card)
