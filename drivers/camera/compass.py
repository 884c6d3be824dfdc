"""Which way cards slide past the window, found out by watching them.

Each of the four ways is tried on what is seen: on the wrong ones cards jump, come in at the far end
or go backwards. The way that asks for the fewest wonders is the right one, once it is clearly so.
"""

from __future__ import annotations

from collections.abc import Sequence

from drivers.camera.cutcards import SOLID
from drivers.camera.cv import cv2
from drivers.camera.presence import Presence
from drivers.camera.sight import Region, Scene, Side, Travel
from drivers.camera.tracks import Kind, Thing

_LEVEL: tuple[Travel, Travel] = ("right", "left")
_UPRIGHT: tuple[Travel, Travel] = ("down", "up")
TRAVELS: tuple[Travel, ...] = _LEVEL + _UPRIGHT

# By how much the best way must be more likely than the next one.
_CLEARLY = 0.5
_SIDE_BY_SIDE = 0.6
# Two cards in single file, however askew, cover less of the same place than this share of one.
_SAME_PLACE = 0.05
_RIDES = 0.35
# Pieces side by side are rarer than single cards.
_PIECES = 0.1
_SOME_WAY = 0.3
# What lies in another thing's box with so much of its own may be a part of it.
_INSIDE = 0.7
_WHOLLY = 0.97
# Of a card that leans the last sliver narrows towards a corner: where its ends are tells no way.
_NARROW = 0.03
# Things move that much of all that they move, to and fro, along the way they go.
_ALONG = 0.5
_ENDS: dict[Travel, tuple[Side, Side]] = {
    "right": ("left", "right"),
    "left": ("right", "left"),
    "down": ("top", "bottom"),
    "up": ("bottom", "top"),
}


def placed(scene: Scene, travel: Travel) -> list[Thing[tuple[Region, ...]]]:
    """What stands in a scene as things on their way past the window, cards first. Cards go in
    single file: what lies side by side are pieces of one, with a finger or dark print between.
    """
    regions = [one for one in scene.regions if not _a_part(one, scene.regions)]
    cards = [region for region in regions if region.kind == "card"]
    others = [region for region in regions if region.kind != "card"]
    size = scene.frame.size
    things: list[Thing[tuple[Region, ...]]] = []
    for region in sorted(cards, key=lambda one: -one.box[2] * one.box[3]):
        piece = _placed(region, travel, size)
        apart = []
        for thing in things:
            if _one_card(thing, piece):
                piece = _both(thing, piece)
            else:
                apart.append(thing)
        things = [*apart, piece]
    rest = [_placed(region, travel, size) for region in others]
    # Beside a card there is no other thing in the file: a finger rides along.
    return things + [one for one in rest if one.kind == "other" or not _beside(one, things)]


def _beside(thing: Thing[tuple[Region, ...]], cards: Sequence[Thing[tuple[Region, ...]]]) -> bool:
    length = thing.high - thing.low
    return any(
        min(thing.high, card.high) - max(thing.low, card.low) > _RIDES * length for card in cards
    )


def _a_part(region: Region, all_of_them: Sequence[Region]) -> bool:
    """Whether it is but a part of another thing: a court's dark picture that the border cuts
    through, a lamp mirrored in a cut card. A card of its own shows a corner or reaches the border,
    and does not lie in another one's box with all of it.
    """
    if region.kind == "other":
        return False
    own = region.kind == "card" and bool(region.corners or region.touches)
    x, y, w, h = region.box
    for other in all_of_them:
        ox, oy, ow, oh = other.box
        if other.kind == "other" or ow * oh <= w * h:
            continue
        wide, high = min(x + w, ox + ow) - max(x, ox), min(y + h, oy + oh) - max(y, oy)
        # Of a dark card, in coloured light, the dark picture is a part too; of a cut card none is.
        dark = other.kind == "dark" and bool(region.touches)
        if dark and other.spread < SOLID:
            continue
        inside = _WHOLLY if own or dark else _INSIDE
        if wide > 0 and high > 0 and wide * high > inside * w * h:
            return True
    return False


def _placed(region: Region, travel: Travel, size: tuple[int, int]) -> Thing[tuple[Region, ...]]:
    x, y, w, h = region.box
    across, most = ((x, x + w), size[0]) if travel in ("right", "left") else ((y, y + h), size[1])
    low, high = across[0] / most, across[1] / most
    if travel in ("left", "up"):
        low, high = 1 - high, 1 - low
    start, end = _ENDS[travel]
    aside: Side = "top" if travel in ("right", "left") else "left"
    side = None if aside in region.touches else (y / size[1] if aside == "top" else x / size[0])
    kind: Kind = "cut" if region.kind == "dark" else region.kind
    cut = start in region.touches, end in region.touches
    return Thing(kind, low, high, *cut, (region,), side)


def _one_card(one: Thing[tuple[Region, ...]], other: Thing[tuple[Region, ...]]) -> bool:
    """Whether two pieces of paper lie so far beside each other that they are one card's."""
    common = min(one.high, other.high) - max(one.low, other.low)
    if common > _SIDE_BY_SIDE * min(one.high - one.low, other.high - other.low):
        return True
    return common > 0 and any(_cover(a, b) for a in one.what for b in other.what)


def _cover(one: Region, other: Region) -> bool:
    """Whether one place belongs to both, each taken as the smallest shape without hollows."""
    hulls = [cv2.convexHull(region.outline) for region in (one, other)]
    least = min(float(cv2.contourArea(hull)) for hull in hulls)
    shared, _ = cv2.intersectConvexConvex(hulls[0], hulls[1])
    return float(shared) > _SAME_PLACE * least > 0


def _across(thing: Thing[tuple[Region, ...]], travel: Travel, size: tuple[int, int]) -> float:
    """How wide a thing is across the way, as a share of the picture."""
    if travel in ("right", "left"):
        ends = [(y, y + h, size[1]) for _, y, _, h in (region.box for region in thing.what)]
    else:
        ends = [(x, x + w, size[0]) for x, _, w, _ in (region.box for region in thing.what)]
    return (max(high for _, high, _ in ends) - min(low for low, _, _ in ends)) / ends[0][2]


def _both(
    one: Thing[tuple[Region, ...]], other: Thing[tuple[Region, ...]]
) -> Thing[tuple[Region, ...]]:
    return Thing(
        one.kind,
        min(one.low, other.low),
        max(one.high, other.high),
        one.low_cut or other.low_cut,
        one.high_cut or other.high_cut,
        one.what + other.what,
    )


class Compass:
    """Watches scenes until it knows. `travel` is None before."""

    def __init__(self) -> None:
        self.travel: Travel | None = None
        self._rows: dict[Travel, Presence[tuple[Region, ...]]] = {
            travel: Presence() for travel in TRAVELS
        }
        self._went: dict[Travel, float] = dict.fromkeys(TRAVELS, 0.0)
        self._path: dict[Travel, float] = dict.fromkeys(TRAVELS, 0.0)

    def watch(self, scene: Scene) -> Travel | None:
        """Look at one frame more."""
        size = scene.frame.size
        for travel, row in self._rows.items():
            there = placed(scene, travel)
            # Where no paper is, what is dark and straight goes the cards' way: a cut card.
            things = [one for one in there if one.kind == "card"]
            things = things or [one for one in there if one.kind == "cut"]
            row.frame(scene.frame.number, things)
            self._went[travel] -= _PIECES * sum(len(thing.what) > 1 for thing in things)
            shifts = [
                track.shift
                for track in row.row
                if track.hidden == 0 and _across(track.last, travel, size) > _NARROW
            ]
            self._went[travel] += sum(shifts)
            self._path[travel] += sum(abs(shift) for shift in shifts)
        if self.travel is None:
            self.travel = self._told()
        return self.travel

    def best(self) -> Travel | None:
        """What it would say by now, clearly or not; None if nothing has moved."""
        return self._told(0.02)

    @property
    def moved(self) -> bool:
        """Whether anything has gone some way, whichever that was."""
        return max(self._went.values()) > _SOME_WAY

    def _told(self, clearly: float = _CLEARLY) -> Travel | None:
        unlikely = {travel: self._rows[travel].cost - self._went[travel] for travel in TRAVELS}
        first, second = sorted(TRAVELS, key=lambda travel: unlikely[travel])[:2]
        clear = unlikely[second] - unlikely[first] > clearly
        # A card that leans, drawn in and pushed back, moves a little across its way as well.
        across: tuple[Travel, Travel] = _UPRIGHT if first in _LEVEL else _LEVEL
        along = self._path[first] > _ALONG * min(self._path[way] for way in across)
        return first if clear and along and self._went[first] > 0.05 else None


def travel_of(scenes: Sequence[Scene]) -> Travel | None:
    """Which way the cards of a whole sequence slide, None if nothing moves."""
    compass = Compass()
    for scene in scenes:
        compass.watch(scene)
    # Known once, it does not change: a card pushed back goes the other way.
    return compass.travel or compass.best()
