"""Going on after a damaged journal: seal it, and begin another that says where the good part ends.

Nothing of the damaged file is changed or thrown away. What its good part folds to decides what is
owed: an open round is void, every stake returned once, as facts of the new journal, so that the
host is told. The shoe has to be a new one. Ordered by a technician and a shift manager together.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from msgspec import Struct

from station.audit.reading import start_of
from station.clock import Clock
from station.evidence import folder_of
from station.game import facts as g
from station.game.settlement import void_lines
from station.game.state import is_open
from station.journal import (
    GENESIS,
    Journal,
    JournalError,
    JournalNewer,
    JournalUnwritable,
    Stamp,
    boot_id,
    chained,
    exclusive,
    open_reader,
    verify,
)
from station.table import facts as f
from station.table.evolve import evolve, fold
from station.table.facts import Person
from station.table.state import Table
from station.telling import told

TECHNICIAN, MANAGER = "technician", "shift_manager"
_PARTS = ("", "-wal", "-shm")


class Good(Struct, frozen=True):
    """What of a journal holds: its last good sequence and hash, the table there, and the fault."""

    facts: int
    head: str
    table: Table
    fault: str


def good_part(path: Path) -> Good:
    """Fold as far as the chain holds. A file that is no database at all has no good part.

    Raises JournalNewer for one that a later release wrote, and JournalUnwritable for one that
    cannot be read now: they are in order.
    """
    table, seq, head, fault = Table(), 0, GENESIS, ""
    try:
        with contextlib.closing(open_reader(path)) as db:
            seq, head, table = start_of(db, path)
            for row in chained(db, path, seq, head):
                table = evolve(table, row.fact)
                seq, head = row.seq, row.hash
        # Every fact is good; the rest may not be.
        verify(path)
    except (JournalNewer, JournalUnwritable):
        raise
    except Exception as error:  # noqa: BLE001 - whatever damage does to a file, the rest is good
        fault = str(error)
    return Good(seq, head, table, fault)


def quarantine(path: Path, by: tuple[Person, Person], clock: Clock) -> tuple[Path, Good]:
    """Seal the journal at `path` and begin the one that follows it there.

    Returns where the sealed file is, and what of it was good. Raises JournalError when the two
    persons are not a technician and a shift manager, when a station runs on the journal, or when
    it is in order: then there is nothing to seal.
    """
    if {person.role for person in by} != {TECHNICIAN, MANAGER}:
        raise JournalError("a technician and a shift manager have to order this together")
    if not path.is_file():
        raise JournalError(f"{path}: there is no journal")
    lock = exclusive(path.with_name(path.name + ".lock"))
    try:
        good = good_part(path)
        if not good.fault:
            raise JournalError(f"{path}: the journal is in order; nothing is sealed")
        stamp = Stamp(clock.utc(), clock.now_ns(), boot_id())
        suffix = ".sealed-" + stamp.utc.replace(":", "").replace("-", "")[:15] + "Z"
        # The new one is whole before the old one gives up its name.
        fresh = _begin(path, path.name + suffix, good, by, stamp)
        _seal(path, suffix)
        fresh.rename(path)
    finally:
        os.close(lock)
    return path.with_name(path.name + suffix), good


def _seal(path: Path, suffix: str) -> None:
    """Rename the file with what belongs to it, and make it read-only."""
    for part in _PARTS:
        old = path.with_name(path.name + part)
        if old.exists():
            new = path.with_name(path.name + suffix + part)
            old.rename(new)
            new.chmod(0o400)
    pictures = folder_of(path)
    if pictures.is_dir() and not pictures.is_symlink():
        # They are named by the facts of the sealed file: beside the new one they would be nobody's.
        pictures.rename(folder_of(path.with_name(path.name + suffix)))


def _begin(path: Path, sealed: str, good: Good, by: tuple[Person, Person], stamp: Stamp) -> Path:
    """The first facts of the new journal, in one transaction, in a file beside the old one."""
    round_ = good.table.game.round
    open_round = round_ if is_open(round_) else None
    names = (by[0].staff, by[1].staff)
    facts: list[f.AnyFact] = [
        f.JournalContinued(
            table=good.table.id,
            kind=good.table.kind,
            sealed=sealed,
            facts=good.facts,
            head=good.head,
            rounds=good.table.game.rounds,
            open_round=open_round,
            by=names,
        )
    ]
    if open_round is not None:
        manager = next(person.staff for person in by if person.role == MANAGER)
        lines = void_lines(open_round, "R60")
        facts.append(g.RoundVoided(open_round.number, "journal_damaged", manager, lines))
    fresh = path.with_name(path.name + ".next")
    for part in (*_PARTS, ".lock"):
        fresh.with_name(fresh.name + part).unlink(missing_ok=True)
    journal = Journal(fresh, key_of=path)
    try:
        journal.append(tuple(facts), stamp, told, after=fold(Table(), facts))
    finally:
        journal.close()
    fresh.with_name(fresh.name + ".lock").unlink()
    return fresh
