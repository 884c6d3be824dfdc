"""People, roles and PINs. PINs are kept as Argon2 hashes in a file of mode 0600."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Literal

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from msgspec import Struct

from station.table.facts import Person

# A short PIN is protected by the limit of tries (in the core), not by the hash's cost.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)

TEST_STAFF = (
    Person("1001", "한지민", "dealer"),
    Person("1002", "박서준", "dealer"),
    Person("2001", "이수진", "supervisor"),
    Person("3001", "김도윤", "shift_manager"),
    Person("4001", "최민호", "technician"),
    Person("5001", "정하은", "auditor"),
)


class StaffError(Exception):
    """The staff file cannot be used; the message says why and what to do."""


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """One person and the hash of his PIN."""

    staff: str
    name: str
    role: Literal["dealer", "supervisor", "shift_manager", "technician", "auditor"]
    pin: str


class StaffFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The file: `kind` keeps test people off live tables."""

    kind: Literal["live", "test"]
    people: tuple[Entry, ...] = ()


class Staff:
    """The people of one table."""

    def __init__(self, path: Path, file: StaffFile) -> None:
        self.path = path
        self.file = file

    @classmethod
    def load(cls, path: Path, kind: Literal["live", "test"]) -> Staff:
        """Read the file; a test table without one is given the test people (PIN = id).

        Raises StaffError for a missing or broken file, or one of the other kind of table.
        """
        if not path.exists():
            if kind == "live":
                raise StaffError(
                    f"{path}: no staff file; add people with `dealer-station staff add`"
                )
            staff = cls(path, StaffFile("test"))
            for person in TEST_STAFF:
                staff.add(person, person.staff, save=False)
            try:
                staff.save()
            except OSError as error:
                raise StaffError(f"{path}: {error.strerror or error}") from error
            return staff
        try:
            file = msgspec.json.decode(path.read_bytes(), type=StaffFile)
        except (msgspec.MsgspecError, OSError) as error:
            raise StaffError(f"{path}: {error}") from error
        if file.kind != kind:
            raise StaffError(f"{path}: staff of a {file.kind} table on a {kind} one; never mixed")
        return cls(path, file)

    def add(self, person: Person, pin: str, *, save: bool = True) -> None:
        """Add or replace a person. Raises StaffError for a PIN shorter than 4."""
        if len(pin) < 4:
            raise StaffError("a PIN has at least 4 characters")
        others = tuple(entry for entry in self.file.people if entry.staff != person.staff)
        entry = Entry(person.staff, person.name, person.role, _HASHER.hash(pin))
        self.file = StaffFile(self.file.kind, (*others, entry))
        if save:
            self.save()

    def save(self) -> None:
        """Write the file whole or not at all, readable by its owner only."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_name(self.path.name + ".new")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(self.file)))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)

    def check(self, staff: str, pin: str) -> Person | None:
        """The person if the PIN is his, else None. Slow on purpose: not for the controller."""
        entry = next((entry for entry in self.file.people if entry.staff == staff), None)
        try:
            # An unknown id costs as long as a wrong PIN, so that ids cannot be told by time.
            _HASHER.verify(entry.pin if entry else _nobody(), pin)
        except (VerificationError, ValueError):
            # ValueError: an entry that is no hash, or not even ASCII.
            return None
        return Person(entry.staff, entry.name, entry.role) if entry else None


@functools.cache
def _nobody() -> str:
    return _HASHER.hash("nobody has this PIN")
