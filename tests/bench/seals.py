"""What a seal costs a round: `python -m tests.bench.seals [--rounds 200]`.

The same round is played through the core into a journal on a real disk (the folder given, by
default a temporary one), decision by decision. Timed are the transactions that end a round, without
the seal and with it, turn by turn in one run, so that both see the same disk. Prints medians in
microseconds, and what the parts of a seal take by themselves.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from station.audit import keys
from station.audit.reading import state_digest
from station.audit.seals import seal_text
from station.game import facts as g
from station.journal import Journal, Stamp
from station.table.decide import Decision
from station.table.inputs import AnyInput
from station.telling import told
from tests.support.play import Play


class Timed(Play):
    """Plays into a journal; every second round's end is sealed."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.sealed = False
        self.took: dict[bool, list[float]] = {False: [], True: []}
        super().__init__()

    def give(self, given: AnyInput) -> Decision:
        decision = super().give(given)
        if not decision.facts:
            return decision
        ends = any(isinstance(fact, g.RoundSettled) for fact in decision.facts)
        after = None if ends and not self.sealed else self.table
        stamp = Stamp("2026-01-01T00:00:00.000000Z", time.monotonic_ns(), "bench")
        began = time.perf_counter_ns()
        self.journal.append(decision.facts, stamp, told, after=after)
        if ends:
            self.took[self.sealed].append((time.perf_counter_ns() - began) / 1000)
        return decision


def played(folder: Path, rounds: int) -> Timed:
    """A journal of so many rounds of three seats."""
    journal = Journal(folder / "journal.db")
    play = Timed(journal)
    play.open_table()
    for number in range(rounds):
        if number % 6 == 0:
            play.new_shoe(f"S{number + 2}")
        play.sealed = number % 2 == 1
        play.deal("5H TC 8C 9D 6C 8S 7D", (1, 3, 5)).act("stand", "stand", "stand")
        play.cards("TS")
        play.clear()
    journal.close()
    return play


def part(work: Callable[[], object], times: int = 300) -> float:
    """Its median, in microseconds."""
    took: list[float] = []
    for _ in range(times):
        began = time.perf_counter_ns()
        work()
        took.append((time.perf_counter_ns() - began) / 1000)
    return statistics.median(took)


def main() -> None:
    """Play, and say what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--dir", type=Path, default=None, help="a folder on the disk to measure")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.dir) as name:
        play = played(Path(name), options.rounds)
        private = keys.read_private(keys.file_of(play.journal.path))
    if private is None:
        raise SystemExit("no key was made")
    bare, sealed = (statistics.median(play.took[kind]) for kind in (False, True))
    text = seal_text("T01", 1, "0" * 64, "0" * 64)
    lines = (
        f"commit that ends a round   {bare:8.0f} us",
        f"the same, sealed           {sealed:8.0f} us",
        f"state's digest             {part(lambda: state_digest(play.table)):8.0f} us",
        f"signature                  {part(lambda: keys.sign(private, text)):8.0f} us",
    )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
