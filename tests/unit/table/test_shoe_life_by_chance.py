"""Whatever people order of shoes, and whatever happens meanwhile: no shoe goes in that was not
checked whole, shuffled since, and put in by two; and no check is good for two loads.
"""

from __future__ import annotations

import os
import random

import pytest

from station.game import facts as g
from station.game.check import FACES, Tally
from station.table import facts as f
from station.table import inputs as i
from station.table import shoe_facts as s
from station.table import shoe_inputs as si
from station.table.state import expected
from tests.support.every_shoe_command import WHOLE
from tests.support.phases_shoes import CheckedPlay
from tests.support.play import DEALER, MANAGER, PIT, SUPERVISOR

PLAYS = 60 * int(os.environ.get("DEALER_STATION_TEST_LONG", "1"))
STEPS = 120
NAMES, LETTERS = ("C1", "C2", "C3"), ("A", "B")
SHORT = Tally({name: n for name, n in WHOLE.cards.items() if name not in ("KH3", "5S1")})
DOUBT = Tally(WHOLE.cards, again={"KH3": 1})


class Books:
    """What must be true, kept beside the table and by other means."""

    def __init__(self) -> None:
        self.whole: dict[int, tuple[str, str]] = {}
        self.shuffled: set[int] = set()
        self.spent: set[int] = set()
        self.dead: set[int] = set()
        self.running = 0
        self.receipts: set[tuple[str, str]] = set()
        self.bad: dict[str, str] = {}
        self.letters: dict[str, str] = {}
        self.in_play = ""
        self.last = ""

    def _again(self, shoe: str, letter: str) -> None:
        """Those cards are run through once more."""
        self.dead |= {
            n for n, known in self.whole.items() if shoe == known[0] or letter == known[1]
        }

    def book(self, fact: f.AnyFact) -> None:
        match fact:
            case s.ShoeCheckBegun():
                assert not self.running
                assert fact.second not in ("", fact.by)
                self.running = fact.check
                self._again(fact.manifest.shoe, fact.manifest.set)
            case s.ShoeCheckEnded():
                assert fact.check == self.running
                self.running = 0
            case s.ShoeChecked():
                assert fact.check == self.running
                self.running = 0
                if not fact.why:
                    assert set(fact.counts.values()) == {8}
                    self.whole[fact.check] = (fact.manifest.shoe, fact.manifest.set)
            case s.CheckersReceiptEntered():
                assert not self.running
                assert (fact.machine, fact.number) not in self.receipts
                self.receipts.add((fact.machine, fact.number))
                self._again(fact.manifest.shoe, fact.manifest.set)
                self.whole[fact.check] = (fact.manifest.shoe, fact.manifest.set)
            case s.ShuffledAfterCheck():
                assert fact.check in self.whole
                self.shuffled.add(fact.check)
            case s.ShoeBarLifted():
                self.bad.pop(fact.shoe, None)
            case g.ShoeLoaded():
                self._loaded(fact)
            case g.ShoeReleased():
                self.last = self.in_play = self.letters[fact.shoe]
            case g.ShoeReconciled():
                wrong = bool(fact.missing or fact.surplus)
                self.bad.pop(fact.shoe, None)
                if wrong:
                    self.bad[fact.shoe] = self.letters[fact.shoe]

    def _loaded(self, fact: g.ShoeLoaded) -> None:
        assert not self.running
        assert fact.second not in ("", fact.by)
        assert self.whole[fact.check] == (fact.shoe, fact.set)
        assert fact.check in self.shuffled - self.spent - self.dead, "spent, or not shuffled since"
        assert fact.set != self.last or fact.reason, "the set that came out goes back in"
        assert fact.shoe not in self.bad
        assert fact.set not in self.bad.values()
        self.spent.add(fact.check)
        self._again(fact.shoe, fact.set)
        self.letters[fact.shoe] = fact.set


Given = i.AnyTableCommand | i.DeviceHealth | i.DeviceFault | None


def sensible(dice: random.Random, play: CheckedPlay) -> Given:
    """What people would do next."""
    shoes, shoe = play.table.shoes, play.table.game.shoe
    if shoes.running is not None:
        return si.FinishShoeCheck(shoes.checks, dice.choice((WHOLE, WHOLE, SHORT)))
    if shoe.state == "loaded":
        return i.ReleaseShoe(shoe.id, play.table.version)
    if shoe.state == "in_play":
        return si.TakeOutShoe(shoe.id, "changed")
    ready = dice.choice(shoes.good) if shoes.good else None
    if ready is None:
        letter = dice.choice(LETTERS)
        return si.BeginShoeCheck(dice.choice(NAMES), letter, "shoe", "", "", "1001", DEALER)
    if not ready.shuffled:
        return si.ShoeShuffled(ready.manifest.shoe)
    name, letter = ready.manifest.shoe, ready.manifest.set
    return i.LoadShoe(name, letter, second="1001", person=DEALER)


def something(dice: random.Random, play: CheckedPlay) -> Given:
    """An order or a happening, sound or not; None: the station starts anew."""
    if dice.random() < 0.5:
        return sensible(dice, play)
    name, letter = dice.choice(NAMES), dice.choice(LETTERS)
    shoes, shoe = play.table.shoes, play.table.game.shoe
    number = dice.choice((shoes.checks, shoes.checks, shoes.checks + 1))
    reason = dice.choice(("", "", "because"))
    with_him = {"second": "1001", "person": DEALER} if dice.random() < 0.9 else {}
    gone = [one.card.face for one in shoe.gone]
    left = {face: 8 - gone.count(face) for face in FACES}
    left["KH"] -= dice.random() < 0.3
    happenings: tuple[Given, ...] = (
        si.BeginShoeCheck(name, letter, "shoe", "", reason, **with_him),  # type: ignore[arg-type]
        si.BeginShoeCheck(name, letter, "shoe", "", "because", "1001", DEALER),
        si.FinishShoeCheck(number, dice.choice((WHOLE, WHOLE, WHOLE, SHORT, DOUBT))),
        si.FinishShoeCheck(number, WHOLE),
        si.CancelShoeCheck(number),
        si.EnterCheckersReceipt(
            name,
            letter,
            "M",
            str(dice.randint(1, 4)),
            "9:00",
            "",
            note=reason,
            **with_him,  # type: ignore[arg-type]
        ),
        si.ShoeShuffled(name),
        si.ShoeShuffled(name),
        *(i.LoadShoe(one, two, reason=reason, **with_him) for one in NAMES for two in LETTERS),  # type: ignore[arg-type]
        i.ReleaseShoe(shoe.id or "C1", play.table.version),
        i.ReleaseShoe(shoe.id or "C1", play.table.version),
        si.TakeOutShoe(shoe.id or "C1", "changed"),
        i.ReconcileShoe(shoe.id or "C1", left),
        i.ReconcileShoe(name, left),
        si.LiftShoeBar(name, "found"),
        i.DeviceHealth("shoe", dice.choice(("lost", "up")), ""),
        i.DeviceFault("shoe", "inbox_full", ""),
        None,
    )
    return dice.choice(happenings)


@pytest.mark.parametrize("seed", range(PLAYS))
def test_no_shoe_goes_in_but_on_a_whole_fresh_check_by_two(seed: int) -> None:
    dice, books, play = random.Random(seed), Books(), CheckedPlay().staffed()
    seen = 0
    for _ in range(STEPS):
        given = something(dice, play)
        if given is None:
            play.start()
        elif isinstance(given, i.DeviceHealth | i.DeviceFault):
            play.give(given)
        else:
            play.say(PIT, given)
        for person in (SUPERVISOR, MANAGER) if dice.random() < 0.2 else (SUPERVISOR,):
            play.say(PIT, i.LogIn(person.staff, person))
        for hold in play.table.holds:
            play.say(PIT, i.Rule(hold.hold, "release", "", None))
        if play.table.game.shoe.state == "in_play" and dice.random() < 0.3:
            play.card(dice.choice(FACES), letter=play.table.game.shoe.set)
            for hold in play.table.holds:
                play.say(PIT, i.Rule(hold.hold, "burn", "", None))
        for fact in play.facts[seen:]:
            books.book(fact)
        seen = len(play.facts)
        running = play.table.shoes.running
        assert (running.check if running is not None else 0) == books.running
        if running is not None and not play.table.holds:
            assert getattr(expected(play.table), "code", "") == "shoe_check"


def test_the_plays_by_chance_get_somewhere() -> None:
    """Else they would prove nothing."""
    counts: dict[str, int] = {}
    for seed in range(20):
        dice, play = random.Random(seed), CheckedPlay().staffed()
        for _ in range(STEPS):
            given = something(dice, play)
            if isinstance(given, i.DeviceHealth | i.DeviceFault):
                play.give(given)
            elif given is not None:
                play.say(PIT, given)
            play.say(PIT, i.LogIn(MANAGER.staff, MANAGER))
            for hold in play.table.holds:
                play.say(PIT, i.Rule(hold.hold, "release", "", None))
        for fact in play.facts:
            counts[type(fact).__name__] = counts.get(type(fact).__name__, 0) + 1
    for kind in ("ShoeLoaded", "ShoeChecked", "ShuffledAfterCheck"):
        assert counts.get(kind, 0) > 20, counts
    for kind in ("CheckersReceiptEntered", "ShoeCheckEnded"):
        assert counts.get(kind, 0) > 5, counts
