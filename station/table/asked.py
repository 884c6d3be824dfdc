"""What is asked of several commands: that what was seen is still so, and a second person."""

from __future__ import annotations

from typing import Protocol

from station.game.refusal import Refusal, refuse
from station.table import inputs as i
from station.table import shoe_inputs as si
from station.table.attempts import why_locked
from station.table.facts import Person
from station.table.rights import supervisor_at
from station.table.state import Table

# Commands that a second person's PIN goes with.
WITNESSED = (i.EnterCard, i.CorrectCard, si.BeginShoeCheck, si.EnterCheckersReceipt, i.LoadShoe)


class Witnessed(Protocol):
    """A command that a second person bears witness to."""

    @property
    def second(self) -> str: ...

    @property
    def person(self) -> Person | None: ...

    @property
    def refusal(self) -> Refusal | None: ...


def stale(table: Table, version: int | None) -> Refusal | None:
    """Whether round, shoe, money or a hold has changed since that was seen."""
    if version is not None and version < table.changed:
        return refuse("table_changed", "", seen=version, changed=table.changed)
    return None


def why_not_second(table: Table, actor: i.Actor, command: Witnessed) -> Refusal | None:
    """Why that person cannot bear witness: locked, not who he says, or the first one himself."""
    refusal = why_locked(table.attempts, command.second, actor.link)
    first = supervisor_at(table, actor.link)
    if refusal is None and first is not None and first.staff == command.second:
        refusal = refuse("second_is_first", "R59", staff=command.second)
    if refusal is None and command.refusal is not None:
        refusal = command.refusal
    if refusal is None and command.person is None:
        refusal = refuse("wrong_pin", "", staff=command.second)
    return refusal
