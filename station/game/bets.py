"""Seats and bets: who may sit, who may bet where, and how much (R11-R14, R41-R43, R48, R49)."""

from __future__ import annotations

from typing import Literal

from station.game import facts as f
from station.game.commands import LeaveSeat, PlaceBet, TakeBack, TakeSeat
from station.game.game import Game
from station.game.refusal import Refusal, refuse
from station.game.rules import TableRules
from station.game.settlement import returned_line, taken_back_line
from station.game.state import Bet, Round, at_risk, is_open, main_bet

BEHIND = ("behind", "behind_pair")


def why_not_seat(game: Game, rules: TableRules, command: TakeSeat) -> Refusal | None:
    """One seat a player, and nobody both seated and behind (R11, R12, R49)."""
    if not command.player:
        return refuse("player_needed", "R11", seat=command.seat)
    if command.seat > rules.seats:
        return refuse("no_such_seat", "A21", seat=command.seat, seats=rules.seats)
    round_ = game.round
    if round_ is not None and is_open(round_) and round_.closed:
        return refuse("round_running", "R12", round=round_.number)
    for seat in game.seats:
        if seat.seat == command.seat:
            return refuse("seat_taken", "R11", seat=seat.seat, player=seat.player)
        if seat.player == command.player:
            return refuse("one_seat_a_player", "R11", seat=seat.seat, player=seat.player)
    if round_ is not None and is_open(round_):
        for bet in at_risk(round_):
            if bet.player == command.player:
                return refuse("behind_may_not_sit", "R49", player=bet.player, seat=bet.seat)
    return None


def why_not_leave(game: Game, command: LeaveSeat) -> Refusal | None:
    if game.seat_at(command.seat) is None:
        return refuse("seat_is_free", "R11", seat=command.seat)
    if not _sits(game, command.seat, command.player):
        return refuse("not_seated", "R11", seat=command.seat, player=command.player)
    round_ = game.round
    if round_ is not None and is_open(round_) and main_bet(round_, command.seat) is not None:
        return refuse("bet_in_play", "", seat=command.seat, player=command.player)
    return None


def leave(game: Game, command: LeaveSeat) -> tuple[f.AnyGameFact, ...]:
    """The seat is free; whoever bet behind that player has his bets back (R48)."""
    left = f.SeatLeft(command.seat, command.player, "left")
    round_ = game.round
    if round_ is None or not is_open(round_):
        return (left,)
    behind = tuple(bet for bet in at_risk(round_) if bet.seat == command.seat)
    return (left, *_returned(round_, behind))


def why_not_betting(game: Game, number: int) -> Refusal | None:
    """The part `PlaceBet` and `CloseBetting` share: is that round's betting open?"""
    round_ = game.round
    if round_ is None or round_.number != number:
        return refuse("stale_round", "R11", round=number, now=round_.number if round_ else 0)
    if round_.closed or not is_open(round_):
        return refuse("betting_closed", "R11", round=number)
    return None


def why_not_bet(game: Game, rules: TableRules, command: PlaceBet) -> Refusal | None:
    """Where that player may bet now, then how much."""
    refusal = why_not_betting(game, command.round)
    if refusal is not None or game.round is None:
        return refusal
    if not command.player:
        return refuse("player_needed", "R13", seat=command.seat)
    if command.seat > rules.seats:
        return refuse("no_such_seat", "A21", seat=command.seat, seats=rules.seats)
    if command.kind in BEHIND:
        refusal = _why_not_behind(game, game.round, rules, command)
    else:
        refusal = _why_not_own(game, game.round, command)
    if refusal is not None:
        return refusal
    for bet in game.round.bets:
        same = (bet.seat, bet.player, bet.kind) == (command.seat, command.player, command.kind)
        if same and bet in at_risk(game.round):
            return refuse("bet_already_placed", "R13", seat=command.seat, kind=command.kind)
    return _why_not_amount(rules, command)


def _sits(game: Game, seat: int, player: str) -> bool:
    return any(s.seat == seat and s.player == player for s in game.seats)


def _why_not_own(game: Game, round_: Round, command: PlaceBet) -> Refusal | None:
    """The seated player's own fields: the main bet first, then the Pair bet (R13, R14, A29)."""
    rule = "R13" if command.kind == "main" else "R43"
    if not _sits(game, command.seat, command.player):
        return refuse("not_seated", rule, seat=command.seat, player=command.player)
    if command.kind == "pair" and main_bet(round_, command.seat) is None:
        return refuse("main_bet_first", "R14", seat=command.seat)
    return None


def _why_not_behind(
    game: Game, round_: Round, rules: TableRules, command: PlaceBet
) -> Refusal | None:
    """On taken seats only, by players without a seat, and so many a seat (R41, R48, R49, A25)."""
    own = game.seat_of(command.player)
    if own is not None:
        return refuse("seated_may_not_bet_behind", "R49", player=own.player, seat=own.seat)
    if game.seat_at(command.seat) is None:
        return refuse("seat_empty", "R48", seat=command.seat)
    players = {bet.player for bet in at_risk(round_) if _behind(bet, command.seat)}
    if command.player not in players and len(players) >= rules.behind_bettors:
        return refuse("behind_full", "A21", seat=command.seat, most=rules.behind_bettors)
    return None


def _behind(bet: Bet, seat: int) -> bool:
    return bet.seat == seat and bet.kind in BEHIND


def _why_not_amount(rules: TableRules, command: PlaceBet) -> Refusal | None:
    """Why an amount, in minor units, is no such bet (A21, A26).

    A Pair bet pays 11:1, which is exact for any whole amount: it has limits and no step.
    """
    pair = command.kind in ("pair", "behind_pair")
    least, most = (rules.pair_min, rules.pair_max) if pair else (rules.main_min, rules.main_max)
    amount = command.amount
    if amount < least:
        return refuse("bet_below_minimum", "A21", amount=amount, minimum=least)
    if amount > most:
        return refuse("bet_above_maximum", "A21", amount=amount, maximum=most)
    if not pair and amount % rules.bet_step:
        return refuse("bet_off_step", "A26", amount=amount, step=rules.bet_step)
    return None


def place(game: Game, command: PlaceBet) -> tuple[f.AnyGameFact, ...]:
    """The bet is taken; a player who bets is there (A13)."""
    if game.round is None:
        raise ValueError("no round was opened")
    hand = 0 if command.kind in ("pair", "behind_pair") else 1
    bet = f.BetPlaced(
        command.round,
        len(game.round.bets) + 1,
        command.kind,
        command.player,
        command.seat,
        hand,
        command.amount,
    )
    seat = game.seat_of(command.player)
    if seat is not None and seat.absent:
        return (f.PlayerReturned(seat.seat, seat.player), bet)
    return (bet,)


def close(round_: Round, by: Literal["countdown", "host"]) -> tuple[f.AnyGameFact, ...]:
    """Who plays: the seats with a confirmed main bet, in ascending order (A5). Bets behind any
    other seat come back at once (A34).
    """
    there = at_risk(round_)
    seats = sorted(bet.seat for bet in there if bet.kind == "main")
    orphans = tuple(bet for bet in there if bet.seat not in seats)
    closed = f.BettingClosed(round_.number, tuple(seats), by)
    return (closed, *_returned(round_, orphans))


def why_not_take_back(game: Game, command: TakeBack) -> Refusal | None:
    """A bet of that player, while betting is open."""
    refusal = why_not_betting(game, command.round)
    if refusal is not None or game.round is None:
        return refusal
    if not _of(game.round, command):
        return refuse("no_such_bet", "R13", seat=command.seat, kind=command.kind)
    return None


def take_back(round_: Round, command: TakeBack) -> tuple[f.AnyGameFact, ...]:
    """The bet comes back, and with a main bet the Pair bet that needs it (R14)."""
    lines = tuple(taken_back_line(bet) for bet in _of(round_, command))
    return (f.BetsReturned(round_.number, lines),)


def _of(round_: Round, command: TakeBack) -> tuple[Bet, ...]:
    kinds = ("main", "pair") if command.kind == "main" else (command.kind,)
    bets = tuple(
        bet
        for bet in at_risk(round_)
        if (bet.seat, bet.player) == (command.seat, command.player) and bet.kind in kinds
    )
    return bets if any(bet.kind == command.kind for bet in bets) else ()


def _returned(round_: Round, bets: tuple[Bet, ...]) -> tuple[f.AnyGameFact, ...]:
    if not bets:
        return ()
    return (f.BetsReturned(round_.number, tuple(returned_line(bet) for bet in bets)),)
