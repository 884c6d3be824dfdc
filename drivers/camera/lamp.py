"""The colour of the light, learned from paper: what a code or an index was read on is white."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Colour: TypeAlias = tuple[float, float, float]

_LEARN = 0.2
# Light of less than this share in one of its colours shows too little to be made white by sums.
_LEAST = 0.3


@dataclass
class Lamp:
    """`tint`: blue, green and red of the light, the most of them 1. `known`: paper has shown it."""

    tint: Colour = (1.0, 1.0, 1.0)
    known: bool = False

    def learn(self, paper: Colour) -> None:
        """A card that was read has paper of this colour (0-255)."""
        most = max(1.0, *paper)
        seen = (paper[0] / most, paper[1] / most, paper[2] / most)
        if min(seen) < _LEAST:
            return
        share = _LEARN if self.known else 1.0
        mixed = [(1 - share) * old + share * new for old, new in zip(self.tint, seen, strict=True)]
        self.tint = (mixed[0] / max(mixed), mixed[1] / max(mixed), mixed[2] / max(mixed))
        self.known = True

    def balanced(self, colour: Colour) -> Colour:
        """What that colour (0-255) would be under white light, as bright in its brightest part."""
        blue, green, red = (one / tint for one, tint in zip(colour, self.tint, strict=True))
        scale = max(colour) / max(1e-6, blue, green, red)
        return blue * scale, green * scale, red * scale


def whiteness(colour: Colour) -> float:
    """The least of its channels as a share of the most: 1 is grey or white."""
    return min(colour) / max(1.0, *colour)
