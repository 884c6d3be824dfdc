"""Which way cards go, found by watching; what stands in a scene as things on their way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drivers.camera.compass import TRAVELS, Compass, placed, travel_of
from drivers.camera.scene import SceneFinder
from drivers.camera.sight import Corner, Figures, Frame, Region, Scene, Side
from drivers.camera.tracks import Thing
from tests.support.camera_reads import frames_of
from tests.support.camera_reads import travel_of as travel_drawn
from tests.unit.camera.test_pipeline import CLEAR, drawn

SIZE = (640, 480)
CORNER = Corner((5.0, 5.0), (1.0, 0.0), (0.0, 1.0), 60.0, 90.0)


def region(
    x: int, y: int, right: int, bottom: int, kind: str = "card", *, corners: bool = True
) -> Region:
    """A thing from x, y to right, bottom; it is cut off where it reaches the border."""
    outline = np.array([(x, y), (right, y), (right, bottom), (x, bottom)], np.float32)
    borders: dict[Side, bool] = {
        "left": x <= 0,
        "top": y <= 0,
        "right": right >= SIZE[0],
        "bottom": bottom >= SIZE[1],
    }
    touches = frozenset(side for side, there in borders.items() if there)
    return Region(
        kind,  # type: ignore[arg-type]
        outline,
        (CORNER,) if corners else (),
        touches,
        box=(x, y, right - x, bottom - y),
    )


def scene(number: int, *regions: Region) -> Scene:
    frame = Frame(number, np.zeros((SIZE[1], SIZE[0], 3), np.uint8))
    return Scene(frame, regions, Figures(50, 10, 0))


def extents(things: list[Thing[tuple[Region, ...]]]) -> list[tuple[float, float]]:
    return [(round(thing.low, 2), round(thing.high, 2)) for thing in things]


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("mount", [0, 90, 180, 270])
@pytest.mark.parametrize("number", range(2))
def test_the_way_is_found_from_one_card_however_the_camera_is_mounted(
    axis: str, mount: int, number: int
) -> None:
    sequence = drawn(replace(CLEAR, axis=axis, mount=mount), number)  # type: ignore[arg-type]
    finder = SceneFinder()
    scenes = [finder.find(frame) for frame in frames_of(sequence)]
    assert travel_of(scenes) == travel_drawn(sequence.draw)


def test_nothing_that_moves_tells_no_way() -> None:
    compass = Compass()
    for number in range(50):
        assert compass.watch(scene(number, region(100, 100, 500, 400))) is None
    assert compass.best() is None
    assert travel_of([scene(number) for number in range(9)]) is None


def test_a_card_pushed_in_and_out_a_little_tells_no_way_by_itself() -> None:
    compass = Compass()
    for number in range(60):
        out = 200 + 60 * (1 if number % 6 in (1, 2) else 0)
        compass.watch(scene(number, region(0, 20, out, 480)))
    assert compass.travel in (None, "right")


@pytest.mark.parametrize(
    ("travel", "low", "high", "low_cut", "high_cut"),
    [
        ("right", 0.0, 0.5, True, False),
        ("left", 0.5, 1.0, False, True),
        ("down", 0.25, 0.75, False, False),
        ("up", 0.25, 0.75, False, False),
    ],
)
def test_a_place_is_a_share_of_the_way(
    travel: str, low: float, high: float, low_cut: bool, high_cut: bool
) -> None:
    (thing,) = placed(scene(0, region(0, 120, 320, 360)), travel)  # type: ignore[arg-type]
    assert (thing.low, thing.high) == pytest.approx((low, high))
    assert (thing.low_cut, thing.high_cut) == (low_cut, high_cut)


@pytest.mark.parametrize("travel", TRAVELS)
def test_pieces_side_by_side_are_one_card_however_many(travel: str) -> None:
    """A printed frame parts a court card into a strip and two halves beside it."""
    strip, upper, lower = (0, 330, 640, 470), (0, 0, 324, 326), (334, 0, 640, 330)
    if travel in ("down", "up"):
        strip, upper, lower = (0, 0, 120, 480), (130, 0, 640, 235), (130, 245, 640, 480)
    pieces = [region(*box) for box in (upper, lower, strip)]
    (thing,) = placed(scene(0, *pieces), travel)  # type: ignore[arg-type]
    assert len(thing.what) == 3


def test_two_cards_in_single_file_are_two() -> None:
    things = placed(scene(0, region(0, 10, 300, 470), region(320, 10, 640, 470)), "right")
    assert extents(things) in ([(0.0, 0.47), (0.5, 1.0)], [(0.5, 1.0), (0.0, 0.47)])


def test_a_dark_picture_within_a_card_is_a_part_of_it() -> None:
    card, court = region(60, 0, 640, 384), region(252, 0, 640, 86, "dark")
    assert [thing.kind for thing in placed(scene(0, card, court), "down")] == ["card"]


def test_a_lamp_mirrored_in_a_cut_card_is_no_card() -> None:
    cut = region(60, 0, 640, 280, "dark")
    lamp = region(88, 140, 322, 278, "card", corners=False)
    assert [thing.kind for thing in placed(scene(0, cut, lamp), "down")] == ["cut"]


def test_a_card_before_something_dark_is_still_a_card() -> None:
    sleeve, card = region(0, 0, 640, 480, "dark"), region(0, 60, 400, 400)
    things = placed(scene(0, sleeve, card), "right")
    assert "card" in [thing.kind for thing in things]


def test_a_dark_picture_on_a_dark_card_is_a_part_of_it_and_one_on_a_plain_thing_is_not() -> None:
    """In coloured light a court's paper and picture are dark; a cut card has no picture."""
    picture = region(200, 0, 400, 200, "dark")
    for spread, things in ((70.0, 1), (8.0, 2)):
        card = replace(region(100, 0, 500, 480, "dark"), spread=spread)
        assert len(placed(scene(0, card, picture), "right")) == things
