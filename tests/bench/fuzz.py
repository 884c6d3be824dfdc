"""Feed every protocol random and damaged bytes: `python -m tests.bench.fuzz --bytes 10000000`.

Prints a line a kind: bytes, clean cards sent after silence and how many of them were not read
exactly once, the most memory the protocol ever held, seconds. Exit code 1 when one was missed, or
the memory limit was passed. An exception is a defect and comes out as it is, with the seed.
"""

from __future__ import annotations

import argparse
import sys
import time

from drivers.conformance import MEMORY_LIMIT, fuzz
from tests.support.every_protocol import CONTRACTS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, default=10_000_000, help="a kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=sorted(CONTRACTS), default=[])
    given = parser.parse_args()
    bad = False
    say("kind            bytes   clean  missed  largest  cards in noise  seconds")
    for kind in given.kind or sorted(CONTRACTS):
        began = time.perf_counter()
        report = fuzz(CONTRACTS[kind](), given.bytes, given.seed)
        took = time.perf_counter() - began
        say(
            f"{kind:<12}{report.bytes:>10}{report.probes:>8}{report.missed:>8}"
            f"{report.largest:>9}{report.cards:>16}{took:>9.1f}"
        )
        bad = bad or report.missed > 0 or report.largest > MEMORY_LIMIT
    return 1 if bad else 0


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
