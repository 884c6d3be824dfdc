"""Which faults strike in a soak, when, and how hard: by seed, card by card."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from hw_sim.faults import Fault

# Of the faults, so many strike at any moment instead of at a card.
ANY_MOMENT = 0.25
MOMENT_MS = 400
LONGEST_MS = 400
# What a camera's watchdog tells lasts longer than it waits for.
BLIND_MS = 3000
BLIND = frozenset({"black", "blocked_stream", "frozen", "slow_frames", "stall"})
_ODD_CODES = ("8801234567893", "HELLO-WORLD-42", "https://example.org/x")
# What only a technician undoes, and what has no meaning at a table of this sort.
LEFT_OUT = frozenset(
    {"config_barcode", "menu", "mode", "lock", "drop", "half_open", "clear_error", "new_shoe"}
)
# What stays until the device is switched off and on: somebody does so after a while.
UNTIL_REPLUG = frozenset({"mute", "refuse", "silent_death", "other_report"})
# A key pressed twice: the second time undoes the first.
TOGGLES = frozenset({"hangul", "caps_lock"})
# At any moment, beside those a device has of its own.
MOMENTS = ("unplug", "replug", "noise", "early_draw", "cut", "permission_denied", "busy", "dead")


@dataclass(frozen=True)
class Strike:
    """One fault. `after_ms` None: at the card that is drawn now; else so much later."""

    name: str
    params: dict[str, object]
    after_ms: int | None = None

    @property
    def undone_by(self) -> Strike | None:
        """What somebody does afterwards, so that the device is itself again."""
        if self.name in TOGGLES:
            return self
        return Strike("unplug", {"ms": 200}) if self.name in UNTIL_REPLUG else None


class FaultPlan:
    """Which fault strikes at the next card. `rate`: of each card. `counts`: those chosen."""

    def __init__(self, seed: int, rate: float, faults: Mapping[str, Fault]) -> None:
        self.counts: Counter[str] = Counter()
        self._rng = random.Random(f"{seed}/soak/faults")
        self._rate = rate
        self._faults = {name: fault for name, fault in faults.items() if name not in LEFT_OUT}
        self._any = sorted(self._faults)
        self._moments = [name for name in self._any if self._at_any_moment(name)]

    def at_card(self) -> Strike | None:
        """What strikes with the card that is drawn now, or soon after it."""
        if self._rng.random() >= self._rate:
            return None
        later = self._rng.random() < ANY_MOMENT
        name = self._rng.choice(self._moments if later else self._any)
        self.counts[name] += 1
        params = {key: self._value(name, key) for key in self._faults[name].params}
        after = self._rng.randrange(MOMENT_MS) if later else None
        return Strike(name, {k: v for k, v in params.items() if v is not None}, after)

    def _at_any_moment(self, name: str) -> bool:
        own = name not in MOMENTS and self._faults[name].when == "now"
        return name in MOMENTS or own

    def _value(self, fault: str, key: str) -> object:
        """The parameter: as the fault has it, but nothing lasts long, and some vary."""
        default = self._faults[fault].params[key][0]
        rng = self._rng
        match key:
            case "ms" if fault.startswith("double"):
                # From at once to so late that only a person can tell it from a second card.
                return rng.choice((0, 60, 250, 900, 1500))
            case "ms" if fault in BLIND:
                return rng.choice((60, 250, BLIND_MS))
            case "ms" if default is None:
                return rng.randrange(100, LONGEST_MS)
            case "ms" if isinstance(default, int):
                return min(default, LONGEST_MS) if rng.random() < 0.5 else rng.choice((20, 60, 250))
            case "text" if fault in ("unknown_code", "two_codes"):
                # Not a card's: of a second card's good code nobody knows that no card came.
                return rng.choice(_ODD_CODES)
            case "text" if fault == "foreign_code":
                return rng.choice((None, *_ODD_CODES))
            case "back":
                return rng.randint(1, 20)
            case "copies":
                return rng.randint(1, 3)
            case "suffix":
                return rng.choice(("lf", "tab", "none", "crlf"))
            case "keep":
                return rng.randint(1, 5) if default != 12 else rng.randint(1, 20)
            case _:
                return default
