"""The last card was read as another one: corrected by two people before anything was decided on it.

The same physical card is read again while the table holds for it, or, where no reader reads it,
named by hand. It stays in its place: no correction moves a card to another hand (R60). Pure.
"""

from __future__ import annotations

from msgspec.structs import replace

from station.game import facts as g
from station.game.cards import Card
from station.game.refusal import Refusal, refuse
from station.game.shoe import Shoe, earlier, foreign
from station.game.state import Fresh, hand_at, is_open
from station.table import facts as f
from station.table import inputs as i
from station.table.asked import why_not_second
from station.table.state import Table
from station.table.working import Working

# The report in whose hold it is done.
REPORTED = "wrong_card"


def why_not_correct(table: Table, actor: i.Actor, command: i.CorrectCard) -> Refusal | None:
    """Why the last card is not corrected to that one now, or None."""
    hold = table.hold(command.hold)
    if hold is None:
        return refuse("stale_hold", "", hold=command.hold)
    if hold.params.get("what") != REPORTED:
        return refuse("ruling_not_open", "R60", ruling="corrected", code=hold.code)
    other = next((one for one in table.holds if one.hold != command.hold), None)
    if other is not None:
        return refuse("table_holds", "R60", hold=other.hold, code=other.code)
    refusal = why_not_this(table, command.card) or _why_not_read(table, command.card)
    return refusal or why_not_second(table, actor, command)


def why_not_this(table: Table, card: Card) -> Refusal | None:
    """Why the last card cannot have been that one, or can be corrected no more."""
    fresh = correctable(table)
    if fresh is None:
        return refuse("decided_since", "R60")
    shoe = table.game.shoe
    if _same(shoe.gone[-1].card, card):
        return refuse("same_card", "R60", face=card.face)
    before = _before(shoe)
    gone = earlier(before, card)
    if gone is not None:
        return refuse("card_is_out", "R2", face=card.face, deck=card.deck, round=gone.round)
    return refuse("not_of_this_shoe", "R2", face=card.face) if foreign(before, card) else None


def correctable(table: Table) -> Fresh | None:
    """The last card, where it was dealt in this round and nothing has come of it yet: no other was
    drawn, nothing was decided or answered, and no bet was paid.
    """
    round_, shoe = table.game.round, table.game.shoe
    if round_ is None or not is_open(round_) or round_.fresh is None or shoe.last is None:
        return None
    drawn_since = shoe.last.order != round_.fresh.order
    return None if drawn_since or shoe.last.round != round_.number else round_.fresh


def correct(work: Working, command: i.CorrectCard, by: str) -> None:
    """The hold ends, and the card is another one; what follows from it follows anew."""
    table = work.table
    fresh, round_ = correctable(table), table.game.round
    if fresh is None or round_ is None:
        raise AssertionError("it is refused before")
    read = next((one for one in table.set_aside if _same(one, command.card)), None)
    if command.second in table.attempts.people:
        work.add(f.TriesForgotten(command.second, command.second, "proved"))
    work.add(f.HoldReleased(command.hold, "corrected", by, command.note))
    fact = g.CardCorrected(
        round=round_.number,
        order=fresh.order,
        slot=fresh.slot,
        was=table.game.shoe.gone[-1].card,
        card=command.card if read is None else read,
        hold=command.hold,
        by=by,
        second=command.second,
        manual=read is None,
        note=command.note,
    )
    work.add(fact)
    work.advance()


def why_wrong(table: Table, fact: g.CardCorrected) -> str:
    """What does not fit in a correction that is on record, "" if all does."""
    fresh = correctable(table)
    if fresh is None or (fresh.order, fresh.slot) != (fact.order, fact.slot):
        return "that card could not be corrected any more"
    round_ = table.game.round
    assert round_ is not None
    cards = round_.dealer if fact.slot.is_dealer else hand_at(round_, fact.slot).cards
    if (cards[-1], table.game.shoe.gone[-1].card) != (fact.was, fact.was):
        return f"the card that lies there is not {fact.was.face}"
    refusal = why_not_this(table, fact.card)
    return f"{fact.card.face} cannot have been it ({refusal.code})" if refusal else ""


def _why_not_read(table: Table, card: Card) -> Refusal | None:
    """What was read in the hold has to be that card, once; or nothing was read."""
    others = [one for one in table.set_aside if not _same(one, card)]
    return refuse("drawn_during_hold", "R60", face=others[0].face) if others else None


def _same(one: Card, named: Card) -> bool:
    """Whether a card is the one that was named, with or without its deck."""
    return one.face == named.face and (not named.deck or not one.deck or one.deck == named.deck)


def _before(shoe: Shoe) -> Shoe:
    """The shoe before its last card."""
    return replace(shoe, gone=shoe.gone[:-1])
