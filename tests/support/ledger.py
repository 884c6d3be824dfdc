"""A table whose facts go to a journal on disk as they happen, a transaction an input, by a clock
that is moved by hand.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from station.evidence import folder_of
from station.game import facts as g
from station.game.cards import card_of
from station.game.rules import TableRules
from station.journal import Journal, Stamp
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision
from station.telling import told
from tests.support.play import Play

BEGIN = datetime(2026, 3, 1, 10, 0, 0, tzinfo=UTC)


class Ledger(Play):
    """`path` is the journal. Each input takes `step_ms`. `sealed`: with the station's seals."""

    def __init__(
        self,
        path: Path,
        rules: TableRules | None = None,
        host: Literal["link", "chairs"] = "link",
        step_ms: int = 700,
        *,
        sealed: bool = True,
    ) -> None:
        self.path = path
        self.sealed = sealed
        self.journal = Journal(path)
        self.now_ms = 0
        self.step_ms = step_ms
        self.boot = "boot-1"
        super().__init__(rules, host)

    def give(self, given: i.AnyInput) -> Decision:
        decision = super().give(given)
        self.now_ms += self.step_ms
        if decision.facts:
            self.store(decision)
        return decision

    def store(self, decision: Decision) -> None:
        """As the controller does: the facts of a decision, their seal, and what follows a shoe."""
        after = decision.after if self.sealed else None
        self.journal.append(decision.facts, self.stamp(), told, after=after)
        if any(isinstance(fact, g.ShoeLoaded) for fact in decision.facts):
            self.journal.checkpoint(decision.after)

    def stamp(self) -> Stamp:
        utc = BEGIN + timedelta(milliseconds=self.now_ms)
        text = utc.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return Stamp(text, self.now_ms * 1_000_000, self.boot)

    def wait(self, ms: int) -> None:
        self.now_ms += ms

    def close_file(self) -> Path:
        """The journal is closed, and whole."""
        self.journal.close()
        return self.path

    def open_table(self) -> Ledger:
        super().open_table()
        return self

    # --- pictures -------------------------------------------------------------------------------

    def picture(self, name: str) -> f.Picture:
        """A picture in the folder beside the journal."""
        folder = folder_of(self.path)
        folder.mkdir(mode=0o700, exist_ok=True)
        data = f"picture {name}".encode()
        (folder / name).write_bytes(data)
        return f.Picture(name, hashlib.sha256(data).hexdigest())

    def seen(self, face: str, *names: str) -> Decision:
        """A card with pictures, of the first deck it can still come from."""
        deck = self._decks.get(face, 0) + 1
        self._decks[face] = deck
        read = self.read(card_of(face, "A", deck))
        evidence = tuple(self.picture(name) for name in names)
        return self.give(i.CardSeen(read.device, read.card, read.text, read.raw, evidence=evidence))
