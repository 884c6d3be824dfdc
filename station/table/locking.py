"""What brings a lock about and what ends it, where that is not the table's own state. Pure."""

from __future__ import annotations

from station.game import commands as c
from station.game.refusal import Refusal
from station.game.rules import fingerprint
from station.table import inputs as i
from station.table import lock_facts as lf
from station.table.locks import HOST_RULES, KINDS, condition_of
from station.table.working import Working

# So much of a fingerprint is shown, characters: as in the corner of the screen.
SHOWN = 8


def condition_seen(work: Working, given: i.ConditionSeen) -> None:
    """Facts only where it is news: a watcher may tell the same again and again."""
    kind = KINDS[given.code]
    known = next((one for one in work.table.conditions if one.code == given.code), None)
    if not given.stands:
        if known is not None and known.stands:
            work.add(lf.ConditionCleared(known.lock, known.code))
        return
    if kind.once or known is None or not known.stands:
        lock = work.table.lock_count + 1
    elif known.params != given.params:
        lock = known.lock
    else:
        return
    raised = lf.ConditionRaised(lock, given.code, given.params, not kind.once, kind.latches)
    work.add(raised)


def clear_lock(work: Working, command: i.ClearLock, by: str) -> None:
    """A named person acknowledges it; `why_not_clear` has said that he may."""
    condition = condition_of(work.table, command.lock)
    if condition is None:
        raise AssertionError("a lock that is not there is refused before")
    work.add(lf.ConditionAcknowledged(command.lock, condition.code, by, command.reason))


def rules_said(work: Working, command: c.OpenRound, refusal: Refusal | None) -> None:
    """Whoever wants a round has said by which rules he plays."""
    ours = fingerprint(work.table.rules)
    if refusal is not None and refusal.code == "other_rules":
        params: dict[str, str | int] = {
            "host": command.rules[:SHOWN] or "-",
            "table": ours[:SHOWN],
        }
        condition_seen(work, i.ConditionSeen(HOST_RULES, stands=True, params=params))
    elif command.rules == ours:
        condition_seen(work, i.ConditionSeen(HOST_RULES, stands=False))
