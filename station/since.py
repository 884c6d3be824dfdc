"""Since when what holds and locks the table is there, as its facts' stamps say it. Derived: what is
known of it is read from the journal again at each start.
"""

from __future__ import annotations

import contextlib
import sqlite3

from station.audit.reading import Left, rows, when_it_left
from station.game import facts as g
from station.journal import JournalError
from station.table import facts as f
from station.table import lock_facts as lf
from station.table.state import Table


class Since:
    """`holds` and `locks`: by the number of a hold, and of a condition. `first`: by that of a hold
    for two reads of one card, the earlier read. `released`: of the shoe released last, "" where
    that is not known.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.holds: dict[int, str] = {}
        self.locks: dict[int, str] = {}
        self.first: dict[int, Left] = {}
        self.released = ""

    def note(self, fact: f.AnyFact, utc: str) -> None:
        """A fact was stored then."""
        if isinstance(fact, f.TableHeld):
            self.holds[fact.hold] = utc
            self._first_read(fact.hold, fact.params)
        elif isinstance(fact, g.ShoeReleased):
            self.released = utc
        elif isinstance(fact, lf.ConditionRaised):
            # Of one that is told anew it stays the first time.
            self.locks.setdefault(fact.lock, utc)

    def resume(self, table: Table) -> None:
        """At start: what the folded state has of them."""
        for kind, there in (("TableHeld", table.holds), ("ConditionRaised", table.conditions)):
            for row in rows(self._db, kind=kind) if there else ():
                if isinstance(row.fact, lf.ConditionRaised):
                    self.locks.setdefault(row.fact.lock, row.utc)
                elif isinstance(row.fact, f.TableHeld):
                    self.holds[row.fact.hold] = row.utc
        for hold in table.holds:
            self._first_read(hold.hold, hold.params)
        self._released(table.shoes.released)

    def _released(self, seq: int) -> None:
        """Of a fact in a file before this one it is known that this one began later."""
        row = self._db.execute(
            "SELECT utc FROM facts WHERE seq>=? ORDER BY seq LIMIT 1", (seq,)
        ).fetchone()
        self.released = row[0] if seq and row is not None else ""

    def _first_read(self, hold: int, params: dict[str, str | int]) -> None:
        """When the earlier of two reads was, which a hold names by its place in the shoe."""
        order, round_ = params.get("first_order"), params.get("first_round")
        if not isinstance(order, int) or not isinstance(round_, int) or not order:
            return
        with contextlib.suppress(JournalError, sqlite3.Error):
            self.first[hold] = when_it_left(self._db, order, round_)
