"""`decide(table, input)`: the facts an input brings, and the refusal of a command. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec import Struct

from station.game import bets
from station.game import commands as c
from station.game import facts as g
from station.game import round as r
from station.game.dealing import Owed, next_expected
from station.game.decisions import heard
from station.game.incidents import RESTART, void_reason
from station.game.refusal import Refusal
from station.game.rules import fingerprint
from station.game.settlement import void_lines
from station.game.state import BURN, is_open
from station.table import facts as f
from station.table import inputs as i
from station.table import locking, people
from station.table.asked import WITNESSED
from station.table.corrections import correct
from station.table.disputes import decide_dispute
from station.table.locks import RULES_CHANGED
from station.table.readings import decide_reading, second_card, unread
from station.table.rights import author, why_not_by
from station.table.shoe_facts import ShoeRulesSet
from station.table.shoe_life import check_reader, decide_shoe, end_check
from station.table.state import Hold, Table, due
from station.table.why_not import why_not
from station.table.working import Working

# The name of the host inside the station, at a table with players in the chairs.
CHAIRS = "chairs"


class Decision(Struct, frozen=True):
    """What happened because of an input: facts in order, the table after them, and the refusal."""

    facts: tuple[f.AnyFact, ...]
    after: Table
    refusal: Refusal | None = None


def decide(table: Table, given: i.AnyInput) -> Decision:
    """The facts of one input. Nothing else changes a table."""
    work = Working(table)
    refusal: Refusal | None = None
    match given:
        case i.Commanded():
            refusal = _command(work, given)
        case (
            i.CardSeen()
            | i.CutCardSeen()
            | i.ReadMissed()
            | i.CardPassed()
            | i.ButtonPressed()
            | i.DeviceHealth()
            | i.DeviceFault()
        ):
            decide_reading(work, given)
            if isinstance(given, i.DeviceHealth | i.DeviceFault):
                check_reader(work, given.device, fault=isinstance(given, i.DeviceFault))
        case i.EvidenceOld():
            work.add(f.EvidenceRemoved(given.names, given.why))
        case i.BadgeShown():
            people.badge_shown(work, given)
        case i.LicenceOver():
            people.licence_over(work, given)
        case i.PersonUnlocked():
            people.unlocked_outside(work, given)
        case i.ConditionSeen():
            locking.condition_seen(work, given)
        case i.TimerFired():
            _timer(work, given.timer)
        case i.LinkUp() | i.LinkDown():
            _link(work, given)
        case i.StationStart():
            _start(work, given)
        case _ as never:
            assert_never(never)
    return Decision(tuple(work.facts), work.table, refusal)


def joined(decisions: Sequence[Decision]) -> Decision:
    """One after the other as one; the refusal is the last one's."""
    facts = tuple(fact for decision in decisions for fact in decision.facts)
    return Decision(facts, decisions[-1].after, decisions[-1].refusal)


def _start(work: Working, given: i.StationStart) -> None:
    """Links and devices are not there yet. An open round with cards out is void (R60, strict), or
    held until the felt has been compared with what the station has (house).

    A card the sensor had seen leave will not be told of any more.
    """
    if work.table.watched.left_ms:
        unread(work, work.table.watched.device)
    new = work.table.version == 0
    work.add(
        f.StationStarted(
            given.table,
            given.kind,
            given.release,
            given.devices,
            given.host,
            given.boards,
            given.timed,
            given.numbers,
        )
    )
    # What was counted was in the memory of the station that ended.
    end_check(work, "restart")
    if work.table.cards_out:
        _cards_out_at_start(work)
    if given.host == "chairs":
        work.add(f.HostConnected(CHAIRS))
    if work.table.rules != given.rules or new:
        # An open round was bet on by the old rules.
        void(work, "rules_changed", g.STATION, shoe_out=False)
        if work.table.game.shoe.state == "in_play":
            work.add(g.ShoeOut(work.table.game.shoe.id, "rules_changed"))
        before = "-" if new else fingerprint(work.table.rules)[: locking.SHOWN]
        work.add(f.RulesSet(given.rules, fingerprint(given.rules)))
        if not new or given.kind == "live":
            now = fingerprint(given.rules)[: locking.SHOWN]
            changed = i.ConditionSeen(RULES_CHANGED, True, {"now": now, "before": before})
            locking.condition_seen(work, changed)
    if work.table.shoes.rules != given.shoe:
        work.add(ShoeRulesSet(given.shoe))


def _cards_out_at_start(work: Working) -> None:
    if work.table.rules.incident_policy != "house":
        void(work, "restart", g.STATION, shoe_out=True)
    elif not any(hold.code == RESTART for hold in work.table.holds):
        work.hold("restart")


def void(work: Working, reason: str, by: str, *, shoe_out: bool, note: str = "") -> None:
    """Cancel the round: every stake back once, and the shoe out (R58, R60)."""
    round_ = work.table.game.round
    if round_ is not None and is_open(round_):
        rule = "R58" if reason == "host_lost" else "R60"
        for card in work.table.game.kept:
            work.add(g.CardBurned(card, round_.number, g.STATION))
        work.add(g.RoundVoided(round_.number, reason, by, void_lines(round_, rule), note))
    shoe = work.table.game.shoe
    if shoe_out and shoe.state != "out":
        work.add(g.ShoeOut(shoe.id, reason))


def _timer(work: Working, name: str) -> None:
    """A window's end counts only if that very window is still open."""
    timer = next((timer for timer in due(work.table) if timer.name == name), None)
    if timer is None:
        return
    round_ = work.table.game.round
    if timer.of_people:
        people.time_over(work, timer)
    elif timer.kind == "unread":
        unread(work, work.table.watched.device)
    elif round_ is None:
        return
    elif timer.kind == "betting":
        for fact in bets.close(round_, "countdown"):
            work.add(fact)
    elif timer.kind == "decision":
        seat = work.table.game.seat_at(timer.seat)
        work.add(g.PlayerAbsent(timer.seat, seat.player if seat else "", "timeout"))
    elif round_.window is not None and timer.kind in ("insurance", "follow"):
        work.add(g.WindowClosed(round_.number, round_.window.window, "countdown"))
    else:
        _host_gone(work)
    work.advance()


def _host_gone(work: Working) -> None:
    """The host is lost beyond its grace (R58, A19)."""
    shoe_out = work.table.cards_out or work.table.rules.reshuffle
    void(work, "host_lost", g.STATION, shoe_out=shoe_out)


def _link(work: Working, given: i.LinkUp | i.LinkDown) -> None:
    if isinstance(given, i.LinkUp):
        if given.role == "host" and not work.table.keys:
            work.add(f.HostConnected(given.name))
            work.advance()
        return
    for signed in work.table.signed:
        if signed.link == given.link:
            work.add(f.StaffSignedOut(signed.person.staff, given.link, "link_lost"))
    if given.role == "host" and work.table.host_connected and not work.table.keys:
        work.add(f.HostLost(given.name, given.why))
        if work.table.cards_out and work.table.rules.grace_seconds == 0:
            _host_gone(work)


def _command(work: Working, given: i.Commanded) -> Refusal | None:
    """Ask, then do; the answer is a fact of the same transaction."""
    table, command = work.table, given.command
    refusal = why_not(table, given.actor, command)
    by = author(table, given.actor, command)
    if isinstance(command, c.OpenRound) and why_not_by(table, given.actor, command) is None:
        locking.rules_said(work, command, refusal)
    if refusal is None:
        if isinstance(command, c.GameCommand):
            for fact in r.decide(table.game, table.rules, command):
                work.add(fact)
            work.advance()
        else:
            _table_command(work, given.actor, command, by)
    elif isinstance(command, c.GameCommand) and why_not_by(table, given.actor, command) is None:
        returned = heard(table.game, command)
        if returned is not None:
            work.add(returned)
    elif isinstance(command, i.LogIn):
        people.log_in_refused(work, given.actor.link, command, refusal)
    elif isinstance(command, WITNESSED) and refusal.code == "wrong_pin":
        witness = i.LogIn(command.second, None)
        people.log_in_refused(work, given.actor.link, witness, refusal)
    work.add(f.CommandAnswered(given.id, given.digest, given.actor.link, by, given.name, refusal))
    return refusal


def _table_command(work: Working, actor: i.Actor, command: i.AnyTableCommand, by: str) -> None:
    match command:
        case i.LogIn() | i.LogOut():
            people.log_in_or_out(work, actor, command)
        case i.UnlockPerson():
            work.add(f.TriesForgotten(command.staff, by, "unlocked"))
        case i.Wait() | i.EmergencyStop() | i.ReportError():
            _stop(work, command, by)
        case i.Resume():
            work.add(f.HoldReleased(command.hold, "release", by, ""))
            work.advance()
        case i.CallSupervisor():
            work.add(f.SupervisorCalled(command.reason))
        case i.AnswerCall():
            work.add(f.CallAnswered(by))
        case i.Rule():
            _rule(work, command, by)
        case i.VoidRound():
            _mark(work, work.table.holds)
            void(work, command.reason, by, shoe_out=True, note=command.note)
        case i.EnterCard() | i.CorrectCard():
            _by_two(work, command, by)
        case i.DisputeRound() | i.AnswerDispute():
            decide_dispute(work, command, by)
        case i.ClearLock():
            locking.clear_lock(work, command, by)
        case i.PauseTable():
            work.add(f.TablePaused(by))
        case i.CloseTable():
            work.add(f.TableClosed(by))
        case i.OpenTable():
            work.add(f.TableOpened(by))
        case _:
            decide_shoe(work, command, by)


def _stop(work: Working, command: i.Wait | i.EmergencyStop | i.ReportError, by: str) -> None:
    """Somebody holds the table."""
    match command:
        case i.Wait():
            work.hold("wait", by=by)
        case i.EmergencyStop():
            work.hold("emergency", by=by)
        case i.ReportError():
            work.hold("dealer_report", by=by, what=command.what)


def _rule(work: Working, command: i.Rule, by: str) -> None:
    """End a hold in the way a supervisor chose; `why_not` has said that it is open."""
    table = work.table
    hold = table.hold(command.hold)
    work.add(f.HoldReleased(command.hold, command.ruling, by, command.note))
    round_number = table.game.round.number if table.game.round else 0
    if command.ruling in ("same", "second") and hold is not None:
        for card in hold.cards:
            if command.ruling == "same":
                work.add(f.ReadRepeated(hold.device, card, len(table.game.shoe.gone)))
            else:
                # A kept card of that face lies there already, and goes first.
                work.advance()
                second_card(work, hold.device, card)
    elif command.ruling == "void":
        _mark(work, table.holds)
        void(
            work,
            void_reason(hold.code, hold.params) if hold else "ruling",
            by,
            shoe_out=True,
            note=command.note,
        )
        # Between rounds it is the shoe alone that goes, and what lay there goes with it.
        for card in work.table.game.exposed:
            work.add(g.CardBurned(card, round_number, by))
    elif command.ruling == "burn":
        for card in work.table.game.exposed:
            work.add(g.CardBurned(card, round_number, by))
    elif command.ruling == "use":
        for card in work.table.game.exposed:
            work.add(g.ExposedCardKept(card, round_number, by))
    work.advance()


def _by_two(work: Working, command: i.EnterCard | i.CorrectCard, by: str) -> None:
    """A card by a supervisor's word and a second person's."""
    if isinstance(command, i.EnterCard):
        _enter(work, command, by)
    else:
        correct(work, command, by)


def _enter(work: Working, command: i.EnterCard, by: str) -> None:
    """The card that no reader could read goes to the slot it was drawn for."""
    if command.second in work.table.attempts.people:
        work.add(f.TriesForgotten(command.second, command.second, "proved"))
    work.add(f.HoldReleased(command.hold, "manual", by, command.note))
    work.add(f.CardEntered(command.card, command.hold, by, command.second, command.note))
    game = work.table.game
    answer, order = next_expected(game, work.table.rules), len(game.shoe.gone) + 1
    if not isinstance(answer, Owed):
        raise AssertionError("nobody is owed it: it is refused before")
    if answer.slot.seat == BURN:
        work.add(g.CardBurnedFirst(command.card, order, game.shoe.id))
    else:
        number = game.round.number if game.round else 0
        work.add(g.CardDealt(number, command.card, answer.slot, order, manual=True))
    work.advance()


def _mark(work: Working, holds: tuple[Hold, ...]) -> None:
    """Of a card read twice the earlier read may be the wrong one: its round is to be reviewed."""
    round_ = work.table.game.round
    running = round_.number if round_ is not None and is_open(round_) else 0
    for hold in holds:
        first = hold.params.get("first_round", 0)
        if hold.code == "duplicate_card" and isinstance(first, int) and first not in (0, running):
            work.add(g.RoundsMarked((first,), work.table.game.shoe.id, "duplicate_card"))
