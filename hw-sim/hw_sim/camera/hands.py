"""Fingers and hands over the window: bare in several tones, or gloved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hw_sim.camera.cv import Colour, Image, Plane, Points, cv2
from hw_sim.camera.design import rng_of

SKINS: dict[str, Colour] = {
    "pale": (190, 205, 240),
    "light": (150, 180, 225),
    "olive": (110, 150, 195),
    "tan": (85, 125, 175),
    "brown": (60, 85, 130),
    "dark": (40, 52, 80),
}
GLOVES: dict[str, Colour] = {
    "glove-black": (38, 34, 32),
    "glove-white": (235, 238, 238),
    "glove-blue": (190, 120, 50),
}
TONES = {**SKINS, **GLOVES}
Limb = tuple[tuple[float, float], tuple[float, float], float]


def finger(at: tuple[float, float], heading: float, width: float, length: float) -> list[Limb]:
    """A finger whose tip is at `at`, mm, coming from `heading` degrees (0: from the right)."""
    a = math.radians(heading)
    return [(at, (at[0] + length * math.cos(a), at[1] + length * math.sin(a)), width / 2)]


def hand(at: tuple[float, float], heading: float, size: float) -> list[Limb]:
    """A hand whose fingertips are about `at`: four fingers, a thumb and the palm."""
    limbs: list[Limb] = []
    a = math.radians(heading)
    along, across = np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])
    tip = np.array(at)
    for k, (short, r) in enumerate(((6.0, 7.6), (0.0, 8.4), (2.0, 8.2), (10.0, 7.0))):
        start = tip + across * (k - 1.5) * 16.5 * size + along * short * size
        end = tip + across * (k - 1.5) * 15.5 * size + along * 80 * size
        limbs.append(((start[0], start[1]), (end[0], end[1]), r * size))
    thumb = tip - across * 46 * size + along * 45 * size
    root = tip - across * 20 * size + along * 95 * size
    limbs.append(((thumb[0], thumb[1]), (root[0], root[1]), 9.5 * size))
    palm = tip + along * 92 * size
    limbs.append(
        (
            (palm[0] - across[0] * 16 * size, palm[1] - across[1] * 16 * size),
            (palm[0] + across[0] * 16 * size, palm[1] + across[1] * 16 * size),
            26 * size,
        )
    )
    return limbs


@dataclass(frozen=True)
class Drawn:
    """Limbs as a picture, BGRA premultiplied, with the px at which its upper left corner lies."""

    picture: Image
    at: tuple[int, int]


def draw_limbs(limbs: Sequence[Limb], tone: str, seed: int) -> Drawn:
    """Limbs whose lengths are px: round and shaded, with nails on bare fingers."""
    ends = np.array([point for start, end, _ in limbs for point in (start, end)])
    reach = max(radius for _, _, radius in limbs) + 2
    low = np.floor(ends.min(axis=0) - reach).astype(int)
    high = np.ceil(ends.max(axis=0) + reach).astype(int)
    width, height = (int(v) for v in np.minimum(high - low, 4000))
    colour = np.array(TONES[tone], dtype=np.float32)
    out: Plane = np.zeros((height, width, 4), dtype=np.float32)
    for start, end, radius in limbs:
        p, q = np.array(start) - low, np.array(end) - low
        # Only where the limb is.
        x0, y0 = np.maximum(0, np.floor(np.minimum(p, q) - radius - 2)).astype(int)
        x1, y1 = np.ceil(np.maximum(p, q) + radius + 2).astype(int)
        part = out[y0:y1, x0:x1]
        if part.size == 0:
            continue
        p, q = p - (x0, y0), q - (x0, y0)
        shade, mask = _capsule(p, q, radius, (part.shape[1], part.shape[0]))
        layer = np.full(part.shape, 255.0, dtype=np.float32)
        np.multiply(colour, shade[:, :, None], out=layer[:, :, :3])
        if tone in SKINS and np.hypot(*(q - p)) > 3 * radius:
            _nail(layer, p, q, radius, colour)
        part += (layer - part) * mask[:, :, None]
    grain = np.random.default_rng(rng_of("skin", seed).randrange(1 << 30))
    rough = cv2.GaussianBlur(grain.standard_normal((height, width)), (0, 0), 1.5)
    out[:, :, :3] += (rough * 6)[:, :, None] * out[:, :, 3:] / 255
    return Drawn(np.clip(out, 0, 255).astype(np.uint8), (int(low[0]), int(low[1])))


def _capsule(p: Points, q: Points, r: float, size: tuple[int, int]) -> tuple[Plane, Plane]:
    """Brightness and cover of a limb: light in its middle, dark towards its edge."""
    ys, xs = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    along = q - p
    t = ((xs - p[0]) * along[0] + (ys - p[1]) * along[1]) / max(1e-6, float(along @ along))
    t = np.clip(t, 0, 1)
    d = np.hypot(xs - p[0] - t * along[0], ys - p[1] - t * along[1]) / r
    shade = 0.5 + 0.5 * np.sqrt(np.clip(1 - d * d, 0, 1))
    cover = np.clip((1 - d) * r / 1.5, 0, 1)
    return shade.astype(np.float32), cover.astype(np.float32)


def _nail(layer: Plane, p: Points, q: Points, r: float, colour: Plane) -> None:
    along = (q - p) / max(1e-6, float(np.hypot(*(q - p))))
    centre = p + along * r * 0.35
    angle = math.degrees(math.atan2(along[1], along[0]))
    light = tuple(float(c) for c in np.clip(colour * 1.12 + 14, 0, 255))
    middle = (round(float(centre[0])), round(float(centre[1])))
    axes = (max(1, round(r * 0.75)), max(1, round(r * 0.55)))
    cv2.ellipse(layer, middle, axes, angle, 0, 360, (*light, 255.0), -1, cv2.LINE_AA)
