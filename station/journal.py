"""Facts on disk: appended in one transaction a decision, chained by hash, folded at start.

SQLite in WAL mode with `synchronous=FULL`, read back on the writer; one writer, which is the
controller's thread. What is read, checked and folded is in `station.audit`. A command's id is
indexed, so that its answer is found for ever.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec

from station.audit import seals
from station.audit.halves import undo_half
from station.audit.reading import (
    BUSY_MS,
    GENESIS,
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalNewer,
    JournalUnwritable,
    Left,
    Row,
    Stamp,
    boot_id,
    chained,
    encoder,
    load,
    open_reader,
    reading,
    row_hash,
    rows,
    state_digest,
    state_format,
    untyped,
    unusable,
    when_it_left,
)
from station.audit.schema import COLUMNS, INSERT, SCHEMA
from station.audit.verify import Verified, verify
from station.table import facts as f
from station.table.state import Table
from station.upcast import FACT_VERSION, upcast

__all__ = [
    "GENESIS",
    "Journal",
    "JournalBusy",
    "JournalDamaged",
    "JournalError",
    "JournalNewer",
    "JournalUnwritable",
    "Left",
    "Row",
    "Stamp",
    "Verified",
    "boot_id",
    "chained",
    "exclusive",
    "failure_of",
    "load",
    "open_reader",
    "reading",
    "row_hash",
    "rows",
    "state_digest",
    "state_format",
    "unusable",
    "verify",
    "when_it_left",
]

_decoder = msgspec.json.Decoder(f.AnyFact)


def _nowhere(_point: str) -> None:
    """The failpoint of a station that is not being tested."""


class Journal:
    """The writer. Raises JournalBusy when another station holds the file."""

    def __init__(
        self,
        path: Path,
        failpoint: Callable[[str], None] = _nowhere,
        *,
        key_of: Path | None = None,
    ) -> None:
        """`key_of`: the journal whose key seals this one, if it is to have that one's name."""
        self.path = path
        self._key_of = key_of or path
        self._failpoint = failpoint
        self._lock = exclusive(path.with_name(path.name + ".lock"))
        self._sealer: seals.Sealer | None = None
        try:
            undo_half(path)
            self.db = _open(path)
        except BaseException:
            os.close(self._lock)
            raise
        last = self.db.execute("SELECT seq, hash FROM facts ORDER BY seq DESC LIMIT 1").fetchone()
        self.seq: int = last[0] if last else 0
        self.head: str = last[1] if last else GENESIS

    def close(self) -> None:
        """Close the file and give up the lock. Facts are on disk already."""
        self.db.close()
        os.close(self._lock)

    def append(
        self,
        facts: tuple[f.AnyFact, ...],
        stamp: Stamp,
        hosts: Callable[[f.AnyFact], bool],
        taken: int = 0,
        after: Table | None = None,
    ) -> int:
        """Commit the facts and the outbox rows of those that `hosts` are told, all or none.

        `taken`: the host has everything up to that fact. `after`: the table after the facts; with
        it they are sealed if a round, a shoe or a start is among them. Returns the last sequence.
        Raises sqlite3.Error with nothing written, KeyRefused when there is no key to seal with.
        """
        rows: list[tuple[object, ...]] = []
        outbox: list[tuple[int, str]] = []
        seq, prev = self.seq, self.head
        for fact in facts:
            seq += 1
            body = encoder.encode(fact).decode()
            kind = type(fact).__name__
            round_ = getattr(fact, "round", 0)
            digest = row_hash(seq, stamp, round_, kind, FACT_VERSION, body, prev)
            command = fact.command if isinstance(fact, f.CommandAnswered) else None
            rows.append((seq, *stamp, round_, kind, FACT_VERSION, body, prev, digest, command))
            if hosts(fact):
                outbox.append((seq, "host"))
            prev = digest
        sealed = None
        if after is not None and any(isinstance(fact, seals.SEALED) for fact in facts):
            sealed = self._sealing().prepare(self.seq + 1, seq, prev, after)
        self._write(rows, outbox, taken, sealed)
        self.seq, self.head = seq, prev
        if sealed is not None:
            self._sealing().stored()
        return seq

    def _sealing(self) -> seals.Sealer:
        """With the key, which is read or made at the first seal."""
        if self._sealer is None:
            self._sealer = seals.Sealer(self._key_of, self.db)
        return self._sealer

    def seal(self, table: Table) -> None:
        """Seal where the journal stands, unless that is sealed already."""
        known = self.db.execute("SELECT 1 FROM seals WHERE seq=?", (self.seq,)).fetchone()
        if known is None and self.seq:
            newest = seals.key_rows(self.db)[-1:]
            if newest and newest[0].seq > self.seq:
                raise JournalError(
                    f"{self.path}: its new key is in force from the next fact on; start the table "
                    "once, then try again"
                )
            sealed = self._sealing().prepare(self.seq, self.seq, self.head, table)
            self._write([], [], 0, sealed)
            self._sealing().stored()

    def change_key(self, *, lost: bool = False) -> str:
        """A new key from the next fact on, signed by the one before unless that is lost.

        Returns its fingerprint. Raises KeyRefused, JournalError, sqlite3.Error.
        """
        table = self.load()
        if not lost and seals.key_rows(self.db):
            # The old key's last word.
            self.seal(table)
        self._sealer = None
        return seals.change_key(self.path, self.db, table.id, self.seq, lost=lost)

    def _write(
        self,
        rows: list[tuple[object, ...]],
        outbox: list[tuple[int, str]],
        taken: int,
        sealed: seals.Prepared | None,
    ) -> None:
        """One transaction, begun for writing: it never has to be upgraded."""
        self._failpoint("before_begin")
        self.db.execute("BEGIN IMMEDIATE")
        try:
            self.db.executemany(INSERT, rows)
            if outbox:
                self.db.executemany("INSERT INTO outbox (seq, audience) VALUES (?,?)", outbox)
            if taken:
                # Not a mere yes: what is marked by damage is told from what a host has taken.
                self.db.execute("UPDATE outbox SET taken=seq WHERE taken=0 AND seq<=?", (taken,))
            if sealed is not None:
                seals.store(self.db, sealed)
            self._failpoint("before_commit")
            self.db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self.db.execute("ROLLBACK")
            raise
        self._failpoint("after_commit")

    def stamped(self) -> tuple[str, int, str] | None:
        """The last fact's stamps: UTC, monotonic nanoseconds, boot; None when there is none."""
        query = "SELECT utc, mono_ns, boot FROM facts ORDER BY seq DESC LIMIT 1"
        found: tuple[str, int, str] | None = self.db.execute(query).fetchone()
        return found

    def probe(self) -> None:
        """Write something that says nothing. Raises sqlite3.Error while that is not possible."""
        self.db.execute("PRAGMA user_version=1")

    def checkpoint(self, table: Table) -> None:
        """Keep the folded state, so that the next start need not fold what came before."""
        state = encoder.encode(table).decode()
        self.db.execute(
            "INSERT OR IGNORE INTO checkpoints VALUES (?,?,?,?,?)",
            (self.seq, state_format(), self.head, state, state_digest(table)),
        )

    def answer_of(self, command: str) -> tuple[f.CommandAnswered, int] | None:
        """The recorded answer to a command id and its sequence, or None."""
        for table in ("facts", "carried"):
            row = self.db.execute(
                f"SELECT seq, version, body FROM {table} WHERE command=?", (command,)
            ).fetchone()
            if row is not None:
                break
        else:
            return None
        fact = _decoder.decode(upcast("CommandAnswered", row[1], row[2]))
        if not isinstance(fact, f.CommandAnswered):
            raise JournalDamaged(f"fact {row[0]} carries a command id and is no answer")
        return fact, row[0]

    def outbox_after(self, after: int | None) -> list[Row]:
        """Facts for the host after that sequence; with None, all it has not acknowledged."""
        where = "taken=0" if after is None else "seq>?"
        arguments = () if after is None else (after,)
        found: list[Row] = []
        for table in ("carried", "facts"):
            query = (
                f"SELECT {COLUMNS} FROM {table} WHERE seq IN "
                f"(SELECT seq FROM outbox WHERE {where}) ORDER BY seq"
            )
            found += [Row(*row) for row in self.db.execute(query, arguments)]
        return found

    def load(self) -> Table:
        """The table as the journal has it: last good checkpoint, then the fold of the rest."""
        with reading(self.path), untyped(self.path):
            return load(self.db, self.path)


def failure_of(error: Exception) -> str:
    """Why nothing could be written, in a word; "" where another program only had the file."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return type(error).__name__
    primary = code & 0xFF
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ""
    return str(getattr(error, "sqlite_errorname", "error"))


def exclusive(path: Path) -> int:
    """A lock held by this process until it ends, however it ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise JournalUnwritable(f"{path}: {error.strerror or error}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise JournalBusy(
            f"{path}: another station has this journal open; stop it, or give this table "
            "a journal of its own ([journal] path)"
        ) from None
    return handle


def _open(path: Path) -> sqlite3.Connection:
    old = os.umask(0o077)
    try:
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise unusable(path, error) from error
    finally:
        os.umask(old)
    try:
        db.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        mode = db.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        db.execute("PRAGMA synchronous=FULL")
        sync = db.execute("PRAGMA synchronous").fetchone()[0]
        if (mode, sync) != ("wal", 2):
            raise JournalError(f"{path}: wanted WAL and FULL, the disk gives {mode} and {sync}")
        db.executescript(SCHEMA)
        check = db.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.DatabaseError as error:
        db.close()
        raise unusable(path, error) from error
    except UnicodeDecodeError as error:
        db.close()
        raise JournalDamaged(f"{path}: not text; keep the file, and call a technician") from error
    if check != "ok":
        db.close()
        raise JournalDamaged(f"{path}: {check}; keep the file, and call a technician")
    return db
