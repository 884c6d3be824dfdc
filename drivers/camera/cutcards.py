"""The cut card told by its look: one colour all over."""

from __future__ import annotations

import colorsys

from drivers.camera.sight import Region

# A card of one colour, seen through a lens under a lamp, spreads less than this (grey levels).
_SOLID = 26.0
_HUES = {
    "red": (345, 15),
    "orange": (15, 42),
    "yellow": (42, 70),
    "green": (70, 170),
    "blue": (170, 262),
    "purple": (262, 345),
}


def is_cut_card(region: Region, colour: str) -> bool:
    """Whether the thing may be the cut card: straight edges, one colour, and that `colour` (`any`,
    a hue's name, `black`, `white`; "" for none).
    """
    if not colour or region.spread > _SOLID or not region.corners:
        return False
    if colour == "any":
        return not _like_skin(region.paper)
    return colour_of(region.paper) == colour


def _like_skin(bgr: tuple[float, float, float]) -> bool:
    """A hand may look like a card of one colour, if its colour is not told."""
    hue, saturation, _ = colorsys.rgb_to_hsv(bgr[2] / 255, bgr[1] / 255, bgr[0] / 255)
    return hue * 360 < 45 and 0.15 < saturation < 0.68


def colour_of(bgr: tuple[float, float, float]) -> str:
    """The name of a colour (B, G, R of 0-255)."""
    blue, green, red = (channel / 255 for channel in bgr)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if value < 0.22:
        return "black"
    if saturation < 0.28:
        return "white" if value > 0.5 else "black"
    degrees = hue * 360
    for name, (low, high) in _HUES.items():
        inside = low <= degrees < high if low < high else degrees >= low or degrees < high
        if inside:
            return name
    return "red"
