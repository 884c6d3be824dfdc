"""What stands in a frame, held against what was rendered there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from drivers.camera.scene import SceneFinder
from drivers.camera.sight import Frame, Region, Scene
from hw_sim.camera import sequences as rendered
from tests.support.camera_reads import frames_of
from tests.unit.camera.test_pipeline import CLEAR, as_live, drawn, with_trouble

ROUNDED = 2.0
USUAL = replace(CLEAR, level="usual", code="code128", fps=60.0)


@cache
def seen(axis: str, number: int) -> tuple[rendered.Sequence, list[Scene]]:
    sequence = drawn(replace(USUAL, axis=axis), number)  # type: ignore[arg-type]
    finder = SceneFinder()
    return sequence, [finder.find(frame) for frame in frames_of(sequence)]


def cards(scene: Scene) -> list[Region]:
    return [region for region in scene.regions if region.kind == "card"]


def quad(frame: rendered.Frame) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array(frame.truth["cards"][0]["quad"])


CASES = [(axis, number) for axis in ("x", "y") for number in range(3)]


@pytest.mark.parametrize(("axis", "number"), CASES)
def test_where_a_card_is_there_is_one_and_where_none_is_there_is_none(
    axis: str, number: int
) -> None:
    sequence, scenes = seen(axis, number)
    wide, high = sequence.draw.look.optics.size
    for frame, scene in zip(sequence.frames, scenes, strict=True):
        if not frame.truth["cards"]:
            assert cards(scene) == []
            continue
        corners = quad(frame)
        low, high_ = corners.min(axis=0), corners.max(axis=0)
        shown = np.minimum(high_, (wide, high)) - np.maximum(low, 0)
        if shown.min() > 60:
            assert len(cards(scene)) == 1, frame.k


@pytest.mark.parametrize(("axis", "number"), CASES)
def test_the_corners_told_are_the_cards_corners(axis: str, number: int) -> None:
    """To a fifth of a millimetre and a bit: an index is cut out by them."""
    sequence, scenes = seen(axis, number)
    scale = sequence.draw.look.optics.px_per_mm
    found = 0
    for frame, scene in zip(sequence.frames, scenes, strict=True):
        for region in cards(scene):
            for corner in region.corners:
                off = np.hypot(*(quad(frame) - np.array(corner.at)).T).min()
                # A sharp one is where the window's frame cuts the card off.
                inside = 0 < corner.at[0] < 640 and 0 < corner.at[1] < 480
                if inside and corner.rounding > ROUNDED:
                    assert off < 0.6 * scale, (frame.k, corner)
                    found += 1
    assert found >= 5


@pytest.mark.parametrize(("axis", "number"), CASES)
def test_the_axes_of_a_corner_run_along_the_cards_edges_into_it(axis: str, number: int) -> None:
    sequence, scenes = seen(axis, number)
    for frame, scene in zip(sequence.frames, scenes, strict=True):
        for region in cards(scene):
            for corner in region.corners:
                if corner.rounding < ROUNDED:
                    continue
                sides = quad(frame) - np.roll(quad(frame), 1, axis=0)
                sides /= np.hypot(*sides.T)[:, None]
                for way in (corner.x_axis, corner.y_axis):
                    assert np.abs(sides @ np.array(way)).max() > 0.995
                turn = corner.x_axis[0] * corner.y_axis[1] - corner.x_axis[1] * corner.y_axis[0]
                assert turn > 0.9, "x to y is clockwise"
                middle = quad(frame).mean(axis=0) - np.array(corner.at)
                assert middle @ np.array(corner.x_axis) > 0
                assert middle @ np.array(corner.y_axis) > 0


@pytest.mark.parametrize(("axis", "number"), CASES)
def test_the_scale_told_by_a_whole_edge_is_the_cameras(axis: str, number: int) -> None:
    sequence, scenes = seen(axis, number)
    scale = sequence.draw.look.optics.px_per_mm
    told = [one.px_per_mm for scene in scenes for one in cards(scene) if one.px_per_mm]
    for one in told:
        assert abs(one / scale - 1) < 0.08


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_thing_says_where_the_picture_cuts_it_off(side: str) -> None:
    image = np.full((480, 640, 3), 40, np.uint8)
    box = {
        "left": (slice(100, 380), slice(0, 300)),
        "right": (slice(100, 380), slice(340, 640)),
        "top": (slice(0, 300), slice(150, 450)),
        "bottom": (slice(180, 480), slice(150, 450)),
    }[side]
    image[box] = 220
    (region,) = SceneFinder().find(as_live(Frame(0, image), 1, 0)).regions
    assert region.touches == {side}


def test_the_empty_window_shows_nothing_in_any_light() -> None:
    for number in range(4):
        sequence = drawn(replace(with_trouble("empty"), level="hard"), number)
        finder = SceneFinder()
        for frame in frames_of(sequence)[::4]:
            assert cards(finder.find(frame)) == [], number


def test_what_differs_from_the_learned_empty_window_is_seen_though_it_is_no_paper() -> None:
    sequence = drawn(with_trouble("back"), 1)
    frames = frames_of(sequence, 8)
    finder, blind = SceneFinder(), SceneFinder()
    for frame in frames[:6]:
        finder.learn(frame)
    middle = frames[8 + len(sequence.frames) // 2]
    assert finder.find(middle).regions
    finder.forget()
    assert len(finder.find(middle).regions) == len(blind.find(middle).regions)


@pytest.mark.parametrize("size", [(64, 48), (320, 240), (641, 481), (1920, 1080)])
def test_any_size_of_picture_is_looked_at(size: tuple[int, int]) -> None:
    wide, high = size
    image = np.full((high, wide, 3), 40, np.uint8)
    image[high // 5 : high * 4 // 5, wide // 4 : wide * 3 // 4] = 215
    scene = SceneFinder().find(as_live(Frame(0, image), 1, 0))
    (region,) = scene.regions
    x, _, w, h = region.box
    assert abs(x - wide // 4) < 0.02 * wide + 3
    assert abs(w - wide // 2) < 0.02 * wide + 5
    assert abs(h - high * 3 // 5) < 0.02 * high + 5


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_picture_of_one_kind_shows_nothing(value: int) -> None:
    scene = SceneFinder().find(Frame(0, np.full((480, 640, 3), value, np.uint8)))
    assert scene.regions == ()
    assert scene.figures.light == pytest.approx(value, abs=1)
    assert scene.figures.glare == (1.0 if value == 255 else 0.0)
