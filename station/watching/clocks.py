"""Clocks: whether UTC was set, and whether somebody keeps it."""

from __future__ import annotations

from collections.abc import Iterator

from station.table.inputs import ConditionSeen
from station.watching.kernel import Clocks


def stepped(seconds: float) -> ConditionSeen:
    """UTC was set by so much."""
    return ConditionSeen("clock_stepped", stands=True, params={"seconds": f"{seconds:+.1f}"})


class Steps:
    """UTC against the clock that nobody sets. Both run at one rate, however a time server trims
    them: the distance changes only where UTC is set.
    """

    def __init__(self, clocks: Clocks, limit_s: float, before_s: float = 0.0) -> None:
        """`before_s`: by how much it was set since the journal's last fact."""
        self._clocks = clocks
        self._limit_s = limit_s
        self._before_s = before_s
        self._distance = self._now()

    def _now(self) -> int:
        return self._clocks.utc_ns() - self._clocks.boot_ns()

    def look(self) -> Iterator[ConditionSeen]:
        """The steps there were since it was looked last; small ones add up."""
        before, self._before_s = self._before_s, 0.0
        if abs(before) > self._limit_s:
            yield stepped(before)
        distance = self._now()
        moved = (distance - self._distance) / 1e9
        if abs(moved) > self._limit_s:
            self._distance = distance
            yield stepped(moved)


class Source:
    """Whether a time server keeps UTC, as the kernel was told by it (chrony, ntpd, timesyncd)."""

    def __init__(self, clocks: Clocks, limit_s: float) -> None:
        self._clocks = clocks
        self._limit_s = limit_s

    def look(self) -> Iterator[ConditionSeen]:
        """What is found."""
        try:
            kept = self._clocks.kept()
            sure = kept.synchronised and kept.most_us <= self._limit_s * 1e6
            why = "no time server" if not kept.synchronised else "too unsure"
        except (OSError, AttributeError) as error:
            sure, why = False, f"the kernel does not say: {error}"
        params: dict[str, str | int] = {"limit": f"{self._limit_s:g}", "why": why}
        yield ConditionSeen("clock_unsynced", stands=not sure, params={} if sure else params)
