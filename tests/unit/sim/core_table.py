"""The pure core as a table in memory, with the simulator's players at it: no sockets, no clocks.

What the players say goes through the wire's own messages, and what they see is a snapshot as JSON.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from hw_sim.chairs import as_keyed
from hw_sim.client import Command
from hw_sim.hosting import HostPart, Times, bets_shown
from hw_sim.ledger import Ledger
from hw_sim.party import Party
from hw_sim.shoe import Shoe
from station import messages as m
from station.config import TableSection
from station.game.cards import card_of
from station.game.dealing import Owed
from station.game.refusal import Refusal
from station.game.rules import TableRules
from station.hosts.chairs import Chairs
from station.table import facts as f
from station.table import inputs as i
from station.table.state import due, expected
from station.telling import told
from station.translate import to_core
from station.view import Viewer
from tests.support.play import CONSOLE, HOST, Play

NOMINAL = 5_000
# Cards for any round of seven seats.
ENOUGH = 100


class CoreTable:
    """Rounds of one party at one table, played to their ends."""

    def __init__(self, party: Party, rules: TableRules | None = None) -> None:
        kind = "chairs" if party.chairs else "link"
        self.play = Play(rules, kind).open_table()  # type: ignore[arg-type]
        self.party = party
        self.ledger = Ledger()
        self.said: list[Command] = []
        self.refused: list[tuple[Command, Refusal]] = []
        self.silences = 0
        self._part = HostPart(party, Times(0.0, 0.0))
        self._actor = CONSOLE if party.chairs else HOST
        self._viewer = Viewer(TableSection("T", "test", host=kind), 1.0, NOMINAL, ())  # type: ignore[arg-type]
        self._fill = Chairs(NOMINAL).fill if party.chairs else lambda _table, command: command
        self._shoe = Shoe(party.seed, cut=0)
        self._shoes = 0
        self._booked = 0

    def rounds(self, count: int) -> CoreTable:
        """So many rounds, settled or empty, to where the next may be opened."""
        last = self.play.table.game.rounds + count
        for _ in range(2_000 * count):
            round_ = self.play.table.game.round
            if round_ is not None and round_.ended == "cleared" and round_.number == last:
                return self
            self._step()
        raise AssertionError("the round does not end")

    def snapshot(self) -> dict[str, Any]:
        """What the host sees, as it crosses the wire."""
        view = self._viewer.snapshot(self.play.table, self._actor, "", {}, {}, {}, True)
        seen: dict[str, Any] = json.loads(msgspec.json.encode(view))
        return seen

    def of(self, kind: type[f.AnyFact]) -> list[Any]:
        return self.play.of(kind)

    # --- one step -----------------------------------------------------------------------------

    def _step(self) -> None:
        if self._shoe.left < ENOUGH and self.play.round.ended == "cleared":
            self._shoes += 1
            self._shoe = Shoe(self.party.seed + self._shoes, cut=0)
            self.play.new_shoe(f"S{self._shoes + 1}")
        owed = expected(self.play.table)
        if isinstance(owed, Owed):
            card = self._shoe.draw().card
            self.play.give(Play.read(card_of(card.face, card.set, card.deck)))
        elif self.play.table.game.round is not None and self.play.round.ended == "settled":
            self.play.clear()
        else:
            self._host()
        for seq, fact in enumerate(self.play.facts[self._booked :], start=self._booked + 1):
            if told(fact):
                body = msgspec.to_builtins(fact)
                self.ledger.take({"seq": seq, "kind": type(fact).__name__, "body": body})
        self._booked = len(self.play.facts)

    def _host(self) -> None:
        seen = self.snapshot()
        placed = bets_shown(seen)
        if not self.party.chairs:
            placed |= self.ledger.placed_in(seen["round"])
        wanted = self._part.step(seen, placed, 0.0)
        if isinstance(wanted, Command):
            self._say(as_keyed(wanted) if self.party.chairs else wanted)
            return
        assert wanted is None, "with no time to take nobody waits"
        # Nobody says anything more: the window ends.
        self.silences += 1
        (timer,) = due(self.play.table)
        self.play.give(i.TimerFired(timer.name))

    def _say(self, command: Command) -> None:
        self.said.append(command)
        words = json.dumps({"do": command.do, **command.fields})
        message = msgspec.json.decode(words, type=m.AnyCommand)
        filled = to_core(self._fill(self.play.table, message))
        refusal = self.play.say(self._actor, filled)
        if refusal is not None:
            self.refused.append((command, refusal))
