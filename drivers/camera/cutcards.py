"""The cut card told by its look: one colour all over.

Colours are those under white light (`drivers.camera.lamp`).
"""

from __future__ import annotations

import colorsys

from drivers.camera.lamp import Colour, whiteness
from drivers.camera.sight import Region

# A card of one colour, seen through a lens under a lamp, spreads less than this (grey levels), and
# than this share of its brightness: in dim light all spreads little.
SOLID = 26.0
_SOLID_SHARE = 0.145
_NOISE = 4.0
# Pale things that are lighter than the bed by so much are paper or a back.
_PALE = 0.45
_LIGHTER = 1.6
_LEVELS = 8.0
_HUES = {
    "red": (345, 15),
    "orange": (15, 42),
    "yellow": (42, 70),
    "green": (70, 170),
    "blue": (170, 262),
    "purple": (262, 345),
}


def is_cut_card(region: Region, shown: Colour, colour: str, bed: float = 0.0) -> bool:
    """Whether the thing may be the cut card: straight edges, one colour all over, and `shown` of
    that `colour` (`any`, a hue's name, `black`, `white`; "" for none). `bed`: how light the empty
    window is (0-255).
    """
    least = max(_NOISE, min(SOLID, _SOLID_SHARE * max(region.paper)))
    if not colour or region.spread > least or not region.corners:
        return False
    if colour == "any":
        return not _like_skin(shown) and not _like_paper(shown, bed)
    return colour_of(shown) == colour


def _like_paper(bgr: Colour, bed: float) -> bool:
    """A card's margin is of one colour too."""
    return whiteness(bgr) > _PALE and max(bgr) > _LIGHTER * bed + _LEVELS


def _like_skin(bgr: Colour) -> bool:
    """A hand may look like a card of one colour, if its colour is not told."""
    hue, saturation, _ = colorsys.rgb_to_hsv(bgr[2] / 255, bgr[1] / 255, bgr[0] / 255)
    return hue * 360 < 45 and 0.15 < saturation < 0.68


def colour_of(bgr: Colour) -> str:
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
