"""What each bet returns, and why (R7-R10, R32, R40-R51). Money in minor units, stake included."""

from __future__ import annotations

from station.game.cards import Card
from station.game.hands import is_blackjack, is_bust, same_rank, total
from station.game.rules import TableRules
from station.game.state import Bet, Box, Hand, Line, Result, Round, at_risk, box_at

PAIR_PAYS = 11
INSURANCE_PAYS = 2


def settle(round_: Round, rules: TableRules) -> tuple[Line, ...]:
    """One line a bet of the finished round, in the order the bets were placed."""
    return tuple(_line(round_, bet, rules) for bet in at_risk(round_))


def void_lines(round_: Round, rule: str) -> tuple[Line, ...]:
    """Every stake back, once (R58, R60)."""
    return tuple(_entry(bet, "void", bet.stake, rule) for bet in at_risk(round_))


def returned_line(bet: Bet) -> Line:
    """A bet behind a seat nobody plays comes back (R48, A34)."""
    return _entry(bet, "returned", bet.stake, "R48")


def taken_back_line(bet: Bet) -> Line:
    """A bet put down by mistake comes back while betting is open."""
    return _entry(bet, "taken_back", bet.stake, "R13")


def _line(round_: Round, bet: Bet, rules: TableRules) -> Line:
    box = box_at(round_, bet.seat)
    if box is None:
        raise AssertionError(f"bet {bet.bet} stands on seat {bet.seat}, which does not play")
    match bet.kind:
        case "pair" | "behind_pair":
            return _pair(bet, box)
        case "insurance":
            return _insurance(bet, round_.dealer)
        case _:
            return _on_hand(bet, box.hands[bet.hand - 1], round_.dealer, rules)


def _pair(bet: Bet, box: Box) -> Line:
    """Decided by the first two cards alone, whatever becomes of the hand (R42, R47, A30)."""
    if same_rank(*box.first_two):
        return _entry(bet, "win", bet.stake * (1 + PAIR_PAYS), "R47")
    return _entry(bet, "lose", 0, "R42")


def _insurance(bet: Bet, dealer: tuple[Card, ...]) -> Line:
    """Against a dealer's Blackjack, whatever becomes of the hand (R40, R46)."""
    if is_blackjack(dealer):
        return _entry(bet, "win", bet.stake * (1 + INSURANCE_PAYS), "R46")
    return _entry(bet, "lose", 0, "R40")


def _on_hand(bet: Bet, hand: Hand, dealer: tuple[Card, ...], rules: TableRules) -> Line:
    """A main bet, or a bet behind, which depends wholly on the seated hand (R41, R50, A28)."""
    if hand.surrendered:
        return _entry(bet, "surrender", bet.stake // 2, "R32")
    dealer_blackjack = is_blackjack(dealer)
    if dealer_blackjack and rules.dealer_blackjack_takes == "original":
        extra = bet.stake if bet.hand == 2 else bet.stake - bet.amount
        if extra == bet.stake:
            return _entry(bet, "push", bet.stake, "A22")
        if extra:
            return _entry(bet, "bust" if hand.bust else "lose", extra, "A22")
    if hand.bust:
        return _entry(bet, "bust", 0, "R23")
    if hand.blackjack:
        if dealer_blackjack:
            return _entry(bet, "push", bet.stake, "R10")
        won = bet.stake + bet.stake * 3 // 2
        return _entry(bet, "blackjack_win", won, "R50" if bet.kind == "behind" else "R44")
    if dealer_blackjack:
        return _entry(bet, "lose", 0, "R6")
    mine, theirs = total(hand.cards).points, total(dealer).points
    if is_bust(dealer) or mine > theirs:
        return _entry(bet, "win", bet.stake * 2, "R50" if bet.kind == "behind" else "R45")
    if mine == theirs:
        return _entry(bet, "push", bet.stake, "R10")
    return _entry(bet, "lose", 0, "R8")


def _entry(bet: Bet, result: Result, returned: int, rule: str) -> Line:
    return Line(
        bet.bet, bet.kind, bet.player, bet.seat, bet.hand, bet.stake, result, returned, rule
    )
