"""The seals of a round: which there are in a journal, and whether they are what they say."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from msgspec import Struct

from station.audit.reading import has_table
from station.journal import Row

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Seal(Struct, frozen=True, forbid_unknown_fields=True):
    """What the station signed: the hash of a fact and the digest of the table after it. `format`
    names the release and the shape of that table, `key` is the key's fingerprint.
    """

    seq: int
    hash: str
    state: str
    format: str
    key: str
    signature: str


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """A public key (hex), in force from the fact `seq` on, signed by the key `signer`."""

    seq: int
    public: str
    signer: str
    signature: str


class Seals(Struct, frozen=True, forbid_unknown_fields=True):
    """The seal before a round, the one that ends it, and the keys of the journal up to there."""

    before: Seal | None = None
    after: Seal | None = None
    keys: tuple[Key, ...] = ()


def of_round(db: sqlite3.Connection, opened: int, ended: int | None) -> Seals:
    """The seals around the facts from `opened` to `ended`; none in a journal that has none.

    `ended` is the fact that ended the round: its seal is in the same transaction, or missing.
    """
    if not (has_table(db, "seals") and has_table(db, "keys")):
        return Seals()
    columns = "SELECT seq, hash, state, format, key, signature FROM seals WHERE "
    before = db.execute(columns + "seq<? ORDER BY seq DESC LIMIT 1", (opened,)).fetchone()
    after = None
    if ended is not None:
        # Within one transaction all facts have one stamp.
        after = db.execute(
            columns + "seq>=?1 AND seq<=(SELECT MAX(f.seq) FROM facts f, facts e WHERE e.seq=?1 "
            "AND f.seq>=e.seq AND f.seq<e.seq+1000 AND f.utc=e.utc AND f.mono_ns=e.mono_ns) "
            "ORDER BY seq LIMIT 1",
            (ended,),
        ).fetchone()
    last = after or before
    keys = db.execute(
        "SELECT seq, public, signer, signature FROM keys WHERE seq<=? ORDER BY seq",
        (last[0] if last else 0,),
    )
    return Seals(
        Seal(*before) if before else None,
        Seal(*after) if after else None,
        tuple(Key(*row) for row in keys),
    )


def fault_of(table: str, seal: Seal, row: Row | None, head: str, keys: tuple[Key, ...]) -> str:
    """What is wrong with a seal of the fact whose hash is `head`, "" for nothing.

    `row`: that fact, where it is there.
    """
    from station.audit.keys import fingerprint, public_from, signed_by
    from station.audit.seals import seal_text

    if seal.hash != head or (row is not None and row.seq != seal.seq):
        return f"the seal at fact {seal.seq} is of another chain"
    force = next((key for key in reversed(keys) if key.seq <= seal.seq), None)
    try:
        known = public_from(force.public) if force is not None else None
    except ValueError:
        known = None
    if known is None or fingerprint(known) != seal.key:
        return f"the seal at fact {seal.seq} is not of the key that was in force"
    if not signed_by(known, seal.signature, seal_text(table, seal.seq, seal.hash, seal.state)):
        return f"the seal at fact {seal.seq} is not signed by its key"
    return ""


def keys_fault(table: str, keys: tuple[Key, ...]) -> str:
    """What is wrong with the keys: each is signed by the one before it, or, the first and one that
    followed a lost key, by itself. "" for nothing.
    """
    from station.audit.keys import fingerprint, public_from, signed_by
    from station.audit.seals import key_text

    known: dict[str, Ed25519PublicKey] = {}
    for key in keys:
        try:
            public = public_from(key.public)
        except ValueError:
            return f"the key in force from fact {key.seq} on is none"
        good = {**known, fingerprint(public): public}
        signer = good.get(key.signer)
        text = key_text(table, key.seq, key.public, key.signer)
        if signer is None or not signed_by(signer, key.signature, text):
            return f"the key in force from fact {key.seq} on is not signed as it says"
        known = {fingerprint(public): public}
    return ""


def descends(table: str, keys: tuple[Key, ...], trusted: Ed25519PublicKey, name: str) -> bool:
    """Whether the key of that fingerprint is the trusted one, or was signed by it, or by one that
    it signed: a station that changes its key signs the new one with the old.
    """
    from station.audit.keys import fingerprint, public_from, signed_by
    from station.audit.seals import key_text

    good = {fingerprint(trusted): trusted}
    for key in keys:
        public = public_from(key.public)
        text = key_text(table, key.seq, key.public, key.signer)
        signer = good.get(key.signer)
        if signer is not None and signed_by(signer, key.signature, text):
            good[fingerprint(public)] = public
    return name in good
