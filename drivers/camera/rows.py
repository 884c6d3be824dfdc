"""Which things of a frame are cards and which are not, as far as their tracks know better.

Cards and things without paper's white are followed in a row each. A card's look may change from
frame to frame: of a sliver no white is seen, and a court's picture has little. Once a card, always
a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from drivers.camera.tracks import Thing, Track

T = TypeVar("T")

# So much of the shorter one of a thing's two places in two frames lies in the other.
_SAME_PLACE = 0.6
# What was of no kind goes on as a thing only if it is where that was expected, about as large.
_SAME_SIZE = 0.75
_SEEN_FRAMES = 2
_FIRST_STEP = 0.4
_FAST = 0.25
_UNSTEADY = 0.1


@dataclass(frozen=True)
class Parted(Generic[T]):
    """A frame's cards and its dark things; `shown`: dark ones that have shown to be cards."""

    cards: list[Thing[T]]
    darks: list[Thing[T]]
    shown: list[Track[T]]


def parted(
    things: Sequence[Thing[T]], cards: Sequence[Track[T]], darks: Sequence[Track[T]]
) -> Parted[T]:
    """`cards`, `darks`: who was there in the frame before."""
    white = [one for one in things if one.kind == "card"]
    dark = [one for one in things if one.kind == "cut"]
    alone = [one for one in cards if not any(_goes_on(one, thing) for thing in white)]
    for thing in [one for one in dark if _any_goes_on(alone, one)]:
        if not _any_goes_on(darks, thing):
            dark.remove(thing)
            white.append(replace(thing, kind="card"))
    new = [one for one in white if not _any_goes_on(cards, one)]
    shown = [
        track
        for track in darks
        if any(_goes_on(track, one) for one in new)
        and not any(_goes_on(track, one) and _no_later(track, one) for one in dark)
    ]
    rest = [one for one in things if one.kind == "other"]
    for track in cards:
        # A hand that lies over a card is none; but nothing is held at that speed.
        if track.shift > _FAST and not any(_goes_on(track, one) for one in white):
            found = next((one for one in rest if _alike(track, one)), None)
            white += [replace(found, kind="card")] if found is not None else []
    for track in darks:
        if track not in shown and not any(_goes_on(track, one) for one in dark):
            found = next((one for one in rest if _alike(track, one)), None)
            dark += [replace(found, kind="cut")] if found is not None else []
    return Parted(white, dark, shown)


def _any_goes_on(row: Sequence[Track[T]], thing: Thing[T]) -> bool:
    return any(_goes_on(track, thing) for track in row)


def _goes_on(track: Track[T], thing: Thing[T]) -> bool:
    if track.hidden > _SEEN_FRAMES:
        return False
    low, high = _expected(track)
    common = min(high, thing.high) - max(low, thing.low)
    return common > _SAME_PLACE * max(0.01, min(high - low, thing.high - thing.low))


def _no_later(track: Track[T], thing: Thing[T]) -> bool:
    """Whether its front is not behind the track's: it is not the next one, coming in."""
    return thing.high > track.last.high - _UNSTEADY


def _alike(track: Track[T], thing: Thing[T]) -> bool:
    if track.seen == 1 and track.last.low_cut and thing.low_cut:
        # It was seen to come in, and no more: how fast is not known.
        return 0 < thing.high - track.last.high < _FIRST_STEP
    low, high = _expected(track)
    if track.last.low_cut:
        # Its end comes into the picture somewhere here.
        low = min(max(low, thing.low), 1.5 * max(track.shift, 0.0) + 0.1)
    common = min(high, thing.high) - max(low, thing.low)
    return common > _SAME_SIZE * max(high - low, thing.high - thing.low, 0.01)


def _expected(track: Track[T]) -> tuple[float, float]:
    last, steps = track.last, track.shift * (1 + track.hidden)
    low = 0.0 if last.low_cut else min(1.0, last.low + steps)
    return low, min(1.0, last.high + steps)
