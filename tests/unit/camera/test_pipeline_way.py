"""Which way cards go, where nobody has said it: no card is told before one has gone through."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import pytest

from drivers.camera.pipeline import Pipeline
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame
from drivers.camera.truth import face
from drivers.protocols import camera_lines as lines
from hw_sim.camera import sequences as rendered
from hw_sim.camera.sequences import Wish
from hw_sim.camera.window import Studio
from tests.support.camera_reads import BOTH, CODE, frames_of, index_reader, travel_of

WISH = Wish(
    frames=0, fps=30.0, level="clear", mount=0, follows=0.0, jpeg=False, axis="x", code="qr"
)


@cache
def drawn(number: int) -> rendered.Sequence:
    return rendered.sequence(1, number, WISH, Studio(cameras=1))


class Watched:
    """A pipeline that is shown one thing after the other; all that it told."""

    def __init__(self) -> None:
        seeing = Seeing((CODE,), read=BOTH, travel=None)
        self.pipeline = Pipeline(seeing, index=index_reader())
        self.told: list[lines.Event] = []
        self._number = 0

    def show(self, frames: Iterable[Frame]) -> list[lines.Event]:
        events: list[lines.Event] = []
        for frame in frames:
            self._number += 1
            moment = replace(frame, number=self._number, at_ns=self._number * 33_000_000)
            events += self.pipeline.frame(moment)
        self.told += events
        return events

    def reads(self) -> list[tuple[str, bool]]:
        return [(one.face, one.came) for one in self.told if isinstance(one, lines.Read)]


def shown_from_the_table(sequence: rendered.Sequence) -> list[Frame]:
    """Held into the window at its far end, as far as its middle, and taken away again."""
    frames = frames_of(sequence, 8)
    there = [k for k, one in enumerate(sequence.frames) if one.truth["cards"]]
    middle, last = 8 + (there[0] + there[-1]) // 2, 8 + there[-1] + 1
    back = frames[middle : last + 1]
    return [*frames[:8], *reversed(back), *back, *frames[last:]]


@pytest.mark.parametrize("number", range(4))
def test_the_first_card_drawn_is_told_and_the_way_is_known(number: int) -> None:
    sequence, watched = drawn(number), Watched()
    watched.show(frames_of(sequence, 8))
    assert watched.reads() == [(sequence.expected[0], True)]
    assert watched.pipeline.travel == travel_of(sequence.draw)


@pytest.mark.parametrize("number", range(4))
def test_a_card_shown_from_the_table_first_teaches_no_way_and_is_said_to_be_unread(
    number: int,
) -> None:
    """The first draw was not seen, and the card is shown again: it comes from the other side. Taken
    for the shoe's side, each card drawn later would be two, or go back.
    """
    sequence, watched = drawn(number), Watched()
    events = watched.show(shown_from_the_table(sequence))
    assert watched.reads() == []
    assert [one.reason for one in events if isinstance(one, lines.Missed)] == ["unread"]
    assert watched.pipeline.travel is None
    for _ in range(3):
        watched.show(frames_of(sequence, 8))
    assert watched.reads() == [(sequence.expected[0], True)] * 3
    assert watched.pipeline.travel == travel_of(sequence.draw)


def test_a_way_that_is_known_is_not_forgotten_when_a_card_is_shown_from_the_table() -> None:
    sequence, watched = drawn(1), Watched()
    watched.show(frames_of(sequence, 8))
    watched.show(frames_of(sequence, 8)[:8] * 5)
    watched.show(shown_from_the_table(sequence))
    watched.show(frames_of(sequence, 8)[:8] * 5)
    watched.show(frames_of(sequence, 8))
    one = sequence.expected[0]
    assert watched.reads() == [(one, True), (one, False), (one, True)]


def test_what_is_in_the_window_when_the_picture_goes_teaches_no_way() -> None:
    sequence, watched = drawn(2), Watched()
    frames = frames_of(sequence, 8)
    there = [k for k, one in enumerate(sequence.frames) if one.truth["cards"]]
    middle = 8 + (there[0] + there[-1]) // 2
    watched.show(frames[:middle])
    watched.told += watched.pipeline.interrupted()
    assert watched.pipeline.travel is None
    watched.show(shown_from_the_table(sequence))
    watched.show(frames)
    assert watched.reads() == [(sequence.expected[0], True)]
    assert watched.pipeline.travel == travel_of(sequence.draw)


@pytest.mark.parametrize(
    "trouble", ["following", "two_behind", "half_drawn", "pushed_back", "hand"]
)
@pytest.mark.parametrize("number", range(3))
def test_whatever_goes_back_with_another_one_in_the_window_is_no_fault_of_ours(
    trouble: str, number: int
) -> None:
    sequence = rendered.sequence(2, number, replace(WISH, trouble=trouble), Studio(cameras=1))
    watched = Watched()
    for frames in (frames_of(sequence, 8), list(reversed(frames_of(sequence, 8)))) * 2:
        watched.show(frames)
    faces = {one for one, _ in watched.reads()}
    assert faces <= {*sequence.expected, *sequence.draw.left, *_shown(sequence)}


def _shown(sequence: rendered.Sequence) -> set[str]:
    """The faces of all cards that any picture shows."""
    return {
        face(str(card["card"]))
        for frame in sequence.frames
        for card in frame.truth["cards"]
        if card["kind"] == "card"
    }
