"""What people bring about: signing in and out, wrong tries, badges, locks. Pure."""

from __future__ import annotations

from station.game.refusal import Refusal, refuse
from station.table import facts as f
from station.table import inputs as i
from station.table.attempts import after_wrong, why_locked
from station.table.state import AT_TABLE, Table, Timer
from station.table.why_not import why_not_log_in, why_not_log_out
from station.table.working import Working

# A badge at the table is shown where the dealer stands.
_TABLE = i.Actor("console", AT_TABLE)


def log_in_or_out(work: Working, actor: i.Actor, command: i.LogIn | i.LogOut) -> None:
    """Nothing is against it."""
    table = work.table
    if isinstance(command, i.LogOut):
        if table.dealer is not None and table.dealer.staff == command.staff:
            work.add(f.DealerLeft(command.staff))
            return
        for signed in table.signed:
            if signed.person.staff == command.staff and signed.stands_at(actor.link):
                work.add(f.StaffSignedOut(command.staff, signed.link, "left"))
        return
    person = command.person
    if person is None:
        raise AssertionError("a wrong PIN is refused before")
    if person.role == "dealer":
        if table.dealer is None:
            work.add(f.DealerTookTable(person))
    else:
        for signed in table.signed:
            # Two at one link cannot be: the one before him has left.
            if signed.link == actor.link and signed.person.staff != person.staff:
                work.add(f.StaffSignedOut(signed.person.staff, signed.link, "left"))
        work.add(f.StaffSignedIn(person, actor.link))


def log_in_refused(work: Working, link: str, command: i.LogIn, refusal: Refusal) -> None:
    """A wrong PIN counts; a right one that is refused for another reason ends the count."""
    attempts = work.table.attempts
    if refusal.code == "wrong_pin":
        wrong, here = after_wrong(attempts, command.staff, link)
        work.add(f.LoginFailed(command.staff, link, wrong, here))
    elif (
        command.person is not None
        and command.staff in attempts.people
        and why_locked(attempts, command.staff, link) is None
    ):
        work.add(f.TriesForgotten(command.staff, command.staff, "proved"))


def badge_shown(work: Working, given: i.BadgeShown) -> None:
    """A badge signs its person in at the table, and out when it is shown again."""
    table, person = work.table, given.person
    link = f"device:{given.device}"
    refusal = why_locked(table.attempts, person.staff if person else "", link)
    if refusal is None and person is None:
        wrong, here = after_wrong(table.attempts, "", link)
        work.add(f.LoginFailed("", link, wrong, here, "badge"))
        refusal = refuse("badge_unknown", "")
    if refusal is not None or person is None:
        _badge_refused(work, given, refusal or refuse("badge_unknown", ""))
    elif _is_here(table, person.staff):
        out = i.LogOut(person.staff)
        refusal = why_not_log_out(table, _TABLE, out)
        if refusal is None:
            log_in_or_out(work, _TABLE, out)
        else:
            _badge_refused(work, given, refusal)
    else:
        log_in = i.LogIn(person.staff, person, given.refusal)
        refusal = why_not_log_in(table, _TABLE, log_in)
        if refusal is None:
            log_in_or_out(work, _TABLE, log_in)
        else:
            log_in_refused(work, link, log_in, refusal)
            _badge_refused(work, given, refusal)


def _is_here(table: Table, staff: str) -> bool:
    """Whether that person has the table, or signed in at it by badge."""
    if table.dealer is not None and table.dealer.staff == staff:
        return True
    return any((s.person.staff, s.link) == (staff, AT_TABLE) for s in table.signed)


def _badge_refused(work: Working, given: i.BadgeShown, refusal: Refusal) -> None:
    """A badge that is held there and read on and on is told once."""
    if work.table.refusal != refusal:
        staff = given.person.staff if given.person else ""
        work.add(f.BadgeRefused(given.device, staff, refusal))


def licence_over(work: Working, given: i.LicenceOver) -> None:
    """The dealer opens no further round; one of higher rank is signed out."""
    table = work.table
    dealer = table.dealer
    if dealer is not None and dealer.staff == given.staff and table.duty_over != given.refusal:
        work.add(f.DutyOver(given.staff, given.refusal))
    for signed in table.signed:
        if signed.person.staff == given.staff:
            work.add(f.StaffSignedOut(given.staff, signed.link, "barred"))


def unlocked_outside(work: Working, given: i.PersonUnlocked) -> None:
    """An order of the command line, which the staff file keeps; it counts once."""
    if given.unlock > work.table.attempts.unlocked.get(given.staff, 0):
        work.add(f.TriesForgotten(given.staff, given.by, "unlocked", given.unlock))


def time_over(work: Working, timer: Timer) -> None:
    """A lock, a place's hour or a sign-in by badge has lasted its time."""
    match timer.kind:
        case "pin_lock":
            work.add(f.LoginLockOver(timer.staff))
        case "place_hour":
            work.add(f.PlaceHourOver(timer.place))
        case _:
            work.add(f.StaffSignedOut(timer.staff, AT_TABLE, "time"))
