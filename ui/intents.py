"""A press as a command: what the finger meant, bound to what the screen showed. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from msgspec import UNSET

from station import messages as m
from station import snapshot as v

# What the dealer is offered to report, large enough to be hit without looking twice: which mistake
# in dealing it was, a supervisor says.
REPORTS: tuple[m.Report, ...] = (
    "misdeal",
    "missed_scan",
    "wrong_seat",
    "card_exposed",
    "wrong_card",
    "void_asked",
    "other",
)
# Why a supervisor voids, in the order it is offered. What is none of these needs his own words:
# they are written at the pit.
VOIDS: tuple[m.VoidReason, ...] = tuple(
    reason for reason in get_args(m.VoidReason) if reason != "other"
)
_PLAIN: dict[str, Callable[[], m.AnyCommand]] = {
    "wait": m.Wait,
    "emergency_stop": m.EmergencyStop,
    "answer_call": m.AnswerCall,
    "open_round": m.OpenRound,
    "pause_table": m.PauseTable,
    "open_table": m.OpenTable,
    "close_table": m.CloseTable,
}


def command_for(name: str, target: str, extra: str, snapshot: v.Snapshot) -> m.AnyCommand | None:
    """The command behind a key; None for a key without one, or a target that is not a number.

    `name` may carry its choice after a colon: `report_error:misdeal`, `rule:burn`. `extra` is
    a PIN for `log_in`, the set of cards for `load_shoe`, for `place_bet` an amount in minor
    units, "" for the table's nominal unit, and for `take_back` whose bet it is.
    """
    verb, _, choice = name.partition(":")
    number = int(target) if target.isdecimal() else None
    if verb in _PLAIN:
        return _PLAIN[verb]()
    match verb:
        case "call_supervisor":
            return m.CallSupervisor("help")
        case "report_error":
            return _report(choice)
        case "log_in" if target and extra:
            return m.LogIn(target, extra)
        case "log_out" if target:
            return m.LogOut(target)
        case "load_shoe" if target:
            return m.LoadShoe(target, extra)
        case "release_shoe" if target:
            return m.ReleaseShoe(target, snapshot.version)
        case "insure" | "follow" if target:
            return _answer(verb, choice, target, snapshot)
        case "take_back" if number is not None:
            return _take_back(choice, number, extra, snapshot)
        case "take_seat" | "leave_seat" | "place_bet" | "decide" if number is not None:
            return _keyed(verb, choice, number, extra, snapshot)
        case _:
            return _numbered(verb, choice, number, snapshot.version)


def _keyed(
    verb: str, choice: str, number: int, extra: str, snapshot: v.Snapshot
) -> m.AnyCommand | None:
    """What the dealer keys for players in the chairs; a decision only while it is on the screen."""
    match verb:
        case "take_seat":
            return m.TakeSeat(number)
        case "leave_seat":
            return m.LeaveSeat(number)
        case "place_bet":
            return _bet(choice, number, extra, snapshot.round)
    asked = snapshot.decision
    if asked is None or asked.decision != number:
        return None
    match choice:
        case "hit" | "stand" | "double" | "split" | "surrender":
            return m.Decide(snapshot.round, asked.decision, asked.seat, asked.hand, choice)
        case _:
            return None


def _bet(kind: str, seat: int, extra: str, round_: int) -> m.PlaceBet | None:
    amount = int(extra) if extra.isdecimal() else UNSET
    match kind:
        case "main" | "pair" | "behind" | "behind_pair":
            return m.PlaceBet(round_, seat, amount=amount, kind=kind)
        case _:
            return None


def _take_back(kind: str, seat: int, player: str, snapshot: v.Snapshot) -> m.TakeBack | None:
    """A bet that lies there on the screen, by whose it is; nothing for one that does not."""
    bets = [bet for view in snapshot.seats if view.seat == seat for bet in view.bets]
    if not any((bet.kind, bet.player) == (kind, player) for bet in bets):
        return None
    match kind:
        case "main" | "pair" | "behind" | "behind_pair":
            return m.TakeBack(snapshot.round, seat, player, kind)
        case _:
            return None


def _answer(verb: str, choice: str, player: str, snapshot: v.Snapshot) -> m.AnyCommand | None:
    """Yes or no to the window on the screen."""
    window = snapshot.window
    if window is None or choice not in ("yes", "no"):
        return None
    if verb == "insure":
        return m.Insure(snapshot.round, window.window, player, choice == "yes")
    return m.Follow(snapshot.round, window.window, player, choice == "yes")


def _numbered(verb: str, choice: str, number: int | None, version: int) -> m.AnyCommand | None:
    if number is None:
        return None
    match verb:
        case "cleared":
            return m.Cleared(number)
        case "close_betting":
            return m.CloseBetting(number)
        case "resume":
            return m.Resume(number)
        case "void_round":
            return next((m.VoidRound(number, why, version) for why in VOIDS if why == choice), None)
        case "rule":
            return _rule(choice, number, version)
        case _:
            return None


def _report(choice: str) -> m.ReportError | None:
    return next((m.ReportError(what) for what in get_args(m.Report) if what == choice), None)


def _rule(choice: str, hold: int, version: int) -> m.Rule | None:
    match choice:
        case "release" | "aligned":
            return m.Rule(hold, choice)
        case "same" | "second" | "burn" | "use" | "void":
            # Of the cards that were on the screen: one that came later is looked at first.
            return m.Rule(hold, choice, expected_version=version)
        case _:
            return None
