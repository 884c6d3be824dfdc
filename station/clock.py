"""The one place where the station reads a clock. The core never does: time is given to it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Monotonic time for durations, UTC for stamps."""

    def now_ns(self) -> int:
        """Monotonic nanoseconds."""

    def utc(self) -> str:
        """UTC in ISO 8601 with microseconds, ending in `Z`."""


class SystemClock:
    """The machine's clocks."""

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def utc(self) -> str:
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
