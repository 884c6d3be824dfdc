"""Eventful rounds begun anew after every commit: `python -m tests.bench.crashes [--rounds 200]`.

Plays by seed, four rounds each, with reports, rulings, voids, lost hosts and readers, wrong PINs,
locks, disputes, shoes and every kind of bet (`tests.support.chaos`), under rules by chance. After
each commit the journal is taken from disk as a crash would leave it and a station starts from it
(`tests.support.restarts`): what was shown is there, nothing is paid twice, nothing is forgotten.
Stops with the seed at the first thing that does not hold.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.support.restarts import Restarted

EACH = 4


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rounds", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    rounds = commits = starts = void = 0
    kinds: Counter[str] = Counter()
    began, seed = time.perf_counter(), given.seed
    while rounds < given.rounds:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "table"
            folder.mkdir(mode=0o700)
            play = Restarted(seed, folder)
            try:
                play.play(EACH)
            except AssertionError:
                sys.stderr.write(f"seed {seed}, commit {play.commits}:\n")
                raise
            finally:
                play.shut()
            kinds.update(type(fact).__name__ for fact in play.facts)
            rounds += len(play.ended)
            commits += play.commits
            starts += play.starts
            void += play.void
        seed += 1
    took = time.perf_counter() - began
    told = (
        f"{rounds} rounds of {seed - given.seed} plays, {commits} commits, {starts} starts,",
        f"{void} of them voided an open round; all equal, nothing twice. {took:.0f} s",
        ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())),
    )
    sys.stdout.write("\n".join(told) + "\n")


if __name__ == "__main__":
    main()
