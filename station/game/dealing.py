"""Where the next card goes, or why none may come. The only source of the dealing order."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.game import Game
from station.game.hands import BLACKJACK, dealer_stands, total, value
from station.game.rules import TableRules
from station.game.state import BURN, Box, Phase, Round, Slot, at_risk, phase, turn

Purpose = Literal["first", "second", "upcard", "split", "hit", "double", "draw", "burn"]


class Owed(Struct, frozen=True):
    """A card is owed to `slot`; `purpose` says what for."""

    slot: Slot
    purpose: Purpose


class Nobody(Struct, frozen=True):
    """No card may come: why, by code and rule."""

    code: str
    rule: str = ""
    seat: int = 0


Expected = Owed | Nobody


def next_expected(game: Game, rules: TableRules) -> Expected:
    """Who is owed the next card (R15-R19, R24, R27, R30, R35, R37)."""
    round_ = game.round
    if round_ is None:
        return _between(game, rules, Nobody("no_round"))
    match phase(round_):
        case Phase.BETTING:
            return Nobody("betting_open", "R15")
        case Phase.DEALING:
            return _initial(round_)
        case Phase.INSURANCE:
            return Nobody("insurance_window", "R39")
        case Phase.PLAYERS:
            return _to_players(round_)
        case Phase.FOLLOW:
            return _following(round_)
        case Phase.DEALER:
            return _to_dealer(round_, rules)
        case Phase.RESULT:
            return Nobody("round_settled", "R24")
        case Phase.VOID:
            return _between(game, rules, Nobody("round_void", "R60"))
        case Phase.CLEARED:
            return _between(game, rules, Nobody("no_round"))


def burn_due(game: Game, rules: TableRules) -> int:
    """How many cards the shoe in play owes to the burn (A21); none once it is to be changed."""
    shoe = game.shoe
    return max(0, rules.burn - shoe.burned) if shoe.state == "in_play" and not shoe.cut else 0


def _between(game: Game, rules: TableRules, nobody: Nobody) -> Expected:
    """Between rounds: the burn of a new shoe, or nobody."""
    return Owed(Slot(BURN), "burn") if burn_due(game, rules) else nobody


def _initial(round_: Round) -> Expected:
    """First cards clockwise, the dealer's own last; then second cards (R15-R18)."""
    for box in round_.boxes:
        if not box.hands[0].cards:
            return Owed(Slot(box.seat, 1), "first")
    if not round_.dealer:
        return Owed(Slot(), "upcard")
    for box in round_.boxes:
        if len(box.hands[0].cards) < 2:
            return Owed(Slot(box.seat, 1), "second")
    raise AssertionError("the initial deal is complete")


def _to_players(round_: Round) -> Expected:
    """The hand in turn: second cards of a split first, both at once (R35, A11)."""
    slot = turn(round_)
    if slot is None:
        raise AssertionError("no hand is open")
    box = next(box for box in round_.boxes if box.seat == slot.seat)
    for number, hand in enumerate(box.hands, start=1):
        if len(hand.cards) == 1:
            return Owed(Slot(box.seat, number), "split")
    hand = box.hands[slot.hand - 1]
    if hand.owed:
        return Owed(slot, "double" if hand.doubled else "hit")
    return Nobody("decision_open", "R20", slot.seat)


def _following(round_: Round) -> Nobody:
    """No card of the doubled or second hand before the window has closed (A15)."""
    window = round_.window
    if window is None:
        raise AssertionError("no window is open")
    return Nobody("follow_window", "R52" if window.kind == "split" else "R54", window.seat)


def _to_dealer(round_: Round, rules: TableRules) -> Expected:
    if dealer_done(round_, rules):
        return Nobody("dealer_stands", "R24")
    return Owed(Slot(), "draw")


def dealer_done(round_: Round, rules: TableRules) -> bool:
    """Whether the dealer's hand is complete (R24, A16, A17)."""
    if len(round_.dealer) >= 2 and dealer_stands(round_.dealer):
        return True
    if rules.dealer_draw == "always":
        return False
    return not _still_decides(round_, rules)


def _still_decides(round_: Round, rules: TableRules) -> bool:
    """Under `until_decided`: whether some bet still depends on the dealer's next card (A17)."""
    hands = [hand for box in round_.boxes for hand in box.hands]
    live = [hand for hand in hands if not hand.bust and not hand.surrendered]
    if any(not hand.blackjack for hand in live):
        return True
    # What is left waits for one thing: whether the dealer's two cards are a Blackjack.
    if len(round_.dealer) != 1 or value(round_.dealer[0]) not in (1, 10):
        return False
    if live or any(bet.kind == "insurance" for bet in round_.bets):
        return True
    return rules.dealer_blackjack_takes == "original" and any(
        bet.doubled or bet.hand == 2 for bet in at_risk(round_)
    )


def autoplay(box: Box, hand: int, rules: TableRules) -> Literal["hit", "stand"]:
    """What the station does for an absent player (R21, R22, R56, A12).

    The ace counts 11 where that does not bust, so a hand of 11 or less is always hard.
    """
    points = total(box.hands[hand - 1].cards).points
    limit = 11 if rules.autoplay_hits_eleven else 10
    if points > BLACKJACK:
        raise AssertionError("a bust hand asks nothing")
    return "hit" if points <= limit else "stand"
