"""A glyph that something light lies across is no other glyph: its piece still stands beside it."""

from __future__ import annotations

import numpy as np
import pytest

from drivers.camera.cv import cv2
from drivers.camera.index.fragments import broken_off
from drivers.camera.index.locate import Box, Index, find_index
from drivers.camera.index.patch import OUT_MM, SCALE, Patch, unwarp
from drivers.camera.sight import Corner, Frame, Image
from hw_sim.camera.design import DESIGNS
from hw_sim.camera.faces import FACES, draw_face, index_of

PX_PER_MM = 10.0
AT = (40, 40)


def patch_of(card: Image) -> Patch:
    """The upper left corner of a card as it lies straight on a dark table, without colour."""
    image = np.full((600, 600, 3), 40, dtype=np.uint8)
    grey = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY)[:500, :500]
    image[AT[1] : AT[1] + 500, AT[0] : AT[0] + 500] = grey[:, :, None]
    corner = Corner(AT, (1.0, 0.0), (0.0, 1.0), 100.0, 100.0)
    patch = unwarp(Frame(0, image), corner, PX_PER_MM)
    assert patch is not None
    return patch


@pytest.mark.parametrize("face", FACES)
def test_a_whole_index_has_no_pieces(face: str) -> None:
    patch = patch_of(draw_face(DESIGNS["standard"], face, PX_PER_MM))
    assert find_index(patch) is not None


@pytest.mark.parametrize("rank", "A479TJK")
@pytest.mark.parametrize("share", [0.6, 0.7, 0.75])
def test_a_diamond_cut_across_is_no_index(rank: str, share: float) -> None:
    """Its upper part looks like a spade where there is no colour."""
    design = DESIGNS["standard"]
    card = draw_face(design, f"{rank}D", PX_PER_MM)
    x, y, wide, high = index_of(design, f"{rank}D").suit
    line = y + share * high
    ends = [(round(10 * (x + at)), round(10 * (line - 0.1 * at))) for at in (-2.0, wide + 2.0)]
    cv2.line(card, ends[0], ends[1], design.paper, 4)
    patch = patch_of(card)
    assert find_index(patch) is None


def test_what_reaches_out_of_the_index_is_another_thing() -> None:
    """A pip or a frame below it is none of its pieces."""
    ink = np.zeros((228, 108), dtype=np.uint8)
    out = int(OUT_MM * SCALE)
    rank, suit = Box(out + 6, out + 6, out + 30, out + 46), Box(out + 6, 70, out + 30, 94)
    for box in (rank, suit):
        ink[box.y : box.bottom, box.x : box.right] = 200
    index = Index(rank, suit, 1, 200.0, 200.0)
    assert not broken_off(ink, index)
    ink[98:104, out + 20 : out + 60] = 200
    assert not broken_off(ink, index)
    ink[98:104, out + 12 : out + 18] = 200
    assert broken_off(ink, index)
