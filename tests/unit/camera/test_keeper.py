"""Pictures of cards: cut out, few, written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.camera.cv import cv2
from drivers.camera.keeper import MOST, Keeper, Shots
from drivers.camera.sight import Frame, Image, Region


def region(x: int, y: int, w: int, h: int) -> Region:
    outline = np.array([(x, y), (x + w - 1, y), (x + w - 1, y + h - 1), (x, y + h - 1)], np.float32)
    return Region("card", outline, (), frozenset(), box=(x, y, w, h))


def frame(number: int, size: tuple[int, int] = (640, 480), value: int = 200) -> Frame:
    return Frame(number, np.full((size[1], size[0], 3), value, np.uint8))


def shots(*images: Image) -> Shots:
    kept = Shots()
    for number, image in enumerate(images):
        kept.take(Frame(number, image), (region(0, 0, image.shape[1], image.shape[0]),), 1.0)
    return kept


@given(st.lists(st.floats(0, 2), max_size=20))
def test_the_best_few_are_kept_in_the_order_they_were_taken(worths: list[float]) -> None:
    kept = Shots()
    for number, worth in enumerate(worths):
        kept.take(frame(number, (40, 30)), (region(5, 5, 20, 20),), worth)
    best = kept.best()
    assert [one.frame for one in best] == sorted(one.frame for one in best)
    assert sorted(one.worth for one in best) == sorted(worths)[-MOST:]


@settings(max_examples=40)
@given(
    st.sampled_from([(640, 480), (1280, 720), (1920, 1080), (333, 777)]),
    st.floats(0, 0.9),
    st.floats(0, 0.9),
    st.floats(0.02, 1.2),
    st.floats(0.02, 1.2),
)
def test_only_what_lies_in_the_outline_is_kept(
    size: tuple[int, int], x: float, y: float, w: float, h: float
) -> None:
    """Light outside, grey inside: no light pixel is left, wherever the card is and however cut."""
    wide, high = size
    left, top = int(x * wide), int(y * high)
    right, bottom = min(wide, left + max(2, int(w * wide))), min(high, top + max(2, int(h * high)))
    image = np.full((high, wide, 3), 255, np.uint8)
    image[top:bottom, left:right] = 100
    kept = Shots()
    kept.take(Frame(0, image), (region(left, top, right - left, bottom - top),), 1.0)
    (shot,) = kept.best()
    assert max(shot.image.shape) <= 480
    assert int(shot.image.max()) <= 100
    assert abs(float(shot.image.mean()) - 100) < 25


def test_what_stands_beside_a_slanting_card_is_black(tmp_path: Path) -> None:
    """Its box holds more than the card: the rest of the box is blackened."""
    image = np.full((480, 640, 3), 255, np.uint8)
    outline = np.array([(320, 40), (600, 240), (320, 440), (40, 240)], np.float32)
    cv2.fillConvexPoly(image, outline.astype(np.int32), (90, 90, 90))
    kept = Shots()
    kept.take(Frame(0, image), (Region("card", outline, (), frozenset()),), 1.0)
    (evidence,) = Keeper(tmp_path).keep(kept.best(), 5)
    picture = cv2.imread(str(tmp_path / evidence.name))
    assert picture is not None
    assert picture.max() < 130
    assert picture[:20, :20].max() < 12


def test_a_name_that_is_taken_is_not_written_over(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    taken = tmp_path / f"{7:016x}-{os.getpid()}-1.jpg.part"
    taken.write_bytes(b"another's")
    kept = shots(np.full((30, 40, 3), 9, np.uint8))
    assert keeper.keep(kept.best(), 7) == ()
    assert keeper.trouble
    assert taken.read_bytes() == b"another's"
    assert len(keeper.keep(kept.best(), 7)) == 1
    assert keeper.trouble == ""


def test_a_link_laid_for_it_is_not_followed(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "kept", tmp_path / "elsewhere"
    folder.mkdir()
    (folder / f"{7:016x}-{os.getpid()}-1.jpg.part").symlink_to(elsewhere)
    assert Keeper(folder).keep(shots(np.zeros((9, 9, 3), np.uint8)).best(), 7) == ()
    assert not elsewhere.exists()


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o022])
def test_nobody_else_may_look_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        (one,) = Keeper(tmp_path).keep(shots(np.zeros((9, 9, 3), np.uint8)).best(), 7)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / one.name).stat().st_mode) == 0o600


def test_a_folder_that_takes_no_file_is_a_trouble_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    keeper = Keeper(file)
    assert keeper.keep(shots(np.zeros((9, 9, 3), np.uint8)).best(), 7) == ()
    assert str(file) in keeper.trouble


def test_the_last_room_on_the_disk_is_the_journals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a disk of 1 GB a fiftieth; of a large one 32 MB."""
    real = os.statvfs(tmp_path)
    keeper, picture = Keeper(tmp_path), shots(np.zeros((9, 9, 3), np.uint8)).best()

    def disk(size: int, free: int) -> None:
        values = list(real)
        values[0] = values[1] = 4096
        values[2], values[3], values[4] = size // 4096, free // 4096, free // 4096
        monkeypatch.setattr(os, "statvfs", lambda _path: os.statvfs_result(values))

    for size, least in ((2**30, 2**30 // 50), (2**40, 32 * 2**20)):
        disk(size, least - 8192)
        assert keeper.keep(picture, 7) == ()
        assert "nearly full" in keeper.trouble
        assert list(tmp_path.iterdir()) == []
        disk(size, least + 8192)
        (one,) = keeper.keep(picture, 7)
        assert keeper.trouble == ""
        (tmp_path / one.name).unlink()
