"""Where something like a code stands, and the way back from a piece's pixels to the frame's."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from drivers.camera.codes.texture import lean, patches, shrink_for
from drivers.camera.codes.window import card_angle, of_region, upright, whole
from drivers.camera.cv import cv2
from drivers.camera.sight import Image, Points, Region
from tests.support.symbols import Shot, card_region, shoot, symbol_quad

SHOT = Shot(module_mm=0.35, px_per_mm=8.0, noise=4, defocus_px=0.6)
SHRINK = shrink_for(640, 8.0)


def corners(*points: tuple[float, float]) -> Points:
    return np.array(points, dtype=np.float32)


@pytest.mark.parametrize("angle", [0, 10, 25, 45, 80, 90, -30, -65])
def test_bars_are_found_with_their_direction_however_they_lie(angle: float) -> None:
    shot = replace(SHOT, angle=angle)
    frame = shoot("KH07B", "code128", shot)
    (patch,) = (one for one in patches(frame.grey, SHRINK) if one.bars)
    quad = symbol_quad("KH07B", "code128", shot)
    assert np.hypot(*(np.array(patch.centre) - quad.mean(axis=0))) < 15
    turned = math.degrees(patch.angle) - angle
    assert abs((turned + 90) % 180 - 90) < 3
    length = float(np.hypot(*(quad[1] - quad[0])))
    assert 0.9 * length < patch.size[0] < 1.3 * length


@pytest.mark.parametrize("symbology", ["qr", "datamatrix"])
@pytest.mark.parametrize("angle", [0, 20, 45])
def test_a_square_symbol_is_a_chequered_patch(symbology: str, angle: float) -> None:
    shot = replace(SHOT, module_mm=0.6, angle=angle)
    found = patches(shoot("KH07B", symbology, shot).grey, SHRINK)
    middle = symbol_quad("KH07B", symbology, shot).mean(axis=0)
    assert not any(patch.bars for patch in found)
    assert any(np.hypot(*(np.array(patch.centre) - middle)) < 15 for patch in found)


def blank_card() -> Image:
    image = np.full((480, 640), 40, dtype=np.uint8)
    cv2.fillConvexPoly(image, np.array([[120, 60], [520, 90], [490, 460], [90, 430]]), 230)
    return image


def lined_card() -> Image:
    image = blank_card()
    cv2.line(image, (150, 120), (480, 140), 30, 3)
    cv2.circle(image, (300, 280), 60, 30, -1)
    return image


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((480, 640), dtype=np.uint8),
        blank_card(),
        lined_card(),
        np.random.default_rng(1).normal(128, 30, (480, 640)).clip(0, 255).astype(np.uint8),
        np.zeros((10, 10), dtype=np.uint8),
        np.zeros((1, 900), dtype=np.uint8),
    ],
)
def test_edges_lines_and_noise_are_no_bars(picture: Image) -> None:
    assert not [patch for patch in patches(picture, SHRINK) if patch.bars]


def test_the_scale_of_the_search_follows_the_cards_scale_or_the_frames_width() -> None:
    assert [shrink_for(640, None), shrink_for(1280, None), shrink_for(200, None)] == [2, 4, 1]
    assert [shrink_for(1280, 5.0), shrink_for(1280, 18.0), shrink_for(640, 2.0)] == [1, 4, 1]


@pytest.mark.parametrize("degrees", [-4.0, -1.0, 0.0, 2.5])
def test_the_lean_of_bars_is_known_to_a_quarter_of_a_degree(degrees: float) -> None:
    shot = replace(SHOT, angle=degrees)
    quad = symbol_quad("KH07B", "code128", shot)
    x, y = quad.mean(axis=0).astype(int)
    inner = shoot("KH07B", "code128", shot).grey[y - 8 : y + 8, x - 80 : x + 80]
    assert math.degrees(lean(inner)) == pytest.approx(degrees, abs=0.3)


@pytest.mark.parametrize("angle", [0.0, 0.4, -1.2])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_points_of_a_piece_of_a_piece_are_led_back_to_the_frame(angle: float, scale: float) -> None:
    image = np.full((480, 640), 200, dtype=np.uint8)
    cv2.circle(image, (300, 200), 4, 0, -1)
    first = whole(image).padded().piece((330, 230), 0.3, (200, 160))
    piece = first.piece((100, 80), angle, (120, 90), scale)
    y, x = np.nonzero(piece.grey < 100)
    (back,) = piece.to_frame(corners((float(x.mean()), float(y.mean()))))
    assert back == pytest.approx((300, 200), abs=0.7)


def test_a_cards_angle_comes_from_its_corners_or_else_from_its_longest_edge() -> None:
    for degrees in (-40.0, -12.0, 0.0, 30.0):
        region = card_region(replace(SHOT, angle=degrees, px_per_mm=4.0))
        for seen in (region, replace(region, corners=())):
            angle = card_angle(seen)
            assert angle is not None
            assert math.degrees(angle) == pytest.approx(degrees, abs=1)


def test_a_card_of_which_no_edge_is_seen_has_no_angle() -> None:
    only_the_frame = corners((0, 0), (639, 0), (639, 479), (0, 479))
    cut = Region(
        "card", only_the_frame, (), frozenset({"left", "right", "top", "bottom"}),
        box=(0, 0, 640, 480),
    )  # fmt: skip
    assert card_angle(cut) is None


def test_a_straight_card_is_not_turned_and_a_tilted_one_is() -> None:
    straight, tilted = replace(SHOT, angle=3, px_per_mm=4.0), replace(SHOT, angle=20, px_per_mm=4.0)
    for shot, turned in ((straight, False), (tilted, True)):
        region = card_region(shot)
        window = of_region(shoot("KH07B", "code128", shot).grey, region)
        assert (upright(window, region) is not window) == turned


def test_around_a_window_there_is_paper() -> None:
    image = shoot("KH07B", "code128", SHOT).grey
    padded = whole(image).padded()
    assert padded.grey.shape == (496, 656)
    assert int(padded.grey[0, 0]) == pytest.approx(232, abs=8)
    assert padded.to_frame(corners((8, 8)))[0] == pytest.approx((0, 0))
