"""What a reading becomes: a card, a repeat, an exposed card, or a fault. Never lost."""

from __future__ import annotations

from typing import assert_never

from station.game import facts as g
from station.game.cards import Card
from station.game.dealing import Nobody, Owed
from station.game.incidents import incident_of
from station.game.shoe import earlier, foreign, suspects
from station.game.state import BURN
from station.table import facts as f
from station.table import inputs as i
from station.table.doubts import doubt_of, drawn_after_unread, repeats, since_face
from station.table.health import decide_fault, decide_health
from station.table.missed import UNREAD, missed, news_of_a_card
from station.table.state import Table, expected
from station.table.working import Working

# A reader that told of a card so shortly before the sensor saw one told of that one.
SAME_CARD_MS = 1000
# Holds in which the last card is drawn past the reader once more.
REREAD_DRAWN = ("pushed_back", "disputed_card")
# Holds during which a new code is a card that left the shoe.
DRAWN = ("exposed_card", "wait", "dealer_report", "emergency")

AnyReading = (
    i.CardSeen
    | i.CutCardSeen
    | i.ReadMissed
    | i.CardPassed
    | i.ButtonPressed
    | i.DeviceHealth
    | i.DeviceFault
)


def decide_reading(work: Working, given: AnyReading) -> None:
    """The facts of one observation; the raw bytes are in the first of them."""
    match given:
        case i.CardSeen():
            _card_seen(work, given)
        case i.CutCardSeen():
            _observed(work, given, "cut_card", passed=not work.table.game.shoe.cut)
            _cut(work, given)
        case i.ReadMissed():
            _observed(work, given, "no_read", passed=given.passed)
            missed(work, given)
        case i.CardPassed():
            _passed(work, given)
        case i.ButtonPressed():
            _button(work, given)
        case i.DeviceHealth():
            decide_health(work, given)
        case i.DeviceFault():
            decide_fault(work, given)
        case _ as never:
            assert_never(never)


def _observed(
    work: Working,
    given: i.CardSeen | i.CutCardSeen | i.ReadMissed,
    saw: str,
    face: str = "",
    *,
    passed: bool,
) -> None:
    if work.table.timed:
        fact = f.Observed(
            given.device,
            saw,
            given.text,
            given.raw,
            given.at_ms,
            face,
            passed,
            evidence=given.evidence,
        )
    else:
        fact = f.Observed(given.device, saw, given.text, given.raw, evidence=given.evidence)
    work.add(fact)


def _card_seen(work: Working, given: i.CardSeen) -> None:
    repeat = repeats(work.table, given)
    after_ms = since_face(work.table, given)
    doubt = doubt_of(work.table, given, after_ms)
    _observed(work, given, "card", given.card.face, passed=not repeat)
    if work.table.game.shoe.state != "in_play":
        work.add(f.ReadSetAside(given.device, given.card, "shoe_not_in_play"))
    elif _rereads_face(work.table, given):
        work.add(f.LastCardReread(given.device, given.card))
    elif repeat:
        _again(work, given)
    elif _held_for(work, "same_or_second", given) and (given.resent or not given.numbered):
        # Whoever looks may read it again; it is still the one that is doubted. What a shoe numbers
        # anew was drawn meanwhile.
        work.add(f.ReadRepeated(given.device, given.card, _order(work.table, given.card)))
    elif doubt:
        _doubted(work, given, doubt, after_ms or 0)
    elif drawn_after_unread(work.table, given):
        work.add(f.ReadDoubted(given.device, given.card, 0))
        work.hold("drawn_after_unread", given.device, (given.card,), face=given.card.face)
    else:
        _card(work, given)


def _order(table: Table, card: Card) -> int:
    """The place in the shoe of the last card of that face, or of the last card."""
    before = suspects(table.game.shoe, card)
    return before[0].order if before else len(table.game.shoe.gone)


def _card(work: Working, given: i.CardSeen) -> None:
    """A card that has just left the shoe, as far as its code and its time can tell."""
    card, shoe = given.card, work.table.game.shoe
    seen = earlier(shoe, card)
    if seen is not None:
        _duplicate(work, given, seen.order, seen.round)
        return
    why = foreign(shoe, card)
    if why:
        _foreign(work, given, why)
    elif given.resent and not card.unique:
        _told_again(work, given)
    else:
        _left_shoe(work, given.device, card)


def _left_shoe(work: Working, device: str, card: Card) -> None:
    """A card of this shoe that has not been seen before: to whom it is owed, or exposed."""
    shoe = work.table.game.shoe
    answer = expected(work.table)
    if work.table.holds and not _drawn(work.table):
        work.add(f.ReadSetAside(device, card, "held"))
    elif isinstance(answer, Owed) and answer.slot.seat == BURN:
        work.add(g.CardBurnedFirst(card, len(shoe.gone) + 1, shoe.id))
    elif isinstance(answer, Owed):
        number = work.table.game.round.number if work.table.game.round else 0
        work.add(g.CardDealt(number, card, answer.slot, len(shoe.gone) + 1))
        work.advance()
    else:
        _exposed(work, device, card, answer)


def _told_again(work: Working, given: i.CardSeen) -> None:
    """A shoe that numbers its draws tells of a card it had drawn before. Whether it told of it
    then is not known: an equal last card may be that one, any other was not counted yet.
    """
    last = work.table.game.shoe.last
    if last is not None and last.card.face == given.card.face:
        _doubted(work, given, "resent", 0)
    else:
        _exposed(work, given.device, given.card, Nobody("resent"))


def second_card(work: Working, device: str, card: Card) -> None:
    """A person has said that a doubted read was another card of that face."""
    _card(work, i.CardSeen(device, card, "", "", numbered=True))


def _doubted(work: Working, given: i.CardSeen, why: str, after_ms: int) -> None:
    """Maybe a card that was read before: a person has to look at it, and at the last of its face,
    if one was read.
    """
    card, before = given.card, suspects(work.table.game.shoe, given.card)
    named: dict[str, str | int] = {"face": card.face, "why": why, "deck": card.deck}
    if before:
        last = before[0]
        named |= {"first_order": last.order, "first_round": last.round}
        named |= {"first_deck": last.card.deck}
    work.add(f.ReadDoubted(given.device, card, after_ms))
    work.hold("same_or_second", given.device, (card,), **named)


def _rereads_face(table: Table, given: i.CardSeen) -> bool:
    """While a re-read is waited for: whether the last card is read again, where one of its two
    readings had no deck number.

    Nothing is drawn during such a hold; the face is all that such a code can prove (A20). A reader
    that numbers its draws reads no card twice: what it tells of has been drawn, unless that card
    is to be drawn again.
    """
    last, card = table.game.shoe.last, given.card
    if last is None or last.card.face != card.face:
        return False
    if card.unique and (last.card.unique or earlier(table.game.shoe, card) is not None):
        return False
    return any(
        incident_of(hold.code, hold.params).reread
        and (not given.numbered or hold.code in REREAD_DRAWN)
        for hold in table.holds
    )


def _drawn(table: Table) -> bool:
    """Whether a card read during these holds has been drawn, so that it has left the shoe.

    A reader that was away, or a card that could not be read or was read as another one, may only be
    read again: then the card is set aside. In any other hold the readers read what comes out, and
    nobody was owed it.
    """
    drawn = (hold.code in DRAWN for hold in table.holds)
    return all(drawn) and all(hold.params.get("what") != "wrong_card" for hold in table.holds)


def _again(work: Working, given: i.CardSeen) -> None:
    """The last accepted card once more: a repeat, or the re-read that alignment asks for.

    By its time alone, a face may be that of a card before the last: that aligns nothing.
    """
    last = work.table.game.shoe.last
    is_last = last is not None and last.card.face == given.card.face
    if is_last and any(incident_of(hold.code, hold.params).reread for hold in work.table.holds):
        work.add(f.LastCardReread(given.device, given.card))
    else:
        order = _order(work.table, given.card)
        work.add(f.ReadRepeated(given.device, given.card, order))


def _held_for(work: Working, code: str, given: i.CardSeen) -> bool:
    return any(hold.code == code and given.card in hold.cards for hold in work.table.holds)


def _duplicate(work: Working, given: i.CardSeen, order: int, round_: int) -> None:
    """The same code left the shoe before: one of the two reads is wrong, and neither is trusted."""
    work.add(f.ReadRepeated(given.device, given.card, order))
    if not _held_for(work, "duplicate_card", given):
        work.hold(
            "duplicate_card",
            given.device,
            (given.card,),
            face=given.card.face,
            deck=given.card.deck,
            first_order=order,
            first_round=round_,
        )


def _foreign(work: Working, given: i.CardSeen, why: str) -> None:
    """A card that cannot be of this shoe (R2): this read, or the last of that face, is wrong."""
    before = suspects(work.table.game.shoe, given.card)
    work.add(f.ReadSetAside(given.device, given.card, "held"))
    if not _held_for(work, "foreign_card", given):
        work.hold(
            "foreign_card",
            given.device,
            (given.card,),
            face=given.card.face,
            why=why,
            deck=given.card.deck,
            set=given.card.set,
            copies=len(before) + 1,
            first_order=before[0].order if before else 0,
            first_round=before[0].round if before else 0,
        )


def _exposed(work: Working, device: str, card: Card, answer: Nobody) -> None:
    """A card nobody is owed is neither lost nor ignored: it is kept apart and the table holds."""
    game = work.table.game
    number = game.round.number if game.round else 0
    work.add(g.CardExposed(card, len(game.shoe.gone) + 1, number, answer.code))
    if any(hold.code == "exposed_card" for hold in work.table.holds):
        return  # One ruling for all that lie there.
    work.hold(
        "exposed_card",
        device,
        (card,),
        face=card.face,
        why=answer.code,
        rule=answer.rule,
        seat=answer.seat,
    )


def _cut(work: Working, given: i.CutCardSeen) -> None:
    """Never a hand card: the slot stays, this round is the shoe's last."""
    game = work.table.game
    if game.shoe.cut or game.shoe.state != "in_play":
        work.add(f.CutCardRepeated(given.device))
        return
    if game.shoe.set and given.set and given.set != game.shoe.set:
        # Another set's cut card: another set's cards may be in the shoe.
        params: dict[str, str | int] = {"face": "CUT", "why": "wrong_set", "deck": 0}
        work.add(f.CutCardRepeated(given.device))
        if not any(hold.params.get("face") == "CUT" for hold in work.table.holds):
            work.hold("foreign_card", given.device, set=given.set, **params)
        return
    work.add(g.CutCardOut(game.shoe.id, game.round.number if game.round else 0))


def _passed(work: Working, given: i.CardPassed) -> None:
    """The sensor saw a card leave. The reader has told of it just now, or has a second to do so."""
    if work.table.watched.left_ms:
        # Two left and not one was read: of the first nothing will come any more, and nobody was
        # told in time to scan it again. Which of them is read next cannot be proven (P3).
        unread(work, given.device)
        if news_of_a_card(work.table):
            work.hold("unknown_card", given.device, reason=UNREAD)
    watched = work.table.watched
    # Two threads told of it: the sensor's word may be the older one and still come second.
    known = bool(watched.read_ms) and abs(given.at_ms - watched.read_ms) <= SAME_CARD_MS
    work.add(f.CardLeft(given.device, given.at_ms, known))


def unread(work: Working, device: str) -> None:
    """A card left the shoe and no reader has told which: a no-read, as if it had said so."""
    decide_reading(work, i.ReadMissed(device, UNREAD, "", "", passed=True, at_ms=0))


def _button(work: Working, given: i.ButtonPressed) -> None:
    if given.button == "cut_card":
        work.add(f.Observed(given.device, "cut_card", "button", given.raw))
        _cut(work, i.CutCardSeen(given.device, "button", given.raw))
        return
    work.add(f.Observed(given.device, "button", given.button, given.raw))
    if not work.table.call:
        work.add(f.SupervisorCalled(given.button))
