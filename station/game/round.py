"""The round: what may be commanded, what it brings, and what follows by itself.

Commands are imperative and may be refused; `advance` is what the rules make happen by themselves.
"""

from __future__ import annotations

from typing import assert_never

from station.game import bets, decisions
from station.game import commands as c
from station.game import facts as f
from station.game.dealing import Owed, burn_due, dealer_done, next_expected
from station.game.game import Game
from station.game.refusal import Refusal, refuse
from station.game.rules import TableRules, fingerprint
from station.game.settlement import settle
from station.game.shoe import Gone
from station.game.state import Phase, Round, box_at, is_open, phase


def why_not(game: Game, rules: TableRules, command: c.AnyGameCommand) -> Refusal | None:
    """Why the command is refused now, or None. Holds and rights are the table's."""
    match command:
        case c.OpenRound():
            return _why_not_open(game, rules, command)
        case c.TakeSeat():
            return bets.why_not_seat(game, rules, command)
        case c.LeaveSeat():
            return bets.why_not_leave(game, command)
        case c.PlayerLost() | c.PlayerBack():
            return _why_not_presence(game, command)
        case c.PlaceBet():
            return bets.why_not_bet(game, rules, command)
        case c.TakeBack():
            return bets.why_not_take_back(game, command)
        case c.CloseBetting():
            return bets.why_not_betting(game, command.round)
        case c.Decide():
            return decisions.why_not_decide(game, rules, command)
        case c.Insure() | c.Follow():
            return decisions.why_not_answer(game, command)
        case c.Cleared():
            return _why_not_cleared(game, command)
        case _ as never:
            assert_never(never)


def decide(game: Game, rules: TableRules, command: c.AnyGameCommand) -> tuple[f.AnyGameFact, ...]:
    """The facts of a command that `why_not` did not refuse."""
    match command:
        case c.OpenRound():
            return (f.RoundOpened(game.rounds + 1, game.shoe.id, fingerprint(rules)),)
        case c.TakeSeat():
            return (f.SeatTaken(command.seat, command.player),)
        case c.LeaveSeat():
            return bets.leave(game, command)
        case c.PlayerLost():
            return (f.PlayerAbsent(command.seat, command.player, "lost"),)
        case c.PlayerBack():
            return (f.PlayerReturned(command.seat, command.player),)
        case c.PlaceBet():
            return bets.place(game, command)
        case c.TakeBack():
            return bets.take_back(_current(game), command)
        case c.CloseBetting():
            return bets.close(_current(game), "host")
        case c.Decide():
            return decisions.decide(_current(game), command)
        case c.Insure() | c.Follow():
            return decisions.answer(game, _current(game), command)
        case c.Cleared():
            return (f.RoundCleared(command.round),)
        case _ as never:
            assert_never(never)


def advance(game: Game, rules: TableRules) -> f.AnyGameFact | None:
    """The fact that follows by itself from where the game stands, or None. Ask until None."""
    round_ = game.round
    if round_ is None or not round_.closed:
        return None
    if not is_open(round_):
        # The round is over and nobody was owed it any more.
        unused = game.kept[0] if game.kept else None
        return f.CardBurned(unused, round_.number, f.STATION) if unused else None
    if not round_.boxes:
        return f.RoundEmpty(round_.number)
    follows = _follows(game, round_, rules)
    return follows or _deal_kept(game, round_, rules)


def _follows(game: Game, round_: Round, rules: TableRules) -> f.AnyGameFact | None:
    window = round_.window
    if window is not None:
        if not decisions.all_answered(window):
            return None
        return f.WindowClosed(round_.number, window.window, "answered")
    match phase(round_):
        case Phase.INSURANCE:
            return decisions.offer_insurance(round_)
        case Phase.PLAYERS:
            return decisions.ask(game, round_, rules)
        case Phase.DEALER if dealer_done(round_, rules):
            return f.RoundSettled(round_.number, round_.dealer, settle(round_, rules))
        case _:
            return None


def _deal_kept(game: Game, round_: Round, rules: TableRules) -> f.CardDealt | None:
    """An exposed card that a supervisor ruled to be used goes to the next slot owed one."""
    if not game.kept:
        return None
    answer = next_expected(game, rules)
    if not isinstance(answer, Owed):
        return None
    card = game.kept[0]
    gone: Gone = next(gone for gone in reversed(game.shoe.gone) if gone.card == card)
    return f.CardDealt(round_.number, card, answer.slot, gone.order)


def inactive(game: Game) -> tuple[f.SeatLeft, ...]:
    """The seats that are vacated at the end of the round (R25, A33)."""
    round_ = _current(game)
    gone = []
    for seat in game.seats:
        box = box_at(round_, seat.seat)
        if box is None or box.player != seat.player:
            idle = seat.since <= round_.number
        else:
            idle = box.asked and not box.acted
        if idle:
            gone.append(f.SeatLeft(seat.seat, seat.player, "inactive"))
    return tuple(gone)


def _current(game: Game) -> Round:
    if game.round is None:
        raise ValueError("no round was opened")
    return game.round


def _why_not_open(game: Game, rules: TableRules, command: c.OpenRound) -> Refusal | None:
    if game.round is not None and game.round.ended in ("", "settled"):
        return refuse("round_running", "R12", round=game.round.number)
    shoe = why_not_shoe(game, rules)
    if shoe is not None and shoe.code != "burn_due":
        return shoe
    if command.rules != fingerprint(rules):
        return refuse(
            "other_rules", "R59", host=command.rules[:8] or "-", table=fingerprint(rules)[:8]
        )
    return shoe


def why_not_shoe(game: Game, rules: TableRules) -> Refusal | None:
    """Why no round opens from this shoe, or None (R60, A21)."""
    if game.shoe.state != "in_play":
        return refuse("shoe_not_in_play", "R60", state=game.shoe.state)
    if game.shoe.cut:
        return refuse("shoe_change_due", "A21", shoe=game.shoe.id)
    left = burn_due(game, rules)
    return refuse("burn_due", "A21", left=left) if left else None


def _why_not_presence(game: Game, command: c.PlayerLost | c.PlayerBack) -> Refusal | None:
    seat = game.seat_at(command.seat)
    if seat is None or seat.player != command.player:
        return refuse("not_seated", "R55", seat=command.seat, player=command.player)
    if isinstance(command, c.PlayerLost) and seat.absent:
        return refuse("absent_already", "R55", seat=command.seat, player=command.player)
    if isinstance(command, c.PlayerBack) and not seat.absent:
        return refuse("present_already", "A13", seat=command.seat, player=command.player)
    return None


def _why_not_cleared(game: Game, command: c.Cleared) -> Refusal | None:
    round_ = game.round
    if round_ is None or round_.number != command.round:
        return refuse("stale_round", "", round=command.round, now=round_.number if round_ else 0)
    if round_.ended == "void":
        return refuse("round_void_already", "R60", round=command.round)
    if phase(round_) is not Phase.RESULT:
        return refuse("not_settled", "R24", round=command.round)
    return None
