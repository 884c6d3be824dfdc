"""The files of one table's journal in their order: the closed ones, and the one in its place.

Closed files are kept for years. They are moved out of the way when they have verified, never
deleted.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from station.audit import keys
from station.audit.halves import CLOSED
from station.audit.reading import (
    JournalDamaged,
    JournalError,
    JournalNewer,
    Row,
    open_reader,
    reading,
    rows,
    state_format,
)
from station.audit.seals import key_rows
from station.audit.verify import Verified, verify
from station.evidence import folder_of
from station.table import facts as f

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# What regulators ask for differs; ask yours. Money disputes have the longest arm.
KEEP_YEARS = 5


def files_of(path: Path) -> list[Path]:
    """The closed files beside a journal, oldest first, and the journal itself."""
    closed = [
        file
        for file in path.parent.glob(path.name + CLOSED + "*Z")
        if file.is_file() and not file.name.endswith(("-wal", "-shm"))
    ]
    return [*sorted(closed), *([path] if path.exists() else [])]


def verify_files(paths: Sequence[Path], key: Ed25519PublicKey | None = None) -> list[Verified]:
    """Verify each, and that each goes on where the one before it ends.

    Raises JournalDamaged naming file and fact.
    """
    found: list[Verified] = []
    for at, path in enumerate(paths):
        found.append(verify(path, key))
        if at:
            _joint(paths[at - 1], found[at - 1], path)
    return found


def _joint(old: Path, before: Verified, path: Path) -> None:
    """Whether the file at `path` goes on from the one before."""
    with contextlib.closing(open_reader(path)) as db, reading(path):
        first = next(rows(db), None)
        fact = first.fact if first is not None else None
        if first is None or not isinstance(fact, f.JournalRotated):
            raise JournalDamaged(
                f"{path}: it begins by itself and does not go on from {old}; give the files in "
                "their order, oldest first"
            )
        if (fact.facts, fact.head) != (before.facts, before.head):
            raise JournalDamaged(
                f"{path}: fact {first.seq} (JournalRotated) goes on from fact {fact.facts} "
                f"({fact.head[:16]}), and {old} ends at fact {before.facts} ({before.head[:16]}): "
                "a file between them is missing, or one of them was changed"
            )
        (format_,) = db.execute(
            "SELECT format FROM checkpoints WHERE seq=?", (fact.facts,)
        ).fetchone()
        if format_ == state_format() and fact.state != before.state:
            raise JournalDamaged(
                f"{path}: fact {first.seq} ({first.kind}) carries over another state than {old} has"
            )
        mine = key_rows(db)
        with contextlib.closing(open_reader(old)) as earlier, reading(old):
            theirs = key_rows(earlier)
            _carried(path, list(rows(db, table="carried")), _stored(earlier))
    if mine[: len(theirs)] != theirs:
        raise JournalDamaged(f"{path}: its keys are not those of {old}")


def _stored(db: sqlite3.Connection) -> Iterator[Row]:
    """What a file has of its own and of the ones before it."""
    yield from rows(db, table="carried")
    yield from rows(db)


def _carried(path: Path, carried: list[Row], stored: Iterator[Row]) -> None:
    """What was taken along is what the file before has."""
    wanted = {row.seq: row for row in carried}
    for row in stored:
        if row.seq in wanted and wanted.pop(row.seq) != row:
            raise JournalDamaged(f"{path}: fact {row.seq} ({row.kind}) was taken along otherwise")
    if wanted:
        seq = min(wanted)
        raise JournalDamaged(f"{path}: fact {seq} ({wanted[seq].kind}) is not of the file before")


class Retired(NamedTuple):
    """What was moved, and the faults that kept others where they are."""

    moved: tuple[Path, ...]
    kept: tuple[str, ...]


def retire(path: Path, before: str, folder: Path, key: Ed25519PublicKey | None = None) -> Retired:
    """Move the closed files of that journal whose last fact is older than `before` (a date, ISO
    8601) to a folder, each with its pictures, after it has verified. Nothing is deleted.

    Raises JournalError when the folder cannot be had, or holds a file of the same name.
    """
    moved: list[Path] = []
    kept: list[str] = []
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"{folder}: {error.strerror or error}") from error
    if folder.resolve() == path.parent.resolve():
        raise JournalError(f"{folder}: the journal's own folder; name another one")
    for file in files_of(path)[:-1] if path.exists() else files_of(path):
        try:
            if _last_stamp(file) >= before:
                continue
            verify(file, key)
            moved.append(_move(file, folder))
        except JournalNewer:
            raise
        except JournalError as error:
            kept.append(str(error))
    return Retired(tuple(moved), tuple(kept))


def _last_stamp(file: Path) -> str:
    with contextlib.closing(open_reader(file)) as db, reading(file):
        row = db.execute("SELECT utc FROM facts ORDER BY seq DESC LIMIT 1").fetchone()
    return str(row[0]) if row else ""


def _move(file: Path, folder: Path) -> Path:
    """First the pictures: a file without them would tell that they are missing."""
    target = folder / file.name
    pictures = folder_of(file)
    if target.exists() or folder_of(target).exists():
        raise JournalError(f"{target}: exists already; nothing was moved")
    try:
        if pictures.is_dir() and not pictures.is_symlink():
            shutil.move(pictures, folder_of(target))
        _moved(file, target)
    except OSError as error:
        raise JournalError(f"{target}: {error.strerror or error}; see both folders") from error
    return target


def _moved(file: Path, target: Path) -> None:
    """Over file systems too: the copy is whole and the same before the first is let go."""
    half = target.with_name(target.name + ".part")
    with contextlib.suppress(OSError):
        file.rename(target)
        keys.sync_folder(target.parent)
        return
    half.unlink(missing_ok=True)
    shutil.copyfile(file, half)
    half.chmod(0o400)
    with half.open("rb") as copy:
        os.fsync(copy.fileno())
    if half.read_bytes() != file.read_bytes():
        raise JournalError(f"{half}: the copy is not the same; nothing was moved")
    half.replace(target)
    keys.sync_folder(target.parent)
    file.unlink()
