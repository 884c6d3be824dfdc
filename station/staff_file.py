"""The staff file: who there is. Mode 0600, written whole or not at all, changes with their author.

It holds hashes, which are worth guessing at: a file that others can read, or a name that leads
somewhere else, is refused with what to do about it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

Kind = Literal["live", "test"]
Role = Literal["dealer", "supervisor", "shift_manager", "technician", "auditor"]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
# Changes kept in the file; older ones are dropped from its head.
CHANGES = 5000
_LARGEST = 8 << 20


class StaffError(Exception):
    """The staff file cannot be used; the message says why and what to do."""


class Licence(Struct, frozen=True, forbid_unknown_fields=True):
    """`until`: the last day on which it is valid."""

    number: str
    until: Day


class Disabled(Struct, frozen=True, forbid_unknown_fields=True):
    """Since when (UTC), by whom and why somebody may not work here."""

    since: str
    by: str
    why: str


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """Who changed what of whom, when (UTC). Never a secret."""

    at: str
    by: str
    did: str
    staff: str
    what: str = ""


class Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One person. `pin`: the argon2id hash of his PIN; with `once`, of a one-time secret that can
    only be exchanged for one. `badge`: SHA-256 of what his badge carries. `games`: the last day of
    each permission. `unlock`: the number of the last order to unlock him. `tries`: wrong PINs in a
    row at the command line.
    """

    staff: str
    name: str
    role: Role
    pin: str
    stage: str = ""
    licence: Licence | None = None
    games: dict[str, Day] = {}
    badge: str = ""
    disabled: Disabled | None = None
    once: bool = False
    unlock: int = 0
    tries: int = 0


class StaffFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The file: `kind` keeps test people off live tables."""

    kind: Kind
    people: tuple[Entry, ...] = ()
    changes: tuple[Change, ...] = ()

    def entry(self, staff: str) -> Entry | None:
        """The person of that number, or None."""
        return next((entry for entry in self.people if entry.staff == staff), None)

    def changed(self, entry: Entry, change: Change | None) -> StaffFile:
        """With that person added or replaced in his place, and the change noted."""
        if self.entry(entry.staff) is None:
            people = (*self.people, entry)
        else:
            people = tuple(entry if one.staff == entry.staff else one for one in self.people)
        changes = self.changes if change is None else (*self.changes, change)[-CHANGES:]
        return replace(self, people=people, changes=changes)


def read(path: Path, kind: Kind) -> StaffFile:
    """The file. Raises StaffError, FileNotFoundError when there is none."""
    try:
        text = _bytes_of(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StaffError(f"{path}: {error.strerror or error}") from error
    try:
        file = msgspec.json.decode(text, type=StaffFile)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        # What is wrong may stand beside a hash: its place is named, its text is not.
        raise StaffError(f"{path}: {error}; put back a good copy, or correct it by hand") from None
    if file.kind != kind:
        raise StaffError(f"{path}: staff of a {file.kind} table on a {kind} one; never mixed")
    numbers = [entry.staff for entry in file.people]
    for number in numbers:
        if numbers.count(number) > 1:
            raise StaffError(f"{path}: the number {number} stands twice; correct it by hand")
    return file


def _bytes_of(path: Path) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise StaffError(
                f"{path}: a symbolic link; put the file itself there, or name the other place "
                "as [staff] file"
            ) from None
        raise
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise StaffError(f"{path}: not a file; see [staff] file")
        if stat.S_IMODE(status.st_mode) & 0o077:
            raise StaffError(
                f"{path}: others can read it (mode {stat.S_IMODE(status.st_mode):04o}); "
                f"`chmod 600 {path}`, and give everybody a new PIN if somebody may have"
            )
        if os.geteuid() not in (0, status.st_uid):
            raise StaffError(f"{path}: it belongs to another user; run as that user, or as root")
        return file.read(_LARGEST)


def fingerprint(path: Path) -> tuple[int, ...] | None:
    """Tells whether the file is still the same; None when there is none."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return (status.st_ino, status.st_mtime_ns, status.st_size, status.st_mode, status.st_ctime_ns)


def write(path: Path, file: StaffFile) -> None:
    """Whole or not at all, for its owner only, and on disk when this returns. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    with contextlib.suppress(FileNotFoundError):
        fresh.unlink()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(fresh, flags, 0o600)
    try:
        with os.fdopen(handle, "wb") as out:
            _owned_as_before(handle, path)
            out.write(msgspec.json.format(msgspec.json.encode(file)) + b"\n")
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _owned_as_before(handle: int, path: Path) -> None:
    """Root writes it for the station's user, not for itself."""
    os.fchmod(handle, 0o600)
    if os.geteuid() == 0:
        there = path if path.exists() else path.parent
        status = there.stat()
        os.fchown(handle, status.st_uid, status.st_gid)


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """One writer at a time: read, change and write inside. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.with_name(path.name + ".lock")
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        _owned_as_before(handle, path)
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
