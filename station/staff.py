"""The people of a table: who somebody is, by PIN or badge, and whether he may work here now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from station import staff_secrets as secret
from station.game.refusal import Refusal, refuse
from station.logs import Logger
from station.staff_file import (
    Change,
    Entry,
    Kind,
    StaffError,
    StaffFile,
    alone,
    fingerprint,
    read,
    write,
)
from station.table.facts import Person

__all__ = ["TEST_STAFF", "Entry", "Proof", "Staff", "StaffError", "StaffFile"]

GAME = "blackjack"
# Who is made where a live table starts without people.
FIRST = Person("9001", "교대 책임자", "shift_manager")

TEST_STAFF = (
    Person("1001", "한지민", "dealer"),
    Person("1002", "박서준", "dealer"),
    Person("2001", "이수진", "supervisor"),
    Person("3001", "김도윤", "shift_manager"),
    Person("4001", "최민호", "technician"),
    Person("5001", "정하은", "auditor"),
)

_log = Logger("staff")


class Proof(Struct, frozen=True):
    """Whom a PIN or a badge proved, None where nobody; `refusal`: why he may not work here now."""

    person: Person | None = None
    refusal: Refusal | None = None


class Staff:
    """The people of one table. Everything but `load` and `first` may be called by one worker."""

    def __init__(self, path: Path, file: StaffFile, seen: tuple[int, ...] | None = None) -> None:
        self.path = path
        self.file = file
        # Why the file as it is now is not used, "" when it is; the old people stay meanwhile.
        self.broken = ""
        self._seen = seen

    @classmethod
    def load(cls, path: Path, kind: Kind, tell: Callable[[str], None] | None = None) -> Staff:
        """Read the file. A test table without one is given the test people (PIN = number). A live
        table without one is given one shift manager, whose one-time secret is told once to `tell`.

        Raises StaffError for a broken file, one of the other kind of table, and where a live table
        has none and nobody can be told.
        """
        # Looked at first: what changes while it is read is seen as a change afterwards.
        seen = fingerprint(path)
        try:
            return cls(path, read(path, kind), seen)
        except FileNotFoundError:
            pass
        try:
            if kind == "test":
                return cls._for_test(path)
            return cls.first(path, tell)
        except OSError as error:
            raise StaffError(f"{path}: {error.strerror or error}") from error

    @classmethod
    def _for_test(cls, path: Path) -> Staff:
        people = tuple(
            Entry(one.staff, one.name, one.role, secret.hashed(one.staff)) for one in TEST_STAFF
        )
        with alone(path):
            write(path, StaffFile("test", people))
        return cls.load(path, "test")

    @classmethod
    def first(cls, path: Path, tell: Callable[[str], None] | None) -> Staff:
        """The first start of a live table. Raises StaffError, OSError."""
        if tell is None:
            raise StaffError(
                f"{path}: no staff file; start the table once from a terminal, which makes a "
                "shift manager and shows his one-time secret there, or add people as root with "
                "`dealer-station staff add`"
            )
        once = secret.one_time_secret()
        entry = Entry(FIRST.staff, FIRST.name, FIRST.role, secret.hashed(once), once=True)
        with alone(path):
            if path.exists():
                return cls.load(path, "live")
            change = Change(now(), "station", "first_start", FIRST.staff)
            write(path, StaffFile("live", (entry,), (change,)))
        tell(
            f"No staff file: shift manager {FIRST.staff} was made.\n"
            f"One-time secret: {once}\n"
            f"It is shown this once. Exchange it for a PIN: dealer-station staff reset "
            f"{FIRST.staff}"
        )
        return cls.load(path, "live")

    # --- who somebody is --------------------------------------------------------------------

    def refresh(self) -> bool:
        """Take up a changed file; True when there are other people now. A file that cannot be used
        leaves the people as they were, and says so in `broken` and the log.
        """
        seen = fingerprint(self.path)
        if seen == self._seen:
            return False
        try:
            file = read(self.path, self.file.kind)
        except (StaffError, OSError) as error:
            self._seen = seen
            said = str(error) if isinstance(error, StaffError) else f"{self.path}: it is gone"
            if said != self.broken:
                self.broken = said
                _log.error("staff_file", error=said)
            return False
        if self.broken:
            _log.info("staff_file", people=len(file.people))
        self.broken, self._seen, self.file = "", seen, file
        return True

    def prove(self, staff: str, pin: str) -> Proof:
        """Whose PIN that is. Slow on purpose: not for the controller. An unknown number takes as
        long as a wrong PIN, so that numbers cannot be told by time.
        """
        entry = self.file.entry(staff)
        if not secret.fits(entry.pin if entry else None, pin) or entry is None:
            return Proof()
        return Proof(person_of(entry), self.why_not(entry))

    def prove_badge(self, text: str) -> Proof:
        """Whose badge that is; quick. The text is kept nowhere."""
        shown = secret.badge_hash(text)
        for entry in self.file.people:
            if entry.badge and entry.badge == shown:
                return Proof(person_of(entry), self.why_not(entry))
        return Proof()

    def check(self, staff: str, pin: str) -> Person | None:
        """The person if the PIN is his and he may use it, else None. Slow, as `prove`."""
        entry = self.file.entry(staff)
        if not secret.fits(entry.pin if entry else None, pin) or entry is None:
            return None
        return None if entry.once or entry.disabled else person_of(entry)

    def why_not(self, entry: Entry, day: str = "") -> Refusal | None:
        """Why that person may not work here on that day (`2026-01-31`; "": today), or None.

        A dealer needs a licence and the permission for this game; the people of a test table need
        none, but one that is there counts.
        """
        staff = entry.staff
        if entry.disabled is not None:
            return refuse("person_disabled", "", staff=staff, since=entry.disabled.since[:10])
        if entry.once:
            return refuse("pin_is_once", "", staff=staff)
        if entry.role != "dealer":
            return None
        day, test = day or today(), self.file.kind == "test"
        if entry.licence is None:
            if not test:
                return refuse("no_licence", "", staff=staff)
        elif entry.licence.until < day:
            return refuse("licence_over", "", staff=staff, until=entry.licence.until)
        until = entry.games.get(GAME)
        if until is None:
            return None if test and not entry.games else refuse("game_not_permitted", staff=staff)
        if until < day:
            return refuse("game_permission_over", "", staff=staff, until=until)
        return None

    def barred(self, staff: str) -> Refusal | None:
        """Why somebody who is at the table already may not stay, or None."""
        entry = self.file.entry(staff)
        # Who is gone from the file altogether is as one who was disabled.
        return self.why_not(entry) if entry else refuse("person_disabled", staff=staff, since="-")

    # --- changes ----------------------------------------------------------------------------

    def put(self, entry: Entry, by: str, did: str, what: str = "") -> None:
        """Add or replace a person, and write the file. To be called inside `alone`, on people just
        read. Raises OSError.
        """
        change = Change(now(), by, did, entry.staff, what) if did else None
        file = self.file.changed(entry, change)
        write(self.path, file)
        self.file, self._seen = file, fingerprint(self.path)

    def count_try(self, staff: str, *, right: bool) -> None:
        """At the command line: one more wrong PIN in a row, or the end of the row."""
        entry = self.file.entry(staff)
        if entry is not None and (entry.tries or not right):
            wrong = 0 if right else entry.tries + 1
            did = "" if right else "wrong_pin"
            self.put(replace(entry, tries=wrong), "command line", did)


def person_of(entry: Entry) -> Person:
    """As the table knows him."""
    return Person(entry.staff, entry.name, entry.role)


def now() -> str:
    """UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def today() -> str:
    """The day at the table, as its clock on the wall has it."""
    return datetime.now().astimezone().date().isoformat()
