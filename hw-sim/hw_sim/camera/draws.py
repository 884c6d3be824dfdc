"""What happens at the window while one card is drawn: passes, hands, glitches of the camera.

Times are seconds from the start of the draw. Troubles change a `Draw`; whoever shows it to a
camera changes nothing any more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from hw_sim.camera.hands import Limb
from hw_sim.camera.motion import Path, Track
from hw_sim.camera.scene import Light, Look, Sensor
from hw_sim.camera.stock import Print
from hw_sim.codes import VirtualCard

GlitchKind = Literal[
    "frozen", "black", "warm_up", "torn", "slow", "stall", "blocked", "gone", "damaged"
]


@dataclass(frozen=True)
class Pass:
    """One thing on its way. `begin_mm`: how far it is when it starts, 0: just outside. `degrees`:
    how it is turned in the window. Of several, the last in the draw lies uppermost. `shadow`: it
    lies on others.
    """

    print: Print
    track: Track
    path: Path
    start_s: float = 0.0
    begin_mm: float = 0.0
    degrees: float = 0.0
    shadow: bool = False

    def at(self, t: float) -> tuple[float, float]:
        """Millimetres gone and mm/s."""
        gone, speed = self.path.at(t - self.start_s)
        return self.begin_mm + gone, speed

    @property
    def end_s(self) -> float:
        """When it rests or is out."""
        return self.start_s + self.path.seconds


@dataclass(frozen=True)
class Reach:
    """Fingers or a hand over the window, mm of the window; it moves at `speed` mm/s, and only as
    long as `rides_s` if that is not 0.
    """

    limbs: tuple[Limb, ...]
    tone: str
    from_s: float
    to_s: float
    speed: tuple[float, float] = (0.0, 0.0)
    seed: int = 0


@dataclass(frozen=True)
class Glitch:
    """Something wrong with the camera or its line. `share`: of frames hurt, or of the frame above
    a tear. `other`: what stands below a tear; None: grey.
    """

    kind: GlitchKind
    from_s: float
    to_s: float
    share: float = 0.5
    fps: float = 5.0
    other: Print | None = None


def own_code(card: VirtualCard) -> str:
    """The code of a virtual shoe's own card."""
    return card.code


@dataclass
class Draw:
    """All of one draw. `passes`: from the lowest to the uppermost. `expected`: the faces a reader
    should report, in order; `left`: what left the shoe (a face, `back`, `joker`, `cut`). `second`:
    the face of a following card that stays in. `main`: the pass it is about. `code_of`: the text on
    a card, where codes are printed.
    """

    look: Look
    passes: list[Pass] = field(default_factory=list)
    reaches: list[Reach] = field(default_factory=list)
    glitches: list[Glitch] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    second: str = ""
    group: str = "index"
    trouble: str = ""
    main: int = 0
    code_of: Callable[[VirtualCard], str] = own_code

    @property
    def card(self) -> Pass:
        """The pass it is about."""
        return self.passes[self.main]

    @card.setter
    def card(self, changed: Pass) -> None:
        self.passes[self.main] = changed

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        ends = [one.end_s for one in self.passes]
        ends += [reach.to_s for reach in self.reaches if reach.to_s < 60]
        return max(ends, default=0.4)

    @property
    def middle_s(self) -> float:
        """When the card it is about is half way, or half of it where there is none."""
        if not self.passes:
            return self.seconds / 2
        one = self.card
        return one.start_s + one.path.seconds / 2

    def lit(self, **changes: object) -> None:
        """Change the light."""
        light: Light = replace(self.look.light, **changes)  # type: ignore[arg-type]
        self.look = replace(self.look, light=light)

    def sensed(self, **changes: object) -> None:
        """Change the sensor."""
        sensor: Sensor = replace(self.look.sensor, **changes)  # type: ignore[arg-type]
        self.look = replace(self.look, sensor=sensor)
