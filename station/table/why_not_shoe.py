"""Why a shoe may not be checked, put in, released, counted or taken out now, or None."""

from __future__ import annotations

from typing import assert_never

from station.game.refusal import Refusal, refuse
from station.table import inputs as i
from station.table import shoe_inputs as si
from station.table.asked import Witnessed, stale, why_not_second
from station.table.shoe_state import Check, receipt_name
from station.table.state import Table, waiting_shoes

AnyShoeCommand = (
    i.LoadShoe
    | i.ReleaseShoe
    | i.ReconcileShoe
    | si.BeginShoeCheck
    | si.FinishShoeCheck
    | si.CancelShoeCheck
    | si.EnterCheckersReceipt
    | si.ShoeShuffled
    | si.TakeOutShoe
    | si.LiftShoeBar
)


def why_not_shoe(table: Table, actor: i.Actor, command: AnyShoeCommand) -> Refusal | None:
    """The first reason against it; what a second person proves comes last."""
    match command:
        case i.LoadShoe():
            return _why_not_load(table, actor, command)
        case i.ReleaseShoe():
            return _why_not_release(table, command)
        case i.ReconcileShoe():
            return _why_not_reconcile(table, command)
        case si.BeginShoeCheck():
            return _why_not_begin(table, actor, command)
        case si.FinishShoeCheck() | si.CancelShoeCheck():
            return _why_not_end(table, command)
        case si.EnterCheckersReceipt():
            return _why_not_receipt(table, actor, command)
        case si.ShoeShuffled():
            return _why_not_shuffled(table, command)
        case si.TakeOutShoe():
            return _why_not_out(table, command)
        case si.LiftShoeBar():
            return _why_not_lift(table, command)
        case _ as never:
            assert_never(never)


# --- putting in -----------------------------------------------------------------------------


def _why_not_load(table: Table, actor: i.Actor, command: i.LoadShoe) -> Refusal | None:
    refusal = (
        _why_not_now(table)
        or _why_not_set(table, command.shoe, command.set)
        or _why_not_barred(table, command)
        or _why_not_due(table, command)
        or _why_not_checked(table, command)
    )
    return refusal or _why_not_with(table, actor, command)


def _why_not_now(table: Table) -> Refusal | None:
    """Whether the table is where shoes may be handled: between rounds, nothing to rule on."""
    if not table.between_rounds:
        return refuse("change_between_rounds", "")
    if table.game.exposed or table.holds:
        return refuse("table_holds", "R60", hold=table.holds[0].hold if table.holds else 0)
    running = table.shoes.running
    if running is not None:
        return refuse("check_running", "R2", shoe=running.manifest.shoe)
    return None


def _why_not_set(table: Table, shoe: str, letter: str) -> Refusal | None:
    """Whether that set is one of this table, and the name not that of a shoe to be counted."""
    rules = table.shoes.rules
    if rules.sets and rules.set_of(letter) is None:
        known = ", ".join(one.letter for one in rules.sets)
        return refuse("unknown_set", "R2", set=letter or "-", known=known)
    current = table.game.shoe
    waiting = {old.id for old in table.game.retired} | ({current.id} if current.gone else set())
    if shoe in waiting and shoe not in table.game.barred:
        return refuse("same_shoe", "R60", shoe=shoe)
    return None


def _why_not_barred(table: Table, command: i.LoadShoe) -> Refusal | None:
    if command.shoe in table.game.barred:
        return refuse("shoe_barred", "R2", shoe=command.shoe)
    for letter, shoe in table.shoes.barred_sets:
        # Another name does not make other cards of them; without checks nobody can say they are.
        if letter == command.set and table.shoes.rules.check == "required":
            return refuse("set_barred", "R2", set=letter, shoe=shoe)
    return None


def _why_not_due(table: Table, command: i.LoadShoe) -> Refusal | None:
    """The set that just came out does not go back in, unless a supervisor says so with a reason."""
    rules = table.shoes.rules
    due = rules.due(table.shoes.last_set)
    wrong = bool(due) and all(one.letter != command.set for one in due)
    if not wrong or command.reason.strip():
        return None
    named = ", ".join(f"{one.letter} ({one.back})" if one.back else one.letter for one in due)
    return refuse("wrong_set", "R2", set=command.set, due=named)


def _why_not_checked(table: Table, command: i.LoadShoe) -> Refusal | None:
    """A fresh check of this very shoe, a shuffle since, and its seal."""
    check = table.shoes.check_of(command.shoe)
    if table.shoes.rules.check == "off" and check is None:
        return None
    if check is None or check.manifest.set != command.set:
        return refuse("no_check", "R2", shoe=command.shoe)
    if not check.shuffled:
        return refuse("not_shuffled", "R60", shoe=command.shoe)
    if check.seal and check.seal != command.seal:
        return refuse("wrong_seal", "", shoe=command.shoe, seal=command.seal or "-")
    return None


def _why_not_with(
    table: Table, actor: i.Actor, command: Witnessed, *, always: bool = False
) -> Refusal | None:
    """A second person: where the table asks for one, and wherever one is named."""
    if command.second:
        return why_not_second(table, actor, command)
    needed = always or table.shoes.rules.two_people
    return refuse("second_needed", "R59") if needed else None


def _why_not_release(table: Table, command: i.ReleaseShoe) -> Refusal | None:
    shoe = table.game.shoe
    if shoe.state == "in_play" and shoe.id == command.shoe:
        return refuse("shoe_in_play", "", shoe=shoe.id)
    if shoe.state != "loaded" or shoe.id != command.shoe:
        return refuse("shoe_not_loaded", "R60", shoe=command.shoe, state=shoe.state)
    return stale(table, command.expected_version)


# --- counting and taking out ----------------------------------------------------------------


def _why_not_reconcile(table: Table, command: i.ReconcileShoe) -> Refusal | None:
    """What remains may be looked at only when the shoe is out (R2)."""
    if not any(old.id == command.shoe for old in waiting_shoes(table)):
        return refuse("shoe_not_waiting", "R2", shoe=command.shoe)
    return None


def _why_not_out(table: Table, command: si.TakeOutShoe) -> Refusal | None:
    shoe = table.game.shoe
    if shoe.state not in ("loaded", "in_play") or shoe.id != command.shoe:
        return refuse("shoe_not_in", "", shoe=command.shoe)
    return None if table.between_rounds else refuse("change_between_rounds", "")


# --- checking -------------------------------------------------------------------------------


def _why_not_begin(table: Table, actor: i.Actor, command: si.BeginShoeCheck) -> Refusal | None:
    refusal = _why_not_now(table)
    shoe = table.game.shoe
    if refusal is None and shoe.state in ("loaded", "in_play"):
        # Its cards pass the same reader, and of one that is in nothing is looked at.
        refusal = refuse("shoe_is_in", "R60", shoe=shoe.id)
    refusal = refusal or _why_not_cards(table, command) or _why_not_reader(table, command.device)
    return refusal or _why_not_with(table, actor, command)


def _why_not_cards(table: Table, command: si.BeginShoeCheck) -> Refusal | None:
    """Whether those cards may be looked at: before a shuffle, or what remained in a shoe."""
    if command.what == "check":
        again = _why_not_again(table, command.shoe, command.set, command.reason)
        return _why_not_set(table, command.shoe, command.set) or again
    if not any(old.id == command.shoe for old in waiting_shoes(table)):
        return refuse("shoe_not_waiting", "R2", shoe=command.shoe)
    return None


def _why_not_reader(table: Table, name: str) -> Refusal | None:
    device = table.device(name)
    if device is None or device.board:
        return refuse("no_such_reader", "", device=name)
    if not device.reads:
        return refuse("reader_not_up", "", device=name, health=device.health)
    return None


def _why_not_again(table: Table, shoe: str, letter: str, reason: str) -> Refusal | None:
    """A barred shoe is checked again by who gives a reason for it."""
    if _bars(table, shoe, letter) and not reason.strip():
        return refuse("reason_needed", "R2", shoe=shoe)
    return None


def _bars(table: Table, shoe: str, letter: str) -> bool:
    return shoe in table.game.barred or any(one == letter for one, _ in table.shoes.barred_sets)


def _why_not_end(table: Table, command: si.FinishShoeCheck | si.CancelShoeCheck) -> Refusal | None:
    running = table.shoes.running
    if running is None or running.check != command.check:
        return refuse("stale_check", "", check=command.check)
    if isinstance(command, si.FinishShoeCheck) and table.holds:
        return refuse("table_holds", "R60", hold=table.holds[0].hold, code=table.holds[0].code)
    return None


def _why_not_receipt(
    table: Table, actor: i.Actor, command: si.EnterCheckersReceipt
) -> Refusal | None:
    running = table.shoes.running
    if running is not None:
        return refuse("check_running", "R2", shoe=running.manifest.shoe)
    refusal = _why_not_set(table, command.shoe, command.set)
    shoe = table.game.shoe
    if (
        refusal is None
        and shoe.state in ("loaded", "in_play")
        and (
            shoe.id == command.shoe
            or (table.shoes.rules.sets and shoe.set and shoe.set == command.set)
        )
    ):
        # What is in the shoe no machine has just checked.
        refusal = refuse("shoe_is_in", "R60", shoe=shoe.id)
    if refusal is None and receipt_name(command.machine, command.number) in table.shoes.receipts:
        refusal = refuse("receipt_used", "R2", machine=command.machine, number=command.number)
    refusal = refusal or _why_not_again(table, command.shoe, command.set, command.note)
    return refusal or _why_not_with(table, actor, command, always=True)


def _why_not_shuffled(table: Table, command: si.ShoeShuffled) -> Refusal | None:
    check = table.shoes.check_of(command.shoe)
    if check is None:
        return refuse("no_check", "R2", shoe=command.shoe)
    return refuse("shuffled_already", "", shoe=command.shoe) if check.shuffled else None


def _why_not_lift(table: Table, command: si.LiftShoeBar) -> Refusal | None:
    if command.shoe not in table.game.barred:
        return refuse("not_barred", "", shoe=command.shoe)
    return None if whole_again(table, command.shoe) else refuse("no_check", "R2", shoe=command.shoe)


def whole_again(table: Table, shoe: str) -> Check | None:
    """The check that found the barred shoe whole again, by its name or the letter of its set."""
    letter = next((one for one, name in table.shoes.barred_sets if name == shoe), "")
    by_set = (one for one in table.shoes.good if letter and one.manifest.set == letter)
    return table.shoes.check_of(shoe) or next(by_set, None)
