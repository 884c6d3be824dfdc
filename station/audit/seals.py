"""Seals: at each round's end the station signs where its journal and its table stand.

A seal is stored in the transaction of the facts it seals. It signs the table's id, the sequence and
the hash of the transaction's last fact, which binds every fact before it, and the digest of the
state there, from which an exported round can be replayed.

`keys` says which key is in force from which fact on. Each row is signed by the key before it, the
first by itself. A key that had to be replaced because it was lost is signed by itself, too:
`verify` tells that.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from station.audit.reading import state_digest, state_format
from station.game import facts as g
from station.table import facts as f
from station.table.state import Table

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# By these a round ends, a shoe ends, or a start or a file begins.
SEALED = (
    g.RoundSettled,
    g.RoundVoided,
    g.RoundEmpty,
    g.ShoeOut,
    f.StationStarted,
    f.JournalContinued,
    f.JournalRotated,
)
ENDS = ("RoundSettled", "RoundVoided", "RoundEmpty")


class Seal(NamedTuple):
    """A row of `seals`."""

    seq: int
    hash: str
    state: str
    format: str
    key: str
    signature: str


class KeyRow(NamedTuple):
    """A row of `keys`: in force from the fact `seq` on; `public` is hex, `signer` a fingerprint."""

    seq: int
    public: str
    signer: str
    signature: str


class Prepared(NamedTuple):
    """What a transaction is to store beside its facts."""

    seal: Seal
    key: KeyRow | None


def seal_text(table: str, seq: int, hash_: str, state: str) -> str:
    """What a seal signs."""
    return f"dealer-station seal 1\n{table}\n{seq}\n{hash_}\n{state}\n"


def key_text(table: str, seq: int, public: str, signer: str) -> str:
    """What the row of a key signs."""
    return f"dealer-station key 1\n{table}\n{seq}\n{public}\n{signer}\n"


def key_rows(db: sqlite3.Connection) -> list[KeyRow]:
    """The keys of a journal, oldest first."""
    return [KeyRow(*r) for r in db.execute("SELECT * FROM keys ORDER BY seq")]


def key_row(table: str, seq: int, private: Ed25519PrivateKey, signer: Ed25519PrivateKey) -> KeyRow:
    """The row by which that key comes into force."""
    from station.audit import keys

    public = keys.public_hex(private.public_key())
    by = keys.fingerprint(signer.public_key())
    return KeyRow(seq, public, by, keys.sign(signer, key_text(table, seq, public, by)))


class Sealer:
    """Signs for one journal. Raises KeyRefused when its key is not there or is another."""

    def __init__(self, journal: Path, db: sqlite3.Connection) -> None:
        self._key = key_in_force(journal, key_rows(db))
        self._known = bool(key_rows(db))
        from station.audit import keys

        self._sign = keys.sign
        self._name = keys.fingerprint(self._key.public_key())

    def prepare(self, first: int, last: int, head: str, after: Table) -> Prepared:
        """The seal of a transaction of the facts `first` to `last`, whose state is `after`."""
        state = state_digest(after)
        signature = self._sign(self._key, seal_text(after.id, last, head, state))
        seal = Seal(last, head, state, state_format(), self._name, signature)
        key = None if self._known else key_row(after.id, first, self._key, self._key)
        return Prepared(seal, key)

    def stored(self) -> None:
        """The transaction is on disk, the key's row with it."""
        self._known = True


def store(db: sqlite3.Connection, prepared: Prepared) -> None:
    """Within the transaction of the facts."""
    if prepared.key is not None:
        db.execute("INSERT INTO keys VALUES (?,?,?,?)", prepared.key)
    db.execute("INSERT INTO seals VALUES (?,?,?,?,?,?)", prepared.seal)


def key_in_force(journal: Path, rows: list[KeyRow]) -> Ed25519PrivateKey:
    """The journal's private key; made at its first start. Raises KeyRefused."""
    from station.audit import keys

    file, waiting = keys.file_of(journal), keys.next_of(journal)
    private = keys.read_private(file)
    if not rows:
        return private or keys.make(file)
    public = rows[-1].public
    if private is not None and keys.public_hex(private.public_key()) == public:
        return private
    new = keys.read_private(waiting)
    if new is not None and keys.public_hex(new.public_key()) == public:
        # The change was stored, and the station ended before the file had its name.
        waiting.replace(file)
        keys.sync_folder(file.parent)
        return new
    found = "there is no such file" if private is None else "it is another key"
    mark = keys.fingerprint(keys.public_from(public))
    raise keys.KeyRefused(
        f"{file}: {found}, and the journal is sealed with {mark}; put back the copy you keep, or "
        "begin a new one with `dealer-station journal key --new --lost`"
    )


def change_key(journal: Path, db: sqlite3.Connection, table: str, seq: int, *, lost: bool) -> str:
    """A new key from the fact after `seq` on, signed by the one before unless that is `lost`.

    Returns its fingerprint. Raises KeyRefused, sqlite3.Error. A crash leaves the old or the new.
    """
    from station.audit import keys

    rows = key_rows(db)
    old = None if lost else key_in_force(journal, rows)
    waiting = keys.next_of(journal)
    if rows and rows[-1].seq == seq + 1:
        raise keys.KeyRefused(
            f"{journal}: the key was changed already, and nothing was sealed with it since; start "
            "the table once before it is changed again"
        )
    new = keys.make(waiting)
    if rows:
        db.execute("INSERT INTO keys VALUES (?,?,?,?)", key_row(table, seq + 1, new, old or new))
    waiting.replace(keys.file_of(journal))
    keys.sync_folder(journal.parent)
    return keys.fingerprint(new.public_key())
