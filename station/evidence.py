"""The pictures of what was read: a folder beside the journal, which names and hashes each of them.

A camera's reader writes them; the station owns the folder. It keeps what its facts name, for so
many days and so many megabytes, and removes everything else: a picture that no fact names shows
something that is not known to have left the shoe. What it takes away for its age or for room, a
fact says first, so that it is never mistaken for damage.

The folder is opened once, and everything is done in what was opened: a link put in its place later
leads nowhere. Used by one thread, which is not the controller's.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple

from station.evidence_names import proper_name
from station.journal import Row, open_reader, rows
from station.table import facts as f

SWEEP_SECONDS = 60.0
ORPHAN_SECONDS = 60.0
# Of the disk so much stays free: pictures never take the journal's room.
FREE_BYTES = 128 * 2**20
FREE_SHARE = 0.05
# No picture is larger; what is, is none.
PICTURE_BYTES = 4 * 2**20
# So many names go into one fact.
BATCH = 200
# No more pictures than that are left unnamed when a station is killed before it writes its first
# fact of one.
UNNAMED = 16

Why = Literal["days", "space"]
State = Literal["kept", "removed", "missing", "changed"]
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class EvidenceRefused(Exception):
    """The folder is not one that may be used; the message says why and what to do."""


class Keep(NamedTuple):
    """What the table needs: pictures of its open holds by their names, and these holds' numbers."""

    names: frozenset[str] = frozenset()
    holds: frozenset[int] = frozenset()


class Old(NamedTuple):
    """Pictures that are to go, oldest first, and why."""

    names: tuple[str, ...]
    why: Why


class _Named(NamedTuple):
    """What the facts say of a picture: the fact's place, its time, and whether it was let go."""

    seq: int
    utc: str
    removed: bool = False


def folder_of(journal: Path) -> Path:
    """Where the pictures of a journal's facts are."""
    return journal.with_name(journal.name + ".evidence")


def opened(folder: Path, *, make: bool = False) -> int:
    """A descriptor of the folder. `make` it if there is none, and close it to everybody else.

    Raises EvidenceRefused for a link, another's folder, or none.
    """
    try:
        if make:
            with contextlib.suppress(FileExistsError):
                folder.mkdir(0o700, parents=True)
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(folder, flags)
    except OSError as error:
        why = "it is a link" if folder.is_symlink() else error.strerror or error
        raise EvidenceRefused(
            f"{folder}: {why}; it has to be a folder of this user's own"
        ) from error
    try:
        found = os.fstat(handle)
        if found.st_uid != os.geteuid():
            raise EvidenceRefused(
                f"{folder}: it belongs to user {found.st_uid}; give it to this one, or move it away"
            )
        if make and stat.S_IMODE(found.st_mode) != 0o700:
            os.fchmod(handle, 0o700)
    except BaseException:
        os.close(handle)
        raise
    return handle


def read_picture(handle: int, name: str) -> bytes | None:
    """The bytes of a picture, None if there is no such file. OSError when it cannot be read."""
    if not proper_name(name):
        return None
    try:
        file = os.open(name, _OPEN, dir_fd=handle)
    except OSError as error:
        if not isinstance(error, FileNotFoundError) and not _is_link(handle, name):
            raise
        return None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        return None
    with os.fdopen(file, "rb") as picture:
        return picture.read(PICTURE_BYTES + 1)


def _is_link(handle: int, name: str) -> bool:
    with contextlib.suppress(OSError):
        return stat.S_ISLNK(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode)
    return False


def state_of(handle: int | None, picture: f.Picture, *, removed: bool) -> State:
    """How a picture that a fact names is: as it was, changed, taken away by the station, or gone
    without a word.
    """
    data = None if handle is None else read_picture(handle, picture.name)
    if data is None:
        return "removed" if removed else "missing"
    return "kept" if hashlib.sha256(data).hexdigest() == picture.sha256 else "changed"


class Store:
    """The folder of a running table. Raises EvidenceRefused, JournalError."""

    def __init__(
        self,
        journal: Path,
        days: int,
        megabytes: int,
        clock: Callable[[], float] = time.monotonic,
        free: Callable[[int], int] | None = None,
    ) -> None:
        """`clock`: seconds, monotonic. `free`: how many bytes too few are free on the folder's
        disk.
        """
        self.folder = folder_of(journal)
        self._handle = opened(self.folder, make=True)
        self._journal = journal
        self._days = days
        self._limit = megabytes * 2**20
        self._clock = clock
        self._lacking = free or lacking
        self._named: dict[str, _Named] = {}
        self._read = 0
        self._asked: set[str] = set()
        files = self._files()
        if sum(map(proper_name, files)) > UNNAMED and not _names_any(journal):
            self.close()
            raise EvidenceRefused(
                f"{self.folder}: {len(files)} pictures, and the journal {journal} names none: they "
                "are another journal's; move the folder to where that one is"
            )
        # What an earlier start left and no fact names: nobody will ever name it.
        self._unnamed = dict.fromkeys(files, clock() - ORPHAN_SECONDS)
        # How large each is that was looked at: once is enough, there are many.
        self._sizes: dict[str, int] = {}

    def close(self) -> None:
        """Let the folder go."""
        os.close(self._handle)

    def sweep(self, utc: str, keep: Keep, *, written: bool = True) -> list[Old]:
        """Remove what no fact names; say what else is to go. `utc`: now, as facts are stamped.
        `written`: facts can be written; what waits for it may yet name a picture.

        Raises OSError or JournalError when folder or journal cannot be read: then nothing is
        removed.
        """
        # The files first: what is written after this may be named by facts that are read now.
        files = self._files()
        self._learn()
        mine = {name: size for name in files if name in self._named and (size := self._size(name))}
        if written:
            self._orphans([name for name in files if name not in mine])
        for name in [name for name in mine if self._named[name].removed]:
            self._unlink(name)
            del mine[name]
        self._named = {name: self._named[name] for name in mine}
        self._sizes = mine
        self._asked &= mine.keys()
        return self._old(mine, utc, keep)

    def remove(self, names: Collection[str]) -> None:
        """Take pictures away."""
        for name in names:
            if proper_name(name):
                self._unlink(name)

    # --- what there is ----------------------------------------------------------------------

    def _files(self) -> list[str]:
        return os.listdir(self._handle)  # noqa: PTH208 - of what was opened

    def _size(self, name: str) -> int:
        """What a picture takes of the disk, at least 1; 0 for what is none."""
        if name in self._sizes:
            return self._sizes[name]
        try:
            found = os.stat(name, dir_fd=self._handle, follow_symlinks=False)
        except FileNotFoundError:
            return 0
        return max(1, found.st_size) if stat.S_ISREG(found.st_mode) else 0

    def _learn(self) -> None:
        """The facts since the last sweep."""
        for seq, utc, fact in facts_of(self._journal, self._read):
            self._read = seq
            if isinstance(fact, f.Observed):
                for one in fact.evidence:
                    self._named[one.name] = _Named(seq, utc)
            elif isinstance(fact, f.EvidenceRemoved):
                for name in fact.names:
                    if name in self._named:
                        self._named[name] = self._named[name]._replace(removed=True)

    def _orphans(self, files: list[str]) -> None:
        now = self._clock()
        unnamed: dict[str, float] = {}
        for name in files:
            first = unnamed[name] = self._unnamed.get(name, now)
            if now - first >= ORPHAN_SECONDS:
                self._unlink(name)
                del unnamed[name]
        self._unnamed = unnamed

    def _unlink(self, name: str) -> None:
        # A folder in there is nobody's picture, and left alone.
        with contextlib.suppress(FileNotFoundError, IsADirectoryError):
            os.unlink(name, dir_fd=self._handle)

    # --- what is to go ----------------------------------------------------------------------

    def _old(self, mine: dict[str, int], utc: str, keep: Keep) -> list[Old]:
        here = mine.keys() - self._asked
        before = days_before(utc, self._days)
        total, lacking_ = sum(mine[name] for name in here), self._lacking(self._handle)
        young = not any(self._named[name].utc < before for name in here)
        if young and total <= self._limit and lacking_ <= 0:
            return []
        since = _needed_since(self._journal, keep.holds)
        free = [n for n in here if self._named[n].seq < since and n not in keep.names]
        free.sort(key=lambda name: (self._named[name].seq, name))
        aged = [name for name in free if self._named[name].utc < before]
        gone = sum(mine[name] for name in aged)
        room = max(total - self._limit, lacking_) - gone
        full: list[str] = []
        older = set(aged)
        for name in (name for name in free if name not in older):
            if room <= 0:
                break
            full.append(name)
            room -= mine[name]
        return [*self._parts(aged, "days"), *self._parts(full, "space")]

    def _parts(self, names: list[str], why: Why) -> Iterator[Old]:
        """In portions; none is said a second time."""
        self._asked.update(names)
        for at in range(0, len(names), BATCH):
            yield Old(tuple(names[at : at + BATCH]), why)


def lacking(handle: int) -> int:
    """How many bytes too few are free on the folder's disk."""
    disk = os.fstatvfs(handle)
    wanted = min(FREE_BYTES, int(disk.f_blocks * disk.f_frsize * FREE_SHARE))
    return wanted - disk.f_bavail * disk.f_frsize


def days_before(utc: str, days: int) -> str:
    """The stamp of so many days ago, written as facts are stamped."""
    moment = datetime.fromisoformat(utc) - timedelta(days=days)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def facts_of(journal: Path, after: int) -> Iterator[tuple[int, str, f.AnyFact]]:
    """The facts that name pictures or their removal, after that one, with place and time; last the
    journal's last fact, whatever it is. Raises JournalError.
    """
    query = (
        "SELECT seq, utc, mono_ns, boot, round, kind, version, body, prev, hash FROM facts "
        "WHERE seq>?1 AND (kind='EvidenceRemoved' OR seq=?2 OR "
        "(kind='Observed' AND instr(body, '\"sha256\"')>0)) ORDER BY seq"
    )
    with contextlib.closing(open_reader(journal)) as db:
        (last,) = db.execute("SELECT IFNULL(MAX(seq), 0) FROM facts").fetchone()
        for row in map(Row._make, db.execute(query, (after, last))):
            yield row.seq, row.utc, row.fact


def _names_any(journal: Path) -> bool:
    """Whether any fact names a picture. Raises JournalError."""
    if not journal.exists():
        return False
    query = "SELECT 1 FROM facts WHERE kind='Observed' AND instr(body, '\"sha256\"')>0 LIMIT 1"
    with contextlib.closing(open_reader(journal)) as db:
        return db.execute(query).fetchone() is not None


def _needed_since(journal: Path, holds: frozenset[int]) -> int:
    """The fact from which on pictures are needed: the opening of the last round, or of the one in
    which the oldest open hold began.
    """
    with contextlib.closing(open_reader(journal)) as db:
        until = _oldest(db, holds)
        (opened_at,) = db.execute(
            "SELECT MAX(seq) FROM facts WHERE kind='RoundOpened' AND (?1=0 OR seq<=?1)", (until,)
        ).fetchone()
    # Before the first round there is nothing that could be let go.
    return int(opened_at or 0)


def _oldest(db: sqlite3.Connection, holds: frozenset[int]) -> int:
    if holds:
        for row in rows(db, kind="TableHeld"):
            fact = row.fact
            if isinstance(fact, f.TableHeld) and fact.hold in holds:
                return row.seq
    return 0
