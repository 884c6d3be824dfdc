"""A round as one file that another machine can verify and replay, with this program alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from station.cli_evidence import folder, removed_names
from station.evidence import State, read_picture, state_of
from station.journal import JournalError, Row, rows, state_format
from station.records import parcel as p
from station.records.archive import packed, write
from station.records.sealing import Seals, of_round
from station.records.source import Found, extent, find, journal, number_of

# By these the money of a round is done; its seal is in the same transaction.
ENDS = ("RoundSettled", "RoundVoided", "RoundEmpty")


class Exported(Struct, frozen=True):
    """What was written: `size` in bytes. `lacking`: pictures that were not as they had been read,
    though no fact says that they were taken away.
    """

    manifest: p.Manifest
    size: int
    sealed: bool
    lacking: tuple[str, ...]


class _Kept(NamedTuple):
    states: dict[str, State]
    named: tuple[p.Pictured, ...]
    data: dict[str, bytes]


def export(path: Path, name: str, file: Path, *, digits: int, unfinished: bool = False) -> Exported:
    """Write a round, whole or not at all, never over what is there.

    Raises JournalError, also for a round that still runs unless `unfinished`; EvidenceRefused.
    """
    if file.exists() or file.is_symlink():
        raise JournalError(f"{file}: exists already; choose another name")
    gone = removed_names(path)
    with journal(path) as db:
        number = number_of(db, path, name)
        found, seals = _facts(db, path, number, unfinished=unfinished)
    kept = _pictures(path, found.rows, gone)
    parts = _parts(found, seals, kept, digits)
    manifest = _manifest(found, kept, parts, digits)
    data = packed({**parts, p.MANIFEST: p.document(manifest)})
    try:
        write(file, data)
    except FileExistsError:
        raise JournalError(f"{file}: exists already; choose another name") from None
    except OSError as error:
        raise JournalError(
            f"{file}: {error.strerror or error}; nothing was exported: name another place"
        ) from error
    lacking = tuple(one.name for one in kept.named if one.state in ("missing", "changed"))
    return Exported(manifest, len(data), seals.after is not None, lacking)


def _facts(
    db: sqlite3.Connection, path: Path, number: int, *, unfinished: bool
) -> tuple[Found, Seals]:
    """From the seal before the round to the one that ends it."""
    opened, end = extent(db, path, number)
    ended = _ended(db, opened, end, number)
    if ended is None and not unfinished:
        raise JournalError(
            f"round {number} is still running: export it when it is settled or void, or now, "
            "without its end, with --unfinished"
        )
    seals = of_round(db, opened, ended.seq if ended else None)
    first = seals.before.seq + 1 if seals.before else opened
    last = None
    if ended is not None:
        last = seals.after.seq if seals.after else _same_decision(db, ended)
    return find(db, path, number, first, last), seals


def _ended(db: sqlite3.Connection, opened: int, end: int | None, number: int) -> Row | None:
    for row in rows(db, opened - 1, round_=number):
        if end is not None and row.seq >= end:
            return None
        if row.kind in ENDS:
            return row
    return None


def _same_decision(db: sqlite3.Connection, ended: Row) -> int:
    """The last fact of the transaction: all of one have one stamp."""
    last = ended.seq
    for row in rows(db, ended.seq):
        if (row.utc, row.mono_ns) != (ended.utc, ended.mono_ns):
            break
        last = row.seq
    return last


def _pictures(path: Path, rows_: tuple[Row, ...], gone: frozenset[str]) -> _Kept:
    states: dict[str, State] = {}
    named: list[p.Pictured] = []
    data: dict[str, bytes] = {}
    with folder(path) as handle:
        for seq, picture in p.named_pictures(rows_):
            state = state_of(handle, picture, removed=picture.name in gone)
            there = None
            if state == "kept" and handle is not None:
                there = read_picture(handle, picture.name)
            if state == "kept" and there is not None:
                data[p.PICTURES + picture.name] = there
            states[picture.name] = state
            named.append(p.Pictured(seq, picture.name, picture.sha256, state))
    return _Kept(states, tuple(named), data)


def _parts(found: Found, seals: Seals, kept: _Kept, digits: int) -> dict[str, bytes]:
    story = p.story_of(found.before, found.rows, found.later, found.round, kept.states)
    return {
        p.BEFORE: p.encode_state(found.before),
        p.FACTS: p.lines_of(found.rows),
        p.LATER: p.lines_of(found.later),
        p.SEALS: p.document(seals),
        **p.texts(story, digits, seals, found.rows[-1]),
        **kept.data,
    }


def _manifest(found: Found, kept: _Kept, parts: dict[str, bytes], digits: int) -> p.Manifest:
    table = found.before
    for row in found.rows:
        if row.kind in ENDS and row.round == found.round:
            finished = True
            break
    else:
        finished = False
    return p.Manifest(
        version=p.VERSION,
        what="dealer-station round",
        release=p.release(),
        format=state_format(),
        table=table.id,
        kind=table.kind,
        round=found.round,
        first=found.rows[0].seq,
        opened=found.opened,
        last=found.rows[-1].seq,
        before=found.head,
        head=found.rows[-1].hash,
        digits=digits,
        finished=finished,
        pictures=kept.named,
        parts=tuple(p.part_of(name, data) for name, data in sorted(parts.items())),
    )
