"""Every setting of the game, and its fingerprint."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Seconds = Annotated[int, Meta(ge=1, le=600)]
Grace = Annotated[int, Meta(ge=0, le=600)]
Count = Annotated[int, Meta(ge=0, le=50)]
Amount = Annotated[int, Meta(ge=2, le=10**12)]
PairAmount = Annotated[int, Meta(ge=1, le=10**12)]

DECKS = 8
CARDS = DECKS * 52


class TableRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of rules.md that are in force; money in minor units, times in seconds.

    seats: boxes on the felt (A21). betting_seconds, decision_seconds, insurance_seconds,
    follow_seconds: the windows (A7, A13, R52, R54).
    main_min, main_max, bet_step: limits of a main bet and of a bet behind; the step is even (A26).
    pair_min, pair_max: limits of a Pair bet. behind_bettors: how many players may bet behind one
    seat (A21).
    double_after_split: whether a split hand may double (A9). dealer_draw: `always` draws to 17
    whatever the hands did, `until_decided` only while a bet still depends on the dealer's cards
    (A17). dealer_blackjack_takes: `all` a seat has staked, or the `original` bet alone, as if the
    dealer had peeked (A22). autoplay_hits_eleven: an absent player's 11 is hit (A12).
    burn: cards burned from a new shoe before its first round (A21).
    grace_seconds, betting_grace_seconds: how long a lost host is waited for with cards out
    and during betting (A19). reshuffle: whether betting cancelled for a lost host takes the shoe
    out too (A19). incident_policy: which rulings are open to a supervisor (A20).
    """

    seats: Annotated[int, Meta(ge=1, le=7)] = 7
    betting_seconds: Seconds = 15
    decision_seconds: Seconds = 15
    insurance_seconds: Seconds = 10
    follow_seconds: Seconds = 5
    main_min: Amount = 1_000
    main_max: Amount = 1_000_000
    bet_step: Amount = 100
    pair_min: PairAmount = 100
    pair_max: PairAmount = 100_000
    behind_bettors: Count = 50
    double_after_split: bool = True
    dealer_draw: Literal["always", "until_decided"] = "always"
    dealer_blackjack_takes: Literal["all", "original"] = "all"
    autoplay_hits_eleven: bool = True
    burn: Annotated[int, Meta(ge=0, le=10)] = 0
    grace_seconds: Grace = 0
    betting_grace_seconds: Grace = 30
    reshuffle: bool = False
    incident_policy: Literal["strict", "house"] = "strict"

    def __post_init__(self) -> None:
        """Raise ValueError where settings contradict each other."""
        if self.bet_step % 2:
            raise ValueError("bet_step must be even, so that 3:2 and one half are exact (A26)")
        if self.main_min > self.main_max:
            raise ValueError("main_min is above main_max")
        if self.main_min % self.bet_step or self.main_max % self.bet_step:
            raise ValueError("main_min and main_max must be multiples of bet_step")
        if self.pair_min > self.pair_max:
            raise ValueError("pair_min is above pair_max")


def fingerprint(rules: TableRules) -> str:
    """SHA-256, 64 hex digits, of the canonical JSON of the rules alone."""
    canonical = msgspec.json.encode(rules, order="sorted")
    return hashlib.sha256(canonical).hexdigest()
