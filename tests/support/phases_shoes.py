"""Where a table can be, continued: shoes that are checked before they go in."""

from __future__ import annotations

from station.game.check import CardSet, ShoeRules
from station.game.rules import TableRules
from station.table import inputs as i
from station.table import shoe_inputs as si
from tests.support.every_shoe_command import WHOLE
from tests.support.phases import phase
from tests.support.phases_held import PHASES
from tests.support.play import CONSOLE, DEALER, HOST, PIT, SUPERVISOR, Play

__all__ = ["PHASES"]

RED, BLUE = CardSet("A", "red"), CardSet("B", "blue")
STRICT = ShoeRules("required", two_people=True, sets=(RED, BLUE))


class CheckedPlay(Play):
    """A table that deals from checked shoes alone, of two sets, with two people."""

    def __init__(self, rules: TableRules | None = None, shoes: ShoeRules = STRICT) -> None:
        self.shoes = shoes
        super().__init__(rules)

    def start(self) -> None:
        self.give(
            i.StationStart("T01", "test", "0", ("shoe",), self.rules, self.kind, shoe=self.shoes)
        )

    def staffed(self) -> CheckedPlay:
        """Everybody in, the reader up, and no shoe."""
        self.give(i.LinkUp(HOST.link, "host", "game"))
        self.give(i.DeviceHealth("shoe", "up", ""))
        self.must(CONSOLE, i.LogIn(DEALER.staff, DEALER))
        self.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
        return self

    def begin(self, name: str = "C1", letter: str = "A", reason: str = "") -> CheckedPlay:
        self.must(PIT, si.BeginShoeCheck(name, letter, "shoe", "", reason, "1001", DEALER))
        return self

    def finish(self) -> CheckedPlay:
        self.must(PIT, si.FinishShoeCheck(self.table.shoes.checks, WHOLE, "virtual"))
        return self

    def checked(self, name: str = "C1", letter: str = "A", reason: str = "") -> CheckedPlay:
        """Found whole, and shuffled."""
        self.begin(name, letter, reason).finish()
        self.must(PIT, si.ShoeShuffled(name))
        return self

    def load(self, name: str = "C1", letter: str = "A", reason: str = "") -> CheckedPlay:
        self._decks = {}
        self.must(PIT, i.LoadShoe(name, letter, reason=reason, second=DEALER.staff, person=DEALER))
        return self

    def new_shoe(self, name: str) -> None:
        """As everywhere in these tests, by its own way."""
        self.checked(name).load(name)
        self.must(PIT, i.ReleaseShoe(name, self.table.version))

    def play_one(self) -> CheckedPlay:
        """A whole round."""
        self.deal("TS 9S 8S 8H 7S")
        self.act("stand", "stand")
        self.card("TH")
        self.clear()
        return self


@phase("no_round")
def nothing_checked() -> Play:
    return CheckedPlay().staffed()


@phase("shoe_check")
def check_running() -> Play:
    return CheckedPlay().staffed().begin()


@phase("no_round")
def check_cancelled() -> Play:
    play = CheckedPlay().staffed().begin()
    play.must(PIT, si.CancelShoeCheck(1))
    return play


@phase("no_round")
def found_whole() -> Play:
    return CheckedPlay().staffed().begin().finish()


@phase("no_round")
def shuffled_and_sealed() -> Play:
    play = CheckedPlay().staffed().begin().finish()
    play.must(PIT, si.ShoeShuffled("C1", "7"))
    return play


@phase("no_round")
def checked_by_a_machine() -> Play:
    play = CheckedPlay().staffed()
    play.must(
        PIT,
        si.EnterCheckersReceipt("C3", "B", "M1", "7", "09:00", "kim", second="1001", person=DEALER),
    )
    return play


@phase("no_round")
def the_other_set_is_due() -> Play:
    play = CheckedPlay().staffed()
    play.new_shoe("C0")
    play.play_one()
    play.must(PIT, si.TakeOutShoe("C0", "changed"))
    return play.checked("C1", "A")


@phase("no_round")
def a_set_is_barred() -> Play:
    play = CheckedPlay().staffed()
    play.new_shoe("S1")
    play.play_one()
    play.must(PIT, si.TakeOutShoe("S1", "changed"))
    play.must(PIT, i.ReconcileShoe("S1", {"KH": 8}))
    return play
