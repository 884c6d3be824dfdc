"""What the game is at one moment. All frozen: a change is a new value."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import Struct

from station.game.cards import Card
from station.game.hands import BLACKJACK, is_blackjack, is_bust, total

DEALER = 0


class Slot(Struct, frozen=True):
    """A place a card can go to: a seat's hand, or the dealer (`seat` 0, `hand` 0)."""

    seat: int = DEALER
    hand: int = 0

    @property
    def is_dealer(self) -> bool:
        return self.seat == DEALER


class Phase(StrEnum):
    """Where a round stands; computed by `phase`, never stored."""

    BETTING = "betting"
    DEALING = "dealing"
    PLAYERS = "players"
    DEALER = "dealer"
    RESULT = "result"
    CLEARED = "cleared"
    VOID = "void"


class Hand(Struct, frozen=True):
    """A player's hand. `owed`: a card was asked for and has not come yet."""

    cards: tuple[Card, ...] = ()
    stood: bool = False
    owed: bool = False

    @property
    def bust(self) -> bool:
        return is_bust(self.cards)

    @property
    def blackjack(self) -> bool:
        return is_blackjack(self.cards)

    @property
    def complete(self) -> bool:
        """No card may go to it any more: stood, bust, or 21 (R23, R28, A18)."""
        return self.stood or total(self.cards).points >= BLACKJACK


class Box(Struct, frozen=True):
    """A seat that plays in this round. `absent`: the station plays for it (A13).

    `asked` and `acted` tell whether the player was offered a decision and made one (A33).
    """

    seat: int
    player: str
    hands: tuple[Hand, ...] = (Hand(),)
    absent: bool = False
    asked: bool = False
    acted: bool = False


class Bet(Struct, frozen=True):
    """A confirmed stake in minor units. `bet` is its number within the round."""

    bet: int
    kind: Literal["main"]
    player: str
    seat: int
    amount: int


class Line(Struct, frozen=True):
    """What one bet returns, stake included, in minor units, and the rule that says so."""

    bet: int
    kind: str
    player: str
    seat: int
    hand: int
    stake: int
    result: Literal["blackjack_win", "win", "push", "lose", "bust", "void"]
    returned: int
    rule: str


class Asked(Struct, frozen=True):
    """A decision that is owed."""

    decision: int
    seat: int
    hand: int
    legal: tuple[str, ...]


class Round(Struct, frozen=True):
    """One round from the opening of betting to CLEARED."""

    number: int
    shoe: str
    fingerprint: str
    bets: tuple[Bet, ...] = ()
    closed: bool = False
    boxes: tuple[Box, ...] = ()
    dealer: tuple[Card, ...] = ()
    asked: Asked | None = None
    decisions: int = 0
    lines: tuple[Line, ...] = ()
    ended: Literal["", "settled", "cleared", "void"] = ""
    why_void: str = ""

    @property
    def cards_out(self) -> bool:
        """Whether a card has been dealt in this round."""
        return bool(self.dealer) or any(hand.cards for box in self.boxes for hand in box.hands)


class Seat(Struct, frozen=True):
    """Who sits where, also between rounds."""

    seat: int
    player: str


def initial_deal_done(round_: Round) -> bool:
    """Two cards to each box and one to the dealer (R15-R18)."""
    return bool(round_.dealer) and all(len(box.hands[0].cards) >= 2 for box in round_.boxes)


def turn(round_: Round) -> Slot | None:
    """The hand whose turn it is: first hand in seat order that is not complete (A6)."""
    for box in round_.boxes:
        for number, hand in enumerate(box.hands, start=1):
            if not hand.complete:
                return Slot(box.seat, number)
    return None


def phase(round_: Round) -> Phase:
    """Where the round stands, from its cards alone."""
    if round_.ended == "void":
        return Phase.VOID
    if round_.ended == "cleared":
        return Phase.CLEARED
    if round_.ended == "settled":
        return Phase.RESULT
    if not round_.closed:
        return Phase.BETTING
    if not initial_deal_done(round_):
        return Phase.DEALING
    if turn(round_) is not None:
        return Phase.PLAYERS
    return Phase.DEALER


def is_open(round_: Round | None) -> bool:
    """Whether stakes are at risk: between opening and settlement or void."""
    return round_ is not None and round_.ended == ""


def box_at(round_: Round, seat: int) -> Box | None:
    """The playing box of a seat, or None."""
    for box in round_.boxes:
        if box.seat == seat:
            return box
    return None
