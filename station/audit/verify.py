"""Verifying a journal from its first fact: chain, fold, checkpoints, seals, outbox, the file."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from station.audit.checks import Checkpoints, Commands, Outbox, check_carried, check_file
from station.audit.reading import chained, open_reader, reading, start_of, state_digest, untyped
from station.audit.sealed import SealCheck, Sealed
from station.table.evolve import evolve
from station.table.state import Table

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Verified(NamedTuple):
    """What `verify` found: the last fact's sequence and hash, the digest of the folded state, how
    many checkpoints are its fold, and the table.

    `first`: the sequence of the file's first fact, 0 if it has none; `waiting`: facts hosts have
    not acknowledged; `passed_over`: checkpoints of other releases.
    """

    facts: int
    head: str
    state: str
    checkpoints: int
    table: Table
    first: int = 0
    waiting: int = 0
    passed_over: int = 0
    sealed: Sealed = Sealed()


def verify(path: Path, key: Ed25519PublicKey | None = None) -> Verified:
    """Everything that can be checked of one file. `key`: the station's public key, which was kept
    elsewhere; without it the journal's own keys are used.

    Raises JournalDamaged, which names the first bad fact, or another JournalError.
    """
    with contextlib.closing(open_reader(path)) as db, reading(path), untyped(path):
        db.execute("BEGIN")
        return verified(db, path, key)


def verified(db: sqlite3.Connection, path: Path, key: Ed25519PublicKey | None = None) -> Verified:
    """The same of an open file, within one transaction."""
    after, head, table = start_of(db, path)
    # The chain first by itself would read everything twice: what names a fact is asked before
    # SQLite's check, which names pages.
    seals = SealCheck(db, path, key, after)
    points = Checkpoints(db, path, after)
    commands = Commands(db, path)
    outbox = Outbox(db, path, seals.first_key)
    first, begun = 0, None
    for row in chained(db, path, after, head):
        fact = row.fact
        if not first:
            first, begun = row.seq, fact
        seals.ahead(row)
        table = evolve(table, fact)
        head = row.hash
        commands.take(row, fact)
        points.take(row, table, seals.format)
        outbox.take(row, fact, table, seals.format)
        seals.take(row, table)
    last = table.version
    sealed = seals.finish(last, head, table)
    points.finish()
    outbox.finish()
    check_carried(db, path, begun)
    check_file(db, path)
    return Verified(
        last,
        head,
        state_digest(table),
        points.good,
        table,
        first,
        outbox.waiting,
        points.passed_over,
        sealed,
    )
