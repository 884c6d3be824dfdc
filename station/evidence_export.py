"""A round with its pictures as a folder that another machine can check, without the journal.

`facts.jsonl`: the round's facts as `journal export` writes them, each with its hash and that of the
one before. `manifest.json`: which round of which table, and its pictures with how they were.
`pictures/`: those that were as they had been read, under their own names.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from station.cli_evidence import folder, removed_names
from station.cli_journal import export_lines
from station.evidence import State, read_picture, state_of
from station.evidence_names import proper
from station.journal import JournalError, Row, Stamp, row_hash
from station.table import facts as f

VERSION = 1
T = TypeVar("T")


class ExportError(Exception):
    """The folder cannot be written, or is no export; the message says why."""


class Exported(Struct, frozen=True):
    """A picture of the manifest: the fact that names it, and how it was when it was exported."""

    fact: int
    name: str
    sha256: str
    state: State


class Manifest(Struct, frozen=True):
    """What an export holds. `first`, `last`: its facts; `before`: the hash which the first of them
    follows, `head` that of the last.
    """

    version: int
    what: Literal["dealer-station evidence"]
    table: str
    kind: str
    round: int
    first: int
    last: int
    before: str
    head: str
    pictures: tuple[Exported, ...]

    @property
    def lacking(self) -> tuple[Exported, ...]:
        """Pictures that were not as they had been read, though no fact says that they went."""
        return tuple(one for one in self.pictures if one.state in ("missing", "changed"))


class Checked(Struct, frozen=True):
    """What a check found: `faults` is empty for an export that is whole."""

    manifest: Manifest
    pictures: int
    faults: tuple[str, ...]


def export(path: Path, round_: int, out: Path) -> Manifest:
    """Write a round of the journal, whole or not at all. `out` must not exist yet. Raises
    JournalError, ExportError.
    """
    facts = [msgspec.json.decode(line) for line in export_lines(path, round_)]
    if not facts:
        raise JournalError(f"{path}: nothing of round {round_}")
    found = [Row(**fact) for fact in facts]
    gone = removed_names(path)
    try:
        out.mkdir(0o700)
    except OSError as error:
        raise ExportError(f"{out}: {_why(error, out)}") from error
    try:
        (out / "pictures").mkdir(0o700)
        with folder(path) as handle:
            kept = []
            for row in found:
                for picture in _pictures(row):
                    state = state_of(handle, picture, removed=picture.name in gone)
                    if state == "kept" and handle is not None:
                        _write(out / "pictures" / picture.name, read_picture(handle, picture.name))
                    kept.append(Exported(row.seq, picture.name, picture.sha256, state))
        manifest = _manifest(path, round_, found, tuple(kept))
        lines = b"".join(msgspec.json.encode(fact) + b"\n" for fact in facts)
        _write(out / "facts.jsonl", lines)
        _write(out / "manifest.json", msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    except OSError as error:
        shutil.rmtree(out, ignore_errors=True)
        raise ExportError(f"{error.filename or out}: {_why(error, out)}") from error
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        raise
    return manifest


def _why(error: OSError, out: Path) -> str:
    """Why an export cannot be written there, and what to do."""
    match error.errno:
        case errno.EEXIST:
            return "there is something of this name already; name a new folder"
        case errno.ENOENT:
            return f"there is no folder {out.parent}; make it first, or name another place"
        case errno.ENOTDIR:
            return "a part of this path is a file, not a folder; name another place"
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return "this user may not write there; name another place"
        case errno.ENOSPC | errno.EDQUOT:
            return "the disk is full; nothing was exported. Make room, or name another place"
    return f"{error.strerror or 'it cannot be written'}; name another place"


def _manifest(
    path: Path, round_: int, found: list[Row], pictures: tuple[Exported, ...]
) -> Manifest:
    from station.cli_journal import table_of

    table, kind = table_of(path)
    first, last = found[0], found[-1]
    return Manifest(
        VERSION,
        "dealer-station evidence",
        table,
        kind,
        round_,
        first.seq,
        last.seq,
        first.prev,
        last.hash,
        pictures,
    )


def _pictures(row: Row) -> tuple[f.Picture, ...]:
    fact = row.fact
    return fact.evidence if isinstance(fact, f.Observed) else ()


def _write(file: Path, data: bytes | None) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as out:
        out.write(data or b"")


# --- checking, on any machine -----------------------------------------------------------------


def check(out: Path) -> Checked:
    """An export against itself: the facts' chain, and each picture against the hash in its fact.

    The hashes are as good as the manifest's `head`: compare it with the journal's own, or with what
    `journal export` of that table says. Raises ExportError when it is no export.
    """
    if not out.is_dir():
        raise ExportError(f"{out}: no folder is there; name the one that `evidence export` wrote")
    manifest = _read(out / "manifest.json", _manifest_of)
    facts = _read(out / "facts.jsonl", _facts_of)
    if manifest.version != VERSION:
        raise ExportError(
            f"{out}: an export of version {manifest.version}; this release reads {VERSION}. Check "
            "it with the release that wrote it"
        )
    faults = _chain(manifest, facts)
    named: dict[str, tuple[int, f.Picture]] = {}
    for row in facts:
        with contextlib.suppress(JournalError):
            named.update((one.name, (row.seq, one)) for one in _pictures(row))
    faults += _against(manifest, named)
    count = 0
    for one in manifest.pictures:
        if one.state == "kept" and proper(one.name, one.sha256):
            count += 1
            faults += _picture(out / "pictures" / one.name, one)
    faults += _strangers(out / "pictures", manifest)
    return Checked(manifest, count, tuple(faults))


def _read(file: Path, of: Callable[[bytes], T]) -> T:
    """What a file of the export holds. Raises ExportError."""
    try:
        return of(file.read_bytes())
    except FileNotFoundError:
        words = "it is not there: this is no export, or no whole one; name the folder that "
        raise ExportError(f"{file}: {words}`evidence export` wrote") from None
    except OSError as error:
        why = error.strerror or "it cannot be read"
        raise ExportError(f"{file}: {why}; give yourself the right to read it") from error
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        words = "it is not as `evidence export` writes it: changed, or another program's"
        raise ExportError(f"{file}: {words}; export the round again") from error


def _manifest_of(data: bytes) -> Manifest:
    return msgspec.json.decode(data, type=Manifest)


def _facts_of(data: bytes) -> list[Row]:
    return [Row(**_fact(line)) for line in data.splitlines()]


def _fact(line: bytes) -> dict[str, Any]:
    return msgspec.json.decode(line, type=dict[str, Any])


def _chain(manifest: Manifest, facts: list[Row]) -> list[str]:
    faults, prev, expected = [], manifest.before, manifest.first
    for row in facts:
        stamp = Stamp(row.utc, row.mono_ns, row.boot)
        digest = row_hash(row.seq, stamp, row.round, row.kind, row.version, row.body, row.prev)
        if (row.seq, row.prev, row.hash) != (expected, prev, digest):
            faults.append(f"facts.jsonl: fact {row.seq} ({row.kind}) does not fit the chain")
            break
        prev, expected = row.hash, expected + 1
    else:
        if (expected - 1, prev) != (manifest.last, manifest.head):
            faults.append("facts.jsonl: facts are missing at its end")
    return faults


def _against(manifest: Manifest, named: dict[str, tuple[int, f.Picture]]) -> list[str]:
    listed = {one.name: (one.fact, f.Picture(one.name, one.sha256)) for one in manifest.pictures}
    return [
        f"manifest.json: {name} is not as a fact names it"
        for name in sorted(listed.keys() | named.keys())
        if listed.get(name) != named.get(name)
    ]


def _picture(file: Path, one: Exported) -> list[str]:
    try:
        data = b"" if file.is_symlink() else file.read_bytes()
    except FileNotFoundError:
        return [f"pictures/{one.name}: it is missing (fact {one.fact})"]
    except OSError as error:
        return [f"pictures/{one.name}: {error.strerror or 'it cannot be read'} (fact {one.fact})"]
    if hashlib.sha256(data).hexdigest() != one.sha256:
        return [f"pictures/{one.name}: it is not the picture that was read (fact {one.fact})"]
    return []


def _strangers(where: Path, manifest: Manifest) -> list[str]:
    kept = {one.name for one in manifest.pictures if one.state == "kept"}
    there = {file.name for file in where.iterdir()} if where.is_dir() else set()
    return [f"pictures/{name}: no fact names it" for name in sorted(there - kept)]
