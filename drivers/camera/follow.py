"""Cards on their way past the window, one by one, for the camera's tools: each thing that passed is
handed over once, with what was made of the pictures in which it stood in front.

It follows as the reader of a table does and decides nothing about faces.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Generic, TypeVar

from drivers.camera.compass import Compass, placed
from drivers.camera.presence import Presence
from drivers.camera.scene import SceneFinder
from drivers.camera.sight import Frame, Region, Scene, Travel
from drivers.camera.tracks import Track

T = TypeVar("T")

_WAITING = 24
_QUIET = 5
# What was seen in fewer pictures, or came less far into them, was a gleam at the border.
_LEAST_SEEN = 2
_LEAST_WAY = 0.2


@dataclass(frozen=True)
class Passed(Generic[T]):
    """A card that is out of the window. `looks`: what was made of it, in order; `views`: in how
    many pictures it stood in front; `speed`: px a second, None if it was not seen to move; `out`:
    it left on the far side, else it was pushed back or lifted out.
    """

    looks: tuple[T, ...]
    views: int
    speed: float | None
    out: bool


@dataclass
class _Card(Generic[T]):
    looks: list[T] = field(default_factory=list)
    speeds: list[float] = field(default_factory=list)
    views: int = 0
    last_ns: int = 0


class Follower(Generic[T]):
    """`look` is asked for each piece of the card in front, in each picture. `travel` None: it is
    found out by watching.
    """

    def __init__(
        self, look: Callable[[Scene, Region], T | None], travel: Travel | None = None
    ) -> None:
        self._look = look
        self._scenes = SceneFinder()
        self._compass = Compass()
        self._waiting: deque[Scene] = deque(maxlen=_WAITING)
        self._row: Presence[tuple[Region, ...]] = Presence()
        self._cards: dict[int, _Card[T]] = {}
        self._told: set[int] = set()
        self._quiet = 0
        self.travel = travel
        self.scene: Scene | None = None

    def frame(self, frame: Frame) -> tuple[Passed[T], ...]:
        """The next picture: who has passed by it."""
        scene = self._scenes.find(frame)
        self.scene = scene
        self._quiet = 0 if scene.regions else self._quiet + 1
        if self._quiet >= _QUIET:
            self._scenes.learn(frame)
        if self.travel is not None:
            return tuple(self._step(scene))
        if scene.regions:
            self._waiting.append(scene)
        self.travel = self._compass.watch(scene)
        return tuple(self._through()) if self.travel is not None else ()

    def finish(self) -> tuple[Passed[T], ...]:
        """There are no more pictures: the card in front counts as passed. Where nothing has moved,
        one card alone in all pictures does.
        """
        passed: list[Passed[T]] = []
        if self.travel is None:
            self.travel = self._compass.best()
            if self.travel is None:
                return self._still()
            passed += self._through()
        row = self._row.finish()
        if row:
            one = self._passed(row[0], out=True)
            passed += [one] if one is not None else []
        return tuple(passed)

    def _through(self) -> list[Passed[T]]:
        waiting = tuple(self._waiting)
        self._waiting.clear()
        return [one for scene in waiting for one in self._step(scene)]

    def _still(self) -> tuple[Passed[T], ...]:
        card: _Card[T] = _Card()
        for scene in self._waiting:
            cards = [region for region in scene.regions if region.kind == "card"]
            if len(cards) == 1:
                self._see(card, scene, (cards[0],))
        return (Passed(tuple(card.looks), card.views, None, True),) if card.views else ()

    def _step(self, scene: Scene) -> list[Passed[T]]:
        assert self.travel is not None
        things = [thing for thing in placed(scene, self.travel) if thing.kind == "card"]
        number, extent = scene.frame.number, self._extent(scene)
        step = self._row.frame(number, things)
        # Whoever was handed over and is there again was only hidden.
        self._told &= self._row.may_return | {track.number for track in step.here}
        for track in step.here:
            if track.number in self._told:
                continue
            card = self._cards.setdefault(track.number, _Card())
            if track.last_frame != number:
                continue
            seconds = (scene.frame.at_ns - card.last_ns) / 1e9
            if track.seen > 1 and 0 < seconds < 0.5 and track.shift:
                card.speeds.append(track.shift * extent / seconds)
            card.last_ns = scene.frame.at_ns
            if track.alone and not track.stale:
                self._see(card, scene, track.last.what)
        gone = (self._passed(track, out=how == "out") for track, how in step.gone)
        return [one for one in gone if one is not None]

    def _see(self, card: _Card[T], scene: Scene, regions: tuple[Region, ...]) -> None:
        card.views += 1
        looks = (self._look(scene, region) for region in regions)
        card.looks += [look for look in looks if look is not None]

    def _passed(self, track: Track[tuple[Region, ...]], *, out: bool) -> Passed[T] | None:
        card = self._cards.pop(track.number, None)
        if card is None or track.seen < _LEAST_SEEN or track.furthest < _LEAST_WAY:
            return None
        self._told.add(track.number)
        moving = [speed for speed in card.speeds if speed > 0]
        speed = median(moving) if moving else None
        return Passed(tuple(card.looks), card.views, speed, out)

    def _extent(self, scene: Scene) -> int:
        wide, high = scene.frame.size
        return wide if self.travel in ("left", "right") else high
