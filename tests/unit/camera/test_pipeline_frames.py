"""Frames of real artwork (Kennard, CC0) as a camera sees it, read as `camera read` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.camera import reading, truth
from drivers.camera.seeing import Seeing
from drivers.camera.verdict import Witness
from tests.support.camera_reads import BOTH, CODE, index_reader

FRAMES = Path(__file__).parents[2] / "data" / "camera" / "dev"
SEQUENCES = list(reading.sequences([FRAMES / "img"]))


def read(sequence: reading.Sequence, witnesses: frozenset[Witness]) -> reading.Result:
    index = index_reader() if "index" in witnesses else None
    return reading.Reader(Seeing((CODE,), read=witnesses), index=index).read(sequence)


def truths() -> truth.Truths:
    return truth.load(FRAMES / "truth.json", lambda text: text[:2])


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda one: Path(one.name).name)
def test_a_card_of_real_artwork_is_read_right(sequence: reading.Sequence) -> None:
    """All of these show the code or the index wholly in two frames at least."""
    known = truth.of(sequence, truths())
    assert known is not None
    result = read(sequence, BOTH)
    assert result.cards == known.expected
    assert result.frames == 6
    assert result.broken == ()


@pytest.mark.parametrize("witnesses", [frozenset({"barcode"}), frozenset({"index"})])
def test_each_witness_alone_is_never_wrong(witnesses: frozenset[Witness]) -> None:
    right = 0
    known = truths()
    for sequence in SEQUENCES:
        there = truth.of(sequence, known)
        assert there is not None
        answer = truth.answer_of(there, read(sequence, witnesses))
        assert answer in ("right", "unsure"), sequence.name
        right += answer == "right"
    assert right >= 4
