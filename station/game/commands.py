"""What a host or the dealer may order of the game. Imperative; each may be refused."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.state import Action

PlacedKind = Literal["main", "pair", "behind", "behind_pair"]


class GameCommand(Struct, frozen=True):
    """An imperative of the game host or the dealer."""


class OpenRound(GameCommand, frozen=True):
    """Open betting, by the rules of that fingerprint."""

    rules: str


class TakeSeat(GameCommand, frozen=True):
    seat: int
    player: str


class LeaveSeat(GameCommand, frozen=True):
    seat: int
    player: str


class PlayerLost(GameCommand, frozen=True):
    """The seated player's connection is lost: the station plays for him (R55)."""

    seat: int
    player: str


class PlayerBack(GameCommand, frozen=True):
    """He is there again: from the next decision on he is asked (A13)."""

    seat: int
    player: str


class PlaceBet(GameCommand, frozen=True):
    """`amount` in minor units; `kind` says which field of the seat it is put on."""

    round: int
    seat: int
    player: str
    amount: int
    kind: PlacedKind = "main"


class TakeBack(GameCommand, frozen=True):
    """A bet put down by mistake comes back while betting is open."""

    round: int
    seat: int
    player: str
    kind: PlacedKind


class CloseBetting(GameCommand, frozen=True):
    round: int


class Decide(GameCommand, frozen=True):
    round: int
    decision: int
    seat: int
    hand: int
    action: Action


class Insure(GameCommand, frozen=True):
    """A seated player's answer to the insurance window (R39)."""

    round: int
    window: int
    player: str
    buy: bool


class Follow(GameCommand, frozen=True):
    """The answer of a player behind to a follow window (R52, R54)."""

    round: int
    window: int
    player: str
    follow: bool


class Cleared(GameCommand, frozen=True):
    round: int


AnyGameCommand = (
    OpenRound
    | TakeSeat
    | LeaveSeat
    | PlayerLost
    | PlayerBack
    | PlaceBet
    | TakeBack
    | CloseBetting
    | Decide
    | Insure
    | Follow
    | Cleared
)
