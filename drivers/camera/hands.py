"""A hand in the window: something that is no card reaches in from a side; and what stays there."""

from __future__ import annotations

import numpy as np

from drivers.camera.sight import Image, Scene
from drivers.protocols import camera_lines as lines

# As large as this share of the picture, and in so many frames.
_LEAST = 0.02
_FRAMES = 3
_FINGERS = 3
# No hand keeps so still (grey levels, on average) for so long.
_STILL = 3.0
_REST_NS = 10_000_000_000


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


class Rest:
    """Tells when something that is no card has stood in the window, unmoved, for long."""

    def __init__(self) -> None:
        self._since_ns = 0
        self._first: Image | None = None

    def lasts(self, scene: Scene) -> bool:
        """One frame more."""
        there = bool(scene.regions) and all(one.kind == "other" for one in scene.regions)
        few = scene.frame.image[::16, ::16]
        if not there:
            self._first = None
        elif self._first is None or self._moved(few):
            self._first, self._since_ns = few.copy(), scene.frame.at_ns
        elif scene.frame.at_ns - self._since_ns >= _REST_NS:
            self._first = None
            return True
        return False

    def _moved(self, few: Image) -> bool:
        assert self._first is not None
        if few.shape != self._first.shape:
            return True
        apart = np.abs(few.astype(np.int16) - self._first)
        return float(apart.mean()) > _STILL
