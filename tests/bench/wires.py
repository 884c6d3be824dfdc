"""Every reader over every wire, with as many seeds as wanted: `python -m tests.bench.wires`.

Prints a line for each reader and wire: cards drawn and accepted, how often a card was presented
again, how many vanished without a trace (the prompt stayed), how many never came in and were told
of, cards taken for others (readers without a check only), shoes, holds. A run in which something
happened that may never happen is printed with its seed, and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator

from tests.support.dealing import Dealing
from tests.support.oracle import Report
from tests.support.scenarios import (
    READERS,
    SCENARIOS,
    WIRES,
    Reader,
    faults,
    play,
    with_fault,
)

HEAD = f"{'reader':<20}{'wire':<16}{'runs':>6}{'drawn':>9}{'in':>9}{'again':>7}{'vanished':>9}"
HEAD += f"{'told':>7}{'misread':>8}{'shoes':>7}{'held':>7}"


def runs(
    reader: Reader, wire: str, seeds: range, *, with_faults: bool
) -> Iterator[tuple[str, Dealing, int]]:
    """Name, table and how many cards to deal."""
    for seed in seeds:
        for name, make in SCENARIOS.items():
            yield f"{name} {seed}", make(reader, wire, seed), 62
        for fault, params in faults(reader) if with_faults else ():
            yield (
                f"{fault} {params} {seed}",
                with_fault(reader, wire, seed, fault, params),
                30,
            )


def line(reader: Reader, wire: str, reports: list[Report]) -> str:
    """The sums of one reader and wire."""
    held: Counter[str] = sum((report.held for report in reports), Counter())
    numbers = (
        (len(reports), 6),
        (sum(report.drawn for report in reports), 9),
        (sum(report.accepted for report in reports), 9),
        (sum(report.again for report in reports), 7),
        (sum(report.vanished for report in reports), 9),
        (sum(report.lost.total() for report in reports), 7),
        (sum(len(report.misread) for report in reports), 8),
        (sum(report.shoes for report in reports), 7),
        (held.total(), 7),
    )
    return f"{reader.name:<20}{wire:<16}" + "".join(f"{n:>{width}}" for n, width in numbers)


def main(say: Callable[[str], object] = lambda text: sys.stdout.write(text + "\n")) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="of each scenario")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--reader", action="append", default=[], help="names that contain this")
    parser.add_argument("--faults", action="store_true", help="each fault of each reader too")
    given = parser.parse_args()
    bad = 0
    say(HEAD)
    for reader in READERS:
        if given.reader and not any(part in reader.name for part in given.reader):
            continue
        for wire in WIRES:
            reports = []
            seeds = range(given.first, given.first + given.seeds)
            for name, table, cards in runs(reader, wire, seeds, with_faults=given.faults):
                reports.append(play(table, cards))
                if reports[-1].wrong:
                    bad += 1
                    say(f"  WRONG {reader.name}, {wire}, {name}: {reports[-1].wrong}")
            say(line(reader, wire, reports))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
