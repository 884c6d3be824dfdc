"""One frame: what is in the window, seen by the camera, as its sensor gives it.

In this order: the bed, cards from the lowest to the uppermost (each with its own motion blur and
the slant of a rolling shutter), hands, defocus, light, glare, noise. A frame of 640 x 480 takes
some 8 ms on one core.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from hw_sim.camera.backs import empty_window
from hw_sim.camera.cv import Image, Matrix, Plane, cv2
from hw_sim.camera.design import rng_of
from hw_sim.camera.hands import Drawn
from hw_sim.camera.optics import Optics, mapped, quad_of, rolling, speed_at
from hw_sim.camera.stock import Texture

_PAD = 80
_LADDER = (5.0, 6.0, 7.0, 8.5, 10.0, 12.0, 14.0, 17.0, 20.0, 24.0)
_ONE = np.ones(1, dtype=np.float32)


@dataclass(frozen=True)
class Light:
    """`level`: how bright, 1: white paper is just not burnt out. `slope`: its change from left to
    right and from top to bottom, as a share. `tint`: B, G, R. `fall`: how much darker the corners
    are. `glare`: spots x, y (shares of the picture), radius (share of its width), strength 0-255.
    """

    level: float = 0.9
    slope: tuple[float, float] = (0.0, 0.0)
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    fall: float = 0.1
    glare: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True)
class Sensor:
    """`fps`, exposure and the time the shutter takes down the picture, seconds; `defocus`: sigma in
    px; `shot`: variance a grey level, `read`: sigma of the noise of the dark; `mono`: no colour;
    `dust`: specks on the window.
    """

    fps: float = 60.0
    exposure_s: float = 0.0004
    readout_s: float = 0.004
    defocus: float = 0.7
    shot: float = 0.4
    read: float = 1.8
    mono: bool = False
    dust: int = 0
    quality: int = 90


@dataclass(frozen=True)
class Look:
    """How the window looks to the camera, whatever is in it."""

    optics: Optics = field(default_factory=Optics)
    light: Light = field(default_factory=Light)
    sensor: Sensor = field(default_factory=Sensor)
    seed: int = 0


@dataclass(frozen=True)
class Thing:
    """A thing of a card's size in the window at one moment: card to window plane, and mm/s."""

    texture: Texture
    pose: Matrix
    speed: tuple[float, float] = (0.0, 0.0)
    shadow: bool = False


@dataclass(frozen=True)
class Placed:
    """Where it came to be: mm of the card to px of the frame, and how far it was smeared, px."""

    matrix: Matrix
    blur_px: float


class Camera:
    """Renders frames of one look. The same calls give the same frames."""

    def __init__(self, look: Look) -> None:
        self.look = look
        optics, light, sensor = look.optics, look.light, look.sensor
        self.bed = empty_window(optics.size, optics.px_per_mm, look.seed)
        self._to_picture = optics.matrix()
        self._lit = _light_map(optics.size, light)
        self._glare = _glare_map(optics.size, light)
        self._dust = _dust_map(optics.size, sensor.dust, look.seed) if sensor.dust else None
        self._noise = _noise_bank(optics.size, look.seed % 4)
        grey = np.arange(256, dtype=np.float32)
        sigma = np.sqrt(sensor.shot * grey + sensor.read**2).astype(np.float32)
        sigma[255] *= 0.25
        self._sigma = sigma
        self._rng = rng_of("noise", look.seed)

    def relit(self, light: Light) -> None:
        """Another light from now on."""
        self.look = replace(self.look, light=light)
        self._lit = _light_map(self.look.optics.size, light)
        self._glare = _glare_map(self.look.optics.size, light)

    def place(self, thing: Thing) -> Placed:
        """Where a thing is in a frame."""
        sensor, optics = self.look.sensor, self.look.optics
        middle = mapped(thing.pose, np.array([(31.5, 44.0)]))[0]
        speed = speed_at(self._to_picture, (float(middle[0]), float(middle[1])), thing.speed)
        shutter = rolling(speed, sensor.readout_s, optics.size[1])
        whole = shutter @ self._to_picture @ thing.pose
        return Placed(whole / whole[2, 2], math.hypot(*speed) * sensor.exposure_s)

    def frame(
        self, things: Sequence[Thing], covers: Sequence[Drawn] = (), level: float = 1.0
    ) -> tuple[Image, list[Placed]]:
        """The frame, and where the things are in it. `level`: the light's, in shares of the
        look's.
        """
        canvas = self.bed.copy()
        where = [self.place(thing) for thing in things]
        shine = np.zeros(canvas.shape[:2], dtype=np.uint8) if self._glare is not None else None
        for thing, placed in zip(things, where, strict=True):
            self._lay(canvas, thing, placed, shine)
        for cover in covers:
            self._cover(canvas, cover)
        return self._exposed(canvas, shine, level), where

    # --- cards and hands --------------------------------------------------------------------

    def _lay(self, canvas: Image, thing: Thing, placed: Placed, shine: Image | None) -> None:
        width, height = self.look.optics.size
        corners, reach = quad_of(placed.matrix), placed.blur_px / 2 + 2
        low = np.floor(corners.min(axis=0) - reach).astype(int)
        high = np.ceil(corners.max(axis=0) + reach).astype(int) + 1
        x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(width, high[0]), min(height, high[1])
        if x1 <= x0 or y1 <= y0:
            return
        shrink = np.diag([1 / thing.texture.px_per_mm, 1 / thing.texture.px_per_mm, 1.0])
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        moved = np.array([[1, 0, -x0 - 0.5], [0, 1, -y0 - 0.5], [0, 0, 1]])
        matrix = moved @ placed.matrix @ shrink @ half
        size = (int(x1 - x0), int(y1 - y0))
        laid = np.asarray(cv2.warpPerspective(thing.texture.picture, matrix, size), dtype=np.uint8)
        if placed.blur_px > 0.8:
            laid = self._smeared(laid, thing, placed)
        part = canvas[y0:y1, x0:x1]
        if thing.shadow:
            _shade(part, laid[:, :, 3], self.look.optics.px_per_mm)
        _blend(part, laid)
        if shine is not None:
            np.maximum(shine[y0:y1, x0:x1], laid[:, :, 3], out=shine[y0:y1, x0:x1])

    def _smeared(self, laid: Image, thing: Thing, placed: Placed) -> Image:
        middle = mapped(thing.pose, np.array([(31.5, 44.0)]))[0]
        vx, vy = speed_at(self._to_picture, (float(middle[0]), float(middle[1])), thing.speed)
        lean = math.degrees(math.atan2(vy, vx)) % 180
        line = _line_of(placed.blur_px)
        if min(lean, 180 - lean) < 4:
            return np.asarray(cv2.sepFilter2D(laid, -1, line, _ONE), dtype=np.uint8)
        if abs(lean - 90) < 4:
            return np.asarray(cv2.sepFilter2D(laid, -1, _ONE, line), dtype=np.uint8)
        return np.asarray(cv2.filter2D(laid, -1, _leaning(placed.blur_px, lean)), dtype=np.uint8)

    def _cover(self, canvas: Image, cover: Drawn) -> None:
        x, y = cover.at
        high, wide = cover.picture.shape[:2]
        x0, y0 = max(0, x), max(0, y)
        x1, y1 = min(canvas.shape[1], x + wide), min(canvas.shape[0], y + high)
        if x1 > x0 and y1 > y0:
            _blend(canvas[y0:y1, x0:x1], cover.picture[y0 - y : y1 - y, x0 - x : x1 - x])

    # --- light and sensor -------------------------------------------------------------------

    def _exposed(self, canvas: Image, shine: Image | None, level: float) -> Image:
        sensor = self.look.sensor
        if sensor.defocus > 0.25:
            canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), sensor.defocus), dtype=np.uint8)
        lit = cv2.multiply(canvas, self._lit, scale=level, dtype=cv2.CV_32F)
        if self._glare is not None and shine is not None:
            share = cv2.multiply(shine, self._glare, scale=level * 0.85 / 255, dtype=cv2.CV_32F)
            share = cv2.addWeighted(share, 1.0, self._glare, 0.15 * level, 0)
            lit = cv2.add(lit, cv2.merge([share, share, share]))
        if self._dust is not None:
            lit = cv2.multiply(lit, self._dust)
        clipped = cv2.convertScaleAbs(lit)
        rough = cv2.multiply(cv2.LUT(clipped, self._sigma), self._grain())
        out = cv2.add(clipped, rough, dtype=cv2.CV_8U)
        if sensor.mono:
            out = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        return np.asarray(out, dtype=np.uint8)

    def _grain(self) -> Plane:
        width, height = self.look.optics.size
        x, y = self._rng.randrange(_PAD), self._rng.randrange(_PAD)
        return self._noise[y : y + height, x : x + width]


def texture_px_per_mm(look: Look) -> float:
    """The resolution of textures for a look, one of few, so that they can be kept."""
    wanted = look.optics.px_per_mm * 0.95
    return next((step for step in _LADDER if step >= wanted), wanted)


def _blend(part: Image, over: Image) -> None:
    rest = cv2.bitwise_not(over[:, :, 3])
    below = cv2.multiply(part, cv2.merge([rest, rest, rest]), scale=1 / 255)
    cv2.add(below, cv2.cvtColor(over, cv2.COLOR_BGRA2BGR), dst=part)


def _shade(part: Image, cover: Image, px_per_mm: float) -> None:
    """The shadow a card throws on what lies under it."""
    soft = cv2.blur(cover, (max(3, int(px_per_mm * 0.9)),) * 2)
    factor = cv2.convertScaleAbs(soft, alpha=-0.45, beta=255)
    part[:] = cv2.multiply(part, cv2.merge([factor, factor, factor]), scale=1 / 255)


def _line_of(length: float) -> Plane:
    """A box of that length, px, with its ends in part."""
    half = (length - 1) / 2
    side = max(0, math.ceil(half))
    line = np.clip(half + 1 - np.abs(np.arange(-side, side + 1)), 0, 1)
    return np.asarray(line / line.sum(), dtype=np.float32)


def _leaning(length: float, degrees: float) -> Plane:
    side = max(1, math.ceil(length / 2))
    board = np.zeros((2 * side + 1, 2 * side + 1), dtype=np.float32)
    a = math.radians(degrees)
    for step in np.linspace(-length / 2, length / 2, 4 * side + 1):
        x, y = side + step * math.cos(a), side + step * math.sin(a)
        fx, fy = math.floor(x), math.floor(y)
        for cx, cy in ((fx, fy), (fx + 1, fy), (fx, fy + 1), (fx + 1, fy + 1)):
            if 0 <= cx <= 2 * side and 0 <= cy <= 2 * side:
                board[cy, cx] += (1 - abs(x - cx)) * (1 - abs(y - cy))
    return np.asarray(board / board.sum(), dtype=np.float32)


def _light_map(size: tuple[int, int], light: Light) -> Plane:
    width, height = size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    fall = 1 - light.fall * 2 * (x * x + y * y)
    plane = light.level * fall * (1 + light.slope[0] * x + light.slope[1] * y)
    plane = plane.astype(np.float32)
    return np.asarray(cv2.merge([plane * np.float32(tint) for tint in light.tint]))


def _glare_map(size: tuple[int, int], light: Light) -> Plane | None:
    if not light.glare:
        return None
    width, height = size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    total = np.zeros((height, width), dtype=np.float32)
    for gx, gy, radius, strength in light.glare:
        far = ((x - gx * width) ** 2 + (y - gy * height) ** 2) / (radius * width) ** 2
        total += strength * np.exp(-far)
    return total


def _dust_map(size: tuple[int, int], count: int, seed: int) -> Plane:
    rng, (width, height) = rng_of("dust", seed), size
    board = np.ones((height, width), dtype=np.float32)
    for _ in range(count):
        x, y, r = rng.randrange(width), rng.randrange(height), rng.uniform(0.002, 0.009) * width
        speck = np.zeros((height, width), dtype=np.float32)
        axes = (max(1, int(r)), max(1, int(r * rng.uniform(0.5, 1.0))))
        cv2.ellipse(speck, (x, y), axes, rng.uniform(0, 180), 0, 360, rng.uniform(0.15, 0.6), -1)
        board -= cv2.GaussianBlur(speck, (0, 0), max(0.8, r * 0.4))
    plane = np.clip(board, 0.1, 1)
    return np.ascontiguousarray(np.repeat(plane[:, :, None], 3, axis=2))


@functools.lru_cache(maxsize=4)
def _noise_bank(size: tuple[int, int], seed: int) -> Plane:
    width, height = size
    noise = np.random.default_rng(rng_of("grain", seed).randrange(1 << 30))
    bank = noise.standard_normal((height + _PAD, width + _PAD, 3), dtype=np.float32)
    return np.asarray(cv2.GaussianBlur(bank, (0, 0), 0.45) * 1.25, dtype=np.float32)
