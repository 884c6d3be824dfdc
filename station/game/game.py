"""The game's state and its fold: `evolve` is the only place where a fact changes it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from station.game import facts as f
from station.game.cards import Card
from station.game.shoe import Gone, Retired, Shoe, retire
from station.game.state import (
    Asked,
    Bet,
    Box,
    Fresh,
    Hand,
    Line,
    Round,
    Seat,
    Slot,
    Window,
    hand_at,
)

# How many shoes that are out may wait for their count at the same time.
RETIRED = 32


class Game(Struct, frozen=True):
    """Seats, the current or last round, the shoe and the exposed cards awaiting a ruling.

    `kept`: exposed cards that a supervisor ruled to be dealt next. `retired`: shoes that are out
    and not counted yet, oldest first. `barred`: shoes whose count did not come out, or that nobody
    counted while they were among the retired.
    """

    seats: tuple[Seat, ...] = ()
    round: Round | None = None
    rounds: int = 0
    shoe: Shoe = Shoe()
    exposed: tuple[Card, ...] = ()
    kept: tuple[Card, ...] = ()
    retired: tuple[Retired, ...] = ()
    barred: tuple[str, ...] = ()

    def seat_of(self, player: str) -> Seat | None:
        """Where that player sits, or None."""
        return next((seat for seat in self.seats if seat.player == player), None)

    def seat_at(self, number: int) -> Seat | None:
        """Who sits there, or None."""
        return next((seat for seat in self.seats if seat.seat == number), None)

    def absent(self, number: int) -> bool:
        """Whether the station plays for that seat (A13)."""
        seat = self.seat_at(number)
        return seat is not None and seat.absent


_ShoeFact = f.ShoeLoaded | f.ShoeReleased | f.ShoeOut | f.CutCardOut | f.ShoeReconciled
_SeatFact = f.SeatTaken | f.SeatLeft | f.PlayerAbsent | f.PlayerReturned
_CardFact = f.CardDealt | f.CardBurnedFirst | f.CardExposed | f.ExposedCardKept | f.CardBurned


def evolve(game: Game, fact: f.AnyGameFact) -> Game:
    """The game after the fact. Facts are taken as they are: they have happened."""
    if isinstance(fact, f.RoundFact):
        return replace(game, round=_in_round(_round(game), fact))
    match fact:
        case (
            f.CardDealt()
            | f.CardBurnedFirst()
            | f.CardExposed()
            | f.ExposedCardKept()
            | f.CardBurned()
        ):
            return _card(game, fact)
        case f.CardCorrected():
            return _corrected(game, fact)
        case f.SeatTaken() | f.SeatLeft() | f.PlayerAbsent() | f.PlayerReturned():
            return _seat(game, fact)
        case f.ShoeLoaded() | f.ShoeReleased() | f.ShoeOut() | f.CutCardOut() | f.ShoeReconciled():
            return _shoe(game, fact)
        case f.RoundsMarked():
            return game
        case f.RoundOpened():
            fresh = Round(number=fact.round, shoe=fact.shoe, fingerprint=fact.fingerprint)
            seats = tuple(replace(s, absent=False) if s.absent else s for s in game.seats)
            return replace(game, round=fresh, rounds=fact.round, seats=seats)
        case f.RoundVoided():
            ended = replace(
                _with_lines(_round(game), fact.lines),
                ended="void",
                asked=None,
                window=None,
                why_void=fact.reason,
                fresh=None,
            )
            # What the station voided by itself nobody has looked at: the card awaits its ruling.
            exposed = game.exposed if fact.by == f.STATION else ()
            return replace(game, round=ended, exposed=exposed)


def _round(game: Game) -> Round:
    if game.round is None:
        raise ValueError("a fact of a round, and no round was opened")
    return game.round


def _seat(game: Game, fact: _SeatFact) -> Game:
    match fact:
        case f.SeatTaken(seat=number, player=player):
            taken = Seat(number, player, since=game.rounds + 1)
            seats = sorted((*game.seats, taken), key=lambda seat: seat.seat)
            return replace(game, seats=tuple(seats))
        case f.SeatLeft(seat=number):
            return replace(game, seats=tuple(s for s in game.seats if s.seat != number))
        case f.PlayerAbsent() | f.PlayerReturned():
            absent = isinstance(fact, f.PlayerAbsent)
            seats_ = tuple(
                replace(s, absent=absent) if s.seat == fact.seat else s for s in game.seats
            )
            round_ = game.round
            if absent and round_ is not None and round_.asked is not None:
                asked = round_.asked if round_.asked.seat != fact.seat else None
                round_ = replace(round_, asked=asked)
            return replace(game, seats=seats_, round=round_)


def _shoe(game: Game, fact: _ShoeFact) -> Game:
    shoe = game.shoe
    match fact:
        case f.ShoeLoaded():
            fresh = Shoe(id=fact.shoe, set=fact.set, state="loaded")
            return replace(_retire(game), shoe=fresh)
        case f.ShoeReleased():
            return replace(game, shoe=replace(shoe, state="in_play"))
        case f.ShoeOut():
            return replace(game, shoe=replace(shoe, state="out"))
        case f.CutCardOut():
            return replace(game, shoe=replace(shoe, cut=True))
        case f.ShoeReconciled():
            barred = tuple(old for old in game.barred if old != fact.shoe)
            if fact.missing or fact.surplus:
                # It stays among those that wait: whoever counted may count once more.
                return replace(game, barred=(*barred, fact.shoe))
            retired = tuple(old for old in game.retired if old.id != fact.shoe)
            if shoe.id == fact.shoe:
                shoe = replace(shoe, gone=())
            return replace(game, shoe=shoe, retired=retired, barred=barred)


def bar_lifted(game: Game, name: str) -> Game:
    """A shoe whose count had not come out was checked whole since: it waits for no count."""
    barred = tuple(old for old in game.barred if old != name)
    retired = tuple(old for old in game.retired if old.id != name)
    shoe = replace(game.shoe, gone=()) if game.shoe.id == name else game.shoe
    return replace(game, shoe=shoe, retired=retired, barred=barred)


def _retire(game: Game) -> Game:
    """The shoe that is out makes room, and waits to be counted."""
    if game.shoe.state != "out" or not game.shoe.gone:
        return game
    retired = (*game.retired, retire(game.shoe))
    barred = tuple(old.id for old in retired[:-RETIRED])
    return replace(game, retired=retired[-RETIRED:], barred=(*game.barred, *barred))


def _card(game: Game, fact: _CardFact) -> Game:
    card = fact.card
    match fact:
        case f.CardDealt():
            dealt = _dealt(_round(game), fact)
            if card in game.kept:
                # It left the shoe when it was exposed.
                kept = _without(game.kept, card)
                return replace(game, round=dealt, kept=kept)
            return replace(game, shoe=_left(game, card, fact.order, fact.round), round=dealt)
        case f.CardBurnedFirst():
            shoe = _left(game, card, fact.order, 0)
            return replace(game, shoe=replace(shoe, burned=shoe.burned + 1))
        case f.CardExposed():
            shoe = _left(game, card, fact.order, fact.round)
            return replace(game, shoe=shoe, exposed=(*game.exposed, card))
        case f.ExposedCardKept():
            exposed = _without(game.exposed, card)
            return replace(game, exposed=exposed, kept=(*game.kept, card))
        case f.CardBurned():
            # A person rules on exposed cards; the station burns a kept one nobody is owed any more.
            if fact.by == f.STATION:
                return replace(game, kept=_without(game.kept, card))
            return replace(game, exposed=_without(game.exposed, card))


def _corrected(game: Game, fact: f.CardCorrected) -> Game:
    """The card lies where it lay; whatever was asked because of it is asked anew."""
    round_, slot = _round(game), fact.slot
    if slot.is_dealer:
        round_ = replace(round_, dealer=(*round_.dealer[:-1], fact.card))
    else:
        hand = hand_at(round_, slot)
        round_ = _with_hands(round_, slot, (replace(hand, cards=(*hand.cards[:-1], fact.card)),))
    gone = tuple(
        replace(one, card=fact.card) if one.order == fact.order else one for one in game.shoe.gone
    )
    round_ = replace(round_, asked=None, window=None)
    return replace(game, round=round_, shoe=replace(game.shoe, gone=gone))


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """All but one of that card."""
    rest = list(cards)
    if card in rest:
        rest.remove(card)
    return tuple(rest)


def _left(game: Game, card: Card, order: int, round_: int) -> Shoe:
    """A card left the shoe. Of a shoe loaded without a set letter, the first card gives it."""
    shoe = game.shoe
    gone = (*shoe.gone, Gone(card, order, round_))
    return replace(shoe, gone=gone, set=shoe.set or card.set)


# By these something was decided since the last card.
_DECIDED = (f.DecisionMade, f.BetDoubled, f.WindowAnswered, f.WindowClosed, f.RoundSettled)


def _in_round(round_: Round, fact: f.AnyGameFact) -> Round:
    if isinstance(fact, _DECIDED):
        round_ = replace(round_, fresh=None)
    match fact:
        case f.BetPlaced():
            bet = Bet(fact.bet, fact.kind, fact.player, fact.seat, fact.hand, fact.amount)
            return replace(round_, bets=(*round_.bets, bet))
        case f.BetDoubled(bet=number):
            bets = tuple(
                replace(bet, doubled=True) if bet.bet == number else bet for bet in round_.bets
            )
            return replace(round_, bets=bets)
        case f.BetsReturned(lines=lines):
            return _with_lines(round_, lines)
        case f.BettingClosed(seats=seats):
            players = {bet.seat: bet.player for bet in round_.bets if bet.kind == "main"}
            boxes = tuple(Box(seat, players[seat]) for seat in seats)
            return replace(round_, closed=True, boxes=boxes)
        case f.RoundEmpty() | f.RoundCleared():
            return replace(round_, ended="cleared")
        case f.DecisionAsked():
            asked = Asked(fact.decision, fact.seat, fact.hand, fact.legal)
            return replace(round_, asked=asked, decisions=fact.decision)
        case f.DecisionMade():
            return _decided(round_, fact)
        case f.WindowOpened() | f.WindowAnswered() | f.WindowClosed():
            return _window(round_, fact)
        case f.RoundSettled(lines=lines):
            return replace(_with_lines(round_, lines), ended="settled")
        case _:
            raise ValueError(f"not a fact of a round: {type(fact).__name__}")


def _with_lines(round_: Round, lines: tuple[Line, ...]) -> Round:
    return replace(round_, lines=(*round_.lines, *lines))


def _window(round_: Round, fact: f.WindowOpened | f.WindowAnswered | f.WindowClosed) -> Round:
    match fact:
        case f.WindowOpened():
            window = Window(fact.window, fact.kind, fact.seat, fact.hand, fact.asked)
            return replace(round_, window=window, windows=fact.window)
        case f.WindowAnswered():
            if round_.window is None:
                raise ValueError("an answer, and no window was opened")
            answers = (*round_.window.answers, (fact.player, fact.yes))
            changed = replace(round_, window=replace(round_.window, answers=answers))
            if round_.window.kind == "insurance" and fact.yes:
                # Buying insurance is an action, declining it is none (A13).
                seat = next(box.seat for box in round_.boxes if box.player == fact.player)
                return replace(changed, boxes=_boxes(round_, seat, acted=True))
            return changed
        case f.WindowClosed():
            over = round_.insurance_over or (
                round_.window is not None and round_.window.kind == "insurance"
            )
            return replace(round_, window=None, insurance_over=over)


def _boxes(round_: Round, seat: int, **changes: object) -> tuple[Box, ...]:
    return tuple(replace(box, **changes) if box.seat == seat else box for box in round_.boxes)


def _with_hands(round_: Round, slot: Slot, hands: tuple[Hand, ...]) -> Round:
    """The seat's hands with the slot's own replaced by `hands`: one, or two after a split."""

    def changed(box: Box) -> Box:
        if box.seat != slot.seat:
            return box
        at = slot.hand - 1
        return replace(box, hands=(*box.hands[:at], *hands, *box.hands[at + 1 :]))

    return replace(round_, boxes=tuple(changed(box) for box in round_.boxes))


def _dealt(round_: Round, fact: f.CardDealt) -> Round:
    round_ = replace(round_, fresh=Fresh(fact.slot, fact.order))
    if fact.slot.is_dealer:
        return replace(round_, dealer=(*round_.dealer, fact.card))
    hand = hand_at(round_, fact.slot)
    changed = replace(hand, cards=(*hand.cards, fact.card), owed=False)
    return _with_hands(round_, fact.slot, (changed,))


def _decided(round_: Round, fact: f.DecisionMade) -> Round:
    slot = Slot(fact.seat, fact.hand)
    hand = hand_at(round_, slot)
    hands: tuple[Hand, ...]
    match fact.action:
        case "hit":
            hands = (replace(hand, owed=True),)
        case "stand":
            hands = (replace(hand, stood=True),)
        case "double":
            hands = (replace(hand, owed=True, doubled=True),)
        case "surrender":
            hands = (replace(hand, surrendered=True),)
        case "split":
            hands = tuple(Hand(cards=(card,), split=True) for card in hand.cards)
    changed = _with_hands(round_, slot, hands)
    seen = {"acted": True} if fact.by == "player" else {}
    boxes = _boxes(changed, fact.seat, asked=True, **seen)
    return replace(changed, boxes=boxes, asked=None, decisions=fact.decision)
