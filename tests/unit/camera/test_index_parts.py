"""The parts of the index reader: the patch, where the index is on it, what its templates refuse."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from drivers.camera.cv import cv2
from drivers.camera.index.locate import Index, find_index
from drivers.camera.index.measure import FIGURES, Glyphs, ink_colour, measure
from drivers.camera.index.patch import HIGH, SCALE, WIDE, Patch, unwarp
from drivers.camera.index.stencils import NOTHING, Space, Stencils
from drivers.camera.index.templates import (
    Limits,
    Templates,
    mirrored,
    read_stored,
    stored_templates,
)
from drivers.camera.sight import Corner, Frame, Image

CORNER = Corner((50.0, 40.0), (1.0, 0.0), (0.0, 1.0), 100.0, 100.0)
PX = 8.0


def card(paper: int = 230) -> Image:
    """A dark table with a card's corner at (50, 40)."""
    image = np.full((480, 640, 3), 30, dtype=np.uint8)
    image[40:, 50:] = paper
    return image


def write(image: Image, text: str, ink: tuple[int, int, int] = (25, 25, 25)) -> Image:
    """Letters under each other where an index is, in strokes of OpenCV's own font."""
    for i, part in enumerate(text.split("/")):
        at = (66, 100 + 55 * i)
        cv2.putText(image, part, at, cv2.FONT_HERSHEY_DUPLEX, 1.6, ink, 4, cv2.LINE_AA)
    return image


def index_of(image: Image) -> tuple[Patch, Index | None]:
    patch = unwarp(Frame(0, image), CORNER, PX)
    assert patch is not None
    return patch, find_index(patch)


def test_a_patch_lies_where_its_corner_says() -> None:
    patch = unwarp(Frame(0, card()), CORNER, PX)
    assert patch is not None
    assert patch.colour.shape == (HIGH, WIDE, 3)
    two_mm = 2.0 * SCALE
    corner, along = patch.in_frame(
        np.array([[two_mm, two_mm], [two_mm + 10 * SCALE, two_mm]], dtype=np.float32)
    )
    assert corner == pytest.approx((50.0, 40.0), abs=0.01)
    assert along == pytest.approx((50.0 + 10 * PX, 40.0), abs=0.01)


def test_a_turned_corner_gives_the_same_patch() -> None:
    image = write(card(), "4/B")
    straight = unwarp(Frame(0, image), CORNER, PX)
    turned_image = np.ascontiguousarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), dtype=np.uint8)
    # What was (x, y) lies at (height - 1 - y, x) now.
    turned = Corner((479.0 - 40.0, 50.0), (0.0, 1.0), (-1.0, 0.0), 100.0, 100.0)
    other = unwarp(Frame(0, turned_image), turned, PX)
    assert straight is not None
    assert other is not None
    assert np.abs(straight.ink.astype(int) - other.ink.astype(int)).mean() < 2


@pytest.mark.parametrize("light", [0.35, 0.6, 1.0])
def test_light_and_its_colour_leave_no_trace_on_a_patch(light: float) -> None:
    plain, _ = index_of(write(card(), "4/B"))
    tinted = write(card(), "4/B") * light * np.array([0.8, 1.0, 0.9])
    patch, _ = index_of(np.asarray(np.clip(tinted, 0, 255), dtype=np.uint8))
    inside = (slice(20, None), slice(20, None))
    difference = patch.ink[inside].astype(int) - plain.ink[inside].astype(int)
    assert np.abs(difference).mean() < 4


@pytest.mark.parametrize("ink", [(20, 20, 20), (30, 30, 200), (200, 80, 30), (40, 130, 30)])
def test_ink_of_any_colour_is_ink(ink: tuple[int, int, int]) -> None:
    _, found = index_of(write(card(), "4/B", ink))
    assert found is not None
    assert min(found.rank_ink, found.suit_ink) > 110


def test_a_grey_picture_is_known_as_one() -> None:
    grey, _ = index_of(write(card(), "4/B"))
    coloured, _ = index_of(write(card(), "4/B", (30, 30, 200)))
    assert not grey.coloured
    assert coloured.coloured


def test_two_figures_beside_each_other_are_one_rank() -> None:
    _, one = index_of(write(card(), "4/B"))
    image = write(card(), "/B")
    cv2.rectangle(image, (66, 68), (71, 100), (25, 25, 25), -1)
    cv2.ellipse(image, (88, 84), (9, 14), 0, 0, 360, (25, 25, 25), 4, cv2.LINE_AA)
    _, two = index_of(image)
    assert one is not None
    assert two is not None
    assert (one.pieces, two.pieces) == (1, 2)
    assert two.rank.right - two.rank.x > 20


def test_a_rank_without_a_suit_is_no_index() -> None:
    assert index_of(write(card(), "4"))[1] is None


def test_specks_and_what_comes_in_from_the_table_are_no_index() -> None:
    image = card()
    for x in range(60, 120, 12):
        for y in range(50, 200, 12):
            cv2.circle(image, (x, y), 1, (20, 20, 20), -1)
    cv2.rectangle(image, (0, 100), (100, 140), (40, 60, 90), -1)
    assert index_of(image)[1] is None


def test_an_index_that_reaches_the_pictures_edge_is_none() -> None:
    image = write(card(), "4/B")
    corner = replace(CORNER, at=(50.0, 40.0))
    for wide in (640, 92):
        patch = unwarp(Frame(0, np.ascontiguousarray(image[:, :wide])), corner, PX)
        found = find_index(patch) if patch is not None else None
        assert (found is not None) == (wide == 640)


def test_a_corner_far_outside_the_picture_gives_no_patch() -> None:
    corner = replace(CORNER, at=(630.0, 470.0))
    assert unwarp(Frame(0, card()), corner, PX) is None


# What the templates refuse ---------------------------------------------------------------------


@cache
def suit_shape(suit: str) -> bytes:
    """The glyph of a suit as polygons and circles, 20 x 20."""
    image = np.zeros((200, 200), dtype=np.uint8)
    if suit == "D":
        cv2.fillPoly(image, [np.array([[100, 0], [170, 100], [100, 200], [30, 100]])], 255)
    elif suit == "C":
        for x, y in ((100, 45), (48, 110), (152, 110)):
            cv2.circle(image, (x, y), 46, 255, -1)
        cv2.fillPoly(image, [np.array([[100, 90], [130, 199], [70, 199]])], 255)
    columns = np.flatnonzero(image.max(axis=0))
    cut = image[:, columns[0] : columns[-1] + 1]
    return cv2.resize(cut, (20, 20), interpolation=cv2.INTER_AREA).tobytes()


def glyphs(suit: str, **figures: float) -> Glyphs:
    """An 8 from OpenCV's font over a suit, with figures as a plain card's unless told."""
    usual = dict.fromkeys(FIGURES, 0.0) | {
        "rank_shape": 0.6,
        "suit_shape": 0.9,
        "suit_high": 0.7,
        "gap": 0.2,
        "pieces": 1.0,
        "coloured": 1.0,
    }
    image = np.zeros((120, 120), dtype=np.uint8)
    cv2.putText(image, "8", (20, 100), cv2.FONT_HERSHEY_DUPLEX, 3.0, 255, 9, cv2.LINE_AA)
    rows, columns = np.flatnonzero(image.max(axis=1)), np.flatnonzero(image.max(axis=0))
    cut = image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    rank = cv2.resize(cut, (20, 28), interpolation=cv2.INTER_AREA)
    shape = np.frombuffer(suit_shape(suit), dtype=np.uint8).reshape(20, 20)
    return Glyphs(
        np.asarray(rank / 255, dtype=np.float32),
        np.asarray(shape / 255, dtype=np.float32),
        np.array([{**usual, **figures}[name] for name in FIGURES], dtype=np.float32),
    )


@cache
def templates() -> Templates:
    return stored_templates()


RED = {"rank_red": 0.8, "suit_red": 0.8}


def test_shapes_drawn_plainly_are_told() -> None:
    assert templates().verdict(glyphs("C")).face == "8C"
    assert templates().verdict(glyphs("D", **RED)).face == "8D"


@pytest.mark.parametrize(
    ("suit", "figures", "why"),
    [
        ("C", RED, "red"),
        ("D", {}, "black"),
        ("D", {"rank_red": 0.8}, "suit printed black"),
        ("D", {"suit_red": 0.8}, "rank printed black"),
        ("C", {"rank_red": 0.33}, "unclear"),
        ("C", {"aside": 0.4}, "left of its suit"),
    ],
)
def test_a_right_shape_in_the_wrong_ink_or_place_is_refused(
    suit: str, figures: dict[str, float], why: str
) -> None:
    verdict = templates().verdict(glyphs(suit, **figures))
    assert verdict.face == ""
    assert why in verdict.why_not


def test_a_picture_without_colour_is_told_by_shape() -> None:
    assert templates().verdict(glyphs("D", coloured=0.0)).face == "8D"
    assert templates().verdict(glyphs("C", coloured=0.0)).face == "8C"


@pytest.mark.parametrize(
    ("figures", "colour"),
    [
        ({"suit_red": 0.8}, "red"),
        ({"suit_red": 0.1}, "black"),
        ({"suit_blue": 0.7}, "blue"),
        ({"suit_green": 0.5}, "green"),
        ({"suit_red": 0.33}, "unclear"),
        ({"suit_red": 0.8, "coloured": 0.0}, "grey"),
    ],
)
def test_the_colour_of_an_ink_is_named_or_called_unclear(
    figures: dict[str, float], colour: str
) -> None:
    assert ink_colour(glyphs("C", **figures), "suit") == colour


def test_half_a_suit_is_not_its_own_mirror_image() -> None:
    whole = glyphs("C")
    half = np.array(whole.suit)
    half[:, 12:] = 0
    assert mirrored(whole.suit) > 0.9
    assert mirrored(half) < 0.6
    assert templates().verdict(replace(whole, suit=half)).face == ""


def test_a_rank_or_suit_that_is_blank_is_refused() -> None:
    whole = glyphs("C")
    for blank in (
        replace(whole, rank=np.zeros_like(whole.rank)),
        replace(whole, suit=np.zeros_like(whole.suit)),
    ):
        assert templates().verdict(blank).face == ""


def test_the_limits_refuse_what_is_not_clear_enough() -> None:
    stored = read_stored()
    for limits in (
        Limits(rank_score=1.01),
        Limits(rank_margin=1.5),
        Limits(suit_score=1.01),
        Limits(suit_margin=1.5),
    ):
        strict = Templates(stored.ranks, stored.suits, limits, None)
        assert strict.verdict(glyphs("C")).face == ""


def test_the_stored_templates_know_every_rank_and_suit_and_what_is_none() -> None:
    stored = read_stored()
    assert set(stored.ranks.names) == {*"A23456789TJQK", NOTHING}
    assert set(stored.suits.names) == {*"SHDC", NOTHING}


def test_the_margin_is_over_the_best_of_any_other_label() -> None:
    space = Space(np.zeros(500, dtype=np.float32), np.eye(500, 8, dtype=np.float32))
    place = space.of(glyphs("C").suit)
    other = np.roll(place, 1)
    stencils = Stencils(space, np.array([place, other, place]), ("a", "b", "a"))
    match = stencils.match(glyphs("C").suit)
    assert match.label == "a"
    assert match.score == pytest.approx(1.0, abs=1e-5)
    assert match.margin == pytest.approx(1.0 - float(place @ other), abs=1e-5)


def test_templates_without_a_label_each_are_refused() -> None:
    space = Space(np.zeros(500, dtype=np.float32), np.eye(500, 8, dtype=np.float32))
    with pytest.raises(ValueError, match="as many labels"):
        Stencils(space, np.zeros((2, 8), dtype=np.float32), ("a",))


def test_what_is_measured_is_what_stands_there() -> None:
    patch, found = index_of(write(card(), "8/B", (30, 30, 200)))
    assert found is not None
    measured = measure(patch, found)
    assert measured.figure("rank_shape") == pytest.approx(found.rank.wide / found.rank.high)
    assert ink_colour(measured, "rank") == "red"
    assert measured.figure("coloured") == 1.0
