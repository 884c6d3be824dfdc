"""What goes all the way past the window and is never known for anything: it was a card, it may be a
cut card as dark as the bed. No hand comes out of the shoe and leaves at the other end.
"""

from __future__ import annotations

from collections.abc import Sequence

from drivers.camera.presence import Presence
from drivers.camera.sight import Frame, Regions, Travel
from drivers.camera.tracks import Thing, Track

# So much of the picture across the way, so far along it, in so many frames.
_WIDE = 0.5
_FAR = 0.5
_FRAMES = 3
_SAME = 0.7


class Strangers:
    """Follows what is of no kind."""

    def __init__(self) -> None:
        self._row: Presence[Regions] = Presence()

    def watch(
        self, frame: Frame, things: Sequence[Thing[Regions]], travel: Travel, *, busy: bool
    ) -> bool:
        """Whether one has passed. `busy`: a card is in the window, and fingers ride along."""
        wide = [one for one in things if one.kind == "other" and _wide(one, frame, travel)]
        step = self._row.frame(frame.number, wide)
        for track in step.here:
            track.stale = track.stale or busy
        return any(
            how == "out"
            and track.came
            and track.drawn
            and not track.stale
            and track.moved > _FAR
            and track.seen >= _FRAMES
            for track, how in step.gone
        )

    def before(self, thing: Thing[Regions]) -> Track[Regions] | None:
        """Who came out of the shoe and is that thing, now that it is known for what it is."""
        for track in self._row.row:
            low = 0.0 if track.last.low_cut else track.last.low
            common = min(thing.high, track.last.high + max(track.shift, 0.0)) - max(thing.low, low)
            if track.came and not track.stale and common > _SAME * (thing.high - thing.low):
                return track
        return None

    def interrupted(self) -> None:
        """Pictures were missing."""
        self._row.interrupted()


def _wide(thing: Thing[Regions], frame: Frame, travel: Travel) -> bool:
    _, _, wide, high = thing.what[0].box
    along = travel in ("right", "left")
    return (high / frame.size[1] if along else wide / frame.size[0]) > _WIDE
