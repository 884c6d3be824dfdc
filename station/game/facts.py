"""What has happened in the game, in the past tense. State is the fold of these."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.cards import Card
from station.game.state import Line, Slot

# Under this name stands what the station did by itself.
STATION = "station"


class GameFact(Struct, frozen=True, tag_field="fact"):
    """A fact of seats, round, money or shoe."""


class SeatTaken(GameFact, frozen=True, tag="SeatTaken"):
    """A player sat down (R11)."""

    seat: int
    player: str


class SeatLeft(GameFact, frozen=True, tag="SeatLeft"):
    """A seat became free; `reason` is `left` or `inactive` (R25)."""

    seat: int
    player: str
    reason: Literal["left", "inactive"]


class RoundOpened(GameFact, frozen=True, tag="RoundOpened"):
    """Betting opened for round `round`, played by the rules of that fingerprint."""

    round: int
    shoe: str
    fingerprint: str


class BetPlaced(GameFact, frozen=True, tag="BetPlaced"):
    """A stake was confirmed (R13)."""

    round: int
    bet: int
    kind: Literal["main"]
    player: str
    seat: int
    amount: int


class BettingClosed(GameFact, frozen=True, tag="BettingClosed"):
    """No more bets; `seats` is who plays, frozen for the round (A5)."""

    round: int
    seats: tuple[int, ...]
    by: Literal["countdown", "host"]


class RoundEmpty(GameFact, frozen=True, tag="RoundEmpty"):
    """Betting closed without a bet; the round is over, no card was owed."""

    round: int


class CardDealt(GameFact, frozen=True, tag="CardDealt"):
    """The card went to `slot`. `order` counts the cards that left this shoe."""

    round: int
    card: Card
    slot: Slot
    order: int


class DecisionAsked(GameFact, frozen=True, tag="DecisionAsked"):
    """The player of that hand is asked (R20)."""

    round: int
    decision: int
    seat: int
    hand: int
    legal: tuple[str, ...]


class DecisionMade(GameFact, frozen=True, tag="DecisionMade"):
    """What is done with the hand, and by whom (R21, R26)."""

    round: int
    decision: int
    seat: int
    hand: int
    action: Literal["hit", "stand"]
    by: Literal["player", "station"]


class PlayerAbsent(GameFact, frozen=True, tag="PlayerAbsent"):
    """A decision's time ran out; the station plays this seat's round (R21, A13)."""

    round: int
    seat: int


class RoundSettled(GameFact, frozen=True, tag="RoundSettled"):
    """Every bet's result, once (R7-R10)."""

    round: int
    dealer: tuple[Card, ...]
    lines: tuple[Line, ...]


class RoundCleared(GameFact, frozen=True, tag="RoundCleared"):
    """The cards are in the discard rack; the next round may open."""

    round: int


class RoundVoided(GameFact, frozen=True, tag="RoundVoided"):
    """The round is cancelled and every bet returned (R58, R60). `by` is a staff id or `station`."""

    round: int
    reason: str
    by: str
    lines: tuple[Line, ...]


class ShoeLoaded(GameFact, frozen=True, tag="ShoeLoaded"):
    """A checked and shuffled shoe was put in, not yet to be dealt from."""

    shoe: str
    set: str
    by: str


class ShoeReleased(GameFact, frozen=True, tag="ShoeReleased"):
    """The shoe may be dealt from."""

    shoe: str
    by: str


class ShoeOut(GameFact, frozen=True, tag="ShoeOut"):
    """The shoe must be taken out and verified before any other round (R60)."""

    shoe: str
    reason: str


class CutCardOut(GameFact, frozen=True, tag="CutCardOut"):
    """The cut card came: never a hand card; this round is the shoe's last."""

    shoe: str
    round: int


class CardExposed(GameFact, frozen=True, tag="CardExposed"):
    """A card left the shoe that nobody was owed. Why, as a code of `dealing.Nobody`."""

    card: Card
    order: int
    round: int
    why: str


class CardBurned(GameFact, frozen=True, tag="CardBurned"):
    """A supervisor burned an exposed card."""

    card: Card
    round: int
    by: str


AnyGameFact = (
    SeatTaken
    | SeatLeft
    | RoundOpened
    | BetPlaced
    | BettingClosed
    | RoundEmpty
    | CardDealt
    | DecisionAsked
    | DecisionMade
    | PlayerAbsent
    | RoundSettled
    | RoundCleared
    | RoundVoided
    | ShoeLoaded
    | ShoeReleased
    | ShoeOut
    | CutCardOut
    | CardExposed
    | CardBurned
)
