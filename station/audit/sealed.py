"""Checking the seals of a journal against its facts, while it is folded."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left, bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from station.audit.checks import damage, stamp_of
from station.audit.reading import (
    JournalDamaged,
    Row,
    has_table,
    state_digest,
    state_format,
)
from station.audit.seals import SEALED, KeyRow, Seal, key_rows, key_text, seal_text
from station.table.state import Table

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_KINDS = frozenset(kind.__name__ for kind in SEALED)


class Sealed(NamedTuple):
    """What the seals of a journal are worth.

    `seals` of them hold, the last of fact `last`; `unsealed` facts come after it. `keys` are the
    fingerprints of the keys, oldest first; `given` is the one they were checked with, "" for the
    journal's own. `earlier` seals are older than the given key, `lost` are the facts from which on
    a key is in force that the one before did not sign, `states` seals were made by another release,
    whose states were not compared.
    """

    seals: int = 0
    last: int = 0
    unsealed: int = 0
    keys: tuple[str, ...] = ()
    given: str = ""
    earlier: int = 0
    lost: tuple[int, ...] = ()
    states: int = 0


class SealCheck:
    """Takes each fact and the table after it; raises JournalDamaged naming the fact."""

    def __init__(
        self,
        db: sqlite3.Connection,
        path: Path,
        given: Ed25519PublicKey | None,
        after: int,
    ) -> None:
        from station.audit import keys

        self._tools = keys
        self._path = path
        self._after = after
        there = has_table(db, "seals") and has_table(db, "keys")
        query = "SELECT seq, hash, state, format, key, signature FROM seals ORDER BY seq"
        self._seals = [Seal(*row) for row in db.execute(query)] if there else []
        self._keys = key_rows(db) if there else []
        self._from = [row.seq for row in self._keys]
        self._seqs = [seal.seq for seal in self._seals]
        self._public = [self._public_of(row) for row in self._keys]
        self._names = [keys.fingerprint(public) for public in self._public]
        self._given = keys.fingerprint(given) if given is not None else ""
        self._at = 0
        self._states = 0
        self._owed: Row | None = None
        self.format = ""
        self.first_key = self._from[0] if self._from else None

    def _public_of(self, row: KeyRow) -> Ed25519PublicKey:
        try:
            return self._tools.public_from(row.public)
        except ValueError as error:
            raise JournalDamaged(
                f"{self._path}: the key in force from fact {row.seq} on is none; keep the file, "
                "and call a technician"
            ) from error

    def ahead(self, row: Row) -> None:
        """Before the fact is folded: which release wrote it, as its start's seal says."""
        owed = self._owed
        if owed is not None and stamp_of(row) != stamp_of(owed):
            raise damage(self._path, owed.seq, owed.kind, "it was sealed, and the seal is missing")
        if row.kind == "StationStarted" or row.seq == self._after + 1:
            self.format = self._format_from(row)

    def _format_from(self, row: Row) -> str:
        at = bisect_left(self._seqs, row.seq)
        if self.first_key is None or row.seq < self.first_key or at == len(self._seals):
            return ""
        return self._seals[at].format

    def take(self, row: Row, table: Table) -> None:
        if row.kind in _KINDS and self.first_key is not None and row.seq >= self.first_key:
            self._owed = self._owed or row
        if self._at == len(self._seals) or self._seals[self._at].seq > row.seq:
            return
        seal = self._seals[self._at]
        self._at += 1
        if fault := self._fault(seal, row, table):
            raise damage(self._path, row.seq, row.kind, fault)
        self._owed = None

    def _fault(self, seal: Seal, row: Row, table: Table) -> str:
        """What is wrong with a seal, "" if nothing is."""
        if seal.seq != row.seq:
            return f"there is a seal of fact {seal.seq}, which is missing"
        if seal.hash != row.hash:
            return "its seal is of another hash"
        at = bisect_right(self._from, seal.seq) - 1
        if at < 0 or seal.key != self._names[at]:
            return f"its seal is not of the key in force ({_short(seal.key)})"
        text = seal_text(table.id, seal.seq, seal.hash, seal.state)
        if not self._tools.signed_by(self._public[at], seal.signature, text):
            return "its seal's signature does not hold"
        # What seals a file before it is closed may be a later release than the last start's.
        if self._owed is not None and seal.format != self.format:
            return "its seal is changed (the release that made it)"
        if seal.format != state_format():
            self._states += 1
        elif seal.state != state_digest(table):
            return "its seal is of another state than the facts give"
        return ""

    def finish(self, last: int, head: str, table: Table) -> Sealed:
        """At the end of the facts. `last`, `head`: the last one and its hash."""
        if self._at < len(self._seals):
            seal = self._seals[-1]
            raise JournalDamaged(
                f"{self._path}: facts {last + 1} to {seal.seq} are missing: fact {seal.seq} was "
                f"sealed, and the journal ends at fact {last} ({head}). Keep the file, and call a "
                "technician"
            )
        if self._owed is not None:
            row = self._owed
            raise damage(self._path, row.seq, row.kind, "it was sealed, and the seal is missing")
        lost = self._key_chain(table.id, last)
        sealed = self._seqs[-1] if self._seqs else self._after
        return Sealed(
            len(self._seals),
            self._seqs[-1] if self._seqs else 0,
            last - sealed if self._keys else 0,
            tuple(self._names),
            self._given,
            self._trusted(lost),
            lost,
            self._states,
        )

    def _key_chain(self, table: str, last: int) -> tuple[int, ...]:
        """Each key is signed by the one before it. Returns from where on one is not."""
        lost: list[int] = []
        for at, row in enumerate(self._keys):
            before = at - 1 if at and row.signer == self._names[at - 1] else at
            text = key_text(table, row.seq, row.public, row.signer)
            holds = self._tools.signed_by(self._public[before], row.signature, text)
            if row.signer != self._names[before] or not holds or row.seq > last + 1:
                raise JournalDamaged(
                    f"{self._path}: the key in force from fact {row.seq} on is not signed as it "
                    "was; keep the file, and call a technician"
                )
            if at and before == at:
                lost.append(row.seq)
        return tuple(lost)

    def _trusted(self, lost: tuple[int, ...]) -> int:
        """How many seals are older than the given key. Raises when it does not vouch for later."""
        if not self._given:
            return 0
        if self._given not in self._names:
            raise JournalDamaged(
                f"{self._path}: nothing in it is sealed with the key given "
                f"({_short(self._given)}): another station's, or the seals were made anew"
            )
        since = self._from[self._names.index(self._given)]
        for seq in lost:
            if seq > since:
                raise JournalDamaged(
                    f"{self._path}: from fact {seq} on it is sealed with a key for which the one "
                    "given does not vouch; ask the house for the record of that change and give "
                    "the later key"
                )
        return bisect_left(self._seqs, since)


def _short(mark: str) -> str:
    return "".join(c for c in mark[:16] if c.isalnum())
