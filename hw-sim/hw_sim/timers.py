"""Things to do later, in order, by a clock that is given."""

from __future__ import annotations

import heapq
from collections.abc import Callable


class Timers:
    """A heap of things to do. `now` gives seconds, monotonic."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._heap: list[tuple[int, int, str, bytes, Callable[[], None]]] = []
        self._count = 0

    def later(
        self, after_ms: int, action: Callable[[], None], name: str = "", data: bytes = b""
    ) -> None:
        """Do it after so many milliseconds; at once when there are none, but never before what is
        due already under that name. `name` and `data`: see `forget`.
        """
        now = int(self._now() * 1000)
        overdue = any(at <= now and named == name for at, _, named, _, _ in self._heap)
        if after_ms <= 0 and not overdue:
            action()
            return
        self._count += 1
        heapq.heappush(self._heap, (now + max(0, after_ms), self._count, name, data, action))

    def forget(self, name: str) -> list[bytes]:
        """Whatever waits under that name is not done any more; the data of each is given back."""
        gone = sorted(entry for entry in self._heap if entry[2] == name)
        self._heap = [entry for entry in self._heap if entry[2] != name]
        heapq.heapify(self._heap)
        return [entry[3] for entry in gone]

    def wait_s(self) -> float | None:
        """Seconds until the next, or None."""
        return max(0.0, self._heap[0][0] / 1000 - self._now()) if self._heap else None

    def run(self) -> None:
        """Do what is due."""
        while self._heap and self._heap[0][0] <= self._now() * 1000:
            heapq.heappop(self._heap)[4]()
