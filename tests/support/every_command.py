"""Every command there is, in sound and unsound forms, as fits where a table is."""

from __future__ import annotations

from typing import Literal

from station.game import commands as c
from station.game.cards import card_of
from station.game.incidents import RulingName
from station.game.rules import fingerprint
from station.game.state import Action
from station.table import inputs as i
from station.table.facts import Person
from station.table.state import Table
from tests.support.every_shoe_command import shoes
from tests.support.play import DEALER, SUPERVISOR

ANSWERS: tuple[Literal["accept", "escalate"], ...] = ("accept", "escalate")
RULINGS: tuple[RulingName, ...] = ("release", "aligned", "burn", "use", "void")
PEOPLE = ("P1", "P3", "Eve", "Fay", "Gus", "")


def every_command(table: Table) -> list[i.AnyCommand]:
    return [
        *_seats(table),
        *_bets(table),
        *_play(table),
        *_staff(table),
        *_floor(table),
        *shoes(table),
    ]


def _number(table: Table) -> int:
    return table.game.rounds


def _seats(table: Table) -> list[i.AnyCommand]:
    return [
        c.OpenRound(fingerprint(table.rules)),
        c.OpenRound("f" * 64),
        c.TakeSeat(2, "P2"),
        c.TakeSeat(2, "Eve"),
        c.TakeSeat(2, ""),
        c.TakeSeat(1, "other"),
        c.TakeSeat(5, "P1"),
        c.TakeSeat(8, "P8"),
        c.LeaveSeat(1, "P1"),
        c.LeaveSeat(3, "P3"),
        c.LeaveSeat(7, "nobody"),
        *(kind(seat, player) for kind in (c.PlayerLost, c.PlayerBack) for seat, player in _WHO),
    ]


_WHO = ((1, "P1"), (3, "P3"), (1, "other"), (7, "nobody"))


def _bets(table: Table) -> list[i.AnyCommand]:
    number = _number(table)
    return [
        c.PlaceBet(number, 1, "P1", 1000),
        c.PlaceBet(number, 1, "P1", 1000, "pair"),
        c.PlaceBet(number, 4, "P4", 1000),
        c.PlaceBet(number, 8, "P8", 1000),
        c.PlaceBet(number, 1, "", 1000),
        *(c.PlaceBet(number, 1, "P1", amount) for amount in (-1, 0, 1, 999, 1001, 10**9)),
        *(c.PlaceBet(number, 1, "P1", amount, "pair") for amount in (-1, 99, 101, 10**9)),
        *(
            c.PlaceBet(number, seat, player, 1000, kind)
            for kind in ("behind", "behind_pair")
            for seat, player in ((1, "Eve"), (1, "Gus"), (3, "P1"), (5, "Gus"))
        ),
        c.PlaceBet(number, 1, "Gus", 1001, "behind"),
        c.PlaceBet(number, 1, "Gus", 99, "behind_pair"),
        c.PlaceBet(number + 1, 1, "P1", 1000),
        c.TakeBack(number, 1, "P1", "main"),
        c.TakeBack(number, 1, "P1", "pair"),
        c.TakeBack(number, 3, "B", "behind"),
        c.TakeBack(number + 1, 1, "P1", "main"),
        c.CloseBetting(number),
        c.CloseBetting(number + 1),
    ]


def _play(table: Table) -> list[i.AnyCommand]:
    number, round_ = _number(table), table.game.round
    asked = round_.asked if round_ else None
    decision, seat, hand = (asked.decision, asked.seat, asked.hand) if asked else (1, 1, 1)
    window = round_.window.window if round_ and round_.window else 1
    answers = (c.Insure, c.Follow)
    return [
        *(c.Decide(number, decision, seat, hand, action) for action in _ACTIONS),
        c.Decide(number, decision, seat, 3 - hand, "stand"),
        c.Decide(number, decision + 1, seat, hand, "hit"),
        c.Decide(number, decision, seat + 1, hand, "hit"),
        c.Decide(number, decision, 3, 1, "stand"),
        c.Decide(number, decision, 7, 1, "hit"),
        c.Decide(number + 1, decision, seat, hand, "hit"),
        *(
            kind(number, window, player, yes)
            for kind in answers
            for player in PEOPLE
            for yes in (True, False)
        ),
        *(kind(number, window + 1, "P1", True) for kind in answers),
        *(kind(number + 1, window, "P1", True) for kind in answers),
        c.Cleared(number),
        c.Cleared(number + 1),
    ]


_ACTIONS: tuple[Action, ...] = ("hit", "stand", "double", "split", "surrender")


def _staff(table: Table) -> list[i.AnyCommand]:
    relief = Person("1002", "박서준", "dealer")
    return [
        i.LogIn("1001", DEALER),
        i.LogIn("1001", None),
        i.LogIn("1002", relief),
        i.LogIn("station", Person("station", "X", "supervisor")),
        i.LogIn("2001", SUPERVISOR),
        i.LogOut("1001"),
        i.LogOut("2001"),
        i.LogOut("nobody"),
        i.UnlockPerson("1001"),
        i.UnlockPerson("nobody"),
        i.CallSupervisor("help"),
        i.AnswerCall(),
        i.PauseTable(),
        i.CloseTable(),
        i.OpenTable(),
    ]


def _floor(table: Table) -> list[i.AnyCommand]:
    number, version = _number(table), table.version
    hold = table.holds[0].hold if table.holds else 1
    shoe = table.game.shoe.id or "S1"
    return [
        i.Wait(),
        i.Resume(hold),
        i.Resume(hold + 9),
        i.EmergencyStop(),
        i.ReportError("misdeal"),
        *(i.Rule(hold, ruling, "", None) for ruling in RULINGS),
        i.Rule(hold + 9, "release", "", None),
        i.Rule(hold, "void", "", 0),
        i.VoidRound(number, "misdeal", version),
        i.VoidRound(number, "other", version),
        i.VoidRound(number + 1, "misdeal", version),
        i.VoidRound(number, "misdeal", 0),
        i.EnterCard(hold, card_of("5D"), "1001", DEALER),
        i.EnterCard(hold, card_of("5D"), "1001", None),
        i.EnterCard(hold, card_of("5D"), SUPERVISOR.staff, SUPERVISOR),
        i.EnterCard(hold + 1, card_of("5D"), "1001", DEALER),
        i.EnterCard(hold, card_of("8S", "", 1), "1001", DEALER),
        i.EnterCard(hold, card_of("8S", "", 9), "1001", DEALER),
        i.CorrectCard(hold, card_of("5D"), "1001", DEALER),
        i.CorrectCard(hold, card_of("5D"), "1001", None),
        i.CorrectCard(hold + 1, card_of("5D"), "1001", DEALER),
        *(i.DisputeRound(past, "seen later") for past in (number, number - 1, number + 1, 0)),
        *(i.AnswerDispute(number, answer, "") for answer in ANSWERS),
        i.AnswerDispute(number + 1, "accept", ""),
        *(i.ClearLock(one.lock, "seen to") for one in table.conditions),
        i.ClearLock(0, "of nothing"),
        i.LoadShoe("S9", "A"),
        i.LoadShoe("S1", "A"),
        i.ReleaseShoe(shoe, version),
        i.ReleaseShoe(shoe, 0),
        i.ReleaseShoe("S9", version),
        *(i.ReconcileShoe(name, {"KH": 8}) for name in ("S1", shoe, "S9")),
    ]
