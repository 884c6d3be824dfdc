"""A draw before a camera: what is in the window at each moment, and what the camera makes of it."""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hw_sim.camera.cv import Image, cv2
from hw_sim.camera.draws import Draw, Glitch, GlitchKind, Pass, Reach
from hw_sim.camera.hands import Drawn, draw_limbs
from hw_sim.camera.optics import mapped, speed_at
from hw_sim.camera.scene import Camera, Look, Placed, Thing, texture_px_per_mm
from hw_sim.camera.stock import Artwork, Print, Stock

_DARK = 0.004


@dataclass(frozen=True)
class Seen:
    """A pass as a frame shows it."""

    one: Pass
    placed: Placed


@dataclass(frozen=True)
class Shot:
    """A frame as rendered, before anything is wrong with camera or line; the passes that are in
    it, from the lowest up, and what covers them.
    """

    image: Image
    seen: list[Seen]
    covers: list[Drawn]


class Studio:
    """Cameras and textures, kept from draw to draw."""

    def __init__(self, artwork: Artwork | None = None, cameras: int = 4) -> None:
        self._artwork = artwork
        self._room = cameras
        self._cameras: OrderedDict[Look, Camera] = OrderedDict()
        self._stocks: dict[float, Stock] = {}

    def camera(self, look: Look) -> Camera:
        """The camera of a look."""
        if look not in self._cameras:
            self._cameras[look] = Camera(look)
            if len(self._cameras) > self._room:
                self._cameras.popitem(last=False)
        self._cameras.move_to_end(look)
        return self._cameras[look]

    def stock(self, look: Look) -> Stock:
        """The textures for a look."""
        resolution = texture_px_per_mm(look)
        if resolution not in self._stocks:
            self._stocks[resolution] = Stock(resolution, self._artwork)
        return self._stocks[resolution]


class Window:
    """One draw, seen by one camera."""

    def __init__(self, draw: Draw, studio: Studio, camera: Camera | None = None) -> None:
        self.draw = draw
        self._camera = camera or studio.camera(draw.look)
        self._stock = studio.stock(draw.look)
        self._drawn: dict[Reach, Drawn] = {}

    def shot(self, t: float, level: float = 1.0, other: Print | None = None) -> Shot:
        """What the camera sees at `t`. `other`: the card it is about has this print."""
        shown = [(one, *one.at(t)) for one in self._passes(other)]
        optics = self.draw.look.optics
        here = [
            (one, gone, speed) for one, gone, speed in shown if 0 < gone < one.track.way(optics)
        ]
        things = [
            Thing(
                self._stock.texture(one.print),
                one.track.pose(optics, gone, one.degrees),
                one.track.speed(speed),
                one.shadow,
            )
            for one, gone, speed in here
        ]
        covers = self._covers(t)
        image, placed = self._camera.frame(things, covers, level)
        seen = [Seen(one, where) for (one, _, _), where in zip(here, placed, strict=True)]
        return Shot(image, seen, covers)

    def _passes(self, other: Print | None) -> Sequence[Pass]:
        if other is None or not self.draw.passes:
            return self.draw.passes
        main = self.draw.card
        return [replace(one, print=other) if one is main else one for one in self.draw.passes]

    def _covers(self, t: float) -> list[Drawn]:
        covers, optics = [], self.draw.look.optics
        matrix = optics.matrix()
        for reach in self.draw.reaches:
            if not reach.from_s <= t <= reach.to_s:
                continue
            drawn = self._drawn.get(reach)
            if drawn is None:
                limbs = []
                for start, end, radius in reach.limbs:
                    p, q = mapped(matrix, np.array([start, end]))
                    limbs.append(((p[0], p[1]), (q[0], q[1]), radius * optics.px_per_mm))
                drawn = self._drawn[reach] = draw_limbs(limbs, reach.tone, reach.seed)
            vx, vy = speed_at(matrix, (0.0, 0.0), reach.speed)
            at = (drawn.at[0] + round(vx * t), drawn.at[1] + round(vy * t))
            covers.append(Drawn(drawn.picture, at))
        return covers


@dataclass(frozen=True)
class Taken:
    """A frame that comes out of the camera. `wrong`: the glitch that spoilt it, if any; `above`:
    the share of it that is of this moment; `shot`: what it was rendered from, if it was.
    """

    image: Image
    shot: Shot | None
    wrong: str = ""
    above: float = 1.0
    damaged: bool = False


Render = Callable[[float, "Print | None"], Shot]


class Glitches:
    """What is wrong with the camera from frame to frame."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._last: Image | None = None
        self._last_t = -1e9

    def forget(self) -> None:
        """No frame came of here lately: a frozen picture would be another one."""
        self._last = None

    def take(self, t: float, glitches: Sequence[Glitch], render: Render) -> Taken | None:
        """The frame of time `t`, or None when none comes."""
        now = {glitch.kind: glitch for glitch in glitches if glitch.from_s <= t < glitch.to_s}
        if {"stall", "blocked", "gone"} & now.keys():
            return None
        if "slow" in now and t - self._last_t < 1 / now["slow"].fps - 1e-3:
            return None
        taken = self._taken(t, now, render)
        self._last, self._last_t = taken.image, t
        return taken

    def _taken(self, t: float, now: dict[GlitchKind, Glitch], render: Render) -> Taken:
        if "frozen" in now and self._last is not None:
            return Taken(self._last, None, "frozen", 0.0)
        if "black" in now:
            return Taken(render(_DARK, None).image, None, "black", 0.0)
        if "warm_up" in now:
            glitch = now["warm_up"]
            share = (t - glitch.from_s) / (glitch.to_s - glitch.from_s)
            level = _DARK if share < 0.4 else 0.05 + 0.5 * (share - 0.4)
            shot = render(level, None)
            return Taken(shot.image, shot if level > 0.3 else None, "warm_up", float(level > 0.3))
        if "torn" in now:
            return _torn(now["torn"], render)
        shot = render(1.0, None)
        if "damaged" in now and self._rng.random() < now["damaged"].share:
            return Taken(shot.image, shot, "damaged", 0.0, damaged=True)
        return Taken(shot.image, shot)


def _torn(glitch: Glitch, render: Render) -> Taken:
    shot = render(1.0, None)
    image = shot.image.copy()
    row = int(image.shape[0] * glitch.share)
    image[row:] = 128 if glitch.other is None else render(1.0, glitch.other).image[row:]
    return Taken(image, shot, "torn", glitch.share)


def encode(image: Image, quality: int) -> bytes:
    """As JPEG."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


def damage(jpeg: bytes, rng: random.Random) -> bytes:
    """A JPEG hurt on the way: bytes overwritten in its middle, or its end lost."""
    start = min(len(jpeg) - 1, 700)
    if rng.random() < 0.5:
        return jpeg[: rng.randrange(start, len(jpeg))]
    out = bytearray(jpeg)
    at = rng.randrange(start, len(jpeg))
    for k in range(at, min(len(jpeg) - 2, at + rng.randint(4, 60))):
        out[k] = rng.randrange(255)
    return bytes(out)


def decode(jpeg: bytes) -> Image | None:
    """A JPEG as a picture, or None for one that cannot be read."""
    picture = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
    return None if picture is None else np.asarray(picture, dtype=np.uint8)
