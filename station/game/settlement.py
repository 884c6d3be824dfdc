"""What each bet returns, and why (R7-R10, A3, A31). Money in minor units, stake included."""

from __future__ import annotations

from station.game.cards import Card
from station.game.hands import is_blackjack, is_bust, total
from station.game.state import Bet, Hand, Line, Round, box_at


def settle(round_: Round) -> tuple[Line, ...]:
    """One line a bet of the finished round, in the order the bets were placed."""
    return tuple(_line(round_, bet) for bet in round_.bets)


def void_lines(round_: Round, rule: str) -> tuple[Line, ...]:
    """Every stake back, once (R58, R60)."""
    return tuple(_entry(bet, "void", bet.amount, rule) for bet in round_.bets)


def _line(round_: Round, bet: Bet) -> Line:
    box = box_at(round_, bet.seat)
    if box is None:
        raise AssertionError(f"bet {bet.bet} stands on seat {bet.seat}, which does not play")
    return _main(bet, box.hands[0], round_.dealer)


def _main(bet: Bet, hand: Hand, dealer: tuple[Card, ...]) -> Line:
    if hand.bust:
        return _entry(bet, "bust", 0, "R23")
    dealer_blackjack = is_blackjack(dealer)
    if hand.blackjack:
        if dealer_blackjack:
            return _entry(bet, "push", bet.amount, "R10")
        return _entry(bet, "blackjack_win", bet.amount + bet.amount * 3 // 2, "R7")
    if dealer_blackjack:
        return _entry(bet, "lose", 0, "R6")
    mine, theirs = total(hand.cards).points, total(dealer).points
    if is_bust(dealer) or mine > theirs:
        return _entry(bet, "win", bet.amount * 2, "R8")
    if mine == theirs:
        return _entry(bet, "push", bet.amount, "R10")
    return _entry(bet, "lose", 0, "R8")


def _entry(bet: Bet, result: str, returned: int, rule: str) -> Line:
    return Line(
        bet=bet.bet,
        kind=bet.kind,
        player=bet.player,
        seat=bet.seat,
        hand=1,
        stake=bet.amount,
        result=result,  # type: ignore[arg-type]
        returned=returned,
        rule=rule,
    )
