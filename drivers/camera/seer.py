"""What looks at a camera's pictures, as the process sees it: pictures in, events out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from drivers.camera.sight import Figures, Frame
from drivers.kinds.camera import CameraSpec
from drivers.protocols.camera_lines import Event


class Seer(Protocol):
    """Follows the cards through the pictures. Holds one camera's state; one thread calls it."""

    @property
    def figures(self) -> Figures | None:
        """Of the last picture; None before the first."""

    @property
    def empty(self) -> bool:
        """Whether nothing stood in the window in the last picture."""

    def frame(self, frame: Frame) -> tuple[Event, ...]:
        """The next picture, live and whole; some may have been left out before it."""

    def idle(self, now_ns: int) -> tuple[Event, ...]:
        """No picture came for a while."""

    def interrupted(self) -> tuple[Event, ...]:
        """Pictures are missing before the next one: whatever stands in it may have been there
        before, may have been told of, and is not told again. What was being followed is given up,
        and told if it had left the shoe and was not read.
        """


Maker = Callable[[CameraSpec], Seer]


def the_pipeline(spec: CameraSpec) -> Seer:
    """The one that reads cards. Raises ValueError for settings that do not fit."""
    from drivers.camera.pipeline import Pipeline

    return Pipeline(spec)
