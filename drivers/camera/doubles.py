"""Two cards that lie on each other, the lower one's end looking out behind the upper one.

Their paper is one thing in the picture, whose corner is the LOWER card's, and it is the upper one
that is drawn. What gives them away is the upper card's own index, further on along the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from drivers.camera.sight import Corner, Frame, IndexLook, Point, Region, Travel

# Where the upper card's index may be, from the lower one's, mm. Nearer than that the lower one's is
# half covered and is not read.
_FROM_MM, _TO_MM, _STEP_MM = 9.0, 33.0, 3.0
_WINDOW_MM = 70.0
_WAYS: dict[Travel, Point] = {
    "right": (1.0, 0.0),
    "left": (-1.0, 0.0),
    "down": (0.0, 1.0),
    "up": (0.0, -1.0),
}


class Looks(Protocol):
    """Reads indices: `drivers.camera.index.reader.IndexReader`."""

    def look(self, frame: Frame, region: Region) -> tuple[IndexLook, ...]:
        """One look for each corner that could hold an index."""

    def look_at(self, frame: Frame, corner: Corner, px_per_mm: float | None) -> IndexLook:
        """What one corner shows."""


@dataclass(frozen=True)
class View:
    """Where an index was read: its frame, the look, and the scale if it is known."""

    frame: Frame
    look: IndexLook
    px_per_mm: float | None

    @property
    def corner(self) -> Corner:
        """The card's corner there."""
        return self.look.corner


def another_index(reader: Looks, view: View, travel: Travel) -> bool:
    """Whether one more index the same way up stands before that one on the cards' way."""
    scale = view.px_per_mm or view.frame.size[0] / _WINDOW_MM
    return any(
        reader.look_at(view.frame, corner, scale).face for corner in _along(view, travel, scale)
    )


def _along(view: View, travel: Travel, scale: float) -> Iterator[Corner]:
    way = _WAYS[travel]
    axes = (view.corner.x_axis, view.corner.y_axis)
    axis = max(axes, key=lambda one: abs(one[0] * way[0] + one[1] * way[1]))
    sign = 1.0 if axis[0] * way[0] + axis[1] * way[1] > 0 else -1.0
    mm = _FROM_MM
    while mm <= _TO_MM:
        x = view.corner.at[0] + sign * axis[0] * mm * scale
        y = view.corner.at[1] + sign * axis[1] * mm * scale
        yield replace(view.corner, at=(x, y))
        mm += _STEP_MM
