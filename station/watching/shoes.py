"""How long the shoe has been dealt from, by the stamp of the fact that released it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from station.journal import open_reader
from station.table.inputs import ConditionSeen
from station.table.state import Table

CODE = "shoe_too_old"


class ShoeAge:
    """`hours`: how long a shoe may be dealt from, 0 for no limit. `now`: UTC."""

    def __init__(
        self,
        journal: Path,
        table: Callable[[], Table],
        hours: int,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._journal = journal
        self._table = table
        self._hours = hours
        self._now = now
        self._known: tuple[int, datetime] | None = None

    def look(self) -> Iterator[ConditionSeen]:
        """What is found."""
        table = self._table()
        shoe, released = table.game.shoe, table.shoes.released
        if not self._hours or shoe.state != "in_play" or not released:
            yield ConditionSeen(CODE, stands=False)
            return
        since = self._since(released)
        old = since is not None and (self._now() - since).total_seconds() > self._hours * 3600
        params: dict[str, str | int] = {"shoe": shoe.id, "hours": self._hours} if old else {}
        yield ConditionSeen(CODE, stands=old, params=params)

    def _since(self, seq: int) -> datetime | None:
        """When that fact was stored; of one in a file before this one, when this one began."""
        if self._known is None or self._known[0] != seq:
            with contextlib.closing(open_reader(self._journal)) as db:
                row = db.execute(
                    "SELECT utc FROM facts WHERE seq>=? ORDER BY seq LIMIT 1", (seq,)
                ).fetchone()
            if row is None:
                return None
            self._known = seq, datetime.fromisoformat(row[0])
        return self._known[1]
