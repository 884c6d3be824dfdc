"""The game as one would keep it on paper, from the rules alone: faces, lists and plain sums.

It shares nothing with the product. A card is its two-character face, a place is `(seat, hand)`,
`DEALER` or `BURN`. What may be done is asked with `may_…`; what is done is written down without
asking again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

Place = tuple[int, int]
DEALER: Place = (0, 0)
BURN: Place = (-1, 0)
TENS = "TJQK"


def pips(face: str) -> int:
    """The ace as 1 (R3-R5)."""
    return 1 if face[0] == "A" else 10 if face[0] in TENS else int(face[0])


def worth(faces: list[str]) -> int:
    """Every ace as 11, then as many as needed back to 1 (R5)."""
    points = sum(11 if face[0] == "A" else pips(face) for face in faces)
    aces = sum(face[0] == "A" for face in faces)
    while points > 21 and aces:
        points, aces = points - 10, aces - 1
    return points


def natural(faces: list[str]) -> bool:
    """R6."""
    return len(faces) == 2 and worth(faces) == 21


@cache
def endings(hard: int, ace: bool, cards: int) -> frozenset[tuple[int, bool]]:
    """Every total the dealer's hand can end at, and whether as a Blackjack (R24, A16).

    `hard` counts aces as 1.
    """
    points = hard + 10 if ace and hard <= 11 else hard
    if cards >= 2 and points >= 17:
        return frozenset({(min(points, 22), cards == 2 and points == 21)})
    return frozenset().union(
        *(endings(hard + rank, ace or rank == 1, cards + 1) for rank in range(1, 11))
    )


@dataclass
class Stake:
    """Money on the felt. `extra` is what a double added; `back` what came back, when it has."""

    kind: str
    player: str
    seat: int
    hand: int
    amount: int
    extra: int = 0
    back: int | None = None

    @property
    def all(self) -> int:
        return self.amount + self.extra


@dataclass
class PaperHand:
    cards: list[str] = field(default_factory=list)
    split: bool = False
    stood: bool = False
    doubled: bool = False
    surrendered: bool = False
    waits: bool = False

    @property
    def over(self) -> bool:
        if self.waits:
            return False
        one_each = self.split and len(self.cards) == 2 and self.cards[0][0] == "A"  # R37
        return self.stood or self.surrendered or self.doubled or one_each or worth(self.cards) >= 21


@dataclass
class Question:
    """A window: who was asked, and who has said what (A7)."""

    kind: str
    seat: int
    hand: int
    asked: list[str]
    said: dict[str, bool] = field(default_factory=dict)


@dataclass
class House:
    """The settings that change the course of a round."""

    double_after_split: bool = True
    until_decided: bool = False
    original: bool = False
    hits_eleven: bool = True


class PaperRound:
    """One round. `state`: betting, playing, settled, cleared or void."""

    def __init__(self, number: int, house: House) -> None:
        self.number = number
        self.house = house
        self.state = "betting"
        self.stakes: list[Stake] = []
        self.hands: dict[int, list[PaperHand]] = {}
        self.names: dict[int, str] = {}
        self.dealer: list[str] = []
        self.window: Question | None = None
        self.insured = False
        self.turn_of: Place | None = None
        self.asked: set[int] = set()
        self.acted: set[int] = set()

    @property
    def open(self) -> bool:
        return self.state in ("betting", "playing")

    @property
    def cards_out(self) -> bool:
        return self.open and bool(self.dealer or any(h.cards for h in self.all_hands()))

    def all_hands(self) -> list[PaperHand]:
        return [hand for seat in sorted(self.hands) for hand in self.hands[seat]]

    def live(self) -> list[Stake]:
        return [stake for stake in self.stakes if stake.back is None]

    def main(self, seat: int, hand: int = 1) -> Stake | None:
        return next(
            (s for s in self.live() if (s.kind, s.seat, s.hand) == ("main", seat, hand)), None
        )

    # --- betting ----------------------------------------------------------------------------

    def close(self) -> None:
        """A5: seats with a main bet play. A34: bets behind the others come back."""
        self.state = "playing"
        for stake in self.live():
            if stake.kind == "main":
                self.hands[stake.seat] = [PaperHand()]
                self.names[stake.seat] = stake.player
        for stake in self.live():
            if stake.seat not in self.hands:
                stake.back = stake.all
        if not self.hands:
            self.state = "cleared"

    # --- where the next card goes -----------------------------------------------------------

    def next(self) -> Place | None:
        """R15-R18, R24, R30, R35: the next card's place, or None."""
        if self.state != "playing" or self.window is not None:
            return None
        first = self._first_deal()
        if first is not None:
            return first
        if self.insurance_due():
            return None
        for seat in sorted(self.hands):
            hands = self.hands[seat]
            for number, hand in enumerate(hands, start=1):
                if len(hand.cards) == 1:  # A11: both, before anything is decided.
                    return (seat, number)
            for number, hand in enumerate(hands, start=1):
                if not hand.over:
                    return (seat, number) if hand.waits else None
        return None if self.dealer_is_done() else DEALER

    def _first_deal(self) -> Place | None:
        seats = sorted(self.hands)
        for seat in seats:
            if not self.hands[seat][0].cards:
                return (seat, 1)
        if not self.dealer:
            return DEALER
        for seat in seats:
            if len(self.hands[seat]) == 1 and len(self.hands[seat][0].cards) == 1:
                return (seat, 1)
        return None

    def insurance_due(self) -> bool:
        return not self.insured and self.dealer[0][0] == "A"

    def dealer_is_done(self) -> bool:
        """R24, and of A17 what it means: no bet's return hangs on the cards still to come."""
        if len(self.dealer) >= 2 and worth(self.dealer) >= 17:
            return True
        if not self.house.until_decided:
            return False
        hard = sum(pips(face) for face in self.dealer)
        ends = endings(hard, any(face[0] == "A" for face in self.dealer), len(self.dealer))
        return all(len({self.returns(s, *end) for end in ends}) == 1 for s in self.live())

    def card(self, place: Place, face: str) -> None:
        if place == DEALER:
            self.dealer.append(face)
            return
        hand = self.hands[place[0]][place[1] - 1]
        hand.cards.append(face)
        hand.waits = False

    # --- decisions --------------------------------------------------------------------------

    def turn(self) -> Place | None:
        """A6: whose decision it is, when no card and no answer is waited for."""
        if self.state != "playing" or self.window is not None or self.next() is not None:
            return None
        if self._first_deal() is not None or self.insurance_due():
            return None
        for seat in sorted(self.hands):
            for number, hand in enumerate(self.hands[seat], start=1):
                if not hand.over:
                    return (seat, number)
        return None

    def legal(self, place: Place) -> set[str]:
        """R20, R26-R37, A8-A10."""
        hands = self.hands[place[0]]
        hand = hands[place[1] - 1]
        may = {"hit", "stand"}
        if len(hand.cards) != 2:
            return may
        if not hand.split or self.house.double_after_split:
            may.add("double")
        if len(hands) == 1 and pips(hand.cards[0]) == pips(hand.cards[1]):
            may.add("split")
        if len(hands) == 1 and pips(self.dealer[0]) not in (1, 10):
            may.add("surrender")
        return may

    def act(self, place: Place, action: str) -> None:
        seat, number = place
        hand = self.hands[seat][number - 1]
        self.turn_of = None
        if action == "stand":
            hand.stood = True
        elif action == "surrender":
            hand.surrendered = True
        elif action == "hit":
            hand.waits = True
        elif action == "double":
            hand.waits = hand.doubled = True
            self._more("main", place, self.names[seat])
            self._offer("double", seat, number, number)
        elif action == "split":
            self.hands[seat] = [PaperHand([face], split=True) for face in hand.cards]
            self._again("main", seat, self.names[seat])
            self._offer("split", seat, 1, 2)

    def _more(self, kind: str, place: Place, player: str) -> None:
        """R29, R54: as much again on the same hand."""
        for stake in self.live():
            if (stake.kind, stake.player, (stake.seat, stake.hand)) == (kind, player, place):
                stake.extra = stake.amount

    def _again(self, kind: str, seat: int, player: str) -> None:
        """R34, R52: as much again on the second hand."""
        for stake in self.live():
            if (stake.kind, stake.player, stake.seat, stake.hand) == (kind, player, seat, 1):
                self.stakes.append(Stake(kind, player, seat, 2, stake.amount))

    def _offer(self, kind: str, seat: int, stands_on: int, to: int) -> None:
        """R51-R54: those behind that hand are asked, nobody else."""
        place = (seat, stands_on)
        asked = [s.player for s in self.live() if s.kind == "behind" and (s.seat, s.hand) == place]
        if asked:
            self.window = Question(kind, seat, to, asked)

    def answer(self, player: str, *, yes: bool) -> None:
        """R39, R52, R54; a yes takes the stake."""
        window = self.window
        assert window is not None
        window.said[player] = yes
        if not yes:
            return
        if window.kind == "insurance":
            seat = next(seat for seat, name in self.names.items() if name == player)
            main = self.main(seat)
            assert main is not None
            self.acted.add(seat)
            self.stakes.append(Stake("insurance", player, seat, 0, main.amount // 2))
        elif window.kind == "split":
            self._again("behind", window.seat, player)
        else:
            self._more("behind", (window.seat, window.hand), player)

    def close_window(self) -> None:
        assert self.window is not None
        self.insured = self.insured or self.window.kind == "insurance"
        self.window = None

    def autoplay(self, place: Place) -> str:
        """R21, R56, A12: never a bust, never a double."""
        limit = 11 if self.house.hits_eleven else 10
        return "hit" if worth(self.hands[place[0]][place[1] - 1].cards) <= limit else "stand"

    # --- the end ----------------------------------------------------------------------------

    def returns(self, stake: Stake, ends: int, blackjack: bool) -> int:
        """What the stake returns, itself included, if the dealer ends so (R7-R10, R40-R47)."""
        hands = self.hands[stake.seat]
        if stake.kind in ("pair", "behind_pair"):
            two = [h.cards[0] for h in hands] if len(hands) == 2 else hands[0].cards[:2]
            return 12 * stake.amount if two[0][0] == two[1][0] else 0
        if stake.kind == "insurance":
            return 3 * stake.amount if blackjack else 0
        hand = hands[stake.hand - 1]
        own = natural(hand.cards) and not hand.split  # R38
        if hand.surrendered:
            return stake.amount // 2
        if blackjack and not own:
            beyond = stake.all - (stake.amount if stake.hand == 1 else 0)
            return beyond if self.house.original else 0  # A22
        mine = worth(hand.cards)
        if mine > 21:
            return 0
        if own and not blackjack:
            return stake.all * 5 // 2
        if blackjack or mine == ends:
            return stake.all
        return 2 * stake.all if ends > 21 or mine > ends else 0

    def settle(self) -> None:
        for stake in self.live():
            stake.back = self.returns(stake, worth(self.dealer), natural(self.dealer))
        self.state = "settled"

    def void(self) -> None:
        """R58, R60: every stake back."""
        for stake in self.live():
            stake.back = stake.all
        self.state = "void"
        self.window = self.turn_of = None
