"""People of a table from the command line: who may change what, and what can be wrong."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from drivers.badge import badge_text
from station import staff_secrets as secret
from station.cli_status import StatusError
from station.cli_status import ask as ask_station
from station.config import Config
from station.config_words import explained
from station.game.facts import STATION
from station.staff import GAME, Staff, now
from station.staff_file import Disabled, Entry, Licence, StaffError, StaffFile, alone
from station.table.facts import Person

# What only a shift manager may do here. Exchanging a one-time secret is its owner's; the list is
# for whoever can read the file.
RIGHTS = ("add", "licence", "disable", "enable", "reset", "unlock", "badge")
MANAGER = "shift_manager"
# Wrong PINs in a row at the command line, until root or another shift manager unlocks.
TRIES = 5
ROOT, TEST = "root", "test table"

# Asks for something: the prompt, and whether it is shown while it is typed.
Ask = Callable[[str, bool], str]


class Changes(Struct, frozen=True):
    """What `add` and `licence` may set; None leaves it as it is."""

    stage: str | None = None
    licence: str | None = None
    licence_until: str | None = None
    game_until: str | None = None


def person(staff: str, name: str, role: str) -> Person:
    """Raises StaffError naming what is wrong and what there is."""
    if not 1 <= len(staff) <= 64 or not staff.isprintable() or staff != staff.strip():
        raise StaffError("a person's number has 1 to 64 characters, none of them unseen")
    if staff in (STATION, ROOT, TEST):
        raise StaffError(f"{staff!r} stands for no person in every record; take another")
    try:
        return msgspec.convert({"staff": staff, "name": name, "role": role}, Person)
    except msgspec.ValidationError as error:
        raise StaffError(explained(str(error), Person)) from None


def people(config: Config) -> Staff:
    """The table's people, or nobody yet. Raises StaffError."""
    path = Path(config.staff.file)
    if path.exists() or path.is_symlink():
        return Staff.load(path, config.table.kind)
    return Staff(path, StaffFile(config.table.kind))


def is_root() -> bool:
    """Whether the machine's administrator gives the command."""
    return os.geteuid() == 0


@contextlib.contextmanager
def changing(config: Config, ask: Ask) -> Iterator[tuple[Staff, str]]:
    """The people, to be changed by somebody who may, and under whose number. Raises StaffError,
    OSError.
    """
    with alone(Path(config.staff.file)):
        staff = people(config)
        yield staff, author(staff, ask)


def author(staff: Staff, ask: Ask) -> str:
    """Root, or a shift manager who proves it; at a test table anybody. Raises StaffError."""
    if is_root():
        return ROOT
    if staff.file.kind == "test":
        return TEST
    if not staff.file.people:
        raise StaffError(
            f"{staff.path}: nobody is there yet who could; start the table once from a terminal, "
            "which makes a shift manager, or do this as root"
        )
    number = ask("shift manager's number", True)
    person = proved(staff, number, ask)
    if person.role != MANAGER:
        raise StaffError(f"only a shift manager may do this; {number} is {person.role}")
    return number


def proved(staff: Staff, number: str, ask: Ask) -> Person:
    """Who types the PIN of that number, and may work; wrong ones in a row are counted. Raises
    StaffError, OSError.
    """
    entry = staff.file.entry(number)
    if entry is not None and entry.tries >= TRIES:
        raise StaffError(
            f"{TRIES} wrong PINs in a row: {number} is locked here; root or another shift manager "
            f"unlocks with `dealer-station staff unlock {number}`"
        )
    proof = staff.prove(number, ask(f"PIN of {number}", False))
    staff.count_try(number, right=proof.person is not None)
    if proof.person is None:
        raise StaffError(f"staff number or PIN is wrong ({number})")
    if proof.refusal is not None:
        raise StaffError(f"{number} may not do this now ({proof.refusal.code})")
    return proof.person


def known(staff: Staff, number: str) -> Entry:
    """That person. Raises StaffError when there is none."""
    entry = staff.file.entry(number)
    if entry is None:
        raise StaffError(
            f"{staff.path}: nobody has number {number}; `dealer-station staff list` says who is "
            "there"
        )
    return entry


def check_pin(number: str, pin: str) -> str:
    """The PIN. Raises StaffError for one that could not be typed, or is the first to be guessed."""
    weak = secret.why_weak(number, pin)
    if weak:
        raise StaffError(weak)
    return pin


def check_new(staff: Staff, number: str) -> None:
    """Raises StaffError when somebody has that number."""
    if staff.file.entry(number) is not None:
        raise StaffError(
            f"{number} is there already; a new PIN comes with `dealer-station staff reset "
            f"{number}`, a licence with `dealer-station staff licence {number}`"
        )


def add(staff: Staff, by: str, who: Person, pin: str, changes: Changes) -> None:
    """Raises StaffError, OSError."""
    check_new(staff, who.staff)
    entry = Entry(who.staff, who.name, who.role, secret.hashed(check_pin(who.staff, pin)))
    staff.put(changed(entry, changes), by, "add", who.role)


def changed(entry: Entry, changes: Changes) -> Entry:
    """With what is set. Raises StaffError for a day that is none, or half a licence."""
    if changes.stage is not None:
        entry = replace(entry, stage=changes.stage)
    number = changes.licence or (entry.licence.number if entry.licence else "")
    until = changes.licence_until or (entry.licence.until if entry.licence else "")
    if changes.licence is not None or changes.licence_until is not None:
        if not number or not until:
            raise StaffError("a licence has a number and a last day: give --number and --until")
        entry = replace(entry, licence=Licence(number, _day(until)))
    if changes.game_until is not None:
        entry = replace(entry, games={**entry.games, GAME: _day(changes.game_until)})
    return entry


def _day(text: str) -> str:
    try:
        if date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise StaffError(f"{text!r} is no day; write 2027-12-31")


def licence(staff: Staff, by: str, number: str, changes: Changes) -> Entry:
    """Record a licence or the permission for the game. Raises StaffError, OSError."""
    entry = changed(known(staff, number), changes)
    what = f"licence until {entry.licence.until}" if entry.licence else ""
    staff.put(entry, by, "licence", f"{what} {GAME} until {entry.games.get(GAME, '-')}".strip())
    return entry


def disable(staff: Staff, by: str, number: str, why: str) -> None:
    """Raises StaffError, OSError."""
    entry = known(staff, number)
    if entry.disabled is not None:
        raise StaffError(f"{number} is disabled already, since {entry.disabled.since}")
    others = [
        one
        for one in staff.file.people
        if one.role == MANAGER and one.disabled is None and not one.once and one.staff != number
    ]
    if entry.role == MANAGER and not others:
        raise StaffError(
            f"{number} is the last shift manager who can sign in; add another first, with a PIN"
        )
    staff.put(replace(entry, disabled=Disabled(now(), by, why)), by, "disable", why)


def enable(staff: Staff, by: str, number: str) -> None:
    """Raises StaffError, OSError."""
    entry = known(staff, number)
    if entry.disabled is None:
        raise StaffError(f"{number} is not disabled")
    staff.put(replace(entry, disabled=None), by, "enable")


def new_secret(staff: Staff, by: str, number: str) -> str:
    """A one-time secret in place of the PIN; the old PIN is void at once. Raises StaffError,
    OSError.
    """
    entry = known(staff, number)
    once = secret.one_time_secret()
    staff.put(replace(entry, pin=secret.hashed(once), once=True), by, "reset")
    return once


def exchange(staff: Staff, number: str, ask: Ask) -> None:
    """A one-time secret for a PIN of one's own. Raises StaffError, OSError."""
    entry = known(staff, number)
    if entry.tries >= TRIES:
        raise StaffError(
            f"{TRIES} wrong secrets in a row: root or a shift manager gives {number} another with "
            f"`dealer-station staff reset {number} --again`"
        )
    right = secret.fits(entry.pin, ask(f"one-time secret of {number}", False).strip().upper())
    staff.count_try(number, right=right)
    if not right:
        raise StaffError(f"that is not the one-time secret of {number}")
    if entry.disabled is not None:
        raise StaffError(f"{number} is disabled since {entry.disabled.since}")
    pin = check_pin(number, ask(f"new PIN of {number}", False))
    if ask("the same again", False) != pin:
        raise StaffError("the two PINs are not the same; nothing was changed")
    fresh = replace(known(staff, number), pin=secret.hashed(pin), once=False, tries=0)
    staff.put(fresh, number, "new_pin")


def unlock(staff: Staff, by: str, number: str) -> None:
    """A running station takes it up within seconds, a stopped one when it starts. Raises
    StaffError, OSError.
    """
    if by == number:
        raise StaffError(f"another shift manager, or root, unlocks {number}")
    entry = known(staff, number)
    # Never a number that was used, whatever the clock says.
    order = max(entry.unlock + 1, int(time.time()))
    staff.put(replace(entry, unlock=order, tries=0), by, "unlock")


def give_badge(staff: Staff, by: str, number: str) -> str:
    """What to encode on his badge; an earlier badge opens nothing from now on. Raises StaffError,
    OSError.
    """
    entry = known(staff, number)
    text = badge_text(secrets.token_bytes(16))
    staff.put(replace(entry, badge=secret.badge_hash(text)), by, "badge")
    return text


def listed(staff: Staff) -> list[dict[str, Any]]:
    """Who there is and how he stands; never a hash."""
    return [
        {
            "staff": entry.staff,
            "name": entry.name,
            "role": entry.role,
            "stage": entry.stage,
            "licence": msgspec.to_builtins(entry.licence),
            "games": entry.games,
            "badge": bool(entry.badge),
            "disabled": msgspec.to_builtins(entry.disabled),
            "once": entry.once,
            "may_work": (why.code if (why := staff.why_not(entry)) else "yes"),
        }
        for entry in staff.file.people
    ]


def in_a_line(one: dict[str, Any]) -> str:
    """One of the list, for people."""
    marks = [] if one["may_work"] == "yes" else [one["may_work"]]
    if one["badge"]:
        marks.append("badge")
    end = f"  ({', '.join(marks)})" if marks else ""
    return f"{one['staff']:10} {one['role']:14} {one['name']}{end}"


def station_runs(socket: Path) -> bool:
    """Whether a station answers there."""
    try:
        ask_station(socket)
    except StatusError:
        return False
    return True
