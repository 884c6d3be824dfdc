"""The troubles a camera at a shoe can have, by name: what happens, and its parameters.

A trouble of `when = "draw"` changes how one card passes, one of `when = "now"` is the camera's or
the light's. Sides, tones and the like are drawn by seed. `TROUBLES` has them all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hw_sim.camera import troubles_card, troubles_source
from hw_sim.camera.draws import Draw
from hw_sim.faults import Fault, fault_params

Apply = Callable[[Draw, random.Random, Mapping[str, int | str]], None]


@dataclass(frozen=True)
class Trouble:
    """`fault`: what it is and its parameters; `apply` does it to a draw."""

    fault: Fault
    apply: Apply


def _all() -> dict[str, Trouble]:
    found: dict[str, Trouble] = {}
    for module in (troubles_card, troubles_source):
        for name, (fault, apply) in module.TROUBLES.items():
            found[name] = Trouble(fault, apply)
    return found


TROUBLES: dict[str, Trouble] = _all()
FAULTS: dict[str, Fault] = {name: trouble.fault for name, trouble in TROUBLES.items()}


def trouble(
    draw: Draw, name: str, rng: random.Random, params: Mapping[str, object] | None = None
) -> None:
    """Do a trouble to a draw. Raises FaultError for one there is not, or a wrong parameter."""
    given = fault_params(name, params or {}, FAULTS)
    draw.trouble = f"{draw.trouble}+{name}" if draw.trouble else name
    TROUBLES[name].apply(draw, rng, {k: v for k, v in given.items() if isinstance(v, int | str)})
