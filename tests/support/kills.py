"""A real station killed at a place by chance while much happens, and started again from its files.

The dealer, the pit and a host do what comes by seed: rounds of several seats, cards too many,
reports, rulings, voids, a wrong PIN, a new shoe. What each was answered is kept, and held against
the journal of the dead station and of the one that starts after it.
"""

from __future__ import annotations

import random
import signal
from pathlib import Path

from station import messages as m
from station.audit.verify import verify
from station.failpoint import PLACES
from station.game.cards import RANKS, SUITS
from station.journal import Row
from station.table import facts as f
from station.table.evolve import fold
from station.table.state import Table
from tests.support.daemon import Client, Ended, Station
from tests.support.floor import Floor
from tests.support.watch import Ledger

LONGEST = 120
WRONG = "0000"


class Evening:
    """What people do, by seed, until the station dies. `answered`: the commands it answered."""

    def __init__(self, floor: Floor, rand: random.Random) -> None:
        self.floor, self.random = floor, rand
        self.shoe = [(rank + suit, n) for rank in RANKS for suit in SUITS for n in range(1, 9)]
        rand.shuffle(self.shoe)
        self.shoes = 1
        self.wrong = 0
        self.answered: set[tuple[str, str]] = set()

    def play(self) -> None:
        """Raises Ended when the station dies."""
        self.floor.open_table().sit(1, 3)
        while True:
            self.step()

    def step(self) -> None:
        """One thing that somebody does."""
        self.all_see(max(one.now.version for one in self.links))
        floor, now = self.floor, self.floor.pit.now
        if now.holds:
            self.rule()
        elif now.shoe.state in ("none", "out"):
            self.shoes += 1
            floor.new_shoe(f"S{self.shoes}")
        elif now.phase in ("idle", "void", "result"):
            self.between()
        elif self.random.random() < 0.08:
            self.mishap()
        elif now.prompt.kind == "card":
            self.draw()
        elif floor.host.now.decision is not None:
            floor.act(self.random.choice(("stand", "stand", "hit")))
        elif now.window is not None:
            for seat in (1, 3):
                answer = m.Insure(
                    now.round, now.window.window, f"P{seat}", self.random.random() < 0.5
                )
                self.tell(floor.host, answer, refused=True)
        else:
            void = m.VoidRound(now.round, "equipment", now.version)
            self.tell(floor.pit, void, refused=True)

    def between(self) -> None:
        """A round is over, or none was opened."""
        floor = self.floor
        if floor.console.now.phase == "result":
            self.tell(floor.console, m.Cleared(floor.console.now.round))
        seats = self.random.choice(((1,), (1, 3)))
        for seat in seats:
            # Who did not bet has left the seat (R13).
            self.tell(floor.host, m.TakeSeat(seat, f"P{seat}"), refused=True)
        floor.bet(seats)

    def draw(self) -> None:
        """The next card."""
        before = self.floor.reads
        face, deck = self.shoe.pop()
        self.floor.station.send(face, deck)
        self.floor.seen(before)

    def mishap(self) -> None:
        """Something that ought not to happen."""
        floor = self.floor
        what = self.random.randrange(4)
        if what == 0:
            self.tell(floor.console, m.ReportError("misdeal"))
        elif what == 1:
            self.wrong += 1
            self.tell(floor.pit, m.LogIn("3001", WRONG), refused=True)
        elif what == 2:
            self.draw()
        else:
            now = floor.pit.now
            self.tell(floor.pit, m.VoidRound(now.round, "misdeal", now.version), refused=True)

    def rule(self) -> None:
        """What holds is ruled on in some way that is open."""
        hold = self.floor.pit.now.holds[0]
        ways = [way.ruling for way in hold.rulings if way.refusal is None]
        ruling = self.random.choice(ways)
        self.tell(self.floor.pit, m.Rule(hold.hold, ruling), refused=True)  # type: ignore[arg-type]

    def tell(self, link: Client, command: m.AnyCommand, *, refused: bool = False) -> None:
        """A command, and its answer; others see it before the next one acts."""
        name = link.next_id()
        answer = link.ask(command, name)
        self.answered.add((link.role, name))
        assert answer.ok or refused, answer
        self.all_see(answer.version)

    @property
    def links(self) -> tuple[Client, Client, Client]:
        """The three."""
        return self.floor.console, self.floor.host, self.floor.pit

    def all_see(self, version: int) -> None:
        """Every screen shows at least that."""
        for one in self.links:
            one.wait_for(lambda s: s.version >= version, "the same on every screen")


def killed(folder: Path, seed: int) -> str:
    """One station's end and its next start; where it died. Raises AssertionError."""
    rand = random.Random(seed)
    place = f"{rand.choice(PLACES)}:{rand.randint(4, LONGEST)}"
    station = Station(folder)
    evening: Evening | None = None
    try:
        try:
            evening = Evening(Floor(station.start(place)), rand)
            evening.play()
        except Ended:
            pass
        assert station.gone() == -signal.SIGKILL, place
        left = station.journal()
        before = fold(Table(), (row.fact for row in left))
        checked(station, left)
        if evening is not None:
            _answered(left, evening.answered)
        station.start()
        floor = Floor(station)
        later = station.journal()
        assert later[: len(left)] == left, "a fact that was stored is gone"
        after = fold(Table(), (row.fact for row in later))
        assert after.attempts.people == before.attempts.people, "a wrong PIN is forgotten"
        devices = {hold.hold for hold in before.holds if hold.device}
        assert devices <= {hold.hold for hold in after.holds}, "a fault is forgotten"
        assert floor.console.now.round >= before.game.rounds
        assert station.stop() == 0
        checked(station, station.journal())
    finally:
        station.close()
    return place


def checked(station: Station, rows: list[Row]) -> None:
    """Chain and seals hold, and no bet is paid twice."""
    verify(station.journal_path)
    ledger = Ledger()
    for row in rows:
        ledger.book(row.fact)


def _answered(rows: list[Row], answered: set[tuple[str, str]]) -> None:
    """Whatever was answered is on disk."""
    stored = {row.fact.command for row in rows if isinstance(row.fact, f.CommandAnswered)}
    for role, name in answered:
        assert any(one.startswith(f"{role}:") and one.endswith(f"/{name}") for one in stored), name
