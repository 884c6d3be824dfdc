"""`hw-sim selftest --deck`: one known deck through a reader, card by card, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hw_sim.readers import Reader


@dataclass
class DeckReport:
    """What a deck came to. `missed`: drawn and never read; `wrong`: drawn and read as another;
    `extra`: read when nothing was drawn.
    """

    read: int = 0
    missed: list[str] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    no_reads: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether each card was read once, as what it is."""
        return not (self.missed or self.wrong or self.extra)

    def as_data(self) -> dict[str, Any]:
        """For programs."""
        return {"ok": self.good, **vars(self)}

    def lines(self) -> list[str]:
        """For a person."""
        told = [f"{self.read} cards read as what they are"]
        if self.missed:
            told.append(f"never read: {' '.join(self.missed)}")
        told += [f"{card} was read as {other}" for card, other in self.wrong]
        if self.extra:
            told.append(f"read, but not drawn: {' '.join(self.extra)}")
        if self.no_reads:
            told.append(f"{len(self.no_reads)} times something passed that was no card")
        if self.troubles:
            told.append(f"faults of the reader: {', '.join(self.troubles)}")
        told.append("the reader reads this deck" if self.good else "the reader does NOT read it")
        return told


def read_deck(reader: Reader, cards: int, tell: Callable[[str], None]) -> DeckReport:
    """Draw so many cards one by one and compare. A card that is not read in time counts as missed,
    and the next is drawn all the same.
    """
    report = DeckReport()
    for number in range(1, cards + 1):
        (drawn,) = reader.draw()
        read = reader.read(1)
        if not read:
            report.missed.append(drawn)
            tell(f"{number:2} {drawn}  not read")
            continue
        if read[0] == drawn:
            report.read += 1
        else:
            report.wrong.append((drawn, read[0]))
        report.extra += read[1:]
        tell(f"{number:2} {drawn}  read as {' '.join(read)}")
    report.no_reads = reader.watch.no_reads
    report.troubles = reader.watch.troubles
    return report
