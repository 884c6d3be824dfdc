"""How long the shoe has been dealt from, by the stamp of the fact that released it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from station.table.inputs import ConditionSeen
from station.table.state import Table

CODE = "shoe_too_old"


class ShoeAge:
    """`hours`: how long a shoe may be dealt from, 0 for no limit. `now`: UTC."""

    def __init__(
        self,
        table: Callable[[], Table],
        released: Callable[[], str],
        hours: int,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`released`: the stamp of the fact that released the shoe, "" where it is not known."""
        self._table = table
        self._released = released
        self._hours = hours
        self._now = now

    def look(self) -> Iterator[ConditionSeen]:
        """What is found."""
        shoe, since = self._table().game.shoe, self._released()
        old = False
        if self._hours and shoe.state == "in_play" and since:
            age = self._now() - datetime.fromisoformat(since)
            old = age.total_seconds() > self._hours * 3600
        params: dict[str, str | int] = {"shoe": shoe.id, "hours": self._hours} if old else {}
        yield ConditionSeen(CODE, stands=old, params=params)
