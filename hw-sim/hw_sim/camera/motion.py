"""How a thing moves through the window: stretches of steady acceleration, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hw_sim.camera.cv import Matrix
from hw_sim.camera.design import CARD_MM
from hw_sim.camera.optics import Optics, pose

Axis = Literal["x", "y"]


@dataclass(frozen=True)
class Path:
    """Way and speed over time. `legs`: seconds, speed at its start and at its end, mm/s; at rest
    before the first and after the last.
    """

    legs: tuple[tuple[float, float, float], ...]

    def at(self, t: float) -> tuple[float, float]:
        """Millimetres gone and mm/s, `t` seconds after its start."""
        gone = 0.0
        if t <= 0:
            return 0.0, 0.0
        for seconds, first, last in self.legs:
            if t < seconds:
                speed = first + (last - first) * t / seconds
                return gone + (first + speed) / 2 * t, speed
            gone += (first + last) / 2 * seconds
            t -= seconds
        return gone, 0.0

    def rest_left(self, t: float) -> float:
        """Seconds until it goes on, where it rests `t` seconds after its start; else 0."""
        for seconds, first, last in self.legs:
            if 0 <= t < seconds:
                return seconds - t if first == last == 0 else 0.0
            t -= seconds
        return 0.0

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return sum(leg[0] for leg in self.legs)

    @property
    def length(self) -> float:
        """Where it ends, mm."""
        return sum((first + last) / 2 * seconds for seconds, first, last in self.legs)


def part_of(path: Path, length: float) -> Path:
    """The same way, but it stops short after so many mm."""
    legs: list[tuple[float, float, float]] = []
    for seconds, first, last in path.legs:
        whole = (first + last) / 2 * seconds
        if whole >= length:
            grow = (last - first) / seconds
            # From length = first * t + grow / 2 * t * t.
            under = max(0.0, first * first + 2 * grow * length)
            t = 2 * length / (first + under**0.5) if length > 0 else 0.0
            return Path((*legs, (t, first, first + grow * t)))
        legs.append((seconds, first, last))
        length -= whole
    return Path(tuple(legs))


def slide(length: float, speed: float, gain: float = 0.0) -> Path:
    """`length` mm, at `speed` mm/s in its middle; `gain`: by what share it grows over the way."""
    first, last = speed * (1 - gain / 2), speed * (1 + gain / 2)
    return Path(((2 * length / (first + last), first, last),))


def there_and_back(length: float, speed: float, rest_s: float) -> Path:
    """`length` mm, a rest, and the same way back."""
    seconds = 2 * length / speed
    return Path(((seconds, speed, 0.0), (rest_s, 0.0, 0.0), (seconds, 0.0, -speed)))


@dataclass(frozen=True)
class Track:
    """The way through one window: along its x or y, forward (+1) or backward (-1), `beside` mm off
    the middle across it.
    """

    axis: Axis
    sign: int
    beside: float

    def way(self, optics: Optics) -> float:
        """From just outside to just outside on the other side, mm."""
        return self._reach(optics) * 2

    def _reach(self, optics: Optics) -> float:
        along = 0 if self.axis == "x" else 1
        # A leaning camera sees farther on one side.
        return optics.field_mm()[along] * 0.58 + CARD_MM[along] / 2 + 2

    def place(self, optics: Optics, gone: float) -> tuple[float, float]:
        """The card's middle in the window, after that many mm."""
        along = (gone - self._reach(optics)) * self.sign
        return (along, self.beside) if self.axis == "x" else (self.beside, along)

    def pose(self, optics: Optics, gone: float, degrees: float) -> Matrix:
        """Card to window plane there."""
        return pose(*self.place(optics, gone), degrees)

    def speed(self, mm_s: float) -> tuple[float, float]:
        """A speed along it as x and y."""
        return (mm_s * self.sign, 0.0) if self.axis == "x" else (0.0, mm_s * self.sign)
