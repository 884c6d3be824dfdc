"""Pictures in which nothing moves, as a single one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from drivers.camera.looker import Looker
from drivers.camera.sight import Scene
from drivers.camera.telling import Card, Teller
from drivers.protocols import camera_lines as lines


def still(
    scenes: Iterable[Scene], looker: Looker, teller: Teller, new: Callable[[], Card]
) -> list[lines.Event]:
    """What stands there is read if it is one thing alone. `new`: a card of which nothing is known
    yet.
    """
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
    if several > single and (card.witnesses.frames() or other.witnesses.frames()):
        # Which of them is drawn is not known, whichever could be read.
        return [teller.missed(card, "two_cards", "")]
    if not other.witnesses.frames():
        # Without a card's edges and without a code there is no card.
        there = card.shares or card.shots.best() or card.witnesses.codes
        return teller.told(card) if there else []
    if not card.witnesses.frames():
        return teller.told(other)
    return [teller.missed(card, "two_cards", "")]
