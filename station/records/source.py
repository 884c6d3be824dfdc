"""A round as a journal has it: the table before it, its facts, and what was said of it later."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from station.audit.reading import hash_of, start_of, untyped
from station.cli_journal import span
from station.game import facts as g
from station.journal import (
    JournalDamaged,
    JournalError,
    Row,
    chained,
    open_reader,
    reading,
    rows,
    state_digest,
    state_format,
)
from station.table import facts as f
from station.table.evolve import evolve
from station.table.state import Table

_state_decoder = msgspec.json.Decoder(Table)

# What ends a round, so that no card or stake of it is open any more.
ENDED = ("RoundCleared", "RoundVoided", "RoundEmpty")
# What may name a round after it was over.
_LATER = frozenset(
    {"RoundsMarked", "ShoeReconciled", "TableHeld", "RoundDisputed", "DisputeAnswered"}
)


class Found(NamedTuple):
    """A round of a journal. `before`: the table before the first of `rows`, `head` the hash which
    that one follows; `later`: facts after them that name the round or count its shoe. `opened`:
    the fact that opened it.
    """

    round: int
    opened: int
    before: Table
    head: str
    rows: tuple[Row, ...]
    later: tuple[Row, ...]

    @property
    def ended(self) -> Row | None:
        """The fact that ended it, None while it runs."""
        return next(
            (row for row in self.rows if row.kind in ENDED and row.round == self.round), None
        )


@contextlib.contextmanager
def journal(path: Path) -> Iterator[sqlite3.Connection]:
    """One consistent reading of a journal, beside who writes it. Raises JournalError."""
    with contextlib.closing(open_reader(path)) as db, reading(path), untyped(path):
        db.execute("BEGIN")
        yield db


def number_of(db: sqlite3.Connection, path: Path, name: str) -> int:
    """The round that is meant: its number, or `last` one opened. Raises JournalError."""
    if name != "last":
        if not name.isdecimal() or not 1 <= int(name) < 2**53:
            raise JournalError(f"round {name!r}: give a round's number, or `last`")
        return int(name)
    row = db.execute(
        "SELECT round FROM facts WHERE kind='RoundOpened' ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    if row is None:
        raise JournalError(f"{path}: no round has been opened in this journal yet")
    return int(row[0])


def extent(db: sqlite3.Connection, path: Path, round_: int) -> tuple[int, int | None]:
    """The fact that opened a round and the one that opened the next, None if none did.

    Raises JournalError; of a round in the journal before this one it says where that is.
    """
    try:
        return span(db, path, round_)
    except JournalError:
        earlier = _earlier(db, path, round_)
        if earlier:
            raise JournalError(
                f"{path}: round {round_} is in the journal before this one; name that: "
                f"--journal {path.with_name(Path(earlier).name)}"
            ) from None
        raise


def _earlier(db: sqlite3.Connection, path: Path, round_: int) -> str:
    """The file before this one, if it may have that round."""
    first = next(rows(db), None)
    fact = first.fact if first is not None else None
    if isinstance(fact, f.JournalContinued) and round_ <= fact.rounds:
        return fact.sealed
    if isinstance(fact, f.JournalRotated) and round_ <= start_of(db, path).table.game.rounds:
        return fact.closed
    return ""


def table_before(db: sqlite3.Connection, path: Path, seq: int) -> tuple[Table, str]:
    """The table before that fact and the hash it follows: a good checkpoint, and the verified fold
    of what came after it. Raises JournalDamaged.
    """
    table, after, head = nearest(db, path, seq)
    if after == seq - 1:
        return table, head
    for row in chained(db, path, after, head):
        table, head = evolve(table, row.fact), row.hash
        if row.seq == seq - 1:
            return table, head
    raise JournalError(f"{path}: there is no fact {seq - 1}")


def nearest(db: sqlite3.Connection, path: Path, seq: int) -> tuple[Table, int, str]:
    """The last checkpoint before that fact: table, its fact and that one's hash; or where the file
    begins.

    Raises JournalDamaged for one that is not what it says.
    """
    found = db.execute(
        "SELECT seq, hash, state, digest FROM checkpoints WHERE format=? AND seq<? "
        "ORDER BY seq DESC LIMIT 1",
        (state_format(), seq),
    ).fetchone()
    if found is None:
        begin = start_of(db, path)
        return begin.table, begin.after, begin.head
    at, head, state, digest = found
    stored = db.execute("SELECT hash FROM facts WHERE seq=?", (at,)).fetchone()
    begin = start_of(db, path)
    if at == begin.after:
        # The state a rotated file begins with: its fact is in the file before.
        stored = (begin.head,)
    try:
        table = _state_decoder.decode(state)
    except msgspec.MsgspecError as error:
        raise JournalDamaged(f"{path}: the checkpoint at fact {at}: {error}") from error
    if stored is None or stored[0] != head or state_digest(table) != digest:
        raise JournalDamaged(
            f"{path}: the checkpoint at fact {at} is not of this chain; `dealer-station journal "
            "verify` says what holds"
        )
    return table, int(at), str(head)


def find(
    db: sqlite3.Connection, path: Path, round_: int, first: int = 0, last: int | None = None
) -> Found:
    """A round with its facts, from its opening to the next one's, or from `first` to `last`.

    Raises JournalError where there is no such round, JournalDamaged where the chain does not hold.
    """
    opened, end = extent(db, path, round_)
    first = first or opened
    before, head = table_before(db, path, first)
    found: list[Row] = []
    for row in chained(db, path, first - 1, head):
        if (end is not None and row.seq >= end) or (last is not None and row.seq > last):
            break
        found.append(row)
    shoe = next((row.fact.shoe for row in found if isinstance(row.fact, g.RoundOpened)), "")
    after = found[-1].seq if found else first - 1
    return Found(
        round_, opened, before, head, tuple(found), tuple(_named(db, path, after, round_, shoe))
    )


def _named(db: sqlite3.Connection, path: Path, after: int, round_: int, shoe: str) -> Iterator[Row]:
    """Facts after that one that name the round, or count the shoe it was dealt from."""
    for row in rows(db, after):
        if row.kind not in _LATER or not names(row.fact, round_, shoe):
            continue
        if not whole(row):
            raise JournalDamaged(
                f"{path}: fact {row.seq} ({row.kind}) is not what its hash says; `dealer-station "
                "journal verify` says what holds"
            )
        yield row


def whole(row: Row) -> bool:
    """Whether a row is what its own hash says."""
    return row.hash == hash_of(row)


def names(fact: f.AnyFact, round_: int, shoe: str) -> bool:
    """Whether a fact is about that round, or about the count of its shoe."""
    match fact:
        case g.RoundsMarked():
            return round_ in fact.rounds
        case g.ShoeReconciled():
            return fact.shoe == shoe
        case f.TableHeld():
            return fact.params.get("first_round") == round_
        case _:
            return getattr(fact, "round", 0) == round_
