"""Closing a journal and going on in a new file, as if nothing had been between.

Everything goes on: sequence, chain, keys, the folded state bit for bit, what hosts have not
acknowledged, the answers to commands, the shoe that is in play. The old file gets a dated name and
is only read from then on. Cut off at any point, the old or the new journal is in its place, whole.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from station.audit import keys
from station.audit.checks import digest_of_carried
from station.audit.halves import CLOSED
from station.audit.reading import (
    JournalError,
    Stamp,
    boot_id,
    encoder,
    open_reader,
    reading,
    start_of,
    state_digest,
    state_format,
)
from station.audit.schema import SCHEMA
from station.audit.verify import Verified, verify
from station.clock import Clock
from station.evidence import folder_of
from station.journal import Journal, exclusive
from station.table import facts as f
from station.table.evolve import evolve
from station.table.state import Table

# A command's answer is found again after a rotation for so many of the newest: more than a day of
# play. A host repeats only what it has had no answer to.
ANSWERS = 50_000


class Rotated(NamedTuple):
    """Where the closed file is, what it held, and how many facts were taken along."""

    closed: Path
    found: Verified
    carried: int


def _nowhere(_point: str) -> None:
    """Nobody tests this rotation."""


def rotate(path: Path, by: str, clock: Clock, reached: Callable[[str], None] = _nowhere) -> Rotated:
    """Close the journal at `path`, in the name of `by`, and begin the next one there.

    Raises JournalBusy while a station runs; JournalDamaged when the journal is not in order;
    JournalError while a round is open, or a hold with pictures, which stay with the old file; and
    OSError or sqlite3.Error with the old journal in its place.
    """
    if not path.is_file():
        raise JournalError(f"{path}: there is no journal")
    stamp = Stamp(clock.utc(), clock.now_ns(), boot_id())
    dated = stamp.utc.replace(":", "").replace("-", "")[:15] + "Z"
    closed = path.with_name(path.name + CLOSED + dated)
    if closed.exists():
        raise JournalError(f"{closed}: exists already; try again in a second")
    found = _sealed(path)
    _refuse(path, found)
    lock = exclusive(path.with_name(path.name + ".lock"))
    try:
        with contextlib.closing(open_reader(path)) as db, reading(path):
            (last,) = db.execute("SELECT MAX(seq) FROM facts").fetchone()
        if last != found.facts:
            raise JournalError(f"{path}: a station ran meanwhile; stop it, and try again")
        reached("sealed")
        fresh, carried = _begin(path, closed.name, found, by, stamp)
        reached("begun")
        _put(path, fresh, closed, reached)
    finally:
        os.close(lock)
    return Rotated(closed, found, carried)


def _sealed(path: Path) -> Verified:
    """Seal the journal where it stands, in one file that is complete by itself, and verify it."""
    journal = Journal(path)
    try:
        journal.seal(verify(path).table)
        (mode,) = journal.db.execute("PRAGMA journal_mode=DELETE").fetchone()
        if mode != "delete":
            raise JournalError(f"{path}: another program reads it; end that, and try again")
    finally:
        journal.close()
    return verify(path)


def _refuse(path: Path, found: Verified) -> None:
    table = found.table
    if not found.first:
        raise JournalError(f"{path}: there is nothing in it yet")
    if found.first == found.facts:
        raise JournalError(f"{path}: nothing has happened since it was begun")
    if not table.between_rounds:
        number = table.game.round.number if table.game.round else 0
        raise JournalError(
            f"{path}: round {number} is not over; start the table, finish or void it and clear the "
            "felt, then rotate"
        )
    if any(hold.evidence for hold in table.holds):
        raise JournalError(
            f"{path}: a hold with pictures is open; start the table and rule on it, then rotate"
        )


def _begin(path: Path, closed: str, found: Verified, by: str, stamp: Stamp) -> tuple[Path, int]:
    """The new file beside the old one, whole and on the disk, and how many facts it took along."""
    fresh = path.with_name(path.name + ".next")
    for part in ("", "-journal", "-wal", "-shm", ".lock"):
        fresh.with_name(fresh.name + part).unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    with contextlib.closing(sqlite3.connect(str(fresh), isolation_level=None, uri=True)) as db:
        db.execute("PRAGMA synchronous=FULL")
        db.executescript(SCHEMA)
        db.execute("ATTACH ? AS old", (f"file:{quote(str(path))}?mode=ro",))
        db.execute("BEGIN IMMEDIATE")
        carried = _carry(db, found.table)
        state = encoder.encode(found.table).decode()
        db.execute(
            "INSERT INTO checkpoints VALUES (?,?,?,?,?)",
            (found.facts, state_format(), found.head, state, found.state),
        )
        db.execute("COMMIT")
        marks = digest_of_carried(db)
        db.execute("DETACH old")
    table = found.table
    fact = f.JournalRotated(
        table.id, table.kind, closed, found.facts, found.head, found.state, marks, by
    )
    journal = Journal(fresh, key_of=path)
    try:
        journal.seq, journal.head = found.facts, found.head
        journal.append((fact,), stamp, lambda _fact: False, after=evolve(table, fact))
        journal.db.execute("PRAGMA journal_mode=DELETE")
    finally:
        journal.close()
        fresh.with_name(fresh.name + ".lock").unlink()
    _check(fresh, found)
    return fresh, carried


def _carry(db: sqlite3.Connection, table: Table) -> int:
    """Copy what later questions are asked of: see the table `carried` in the schema."""
    both = "(SELECT * FROM old.carried UNION ALL SELECT * FROM old.facts)"
    holds = [hold.hold for hold in table.holds]
    marks = ",".join("?" * len(holds))
    db.execute(
        "INSERT OR IGNORE INTO main.carried "
        f"SELECT * FROM {both} WHERE seq IN (SELECT seq FROM old.outbox WHERE taken=0) "
        f"OR (command IS NOT NULL AND seq IN (SELECT seq FROM {both} "
        f"WHERE command IS NOT NULL ORDER BY seq DESC LIMIT {ANSWERS})) "
        f"OR seq>=(SELECT MAX(seq) FROM {both} WHERE kind='ShoeLoaded') "
        f"OR (kind='TableHeld' AND json_extract(body, '$.hold') IN ({marks}))",
        holds,
    )
    db.execute("INSERT INTO main.outbox SELECT seq, audience, 0 FROM old.outbox WHERE taken=0")
    db.execute("INSERT INTO main.keys SELECT * FROM old.keys")
    (count,) = db.execute("SELECT COUNT(*) FROM main.carried").fetchone()
    return int(count)


def _check(fresh: Path, found: Verified) -> None:
    """The new file stands where the old one ended, as another program reads it."""
    begun = verify(fresh)
    with contextlib.closing(open_reader(fresh)) as db, reading(fresh):
        start = start_of(db, fresh)
    same = (start.after, start.head, state_digest(start.table))
    if same != (found.facts, found.head, found.state) or begun.waiting != found.waiting:
        raise JournalError(f"{fresh}: not what the journal ended with; nothing was changed")


def _put(path: Path, fresh: Path, closed: Path, reached: Callable[[str], None]) -> None:
    """The old file gets its second name, its pictures go there, the new one takes its place."""
    keys.sync_folder(path.parent)
    os.link(path, closed)
    keys.sync_folder(path.parent)
    reached("linked")
    pictures = folder_of(path)
    if pictures.is_dir() and not pictures.is_symlink():
        pictures.rename(folder_of(closed))
    keys.sync_folder(path.parent)
    reached("pictures")
    fresh.replace(path)
    keys.sync_folder(path.parent)
    reached("replaced")
    closed.chmod(0o400)
    keys.sync_folder(path.parent)
