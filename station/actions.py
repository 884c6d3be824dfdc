"""What a role might say now, and why not: the console greys out from this alone."""

from __future__ import annotations

from typing import Any, Literal

from station.game import commands as c
from station.game.check import Manifest
from station.game.decisions import ACTIONS
from station.game.rules import fingerprint
from station.game.state import Round, is_open
from station.snapshot import ActionView, RefusalView
from station.table import inputs as i
from station.table import shoe_inputs as si
from station.table.asked import WITNESSED
from station.table.attempts import is_barred
from station.table.rights import manager_at
from station.table.state import Table, waiting_shoes
from station.table.why_not import why_not
from station.wording.say import refusal_view

Probe = tuple[str, str, i.AnyCommand]
# A name nobody can have: it is the seat that is asked about.
NOBODY = "\0"
# What a command is refused for until a second person has proved himself.
PROVED_LATER = ("second_needed", "wrong_pin")


def actions(table: Table, actor: i.Actor, digits: int = 0) -> list[ActionView]:
    """One entry a command and target; the command is put to `why_not` as it would be sent.

    `digits` follow the decimal point of an amount.
    """
    keys = table.keys and actor.role == "console"
    probes = [] if actor.role == "host" else _people(table, actor)
    if keys or actor.role == "host":
        probes += _host(table)
    entries = []
    worded: dict[object, RefusalView] = {}
    for name, target, command in probes:
        refusal = why_not(table, actor, command)
        if refusal is not None and isinstance(command, WITNESSED) and refusal.code in PROVED_LATER:
            # Nothing but the second person is wanting, who proves himself as he is named.
            refusal = None
        view = None
        if refusal is not None:
            # Most are refused for the same reason: it is worded once.
            key = (refusal.code, refusal.rule, *refusal.params.items())
            view = worded.get(key)
            if view is None:
                view = worded[key] = refusal_view(refusal, digits)
        entries.append(ActionView(name, target, view))
    return entries


def _round(table: Table) -> int:
    return table.game.round.number if table.game.round else 0


def _host(table: Table) -> list[Probe]:
    number = _round(table)
    probes: list[Probe] = [
        ("open_round", "", c.OpenRound(fingerprint(table.rules))),
        ("close_betting", str(number), c.CloseBetting(number)),
    ]
    for seat in range(1, table.rules.seats + 1):
        probes.extend(_seat(table, number, seat))
    round_ = table.game.round
    if round_ is not None and is_open(round_):
        probes.extend(_asked(round_))
    return probes


def _seat(table: Table, number: int, seat: int) -> list[Probe]:
    """Sitting down, leaving, and the bets of that seat, by the least amount there is."""
    taken = table.game.seat_at(seat)
    if taken is None:
        return [("take_seat", str(seat), c.TakeSeat(seat, NOBODY))]
    rules = table.rules
    amounts: dict[Any, tuple[str, int]] = {
        "main": (taken.player, rules.main_min),
        "pair": (taken.player, rules.pair_min),
        "behind": (NOBODY, rules.main_min),
        "behind_pair": (NOBODY, rules.pair_min),
    }
    probes: list[Probe] = [
        ("leave_seat", str(seat), c.LeaveSeat(seat, taken.player)),
        ("player_lost", str(seat), c.PlayerLost(seat, taken.player)),
        ("player_back", str(seat), c.PlayerBack(seat, taken.player)),
    ]
    for kind, (player, amount) in amounts.items():
        name = "place_bet" if kind == "main" else f"place_bet:{kind}"
        probes.append((name, str(seat), c.PlaceBet(number, seat, player, amount, kind)))
    back: tuple[c.PlacedKind, ...] = ("main", "pair")
    for own in back:
        name = "take_back" if own == "main" else f"take_back:{own}"
        probes.append((name, str(seat), c.TakeBack(number, seat, taken.player, own)))
    return probes


def _asked(round_: Round) -> list[Probe]:
    """Every action of the asked hand, the forbidden ones with their rule; every open answer."""
    probes: list[Probe] = []
    asked = round_.asked
    if asked is not None:
        for action in ACTIONS:
            decide = c.Decide(round_.number, asked.decision, asked.seat, asked.hand, action)
            probes.append((f"decide:{action}", str(asked.seat), decide))
    window = round_.window
    if window is not None:
        for player in window.asked:
            answer: c.Insure | c.Follow
            if window.kind == "insurance":
                answer = c.Insure(round_.number, window.window, player, buy=False)
                probes.append(("insure", player, answer))
            else:
                answer = c.Follow(round_.number, window.window, player, follow=False)
                probes.append(("follow", player, answer))
    return probes


def _people(table: Table, actor: i.Actor) -> list[Probe]:
    number = _round(table)
    wait = next((hold.hold for hold in table.holds if hold.code == "wait"), 0)
    shoe = table.game.shoe
    probes: list[Probe] = [
        ("cleared", str(number), c.Cleared(number)),
        ("wait", "", i.Wait()),
        ("resume", str(wait), i.Resume(wait)),
        ("emergency_stop", "", i.EmergencyStop()),
        ("report_error", "", i.ReportError("other")),
        ("call_supervisor", "", i.CallSupervisor("help")),
        ("answer_call", "", i.AnswerCall()),
        ("pause_table", "", i.PauseTable()),
        ("close_table", "", i.CloseTable()),
        ("open_table", "", i.OpenTable()),
        ("void_round", str(number), i.VoidRound(number, "-", table.version)),
        ("dispute_round", str(number), i.DisputeRound(number, "")),
        *_disputes(table),
        *_shoes(table),
        ("release_shoe", shoe.id, i.ReleaseShoe(shoe.id, table.version)),
    ]
    probes.extend(
        ("reconcile_shoe", old.id, i.ReconcileShoe(old.id, {})) for old in waiting_shoes(table)
    )
    probes.extend(
        ("clear_lock", str(one.lock), i.ClearLock(one.lock, "-"))
        for one in table.conditions
        if one.latches
    )
    if table.dealer is not None:
        probes.append(("log_out", table.dealer.staff, i.LogOut(table.dealer.staff)))
    probes.extend(
        ("log_out", signed.person.staff, i.LogOut(signed.person.staff))
        for signed in table.signed
        if signed.stands_at(actor.link)
    )
    probes.extend(
        ("unlock_person", staff, i.UnlockPerson(staff))
        for staff in table.attempts.people
        # Numbers that were tried are shown to nobody else.
        if is_barred(table.attempts, staff) and manager_at(table, actor.link) is not None
    )
    return probes


def _shoes(table: Table) -> list[Probe]:
    """What may be done with shoes that are not in: a check, and what it is good for."""
    shoes, shoe = table.shoes, table.game.shoe
    number = shoes.running.check if shoes.running is not None else 0
    device = next((one.name for one in table.devices if not one.board), "")
    due = [one.letter for one in shoes.rules.due(shoes.last_set)]
    letter = due[0] if due else ""
    checked = [one.manifest for one in shoes.good if one.shuffled]
    # One that is due before one that is not.
    checked.sort(key=lambda one: bool(due) and one.set not in due)
    ready = checked[0] if checked else Manifest("-", letter)
    probes: list[Probe] = [
        ("load_shoe", "", _load(table, ready)),
        ("begin_shoe_check", "", si.BeginShoeCheck("-", letter, device, reason="-")),
        ("finish_shoe_check", str(number), si.FinishShoeCheck(number)),
        ("cancel_shoe_check", str(number), si.CancelShoeCheck(number)),
        (
            "enter_checkers_receipt",
            "",
            si.EnterCheckersReceipt("-", letter, "\0", "\0", "", "", note="-"),
        ),
        ("take_out_shoe", shoe.id, si.TakeOutShoe(shoe.id, "changed")),
    ]
    probes.extend(("load_shoe", one.shoe, _load(table, one)) for one in checked)
    probes.extend(
        ("shoe_shuffled", one.manifest.shoe, si.ShoeShuffled(one.manifest.shoe))
        for one in shoes.good
        if not one.shuffled
    )
    probes.extend(("lift_shoe_bar", name, si.LiftShoeBar(name, "-")) for name in table.game.barred)
    return probes


def _load(table: Table, manifest: Manifest) -> i.LoadShoe:
    check = table.shoes.check_of(manifest.shoe)
    return i.LoadShoe(manifest.shoe, manifest.set, check.seal if check is not None else "")


def _disputes(table: Table) -> list[Probe]:
    """How each disputed round may be answered."""
    answers: tuple[Literal["accept", "escalate"], ...] = ("accept", "escalate")
    return [
        (f"answer_dispute:{answer}", str(one.round), i.AnswerDispute(one.round, answer, ""))
        for one in table.disputes
        for answer in answers
    ]
