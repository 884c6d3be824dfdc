"""The round: what may be commanded, what it brings, and what follows by itself.

Commands are imperative and may be refused; `advance` is what the rules make happen by themselves.
"""

from __future__ import annotations

from typing import Literal, assert_never

from msgspec import Struct

from station.game import facts as f
from station.game.dealing import autoplay, dealer_done
from station.game.game import Game
from station.game.refusal import Refusal, refuse
from station.game.rules import TableRules, fingerprint, main_bet_refusal
from station.game.settlement import settle
from station.game.state import Phase, Round, box_at, is_open, phase, turn

Action = Literal["hit", "stand"]


class GameCommand(Struct, frozen=True):
    """An imperative of the game host or the dealer."""


class OpenRound(GameCommand, frozen=True):
    rules: str


class TakeSeat(GameCommand, frozen=True):
    seat: int
    player: str


class LeaveSeat(GameCommand, frozen=True):
    seat: int
    player: str


class PlaceBet(GameCommand, frozen=True):
    round: int
    seat: int
    player: str
    amount: int


class CloseBetting(GameCommand, frozen=True):
    round: int


class Decide(GameCommand, frozen=True):
    round: int
    decision: int
    seat: int
    hand: int
    action: Action


class Cleared(GameCommand, frozen=True):
    round: int


AnyGameCommand = OpenRound | TakeSeat | LeaveSeat | PlaceBet | CloseBetting | Decide | Cleared


def why_not(game: Game, rules: TableRules, command: AnyGameCommand) -> Refusal | None:
    """Why the command is refused now, or None. Holds and rights are the table's."""
    match command:
        case OpenRound():
            return _why_not_open(game, rules, command)
        case TakeSeat():
            return _why_not_seat(game, rules, command)
        case LeaveSeat():
            return _why_not_leave(game, command)
        case PlaceBet():
            return _why_not_bet(game, rules, command)
        case CloseBetting():
            return _why_not_betting(game, command.round)
        case Decide():
            return _why_not_decide(game, command)
        case Cleared():
            return _why_not_cleared(game, command)
        case _ as never:
            assert_never(never)


def decide(game: Game, rules: TableRules, command: AnyGameCommand) -> tuple[f.AnyGameFact, ...]:
    """The facts of a command that `why_not` did not refuse."""
    match command:
        case OpenRound():
            return (f.RoundOpened(game.rounds + 1, game.shoe.id, fingerprint(rules)),)
        case TakeSeat():
            return (f.SeatTaken(command.seat, command.player),)
        case LeaveSeat():
            return (f.SeatLeft(command.seat, command.player, "left"),)
        case PlaceBet():
            bet = 1 + (len(game.round.bets) if game.round else 0)
            amount = command.amount
            return (f.BetPlaced(command.round, bet, "main", command.player, command.seat, amount),)
        case CloseBetting():
            return (close_betting(_current(game), "host"),)
        case Decide():
            return (
                f.DecisionMade(
                    command.round,
                    command.decision,
                    command.seat,
                    command.hand,
                    command.action,
                    "player",
                ),
            )
        case Cleared():
            return (f.RoundCleared(command.round),)
        case _ as never:
            assert_never(never)


def close_betting(round_: Round, by: Literal["countdown", "host"]) -> f.BettingClosed:
    """Who plays: the seats with a confirmed main bet, in ascending order (A5)."""
    return f.BettingClosed(round_.number, tuple(sorted(bet.seat for bet in round_.bets)), by)


def advance(game: Game, rules: TableRules) -> f.AnyGameFact | None:
    """The fact that follows by itself from where the game stands, or None. Ask until None."""
    round_ = game.round
    if round_ is None or not is_open(round_) or not round_.closed:
        return None
    if not round_.boxes:
        return f.RoundEmpty(round_.number)
    match phase(round_):
        case Phase.PLAYERS:
            return _ask(round_, rules)
        case Phase.DEALER if dealer_done(round_, rules):
            return f.RoundSettled(round_.number, round_.dealer, settle(round_))
        case _:
            return None


def inactive(game: Game) -> tuple[f.SeatLeft, ...]:
    """The seats that are vacated at the end of the round (R25, A33)."""
    round_ = _current(game)
    gone = []
    for seat in game.seats:
        box = box_at(round_, seat.seat)
        if box is None or box.player != seat.player or (box.asked and not box.acted):
            gone.append(f.SeatLeft(seat.seat, seat.player, "inactive"))
    return tuple(gone)


def _ask(round_: Round, rules: TableRules) -> f.AnyGameFact | None:
    """The next decision, asked of the player or made for him (R20, R21)."""
    slot = turn(round_)
    if slot is None or round_.asked is not None:
        return None
    box = box_at(round_, slot.seat)
    if box is None or box.hands[slot.hand - 1].owed:
        return None
    number = round_.decisions + 1
    if box.absent:
        action = autoplay(box, slot.hand, rules)
        return f.DecisionMade(round_.number, number, slot.seat, slot.hand, action, "station")
    return f.DecisionAsked(round_.number, number, slot.seat, slot.hand, ("hit", "stand"))


def _current(game: Game) -> Round:
    if game.round is None:
        raise ValueError("no round was opened")
    return game.round


def _why_not_open(game: Game, rules: TableRules, command: OpenRound) -> Refusal | None:
    if game.round is not None and game.round.ended in ("", "settled"):
        return refuse("round_running", "R12", round=game.round.number)
    if game.shoe.state != "in_play":
        return refuse("shoe_not_in_play", "R60", state=game.shoe.state)
    if game.shoe.cut:
        return refuse("shoe_change_due", "A21", shoe=game.shoe.id)
    if command.rules != fingerprint(rules):
        return refuse(
            "other_rules", "R59", host=command.rules[:8] or "-", table=fingerprint(rules)[:8]
        )
    return None


def _why_not_seat(game: Game, rules: TableRules, command: TakeSeat) -> Refusal | None:
    if command.seat > rules.seats:
        return refuse("no_such_seat", "R11", seat=command.seat, seats=rules.seats)
    if is_open(game.round) and game.round is not None and game.round.closed:
        return refuse("round_running", "R12", round=game.round.number)
    for seat in game.seats:
        if seat.seat == command.seat:
            return refuse("seat_taken", "R11", seat=seat.seat, player=seat.player)
        if seat.player == command.player:
            return refuse("one_seat_a_player", "R11", seat=seat.seat, player=seat.player)
    return None


def _why_not_leave(game: Game, command: LeaveSeat) -> Refusal | None:
    if not any(s.seat == command.seat and s.player == command.player for s in game.seats):
        return refuse("not_seated", "R11", seat=command.seat, player=command.player)
    if game.round is not None and is_open(game.round):
        for bet in game.round.bets:
            if bet.seat == command.seat:
                return refuse("bet_in_play", "R12", seat=command.seat, player=command.player)
    return None


def _why_not_betting(game: Game, number: int) -> Refusal | None:
    """The part `PlaceBet` and `CloseBetting` share: is that round's betting open?"""
    round_ = game.round
    if round_ is None or round_.number != number:
        return refuse("stale_round", "R11", round=number, now=round_.number if round_ else 0)
    if phase(round_) is not Phase.BETTING:
        return refuse("betting_closed", "R11", round=number)
    return None


def _why_not_bet(game: Game, rules: TableRules, command: PlaceBet) -> Refusal | None:
    refusal = _why_not_betting(game, command.round)
    if refusal is not None:
        return refusal
    if not any(s.seat == command.seat and s.player == command.player for s in game.seats):
        return refuse("not_seated", "R13", seat=command.seat, player=command.player)
    if command.seat > rules.seats:
        return refuse("no_such_seat", "R11", seat=command.seat, seats=rules.seats)
    if any(bet.seat == command.seat for bet in _current(game).bets):
        return refuse("bet_already_placed", "R13", seat=command.seat)
    return main_bet_refusal(rules, command.amount)


def _why_not_decide(game: Game, command: Decide) -> Refusal | None:
    round_ = game.round
    if round_ is None or round_.number != command.round:
        return refuse("stale_round", "R20", round=command.round, now=round_.number if round_ else 0)
    asked = round_.asked
    if asked is None or not is_open(round_):
        return refuse("nothing_asked", "R20", seat=command.seat)
    if (asked.decision, asked.seat, asked.hand) != (command.decision, command.seat, command.hand):
        return refuse("stale_decision", "R20", seat=command.seat, asked=asked.seat)
    if command.action not in asked.legal:
        return refuse("not_legal", "R26", action=command.action, seat=command.seat)
    return None


def _why_not_cleared(game: Game, command: Cleared) -> Refusal | None:
    round_ = game.round
    if round_ is None or round_.number != command.round:
        return refuse("stale_round", "", round=command.round, now=round_.number if round_ else 0)
    if round_.ended == "void":
        return refuse("round_void_already", "R60", round=command.round)
    if phase(round_) is not Phase.RESULT:
        return refuse("not_settled", "R24", round=command.round)
    return None
