"""Whether an index is clear enough to be asked about at all: a blurred club is a blurred spade."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.camera.cv import cv2
from drivers.camera.index.clarity import Clarity, ClarityLimits, clarity_of
from drivers.camera.index.reader import IndexReader, find
from drivers.camera.sight import Corner, Frame, Image, IndexLook

PICTURES = Path(__file__).parents[2] / "data" / "camera" / "index"
NO_LIMITS = ClarityLimits(9.0, 9.0)


@cache
def shown() -> list[tuple[Image, Corner, float, str]]:
    """Pictures with an index, its corner, the scale, and the face."""
    found = []
    for each in json.loads((PICTURES / "truth.json").read_text()):
        for entry in each["corners"]:
            if entry["face"]:
                image = np.asarray(cv2.imread(str(PICTURES / each["file"])), dtype=np.uint8)
                at, x, y = (tuple(entry[name]) for name in ("at", "x_axis", "y_axis"))
                corner = Corner(at, x, y, 100.0, 100.0)
                found.append((image, corner, entry["px_per_mm"], entry["face"]))
    return found


def clarities(change: Any) -> list[Clarity]:
    found = (find(Frame(0, change(image)), corner, px, None) for image, corner, px, _ in shown())
    return [clarity_of(seen.patch, seen.index) for seen in found if seen is not None]


def blurred(across: float, down: float) -> Any:
    def change(image: Image) -> Image:
        soft = cv2.GaussianBlur(image, (0, 0), sigmaX=across, sigmaY=down)
        return np.asarray(soft, dtype=np.uint8)

    return change


def noisy(grey: float, light: float = 1.0) -> Any:
    def change(image: Image) -> Image:
        rng = np.random.default_rng(3)
        seen = image * light + rng.normal(0, grey, image.shape)
        return np.asarray(np.clip(seen, 0, 255), dtype=np.uint8)

    return change


def middle(found: list[Clarity]) -> tuple[float, float]:
    return float(np.median([one.edge for one in found])), float(np.median([o.grain for o in found]))


def looks(limits: ClarityLimits | None, change: Any) -> list[tuple[str, IndexLook]]:
    reader = IndexReader(clarity=limits)
    return [
        (face, reader.look_at(Frame(0, change(image)), corner, px))
        for image, corner, px, face in shown()
    ]


@pytest.mark.parametrize("way", [(1, 1), (1, 0.01), (0.01, 1)])
def test_blur_widens_the_edge_in_whatever_direction_it_goes(way: tuple[float, float]) -> None:
    edges = [
        middle(clarities(blurred(max(way[0] * px, 0.1), max(way[1] * px, 0.1))))[0]
        for px in (0.1, 3.0, 6.0)
    ]
    assert edges[0] < edges[1] < edges[2]
    assert edges[2] > 1.5 * edges[0]


def test_noise_and_darkness_are_grain() -> None:
    usual = middle(clarities(noisy(0.01)))[1]
    loud = middle(clarities(noisy(12)))[1]
    dark = middle(clarities(noisy(12, 0.5)))[1]
    assert usual < loud < dark
    # Half the light is half the depth of ink, and the noise stays.
    assert dark == pytest.approx(2 * loud, rel=0.5)


def test_a_clear_index_is_asked_about() -> None:
    for clarity in clarities(noisy(0.01)):
        assert not ClarityLimits().why_not(clarity)


@pytest.mark.parametrize(
    ("clarity", "word"), [(Clarity(0.5, 0.01), "blurred"), (Clarity(0.1, 0.2), "noisy")]
)
def test_what_is_not_clear_is_named(clarity: Clarity, word: str) -> None:
    assert word in ClarityLimits().why_not(clarity)


def test_what_is_not_clear_is_refused_before_any_recogniser_is_asked() -> None:
    """With no limit to clarity some of these would be told; with it none is, by either."""
    told = 0
    for image, corner, px, _ in shown():
        frame = Frame(0, blurred(0.85 * px, 0.85 * px)(image))
        free = IndexReader(clarity=NO_LIMITS).look_at(frame, corner, px)
        held = IndexReader().look_at(frame, corner, px)
        told += bool(free.templates or free.network)
        assert (held.face, held.templates, held.network, held.joker) == (None, "", "", False)
    assert told


def test_the_refusal_is_no_joker_and_no_empty_corner() -> None:
    refused = [look for _, look in looks(ClarityLimits(0.01, 9.0), noisy(0.01))]
    assert {look.why for look in refused if look.why != "no_index"} == {"unlike"}
    assert all(look.quad is not None for look in refused if look.why == "unlike")
