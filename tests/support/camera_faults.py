"""What can happen to a camera at a table, and every place of a round where it can: as data.

`strike` brings a table there, lets it happen, and follows it to the end of the round.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from station import messages as m
from station import snapshot as v
from station.table import facts as f
from tests.support.camera_floor import ABORT_AT, FAILPOINT, CameraFloor, CameraStation

# What lies in the window while it happens: nothing; the next card in the shoe's mouth, which is
# pushed back (`mouth`), or drawn while the table holds (`drawn`; `half`: it was more than half
# out); the last card, which was dealt (`dealt`). A card drawn while the table holds is read or not;
# read, it is set aside.
Lies: TypeAlias = Literal["nothing", "mouth", "drawn", "half", "dealt"]
PERCENT: dict[Lies, int] = {"mouth": 25, "drawn": 25, "half": 40, "dealt": 50}
Card: TypeAlias = tuple[str, int]
LONG_MS = 3_600_000


@dataclass(frozen=True)
class Fault:
    """`begin` gives what `end` needs; `end` None: it is over by itself. `health`: of the device
    while it lasts; `says`: part of what the technician is told, in English.
    """

    name: str
    begin: Callable[[CameraFloor], int]
    end: Callable[[CameraFloor, int], None] | None
    health: tuple[str, ...]
    says: tuple[str, ...]


def _killed(floor: CameraFloor, sign: int) -> int:
    pid = floor.station.reader()
    os.kill(pid, sign)
    return pid


def _glitch(name: str) -> Callable[[CameraFloor], int]:
    def begin(floor: CameraFloor) -> int:
        floor.camera.fault(name, ms=LONG_MS)
        return 0

    return begin


def _order(do: str, **params: object) -> Callable[[CameraFloor], int]:
    def begin(floor: CameraFloor) -> int:
        floor.camera.fault(do, **params)
        return 0

    return begin


def _clear(floor: CameraFloor, _: int) -> None:
    floor.camera.ask("clear")


def _replug(floor: CameraFloor, _: int) -> None:
    floor.camera.fault("replug")


def _go_on(_: CameraFloor, pid: int) -> None:
    os.kill(pid, signal.SIGCONT)


FAULTS: dict[str, Fault] = {
    fault.name: fault
    for fault in (
        Fault(
            "killed",
            lambda floor: _killed(floor, signal.SIGKILL),
            None,
            ("lost", "waiting", "up"),
            ("SIGKILL",),
        ),
        Fault(
            "aborted",
            _order("count_leaps", by=ABORT_AT),
            None,
            ("lost", "waiting", "up"),
            ("SIGABRT",),
        ),
        Fault(
            "stopped",
            lambda floor: _killed(floor, signal.SIGSTOP),
            _go_on,
            ("silent",),
            ("has said nothing",),
        ),
        Fault(
            "unplugged",
            _order("unplug"),
            _replug,
            ("lost", "waiting"),
            ("unplugged", "nothing is there"),
        ),
        Fault("frozen", _glitch("frozen"), _clear, ("blind",), ("same picture",)),
        Fault("black", _glitch("black"), _clear, ("blind",), ("black",)),
        Fault("stalled", _glitch("stall"), _clear, ("blind",), ("No pictures",)),
    )
}
# The places of a round, in order; at those in OWED a card is owed.
PHASES = (
    "betting", "first", "upcard", "second", "insurance", "decision", "hit", "third", "draw",
    "result", "idle",
)  # fmt: skip
OWED = ("first", "upcard", "second", "hit", "draw")
CARDS_OUT = ("upcard", "second", "insurance", "decision", "hit", "third", "draw")
# Before these a card was just dealt, which may still lie in the window.
AFTER_A_CARD = ("upcard", "second", "insurance", "decision", "third", "result")


def cases() -> list[tuple[str, str, Lies]]:
    """Every fault in every place, with whatever can lie in the window there."""
    found: list[tuple[str, str, Lies]] = []
    for fault in FAULTS:
        for phase in PHASES:
            found.append((fault, phase, "nothing"))
            if phase in OWED:
                found += [(fault, phase, "mouth"), (fault, phase, "drawn"), (fault, phase, "half")]
            if phase in AFTER_A_CARD:
                found.append((fault, phase, "dealt"))
    return found


class Tables:
    """One table for all cases; a new one after a case that failed, or when its shoe is through."""

    CASES_A_SHOE = 7

    def __init__(self, root: Path) -> None:
        self._root = root
        self._count = self._cases = 0
        self._aborted = False
        self._floor: CameraFloor | None = None

    def strike(self, fault: str, phase: str, lies: Lies) -> None:
        """One case."""
        # A reader's program dies once at a table: afterwards that picture has been.
        if self._cases == self.CASES_A_SHOE or self._aborted:
            self.close()
        self._aborted = fault == "aborted"
        floor = self._floor or self._made()
        self._cases += 1
        try:
            strike(floor, FAULTS[fault], phase, lies)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """The table ends."""
        floor, self._floor = self._floor, None
        if floor is not None:
            floor.station.close()

    def _made(self) -> CameraFloor:
        self._count, self._cases = self._count + 1, 0
        station = CameraStation(self._root / str(self._count))
        try:
            failing = ("env", f"{FAILPOINT}=abort:{ABORT_AT}")
            floor = CameraFloor(station.start(before=failing))
            floor.open_table().sit(1)
        except BaseException:
            station.close()
            raise
        self._floor = floor
        return floor


class Round:
    """One round of seat 1, place by place: five, dealer's nine or ace, six; seven is hit; the
    dealer draws an eight. Each card is of a deck of its own.
    """

    def __init__(self, floor: CameraFloor, *, ace: bool) -> None:
        self.floor = floor
        faces = ("5H", "AD" if ace else "9D", "6C", "7H", "8S")
        self.cards: list[Card] = [(face, floor.another(face)) for face in faces]
        self.given: list[Card] = []
        self._ace = ace
        self._steps = self._run()
        self.phase = next(self._steps)
        self._rests = False

    def to(self, phase: str, *, rests: bool = False) -> None:
        """Play on to that place. `rests`: the card before it stays in the window."""
        while self.phase != phase:
            after = PHASES.index(self.phase) + 1
            self._rests = rests and self._next(after) == phase
            self.phase = next(self._steps)

    def deal(self) -> v.LastReadView:
        """The next card, which is dealt."""
        face, deck = self.cards[len(self.given)]
        self.given.append((face, deck))
        pass_it = self._left_there if self._rests else self.floor.shown
        last = pass_it(face, deck)
        assert (last.outcome, last.face) == ("dealt", face), last
        return last

    def _left_there(self, face: str, deck: int) -> v.LastReadView:
        floor = self.floor
        while True:
            before = floor.reads
            floor.camera.fault("rests", percent=PERCENT["dealt"], ms=LONG_MS)
            floor.camera.card(face, deck)
            last = floor.seen(before)
            if last.outcome != "no_read":
                return floor.that_one(last)
            floor.camera.until("rests")
            floor.camera.fault("draw_on")
            floor.camera.until("empty")
            floor.released()

    def _next(self, index: int) -> str:
        skipped = not self._ace and PHASES[index] == "insurance"
        return PHASES[index + skipped]

    def _run(self) -> Iterator[str]:
        floor = self.floor
        number = floor.open()
        floor.host.must(m.PlaceBet(number, 1, "P1", 1000))
        yield "betting"
        floor.host.must(m.CloseBetting(number))
        self._owed("first")
        yield "first"
        self.deal()
        self._owed("upcard")
        yield "upcard"
        self.deal()
        self._owed("second")
        yield "second"
        self.deal()
        if self._ace:
            floor.host.wait_for(lambda s: s.window is not None, "the insurance window")
            yield "insurance"
            window = floor.host.wait_for(lambda s: s.window is not None).window
            assert window is not None
            floor.host.must(m.Insure(number, window.window, "P1", False))
        self._asked()
        yield "decision"
        floor.act("hit")
        self._owed("hit")
        yield "hit"
        self.deal()
        self._asked()
        yield "third"
        floor.act("stand")
        self._owed("draw")
        yield "draw"
        self.deal()
        floor.console.wait_for(lambda s: s.phase == "result", "the result")
        yield "result"
        floor.clear()
        yield "idle"

    def _owed(self, action: str) -> None:
        self.floor.console.wait_for(
            lambda s: s.prompt.kind == "card" and s.prompt.action == action, action
        )

    def _asked(self) -> None:
        self.floor.host.wait_for(lambda s: s.decision is not None, "a decision is asked")


def strike(floor: CameraFloor, fault: Fault, phase: str, lies: Lies = "nothing") -> None:
    """It happens there, is held, mended and ruled on; then the round is played to its end."""
    before = floor.dealt()
    written = len(floor.station.journal())
    play = Round(floor, ace=phase == "insurance")
    play.to(phase, rests=lies == "dealt")
    if lies in ("mouth", "drawn", "half"):
        face, deck = play.cards[len(play.given)]
        floor.camera.fault("rests", percent=PERCENT[lies], ms=LONG_MS)
        floor.camera.card(face, deck)
    if lies != "nothing":
        floor.camera.until("rests")
    begun = fault.begin(floor)
    hold = _holds(floor, fault)
    if fault.end is not None:
        fault.end(floor, begun)
    floor.up()
    if lies != "nothing":
        floor.camera.fault("put_back" if lies == "mouth" else "draw_on")
        floor.camera.until("empty")
    _ruled(floor, hold, play, phase, written)
    assert floor.dealt() == before + [face for face, _ in play.given]
    if floor.console.now.phase != "void":
        play.to("idle")
        assert floor.dealt() == before + [face for face, _ in play.cards]
    floor.station.verified()


def _holds(floor: CameraFloor, fault: Fault) -> v.HoldView:
    """The table holds, and says in both languages why and what to do."""
    hold = floor.held("reader_lost")
    assert hold.device == "shoe"
    for text in (hold.what, hold.hands, hold.who):
        assert text.ko
        assert text.en
    now = floor.console.now
    told = [one.devices[0] for one in floor.console.of(v.Snapshot) if one.round == now.round]
    held = [one for one in told if one.health in fault.health]
    said = [one.technician.en for one in held if one.technician]
    assert any(words in text for words in fault.says for text in said), said
    assert all(one.text.ko and one.technician and one.technician.ko for one in held)
    assert now.prompt.kind == "hold"
    assert now.prompt.slot is None, "no card is owed while the table holds"
    return hold


def _ruled(floor: CameraFloor, hold: v.HoldView, play: Round, phase: str, written: int) -> None:
    """A supervisor's ruling: with cards out the last one has to be read again, and nothing else may
    have been drawn; else all is void. `written`: so many facts are of rounds before; their shoes
    may have had the same card.
    """
    if phase not in CARDS_OUT:
        floor.rule(hold, "release")
        return
    assert floor.pit.refused(m.Rule(hold.hold, "release")) == "cards_are_out"
    face, deck = play.given[-1]
    last = floor.shown(face, deck)
    assert (last.outcome, last.face) == ("reread", face)
    rows = floor.station.journal()[written:]
    aside = [row.fact for row in rows if row.kind == "ReadSetAside"]
    drawn = play.cards[len(play.given)] if len(play.given) < len(play.cards) else None
    if any(
        (one.card.face, one.card.deck) == drawn for one in aside if isinstance(one, f.ReadSetAside)
    ):
        assert floor.pit.refused(m.Rule(hold.hold, "aligned")) == "drawn_during_hold"
        floor.rule(hold, "void")
        assert floor.paid()[floor.console.now.round, 1] == [("void", 1000)]
        floor.new_shoe(f"S{floor.console.now.round + 1}")
    else:
        floor.rule(hold, "aligned")
