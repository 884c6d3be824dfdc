"""The made-up card that is looked at before the first real one; witnesses that take turns."""

from __future__ import annotations

import itertools

import pytest

from drivers.camera.looker import index_of
from drivers.camera.pipeline import Pipeline
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame, IndexLook, Region
from drivers.camera.warming import frames
from drivers.cardcode import CardCode


class Counting:
    """The reader of indices, counting what it is asked."""

    def __init__(self, seeing: Seeing) -> None:
        reader = index_of(seeing)
        assert reader is not None
        self._reader, self.looks = reader, 0
        self.look_at = reader.look_at

    def look(self, frame: Frame, region: Region) -> tuple[IndexLook, ...]:
        self.looks += 1
        return self._reader.look(frame, region)


@pytest.mark.parametrize("size", [(640, 480), (1280, 720)])
def test_everything_is_used_once_and_nothing_is_told(size: tuple[int, int]) -> None:
    seeing = Seeing(codes=(CardCode.from_template(),), travel="right")
    index = Counting(seeing)
    pipeline = Pipeline(seeing, index=index)
    for frame in frames(size):
        assert pipeline.frame(frame) == ()
        assert pipeline.scene is not None
        assert [region.kind for region in pipeline.scene.regions] == ["card"]
        assert pipeline.scene.regions[0].corners
    assert index.looks == len(frames(size))


@pytest.mark.parametrize(("took_ms", "each"), [(1.0, 3), (20.0, 1)])
def test_a_witness_that_took_long_leaves_the_next_picture_to_the_other(
    took_ms: float, each: int
) -> None:
    """Else pictures are left out while a card is first read."""
    times = itertools.count(0.0, took_ms / 1000)
    seeing = Seeing(codes=(CardCode.from_template(),), travel="right", hurry_ms=8.0)
    index = Counting(seeing)
    pipeline = Pipeline(seeing, index=index, clock=lambda: next(times))
    for frame in frames((640, 480)):
        pipeline.frame(frame)
    assert index.looks == each
