"""Journals with seals, written decision by decision as the controller writes them."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from station.journal import Journal, Stamp
from station.table import inputs as i
from station.table.decide import Decision
from station.table.inputs import AnyInput
from station.table.state import Table
from station.telling import told
from tests.support.play import HOST, PIT, SUPERVISOR, Play


class Writing(Play):
    """Plays into a journal; each decision has a stamp of its own."""

    def __init__(self, journal: Journal, table: Table | None = None, day: int = 1) -> None:
        self.journal = journal
        self.day = day
        super().__init__()
        # The ids of commands, and the cards of the shoe, go on.
        self._commands = 1000 * journal.seq
        if table is not None:
            self.table = table
            self._decks = dict.fromkeys(("5H", "TC", "9D", "TS"), table.game.rounds)

    def start(self) -> None:
        """A table of a journal that has facts goes on from them: see `again`."""
        if self.journal.seq == 0:
            super().start()

    def again(self) -> None:
        """The next start of a table whose dealer and shoe are there."""
        super().start()
        self.give(i.LinkUp(HOST.link, "host", "game"))
        self.give(i.DeviceHealth("shoe", "up", ""))
        self.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))

    def give(self, given: AnyInput) -> Decision:
        decision = super().give(given)
        ns = self.journal.seq * 1_000_000 + 7
        stamp = Stamp(f"2026-01-{self.day:02}T00:00:{ns % 60:02}.000000Z", ns, "boot")
        self.journal.append(decision.facts, stamp, told, after=self.table)
        return decision

    def play_round(self, seat: int = 1) -> None:
        """One round of one seat that stands on its two cards, to its end."""
        self.deal("5H TC 9D", (seat,)).act("stand")
        self.cards("TS")
        self.clear()


def play_on(path: Path, rounds: int, day: int = 2) -> Table:
    """Another start and so many rounds, on a journal that has facts already."""
    journal = Journal(path)
    play = Writing(journal, journal.load(), day)
    play.again()
    for _ in range(rounds):
        play.play_round()
    journal.close()
    return play.table


def sealed_journal(path: Path, rounds: int = 3) -> Table:
    """A closed journal in one file, of a start and so many rounds, with a checkpoint."""
    journal = Journal(path)
    play = Writing(journal)
    play.open_table()
    for number in range(rounds):
        play.play_round()
        if number == 0:
            journal.checkpoint(play.table)
            journal.append((), Stamp("", 0, ""), told, journal.seq)
    journal.close()
    return play.table


def edit(path: Path, *statements: str) -> None:
    """Change the file behind the station's back."""
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(statement)
    db.close()


def content(path: Path) -> list[tuple[object, ...]]:
    """Everything that means something in the file, in an order of its own."""
    found: list[tuple[object, ...]] = []
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    db.text_factory = bytes
    try:
        for name in ("facts", "outbox", "checkpoints", "seals", "keys", "carried"):
            rows = db.execute(f"SELECT * FROM {name} NOT INDEXED ORDER BY seq")
            found += [(name, *row) for row in rows]
        shape = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name")
        found += list(shape)
    finally:
        db.close()
    return found


def flip(path: Path, at: int, bit: int) -> None:
    """Change one bit of the file."""
    handle = os.open(path, os.O_RDWR)
    try:
        (byte,) = os.pread(handle, 1, at)
        os.pwrite(handle, bytes([byte ^ (1 << bit)]), at)
    finally:
        os.close(handle)
