"""Facts on disk: appended in one transaction a decision, chained by hash, folded at start.

SQLite in WAL mode with `synchronous=FULL`, read back on the writer; one writer, which is the
controller's thread. Each row carries sequence, UTC and monotonic stamp, boot id, round, kind,
version, body, the hash of the row before and its own: SHA-256 over the fields in that order,
each followed by a line feed. A command's id is indexed, so that its answer is found for ever.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import msgspec

from station.table import facts as f
from station.table.evolve import evolve
from station.table.state import Table
from station.upcast import FACT_VERSION, TooNew, upcast

GENESIS = "0" * 64
BUSY_MS = 10_000

_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (
    seq INTEGER PRIMARY KEY,
    utc TEXT NOT NULL,
    mono_ns INTEGER NOT NULL,
    boot TEXT NOT NULL,
    round INTEGER NOT NULL,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL,
    command TEXT
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS facts_command ON facts (command) WHERE command IS NOT NULL;
CREATE TABLE IF NOT EXISTS outbox (
    seq INTEGER PRIMARY KEY,
    audience TEXT NOT NULL,
    taken INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS checkpoints (
    seq INTEGER PRIMARY KEY,
    format TEXT NOT NULL,
    hash TEXT NOT NULL,
    state TEXT NOT NULL,
    digest TEXT NOT NULL
) STRICT;
"""
_INSERT = "INSERT INTO facts VALUES (?,?,?,?,?,?,?,?,?,?,?)"

_decoder = msgspec.json.Decoder(f.AnyFact)
_encoder = msgspec.json.Encoder(order="deterministic")
_state_decoder = msgspec.json.Decoder(Table)


class JournalError(Exception):
    """The journal cannot be used; the message says what, where and what to do."""


class JournalNewer(JournalError):
    """A later release wrote it: there is nothing wrong with it."""


class JournalDamaged(JournalError):
    """A row does not fit the chain: the station does not start on it."""


class JournalBusy(JournalError):
    """Another station has this journal."""


class JournalUnwritable(JournalError):
    """Nothing is damaged, and nothing can be written or read now: no space, or a busy file."""


_REMEDIES = {
    sqlite3.SQLITE_FULL: "make space on the disk, then start again; what is stored is safe",
    sqlite3.SQLITE_IOERR: "see that there is space and that the disk works, then start again",
    sqlite3.SQLITE_BUSY: "another program holds it; end that program, then start again",
    sqlite3.SQLITE_READONLY: "give this user the right to write the file and its folder",
    sqlite3.SQLITE_CANTOPEN: "see that the folder exists, has space and may be written",
}


def unusable(path: Path, error: sqlite3.Error) -> JournalError:
    """The journal's error for one of SQLite's: what a person can do, or that it is damaged."""
    # The low byte is the kind, the rest its detail.
    remedy = _REMEDIES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if remedy is not None:
        return JournalUnwritable(f"{path}: {error}; {remedy}")
    return JournalDamaged(f"{path}: {error}; keep the file, and call a technician")


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """SQLite's errors while a journal is read, as the journal's own that name the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise unusable(path, error) from error


class Stamp(NamedTuple):
    """When: UTC in ISO 8601, monotonic nanoseconds, and the boot they belong to."""

    utc: str
    mono_ns: int
    boot: str


class Row(NamedTuple):
    """One fact as stored."""

    seq: int
    utc: str
    mono_ns: int
    boot: str
    round: int
    kind: str
    version: int
    body: str
    prev: str
    hash: str

    @property
    def fact(self) -> f.AnyFact:
        """Raises JournalError for a fact this release cannot read."""
        try:
            return _decoder.decode(upcast(self.kind, self.version, self.body))
        except TooNew as error:
            raise JournalNewer(str(error)) from error
        except msgspec.MsgspecError as error:
            raise JournalDamaged(
                f"fact {self.seq} ({self.kind}) cannot be read: {error}; start the release that "
                "wrote it, or keep the file and call a technician"
            ) from error


def row_hash(
    seq: int, stamp: Stamp, round_: int, kind: str, version: int, body: str, prev: str
) -> str:
    """The chain's hash of one row, 64 hex digits."""
    text = (
        f"{seq}\n{stamp.utc}\n{stamp.mono_ns}\n{stamp.boot}\n{round_}\n{kind}\n{version}\n"
        f"{body}\n{prev}\n"
    )
    return hashlib.sha256(text.encode()).hexdigest()


def state_digest(table: Table) -> str:
    """SHA-256 of the state's canonical JSON, 64 hex digits: equal means equal bit for bit."""
    return hashlib.sha256(_encoder.encode(table)).hexdigest()


@functools.cache
def state_format() -> str:
    """Names the shape of a folded state and the release that folds it.

    A checkpoint of another format is passed over: facts are the truth, and they are folded anew.
    """
    shape = _encoder.encode(msgspec.json.schema(Table))
    return f"{metadata.version('dealer-station')}:{hashlib.sha256(shape).hexdigest()[:16]}"


def boot_id() -> str:
    """The kernel's id of this boot, which monotonic stamps belong to."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def _nowhere(_point: str) -> None:
    """The failpoint of a station that is not being tested."""


class Journal:
    """The writer. Raises JournalBusy when another station holds the file."""

    def __init__(self, path: Path, failpoint: Callable[[str], None] = _nowhere) -> None:
        self.path = path
        self._failpoint = failpoint
        self._lock = exclusive(path.with_name(path.name + ".lock"))
        try:
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
    ) -> int:
        """Commit the facts and the outbox rows of those that `hosts` are told, all or none.

        `taken`: the host has everything up to that fact. Returns the last sequence. Raises
        sqlite3.Error with nothing written.
        """
        rows: list[tuple[object, ...]] = []
        outbox: list[tuple[int, str]] = []
        seq, prev = self.seq, self.head
        for fact in facts:
            seq += 1
            body = _encoder.encode(fact).decode()
            kind = type(fact).__name__
            round_ = getattr(fact, "round", 0)
            digest = row_hash(seq, stamp, round_, kind, FACT_VERSION, body, prev)
            command = fact.command if isinstance(fact, f.CommandAnswered) else None
            rows.append((seq, *stamp, round_, kind, FACT_VERSION, body, prev, digest, command))
            if hosts(fact):
                outbox.append((seq, "host"))
            prev = digest
        self._write(rows, outbox, taken)
        self.seq, self.head = seq, prev
        return seq

    def _write(
        self, rows: list[tuple[object, ...]], outbox: list[tuple[int, str]], taken: int
    ) -> None:
        """One transaction, begun for writing: it never has to be upgraded."""
        self._failpoint("before_begin")
        self.db.execute("BEGIN IMMEDIATE")
        try:
            self.db.executemany(_INSERT, rows)
            if outbox:
                self.db.executemany("INSERT INTO outbox (seq, audience) VALUES (?,?)", outbox)
            if taken:
                self.db.execute("UPDATE outbox SET taken=1 WHERE taken=0 AND seq<=?", (taken,))
            self._failpoint("before_commit")
            self.db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self.db.execute("ROLLBACK")
            raise
        self._failpoint("after_commit")

    def probe(self) -> None:
        """Write something that says nothing. Raises sqlite3.Error while that is not possible."""
        self.db.execute("PRAGMA user_version=1")

    def checkpoint(self, table: Table) -> None:
        """Keep the folded state, so that the next start need not fold what came before."""
        state = _encoder.encode(table).decode()
        self.db.execute(
            "INSERT OR IGNORE INTO checkpoints VALUES (?,?,?,?,?)",
            (self.seq, state_format(), self.head, state, state_digest(table)),
        )

    def answer_of(self, command: str) -> tuple[f.CommandAnswered, int] | None:
        """The recorded answer to a command id and its sequence, or None."""
        row = self.db.execute("SELECT seq, body FROM facts WHERE command=?", (command,)).fetchone()
        if row is None:
            return None
        fact = _decoder.decode(row[1])
        if not isinstance(fact, f.CommandAnswered):
            raise JournalDamaged(f"fact {row[0]} carries a command id and is no answer")
        return fact, row[0]

    def outbox_after(self, after: int | None) -> list[Row]:
        """Facts for the host after that sequence; with None, all it has not acknowledged."""
        where = "outbox.taken=0" if after is None else "outbox.seq>?"
        query = (
            "SELECT facts.seq, utc, mono_ns, boot, round, kind, version, body, prev, hash "
            f"FROM outbox JOIN facts ON facts.seq=outbox.seq WHERE {where} ORDER BY facts.seq"
        )
        arguments = () if after is None else (after,)
        return [Row(*row) for row in self.db.execute(query, arguments)]

    def load(self) -> Table:
        """The table as the journal has it: last good checkpoint, then the fold of the rest."""
        return load(self.db, self.path)


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
        db.executescript(_SCHEMA)
        check = db.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.DatabaseError as error:
        db.close()
        raise unusable(path, error) from error
    if check != "ok":
        db.close()
        raise JournalDamaged(f"{path}: {check}; keep the file, and call a technician")
    return db


def rows(
    db: sqlite3.Connection, after: int = 0, *, round_: int | None = None, kind: str | None = None
) -> Iterator[Row]:
    """Stored facts in order, from after that sequence; of one round or one kind when named."""
    query = (
        "SELECT seq, utc, mono_ns, boot, round, kind, version, body, prev, hash FROM facts "
        "WHERE seq>?1 AND (?2 IS NULL OR round=?2) AND (?3 IS NULL OR kind=?3) ORDER BY seq"
    )
    for row in db.execute(query, (after, round_, kind)):
        yield Row(*row)


# By these facts a card leaves the shoe.
_LEFT = ("CardDealt", "CardExposed", "CardBurnedFirst")


class Left(NamedTuple):
    """The read by which a card left the shoe: its UTC ("" if not known) and its pictures."""

    utc: str = ""
    evidence: tuple[f.Picture, ...] = ()


def when_it_left(db: sqlite3.Connection, order: int, round_: int) -> Left:
    """The read by which the card of that place left the shoe, in that round.

    Only the facts since the shoe was loaded are looked at.
    """
    loaded = db.execute("SELECT seq FROM facts WHERE kind='ShoeLoaded' ORDER BY seq DESC LIMIT 1")
    (since,) = loaded.fetchone() or (0,)
    for row in rows(db, since, round_=round_):
        if row.kind in _LEFT and getattr(row.fact, "order", 0) == order:
            # A kept card is dealt later, under the same number. What was read stands right before
            # what became of it.
            read = next(rows(db, row.seq - 2)).fact
            return Left(row.utc, read.evidence if isinstance(read, f.Observed) else ())
    return Left()


def chained(db: sqlite3.Connection, path: Path, after: int, head: str) -> Iterator[Row]:
    """The facts after that sequence, each checked against the chain.

    Raises JournalDamaged naming the first row that does not fit.
    """
    expected = after + 1
    for row in rows(db, after):
        stamp = Stamp(row.utc, row.mono_ns, row.boot)
        fits = row.seq == expected and row.prev == head
        if not fits or row.hash != row_hash(
            row.seq, stamp, row.round, row.kind, row.version, row.body, row.prev
        ):
            instead = "" if row.seq == expected else f" where fact {expected} should be"
            raise JournalDamaged(
                f"{path}: fact {row.seq} ({row.kind}){instead} does not fit the chain; the last "
                f"good hash is {head}. Keep the file: a technician and a shift manager go on with "
                "`dealer-station journal quarantine`"
            )
        head = row.hash
        expected += 1
        yield row


def load(db: sqlite3.Connection, path: Path, *, checkpoints: bool = True) -> Table:
    """Fold the journal. Raises JournalDamaged where the chain or a checkpoint does not hold."""
    table, after, head = Table(), 0, GENESIS
    newest = (
        db.execute(
            "SELECT seq, hash, state, digest FROM checkpoints WHERE format=? "
            "ORDER BY seq DESC LIMIT 1",
            (state_format(),),
        ).fetchone()
        if checkpoints
        else None
    )
    if newest is not None:
        after, head, state, digest = newest
        table = _checkpoint(path, after, state, digest)
        stored = db.execute("SELECT hash FROM facts WHERE seq=?", (after,)).fetchone()
        if stored is None or stored[0] != head:
            raise JournalDamaged(f"{path}: the checkpoint at fact {after} is not of this chain")
    for row in chained(db, path, after, head):
        table = evolve(table, row.fact)
    return table


def _checkpoint(path: Path, seq: int, state: str, digest: str) -> Table:
    try:
        table = _state_decoder.decode(state)
    except msgspec.MsgspecError as error:
        raise JournalDamaged(f"{path}: the checkpoint at fact {seq}: {error}") from error
    if state_digest(table) != digest or table.version != seq:
        raise JournalDamaged(f"{path}: the checkpoint at fact {seq} does not match its digest")
    return table


class Verified(NamedTuple):
    """What `verify` found: facts, head of the chain, digest of the folded state, checkpoints."""

    facts: int
    head: str
    state: str
    checkpoints: int
    table: Table


def open_reader(path: Path) -> sqlite3.Connection:
    """A reader beside a running station. Raises JournalError when there is no journal."""
    if not path.is_file():
        raise JournalError(f"{path}: there is no journal; see [journal] path in the table's file")
    try:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
        db.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        db.execute("SELECT 1 FROM facts LIMIT 1")
    except sqlite3.Error as error:
        raise JournalError(f"{path}: not a journal that can be read: {error}") from error
    return db


def verify(path: Path) -> Verified:
    """The whole chain from the first fact, and every checkpoint against the fold."""
    db = open_reader(path)
    with contextlib.closing(db), reading(path):
        db.execute("BEGIN")
        points = dict(
            db.execute("SELECT seq, digest FROM checkpoints WHERE format=?", (state_format(),))
        )
        table, head = Table(), GENESIS
        for row in chained(db, path, 0, GENESIS):
            table = evolve(table, row.fact)
            head = row.hash
            if row.seq in points and points[row.seq] != state_digest(table):
                raise JournalDamaged(
                    f"{path}: the checkpoint at fact {row.seq} is not the fold of the facts"
                )
        return Verified(table.version, head, state_digest(table), len(points), table)
