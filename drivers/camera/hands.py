"""A hand in the window: something that is no card reaches in from a side."""

from __future__ import annotations

from drivers.camera.sight import Scene
from drivers.protocols import camera_lines as lines

# As large as this share of the picture, and in so many frames.
_LEAST = 0.02
_FRAMES = 3
_FINGERS = 3


class Hands:
    """Tells when a hand comes and when it has gone."""

    def __init__(self) -> None:
        self._seen = 0
        self._told = False

    @property
    def present(self) -> bool:
        """Whether one is in the picture, or was a moment ago."""
        return self._seen > 0

    def watch(self, scene: Scene) -> list[lines.Event]:
        """One frame more."""
        width, height = scene.frame.size
        others = [one for one in scene.regions if one.kind == "other" and one.touches]
        large = any(one.box[2] * one.box[3] > _LEAST * width * height for one in others)
        # Fingers side by side have edges as straight as cards.
        large = large or sum(region.kind != "card" for region in scene.regions) >= _FINGERS
        self._seen = max(0, min(self._seen + (1 if large else -1), _FRAMES))
        at_ns = scene.frame.at_ns
        if self._seen == _FRAMES and not self._told:
            self._told = True
            return [lines.Presence(edge="hand", at_ns=at_ns)]
        if self._seen == 0 and self._told:
            self._told = False
            return [lines.Presence(edge="hand_gone", at_ns=at_ns)]
        return []
