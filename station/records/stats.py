"""Figures of play: one pass over the facts, one fold, and no more memory than there are groups.

Each figure belongs to whom the table had at that fact: its dealer, its shoe, or the table itself.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from station.game import facts as g
from station.journal import Row, chained
from station.records.source import nearest
from station.table import facts as f
from station.table.evolve import evolve
from station.table.state import Table

By = Literal["table", "dealer", "shoe"]
HOUR_MS = 3_600_000
# A length is kept with so many binary digits: exactly up to a second, then to one part in 1000.
_DIGITS = 10


class Lengths:
    """How long something lasted, many times: median and longest, in milliseconds, in bounded
    memory. The median is that of the lengths cut to ten binary digits.
    """

    __slots__ = ("_counts", "count", "longest")

    def __init__(self) -> None:
        self.count = 0
        self.longest = 0
        self._counts: Counter[int] = Counter()

    def add(self, ms: int) -> None:
        ms = max(0, ms)
        shift = max(0, ms.bit_length() - _DIGITS)
        self._counts[ms >> shift << shift] += 1
        self.count += 1
        self.longest = max(self.longest, ms)

    @property
    def median(self) -> int:
        """The lower one of the two in the middle; 0 for none."""
        left = (self.count + 1) // 2
        for ms in sorted(self._counts):
            left -= self._counts[ms]
            if left <= 0:
                return ms
        return 0


class HoldFigures(Struct, frozen=True):
    """Holds of one code: how many began, how many of them have ended, and how long those lasted."""

    began: int
    ended: int
    median_ms: int
    longest_ms: int


class Figures(Struct, frozen=True):
    """The figures of one group. Counts by code; times in milliseconds.

    `no_reads` by reason, of which `owed` while a card was owed, and `read_again` that were read
    after all. `repeats`: a card that had been accepted was read again; `aligned`: the last card was
    read again to prove where the table stands. `refused`: what a dealer's console was refused.
    `hands` that were settled; `played_ms`: with a dealer at the table and a shoe in play. `faces`:
    cards dealt to hands from the `finished_shoes`, never of a shoe in play.
    """

    rounds: int
    settled: int
    empty: int
    void: dict[str, int]
    disputed: int
    hands: int
    played_ms: int
    hands_an_hour: float
    rounds_an_hour: float
    cards: int
    burned: int
    exposed: dict[str, int]
    no_reads: dict[str, int]
    owed: int
    read_again: int
    repeats: int
    aligned: int
    holds: dict[str, HoldFigures]
    rulings: dict[str, int]
    manual: int
    wrong_pins: int
    refused: dict[str, int]
    finished_shoes: int
    faces: dict[str, int]


class _Sums(Struct):
    """The sums of one group."""

    n: Counter[str] = field(default_factory=Counter)
    void: Counter[str] = field(default_factory=Counter)
    exposed: Counter[str] = field(default_factory=Counter)
    no_reads: Counter[str] = field(default_factory=Counter)
    holds: Counter[str] = field(default_factory=Counter)
    rulings: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faces: Counter[str] = field(default_factory=Counter)
    lengths: dict[str, Lengths] = field(default_factory=dict)

    def figures(self) -> Figures:
        n, ms = self.n, self.n["played_ms"]
        holds = {}
        for code, began in sorted(self.holds.items()):
            lasted = self.lengths.get(code) or Lengths()
            holds[code] = HoldFigures(began, lasted.count, lasted.median, lasted.longest)
        return Figures(
            rounds=n["rounds"],
            settled=n["settled"],
            empty=n["empty"],
            void=_sorted(self.void),
            disputed=n["disputed"],
            hands=n["hands"],
            played_ms=ms,
            hands_an_hour=round(n["hands"] * HOUR_MS / ms, 1) if ms else 0.0,
            rounds_an_hour=round(n["rounds"] * HOUR_MS / ms, 1) if ms else 0.0,
            cards=n["cards"],
            burned=n["burned"],
            exposed=_sorted(self.exposed),
            no_reads=_sorted(self.no_reads),
            owed=n["owed"],
            read_again=n["read_again"],
            repeats=n["repeats"],
            aligned=n["aligned"],
            holds=holds,
            rulings=_sorted(self.rulings),
            manual=n["manual"],
            wrong_pins=n["wrong_pins"],
            refused=_sorted(self.refused),
            finished_shoes=n["finished_shoes"],
            faces=dict(sorted(self.faces.items())),
        )


class _Began(Struct, frozen=True):
    """A hold that has not ended."""

    code: str
    key: str
    at: Row


class Statistics:
    """The fold. `since`, `until`: stamps; of facts from the first on, and before the second."""

    def __init__(
        self, by: By, since: str = "", until: str = "", table: Table | None = None
    ) -> None:
        self.by = by
        self.since, self.until = since, until
        self.facts = 0
        self.first = self.last = ""
        self._table = table or Table()
        self._groups: dict[str, _Sums] = {}
        self._began: dict[int, _Began] = {}
        # Of the shoe that is in play: nobody sees these before it is out.
        self._faces: dict[str, Counter[str]] = {}
        self._missed: Counter[str] = Counter()
        self._before: Row | None = None

    def groups(self) -> dict[str, Figures]:
        """By table id, dealer's staff number ("" for nobody) or shoe."""
        return {key: sums.figures() for key, sums in sorted(self._groups.items())}

    # --- one fact -------------------------------------------------------------------------------

    def hear(self, row: Row) -> None:
        """The next fact."""
        before, fact, key = self._table, row.fact, self._key()
        self._table = evolve(before, fact)
        if self._within(row):
            self.facts += 1
            self.first = self.first or row.utc
            self.last = row.utc
            if self.by == "table":
                key = self._table.id
            self._count(row, fact, before, key)
            self._time(row, fact, before, key)
        if before.holds is not self._table.holds:
            self._ended(row)
        self._shoe(fact)
        self._before = row

    def _key(self) -> str:
        table = self._table
        match self.by:
            case "table":
                return table.id
            case "dealer":
                return table.dealer.staff if table.dealer else ""
            case "shoe":
                return table.game.shoe.id

    def _within(self, row: Row) -> bool:
        return self.since <= row.utc and (not self.until or row.utc < self.until)

    def _sums(self, key: str) -> _Sums:
        sums = self._groups.get(key)
        if sums is None:
            sums = self._groups[key] = _Sums()
        return sums

    def _count(self, row: Row, fact: f.AnyFact, before: Table, key: str) -> None:
        name = type(fact).__name__
        if name in _WRONG:
            self._sums(key).n["wrong_pins"] += 1
        elif name == "CardEntered":
            self._sums(key).n["manual"] += 1
        if type(fact) not in _COUNTED:
            return
        sums = self._sums(key)
        if isinstance(fact, g.GameFact):
            self._game(fact, before, sums, key)
        else:
            self._of_table(row, fact, before, sums, key)

    def _game(self, fact: g.AnyGameFact, before: Table, sums: _Sums, key: str) -> None:
        n = sums.n
        match fact:
            case g.CardDealt():
                n["cards"] += 1
                n["read_again"] += self._missed.pop(key, 0)
                self._faces.setdefault(key, Counter())[fact.card.face] += 1
            case g.CardBurnedFirst():
                n["burned"] += 1
                n["read_again"] += self._missed.pop(key, 0)
            case g.CardExposed():
                sums.exposed[fact.why] += 1
            case g.RoundOpened():
                n["rounds"] += 1
            case g.RoundSettled():
                n["settled"] += 1
                round_ = before.game.round
                n["hands"] += sum(len(box.hands) for box in round_.boxes) if round_ else 0
            case g.RoundEmpty():
                n["empty"] += 1
            case g.RoundVoided():
                sums.void[fact.reason] += 1
                self._missed.pop(key, None)
            case _:
                pass

    def _of_table(self, row: Row, fact: f.AnyFact, before: Table, sums: _Sums, key: str) -> None:
        n = sums.n
        match fact:
            case f.ReadFailed():
                sums.no_reads[fact.reason] += 1
                if fact.owed:
                    n["owed"] += 1
                    self._missed[key] += 1
            case f.ReadRepeated() | f.CutCardRepeated():
                n["repeats"] += 1
            case f.LastCardReread():
                n["aligned"] += 1
            case f.RoundDisputed():
                n["disputed"] += 1
            case f.TableHeld():
                sums.holds[fact.code] += 1
                self._began[fact.hold] = _Began(fact.code, key, row)
            case f.HoldReleased():
                hold = before.hold(fact.hold)
                sums.rulings[f"{hold.code if hold else '?'} {fact.ruling}"] += 1
            case f.CommandAnswered() if fact.refusal is not None:
                if fact.link.startswith("console:"):
                    sums.refused[fact.refusal.code] += 1
            case _:
                pass

    def _time(self, row: Row, fact: f.AnyFact, before: Table, key: str) -> None:
        """The time since the fact before belongs to who had the table then."""
        last = self._before
        if last is None or last.boot != row.boot or isinstance(fact, f.StationStarted):
            return
        if before.dealer is None or before.game.shoe.state != "in_play" or before.life != "open":
            return
        self._sums(key).n["played_ms"] += max(0, row.mono_ns - last.mono_ns) // 1_000_000

    def _ended(self, row: Row) -> None:
        """Holds end by a ruling, or with the round that a person voids."""
        there = {hold.hold for hold in self._table.holds}
        for number in [number for number in self._began if number not in there]:
            began = self._began.pop(number)
            sums = self._sums(began.key)
            sums.lengths.setdefault(began.code, Lengths()).add(_between(began.at, row))

    def _shoe(self, fact: f.AnyFact) -> None:
        """Once a shoe is out, what was dealt from it may be told."""
        if isinstance(fact, g.ShoeOut):
            for key, faces in self._faces.items():
                sums = self._sums(key)
                sums.faces += faces
                sums.n["finished_shoes"] += 1
        if isinstance(fact, g.ShoeOut | g.ShoeLoaded):
            self._faces = {}
            self._missed.clear()


# A wrong PIN or badge, as this release and earlier ones call it.
_WRONG = ("LoginFailed", "PinRefused")
_COUNTED = frozenset(
    {
        g.CardDealt,
        g.CardBurnedFirst,
        g.CardExposed,
        g.RoundOpened,
        g.RoundSettled,
        g.RoundEmpty,
        g.RoundVoided,
        f.ReadFailed,
        f.ReadRepeated,
        f.CutCardRepeated,
        f.LastCardReread,
        f.RoundDisputed,
        f.TableHeld,
        f.HoldReleased,
        f.CommandAnswered,
    }
)


def _between(first: Row, last: Row) -> int:
    """Milliseconds: by the monotonic clock, across a boot by UTC."""
    if first.boot == last.boot:
        return (last.mono_ns - first.mono_ns) // 1_000_000
    from station.records.story import seconds_between

    return int(seconds_between(first.utc, last.utc) * 1000)


def _sorted(counts: Counter[str]) -> dict[str, int]:
    """The most frequent first."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def statistics(
    db: sqlite3.Connection, path: Path, by: By, since: str = "", until: str = ""
) -> Statistics:
    """The figures of a journal. Raises JournalDamaged where its chain does not hold."""
    first = 1
    if since:
        (found,) = db.execute("SELECT MIN(seq) FROM facts WHERE utc>=?", (since,)).fetchone()
        (last,) = db.execute("SELECT IFNULL(MAX(seq), 0) FROM facts").fetchone()
        first = found or last + 1
    table, after, head = nearest(db, path, first)
    sums = Statistics(by, since, until, table)
    for row in chained(db, path, after, head):
        sums.hear(row)
    return sums
