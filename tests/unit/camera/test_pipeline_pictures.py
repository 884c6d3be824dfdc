"""The pictures that are kept of a card: of it alone, named, hashed, and never in its way."""

from __future__ import annotations

import hashlib
import re
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from drivers.camera.cv import cv2
from drivers.camera.keeper import Keeper
from drivers.camera.pipeline import Pipeline
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame, Image
from drivers.camera.telling import Card, Teller
from drivers.camera.verdict import Codes, Verdict, Witnesses
from drivers.protocols import camera_lines as lines
from hw_sim.camera import sequences as rendered
from tests.support.camera_reads import BOTH, CODE, frames_of, index_reader, travel_of
from tests.unit.camera.test_keeper import region
from tests.unit.camera.test_pipeline import CLEAR, drawn, with_trouble

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,95}\.jpg")


def reader(sequence: rendered.Sequence, folder: Path | None) -> Pipeline:
    seeing = Seeing((CODE,), read=BOTH, travel=travel_of(sequence.draw), folder=folder)
    return Pipeline(seeing, index=index_reader())


def passed(pipeline: Pipeline, frames: list[Frame]) -> list[lines.Read | lines.Missed]:
    told = [event for frame in frames for event in pipeline.frame(frame)]
    return [one for one in told if isinstance(one, lines.Read | lines.Missed)]


@pytest.fixture(scope="module")
def card() -> rendered.Sequence:
    return drawn(replace(CLEAR, code="qr"))


def test_a_read_names_its_pictures_and_their_hashes(
    card: rendered.Sequence, tmp_path: Path
) -> None:
    (read,) = passed(reader(card, tmp_path), frames_of(card))
    assert 1 <= len(read.evidence) <= 4
    assert {one.name for one in tmp_path.iterdir()} == {one.name for one in read.evidence}
    for one in read.evidence:
        path = tmp_path / one.name
        assert NAME.fullmatch(one.name)
        assert hashlib.sha256(path.read_bytes()).hexdigest() == one.sha256
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        picture = cv2.imread(str(path))
        assert picture is not None
        assert max(picture.shape) <= 480


def test_two_reads_never_share_a_name(card: rendered.Sequence, tmp_path: Path) -> None:
    pipeline = reader(card, tmp_path)
    names: list[str] = []
    for _ in range(2):
        for read in passed(pipeline, frames_of(card)):
            names += [one.name for one in read.evidence]
    assert len(names) == len(set(names)) >= 2


def test_without_a_folder_nothing_is_kept(card: rendered.Sequence) -> None:
    pipeline = reader(card, None)
    (read,) = passed(pipeline, frames_of(card))
    assert (read.evidence, pipeline.trouble) == ((), "")


def test_a_missing_folder_stops_no_card_and_is_told(
    card: rendered.Sequence, tmp_path: Path
) -> None:
    pipeline = reader(card, tmp_path / "none")
    (read,) = passed(pipeline, frames_of(card))
    assert isinstance(read, lines.Read)
    assert read.evidence == ()
    assert "No such file" in pipeline.trouble


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow beyond some bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_stops_no_card_leaves_no_half_picture_and_is_over_when_it_is(
    card: rendered.Sequence, tmp_path: Path
) -> None:
    pipeline = reader(card, tmp_path)
    with full_disk():
        (read,) = passed(pipeline, frames_of(card))
    assert isinstance(read, lines.Read)
    assert read.evidence == ()
    assert pipeline.trouble
    assert list(tmp_path.iterdir()) == []
    (again,) = passed(pipeline, frames_of(card))
    assert again.evidence
    assert pipeline.trouble == ""


def marked(frame: rendered.Frame, image: Image) -> Image:
    """The picture without colour, the following card greenish, which is paper still."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    picture = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    for card in frame.truth["cards"][1:]:
        mask = np.zeros(grey.shape, dtype=np.uint8)
        cv2.fillConvexPoly(mask, np.array(card["quad"]).round().astype(np.int32), 255)
        picture[mask > 0] = (picture[mask > 0] * np.array([0.72, 1.0, 0.72])).astype(np.uint8)
    return np.asarray(picture, dtype=np.uint8)


def green(image: Image) -> int:
    """How many pixels are."""
    blue, grn, red = (image[:, :, k].astype(np.int16) for k in range(3))
    return int((grn - np.maximum(blue, red) > 24).sum())


@pytest.mark.parametrize("number", range(4))
def test_the_card_behind_is_in_no_picture(number: int, tmp_path: Path) -> None:
    """Only frames in which it stands behind the drawn one are shown, so each picture kept could
    have it in: its pixels are black there.
    """
    sequence = drawn(replace(with_trouble("following", mm=40), code="qr", fps=60.0), number)
    shown = [one for one in sequence.frames if len(one.truth["cards"]) == 2]
    frames = [Frame(one.k, marked(one, one.image), round(one.t * 1e9)) for one in shown]
    assert sum(green(frame.image) > 2000 for frame in frames) >= 3
    told = passed(reader(sequence, tmp_path), frames)
    kept = [picture for one in told for picture in one.evidence]
    assert kept, "the drawn one passed, read or not, and its pictures are kept"
    for one in kept:
        picture = cv2.imread(str(tmp_path / one.name))
        assert picture is not None
        # A JPEG bleeds some colour over an edge; a card's strip of 2 mm would be 2,000 pixels.
        assert green(np.asarray(picture, dtype=np.uint8)) < 150


@pytest.mark.parametrize("number", [3, 4, 5])
def test_of_a_card_in_the_mouth_there_is_no_picture_when_the_way_is_not_known_yet(
    number: int, tmp_path: Path
) -> None:
    """The picture went just as it looked out: whether it was drawn is not known."""
    frames = frames_of(drawn(CLEAR, number), 8)
    seeing = Seeing((CODE,), read=BOTH, travel=None, folder=tmp_path)
    told: list[lines.Event] = []
    for count in range(len(frames)):
        pipeline = Pipeline(seeing, index=index_reader())
        for frame in frames[:count]:
            pipeline.frame(frame)
        if pipeline.travel is not None:
            break
        told += pipeline.interrupted()
        assert list(tmp_path.iterdir()) == []
    assert "which way cards go" in str(told)


def test_a_dispute_by_a_second_card_neither_names_nor_shows_it(tmp_path: Path) -> None:
    """It may be the next one, which is not dealt."""
    sequence = drawn(CLEAR, 3)
    frames = frames_of(sequence, 8)
    pipeline = reader(sequence, tmp_path)
    (read,) = passed(pipeline, frames)
    assert isinstance(read, lines.Read)
    kept = {one.name for one in tmp_path.iterdir()}
    witnesses = Witnesses(Codes((CODE,)), BOTH)
    card = Card(witnesses, told=Verdict(face=read.face, by=("index",)))
    card.shots.take(frames[0], (region(0, 0, 60, 40),), 1.0)
    teller = Teller(Keeper(tmp_path))
    (missed,) = teller.dispute(card, Verdict(why="two_cards", detail="index=5D index=QH"))
    assert isinstance(missed, lines.Missed)
    assert (missed.reason, missed.text, missed.evidence) == ("disputed", "", ())
    assert "QH" not in missed.detail
    assert {one.name for one in tmp_path.iterdir()} == kept
    assert teller.dispute(card, Verdict(why="two_cards")) == [], "once"
