"""What stands in the window unmoved for long is the window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from drivers.camera.hands import Rest
from drivers.camera.pipeline import Pipeline
from drivers.camera.scene import SceneFinder
from drivers.camera.seeing import Seeing
from drivers.camera.sight import Figures, Frame, Image, Region, Scene
from drivers.protocols import camera_lines as lines
from tests.support.camera_reads import CODE

SECOND = 1_000_000_000


def noisy(value: int, number: int) -> Image:
    rng = np.random.default_rng(number)
    return np.asarray(rng.integers(value - 2, value + 3, (480, 640, 3)), dtype=np.uint8)


def scene(seconds: float, value: int = 90, kind: str = "other") -> Scene:
    points = np.zeros((4, 2), np.float32)
    region = Region("other", points, (), frozenset({"top"}))
    region = region if kind == "other" else replace(region, kind="dark")
    frame = Frame(0, noisy(value, int(seconds * 100)), round(seconds * SECOND))
    return Scene(frame, (region,), Figures(90.0, 2.0, 0.0))


def test_after_ten_seconds_without_a_move_it_is_no_hand() -> None:
    rest = Rest()
    lasted = [rest.lasts(scene(second)) for second in range(12)]
    assert lasted == [False] * 10 + [True, False]


def test_what_moves_begins_anew() -> None:
    rest = Rest()
    lasted = [rest.lasts(scene(second, 90 + 20 * (second >= 7))) for second in range(18)]
    assert lasted == [False] * 17 + [True]


def test_a_dark_card_that_rests_is_never_taken_for_the_window() -> None:
    rest = Rest()
    assert not any(rest.lasts(scene(second, kind="dark")) for second in range(60))


def test_a_hand_over_the_window_at_the_start_is_unlearned_when_it_has_gone() -> None:
    """It was taken for the empty window; the empty window is then no hand for ever."""
    pipeline = Pipeline(Seeing((CODE,), read=frozenset({"barcode"}), travel="right"))
    told: list[lines.Event] = []
    for number in range(200):
        value = 110 if number < 40 else 45
        told += pipeline.frame(Frame(number, noisy(value, number), number * SECOND // 10))
    edges = [one.edge for one in told if isinstance(one, lines.Presence)]
    assert edges in ([], ["hand", "hand_gone"])
    assert pipeline.scene is not None
    assert pipeline.scene.regions == ()


def test_the_finder_forgets_what_it_learned() -> None:
    finder = SceneFinder()
    finder.learn(Frame(0, noisy(110, 1)))
    assert finder.find(Frame(1, noisy(45, 2))).regions
    finder.forget()
    finder.learn(Frame(2, noisy(45, 3)))
    assert finder.find(Frame(3, noisy(45, 4))).regions == ()
