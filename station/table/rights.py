"""Who may say what: from which link, and by which person (incidents: order and who may act)."""

from __future__ import annotations

from station.game import commands as c
from station.game.refusal import Refusal, refuse
from station.table import inputs as i
from station.table import shoe_inputs as si
from station.table.attempts import why_locked
from station.table.facts import Person
from station.table.locks import CLEARERS, clearers, condition_of
from station.table.state import Table

SUPERVISORS = ("supervisor", "shift_manager")
MANAGERS = ("shift_manager",)

_HOST = (
    c.OpenRound,
    c.TakeSeat,
    c.LeaveSeat,
    c.PlayerLost,
    c.PlayerBack,
    c.PlaceBet,
    c.TakeBack,
    c.CloseBetting,
    c.Decide,
    c.Insure,
    c.Follow,
)
_DEALER = (i.Wait, i.CallSupervisor)
_FLOOR = (i.Resume, i.EmergencyStop)
_SUPERVISOR = (
    i.AnswerCall,
    i.Rule,
    i.VoidRound,
    i.AnswerDispute,
    i.EnterCard,
    i.CorrectCard,
    i.LoadShoe,
    i.ReleaseShoe,
    i.ReconcileShoe,
    si.BeginShoeCheck,
    si.FinishShoeCheck,
    si.CancelShoeCheck,
    si.EnterCheckersReceipt,
    si.ShoeShuffled,
    si.TakeOutShoe,
    i.CloseTable,
)
_MANAGER = (i.UnlockPerson, si.LiftShoeBar)
# The dealer on duty at the console, or a supervisor; what was closed only a supervisor opens.
_EITHER = (i.PauseTable, i.OpenTable)
# What was seen the dealer reports, or a supervisor who found it by eye; and what the dealer forgot
# to press a supervisor presses for him.
_SEEN = (i.ReportError, c.Cleared)
# A supervisor, or a host that keeps other books, says that a round was not right.
_DISPUTED = (i.DisputeRound,)


def supervisor_at(table: Table, link: str) -> Person | None:
    """The supervisor signed in at that link, or None."""
    return _signed_at(table, link, SUPERVISORS)


def manager_at(table: Table, link: str) -> Person | None:
    """The shift manager signed in at that link, or None."""
    return _signed_at(table, link, MANAGERS)


def clearer_at(table: Table, link: str, lock: int) -> Person | None:
    """Who is signed in at that link and may acknowledge that lock, or any if not that one."""
    roles = clearers(condition_of(table, lock))
    return _signed_at(table, link, roles) or _signed_at(table, link, CLEARERS)


def _signed_at(table: Table, link: str, roles: tuple[str, ...]) -> Person | None:
    for signed in table.signed:
        if signed.stands_at(link) and signed.person.role in roles:
            return signed.person
    return None


def author(table: Table, actor: i.Actor, command: i.AnyCommand) -> str:
    """The staff id, or the host's name, that a command is booked under; "" when unknown."""
    if isinstance(command, (*_HOST, *_DISPUTED)) and actor.role == "host":
        return actor.link
    if isinstance(command, i.LogIn | i.LogOut):
        return command.staff
    if isinstance(command, _MANAGER):
        person = manager_at(table, actor.link)
        return person.staff if person else ""
    if isinstance(command, i.ClearLock):
        person = clearer_at(table, actor.link, command.lock)
        return person.staff if person else ""
    if isinstance(command, (*_SUPERVISOR, *_DISPUTED)) or (
        isinstance(command, _EITHER) and supervisor_at(table, actor.link) is not None
    ):
        person = supervisor_at(table, actor.link)
        return person.staff if person else ""
    if actor.role != "console":
        # Not the dealer's doing: the person signed in there, or the place.
        return next((s.person.staff for s in table.signed if s.link == actor.link), actor.link)
    if table.dealer is not None:
        return table.dealer.staff
    person = supervisor_at(table, actor.link)
    return person.staff if person else ""


def why_not_by(table: Table, actor: i.Actor, command: i.AnyCommand) -> Refusal | None:
    """Why this actor may not say this at all, whatever the round is at, or None."""
    if isinstance(command, _HOST):
        return _why_not_host(table, actor, command)
    if actor.role == "host":
        disputes = isinstance(command, _DISPUTED) and not table.keys
        return None if disputes else refuse("not_for_hosts", "")
    if isinstance(command, _DEALER):
        if actor.role != "console":
            return refuse("console_only", "", role=actor.role)
        if table.dealer is None:
            return refuse("no_dealer", "")
    elif isinstance(command, _FLOOR) and actor.role not in ("console", "pit"):
        return refuse("console_or_pit", "", role=actor.role)
    elif isinstance(command, (*_SUPERVISOR, *_DISPUTED)) and (
        supervisor_at(table, actor.link) is None
    ):
        return refuse("supervisor_only", "R59")
    elif isinstance(command, (*_EITHER, *_SEEN)):
        return _why_not_either(table, actor, command)
    elif isinstance(command, _MANAGER) and manager_at(table, actor.link) is None:
        return refuse("manager_only", "")
    elif isinstance(command, i.ClearLock) and (clearer_at(table, actor.link, command.lock) is None):
        return refuse("clearers_only", "")
    elif isinstance(command, i.LogIn):
        return why_locked(table.attempts, command.staff, actor.link)
    return None


def _why_not_host(table: Table, actor: i.Actor, command: i.AnyCommand) -> Refusal | None:
    """The game host's commands: of a host over a link, or of the dealer's keys at a table with
    players in the chairs.
    """
    if not table.keys:
        if actor.role != "host":
            return refuse("hosts_only", "", role=actor.role)
        # Lost is lost, also where its last words arrive late (A19).
        return None if table.host_connected else refuse("host_is_lost", "R58")
    if isinstance(command, c.OpenRound) and supervisor_at(table, actor.link) is not None:
        return None
    if actor.role != "console":
        return refuse("dealer_keys_only", "", role=actor.role)
    return refuse("no_dealer", "") if table.dealer is None else None


def _why_not_either(table: Table, actor: i.Actor, command: i.AnyCommand) -> Refusal | None:
    if supervisor_at(table, actor.link) is not None:
        return None
    if actor.role != "console":
        return refuse("supervisor_only", "R59")
    if table.dealer is None:
        return refuse("no_dealer", "")
    if isinstance(command, i.OpenTable) and table.life == "closed":
        return refuse("supervisor_only", "R59")
    return None
