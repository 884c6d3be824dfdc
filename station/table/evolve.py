"""The fold: the table after a fact. The only place where a fact changes it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from station.game import facts as g
from station.game.facts import STATION
from station.game.game import bar_lifted
from station.game.game import evolve as evolve_game
from station.game.incidents import incident_of
from station.game.state import BURN, Slot
from station.table import attempts as a
from station.table import conditions as held
from station.table import facts as f
from station.table import lock_facts as lf
from station.table import shoe_facts as s
from station.table.shoe_state import shoe_moved, shoes_after
from station.table.state import (
    STATES,
    Device,
    Dispute,
    FaceRead,
    Hold,
    LastRead,
    Life,
    Recent,
    Signed,
    Standing,
    Table,
    Unread,
    Watched,
)

RECENT = 10
FACES = 8
# The no-read by which two cards were drawn.
TWO_CARDS = "two_cards"

# Facts that leave round, shoe, money and holds as they were.
_QUIET = frozenset(
    {
        f.CommandAnswered,
        f.Observed,
        f.ReadRepeated,
        f.CardLeft,
        f.CutCardRepeated,
        f.EvidenceRemoved,
        f.JournalRotated,
        f.LoginFailed,
        f.LoginLockOver,
        f.TriesForgotten,
        f.PlaceHourOver,
        f.BadgeRefused,
        f.SupervisorCalled,
        f.CallAnswered,
        f.StaffSignedIn,
        f.StaffSignedOut,
        f.DeviceChanged,
        lf.ConditionRaised,
        lf.ConditionCleared,
        lf.ConditionAcknowledged,
    }
)


# The command that opens a round, on the wire and in the core.
_OPENS = ("open_round", "OpenRound")
_LIVES: dict[type[f.TableFact], Life] = {
    f.TableOpened: "open",
    f.TablePaused: "paused",
    f.TableClosed: "closed",
}


def fold(table: Table, facts: Iterable[f.AnyFact]) -> Table:
    """The table after all of them, in order."""
    for fact in facts:
        table = evolve(table, fact)
    return table


def evolve(table: Table, fact: f.AnyFact) -> Table:
    """The table after one fact."""
    version = table.version + 1
    changed = table.changed if type(fact) in _QUIET else version
    if isinstance(fact, g.GameFact):
        game = evolve_game(table.game, fact)
        table = replace(table, version=version, changed=changed, game=game)
        return _game_seen(table, fact)
    table = replace(table, version=version, changed=changed)
    if isinstance(fact, s.ShoeFact):
        if isinstance(fact, s.ShoeBarLifted):
            table = replace(table, game=bar_lifted(table.game, fact.shoe))
        return replace(table, shoes=shoes_after(table.shoes, fact))
    if isinstance(fact, lf.LockFact):
        count = max(table.lock_count, fact.lock)
        return replace(table, conditions=held.after(table.conditions, fact), lock_count=count)
    return _table_fact(table, fact)


def _game_seen(table: Table, fact: g.AnyGameFact) -> Table:
    """What the table itself remembers of a fact of the game."""
    if isinstance(fact, g.RoundFact):
        # The round keeps these; of its settlement the table keeps a line too.
        if isinstance(fact, g.RoundSettled):
            return _remember(table, Recent(fact.round, "settled", fact.dealer))
        return table
    match fact:
        case g.CardDealt():
            read = _read(table, "dealt", fact.card.face, "", fact.slot)
            return replace(table, read=read, misses=0, unread=table.unread.less, refusal=None)
        case g.CardCorrected():
            read = _read(table, "corrected", fact.card.face, "", fact.slot)
            return replace(table, read=read, refusal=None)
        case g.CardExposed():
            return replace(table, read=_read(table, "exposed", fact.card.face, fact.why))
        case g.CardBurnedFirst():
            read = _read(table, "burned", fact.card.face, "", Slot(BURN))
            return replace(table, read=read, misses=0, unread=table.unread.less)
        case g.CardBurned():
            return replace(table, read=_read(table, "burned", fact.card.face))
        case g.CutCardOut():
            return replace(table, read=_read(table, "cut_card", ""))
        case g.RoundsMarked():
            why = "" if fact.why == "counted_whole" else fact.why
            marked = tuple(
                replace(past, marked=why) if past.round in fact.rounds else past
                for past in table.recent
            )
            return replace(table, recent=marked)
        case g.RoundVoided():
            holds = _after_void(table, fact)
            table = replace(table, holds=holds, set_aside=(), misses=0, unread=Unread())
            return _remember(table, Recent(fact.round, "void", ()))
        case g.RoundOpened():
            return replace(table, refusal=None, misses=0, unread=Unread(), tried=0)
        case g.ShoeLoaded():
            # A new shoe, and nothing read from it yet; the count of reads goes on.
            shoes = shoe_moved(table.shoes, fact, fact.set, table.version)
            table = replace(table, read=None, misses=0, unread=Unread(), shoes=shoes)
            return replace(table, faces=(), watched=Watched())
        case g.ShoeReleased() | g.ShoeReconciled():
            letter, seq = table.game.shoe.set, table.version
            return replace(table, shoes=shoe_moved(table.shoes, fact, letter, seq))
        case _:
            return table


def _after_void(table: Table, fact: g.RoundVoided) -> tuple[Hold, ...]:
    """A person's void answers every hold but a device's; the station's own answers none."""
    if fact.by == STATION:
        return table.holds
    return tuple(hold for hold in table.holds if incident_of(hold.code, hold.params).device)


def _remember(table: Table, recent: Recent) -> Table:
    return replace(table, recent=(recent, *table.recent)[:RECENT])


def _read(
    table: Table, outcome: str, face: str, code: str = "", slot: Slot | None = None
) -> LastRead:
    last = table.read
    # A kept card that is dealt later was not on the pictures of what was read last.
    saw = outcome if outcome in ("no_read", "cut_card") else "card"
    evidence = last.evidence if last is not None and last.outcome == saw else ()
    device = last.device if last is not None else ""
    return LastRead(table.reads, outcome, face, device, slot, code, evidence)


def _table_fact(table: Table, fact: f.AnyTableFact) -> Table:
    match fact:
        case f.StationStarted():
            devices = tuple(
                Device(n, board=n in fact.boards, numbers=n in fact.numbers) for n in fact.devices
            )
            return replace(
                table,
                id=fact.table,
                kind=fact.kind,
                devices=devices,
                timed=fact.timed,
                faces=tuple(replace(read, earlier_start=True) for read in table.faces),
                # While the station was away a card may have passed: what was read before that
                # aligns nothing any more.
                holds=tuple(replace(hold, aligned=False) for hold in table.holds),
                watched=Watched(),
                keys=fact.host == "chairs",
                host_connected=False,
                signed=(),
                refusal=None,
            )
        case f.RulesSet():
            return replace(table, rules=fact.rules)
        case f.JournalContinued():
            game = replace(table.game, round=fact.open_round, rounds=fact.rounds)
            return replace(table, id=fact.table, kind=fact.kind, game=game)
        case f.HostConnected():
            resumed = table.resumed + 1
            return replace(table, host=fact.host, host_connected=True, resumed=resumed)
        case f.HostLost():
            return replace(table, host_connected=False, resumed=table.resumed + 1)
        case f.TableHeld() | f.HoldReleased() | f.LastCardReread() | f.ReadSetAside():
            return _holding(table, fact)
        case f.DeviceChanged() | f.Observed() | f.ReadRepeated() | f.ReadFailed():
            return _device(table, fact)
        case f.ReadDoubted():
            return replace(table, read=_read(table, "doubted", fact.card.face))
        case f.CardLeft():
            return replace(table, watched=_left(table.watched, fact))
        case f.CutCardRepeated():
            return replace(table, read=_read(table, "repeat", ""))
        case f.EvidenceRemoved() | f.JournalRotated() | f.CardEntered():
            return table
        case f.RoundDisputed() | f.DisputeAnswered():
            return _disputed(table, fact)
        case f.CommandAnswered():
            return _answered(table, fact)
        case f.TableOpened() | f.TablePaused() | f.TableClosed():
            return replace(table, life=_LIVES[type(fact)])
        case _:
            return _people(table, fact)


def _disputed(table: Table, fact: f.RoundDisputed | f.DisputeAnswered) -> Table:
    others = tuple(one for one in table.disputes if one.round != fact.round)
    match fact:
        case f.RoundDisputed():
            return replace(table, disputes=(*table.disputes, Dispute(fact.round, fact.by)))
        case f.DisputeAnswered(answer="accept"):
            return replace(table, disputes=others)
        case f.DisputeAnswered():
            disputes = tuple(
                replace(one, escalated=True) if one.round == fact.round else one
                for one in table.disputes
            )
            return replace(table, disputes=disputes)


def _answered(table: Table, fact: f.CommandAnswered) -> Table:
    """The dealer's console keeps showing its last refusal until something is accepted."""
    if fact.refusal is not None and fact.name in _OPENS and table.between_rounds:
        table = replace(table, tried=table.tried + 1)
    if not fact.link.startswith("console:"):
        return table
    return replace(table, refusal=fact.refusal)


def _holding(
    table: Table, fact: f.TableHeld | f.HoldReleased | f.LastCardReread | f.ReadSetAside
) -> Table:
    match fact:
        case f.TableHeld():
            hold = Hold(
                fact.hold,
                fact.code,
                fact.device,
                fact.params,
                fact.cards,
                evidence=fact.evidence,
            )
            return replace(table, holds=(*table.holds, hold), hold_count=fact.hold)
        case f.HoldReleased():
            holds = tuple(hold for hold in table.holds if hold.hold != fact.hold)
            aside = table.set_aside if holds else ()
            resumed = table.resumed + 1
            return replace(table, holds=holds, set_aside=aside, misses=0, resumed=resumed)
        case f.LastCardReread():
            # A reader that is away may let a card pass after this: it proves nothing of it.
            holds = tuple(
                replace(hold, aligned=True) if _rereads(table, hold) else hold
                for hold in table.holds
            )
            read = _read(table, "reread", fact.card.face)
            return replace(table, holds=holds, read=read)
        case f.ReadSetAside():
            aside = table.set_aside
            if fact.why == "held" and fact.card not in aside:
                aside = (*aside, fact.card)
            read = _read(table, "set_aside", fact.card.face, fact.why)
            return replace(table, set_aside=aside, read=read)


def _rereads(table: Table, hold: Hold) -> bool:
    """Whether a re-read of the last card aligns that hold: the device it is of is there."""
    device = table.device(hold.device)
    return incident_of(hold.code, hold.params).reread and (device is None or device.reads)


def _gap(table: Table, name: str) -> Table:
    """While a reader is away a card may pass it: what was read before aligns nothing any more."""
    device = table.device(name)
    if device is None or device.reads:
        return table
    holds = tuple(
        replace(hold, aligned=False) if hold.device == name else hold for hold in table.holds
    )
    return replace(table, holds=holds)


def _changed(device: Device, fact: f.DeviceChanged) -> Device:
    """A state begins or ends; the port's own health ends all of them."""
    cause = fact.over or fact.cause or fact.health
    others = tuple(state for state in device.standing if state.cause != cause)
    if fact.over:
        return replace(device, standing=others)
    if fact.health in STATES:
        return replace(device, standing=(*others, Standing(cause, fact.health, fact.detail)))
    return replace(device, port=fact.health, port_detail=fact.detail, standing=())


def _device(
    table: Table, fact: f.DeviceChanged | f.Observed | f.ReadRepeated | f.ReadFailed
) -> Table:
    match fact:
        case f.DeviceChanged():
            devices = tuple(
                _changed(device, fact) if device.name == fact.device else device
                for device in table.devices
            )
            return _gap(replace(table, devices=devices), fact.device)
        case f.Observed():
            number = table.reads + 1
            read = LastRead(number, fact.saw, "", fact.device, evidence=fact.evidence)
            table = replace(table, reads=number, read=read)
            return _timed(table, fact) if table.timed else table
        case f.ReadRepeated():
            return replace(table, read=_read(table, "repeat", fact.card.face))
        case f.ReadFailed():
            # What happened once more has to be aligned once more.
            holds = tuple(
                replace(hold, aligned=False) if _is_of(hold, fact) else hold for hold in table.holds
            )
            table = replace(table, holds=holds)
            read = _read(table, "no_read", "", fact.reason)
            if not fact.owed:
                return replace(table, read=read)
            cards = max(table.unread.cards, 2 if fact.reason == TWO_CARDS else 1)
            unread = Unread(cards, fact.device, read.evidence or table.unread.evidence)
            return replace(table, misses=table.misses + 1, unread=unread, read=read)


def _is_of(hold: Hold, fact: f.ReadFailed) -> bool:
    """Whether that hold is for what the same reader has just told once more."""
    return (hold.device, hold.params.get("reason")) == (fact.device, fact.reason)


def _timed(table: Table, fact: f.Observed) -> Table:
    """A read at a table where its time counts."""
    watched, faces = table.watched, table.faces
    if fact.passed and watched.left_ms:
        watched = replace(watched, left_ms=0, read_ms=0)
    elif fact.passed:
        watched = replace(watched, read_ms=fact.at_ms)
    if fact.face:
        others = tuple(read for read in faces if read.face != fact.face)
        faces = (*others, FaceRead(fact.face, fact.at_ms, fact.device))[-FACES:]
    return replace(table, watched=watched, faces=faces)


def _left(watched: Watched, fact: f.CardLeft) -> Watched:
    if fact.known:
        return replace(watched, left_ms=0, read_ms=0)
    return Watched(left_ms=fact.at_ms, count=watched.count + 1, device=fact.device)


def _people(table: Table, fact: f.AnyTableFact) -> Table:
    match fact:
        case f.DealerTookTable(person=person):
            attempts = a.forgotten(table.attempts, person.staff)
            return replace(table, dealer=person, duty_over=None, attempts=attempts)
        case f.DealerLeft():
            return replace(table, dealer=None, duty_over=None)
        case f.DutyOver(refusal=refusal):
            return replace(table, duty_over=refusal)
        case f.StaffSignedIn(person=person, link=link):
            others = tuple(s for s in table.signed if s.link != link)
            signed = (*others, Signed(person, link, table.version))
            attempts = a.forgotten(table.attempts, person.staff)
            return replace(table, signed=signed, attempts=attempts)
        case f.StaffSignedOut(staff=staff, link=link):
            left = tuple(s for s in table.signed if (s.person.staff, s.link) != (staff, link))
            return replace(table, signed=left)
        case f.BadgeRefused(refusal=refusal):
            return replace(table, refusal=refusal)
        case f.LoginFailed() | f.LoginLockOver() | f.TriesForgotten() | f.PlaceHourOver():
            return replace(table, attempts=_attempts(table.attempts, fact))
        case f.SupervisorCalled(reason=reason):
            return replace(table, call=reason)
        case f.CallAnswered():
            return replace(table, call="")
        case _:
            raise ValueError(f"not a fact of the table: {type(fact).__name__}")


def _attempts(
    attempts: a.Attempts,
    fact: f.LoginFailed | f.LoginLockOver | f.TriesForgotten | f.PlaceHourOver,
) -> a.Attempts:
    match fact:
        case f.LoginFailed():
            return a.failed(attempts, fact.staff, fact.link, fact.wrong, fact.here)
        case f.LoginLockOver():
            return a.lock_over(attempts, fact.staff)
        case f.TriesForgotten():
            return a.forgotten(attempts, fact.staff, fact.unlock)
        case f.PlaceHourOver():
            return a.hour_over(attempts, fact.place)
