"""What a role might say now, and why not: the console greys out from this alone."""

from __future__ import annotations

from station.game import round as r
from station.game.rules import fingerprint
from station.messages import ActionView
from station.table import inputs as i
from station.table.state import Table
from station.table.why_not import why_not
from station.wording.say import refusal_view


def actions(table: Table, actor: i.Actor) -> list[ActionView]:
    """One entry a command and target; the command is put to `why_not` as it would be sent."""
    probes = _host(table) if actor.role == "host" else _people(table, actor)
    entries = []
    for name, target, command in probes:
        refusal = why_not(table, actor, command)
        entries.append(ActionView(name, target, refusal_view(refusal) if refusal else None))
    return entries


def _round(table: Table) -> int:
    return table.game.round.number if table.game.round else 0


def _host(table: Table) -> list[tuple[str, str, i.AnyCommand]]:
    number = _round(table)
    probes: list[tuple[str, str, i.AnyCommand]] = [
        ("open_round", "", r.OpenRound(fingerprint(table.rules))),
        ("close_betting", str(number), r.CloseBetting(number)),
    ]
    taken = {seat.seat: seat.player for seat in table.game.seats}
    for seat in range(1, table.rules.seats + 1):
        if seat in taken:
            bet = r.PlaceBet(number, seat, taken[seat], table.rules.main_min)
            probes.append(("place_bet", str(seat), bet))
            probes.append(("leave_seat", str(seat), r.LeaveSeat(seat, taken[seat])))
        else:
            # A name nobody can have: it is the seat that is asked about.
            probes.append(("take_seat", str(seat), r.TakeSeat(seat, "\0")))
    asked = table.game.round.asked if table.game.round else None
    if asked is not None:
        for action in asked.legal:
            decide = r.Decide(number, asked.decision, asked.seat, asked.hand, _action(action))
            probes.append((f"decide:{action}", str(asked.seat), decide))
    return probes


def _action(name: str) -> r.Action:
    return "hit" if name == "hit" else "stand"


def _people(table: Table, actor: i.Actor) -> list[tuple[str, str, i.AnyCommand]]:
    number = _round(table)
    wait = next((hold.hold for hold in table.holds if hold.code == "wait"), 0)
    shoe = table.game.shoe
    probes: list[tuple[str, str, i.AnyCommand]] = [
        ("cleared", str(number), r.Cleared(number)),
        ("wait", "", i.Wait()),
        ("resume", str(wait), i.Resume(wait)),
        ("emergency_stop", "", i.EmergencyStop()),
        ("report_error", "", i.ReportError("other")),
        ("call_supervisor", "", i.CallSupervisor("help")),
        ("answer_call", "", i.AnswerCall()),
        ("void_round", str(number), i.VoidRound(number, "-", table.version)),
        ("load_shoe", "", i.LoadShoe("-", "")),
        ("release_shoe", shoe.id, i.ReleaseShoe(shoe.id, table.version)),
    ]
    if table.dealer is not None:
        probes.append(("log_out", table.dealer.staff, i.LogOut(table.dealer.staff)))
    probes.extend(
        ("log_out", signed.person.staff, i.LogOut(signed.person.staff))
        for signed in table.signed
        if signed.link == actor.link
    )
    return probes
