"""What the game is at one moment. All frozen: a change is a new value."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import Struct

from station.game.cards import Card, Rank
from station.game.hands import BLACKJACK, is_blackjack, is_bust, total

DEALER = 0
BURN = -1

BetKind = Literal["main", "pair", "insurance", "behind", "behind_pair"]
Result = Literal[
    "blackjack_win",
    "win",
    "push",
    "lose",
    "bust",
    "surrender",
    "returned",
    "taken_back",
    "void",
]
Action = Literal["hit", "stand", "double", "split", "surrender"]
WindowKind = Literal["insurance", "split", "double"]


class Slot(Struct, frozen=True):
    """A place a card can go to: a seat's hand, the dealer (`seat` 0), or the burn (`seat` -1)."""

    seat: int = DEALER
    hand: int = 0

    @property
    def is_dealer(self) -> bool:
        return self.seat == DEALER


class Phase(StrEnum):
    """Where a round stands; computed by `phase`, never stored."""

    BETTING = "betting"
    DEALING = "dealing"
    INSURANCE = "insurance"
    PLAYERS = "players"
    FOLLOW = "follow"
    DEALER = "dealer"
    RESULT = "result"
    CLEARED = "cleared"
    VOID = "void"


class Hand(Struct, frozen=True):
    """A player's hand. `owed`: a card was asked for and has not come yet.

    `doubled`: its stake was doubled for one more card (R30). `split`: it came of a split (R35).
    """

    cards: tuple[Card, ...] = ()
    stood: bool = False
    owed: bool = False
    doubled: bool = False
    split: bool = False
    surrendered: bool = False

    @property
    def bust(self) -> bool:
        return is_bust(self.cards)

    @property
    def blackjack(self) -> bool:
        """R6; never after a split (R38, A14)."""
        return not self.split and is_blackjack(self.cards)

    @property
    def complete(self) -> bool:
        """No card may go to it any more, and nothing is asked (R23, R28, R30, R32, R37, A18)."""
        if self.stood or self.surrendered or (self.doubled and not self.owed):
            return True
        if self.split and len(self.cards) == 2 and self.cards[0].rank is Rank.ACE:
            return True
        return total(self.cards).points >= BLACKJACK


class Box(Struct, frozen=True):
    """A seat that plays in this round.

    `asked` and `acted` tell whether a decision was due and whether the player made one (A33).
    """

    seat: int
    player: str
    hands: tuple[Hand, ...] = (Hand(),)
    asked: bool = False
    acted: bool = False

    @property
    def first_two(self) -> tuple[Card, ...]:
        """The first two cards dealt to the seat, also after a split (R42)."""
        if len(self.hands) == 2:
            return tuple(hand.cards[0] for hand in self.hands)
        return self.hands[0].cards[:2]


class Bet(Struct, frozen=True):
    """A confirmed stake in minor units. `bet` is its number within the round.

    `hand` is the hand it stands on; 0 for a Pair bet and insurance, which stand on the seat.
    """

    bet: int
    kind: BetKind
    player: str
    seat: int
    hand: int
    amount: int
    doubled: bool = False

    @property
    def stake(self) -> int:
        """All that is at risk in it (R29)."""
        return self.amount * 2 if self.doubled else self.amount


class Line(Struct, frozen=True):
    """What one bet returns, stake included, in minor units, and the rule that says so."""

    bet: int
    kind: BetKind
    player: str
    seat: int
    hand: int
    stake: int
    result: Result
    returned: int
    rule: str


class Asked(Struct, frozen=True):
    """A decision that is owed."""

    decision: int
    seat: int
    hand: int
    legal: tuple[Action, ...]


class Window(Struct, frozen=True):
    """An open question to several players, during which no card moves (A7, A15).

    `insurance` is asked of all seats; `split` and `double` ask the players behind `seat` whether
    they follow to `hand`. `asked` are the players in the order of their bets, `answers` what has
    been said so far; silence declines (R53).
    """

    window: int
    kind: WindowKind
    seat: int
    hand: int
    asked: tuple[str, ...]
    answers: tuple[tuple[str, bool], ...] = ()

    def has_answered(self, player: str) -> bool:
        return any(name == player for name, _ in self.answers)


class Fresh(Struct, frozen=True):
    """The last card that was dealt, while nothing has been decided since: where it lies, and its
    place in the order of the shoe.
    """

    slot: Slot
    order: int


class Round(Struct, frozen=True):
    """One round from the opening of betting to CLEARED. `fresh`: the last card dealt, as long as it
    can be corrected.
    """

    number: int
    shoe: str
    fingerprint: str
    bets: tuple[Bet, ...] = ()
    closed: bool = False
    boxes: tuple[Box, ...] = ()
    dealer: tuple[Card, ...] = ()
    asked: Asked | None = None
    decisions: int = 0
    window: Window | None = None
    windows: int = 0
    insurance_over: bool = False
    lines: tuple[Line, ...] = ()
    ended: Literal["", "settled", "cleared", "void"] = ""
    why_void: str = ""
    fresh: Fresh | None = None

    @property
    def cards_out(self) -> bool:
        """Whether a card has been dealt in this round."""
        return bool(self.dealer) or any(hand.cards for box in self.boxes for hand in box.hands)


class Seat(Struct, frozen=True):
    """Who sits where, also between rounds.

    `since`: the first round that is wholly his (A33). `absent`: the station plays for him (A13).
    """

    seat: int
    player: str
    since: int = 0
    absent: bool = False


def initial_deal_done(round_: Round) -> bool:
    """Two cards to each box and one to the dealer (R15-R18)."""
    return bool(round_.dealer) and all(
        len(box.hands) == 2 or len(box.hands[0].cards) >= 2 for box in round_.boxes
    )


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
    if round_.window is not None:
        return Phase.INSURANCE if round_.window.kind == "insurance" else Phase.FOLLOW
    if not initial_deal_done(round_):
        return Phase.DEALING
    if not round_.insurance_over and round_.dealer[0].rank is Rank.ACE:
        return Phase.INSURANCE
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


def hand_at(round_: Round, slot: Slot) -> Hand:
    """The hand of a seat's slot; KeyError when that seat does not play."""
    for box in round_.boxes:
        if box.seat == slot.seat:
            return box.hands[slot.hand - 1]
    raise KeyError(slot)


def at_risk(round_: Round) -> tuple[Bet, ...]:
    """The bets that have not been paid, lost or returned yet, in the order they were placed.

    A bet with a line is done with: this is what makes paying twice impossible.
    """
    if not round_.lines:
        return round_.bets
    done = {line.bet for line in round_.lines}
    return tuple(bet for bet in round_.bets if bet.bet not in done)


def main_bet(round_: Round, seat: int, hand: int = 1) -> Bet | None:
    """The seat's own bet on that hand, or None. Of one taken back and put down again, the last."""
    for bet in reversed(round_.bets):
        if bet.kind == "main" and bet.seat == seat and bet.hand == hand:
            return None if taken_back(round_, bet) else bet
    return None


def taken_back(round_: Round, bet: Bet) -> bool:
    """Whether that bet was put down by mistake and is no more."""
    return any(line.bet == bet.bet and line.result == "taken_back" for line in round_.lines)
