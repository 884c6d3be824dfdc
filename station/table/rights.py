"""Who may say what: from which link, and by which person (incidents: order and who may act)."""

from __future__ import annotations

from station.game import round as r
from station.game.refusal import Refusal, refuse
from station.table import inputs as i
from station.table.facts import Person
from station.table.state import PIN_TRIES, Table

SUPERVISORS = ("supervisor", "shift_manager")

_HOST = (r.OpenRound, r.TakeSeat, r.LeaveSeat, r.PlaceBet, r.CloseBetting, r.Decide)
_DEALER = (r.Cleared, i.Wait, i.ReportError, i.CallSupervisor)
_FLOOR = (i.Resume, i.EmergencyStop)
_SUPERVISOR = (i.AnswerCall, i.Rule, i.VoidRound, i.LoadShoe, i.ReleaseShoe)


def supervisor_at(table: Table, link: str) -> Person | None:
    """The supervisor signed in at that link, or None."""
    for signed in table.signed:
        if signed.link == link and signed.person.role in SUPERVISORS:
            return signed.person
    return None


def author(table: Table, actor: i.Actor, command: i.AnyCommand) -> str:
    """The staff id, or the host's name, that a command is booked under; "" when unknown."""
    if isinstance(command, _HOST):
        return actor.link
    if isinstance(command, i.LogIn | i.LogOut):
        return command.staff
    if isinstance(command, _SUPERVISOR):
        person = supervisor_at(table, actor.link)
        return person.staff if person else ""
    if actor.role != "console":
        # Not the dealer's doing: the person signed in there, or the place.
        return next((s.person.staff for s in table.signed if s.link == actor.link), actor.link)
    return table.dealer.staff if table.dealer else ""


def why_not_by(table: Table, actor: i.Actor, command: i.AnyCommand) -> Refusal | None:
    """Why this actor may not say this at all, whatever the round is at, or None."""
    if isinstance(command, _HOST):
        if actor.role != "host":
            return refuse("hosts_only", "", role=actor.role)
        return None
    if actor.role == "host":
        return refuse("not_for_hosts", "")
    if isinstance(command, _DEALER):
        if actor.role != "console":
            return refuse("console_only", "", role=actor.role)
        if table.dealer is None:
            return refuse("no_dealer", "")
    elif isinstance(command, _FLOOR) and actor.role not in ("console", "pit"):
        return refuse("console_or_pit", "", role=actor.role)
    elif isinstance(command, _SUPERVISOR) and supervisor_at(table, actor.link) is None:
        return refuse("supervisor_only", "R59")
    elif isinstance(command, i.LogIn) and table.tries.get(command.staff, 0) >= PIN_TRIES:
        return refuse("pin_locked", "", staff=command.staff)
    return None
