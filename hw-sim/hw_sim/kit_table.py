"""The whole virtual table of the pytest plug-in, and people who play at it."""

from __future__ import annotations

import sys
import time

from hw_sim.children import Child
from hw_sim.control import ShoeControl
from hw_sim.floor import Floor
from hw_sim.journal import journal_facts
from hw_sim.ledger import Ledger
from hw_sim.link import Message
from hw_sim.models.registry import kind_of
from hw_sim.scenario import TableWanted
from hw_sim.scenario_table import ScenarioTable

ROUND_S = 60.0


class KitTable:
    """`floor`: what people say there, one thing at a time. `shoe`: the virtual shoe's control."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._own = ScenarioTable(TableWanted(kind=kind))
        self.floor = Floor(self._own.place.socket, self._own.shoe)

    @property
    def shoe(self) -> ShoeControl:
        """The virtual shoe's control."""
        return self._own.shoe

    @property
    def place(self) -> ScenarioTable:
        """The table's directory and processes."""
        return self._own

    def start(self) -> None:
        """Devices and station. Raises ChildError."""
        self._own.start()

    def facts(self) -> list[Message]:
        """What the journal has so far."""
        return journal_facts(self._own.place.journal)

    def close(self) -> None:
        """End it all."""
        self.floor.close()
        self._own.end(keep=False)


class Players:
    """Dealer, supervisor and game host as programs."""

    def __init__(self, table: KitTable) -> None:
        self._table = table
        self._children: list[Child] = []

    def play(self, rounds: int = 1, strategy: str = "basic") -> Ledger:
        """Play so many rounds; the players' own books. Raises TimeoutError."""
        place = self._table.place.place
        link = ("--socket", str(place.socket), "--seed", "7")
        shoe = ("--shoe", str(place.shoe_control))
        reaction = str(max(0.02, kind_of(self._table.kind).card_ms / 700))
        self._start("staff", *link, *shoe, "--auto", "--reaction", "0.05")
        self._start("dealer", *link, *shoe, "--reaction", reaction)
        quick = ("--think", "0.02", "--betting", "0.02", "--ledger", str(place.ledger))
        host = self._start(
            "players", *link, *quick, "--rounds", str(rounds), "--strategy", strategy
        )
        limit = time.monotonic() + ROUND_S * rounds
        while host.code is None:
            if time.monotonic() > limit:
                raise TimeoutError(f"{rounds} rounds are not over after {ROUND_S * rounds:.0f} s")
            time.sleep(0.05)
        self.close()
        return Ledger.load(place.ledger)

    def close(self) -> None:
        """All go."""
        while self._children:
            self._children.pop().end()

    def _start(self, name: str, *options: str) -> Child:
        command = [sys.executable, "-m", "hw_sim.cli", name, *options]
        child = Child(name, command, self._table.place.place.logs)
        self._children.append(child)
        return child
