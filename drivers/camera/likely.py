"""How unlikely it is that one thing is another one a frame later, that it has come in or has left.

Costs without a unit, to be added up: the way with the least is believed.
"""

from __future__ import annotations

from drivers.camera.tracks import (
    HASTE,
    HASTY,
    NEAR_START,
    PEEPING,
    STEADY,
    UNSTEADY,
    T,
    Thing,
    Track,
)

# No card goes further between two frames than this share of the picture, unless it was as hasty.
_FURTHEST = 0.85
# Coming in and leaving are rarer than going on.
CHANGE = 0.3


def shift_of(before: Thing[T], now: Thing[T]) -> float | None:
    """How far it went forward, by the ends that are seen in both frames; None if none is."""
    shifts = []
    if not (before.low_cut or now.low_cut):
        shifts.append(now.low - before.low)
    if not (before.high_cut or now.high_cut):
        shifts.append(now.high - before.high)
    if shifts:
        # An end that stands still while the other one moves is cut off by something in the way.
        return max(shifts, key=abs)
    if before.low_cut and not now.low_cut and now.high_cut:
        return max(now.low, STEADY)
    if before.high_cut and not now.high_cut:
        # Its front had gone out of the picture and came back in: by at least so much.
        return -max(1 - now.high, before.low)
    return None


def cost_of(track: Track[T], thing: Thing[T]) -> float | None:
    """How unlikely it is that this is the same thing a frame later; None if it cannot be."""
    before = track.last
    furthest = max(_FURTHEST, HASTY * track.fastest)
    if thing.low - before.high > furthest:
        return None
    shift = shift_of(before, thing)
    if shift is None:
        return 0.1 + _sideways(before, thing)
    if abs(shift) > furthest or shift < -0.5:
        return None
    otherwise = 0.3 if before.kind != thing.kind else 0.0
    speed = 0.5 * abs(shift - track.shift)
    return speed + _backwards(shift) + otherwise + _sideways(before, thing)


def _backwards(shift: float) -> float:
    """How unlikely it is to go back, a little or much."""
    if shift > -2 * STEADY:
        return 0.0
    return CHANGE if shift > -UNSTEADY else 0.8


def _sideways(before: Thing[T], now: Thing[T]) -> float:
    """What goes across the way does not go the way."""
    if before.side is None or now.side is None or (before.low_cut and before.high < PEEPING):
        # Of one that leans, a corner comes in first.
        return 0.0
    return 2.0 * max(0.0, abs(now.side - before.side) - STEADY)


def leaving(track: Track[T], velocity: float) -> float:
    """How unlikely it is that it has left the window at its front since the last frame."""
    needed = 1.0 - track.last.low
    if not (track.last.high_cut or needed < _FURTHEST):
        return 3.0
    near = track.last.high_cut and track.last.low > 0.5
    unlikely = CHANGE if near else CHANGE + 0.1
    return unlikely + HASTE * max(0.0, needed - max(velocity, track.shift, 0.0))


def entering(thing: Thing[T]) -> float:
    """How unlikely it is that it has come in since the last frame."""
    return CHANGE if thing.low_cut else CHANGE + 0.1 + 0.4 * max(0.0, thing.low)


def at_start(track: Track[T]) -> bool:
    """Whether it stood so close to where things come in that it is gone, not hidden."""
    return track.last.high < NEAR_START / 2
