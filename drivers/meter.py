"""What a device read, and how long it took: counters that only grow, and a histogram of delays.

The delay is that from the read that brought the last byte of an observation to the moment it was
handed on. Written by the device's thread alone, read by any.
"""

from __future__ import annotations

from drivers.observations import AnyObservation, CardRead, CutCard, NoRead, Trouble

# Upper edges of the delay classes, microseconds; the last class is open.
EDGES_US = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000)


class Meter:
    """Counters of one device since the program began."""

    def __init__(self) -> None:
        self.cards = 0
        self.resent = 0
        self.no_reads = 0
        self.troubles = 0
        self.worst_us = 0
        self.delays = [0] * (len(EDGES_US) + 1)

    def saw(self, observation: AnyObservation) -> None:
        """Count it."""
        match observation:
            case CardRead(resent=True):
                self.resent += 1
            case CardRead() | CutCard():
                self.cards += 1
            case NoRead():
                self.no_reads += 1
            case Trouble():
                self.troubles += 1
            case _:
                pass

    def worked(self, ns: int) -> None:
        """Bytes were read and what they were was handed on `ns` later."""
        us = ns // 1000
        self.worst_us = max(self.worst_us, us)
        for place, edge in enumerate(EDGES_US):
            if us < edge:
                self.delays[place] += 1
                return
        self.delays[-1] += 1

    def since(self, earlier: Meter | None) -> Meter:
        """What has come since an earlier copy of it; the worst delay is that of the whole time."""
        copy = Meter()
        before = earlier or Meter()
        copy.cards = self.cards - before.cards
        copy.resent = self.resent - before.resent
        copy.no_reads = self.no_reads - before.no_reads
        copy.troubles = self.troubles - before.troubles
        copy.worst_us = self.worst_us
        copy.delays = [now - then for now, then in zip(self.delays, before.delays, strict=True)]
        return copy

    def delay_us(self, share: float) -> int:
        """The upper edge of the class in which that share of all delays lies (0.99: p99); 0 when
        nothing came yet. In the open class the worst there was.
        """
        total = sum(self.delays)
        seen = 0
        for place, count in enumerate(self.delays):
            seen += count
            if count and seen >= share * total:
                return EDGES_US[place] if place < len(EDGES_US) else self.worst_us
        return 0
