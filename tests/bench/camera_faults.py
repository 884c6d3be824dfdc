"""Everything that can happen to a camera, in every place of a round, at a whole table:
`python -m tests.bench.camera_faults [--fault NAME] [--phase NAME] [--most N] [--seed S]`.

For each case the real station and the real reader's process: the table has to hold and say why, no
stale card may be dealt, and after the ruling the next card goes where it is owed. About ten
seconds a case.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.support.camera_faults import FAULTS, PHASES, Lies, Tables, cases


def main() -> int:
    """Print a line for each case; 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fault", choices=sorted(FAULTS), default="")
    parser.add_argument("--phase", choices=PHASES, default="")
    parser.add_argument("--most", type=int, default=0, help="so many of them, by seed; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chosen = [one for one in cases() if given.fault in ("", one[0]) and given.phase in ("", one[1])]
    random.Random(given.seed).shuffle(chosen)
    chosen = chosen[: given.most or len(chosen)]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        tables = Tables(Path(folder))
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            for number, case in enumerate(chosen, start=1):
                failed += not _tried(tables, number, case)
        finally:
            tables.close()
    print_line(f"{len(chosen)} cases, {failed} wrong")
    return int(bool(failed))


def _tried(tables: Tables, number: int, case: tuple[str, str, Lies]) -> bool:
    """One case, and its line; whether it went right."""
    began = time.monotonic()
    verdict = "right"
    try:
        tables.strike(*case)
    except Exception as error:  # noqa: BLE001 - the next case is tried too
        verdict = f"WRONG {_line(error)} {str(error)[:300]}"
    seconds = time.monotonic() - began
    print_line(f"{number:3} {case[0]:9} {case[1]:9} {case[2]:7} {seconds:5.1f} s {verdict}")
    return verdict == "right"


def print_line(text: str) -> None:
    """One line, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _line(error: Exception) -> str:
    last = [one for one in traceback.extract_tb(error.__traceback__) if "camera_f" in one.filename]
    return f"{Path(last[-1].filename).name}:{last[-1].lineno}" if last else ""


if __name__ == "__main__":
    sys.exit(main())
