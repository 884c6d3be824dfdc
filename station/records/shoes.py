"""A shoe's life out of the facts: its check, who put it in, the rounds it dealt, its count.

One fold over the facts. A life begins with a check, a machine's receipt or, where none is asked
for, the load; a shoe of the same name that is checked or put in again has another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from station.game import facts as g
from station.game.check import Manifest
from station.journal import Row
from station.table import facts as f
from station.table import shoe_facts as s
from station.table.state import Table

State = Literal["checking", "ended", "failed", "checked", "loaded", "in_play", "out"]


class When(Struct, frozen=True):
    """A moment of a shoe's life: which fact, its stamp (UTC), and who."""

    seq: int
    utc: str
    by: str = ""
    second: str = ""
    why: str = ""


class Life(Struct, frozen=True):
    """One life of a shoe. `number` counts them in this journal. `earlier`: it was put in in the
    journal before this one. `rounds`: those it dealt, `dealt` and `burned` its cards; `exposed`:
    cards nobody was owed. `marks`: why its rounds are to be reviewed. `void`: rounds that were.
    """

    number: int
    table: str
    kind: str
    manifest: Manifest
    state: State
    begun: When | None = None
    checked: When | None = None
    found: s.ShoeChecked | None = None
    receipt: s.CheckersReceiptEntered | None = None
    shuffled: When | None = None
    seal: str = ""
    loaded: When | None = None
    check: int = 0
    cut_card: int = 0
    released: When | None = None
    cut_out: When | None = None
    out: When | None = None
    rounds: tuple[int, ...] = ()
    void: tuple[int, ...] = ()
    dealt: int = 0
    burned: int = 0
    exposed: int = 0
    counts: tuple[tuple[When, g.ShoeReconciled], ...] = ()
    marks: tuple[tuple[int, str], ...] = ()
    lifted: When | None = None
    earlier: bool = False

    @property
    def gone(self) -> int:
        """Cards that left it."""
        return self.dealt + self.burned + self.exposed

    @property
    def marked(self) -> dict[int, str]:
        """The rounds that are to be reviewed, and why."""
        return {round_: why for round_, why in dict(self.marks).items() if why != "counted_whole"}


class Told(Struct, frozen=True):
    """All lives of a journal, in the order in which they began, and the people in it by number."""

    lives: tuple[Life, ...]
    people: dict[str, f.Person]


class _Fold:
    def __init__(self, before: Table) -> None:
        self.lives: list[Life] = []
        self.people: dict[str, f.Person] = {}
        self._table, self._kind = before.id, str(before.kind)
        self._now = -1
        for person in (before.dealer, *(one.person for one in before.signed)):
            if person is not None:
                self.people[person.staff] = person
        shoe = before.game.shoe
        if shoe.state in ("loaded", "in_play"):
            self._new(Manifest(shoe.id, shoe.set), shoe.state, earlier=True)
            self._now = 0

    def _new(self, manifest: Manifest, state: State, **more: object) -> None:
        life = Life(len(self.lives) + 1, self._table, self._kind, manifest, state)
        self.lives.append(replace(life, **more))

    def _change(self, at: int, **changes: object) -> None:
        if 0 <= at < len(self.lives):
            self.lives[at] = replace(self.lives[at], **changes)

    def _of(self, shoe: str, *states: State) -> int:
        """The last life of that shoe that is in one of those states, -1 if none is."""
        for at in range(len(self.lives) - 1, -1, -1):
            if self.lives[at].manifest.shoe == shoe and self.lives[at].state in states:
                return at
        return -1

    def take(self, row: Row) -> None:
        """One fact more."""
        fact = row.fact
        match fact:
            case f.StationStarted() | f.JournalRotated() | f.JournalContinued():
                self._table, self._kind = fact.table or self._table, fact.kind
            case f.DealerTookTable(person=person) | f.StaffSignedIn(person=person):
                self.people[person.staff] = person
            case s.ShoeFact():
                self._before(row, fact)
            case g.GameFact():
                self._in_play(row, fact)

    def _before(self, row: Row, fact: s.AnyShoeFact) -> None:
        """What happens to a shoe before it goes in."""
        match fact:
            case s.ShoeCheckBegun(what="count"):
                pass  # Of a shoe that is out: what came of it is its reconciliation.
            case s.ShoeCheckBegun():
                begun = When(row.seq, row.utc, fact.by, fact.second, fact.reason)
                self._new(fact.manifest, "checking", begun=begun)
            case s.ShoeCheckEnded():
                at = self._of(fact.shoe, "checking")
                ended = When(row.seq, row.utc, fact.by, why=fact.why)
                self._change(at, state="ended", checked=ended)
            case s.ShoeChecked():
                at = self._of(fact.manifest.shoe, "checking")
                ended = When(row.seq, row.utc, fact.by, fact.second, fact.why)
                state: State = "failed" if fact.why else "checked"
                self._change(at, state=state, checked=ended, found=fact)
            case s.CheckersReceiptEntered():
                entered = When(row.seq, row.utc, fact.by, fact.second)
                self._new(fact.manifest, "checked", checked=entered, receipt=fact)
            case s.ShuffledAfterCheck():
                at = self._of(fact.shoe, "checked")
                self._change(at, shuffled=When(row.seq, row.utc, fact.by), seal=fact.seal)
            case s.ShoeBarLifted():
                at = self._of(fact.shoe, "out")
                self._change(at, lifted=When(row.seq, row.utc, fact.by, why=fact.reason))
            case s.ShoeRulesSet():
                pass

    def _in_play(self, row: Row, fact: g.AnyGameFact) -> None:
        """What happens to it afterwards."""
        now = self.lives[self._now] if self._now >= 0 else None
        match fact:
            case g.ShoeLoaded():
                self._loaded(row, fact)
            case g.ShoeReleased():
                self._change(self._now, state="in_play", released=When(row.seq, row.utc, fact.by))
            case g.ShoeOut():
                self._change(self._now, state="out", out=When(row.seq, row.utc, why=fact.reason))
            case g.ShoeReconciled():
                self._counted(row, fact)
            case g.RoundsMarked():
                self._mark(fact)
            case _ if now is not None:
                self._dealt(row, fact, now)

    def _loaded(self, row: Row, fact: g.ShoeLoaded) -> None:
        if self._now >= 0 and self.lives[self._now].state == "loaded":
            # It was never released, and made room.
            self._change(self._now, state="out", out=When(row.seq, row.utc, why="changed"))
        loaded = When(row.seq, row.utc, fact.by, fact.second, fact.reason)
        at = self._of(fact.shoe, "checked") if fact.check else -1
        if at < 0:
            self._new(Manifest(fact.shoe, fact.set), "loaded")
            at = len(self.lives) - 1
        self._change(at, state="loaded", loaded=loaded, check=fact.check, cut_card=fact.cut_card)
        self._now = at

    def _dealt(self, row: Row, fact: g.AnyGameFact, now: Life) -> None:
        match fact:
            case g.RoundOpened():
                self._change(self._now, rounds=(*now.rounds, fact.round))
            case g.RoundVoided():
                self._change(self._now, void=(*now.void, fact.round))
            case g.CardDealt() if fact.order > now.gone:
                # A card that was kept has left it before.
                self._change(self._now, dealt=now.dealt + 1)
            case g.CardBurnedFirst():
                self._change(self._now, burned=now.burned + 1)
            case g.CardExposed():
                self._change(self._now, exposed=now.exposed + 1)
            case g.CutCardOut():
                self._change(self._now, cut_out=When(row.seq, row.utc))
            case _:
                pass

    def _counted(self, row: Row, fact: g.ShoeReconciled) -> None:
        at = self._of(fact.shoe, "out")
        if at >= 0:
            counted = (*self.lives[at].counts, (When(row.seq, row.utc, fact.by), fact))
            self._change(at, counts=counted)

    def _mark(self, fact: g.RoundsMarked) -> None:
        """Of one shoe alone: another of its name dealt other rounds."""
        for at, life in enumerate(self.lives):
            mine = set(life.rounds) & set(fact.rounds)
            if life.manifest.shoe == fact.shoe and mine:
                marks = dict(life.marks) | {round_: str(fact.why) for round_ in sorted(mine)}
                self._change(at, marks=tuple(sorted(marks.items())))


def lives(rows: Iterable[Row], before: Table | None = None) -> Told:
    """The life of every shoe. `before`: the table where these rows begin. Raises JournalError for a
    fact that cannot be read.
    """
    fold = _Fold(before or Table())
    for row in rows:
        fold.take(row)
    return Told(tuple(fold.lives), fold.people)
