"""How long a start takes: `python -m tests.bench.start [--facts 20000] [--starts 5]`.

A journal of that many facts, made by playing rounds through the core, with no checkpoint to make
the fold shorter. Each start is a real process, timed from outside: from before it is created until
its `ready` line, which it prints when it listens. Beside it, in the same run, the bare cost: an
empty Python process. Prints the daemon's memory too.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from station.game.cards import RANKS, SUITS, Card, card_of
from station.journal import Journal, Stamp
from station.table.decide import Decision
from station.table.inputs import AnyInput
from station.telling import told
from tests.bench.latency import figures, memory
from tests.support.play import Play

CONFIG = '[table]\nid = "T01"\nkind = "test"\n\n[[devices]]\nname = "shoe"\nport = "shoe.link"\n'
STAMP = Stamp("2026-01-01T00:00:00.000000Z", 1, "bench")


class Writing(Play):
    """Plays into a journal, decision by decision, as the controller does; `sealed`: with its seals
    too.
    """

    def __init__(self, journal: Journal, *, sealed: bool = False) -> None:
        self.journal, self.sealed = journal, sealed
        super().__init__()

    def give(self, given: AnyInput) -> Decision:
        decision = super().give(given)
        self.store(decision)
        return decision

    def store(self, decision: Decision) -> None:
        """Into the journal."""
        after = decision.after if self.sealed else None
        self.journal.append(decision.facts, STAMP, told, after=after)


def write(path: Path, facts: int) -> int:
    """A journal of at least so many facts; returns how many."""
    journal = Journal(path)
    journal.db.execute("PRAGMA synchronous=OFF")  # Only to write it quickly.
    play = Writing(journal)
    rounds(play, lambda: play.table.version < facts)
    journal.close()
    return play.table.version


def rounds(
    play: Writing, more: Callable[[], bool], new_shoe: Callable[[], None] = lambda: None
) -> None:
    """Play them one after the other; `new_shoe` is told of each."""
    play.open_table()
    chance, shoes = random.Random(1), 1
    shoe: list[Card] = []
    while more():
        if len(shoe) < 60:
            shoes += 1
            play.new_shoe(f"S{shoes}")
            new_shoe()
            shoe = [card_of(a + b, "A", deck) for a in RANKS for b in SUITS for deck in range(1, 9)]
            chance.shuffle(shoe)
        play.bet((1, 3, 5)).close()
        while play.round.ended == "":
            if play.round.window is not None:
                play.fire("insurance")
            elif play.round.asked is not None:
                play.act("hit" if chance.random() < 0.3 else "stand")
            else:
                play.give(Play.read(shoe.pop()))
        play.clear()


def empty() -> int:
    """Nanoseconds of a Python process that does nothing."""
    began = time.monotonic_ns()
    subprocess.run([sys.executable, "-c", ""], check=True)
    return time.monotonic_ns() - began


def start(folder: Path) -> tuple[int, str]:
    """Nanoseconds to `ready`, and the daemon's memory a second later."""
    began = time.monotonic_ns()
    daemon = subprocess.Popen(
        [sys.executable, "-m", "station.cli", "run", "-c", str(folder / "table.toml")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert daemon.stdout is not None
    line = daemon.stdout.readline()
    took = time.monotonic_ns() - began
    if not line.startswith("ready "):
        raise SystemExit("the station did not start")
    time.sleep(1)
    resident = memory(daemon.pid)
    daemon.send_signal(signal.SIGTERM)
    daemon.wait(10)
    return took, resident


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.start")
    parser.add_argument("--facts", type=int, default=20_000)
    parser.add_argument("--starts", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "table.toml").write_text(CONFIG)
        facts = write(folder / "journal.db", options.facts)
        sys.stdout.write(f"{facts} facts, no checkpoint\n")
        bare, starts, resident = [], [], ""
        for _ in range(options.starts):
            bare.append(empty())
            took, resident = start(folder)
            starts.append(took)
        figures("bare: an empty Python process", bare)
        figures("start → ready", starts)
        sys.stdout.write(f"target: 1000 ms. memory: daemon {resident}\n")


if __name__ == "__main__":
    main()
