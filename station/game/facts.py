"""What has happened in the game, in the past tense. State is the fold of these."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.cards import Card
from station.game.state import Action, BetKind, Line, Slot, WindowKind

# Under this name stands what the station did by itself.
STATION = "station"


class GameFact(Struct, frozen=True, tag_field="fact"):
    """A fact of seats, round, money or shoe."""


class RoundFact(GameFact, frozen=True):
    """A fact that changes the running round alone."""


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


class BetPlaced(RoundFact, frozen=True, tag="BetPlaced"):
    """A stake was confirmed and taken (R13, R14, R34, R39, R41, R52). `hand` 0: on the seat."""

    round: int
    bet: int
    kind: BetKind
    player: str
    seat: int
    hand: int
    amount: int


class BetDoubled(RoundFact, frozen=True, tag="BetDoubled"):
    """As much again was taken for that bet (R29, R54)."""

    round: int
    bet: int
    player: str
    amount: int


class BetsReturned(RoundFact, frozen=True, tag="BetsReturned"):
    """Bets come back before the deal: behind a seat nobody plays (R48, A34), or taken back."""

    round: int
    lines: tuple[Line, ...]


class BettingClosed(RoundFact, frozen=True, tag="BettingClosed"):
    """No more bets; `seats` is who plays, frozen for the round (A5)."""

    round: int
    seats: tuple[int, ...]
    by: Literal["countdown", "host"]


class RoundEmpty(RoundFact, frozen=True, tag="RoundEmpty"):
    """Betting closed without a bet; the round is over, no card was owed."""

    round: int


class CardDealt(GameFact, frozen=True, tag="CardDealt"):
    """The card went to `slot`. `order` counts the cards that left this shoe. `manual`: no reader
    read it; who entered it stands in the fact before.
    """

    round: int
    card: Card
    slot: Slot
    order: int
    manual: bool = False


class CardCorrected(GameFact, frozen=True, tag="CardCorrected"):
    """The last card, of that `order`, was read as another one: it was `was`, it is `card`, in the
    same place. By a supervisor and a second person, before anything was decided on it. `hold`: the
    one it ended. `manual`: named by hand, no reader read it again.
    """

    round: int
    order: int
    slot: Slot
    was: Card
    card: Card
    hold: int
    by: str
    second: str
    manual: bool
    note: str = ""


class DecisionAsked(RoundFact, frozen=True, tag="DecisionAsked"):
    """The player of that hand is asked (R20)."""

    round: int
    decision: int
    seat: int
    hand: int
    legal: tuple[Action, ...]


class DecisionMade(RoundFact, frozen=True, tag="DecisionMade"):
    """What is done with the hand, and by whom (R21, R26)."""

    round: int
    decision: int
    seat: int
    hand: int
    action: Action
    by: Literal["player", "station"]


class PlayerAbsent(GameFact, frozen=True, tag="PlayerAbsent"):
    """The station plays for this seat: a decision's time ran out, or the player's connection is
    lost (R21, R55, A13).
    """

    seat: int
    player: str
    why: Literal["timeout", "lost"]


class PlayerReturned(GameFact, frozen=True, tag="PlayerReturned"):
    """An absent player sent an action: from the next decision on he is asked again (A13)."""

    seat: int
    player: str


class WindowOpened(RoundFact, frozen=True, tag="WindowOpened"):
    """A question to several players at once, during which no card moves (A7, A15).

    `insurance` asks all seats (R39); `split` and `double` ask the players behind `seat` whether
    they follow to `hand` (R52, R54).
    """

    round: int
    window: int
    kind: WindowKind
    seat: int
    hand: int
    asked: tuple[str, ...]


class WindowAnswered(RoundFact, frozen=True, tag="WindowAnswered"):
    """One of those who were asked said yes or no."""

    round: int
    window: int
    player: str
    yes: bool


class WindowClosed(RoundFact, frozen=True, tag="WindowClosed"):
    """All have answered, or its time is over: silence declines (R53)."""

    round: int
    window: int
    by: Literal["countdown", "answered"]


class RoundSettled(RoundFact, frozen=True, tag="RoundSettled"):
    """Every bet's result, once (R7-R10)."""

    round: int
    dealer: tuple[Card, ...]
    lines: tuple[Line, ...]


class RoundCleared(RoundFact, frozen=True, tag="RoundCleared"):
    """The cards are in the discard rack; the next round may open."""

    round: int


class RoundVoided(GameFact, frozen=True, tag="RoundVoided"):
    """The round is cancelled and every bet returned (R58, R60). `by` is a staff id or `station`;
    `note` his own words.
    """

    round: int
    reason: str
    by: str
    lines: tuple[Line, ...]
    note: str = ""


class ShoeLoaded(GameFact, frozen=True, tag="ShoeLoaded"):
    """A checked and shuffled shoe was put in, not yet to be dealt from. `second`: who put it in
    with `by`, `check` the check it spent, 0 where none was asked for. `cut_card`: how many cards
    were said to lie behind the cut card, 0: not said. `reason`: why a set went in that was not due.
    """

    shoe: str
    set: str
    by: str
    second: str = ""
    check: int = 0
    cut_card: int = 0
    reason: str = ""


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


class CardBurnedFirst(GameFact, frozen=True, tag="CardBurnedFirst"):
    """A card of the burn that the rules ask of a new shoe (A21)."""

    card: Card
    order: int
    shoe: str


class ShoeReconciled(GameFact, frozen=True, tag="ShoeReconciled"):
    """What left a shoe and what remained in it, put together after it went out.

    `missing` and `surplus` are faces with their count; both are empty for a whole shoe (R2).
    """

    shoe: str
    gone: int
    remaining: int
    missing: dict[str, int]
    surplus: dict[str, int]
    by: str


class RoundsMarked(GameFact, frozen=True, tag="RoundsMarked"):
    """Rounds to be reviewed: all that an incomplete shoe dealt, or one named by a later duplicate.

    `counted_whole`: a second count came out, and the mark of the first no longer holds. Nothing is
    paid again by it: a settled round stays settled.
    """

    rounds: tuple[int, ...]
    shoe: str
    why: Literal["short_shoe", "long_shoe", "wrong_shoe", "duplicate_card", "counted_whole"]


class CardExposed(GameFact, frozen=True, tag="CardExposed"):
    """A card left the shoe that nobody was owed. Why, as a code of `dealing.Nobody`."""

    card: Card
    order: int
    round: int
    why: str


class ExposedCardKept(GameFact, frozen=True, tag="ExposedCardKept"):
    """A supervisor ruled that the exposed card goes to the next slot that is owed one (house)."""

    card: Card
    round: int
    by: str


class CardBurned(GameFact, frozen=True, tag="CardBurned"):
    """An exposed card was burned, by a supervisor's ruling or because nobody was owed one."""

    card: Card
    round: int
    by: str


AnyGameFact = (
    SeatTaken
    | SeatLeft
    | RoundOpened
    | BetPlaced
    | BetDoubled
    | BetsReturned
    | BettingClosed
    | RoundEmpty
    | CardDealt
    | CardCorrected
    | DecisionAsked
    | DecisionMade
    | PlayerAbsent
    | PlayerReturned
    | WindowOpened
    | WindowAnswered
    | WindowClosed
    | RoundSettled
    | RoundCleared
    | RoundVoided
    | ShoeLoaded
    | ShoeReleased
    | ShoeOut
    | CutCardOut
    | CardBurnedFirst
    | ShoeReconciled
    | RoundsMarked
    | CardExposed
    | ExposedCardKept
    | CardBurned
)
