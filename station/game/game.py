"""The game's state and its fold: `evolve` is the only place where a fact changes it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from station.game import facts as f
from station.game.cards import Card
from station.game.shoe import Gone, Shoe
from station.game.state import Asked, Bet, Box, Hand, Round, Seat, Slot


class Game(Struct, frozen=True):
    """Seats, the current or last round, the shoe and the exposed cards awaiting a ruling."""

    seats: tuple[Seat, ...] = ()
    round: Round | None = None
    rounds: int = 0
    shoe: Shoe = Shoe()
    exposed: tuple[Card, ...] = ()


def evolve(game: Game, fact: f.AnyGameFact) -> Game:
    """The game after the fact. Facts are taken as they are: they have happened."""
    match fact:
        case f.SeatTaken(seat=seat, player=player):
            seats = sorted((*game.seats, Seat(seat, player)), key=lambda taken: taken.seat)
            return replace(game, seats=tuple(seats))
        case f.SeatLeft(seat=seat):
            return replace(game, seats=tuple(s for s in game.seats if s.seat != seat))
        case f.RoundOpened():
            fresh = Round(number=fact.round, shoe=fact.shoe, fingerprint=fact.fingerprint)
            return replace(game, round=fresh, rounds=fact.round)
        case f.ShoeLoaded() | f.ShoeReleased() | f.ShoeOut() | f.CutCardOut():
            return replace(game, shoe=_shoe(game.shoe, fact))
        case f.CardDealt():
            shoe = _left(game.shoe, fact.card, fact.order, fact.round)
            return replace(game, shoe=shoe, round=_dealt(_round(game), fact))
        case f.CardExposed(card=card):
            shoe = _left(game.shoe, card, fact.order, fact.round)
            return replace(game, shoe=shoe, exposed=(*game.exposed, card))
        case f.CardBurned(card=card):
            return replace(game, exposed=tuple(c for c in game.exposed if c != card))
        case f.RoundVoided():
            ended = replace(
                _round(game), ended="void", asked=None, lines=fact.lines, why_void=fact.reason
            )
            # What the station voided by itself nobody has looked at: the card awaits its ruling.
            exposed = game.exposed if fact.by == f.STATION else ()
            return replace(game, round=ended, exposed=exposed)
        case _:
            return replace(game, round=_in_round(_round(game), fact))


def _round(game: Game) -> Round:
    if game.round is None:
        raise ValueError("a fact of a round, and no round was opened")
    return game.round


def _shoe(shoe: Shoe, fact: f.ShoeLoaded | f.ShoeReleased | f.ShoeOut | f.CutCardOut) -> Shoe:
    match fact:
        case f.ShoeLoaded():
            return Shoe(id=fact.shoe, set=fact.set, state="loaded")
        case f.ShoeReleased():
            return replace(shoe, state="in_play")
        case f.ShoeOut():
            return replace(shoe, state="out")
        case f.CutCardOut():
            return replace(shoe, cut=True)


def _left(shoe: Shoe, card: Card, order: int, round_: int) -> Shoe:
    """A card left the shoe. Of a shoe loaded without a set letter, the first card gives it."""
    gone = (*shoe.gone, Gone(card, order, round_))
    return replace(shoe, gone=gone, set=shoe.set or card.set)


def _in_round(round_: Round, fact: f.AnyGameFact) -> Round:
    match fact:
        case f.BetPlaced():
            bet = Bet(fact.bet, fact.kind, fact.player, fact.seat, fact.amount)
            return replace(round_, bets=(*round_.bets, bet))
        case f.BettingClosed(seats=seats):
            players = {bet.seat: bet.player for bet in round_.bets}
            boxes = tuple(Box(seat, players[seat]) for seat in seats)
            return replace(round_, closed=True, boxes=boxes)
        case f.RoundEmpty() | f.RoundCleared():
            return replace(round_, ended="cleared")
        case f.DecisionAsked():
            asked = Asked(fact.decision, fact.seat, fact.hand, fact.legal)
            asked_box = _with_box(round_, fact.seat, asked=True)
            return replace(asked_box, asked=asked, decisions=fact.decision)
        case f.DecisionMade():
            return _decided(round_, fact)
        case f.PlayerAbsent(seat=seat):
            return replace(_with_box(round_, seat, absent=True), asked=None)
        case f.RoundSettled(lines=lines):
            return replace(round_, ended="settled", lines=lines)
        case _:
            raise ValueError(f"not a fact of a round: {type(fact).__name__}")


def _with_box(round_: Round, seat: int, **changes: object) -> Round:
    boxes = tuple(replace(box, **changes) if box.seat == seat else box for box in round_.boxes)
    return replace(round_, boxes=boxes)


def _with_hand(round_: Round, slot: Slot, hand: Hand) -> Round:
    def changed(box: Box) -> Box:
        if box.seat != slot.seat:
            return box
        hands = list(box.hands)
        hands[slot.hand - 1] = hand
        return replace(box, hands=tuple(hands))

    return replace(round_, boxes=tuple(changed(box) for box in round_.boxes))


def hand_at(round_: Round, slot: Slot) -> Hand:
    """The hand of a seat's slot; KeyError when that seat does not play."""
    for box in round_.boxes:
        if box.seat == slot.seat:
            return box.hands[slot.hand - 1]
    raise KeyError(slot)


def _dealt(round_: Round, fact: f.CardDealt) -> Round:
    if fact.slot.is_dealer:
        return replace(round_, dealer=(*round_.dealer, fact.card))
    hand = hand_at(round_, fact.slot)
    return _with_hand(round_, fact.slot, replace(hand, cards=(*hand.cards, fact.card), owed=False))


def _decided(round_: Round, fact: f.DecisionMade) -> Round:
    slot = Slot(fact.seat, fact.hand)
    hand = hand_at(round_, slot)
    hit = fact.action == "hit"
    changed = _with_hand(round_, slot, replace(hand, owed=hit, stood=not hit))
    if fact.by == "player":
        changed = _with_box(changed, fact.seat, acted=True)
    return replace(changed, asked=None, decisions=max(changed.decisions, fact.decision))
