"""Showing, exporting and copying a journal, beside the station that writes it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from station.audit.reading import start_of
from station.journal import (
    JournalError,
    Row,
    Verified,
    chained,
    open_reader,
    reading,
    rows,
    verify,
)
from station.table import facts as f


def shown_lines(
    path: Path, round_: int | None, last: int, *, bare: bool, as_json: bool
) -> Iterator[str]:
    """Facts as lines, in one consistent reading. Raises JournalError, also for a round there is
    not.
    """
    db = open_reader(path)
    with contextlib.closing(db), reading(path):
        db.execute("BEGIN")
        first, end = span(db, path, round_)
        found = (row for row in rows(db, first - 1) if end is None or row.seq < end)
        chosen = list(found)[-last:] if last else found
        for row in chosen:
            if as_json:
                yield msgspec.json.encode(_document(row, bare=bare)).decode()
            else:
                yield _plain(row, bare=bare)


def span(db: sqlite3.Connection, path: Path, round_: int | None) -> tuple[int, int | None]:
    """The first fact of a round and the first after it, or None when nothing is.

    A round is everything from its opening to the opening of the next: what was read, held and
    answered carries no round's number of its own. Round 0 is what was before the first. Raises
    JournalError.
    """
    if round_ is None:
        return 1, None
    opened = "SELECT MIN(seq) FROM facts WHERE kind='RoundOpened' AND "
    first = db.execute(opened + "round=?", (round_,)).fetchone()[0] if round_ else 1
    if first is None:
        raise JournalError(f"{path}: no round {round_} in this journal")
    return first, db.execute(opened + "round>?", (round_,)).fetchone()[0]


def _document(row: Row, *, bare: bool) -> dict[str, Any]:
    body = msgspec.json.decode(row.body)
    if bare:
        return {"seq": row.seq, "round": row.round, "kind": row.kind, "body": body}
    return {**row._asdict(), "body": body}


def _plain(row: Row, *, bare: bool) -> str:
    body = msgspec.json.decode(row.body)
    body.pop("fact", None)
    fields = " ".join(f"{name}={_value(value)}" for name, value in body.items())
    stamp = "" if bare else f"{row.utc}  "
    return f"{row.seq:>7}  {stamp}{row.kind:17} {fields}"


def _value(value: Any) -> str:
    if isinstance(value, dict) and {"rank", "suit"} <= value.keys():
        deck = f"/{value['set']}{value['deck']}" if value.get("deck") else ""
        return f"{value['rank']}{value['suit']}{deck}"
    if isinstance(value, str):
        return value if value and " " not in value else f'"{value}"'
    return msgspec.json.encode(value).decode()


def export_lines(path: Path, round_: int | None) -> Iterator[str]:
    """Verified facts as JSON lines, in one consistent reading. Raises JournalError."""
    db = open_reader(path)
    with contextlib.closing(db), reading(path):
        db.execute("BEGIN")
        first, end = span(db, path, round_)
        after, head, _ = start_of(db, path)
        for row in chained(db, path, after, head):
            if first <= row.seq and (end is None or row.seq < end):
                yield msgspec.json.encode(row._asdict()).decode()


def table_of(path: Path) -> tuple[str, str]:
    """The table whose journal it is, and its kind: live or test. Raises JournalError."""
    db = open_reader(path)
    with contextlib.closing(db), reading(path):
        for kind in ("StationStarted", "JournalContinued", "JournalRotated"):
            for row in rows(db, kind=kind):
                fact = row.fact
                if isinstance(fact, f.StationStarted | f.JournalContinued | f.JournalRotated):
                    return fact.table, fact.kind
    return "", "test"


def write_whole(file: Path, lines: Iterator[str]) -> int:
    """Write a file whole or not at all, for its owner only: it tells of people and money.

    Returns the number of lines.
    """
    fresh = file.with_name(file.name + ".new")
    count = 0
    fresh.unlink(missing_ok=True)
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            for line in lines:
                out.write(line + "\n")
                count += 1
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)
    return count


def backup(path: Path, file: Path) -> Verified:
    """Copy with SQLite's backup, which takes what is still in the write-ahead log along.

    Raises JournalError when the copy exists already, or does not verify.
    """
    if file.exists():
        raise JournalError(f"{file}: exists already; choose another name")
    source = open_reader(path)
    with contextlib.closing(source):
        try:
            with contextlib.closing(sqlite3.connect(file)) as copy:
                source.backup(copy)
                # One file that is complete by itself, also where it is only read.
                copy.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.Error as error:
            file.unlink(missing_ok=True)
            raise JournalError(f"{file}: the copy failed: {error}") from error
    file.chmod(0o600)
    return verify(file)
