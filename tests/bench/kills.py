"""Real stations killed by chance: `python -m tests.bench.kills [--count 60] [--seed 1]`.

Each is a process of its own that plays eventful rounds over its pty and socket until SIGKILL hits
it at a place by seed, and is started again from its files (`tests.support.kills`). Stops with the
seed at the first thing that was lost, paid twice or forgotten.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.support.kills import killed


def main() -> None:
    """Kill, start, look, and print how many there were."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.kills")
    asked.add_argument("--count", type=int, default=60)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    began, places = time.perf_counter(), Counter[str]()
    for seed in range(given.seed, given.seed + given.count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                places[killed(Path(folder), seed).partition(":")[0]] += 1
            except BaseException:
                sys.stderr.write(f"seed {seed}\n")
                raise
    told = ", ".join(f"{place} {count}" for place, count in sorted(places.items()))
    took = time.perf_counter() - began
    sys.stdout.write(f"{given.count} stations killed and started again: {told}; {took:.0f} s\n")


if __name__ == "__main__":
    main()
