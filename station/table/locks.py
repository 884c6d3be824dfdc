"""Locks: everything that keeps the next round from starting, as data. Pure.

A lock stops no round that runs: paying, finishing and clearing it go on. It is either read from
the table's own state, or from a condition that the station found out about its surroundings.
`locks` is the one source of why no round opens.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game import round as r
from station.game.refusal import Refusal, refuse
from station.table import inputs as i
from station.table.conditions import Condition
from station.table.state import Table

Role = Literal["dealer", "supervisor", "shift_manager", "technician"]
_SUPERVISORS: tuple[Role, ...] = ("supervisor", "shift_manager")
_TECHNICAL: tuple[Role, ...] = ("technician", "shift_manager")
# Whoever may clear one of those that latch.
CLEARERS: tuple[Role, ...] = ("supervisor", "shift_manager", "technician")
HOST_RULES = "host_rules"
RULES_CHANGED = "rules_changed"


class Kind(Struct, frozen=True):
    """What is known of a lock before it is there.

    `from_`: `state`, the table's own; `condition`, found out by the station. `by`: who ends it at
    the table, () where it ends by itself. `latches`: it has to be acknowledged, also when its cause
    is gone. `once`: it happens, and does not stand. `rule`: of the game; `asks`: the requirements
    it answers, by their numbers.
    """

    from_: Literal["state", "condition"]
    by: tuple[Role, ...] = ()
    latches: bool = False
    once: bool = False
    rule: str = ""
    asks: tuple[int, ...] = ()


def _state(*by: Role, rule: str = "", asks: tuple[int, ...] = ()) -> Kind:
    return Kind("state", by, rule=rule, asks=asks)


def _itself(*asks: int, rule: str = "") -> Kind:
    return Kind("condition", rule=rule, asks=asks)


def _latched(*asks: int, by: tuple[Role, ...], once: bool = False, rule: str = "") -> Kind:
    return Kind("condition", by, latches=True, once=once, rule=rule, asks=asks)


# In the order in which they are named.
KINDS: dict[str, Kind] = {
    "shoe_not_in_play": _state(*_SUPERVISORS, rule="R60", asks=(10,)),
    "shoe_change_due": _state(*_SUPERVISORS, rule="A21"),
    "burn_due": _state("dealer", rule="A21"),
    "table_holds": _state(*_SUPERVISORS, rule="R60", asks=(15, 16)),
    "table_paused": _state("dealer", *_SUPERVISORS),
    "table_closed": _state(*_SUPERVISORS),
    "no_dealer": _state("dealer", asks=(2,)),
    "person_disabled": _state("dealer", asks=(2,)),
    "no_licence": _state("dealer", asks=(2,)),
    "licence_over": _state("dealer", asks=(2,)),
    "game_not_permitted": _state("dealer", asks=(2,)),
    "game_permission_over": _state("dealer", asks=(2,)),
    "pin_is_once": _state("dealer", asks=(2,)),
    "at_another_table": _state("dealer", asks=(2,)),
    "round_disputed": _state(*_SUPERVISORS, rule="R59", asks=(9,)),
    "journal_failed": _latched(5, 13, 15, by=_TECHNICAL, once=True),
    "journal_readonly": _itself(5),
    "disk_low": _itself(5),
    "evidence_disk_low": _itself(5),
    "self_check_failed": _latched(7, 13, by=_TECHNICAL),
    "self_check_missing": _itself(7),
    RULES_CHANGED: _latched(3, 4, by=_SUPERVISORS, once=True, rule="R59"),
    "rules_differ": _itself(3, 4, rule="R59"),
    "clock_stepped": _latched(15, 18, by=_TECHNICAL, once=True),
    "clock_unsynced": _itself(18),
    "staff_file_exposed": _latched(2, by=("shift_manager",)),
    "staff_file_broken": _itself(2),
    "watch_silent": _itself(5, 7, 18),
    "shoe_too_old": _itself(10),
    HOST_RULES: _itself(3, 4, rule="R59"),
    "reader_not_up": _state(asks=(15,)),
    "host_is_lost": _state(rule="R58"),
}
CONDITIONS = tuple(code for code, kind in KINDS.items() if kind.from_ == "condition")


class Lock(Struct, frozen=True):
    """Why no round starts: worded as the refusal that opening one would get.

    `lock`: the number of the hold or the condition, 0 for any other. `stands`: the cause is there;
    else a person has only to acknowledge it. `times`: how often it came since one did.
    """

    refusal: Refusal
    lock: int = 0
    stands: bool = True
    times: int = 1

    @property
    def code(self) -> str:
        return self.refusal.code

    @property
    def kind(self) -> Kind:
        """Of a code of another release nothing is known but that it bars."""
        return KINDS.get(self.code, Kind("condition", CLEARERS, latches=True))


def locks(table: Table) -> tuple[Lock, ...]:
    """All that keep the next round from starting, the one that is named first at the head."""
    shoe = r.why_not_shoe(table.game, table.rules)
    found = [Lock(shoe)] if shoe is not None else []
    for hold in table.holds:
        held = refuse("table_holds", "R60", hold=hold.hold, code=hold.code)
        found.append(Lock(held, hold.hold))
    found += [Lock(refusal) for refusal in _of_people(table)]
    found += sorted((_of(one) for one in table.conditions), key=_place)
    found += [
        Lock(refuse("reader_not_up", "", device=device.name, health=device.health))
        for device in table.devices
        if not device.reads
    ]
    if not table.keys and not table.host_connected:
        found.append(Lock(refuse("host_is_lost", "R58")))
    return tuple(found)


_PLACES = {code: number for number, code in enumerate(KINDS)}


def _place(lock: Lock) -> int:
    return _PLACES.get(lock.code, len(_PLACES))


def _of_people(table: Table) -> list[Refusal]:
    """Who opened, closed or left the table, and who has yet to answer for a round."""
    found: list[Refusal] = []
    if table.life == "paused":
        found.append(refuse("table_paused", ""))
    elif table.life == "closed":
        found.append(refuse("table_closed", ""))
    if table.dealer is None:
        found.append(refuse("no_dealer", ""))
    elif table.duty_over is not None:
        found.append(table.duty_over)
    found += [refuse("round_disputed", "R59", round=one.round) for one in table.disputes]
    return found


def _of(condition: Condition) -> Lock:
    kind = KINDS.get(condition.code)
    refusal = Refusal(condition.code, kind.rule if kind else "", condition.params)
    return Lock(refusal, condition.lock, condition.stands, condition.times)


def why_no_round(table: Table) -> Refusal | None:
    """Why no round opens, or None. Whoever opens one has said by which rules he plays, and is
    refused or not for that: what he said before bars nothing.
    """
    return next((lock.refusal for lock in locks(table) if lock.code != HOST_RULES), None)


def condition_of(table: Table, lock: int) -> Condition | None:
    """The condition of that number, or None."""
    return next((one for one in table.conditions if one.lock == lock), None)


def clearers(condition: Condition | None) -> tuple[Role, ...]:
    """Who may acknowledge it; of one there is not, whoever may acknowledge any."""
    kind = KINDS.get(condition.code) if condition is not None else None
    return kind.by if kind is not None and kind.by else CLEARERS


def why_not_clear(table: Table, actor: i.Actor, command: i.ClearLock) -> Refusal | None:
    """Why that lock cannot be acknowledged there now, or None."""
    condition = condition_of(table, command.lock)
    if condition is None:
        return refuse("stale_lock", "", lock=command.lock)
    if condition.stands:
        return refuse("lock_stands", "", lock=command.lock)
    roles = clearers(condition)
    here = {signed.person.role for signed in table.signed if signed.stands_at(actor.link)}
    return None if here & set(roles) else refuse("lock_not_yours", "", lock=command.lock)
