"""Reading a journal: its rows, the chain that binds them, and the table they fold to.

Each row carries sequence, UTC and monotonic stamp, boot id, round, kind, version, body, the hash
of the row before and its own: SHA-256 over the fields in that order, each followed by a line feed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import sqlite3
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from station.audit.schema import COLUMNS
from station.table import facts as f
from station.table.evolve import evolve
from station.table.state import Table
from station.upcast import TooNew, upcast

GENESIS = "0" * 64
BUSY_MS = 10_000

_decoder = msgspec.json.Decoder(f.AnyFact)
encoder = msgspec.json.Encoder(order="deterministic")
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
    # SQLite's words may quote what it found there, which can be long and anything.
    said = printable(error, 160)
    return JournalDamaged(f"{path}: {said}; keep the file, and call a technician")


def printable(text: object, length: int = 40) -> str:
    """What of something damaged can be shown on one line."""
    if isinstance(text, bytes):
        text = text.decode(errors="replace")
    return "".join(c if c.isprintable() else "?" for c in str(text))[:length]


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """SQLite's errors while a journal is read, as the journal's own that name the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise unusable(path, error) from error
    except UnicodeDecodeError as error:
        # The sqlite3 module cannot even quote what SQLite says of the file.
        raise JournalDamaged(f"{path}: not text; keep the file, and call a technician") from error


@contextlib.contextmanager
def untyped(path: Path) -> Iterator[None]:
    """Damage may put a number, or nothing at all, where the station writes text."""
    try:
        yield
    except (TypeError, AttributeError) as error:
        raise JournalDamaged(
            f"{path}: a row holds what is never written there ({printable(error, 80)}); keep the "
            "file, and call a technician"
        ) from error


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
    return hashlib.sha256(encoder.encode(table)).hexdigest()


def digest_of(state: str) -> str:
    """SHA-256 of a state's JSON as stored, 64 hex digits."""
    return hashlib.sha256(state.encode()).hexdigest()


@functools.cache
def state_format() -> str:
    """Names the shape of a folded state and the release that folds it.

    A checkpoint of another format is passed over: facts are the truth, and they are folded anew.
    """
    shape = encoder.encode(msgspec.json.schema(Table))
    return f"{metadata.version('dealer-station')}:{hashlib.sha256(shape).hexdigest()[:16]}"


def boot_id() -> str:
    """The kernel's id of this boot, which monotonic stamps belong to."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def rows(
    db: sqlite3.Connection,
    after: int = 0,
    *,
    round_: int | None = None,
    kind: str | None = None,
    table: str = "facts",
) -> Iterator[Row]:
    """Stored facts in order, from after that sequence; of one round or one kind when named.

    `table`: `facts`, or `carried` for those taken along from the file before.
    """
    query = (
        f"SELECT {COLUMNS} FROM {table} "
        "WHERE seq>?1 AND (?2 IS NULL OR round=?2) AND (?3 IS NULL OR kind=?3) ORDER BY seq"
    )
    for row in db.execute(query, (after, round_, kind)):
        yield Row(*row)


def known_rows(db: sqlite3.Connection, *, kind: str | None = None) -> Iterator[Row]:
    """The facts taken along from the file before, and this file's, in order."""
    if has_table(db, "carried"):
        yield from rows(db, kind=kind, table="carried")
    yield from rows(db, kind=kind)


# By these facts a card leaves the shoe.
_LEFT = ("CardDealt", "CardExposed", "CardBurnedFirst")


class Left(NamedTuple):
    """The read by which a card left the shoe: its UTC ("" if not known) and its pictures."""

    utc: str = ""
    evidence: tuple[f.Picture, ...] = ()


def when_it_left(db: sqlite3.Connection, order: int, round_: int) -> Left:
    """The read by which the card of that place left the shoe, in that round.

    Only the facts since the shoe was loaded are looked at, also those of a file before this one.
    """
    newest = "SELECT seq FROM {} WHERE kind='ShoeLoaded' ORDER BY seq DESC LIMIT 1"
    found = db.execute(newest.format("facts")).fetchone()
    tables = ["facts"]
    if found is None and has_table(db, "carried"):
        found = db.execute(newest.format("carried")).fetchone()
        tables = ["carried", "facts"]
    (since,) = found or (0,)
    for table in tables:
        for row in rows(db, since, round_=round_, table=table):
            if row.kind in _LEFT and getattr(row.fact, "order", 0) == order:
                # A kept card is dealt later, under the same number. What was read stands right
                # before what became of it.
                read = next(rows(db, row.seq - 2, table=table)).fact
                return Left(row.utc, read.evidence if isinstance(read, f.Observed) else ())
    return Left()


def has_table(db: sqlite3.Connection, name: str) -> bool:
    """Whether the file has that table: those of earlier releases lack some."""
    query = "SELECT 1 FROM sqlite_master WHERE type='table' AND name=?"
    return db.execute(query, (name,)).fetchone() is not None


class Start(NamedTuple):
    """Where a file's chain begins: the sequence and hash before its first fact, the table then."""

    after: int = 0
    head: str = GENESIS
    table: Table = Table()


def start_of(db: sqlite3.Connection, path: Path) -> Start:
    """Nothing and genesis, or where the file before this one ended.

    Raises JournalDamaged when what was carried over is not what the first fact says.
    """
    first = next(rows(db), None)
    if first is None or first.kind != "JournalRotated":
        return Start()
    if first.hash != hash_of(first):
        raise misfit(path, first, first.seq, "unknown")
    fact = first.fact
    if not isinstance(fact, f.JournalRotated) or (fact.facts, fact.head) != (
        first.seq - 1,
        first.prev,
    ):
        raise misfit(path, first, first.seq, first.prev)
    base = db.execute(
        "SELECT hash, state, digest FROM checkpoints WHERE seq=?", (fact.facts,)
    ).fetchone()
    where = f"{path}: the state that fact {first.seq} (JournalRotated) carries over"
    if (
        base is None
        or base[0] != fact.head
        or base[2] != fact.state
        or digest_of(base[1]) != base[2]
    ):
        raise JournalDamaged(f"{where} is missing or changed; keep the file, call a technician")
    try:
        table = _state_decoder.decode(base[1])
    except msgspec.MsgspecError as error:
        raise JournalNewer(
            f"{where} is of another release ({error}): start the release that wrote it"
        ) from error
    return Start(fact.facts, fact.head, table)


def hash_of(row: Row) -> str:
    """The hash that a row's fields give."""
    stamp = Stamp(row.utc, row.mono_ns, row.boot)
    return row_hash(row.seq, stamp, row.round, row.kind, row.version, row.body, row.prev)


def misfit(path: Path, row: Row, expected: int, head: str) -> JournalDamaged:
    """The error that names a row that does not fit the chain."""
    instead = "" if row.seq == expected else f" where fact {expected} should be"
    return JournalDamaged(
        f"{path}: fact {row.seq} ({printable(row.kind)}){instead} does not fit the chain; the "
        f"last good hash is {head}. Keep the file: a technician and a shift manager go on with "
        "`dealer-station journal quarantine`"
    )


def chained(db: sqlite3.Connection, path: Path, after: int, head: str) -> Iterator[Row]:
    """The facts after that sequence, each checked against the chain.

    Raises JournalDamaged naming the first row that does not fit, or cannot be read at all.
    """
    expected = after + 1
    found = rows(db, after)
    while True:
        try:
            row = next(found, None)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise _unreadable(db, path, expected, error) from error
        if row is None:
            return
        if row.seq != expected or row.prev != head or row.hash != hash_of(row):
            raise misfit(path, row, expected, head)
        head = row.hash
        expected += 1
        yield row


def _unreadable(
    db: sqlite3.Connection, path: Path, expected: int, error: Exception
) -> JournalError:
    """A row that SQLite or UTF-8 refuses; what is no damage stays the error it is."""
    if isinstance(error, sqlite3.Error):
        known = unusable(path, error)
        if not isinstance(known, JournalDamaged):
            return known
    kind: object = "kind not readable"
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        found = db.execute("SELECT CAST(kind AS BLOB) FROM facts WHERE seq=?", (expected,))
        (kind,) = found.fetchone() or (kind,)
    return JournalDamaged(
        f"{path}: fact {expected} ({printable(kind)}) cannot be read: {printable(error)}; keep "
        "the file, and call a technician"
    )


def load(db: sqlite3.Connection, path: Path, *, checkpoints: bool = True) -> Table:
    """Fold the journal. Raises JournalDamaged where the chain or a checkpoint does not hold."""
    after, head, table = start_of(db, path)
    newest = (
        db.execute(
            "SELECT seq, hash, state, digest FROM checkpoints WHERE format=? AND seq>? "
            "ORDER BY seq DESC LIMIT 1",
            (state_format(), after),
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


def open_reader(path: Path) -> sqlite3.Connection:
    """A reader beside a running station. Raises JournalError when there is no journal."""
    if not path.is_file():
        raise JournalError(f"{path}: there is no journal; see [journal] path in the table's file")
    try:
        db = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise JournalError(f"{path}: not a journal that can be read: {error}") from error
    try:
        db.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        db.execute("SELECT 1 FROM facts LIMIT 1")
    except (sqlite3.Error, UnicodeDecodeError) as error:
        db.close()
        said = printable(error, 160)
        raise JournalError(f"{path}: not a journal that can be read: {said}") from error
    return db
