"""What hours of play cost at the next start: `python -m tests.bench.recovery [--hours 1 8 24]`.

70 rounds an hour with three players, through the core into a sealed journal. For each length: how
large the file is, and how long a start takes from it (a real process, until its `ready` line), with
the checkpoint that each new shoe leaves and without any. Then what an append costs, with and
without somebody who reads the whole journal over and over in one transaction. Beside it the bare
cost in the same run: an empty Python process; the same bytes inserted into a bare table.
"""

from __future__ import annotations

import argparse
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from station.journal import Journal
from station.table.decide import Decision
from tests.bench.latency import figures
from tests.bench.start import CONFIG, Writing, empty, rounds, start

AN_HOUR = 70
STARTS = 3
APPENDS = 400
READER = """
import sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, isolation_level=None)
db.execute("BEGIN")
print("reading", flush=True)
while True:
    for row in db.execute("SELECT * FROM facts"):
        pass
"""


def write(path: Path, count: int, *, checkpoints: bool) -> int:
    """A journal of so many rounds; how many facts there are."""
    journal = Journal(path)
    journal.db.execute("PRAGMA synchronous=OFF")  # Only to write it quickly.
    play = Writing(journal, sealed=True)

    def kept() -> None:
        if checkpoints:
            journal.checkpoint(play.table)

    rounds(play, lambda: play.table.game.rounds < count, kept)
    journal.close()
    return play.table.version


def of_hours(hours: int, *, checkpoints: bool) -> None:
    """Size and starts of that long a play."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "table.toml").write_text(CONFIG)
        path = folder / "journal.db"
        facts = write(path, hours * AN_HOUR, checkpoints=checkpoints)
        size = path.stat().st_size / 1e6
        kept = "a checkpoint at each shoe" if checkpoints else "no checkpoint"
        sys.stdout.write(f"{hours} h, {kept}: {facts} facts, {size:.1f} MB\n")
        figures("  start → ready", [start(folder)[0] for _ in range(STARTS)])


def appends(path: Path, *, read: bool) -> tuple[list[int], float]:
    """Nanoseconds of each append, synced, after eight hours of play; and the WAL's megabytes."""
    journal = Journal(path)
    journal.db.execute("PRAGMA synchronous=OFF")  # Only until it has its length.
    play = Timed(journal, sealed=True)
    readers: list[subprocess.Popen[str]] = []

    def more() -> bool:
        if not play.on and play.table.game.rounds >= 8 * AN_HOUR:
            journal.db.execute("PRAGMA synchronous=FULL")
            play.on = True
            if read:
                readers.append(reader(path))
        return len(play.taken) < APPENDS

    rounds(play, more)
    size = path.with_name(path.name + "-wal").stat().st_size / 1e6
    for one in readers:
        one.kill()
        one.wait()
    journal.close()
    return play.taken, size


class Timed(Writing):
    """`taken`: nanoseconds of each append since it is `on`."""

    def __init__(self, journal: Journal, *, sealed: bool) -> None:
        self.on, self.taken = False, list[int]()
        super().__init__(journal, sealed=sealed)

    def store(self, decision: Decision) -> None:
        """Into the journal, by the clock."""
        began = time.monotonic_ns()
        super().store(decision)
        if self.on:
            self.taken.append(time.monotonic_ns() - began)


def reader(path: Path) -> subprocess.Popen[str]:
    """Somebody who reads everything, over and over, in one transaction."""
    started = subprocess.Popen(
        [sys.executable, "-c", READER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert started.stdout is not None
    started.stdout.readline()
    return started


def bare(folder: Path) -> list[int]:
    """Nanoseconds of a synced insert of about as many bytes."""
    db = sqlite3.connect(folder / "bare.db", isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE bare (body TEXT)")
    taken = []
    for _ in range(APPENDS):
        began = time.monotonic_ns()
        db.execute("INSERT INTO bare VALUES (?)", ("x" * 900,))
        taken.append(time.monotonic_ns() - began)
    return taken


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.recovery")
    asked.add_argument("--hours", type=int, nargs="+", default=[1, 8, 24])
    given = asked.parse_args()
    figures("bare: an empty Python process", [empty() for _ in range(STARTS)])
    for hours in given.hours:
        for checkpoints in (True, False):
            of_hours(hours, checkpoints=checkpoints)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures("bare: a synced insert", bare(folder))
        for read in (False, True):
            taken, wal = appends(folder / f"journal-{read}.db", read=read)
            figures("append, a long reader" if read else "append, nobody reads", taken)
            sys.stdout.write(f"  write-ahead log {wal:.1f} MB\n")


if __name__ == "__main__":
    main()
