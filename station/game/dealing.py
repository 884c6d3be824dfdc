"""Where the next card goes, or why none may come. The only source of the dealing order."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.hands import BLACKJACK, dealer_stands, total, value
from station.game.rules import TableRules
from station.game.state import Box, Phase, Round, Slot, phase, turn

Purpose = Literal["first", "second", "upcard", "hit", "draw"]


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


def next_expected(round_: Round | None, rules: TableRules) -> Expected:
    """Who is owed the next card (R15-R19, R24, R27)."""
    if round_ is None:
        return Nobody("no_round")
    match phase(round_):
        case Phase.BETTING:
            return Nobody("betting_open", "R15")
        case Phase.DEALING:
            return _initial(round_)
        case Phase.PLAYERS:
            return _to_players(round_)
        case Phase.DEALER:
            return _to_dealer(round_, rules)
        case Phase.RESULT:
            return Nobody("round_settled", "R24")
        case Phase.VOID:
            return Nobody("round_void", "R60")
        case Phase.CLEARED:
            return Nobody("no_round")


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
    slot = turn(round_)
    if slot is None:
        raise AssertionError("no hand is open")
    for box in round_.boxes:
        for number, hand in enumerate(box.hands, start=1):
            if hand.owed:
                return Owed(Slot(box.seat, number), "hit")
    return Nobody("decision_open", "R20", slot.seat)


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
    return not _still_decides(round_)


def _still_decides(round_: Round) -> bool:
    """Under `until_decided`: whether some bet still depends on the dealer's next card (A17)."""
    live = [hand for box in round_.boxes for hand in box.hands if not hand.bust]
    if any(not hand.blackjack for hand in live):
        return True
    # Only Blackjacks wait: they need to know whether the dealer's two cards are one as well.
    return bool(live) and len(round_.dealer) == 1 and value(round_.dealer[0]) in (1, 10)


def autoplay(box: Box, hand: int, rules: TableRules) -> Literal["hit", "stand"]:
    """What the station does for an absent player (R21, R22, R56, A12).

    The ace counts 11 where that does not bust, so a hand of 11 or less is always hard.
    """
    points = total(box.hands[hand - 1].cards).points
    limit = 11 if rules.autoplay_hits_eleven else 10
    if points > BLACKJACK:
        raise AssertionError("a bust hand asks nothing")
    return "hit" if points <= limit else "stand"
