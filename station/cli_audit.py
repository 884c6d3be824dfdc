"""What `dealer-station journal verify` and `journal key` say."""

from __future__ import annotations

import contextlib
import os
import pwd
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from station.audit import keys
from station.audit.reading import has_table, open_reader, reading
from station.audit.seals import key_rows
from station.audit.verify import Verified
from station.journal import Journal


def whoami() -> str:
    """The user of this machine who gave the command."""
    uid = os.getuid()
    try:
        return f"os:{pwd.getpwuid(uid).pw_name}"
    except KeyError:
        return f"os:{uid}"


def verified_document(paths: Sequence[Path], found: Sequence[Verified]) -> dict[str, Any]:
    """The last file's end, as one document; with several files, each of them too."""
    last = found[-1]
    document: dict[str, Any] = {
        "ok": True,
        "journal": str(paths[-1]),
        "facts": last.facts,
        "head": last.head,
        "state": last.state,
        "checkpoints": last.checkpoints,
        "passed_over": last.passed_over,
        "rounds": last.table.game.rounds,
        "waiting": last.waiting,
        "seals": last.sealed.seals,
        "unsealed": last.sealed.unsealed,
        "checked_with": last.sealed.given or "the journal's own keys",
        "notes": [note for one in found for note in notes(one)],
    }
    if len(paths) > 1:
        document["files"] = [
            {"file": str(path), "first": one.first, "last": one.facts, "head": one.head}
            for path, one in zip(paths, found, strict=True)
        ]
    return document


def verified_lines(paths: Sequence[Path], found: Sequence[Verified]) -> Iterator[str]:
    """The same for people."""
    document = verified_document(paths, found)
    for part in document.pop("files", ()):
        yield f"{part['file']}: facts {part['first']} to {part['last']}"
    remarks = document.pop("notes")
    for name, value in document.items():
        yield f"{name:13}{value}"
    for remark in remarks:
        yield f"note         {remark}"


def notes(found: Verified) -> Iterator[str]:
    """What is no damage, and has to be known before the record is relied on."""
    sealed = found.sealed
    if not sealed.seals:
        yield "nothing is sealed: an earlier release wrote it, or no round has ended"
    elif not sealed.given:
        yield (
            "checked with the journal's own keys: whoever could write everything anew could write "
            "these; give the public key that was kept elsewhere (--key)"
        )
    if sealed.unsealed:
        yield f"not sealed yet: {sealed.unsealed} facts after fact {sealed.last}"
    if sealed.earlier:
        yield f"{sealed.earlier} seals are older than the given key; checked with the journal's own"
    for seq in sealed.lost:
        yield f"from fact {seq} on there is a key that the one before did not sign (it was lost)"
    if sealed.states:
        yield f"{sealed.states} seals of another release: their states were not compared"
    if found.passed_over:
        yield f"{found.passed_over} checkpoints of another release were passed over"


def key_document(path: Path) -> dict[str, Any]:
    """The key in force, from the journal or, before its first seal, from the key's own file.

    Raises JournalError.
    """
    found = []
    if path.exists():
        with contextlib.closing(open_reader(path)) as db, reading(path):
            found = key_rows(db) if has_table(db, "keys") else []
    if found:
        public, since = keys.public_from(found[-1].public), found[-1].seq
    else:
        private = keys.read_private(keys.file_of(path))
        if private is None:
            raise keys.KeyRefused(
                f"{keys.file_of(path)}: there is no key yet; the table makes one at its first start"
            )
        public, since = private.public_key(), 0
    return {
        "ok": True,
        "public": keys.pem(public),
        "fingerprint": keys.fingerprint(public),
        "since": since,
        "earlier": [keys.pem(keys.public_from(row.public)) for row in found[:-1]],
    }


def new_key(path: Path, *, lost: bool) -> None:
    """Begin a new key. Raises JournalError, sqlite3.Error."""
    if not path.exists():
        raise keys.KeyRefused(f"{path}: there is no journal yet; its first start makes the key")
    journal = Journal(path)
    try:
        journal.change_key(lost=lost)
    finally:
        journal.close()


def write_public(file: Path, text: str) -> None:
    """Whole or not at all; anybody may read it. Raises OSError."""
    fresh = file.with_name(file.name + ".new")
    fresh.write_text(text)
    fresh.chmod(0o644)
    fresh.replace(file)
