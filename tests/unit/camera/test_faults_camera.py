"""Faults that cameras, decoders and their users had elsewhere, at the whole reader.

Each test is named by the symptom. The pictures are rendered, everything behind them is real: the
watchdog, the loop, the pipeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from drivers.camera.pipeline import Pipeline
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Frame, Image
from drivers.protocols import camera_lines as lines
from hw_sim.camera import sequences as rendered
from hw_sim.camera.sequences import Wish
from tests.support.camera_loop import Reader
from tests.support.camera_reads import CODE, travel_of
from tests.support.symbols import Shot, shoot
from tests.unit.camera.test_pipeline import CLEAR, drawn, half_way, with_trouble

CARD = replace(CLEAR, code="qr")


def images(sequence: rendered.Sequence) -> list[Image]:
    return [frame.image for frame in sequence.frames]


def reader_for(sequence: rendered.Sequence, **settings: object) -> Reader:
    return Reader(travel=travel_of(sequence.draw), **settings)


def going_right(wish: Wish, count: int) -> list[rendered.Sequence]:
    """Cards of several shoes that all go the same way."""
    found: list[rendered.Sequence] = []
    number = 0
    while len(found) < count:
        one = drawn(wish, number)
        number += 1
        if travel_of(one.draw) == "right":
            found.append(one)
    return found


def slid(content: str | bytes, symbology: str, angle: float = 0.0) -> list[Frame]:
    """A card with that symbol passes from left to right."""
    places = [-0.5, -0.4, *np.linspace(-0.3, 1.3, 17), 1.5, 1.6]
    return [
        shoot(
            content,
            symbology,
            Shot(module_mm=0.5, angle=angle, at=(float(x), 0.75), noise=2.0, seed=number),
            number,
        )
        for number, x in enumerate(places)
    ]


def told(frames: Sequence[Frame]) -> list[lines.Event]:
    pipeline = Pipeline(Seeing((CODE,), read=frozenset({"barcode"}), travel="right"))
    return [event for frame in frames for event in pipeline.frame(frame)]


# --- decoding -------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["10602679", "1203304455667788"])
@pytest.mark.parametrize("angle", [0.0, 8.0, 15.0])
def test_an_interleaved_code_of_other_things_is_no_card_however_it_lies(
    content: str, angle: float
) -> None:
    """C-01: it has no start or stop of its own, so parts of it read as shorter numbers."""
    events = told(slid(content, "itf", angle))
    assert not [one for one in events if isinstance(one, lines.Read)]
    assert len([one for one in events if isinstance(one, lines.Missed)]) == 1


def test_a_card_with_its_code_at_both_ends_seen_in_thirty_pictures_is_one_card() -> None:
    """C-04: each end and each picture gives the same text once more."""
    sequence = drawn(replace(with_trouble("slow", ms=700), code="qr"))
    reader = reader_for(sequence)
    reader.still(images(sequence)[0], 20)
    reader.show(images(sequence), every_ms=1000 / 30)
    assert tuple(reader.faces) == sequence.expected
    assert reader.missed == []


@pytest.mark.parametrize(
    "content", ["스페이드".encode("cp949"), b"\xc4", b"AS01\xff", b"\x00AS01"], ids=repr
)
def test_bytes_that_are_no_plain_text_are_no_card_and_can_be_told(content: bytes) -> None:
    """C-05: decoders guess a character set and give other text without an error."""
    events = told(slid(content, "qr"))
    assert [type(one).__name__ for one in events if not isinstance(one, lines.Presence)] == [
        "Missed"
    ]
    for event in events:
        assert lines.up(lines.encode(event)) == event


def test_stripes_like_a_code_fill_no_log(capfd: pytest.CaptureFixture[str]) -> None:
    """C-07: the decoders' C libraries print warnings past Python."""
    rng = np.random.default_rng(3)
    frames = []
    for number in range(60):
        bars = np.repeat(rng.integers(0, 2, 130), 5)[:640] * 200 + 30
        image = np.zeros((480, 640, 3), np.uint8)
        image[60:420] = bars[None, : image.shape[1], None]
        frames.append(Frame(number, image, number * 16_000_000))
    told(frames)
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


# --- the camera -----------------------------------------------------------------------------


def test_a_camera_that_repeats_its_last_picture_for_a_minute_deals_nothing_again() -> None:
    """D-01: after an unplug the driver gives the last picture for ever, and calls it new."""
    first, second = going_right(CARD, 2)
    reader = reader_for(first)
    reader.still(images(first)[0], 20)
    shown = images(first)
    frozen = shown[0]
    for image in shown:
        reader.show([image])
        frozen = image
        if reader.faces:
            break
    assert tuple(reader.faces) == first.expected
    reader.show([frozen] * (60 * 60))
    assert reader.troubles == ["frozen"]
    assert tuple(reader.faces) == first.expected
    # It thaws: the card still lies there, is taken away, and another one is drawn.
    reader.still(frozen, 30)
    reader.still(images(second)[0], 30)
    reader.show(images(second))
    assert reader.faces == [*first.expected, *second.expected]
    assert reader.troubles == ["frozen", "-frozen"]


def test_a_camera_that_is_black_then_dark_after_opening_warms_up_and_reads_one_card() -> None:
    """D-04: exposure settles while frames already come."""
    sequence = drawn(CARD)
    reader = reader_for(sequence)
    empty = images(sequence)[0]
    black, dark = np.zeros_like(empty), (empty * 0.3).astype(np.uint8)
    reader.show([black] * 20)
    reader.show((dark * (k / 10)).astype(np.uint8) for k in range(1, 11))
    assert (reader.faces, reader.missed, reader.troubles) == ([], [], [])
    reader.still(empty, 20)
    reader.show(images(sequence))
    assert tuple(reader.faces) == sequence.expected
    assert reader.troubles == []


def test_five_minutes_of_black_are_a_clear_fault_and_no_card() -> None:
    """D-04: a lens cap."""
    reader = Reader(travel="right")
    black = np.zeros((480, 640, 3), np.uint8)
    rng = np.random.default_rng(1)
    reader.show(
        (
            np.asarray(black + rng.integers(0, 2, black.shape, dtype=np.uint8), np.uint8)
            for _ in range(5 * 60 * 10)
        ),
        every_ms=100,
    )
    assert reader.troubles == ["black"]
    assert (reader.faces, reader.missed) == ([], [])


@pytest.mark.parametrize("below", ["grey", "another card"])
def test_half_pictures_are_no_card_and_whole_ones_that_follow_are(below: str) -> None:
    """D-05: the lower part is grey or of another frame, and only a warning says so."""
    sequence, other = going_right(replace(CARD, code="code128"), 2)
    reader = reader_for(sequence)
    reader.still(images(sequence)[0], 20)
    shown = []
    for number, image in enumerate(images(sequence)):
        torn = image.copy()
        if number % 3 == 0:
            row = torn.shape[0] // 2
            at = min(number, len(other.frames) - 1)
            torn[row:] = 128 if below == "grey" else other.frames[at].image[row:]
        shown.append(torn)
    reader.show(shown)
    assert set(reader.faces) <= set(sequence.expected)
    assert len(reader.faces) + len(reader.missed) >= 1


@pytest.mark.parametrize("back", [-3, 0, 1])
def test_a_card_drawn_while_the_camera_stood_still_is_not_passed_over(back: int) -> None:
    """It was half out when the pictures stopped, and is gone when they come again."""
    sequence = drawn(CARD)
    reader = reader_for(sequence)
    shown = images(sequence)
    reader.still(shown[0], 20)
    reader.show(shown[: half_way(sequence) - back])
    before = len(reader.faces)
    reader.now_ns += 1_500_000_000
    reader.still(shown[0], 30)
    assert before + len(reader.missed) == 1
