"""A command as it crossed the wire → the core's own words."""

from __future__ import annotations

from typing import assert_never

from station import messages as m
from station.game import round as r
from station.table import inputs as i
from station.table.facts import Person


def to_core(command: m.AnyCommand, person: Person | None = None) -> i.AnyCommand:
    """The core's command. `person` is whom a LogIn's PIN proved, or None; the PIN ends here."""
    match command:
        case m.OpenRound(rules=rules):
            return r.OpenRound(rules)
        case m.TakeSeat(seat=seat, player=player):
            return r.TakeSeat(seat, player)
        case m.LeaveSeat(seat=seat, player=player):
            return r.LeaveSeat(seat, player)
        case m.PlaceBet():
            return r.PlaceBet(command.round, command.seat, command.player, command.amount)
        case m.CloseBetting():
            return r.CloseBetting(command.round)
        case m.Decide():
            return r.Decide(
                command.round, command.decision, command.seat, command.hand, command.action
            )
        case m.Cleared():
            return r.Cleared(command.round)
        case _:
            return _of_the_table(command, person)


def _of_the_table(command: m.AnyTableCommand, person: Person | None) -> i.AnyTableCommand:
    match command:
        case m.LogIn(staff=staff):
            return i.LogIn(staff, person)
        case m.LogOut(staff=staff):
            return i.LogOut(staff)
        case m.Wait():
            return i.Wait()
        case m.Resume(hold=hold):
            return i.Resume(hold)
        case m.EmergencyStop():
            return i.EmergencyStop()
        case m.ReportError(what=what):
            return i.ReportError(what)
        case m.CallSupervisor(reason=reason):
            return i.CallSupervisor(reason)
        case m.AnswerCall():
            return i.AnswerCall()
        case m.Rule():
            return i.Rule(command.hold, command.ruling, command.note, command.expected_version)
        case m.VoidRound():
            return i.VoidRound(command.round, command.reason, command.expected_version)
        case m.LoadShoe(shoe=shoe, set=letter):
            return i.LoadShoe(shoe, letter)
        case m.ReleaseShoe():
            return i.ReleaseShoe(command.shoe, command.expected_version)
        case _ as never:
            assert_never(never)
