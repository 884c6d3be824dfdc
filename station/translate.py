"""A command as it crossed the wire → the core's own words."""

from __future__ import annotations

from typing import assert_never

from msgspec import UNSET

from station import messages as m
from station import messages_shoe as ms
from station.game import commands as c
from station.game.cards import card_of
from station.game.refusal import Refusal
from station.table import inputs as i
from station.table import shoe_inputs as si
from station.table.facts import Person


def to_core(
    command: m.AnyCommand, person: Person | None = None, refusal: Refusal | None = None
) -> i.AnyCommand:
    """The core's command. `person` is whom a LogIn's PIN proved, or None; the PIN ends here.
    `refusal`: why that person may not work here now.
    """
    match command:
        case m.OpenRound(rules=rules):
            return c.OpenRound(rules)
        case m.TakeSeat(seat=seat, player=player):
            return c.TakeSeat(seat, player)
        case m.LeaveSeat(seat=seat, player=player):
            return c.LeaveSeat(seat, player)
        case m.PlayerLost(seat=seat, player=player):
            return c.PlayerLost(seat, player)
        case m.PlayerBack(seat=seat, player=player):
            return c.PlayerBack(seat, player)
        case m.PlaceBet():
            amount = 0 if command.amount is UNSET else command.amount
            return c.PlaceBet(command.round, command.seat, command.player, amount, command.kind)
        case m.TakeBack():
            return c.TakeBack(command.round, command.seat, command.player, command.kind)
        case m.CloseBetting() | m.Decide() | m.Insure() | m.Follow() | m.Cleared():
            return _of_the_round(command)
        case _:
            return _of_the_table(command, person, refusal)


def _of_the_round(
    command: m.CloseBetting | m.Decide | m.Insure | m.Follow | m.Cleared,
) -> c.AnyGameCommand:
    match command:
        case m.CloseBetting():
            return c.CloseBetting(command.round)
        case m.Decide():
            return c.Decide(
                command.round, command.decision, command.seat, command.hand, command.action
            )
        case m.Insure():
            return c.Insure(command.round, command.window, command.player, command.buy)
        case m.Follow():
            return c.Follow(command.round, command.window, command.player, command.follow)
        case m.Cleared():
            return c.Cleared(command.round)


def _of_the_table(
    command: m.AnyTableCommand, person: Person | None, refusal: Refusal | None
) -> i.AnyTableCommand:
    match command:
        case m.LogIn(staff=staff):
            return i.LogIn(staff, person, refusal)
        case m.LogOut(staff=staff):
            return i.LogOut(staff)
        case m.UnlockPerson(staff=staff):
            return i.UnlockPerson(staff)
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
            return i.VoidRound(
                command.round, command.reason, command.expected_version, command.note
            )
        case m.DisputeRound():
            return i.DisputeRound(command.round, command.note)
        case m.AnswerDispute():
            return i.AnswerDispute(command.round, command.answer, command.note)
        case (
            m.EnterCard()
            | m.CorrectCard()
            | m.LoadShoe()
            | ms.BeginShoeCheck()
            | ms.EnterCheckersReceipt()
        ):
            return _with_a_second(command, person, refusal)
        case _:
            return _of_the_shoe_or_day(command)


def _with_a_second(
    command: m.EnterCard | m.CorrectCard | m.LoadShoe | ms.BeginShoeCheck | ms.EnterCheckersReceipt,
    person: Person | None,
    refusal: Refusal | None,
) -> i.AnyTableCommand:
    """What a second person's PIN goes with."""
    match command:
        case m.EnterCard() | m.CorrectCard():
            card = card_of(command.face, "", command.deck)
            kind = i.EnterCard if isinstance(command, m.EnterCard) else i.CorrectCard
            return kind(command.hold, card, command.second, person, command.note, refusal)
        case m.LoadShoe():
            return i.LoadShoe(
                command.shoe,
                command.set,
                command.seal,
                command.cut_card,
                command.reason,
                command.second,
                person,
                refusal,
            )
        case ms.BeginShoeCheck():
            return si.BeginShoeCheck(
                command.shoe,
                command.set,
                command.device,
                command.back,
                command.reason,
                command.second,
                person,
                refusal,
                command.what,
            )
        case ms.EnterCheckersReceipt():
            return si.EnterCheckersReceipt(
                command.shoe,
                command.set,
                command.machine,
                command.number,
                command.checked_at,
                command.checker,
                command.back,
                command.note,
                command.second,
                person,
                refusal,
            )


def _of_the_shoe_or_day(
    command: m.ReleaseShoe
    | m.ReconcileShoe
    | ms.FinishShoeCheck
    | ms.CancelShoeCheck
    | ms.ShoeShuffled
    | ms.TakeOutShoe
    | ms.LiftShoeBar
    | m.ClearLock
    | m.PauseTable
    | m.CloseTable
    | m.OpenTable,
) -> i.AnyTableCommand:
    match command:
        case m.ReleaseShoe():
            return i.ReleaseShoe(command.shoe, command.expected_version)
        case m.ReconcileShoe():
            return i.ReconcileShoe(command.shoe, command.remaining)
        case ms.FinishShoeCheck(check=check):
            return si.FinishShoeCheck(check)
        case ms.CancelShoeCheck(check=check):
            return si.CancelShoeCheck(check)
        case ms.ShoeShuffled(shoe=shoe, seal=seal):
            return si.ShoeShuffled(shoe, seal)
        case ms.TakeOutShoe():
            return si.TakeOutShoe(command.shoe, command.reason)
        case ms.LiftShoeBar(shoe=shoe, reason=reason):
            return si.LiftShoeBar(shoe, reason)
        case m.ClearLock():
            return i.ClearLock(command.lock, command.reason)
        case m.PauseTable():
            return i.PauseTable()
        case m.CloseTable():
            return i.CloseTable()
        case m.OpenTable():
            return i.OpenTable()
        case _ as never:
            assert_never(never)
