"""Pictures in which nothing moves, as a single one; and whether anything does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from drivers.camera.looker import Looker
from drivers.camera.sight import Scene
from drivers.camera.telling import Card, Teller
from drivers.protocols import camera_lines as lines

# So much of the picture.
_SOME_WAY = 0.3


def still(
    scenes: Iterable[Scene], looker: Looker, teller: Teller, new: Callable[[], Card]
) -> list[lines.Event]:
    """What stands there is read if it is one thing alone. `new`: a card of which nothing is known
    yet.
    """
    scenes = tuple(scenes)
    card, other = new(), new()
    single = several = 0
    for scene in scenes:
        cards = [region for region in scene.regions if region.kind == "card"]
        card.frame_ns = scene.frame.at_ns
        if cards:
            looker.look(card, scene.frame, tuple(cards[:1]))
        elif looker.codes is not None:
            # Of a code alone no card's edges are seen.
            card.witnesses.add(scene.frame.number, looker.codes.look(scene.frame))
        single, several = single + (len(cards) == 1), several + (len(cards) > 1)
        if len(cards) > 1:
            looker.look(other, scene.frame, tuple(cards[1:]))
    moved = several > 0 and changed(scenes)
    if (several > single or moved) and (card.witnesses.frames() or other.witnesses.frames()):
        # Which of them is drawn is not known, whichever could be read.
        return [teller.missed(card, "two_cards", "")]
    if not other.witnesses.frames():
        # Without a card's edges and without a code there is no card.
        there = card.shares or card.shots.best() or card.witnesses.codes
        return teller.told(card) if there else []
    if not card.witnesses.frames():
        return teller.told(other)
    return [teller.missed(card, "two_cards", "")]


def changed(scenes: Sequence[Scene]) -> bool:
    """Whether what stands in them is now here and now there: too fast for its ends to be followed,
    it was not still all the same.
    """
    return any(_apart(one, other) > _SOME_WAY for one, other in pairwise(scenes))


def _apart(one: Scene, other: Scene) -> float:
    """By how much a side of the largest thing is elsewhere, as a share of the picture."""
    boxes: list[tuple[int, int, int, int]] = []
    for scene in (one, other):
        things = [region for region in scene.regions if region.kind != "other"]
        if not things:
            return 0.0
        x, y, wide, high = max(things, key=lambda region: region.box[2] * region.box[3]).box
        boxes.append((x, y, x + wide, y + high))
    width, height = one.frame.size
    sides = [abs(a - b) for a, b in zip(boxes[0], boxes[1], strict=True)]
    return max(max(sides[0], sides[2]) / width, max(sides[1], sides[3]) / height)
