"""Incident reports: each hold of the table with what led to it and how it ended, out of the facts.

One fold over the facts, from the first one. A mere wait of the dealer is no incident.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from station.game import facts as g
from station.game.cards import Card
from station.game.incidents import ALL_WAYS, CardFate, Role, row_of
from station.game.state import is_open
from station.journal import Row
from station.table import facts as f
from station.table.evolve import evolve
from station.table.state import Table

# What may stand between a ruling and the void it brings.
_OF_THE_RULING = (g.RoundsMarked, g.CardBurned)
# The dealer's own moment, ended by himself.
_WAIT = "wait"


class Report(Struct, frozen=True):
    """An incident. `number` is its hold's; `row` the handbook's, "" where none names it. `by` who
    reported it, "" where the station or a device noticed. `ruling` "" while it is not decided.
    `lasted_ms`: from its first fact to its ruling, by the monotonic clock, None where the station
    was started in between. `bets`, `returned`: how many came back with it, and how much together
    (minor units); None where no round was open. `facts`: its first and its last.
    """

    number: int
    code: str
    row: str
    params: dict[str, str | int]
    cards: tuple[Card, ...]
    device: str
    table: str
    round: int
    at: str
    facts: tuple[int, int]
    evidence: tuple[f.Picture, ...] = ()
    informs: tuple[Role, ...] = ()
    by: str = ""
    ruling: str = ""
    decided_by: str = ""
    decided_at: str = ""
    note: str = ""
    lasted_ms: int | None = None
    card: CardFate | None = None
    bets: int | None = None
    returned: int = 0


class _Open(Struct, frozen=True):
    """A report that is not decided yet, with the clock of its first fact."""

    report: Report
    mono_ns: int
    boot: str


class _Ledger:
    """The fold. `ended` gives each report once its ruling is on record."""

    def __init__(self) -> None:
        self.table = Table()
        self.open: dict[int, _Open] = {}
        self.ended: list[Report] = []
        # Whether the void that may come now is that of the last ruling.
        self._ruled_void = False

    def take(self, row: Row) -> None:
        fact = row.fact
        match fact:
            case f.TableHeld() if fact.code != _WAIT:
                self._held(fact, row)
            case f.HoldReleased():
                self._released(fact, row)
            case g.RoundVoided():
                self._voided(fact, row)
        self._ruled_void = (isinstance(fact, f.HoldReleased) and fact.ruling == "void") or (
            self._ruled_void and isinstance(fact, _OF_THE_RULING)
        )
        self.table = evolve(self.table, fact)
        # What a person's void answered ends with it.
        if isinstance(fact, g.RoundVoided) and fact.by != g.STATION:
            left = {hold.hold for hold in self.table.holds}
            for number in [number for number in self.open if number not in left]:
                self._close(number, "void", fact.by, "", row)

    def _held(self, fact: f.TableHeld, row: Row) -> None:
        round_ = self.table.game.round
        now = round_.number if round_ is not None and round_.ended != "cleared" else 0
        named = row_of(fact.code, fact.params)
        report = Report(
            number=fact.hold,
            code=fact.code,
            row=named.number if named else "",
            params=fact.params,
            cards=fact.cards,
            device=fact.device,
            table=self.table.id,
            round=now,
            at=row.utc,
            facts=(row.seq, row.seq),
            evidence=fact.evidence,
            informs=named.informs if named else (),
            by=str(fact.params.get("by", "")),
        )
        self.open[fact.hold] = _Open(report, row.mono_ns, row.boot)

    def _released(self, fact: f.HoldReleased, row: Row) -> None:
        self._close(fact.hold, fact.ruling, fact.by, fact.note, row)

    def _close(self, number: int, ruling: str, by: str, note: str, row: Row) -> None:
        found = self.open.pop(number, None)
        if found is None:
            return
        same = found.boot == row.boot
        lasted = (row.mono_ns - found.mono_ns) // 1_000_000 if same else None
        open_ = is_open(self.table.game.round)
        self.ended.append(
            replace(
                found.report,
                ruling=ruling,
                decided_by=by,
                decided_at=row.utc,
                note=note,
                lasted_ms=lasted,
                card=ALL_WAYS[ruling].card if ruling in ALL_WAYS else None,
                bets=found.report.bets if found.report.bets is not None else (0 if open_ else None),
                facts=(found.report.facts[0], row.seq),
            )
        )

    def _voided(self, fact: g.RoundVoided, row: Row) -> None:
        """The bets came back: with the incidents that are open, and the one just ruled on."""
        returned = sum(line.returned for line in fact.lines)
        for number, one in self.open.items():
            report = replace(one.report, bets=len(fact.lines), returned=returned)
            self.open[number] = replace(one, report=report)
        if self._ruled_void and self.ended:
            self.ended[-1] = replace(self.ended[-1], bets=len(fact.lines), returned=returned)


def reports(rows: Iterable[Row]) -> Iterator[Report]:
    """Every incident in the order in which they ended, the undecided ones last. Raises
    JournalError for a fact that cannot be read.
    """
    ledger = _Ledger()
    for row in rows:
        ledger.take(row)
        # The void that follows a ruling belongs to it: one is kept back.
        while len(ledger.ended) > 1:
            yield ledger.ended.pop(0)
    yield from ledger.ended
    for number in sorted(ledger.open):
        yield ledger.open[number].report
