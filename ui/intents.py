"""A press as a command: what the finger meant, bound to what the screen showed. Pure."""

from __future__ import annotations

from station import messages as m


def command_for(name: str, target: str, extra: str, snapshot: m.Snapshot) -> m.AnyCommand | None:
    """The command behind a key; None for a key without one, or a target that is not a number.

    `name` may carry its choice after a colon: `report_error:misdeal`, `rule:burn`. `extra` is
    a PIN for `log_in` and the set of cards for `load_shoe`.
    """
    verb, _, choice = name.partition(":")
    number = int(target) if target.isdecimal() else None
    match verb:
        case "wait":
            return m.Wait()
        case "emergency_stop":
            return m.EmergencyStop()
        case "call_supervisor":
            return m.CallSupervisor("help")
        case "answer_call":
            return m.AnswerCall()
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
        case _:
            return _numbered(verb, choice, number, snapshot.version)


def _numbered(verb: str, choice: str, number: int | None, version: int) -> m.AnyCommand | None:
    if number is None:
        return None
    match verb:
        case "cleared":
            return m.Cleared(number)
        case "resume":
            return m.Resume(number)
        case "void_round":
            return m.VoidRound(number, "supervisor at the console", version)
        case "rule":
            return _rule(choice, number, version)
        case _:
            return None


def _report(choice: str) -> m.ReportError | None:
    match choice:
        case "misdeal" | "missed_scan" | "wrong_seat" | "card_exposed" | "other":
            return m.ReportError(choice)
        case _:
            return None


def _rule(choice: str, hold: int, version: int) -> m.Rule | None:
    match choice:
        case "release" | "aligned" | "burn":
            return m.Rule(hold, choice)
        case "void":
            return m.Rule(hold, choice, expected_version=version)
        case _:
            return None
