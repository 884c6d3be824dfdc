"""The game host and its players: seats, bets, answers and decisions, by a seed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw_sim.client import Client, Command
from hw_sim.hosting import HostPart, Times, bets_shown
from hw_sim.ledger import Ledger
from hw_sim.link import Message
from hw_sim.party import Party


@dataclass(frozen=True)
class PlayersSettings:
    """`seats`: where they sit. `rounds`: how many settled rounds, 0 for ever. `think_s`: seconds
    a player takes; `betting_s`: seconds betting is left open. `strategy`: basic, random or absent.
    `behind`: how many players without a seat there are.
    """

    seats: tuple[int, ...] = (1, 3, 5)
    rounds: int = 0
    think_s: float = 0.5
    betting_s: float = 1.0
    ledger: Path | None = None
    strategy: str = "basic"
    behind: int = 3


class Players(Client):
    """Opens rounds, bets, answers, decides. What they want depends on seed, round, seat or name."""

    role = "host"
    # A late decision says that its player is there again (A13).
    foreseen = frozenset({"too_late"})

    def __init__(self, socket: Path, settings: PlayersSettings, seed: int, **rest: Any) -> None:
        self.settings = settings
        self.ledger = Ledger.load(settings.ledger) if settings.ledger else Ledger()
        party = Party(seed, settings.seats, settings.strategy, behind=settings.behind)
        self._host = HostPart(party, Times(settings.think_s, settings.betting_s))
        self._first_round: int | None = None
        self._acked = 0
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
        if self.settings.rounds and self.settled >= self.settings.rounds:
            ends = self._host.ends(snapshot, now)
            self.done = ends is True
            return None if isinstance(ends, bool) else ends
        # Bets behind are in the snapshot as a sum: which they are, the facts have told.
        placed = self.ledger.placed_in(snapshot.get("round")) | bets_shown(snapshot)
        return self._host.step(snapshot, placed, now)
