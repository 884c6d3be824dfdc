"""Facts of what keeps rounds from starting, where a state of the table does not tell it."""

from __future__ import annotations

from station.table.fact import TableFact


class LockFact(TableFact, frozen=True):
    """A fact of a condition that bars rounds."""


class ConditionRaised(LockFact, frozen=True, tag="ConditionRaised"):
    """Something bars the next round; `code` as in `locks.KINDS`. It stops no round that runs.

    `lock` is its number; that of one that is known already changes what is said of it and nothing
    else. `stands`: its cause is there still; else
    it has happened. `latches`: a person has to acknowledge it, also when the cause is gone.
    """

    lock: int
    code: str
    params: dict[str, str | int]
    stands: bool
    latches: bool


class ConditionCleared(LockFact, frozen=True, tag="ConditionCleared"):
    """Its cause is gone. One that latches bars on until it is acknowledged."""

    lock: int
    code: str


class ConditionAcknowledged(LockFact, frozen=True, tag="ConditionAcknowledged"):
    """A named person has seen to it, and says how: it bars no more."""

    lock: int
    code: str
    by: str
    reason: str
