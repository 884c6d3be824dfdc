"""A decision in the making: the facts so far and the table they lead to. Lives for one `decide`."""

from __future__ import annotations

from station.game import facts as g
from station.game import round as r
from station.game.cards import Card
from station.game.state import is_open
from station.table import facts as f
from station.table.evolve import evolve
from station.table.state import Table


class Working:
    """Collects facts; each is folded at once, so the next question sees it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.facts: list[f.AnyFact] = []
        self._evidence: tuple[f.Picture, ...] = ()

    def add(self, fact: f.AnyFact) -> None:
        """One more fact has happened."""
        self.facts.append(fact)
        self.table = evolve(self.table, fact)
        if isinstance(fact, f.Observed):
            self._evidence = fact.evidence

    def show(self, evidence: tuple[f.Picture, ...]) -> None:
        """What a hold that follows shows, in place of the pictures of the last read."""
        self._evidence = evidence

    def advance(self) -> None:
        """All that follows by itself (R20-R24, settlement, vacated seats of R25).

        Nothing does while the table holds, or while an open round's host is away: it follows when
        the last hold has ended and the host is back.
        """
        if self.table.holds or (is_open(self.table.game.round) and not self.table.host_connected):
            return
        while (fact := r.advance(self.table.game, self.table.rules)) is not None:
            self.add(fact)
            if isinstance(fact, g.RoundSettled | g.RoundEmpty):
                for left in r.inactive(self.table.game):
                    self.add(left)

    def hold(
        self, code: str, device: str = "", cards: tuple[Card, ...] = (), /, **params: str | int
    ) -> None:
        """The table holds for an incident of that code."""
        number = self.table.hold_count + 1
        self.add(f.TableHeld(number, code, device, params, cards, self._evidence))
