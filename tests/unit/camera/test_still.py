"""Pictures in which nothing moves: one card alone is read."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from drivers.camera.keeper import Keeper
from drivers.camera.looker import Looker
from drivers.camera.sight import Corner, Figures, Frame, IndexLook, Region, Scene
from drivers.camera.still import still
from drivers.camera.telling import Card, Teller
from drivers.camera.verdict import Codes, Witnesses
from drivers.protocols import camera_lines as lines
from tests.support.camera_reads import BOTH, CODE

CORNER = Corner((5.0, 5.0), (1.0, 0.0), (0.0, 1.0), 60.0, 90.0)


class Reads:
    """Looks at a card and reads an index on the one that lies furthest left."""

    codes = None

    def look(self, card: Card, frame: Frame, regions: tuple[Region, ...]) -> None:
        card.shares.append(0.9)
        if regions[0].box[0] == 0:
            card.witnesses.add(frame.number, (), (IndexLook(CORNER, "4H"),))


def scene(number: int, *lefts: int) -> Scene:
    frame = Frame(number, np.zeros((48, 64, 3), np.uint8))
    points = np.zeros((4, 2), np.float32)
    cards = (Region("card", points, (CORNER,), frozenset(), box=(x, 0, 20, 40)) for x in lefts)
    return Scene(frame, tuple(cards), Figures(50, 10, 0))


@pytest.mark.parametrize("lefts", [(0, 30), (30, 0)])
def test_of_two_that_do_not_move_none_is_told_whichever_could_be_read(
    lefts: tuple[int, int],
) -> None:
    """Which of them is drawn is not known."""
    scenes = [scene(number, *lefts) for number in range(4)]
    (told,) = still(scenes, cast(Looker, Reads()), Teller(Keeper(None)), _new)
    assert isinstance(told, lines.Missed)
    assert told.reason == "two_cards"


def test_one_that_falls_in_two_for_a_picture_is_read() -> None:
    scenes = [scene(0, 0), scene(1, 0, 30), scene(2, 0), scene(3, 0)]
    (told,) = still(scenes, cast(Looker, Reads()), Teller(Keeper(None)), _new)
    assert isinstance(told, lines.Read)
    assert told.face == "4H"


def _new() -> Card:
    return Card(Witnesses(Codes((CODE,)), BOTH))
