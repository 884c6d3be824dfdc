"""The players of a simulated table: who sits, who stands behind, and what each of them wants.

Pure: what they want depends on the seed, the round and the seat or name alone, never on when they
are asked. Where they are not at the table's mercy they may also want nothing: silence.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hw_sim.strategy import anything, basic

SEATED = ("민준", "서연", "Alex", "지우", "Mina", "현우", "Jin")
BEHIND = ("하은", "Leo", "도윤", "Emma", "수아", "Max", "은우", "Zoe")
BET_MOST = 50_000
PAIR_MOST = 10_000
PAIR_STEP = 100


@dataclass(frozen=True)
class Wish:
    """A bet somebody wants. `amount` None: chips that nobody counts, at a table with chairs."""

    kind: str
    seat: int
    player: str
    amount: int | None

    @property
    def key(self) -> tuple[str, int, str]:
        """What tells it from other bets of the round."""
        return self.kind, self.seat, self.player


@dataclass(frozen=True)
class Presence:
    """When a player's connection is lost in a round, and how he comes back.

    `lost`: "", `betting` (after the bets) or `deciding` (when he is asked). `back`: "" (not in
    this round), `player_back`, or `decide`: by a decision that comes too late.
    """

    lost: str = ""
    back: str = ""


class Party:
    """`strategy`: `basic`, `random` or `absent` (bets, and never answers). `behind`: how many
    players without a seat there are. `chairs`: they sit at the table itself, named by the station.
    """

    def __init__(
        self,
        seed: int,
        seats: tuple[int, ...],
        strategy: str = "basic",
        *,
        behind: int = 3,
        chairs: bool = False,
    ) -> None:
        self.seed = seed
        self.seats = seats
        self.strategy = strategy
        self.behind = behind
        self.chairs = chairs

    def name(self, seat: int) -> str:
        """Who sits there."""
        return f"chair-{seat}" if self.chairs else SEATED[seat - 1]

    def rng(self, *key: object) -> random.Random:
        """The same key, the same numbers."""
        return random.Random("/".join(map(str, (self.seed, *key))))

    # --- seats and bets -----------------------------------------------------------------------

    def sits(self, number: int, seat: int) -> bool:
        """Whether he wants that seat in the round after round `number`. Somebody always does."""
        if self.strategy != "random" or seat == self.seats[0]:
            return True
        return self.rng("sits", number, seat).random() < 0.9

    def leaves(self, number: int, seat: int) -> bool:
        """Whether one who sits and has not bet leaves while betting is open."""
        return self.strategy == "random" and self.rng("leaves", number, seat).random() < 0.4

    def bets(self, number: int, settings: Mapping[str, Any]) -> list[Wish]:
        """What they want to bet in that round, in order; main bets before Pair bets (R14)."""
        wishes: list[Wish] = []
        for seat in self.seats:
            wishes.extend(self._own(number, seat, settings))
        others = self._standing(number) if self.chairs else self._roaming(number)
        for kind, seat, player in others:
            rng = self.rng(kind, number, seat, player)
            amount = _pair(rng, settings) if kind == "behind_pair" else _main(rng, settings)
            wishes.append(Wish(kind, seat, player, self._counted(rng, amount)))
        return wishes

    def takes_back(self, number: int, wish: Wish) -> bool:
        """Whether that bet is taken back once while betting is open."""
        key = ("take_back", number, *wish.key)
        return self.strategy == "random" and self.rng(*key).random() < 0.08

    def instead(self, number: int, wish: Wish, settings: Mapping[str, Any]) -> Wish | None:
        """What is bet in place of one taken back: another amount. A player may also leave it at
        that; what was bet behind him then comes back as well (A34). Somebody always plays.
        """
        rng = self.rng("instead", number, *wish.key)
        if wish.kind == "main" and wish.seat != self.seats[0] and rng.random() < 0.3:
            return None
        pair = wish.kind in ("pair", "behind_pair")
        amount = _pair(rng, settings) if pair else _main(rng, settings)
        return replace(wish, amount=self._counted(rng, amount))

    def _own(self, number: int, seat: int, settings: Mapping[str, Any]) -> list[Wish]:
        rng = self.rng("bet", number, seat)
        amount = _main(rng, settings)
        if self.strategy == "random" and seat != self.seats[0] and rng.random() < 0.1:
            return []
        wishes = [Wish("main", seat, self.name(seat), self._counted(rng, amount))]
        if rng.random() < 0.4:
            pair = self._counted(rng, _pair(rng, settings))
            wishes.append(Wish("pair", seat, self.name(seat), pair))
        return wishes

    def _roaming(self, number: int) -> list[tuple[str, int, str]]:
        """Each stands behind some seats, with a Pair bet too or with nothing else (R41, R43)."""
        found: list[tuple[str, int, str]] = []
        for player in BEHIND[: self.behind]:
            rng = self.rng("behind", number, player)
            some = rng.sample(self.seats, rng.randint(0, len(self.seats)))
            for seat in sorted(some):
                kinds = rng.choice((("behind",), ("behind", "behind_pair"), ("behind_pair",)))
                found.extend((kind, seat, player) for kind in kinds)
        return found

    def _standing(self, number: int) -> list[tuple[str, int, str]]:
        """At the chairs those behind a seat are counted, not known: `behind-3-1` is the first."""
        found: list[tuple[str, int, str]] = []
        for seat in self.seats:
            rng = self.rng("behind", number, seat)
            for kind, most in (("behind", self.behind), ("behind_pair", 1)):
                count = rng.randint(0, min(most, self.behind))
                found.extend((kind, seat, f"behind-{seat}-{k}") for k in range(1, count + 1))
        return found

    def _counted(self, rng: random.Random, amount: int) -> int | None:
        return None if self.chairs and rng.random() < 0.5 else amount

    # --- answers ------------------------------------------------------------------------------

    def insures(self, number: int, player: str) -> bool | None:
        """Yes, no, or silence (R39). Basic strategy never buys it, and says so."""
        if self.strategy == "basic":
            return False
        return self._any_answer(self.rng("insure", number, player))

    def follows(self, number: int, kind: str, seat: int, hand: int, player: str) -> bool | None:
        """Yes, no, or silence, to a split or a double of that seat (R51-R54)."""
        rng = self.rng("follow", number, kind, seat, hand, player)
        return rng.random() < 0.7 if self.strategy == "basic" else self._any_answer(rng)

    def _any_answer(self, rng: random.Random) -> bool | None:
        return None if self.strategy == "absent" else rng.choice((True, True, False, None))

    def decides(
        self,
        number: int,
        seat: int,
        hand: Mapping[str, Any],
        up: str,
        legal: list[str],
        settings: Mapping[str, Any],
    ) -> str | None:
        """One of `legal`, or None: silence."""
        match self.strategy:
            case "basic":
                return basic(hand, up, legal, settings)
            case "random":
                key = ("decide", number, seat, hand["hand"], len(hand["cards"]))
                return anything(self.rng(*key), legal)
            case _:
                return None

    def presence(self, number: int, seat: int) -> Presence:
        """Whether he is lost in that round, and comes back."""
        if self.strategy == "basic":
            return Presence()
        rng = self.rng("presence", number, seat)
        lost = rng.choice(("betting", "deciding")) if rng.random() < 0.2 else ""
        if self.strategy == "absent":
            return Presence(lost)
        return Presence(lost, rng.choice(("", "player_back", "decide")))


def _main(rng: random.Random, settings: Mapping[str, Any]) -> int:
    """A main bet within the table's limits, on its step, in minor units (A26)."""
    least, step = int(settings.get("main_min", 1_000)), int(settings.get("bet_step", 100))
    most = min(int(settings.get("main_max", BET_MOST)), max(BET_MOST, least))
    return rng.randrange(least, most + 1, step)


def _pair(rng: random.Random, settings: Mapping[str, Any]) -> int:
    least = int(settings.get("pair_min", 100))
    most = min(int(settings.get("pair_max", PAIR_MOST)), max(PAIR_MOST, least))
    return rng.randrange(least, most + 1, PAIR_STEP)
