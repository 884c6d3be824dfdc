"""Why a command is refused now, or None: what `decide` asks and the console greys out from."""

from __future__ import annotations

from station.game import commands as c
from station.game import round as r
from station.game.cards import Card
from station.game.dealing import Owed, next_expected
from station.game.facts import STATION
from station.game.incidents import Way, incident_of, ways
from station.game.refusal import Refusal, refuse
from station.game.shoe import earlier, foreign
from station.game.state import is_open
from station.table import inputs as i
from station.table.asked import stale, why_not_second
from station.table.attempts import LOCK_AT, Tries
from station.table.corrections import why_not_correct
from station.table.disputes import why_not_dispute
from station.table.locks import why_no_round, why_not_clear
from station.table.rights import why_not_by
from station.table.state import Hold, Table
from station.table.why_not_shoe import why_not_shoe

# The hold in which a card is entered by hand.
ENTERED = "unreadable_card"
# A hold stops cards, money and decisions; who sits and who is there may change meanwhile.
_UNHELD = (c.TakeSeat, c.LeaveSeat, c.PlayerLost, c.PlayerBack)


def why_not(table: Table, actor: i.Actor, command: i.AnyCommand) -> Refusal | None:
    """The first reason against the command: the person, the hold, then the game."""
    refusal = why_not_by(table, actor, command)
    if refusal is not None:
        return refusal
    if isinstance(command, c.GameCommand):
        return _why_not_game(table, command)
    return _why_not_table(table, actor, command)


def _why_not_game(table: Table, command: c.AnyGameCommand) -> Refusal | None:
    if isinstance(command, _UNHELD):
        return r.why_not(table.game, table.rules, command)
    # A hold is named only after the command is found sound: a stale command stays stale.
    refusal = r.why_not(table.game, table.rules, command)
    if refusal is not None:
        return refusal
    if table.holds:
        hold = table.holds[0]
        return refuse("table_holds", "R60", hold=hold.hold, code=hold.code)
    if isinstance(command, c.OpenRound):
        return why_no_round(table)
    return None


def _why_not_table(table: Table, actor: i.Actor, command: i.AnyTableCommand) -> Refusal | None:
    match command:
        case i.LogIn():
            return why_not_log_in(table, actor, command)
        case i.LogOut():
            return why_not_log_out(table, actor, command)
        case i.UnlockPerson(staff=staff):
            locked = table.attempts.people.get(staff, Tries()).wrong >= LOCK_AT
            return None if locked else refuse("not_locked", "", staff=staff)
        case i.Resume():
            return _why_not_resume(table, command)
        case i.Wait() | i.EmergencyStop():
            return _why_not_stop(table, command)
        case i.ReportError() | i.CallSupervisor():
            return None
        case i.AnswerCall():
            return None if table.call else refuse("no_call", "")
        case i.Rule():
            return _why_not_rule(table, command)
        case i.VoidRound():
            return _why_not_void(table, command)
        case i.EnterCard():
            return _why_not_enter(table, actor, command)
        case i.CorrectCard():
            return why_not_correct(table, actor, command)
        case i.DisputeRound() | i.AnswerDispute():
            return why_not_dispute(table, actor, command)
        case i.ClearLock():
            return why_not_clear(table, actor, command)
        case i.PauseTable() | i.CloseTable() | i.OpenTable():
            return _why_not_life(table, command)
        case _:
            return why_not_shoe(table, actor, command)


def _why_not_stop(table: Table, command: i.Wait | i.EmergencyStop) -> Refusal | None:
    codes = {hold.code for hold in table.holds}
    if isinstance(command, i.Wait):
        return refuse("already_waiting", "") if "wait" in codes else None
    return refuse("already_stopped", "") if "emergency" in codes else None


def why_not_log_in(table: Table, actor: i.Actor, command: i.LogIn) -> Refusal | None:
    """Why that person may not sign in there now, or None."""
    person = command.person
    if person is None:
        return refuse("wrong_pin", "", staff=command.staff)
    if command.refusal is not None:
        return command.refusal
    if person.staff == STATION:
        # What the station does by itself is told by this name.
        return refuse("reserved_number", "", staff=person.staff)
    if person.role == "dealer":
        if actor.role != "console":
            return refuse("console_only", "", role=actor.role)
        if table.dealer is not None and table.dealer.staff != person.staff:
            return refuse("dealer_on_duty", "", staff=table.dealer.staff)
        if table.dealer is None and not table.between_rounds:
            # A dealer who never left cannot be missing; a relief comes between rounds.
            return refuse("change_between_rounds", "")
    return None


def why_not_log_out(table: Table, actor: i.Actor, command: i.LogOut) -> Refusal | None:
    """Why that person cannot leave there now, or None."""
    if table.dealer is not None and table.dealer.staff == command.staff:
        if actor.role != "console":
            return refuse("console_only", "", role=actor.role)
        if not table.between_rounds:
            return refuse("change_between_rounds", "")
        return None
    if any(s.person.staff == command.staff and s.stands_at(actor.link) for s in table.signed):
        return None
    return refuse("not_signed_in", "", staff=command.staff)


def _why_not_resume(table: Table, command: i.Resume) -> Refusal | None:
    hold = table.hold(command.hold)
    if hold is None:
        return refuse("stale_hold", "", hold=command.hold)
    if hold.code != "wait":
        return refuse("supervisor_rules", "R59", hold=command.hold)
    refusal = _why_not_drawn(table)
    if refusal is None and table.set_aside:
        # Drawn too early, were it not for the wait: what becomes of it is a supervisor's.
        return refuse("supervisor_rules", "R59", hold=command.hold)
    return refusal


def _why_not_drawn(table: Table, *, ruled: bool = False) -> Refusal | None:
    """A card drawn while the table held, with cards out: order can no longer be proven (A20).

    `ruled`: the ruling says what becomes of the exposed cards.
    """
    drawn = table.set_aside if ruled else (*table.set_aside, *table.game.exposed)
    if table.cards_out and drawn:
        return refuse("drawn_during_hold", "R60", face=drawn[0].face)
    return None


def _why_not_rule(table: Table, command: i.Rule) -> Refusal | None:
    hold = table.hold(command.hold)
    if hold is None:
        return refuse("stale_hold", "", hold=command.hold)
    return stale(table, command.expected_version) or why_not_ruling(table, hold, command.ruling)


def why_not_ruling(table: Table, hold: Hold, ruling: str) -> Refusal | None:
    """Why a hold may not end in that way now (A20), or None."""
    incident = incident_of(hold.code, hold.params)
    policy = table.rules.incident_policy
    way = next((way for way in ways(incident, policy) if way.ruling == ruling), None)
    if way is None:
        return refuse("ruling_not_open", incident.rule, ruling=ruling, code=hold.code)
    refusal = _why_not_way(table, way, hold)
    if refusal is not None or ruling == "void":
        return refusal
    device = table.device(hold.device) if incident.device else None
    if device is not None and not device.reads:
        return refuse("reader_not_up", "", device=device.name, health=device.health)
    if ruling in ("same", "second") and table.set_aside and is_open(table.game.round):
        # Another card was drawn while that one was in doubt: whose it is nobody can prove any more.
        return refuse("drawn_during_hold", "R60", face=table.set_aside[0].face)
    sees_cards = device is None or not device.board
    if ruling == "aligned" and sees_cards and not hold.aligned:
        last = table.game.shoe.last
        return refuse("last_card_not_reread", "R60", face=last.card.face if last else "")
    return _why_not_drawn(table, ruled=ruling in ("burn", "use"))


def _why_not_enter(table: Table, actor: i.Actor, command: i.EnterCard) -> Refusal | None:
    """A card is entered by hand only where three reads of it have failed, it is owed, and nothing
    was drawn since; and it has to be one that can still come (R2).
    """
    hold = table.hold(command.hold)
    if hold is None:
        return refuse("stale_hold", "", hold=command.hold)
    if hold.code != ENTERED:
        return refuse("ruling_not_open", "R60", ruling="manual", code=hold.code)
    other = next((one for one in table.holds if one.hold != command.hold), None)
    if other is not None:
        return refuse("table_holds", "R60", hold=other.hold, code=other.code)
    refusal = why_not_ruling(table, hold, "release") or _why_not_owed(table)
    return refusal or _why_not_this(table, command.card) or why_not_second(table, actor, command)


def _why_not_owed(table: Table) -> Refusal | None:
    owed = isinstance(next_expected(table.game, table.rules), Owed)
    return None if owed and table.unread.cards else refuse("no_card_unread", "R60")


def _why_not_this(table: Table, card: Card) -> Refusal | None:
    shoe = table.game.shoe
    gone = earlier(shoe, card)
    if gone is not None:
        return refuse("card_is_out", "R2", face=card.face, deck=card.deck, round=gone.round)
    return refuse("not_of_this_shoe", "R2", face=card.face) if foreign(shoe, card) else None


def _why_not_way(table: Table, way: Way, hold: Hold) -> Refusal | None:
    """Whether the table is at a point where this way out is open."""
    round_ = table.game.round
    match way.when:
        case "no_cards_out" if table.cards_out:
            return refuse("cards_are_out", "R60", code=hold.code)
        case "cards_out" if not table.cards_out:
            return refuse("no_cards_out", "", code=hold.code)
        case "round_open" if not is_open(round_):
            return refuse("no_open_round", "R60")
        case "settled" if is_open(round_):
            return refuse("strict_voids", "R60", code=hold.code)
        case "order_kept" if table.cards_out and not _boxed(table, hold):
            return refuse("card_changed_order", "R60", code=hold.code)
        case _:
            return None


def _boxed(table: Table, exposed: Hold) -> bool:
    """Whether the dealer had reported a card face up in the shoe when that card was read (A20)."""
    return any(
        hold.code == "dealer_report"
        and hold.params.get("what") == "card_exposed"
        and hold.hold < exposed.hold
        for hold in table.holds
    )


def _why_not_void(table: Table, command: i.VoidRound) -> Refusal | None:
    round_ = table.game.round
    if round_ is None or round_.number != command.round:
        now = round_.number if round_ else 0
        return refuse("stale_round", "R60", round=command.round, now=now)
    if round_.ended == "void":
        return refuse("round_void_already", "R60", round=command.round)
    if round_.ended:
        return refuse("round_settled_already", "R60", round=command.round)
    if command.reason == "other" and not command.note.strip():
        return refuse("note_needed", "R60")
    return stale(table, command.expected_version)


def _why_not_life(
    table: Table, command: i.PauseTable | i.CloseTable | i.OpenTable
) -> Refusal | None:
    """Open, pause and close only between rounds."""
    target = {i.PauseTable: "paused", i.CloseTable: "closed", i.OpenTable: "open"}[type(command)]
    if table.life == target:
        return refuse("table_is_so", "", life=target)
    if target == "paused" and table.life == "closed":
        return refuse("table_closed", "")
    if not table.between_rounds:
        return refuse("change_between_rounds", "")
    return None
