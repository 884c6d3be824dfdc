"""What is checked beside the chain while a journal is folded: outbox, command ids, checkpoints.

Each check walks its own table in step with the facts, so that no journal is too long for memory.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from station.audit.reading import (
    JournalDamaged,
    Row,
    Stamp,
    digest_of,
    has_table,
    hash_of,
    rows,
    state_digest,
    state_format,
)
from station.audit.schema import SCHEMA
from station.table import facts as f
from station.table.state import Table
from station.telling import told

STARTS = ("StationStarted", "JournalContinued", "JournalRotated")


def damage(path: Path, seq: int, kind: str, what: str) -> JournalDamaged:
    """The error that names a fact and what about it is not as it was written."""
    return JournalDamaged(
        f"{path}: fact {seq} ({kind}): {what}. Keep the file, and call a technician"
    )


def stamp_of(row: Row) -> Stamp:
    """Facts of one transaction share it."""
    return Stamp(row.utc, row.mono_ns, row.boot)


class Commands:
    """The index by which a command's answer is found says what the answers say."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._path = path
        # From the rows themselves: that the index has the same is SQLite's own check.
        query = "SELECT seq, command FROM facts NOT INDEXED WHERE command IS NOT NULL ORDER BY seq"
        self._rows: Iterator[tuple[int, str]] = db.execute(query)
        self._next = next(self._rows, None)

    def take(self, row: Row, fact: f.AnyFact) -> None:
        stored = None
        if self._next is not None and self._next[0] == row.seq:
            stored = self._next[1]
            self._next = next(self._rows, None)
        wanted = fact.command if isinstance(fact, f.CommandAnswered) else None
        if stored != wanted:
            raise damage(self._path, row.seq, row.kind, "its command's id is not the fact's")


class Checkpoints:
    """Each is the fold of the facts before it. Those of another release are counted alone."""

    def __init__(self, db: sqlite3.Connection, path: Path, after: int) -> None:
        self.good = self.passed_over = 0
        self._path = path
        self._rows: Iterator[tuple[int, str, str, str, str]] = db.execute(
            "SELECT seq, format, hash, state, digest FROM checkpoints WHERE seq<>? ORDER BY seq",
            (after,),
        )
        self._next = next(self._rows, None)
        base = db.execute("SELECT format FROM checkpoints WHERE seq=?", (after,)).fetchone()
        self._base = str(base[0]) if base is not None else ""

    def take(self, row: Row, table: Table, format_: str) -> None:
        """`format_`: of the station that wrote this fact, "" if that is not known."""
        if self._base and format_ and self._base != format_:
            raise damage(self._path, row.seq, row.kind, "the state it carries over is changed")
        self._base = ""
        if self._next is None or self._next[0] > row.seq:
            return
        seq, written, hash_, state, digest = self._next
        self._next = next(self._rows, None)
        same = written == state_format()
        if (
            (seq, hash_, digest_of(state)) != (row.seq, row.hash, digest)
            or (same and digest != state_digest(table))
            or (format_ and written != format_)
        ):
            raise JournalDamaged(
                f"{self._path}: the checkpoint at fact {seq} is not the fold of the facts; keep "
                "the file, and call a technician"
            )
        self.good += same
        self.passed_over += not same

    def finish(self) -> None:
        if self._next is not None:
            raise JournalDamaged(
                f"{self._path}: a checkpoint of fact {self._next[0]}, which is missing; keep the "
                "file, and call a technician"
            )


class Outbox:
    """What hosts are told is in the outbox, nothing else, and they took it in its order."""

    def __init__(self, db: sqlite3.Connection, path: Path, first_key: int | None) -> None:
        self.waiting = 0
        self._path = path
        self._first_key = first_key
        self._rows: Iterator[tuple[int, str, int]] = db.execute(
            "SELECT seq, audience, taken FROM outbox ORDER BY seq"
        )
        self._next = next(self._rows, None)
        self._start: Stamp | None = None
        self._carried(db)

    def _carried(self, db: sqlite3.Connection) -> None:
        if not has_table(db, "carried"):
            return
        for (seq,) in db.execute("SELECT seq FROM carried ORDER BY seq"):
            self._entry(seq, "carried")

    def take(self, row: Row, fact: f.AnyFact, table: Table, format_: str) -> None:
        """`format_` as for checkpoints: only of this release it is known what hosts are told."""
        if row.kind in STARTS:
            self._start = stamp_of(row)
        there = self._entry(row.seq, row.kind)
        if format_ != state_format():
            return
        starting = self._start == stamp_of(row)
        wanted = told(fact) and (starting or not table.keys)
        if there != wanted:
            what = "is in the outbox, and hosts are not told of it" if there else "is missing there"
            raise damage(self._path, row.seq, row.kind, f"it {what}: the outbox is changed")

    def _entry(self, seq: int, kind: str) -> bool:
        """Whether it is in the outbox."""
        if self._next is None or self._next[0] > seq:
            return False
        at, audience, taken = self._next
        if at < seq:
            raise damage(
                self._path, at, "missing", "it is in the outbox, and there is no such fact"
            )
        self._next = next(self._rows, None)
        # Earlier releases wrote a mere 1.
        old = taken == 1 and (self._first_key is None or seq < self._first_key)
        if audience != "host" or not (taken in (0, seq) or old) or (taken and self.waiting):
            raise damage(self._path, seq, kind, "its row in the outbox is changed")
        self.waiting += not taken
        return True

    def finish(self) -> None:
        if self._next is not None:
            what = "it is in the outbox, and there is no such fact"
            raise damage(self._path, self._next[0], "missing", what)


def digest_of_carried(db: sqlite3.Connection) -> str:
    """SHA-256 over the facts a file took along, 64 hex digits: of each its hash and whether a host
    was still to be told of it, with a line feed.
    """
    found = hashlib.sha256()
    query = "SELECT hash, seq IN (SELECT seq FROM outbox) FROM carried ORDER BY seq"
    for hash_, owed in db.execute(query):
        found.update(f"{hash_} {owed}\n".encode())
    return found.hexdigest()


def check_carried(db: sqlite3.Connection, path: Path, fact: f.AnyFact | None) -> None:
    """Facts of the file before are taken along as they were. `fact`: this file's first."""
    if not has_table(db, "carried"):
        return
    query = "SELECT seq, command FROM carried NOT INDEXED WHERE command IS NOT NULL"
    ids = dict(db.execute(query))
    for row in rows(db, table="carried"):
        taken = row.fact if row.hash == hash_of(row) else None
        wanted = taken.command if isinstance(taken, f.CommandAnswered) else None
        if taken is None or ids.pop(row.seq, None) != wanted:
            raise damage(path, row.seq, row.kind, "it was taken along, and is changed here")
    nothing = hashlib.sha256().hexdigest()
    if digest_of_carried(db) != (fact.carried if isinstance(fact, f.JournalRotated) else nothing):
        raise JournalDamaged(
            f"{path}: the facts that were taken along from the file before are not those that "
            "were; keep the file, and call a technician"
        )


def check_file(db: sqlite3.Connection, path: Path) -> None:
    """SQLite's own check, of indexes too, and that the tables are those the station makes."""
    (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise JournalDamaged(f"{path}: {found}; keep the file, and call a technician")
    wanted = _shapes(SCHEMA)
    for kind, name, about, sql in db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"):
        if str(name).startswith("sqlite_"):
            continue
        if wanted.get((kind, name)) != (about, _plain(sql)):
            raise JournalDamaged(
                f"{path}: {kind} {name!r} is not one the station makes; keep the file, and call a "
                "technician"
            )


def _shapes(schema: str) -> dict[tuple[str, str], tuple[str, str]]:
    db = sqlite3.connect(":memory:")
    try:
        db.executescript(schema)
        query = "SELECT type, name, tbl_name, sql FROM sqlite_master"
        return {(t, name): (about, _plain(sql)) for t, name, about, sql in db.execute(query)}
    finally:
        db.close()


def _plain(sql: object) -> str:
    return " ".join(str(sql).split())
