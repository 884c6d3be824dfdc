"""Whether what has passed the window was a card, and of which sort."""

from __future__ import annotations

from statistics import median

from drivers.camera.sight import Regions
from drivers.camera.telling import Card
from drivers.camera.tracks import Track

# Frames in which a thing without paper is seen before it is one.
DARK_FRAMES = 3
# Shares of the picture along the way.
ON_ITS_WAY = 0.1
ALL_THE_WAY = 0.5
_FAR = 0.8
_SLIVER = 0.05
_FILLED = 0.97
_PIECES = 3
_BACK = 0.42


def counts(track: Track[Regions], card: Card, *, dark: bool, hand: bool) -> bool:
    """Whether it was something, and came out, and not a gleam at the border. `hand`: one is, or was
    a moment ago, in the window.
    """
    if card.witnesses.frames() or card.doubted or track.stale:
        return True
    if dark:
        # A sleeve has straight edges as well; but no hand goes a card's way from end to end.
        way = track.moved > ON_ITS_WAY and not hand
        way = (way and track.seen >= DARK_FRAMES) or track.moved > ALL_THE_WAY
        far = track.furthest > _FAR and track.seen > 1
        return track.came and (far or (way and track.out))
    # A hand comes from the table's side, or from nowhere, and goes again.
    if not track.came:
        # Under a hand nobody sees where paper comes from.
        pieces = track.kinds.get("card", 0) >= _PIECES or track.moved > ALL_THE_WAY
        return hand and pieces
    if hand and track.moved < ON_ITS_WAY:
        # What filled the window under it may have been a card all the same.
        return track.furthest > _FILLED and track.seen > 1
    length = track.furthest - min(track.last.low, track.furthest)
    return (track.seen > 1 or length > 4 * _SLIVER) and track.furthest > 4 * _SLIVER


def against(track: Track[Regions]) -> bool:
    """Whether it went all the way against the others: no card goes into the shoe like that."""
    return not track.came and track.moved < -ALL_THE_WAY


def is_back(card: Card) -> bool:
    """A back has less paper than any face."""
    return bool(card.shares) and median(card.shares) < _BACK
