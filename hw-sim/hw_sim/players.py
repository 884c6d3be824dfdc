"""The game host and its players: seats, bets and decisions, by a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw_sim.client import Client, Command, may
from hw_sim.ledger import Ledger
from hw_sim.link import Message
from hw_sim.strategy import choose

NAMES = ("민준", "서연", "Alex", "지우", "Mina", "현우", "Jin")
BET_MIN, BET_MAX, BET_STEP = 1_000, 50_000, 100


@dataclass(frozen=True)
class PlayersSettings:
    """`seats`: where they sit. `rounds`: how many settled rounds, 0 for ever. `think_s`: seconds
    a player takes; `betting_s`: seconds betting is left open.
    """

    seats: tuple[int, ...] = (1, 3, 5)
    rounds: int = 0
    think_s: float = 0.5
    betting_s: float = 1.0
    ledger: Path | None = None


class Players(Client):
    """Opens rounds, bets, decides. All choices depend on seed, round and seat alone."""

    role = "host"

    def __init__(self, socket: Path, settings: PlayersSettings, seed: int, **rest: Any) -> None:
        self.settings = settings
        self.ledger = Ledger.load(settings.ledger) if settings.ledger else Ledger()
        self._first_round: int | None = None
        self._acked = 0
        self._due: tuple[str, float] | None = None
        super().__init__(socket, "players", seed, **rest)

    @property
    def settled(self) -> int:
        """Rounds opened and settled since this start."""
        first = self._first_round or 0
        return sum(
            1
            for number, how in self.ledger.rounds.items()
            if how == "settled" and int(number) > first
        )

    # --- facts ------------------------------------------------------------------------------

    def after(self) -> int | None:
        return self.ledger.seq or None

    def reconnected(self) -> None:
        self._acked = 0

    def on_fact(self, fact: Message) -> None:
        self.ledger.take(fact)

    def after_poll(self) -> None:
        """Facts are safe on disk before the station is told so."""
        if self.ledger.seq > self._acked:
            if self.settings.ledger is not None:
                self.ledger.save(self.settings.ledger)
            self._acked = self.ledger.seq
            self.link.send({"type": "ack", "seq": self._acked})

    # --- play -------------------------------------------------------------------------------

    def step(self, snapshot: Message, now: float) -> Command | float | None:
        if self._first_round is None:
            self._first_round = int(snapshot.get("round", 0))
            if self.ledger.seq > int(snapshot.get("version", 0)):
                self.failed = f"{self.settings.ledger}: books of another journal; move them away"
                self.done = True
                return None
        seats = {int(seat["seat"]): seat for seat in snapshot.get("seats", [])}
        if snapshot.get("phase") == "betting":
            return self._bet(snapshot, seats, now)
        if snapshot.get("decision"):
            return self._decide(snapshot, seats, now)
        if snapshot.get("phase") in ("idle", "void", "closed"):
            return self._between(snapshot, seats, now)
        return None

    def _between(
        self, snapshot: Message, seats: dict[int, Message], now: float
    ) -> Command | float | None:
        if self.settings.rounds and self.settled >= self.settings.rounds:
            self.done = True
            return None
        if not may(snapshot, "open_round"):
            # Whoever has to act first (shoe, dealer, clearing) is not overtaken.
            return None
        for number in self.settings.seats:
            if may(snapshot, "take_seat", str(number)) and not seats.get(number, {}).get("player"):
                return Command("take_seat", {"seat": number, "player": _name(number)})
        wait = self._wait(f"open/{snapshot.get('round')}", self.settings.think_s, now)
        if wait > 0:
            return wait
        return Command("open_round", {"rules": snapshot["rules"]["fingerprint"]})

    def _bet(
        self, snapshot: Message, seats: dict[int, Message], now: float
    ) -> Command | float | None:
        number = snapshot["round"]
        for seat in self.settings.seats:
            view = seats.get(seat, {})
            if view.get("bets") or view.get("player") != _name(seat):
                continue
            if may(snapshot, "place_bet", str(seat)):
                amount = self._rng("bet", number, seat).randrange(BET_MIN, BET_MAX + 1, BET_STEP)
                bet = {"round": number, "seat": seat, "player": _name(seat), "amount": amount}
                return Command("place_bet", bet)
        if not may(snapshot, "close_betting"):
            return None
        wait = self._wait(f"close/{number}", self.settings.betting_s, now)
        return wait if wait > 0 else Command("close_betting", {"round": number})

    def _decide(
        self, snapshot: Message, seats: dict[int, Message], now: float
    ) -> Command | float | None:
        asked = snapshot["decision"]
        seat, hand = int(asked["seat"]), int(asked["hand"])
        hands = [view for view in seats.get(seat, {}).get("hands", []) if view["hand"] == hand]
        if asked.get("chosen") or seat not in self.settings.seats or not hands:
            return None
        up = (snapshot["dealer"]["cards"] or [""])[0]
        action = choose(hands[0]["total"], hands[0]["soft"], up)
        if action not in asked.get("legal", []) or not may(snapshot, f"decide:{action}"):
            return None
        key = f"decide/{snapshot['round']}/{asked['decision']}"
        seconds = self.settings.think_s * self._rng(key).uniform(0.6, 1.4)
        wait = self._wait(key, seconds, now)
        if wait > 0:
            return wait
        fields = {"round": snapshot["round"], "decision": asked["decision"], "seat": seat}
        return Command("decide", {**fields, "hand": hand, "action": action})

    def _rng(self, *key: object) -> random.Random:
        return random.Random("/".join(map(str, (self.seed, *key))))

    def _wait(self, what: str, seconds: float, now: float) -> float:
        """Seconds left until that may be done; its time runs from when it was first wanted."""
        if self._due is None or self._due[0] != what:
            self._due = (what, now + seconds)
        return self._due[1] - now


def _name(seat: int) -> str:
    return NAMES[seat - 1]
