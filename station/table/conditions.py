"""What keeps rounds from starting beside the table's own state, and how facts change it. Pure."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from station.table import lock_facts as lf


class Condition(Struct, frozen=True):
    """Something the station found out about its surroundings. `stands`: the cause is there; else a
    person has yet to acknowledge it. `times`: how often it came since one did.
    """

    lock: int
    code: str
    params: dict[str, str | int]
    stands: bool
    latches: bool
    times: int = 1


Conditions = tuple[Condition, ...]


def after(
    conditions: Conditions,
    fact: lf.ConditionRaised | lf.ConditionCleared | lf.ConditionAcknowledged,
) -> Conditions:
    """The conditions after that fact, in the order in which they came."""
    match fact:
        case lf.ConditionRaised():
            return _raised(conditions, fact)
        case lf.ConditionCleared():
            return tuple(
                replace(one, stands=False) if one.lock == fact.lock else one
                for one in conditions
                if one.lock != fact.lock or one.latches
            )
        case lf.ConditionAcknowledged():
            return tuple(one for one in conditions if one.lock != fact.lock)


def _raised(conditions: Conditions, fact: lf.ConditionRaised) -> Conditions:
    known = next((one for one in conditions if one.code == fact.code), None)
    new = Condition(fact.lock, fact.code, fact.params, fact.stands, fact.latches)
    if known is None:
        return (*conditions, new)
    times = known.times + (known.lock != fact.lock)
    return tuple(replace(new, times=times) if one is known else one for one in conditions)
