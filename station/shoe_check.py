"""The room in which a shoe's check counts: in memory alone, and never in order.

While a shoe is checked, and until one is put in, what passes a reader is a card of a set that is
being checked or shuffled. Such a reading becomes no fact: neither its bytes nor its text, its
picture or its moment is kept. What stays is how many there were of each card; the last one is known
so that it is not counted twice, and forgotten with the check. A crash loses the count, and the
table says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from station.game.cards import Card
from station.game.check import Manifest, Tally, place
from station.table import facts as f
from station.table import inputs as i
from station.table import shoe_facts as s
from station.table import shoe_inputs as si
from station.table.doubts import DOUBT_MS, REPEAT_MS
from station.table.state import Table

Told = Literal[
    "", "counted", "repeat", "again", "foreign", "cut", "unread", "elsewhere", "not_running"
]
_GOOD = ("counted", "cut")
_ENDS = (s.ShoeCheckEnded, s.ShoeChecked)


class Counted(Struct, frozen=True):
    """What may be shown while a check runs: how many, and what came of the last reading."""

    read: int = 0
    told: Told = ""


class Counter:
    """Counts one shoe. `by_time`: nothing but time tells two cards of one face apart."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._cards: dict[str, int] = {}
        self._again: dict[str, int] = {}
        self._foreign: dict[str, int] = {}
        self._repeats = self._close = self._cut = self._unread = 0
        self._last: tuple[str, int] = ("", 0)

    @property
    def read(self) -> int:
        """How many cards of this shoe were counted."""
        return sum(self._cards.values())

    def card(self, given: i.CardSeen) -> Told:
        """One card was read: whether it counts."""
        card, (last, last_ms) = given.card, self._last
        name = f"{card.face}{card.deck}" if card.deck else card.face
        if self._is_foreign(card):
            known = f"{card.set or '-'}{name}"
            if last == known:
                self._repeats += 1
                return "repeat"
            self._last = (known, given.at_ms)
            self._foreign[known] = self._foreign.get(known, 0) + 1
            return "foreign"
        since = given.at_ms - last_ms
        self._last = (name, given.at_ms)
        if not card.deck:
            return self._by_face(given, name, since if last == name else None)
        if last == name:
            self._repeats += 1
            return "repeat"
        if name in self._cards:
            self._again[name] = self._again.get(name, 0) + 1
            return "again"
        self._cards[name] = 1
        return "counted"

    def _by_face(self, given: i.CardSeen, name: str, since_ms: int | None) -> Told:
        """A face alone: what the reader tells again, or at once after, is that same card."""
        if given.resent or (since_ms is not None and since_ms <= REPEAT_MS and not given.numbered):
            self._repeats += 1
            return "repeat"
        if since_ms is not None and since_ms <= REPEAT_MS + DOUBT_MS and not given.numbered:
            self._close += 1
        self._cards[name] = self._cards.get(name, 0) + 1
        return "counted"

    def _is_foreign(self, card: Card) -> bool:
        other = bool(self._manifest.set and card.set and card.set != self._manifest.set)
        return other or card.deck > self._manifest.decks

    def cut(self, given: i.CutCardSeen) -> Told:
        """The cut card: this set's, or another's."""
        if self._manifest.set and given.set and given.set != self._manifest.set:
            known = f"{given.set}CUT"
            self._foreign[known] = self._foreign.get(known, 0) + 1
            return "foreign"
        self._cut += 1
        return "cut"

    def missed(self, given: i.ReadMissed) -> Told:
        """Something passed and could not be read; noise on the line is no card."""
        if not given.passed:
            return ""
        self._unread += 1
        # The card shown next may be that one, or one of its face: it is told as what it is.
        return "unread"

    def tally(self) -> Tally:
        """Everything that was counted, each mapping in the order of a new deck."""
        return Tally(
            _sorted(self._cards),
            _sorted(self._again),
            dict(sorted(self._foreign.items(), key=lambda pair: (place(pair[0][1:]), pair[0]))),
            self._repeats,
            self._close,
            self._cut,
            self._unread,
        )


def _sorted(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: place(pair[0])))


class CheckRoom:
    """Used by the controller's thread alone. `heard` is told of each reading, for the reader's
    beep; `identity` says what a device is; `forget` takes pictures away that a reader kept before
    it was told to keep none.
    """

    def __init__(
        self,
        heard: Callable[[str, Literal["good", "bad"]], None] = lambda _device, _sound: None,
        identity: Callable[[str], str] = lambda _device: "",
        forget: Callable[[tuple[str, ...]], None] = lambda _names: None,
    ) -> None:
        self._heard = heard
        self._identity = identity
        self._forget = forget
        self._counter: Counter | None = None
        self._told: Told = ""
        self._news = False

    @property
    def counted(self) -> Counted:
        """What may be shown now."""
        return Counted(self._counter.read if self._counter else 0, self._told)

    def takes(self, table: Table, given: i.AnyInput) -> bool:
        """Whether that reading ends here: it is of a set that is being checked or shuffled."""
        if not table.shoes.quiet:
            return False
        told: Told
        match given:
            case i.CardSeen() | i.CutCardSeen() | i.ReadMissed():
                told = self._read(table, given)
            case i.CardPassed():
                return True
            case i.ButtonPressed(button="cut_card"):
                told = "cut"
            case _:
                return False
        if told:
            self._told = told
            self._news = True
            self._heard(given.device, "good" if told in _GOOD else "bad")
        return True

    def left(self, table: Table, given: list[i.AnyInput]) -> list[i.AnyInput]:
        """Those that become facts: of a set that is being checked no reading does, and a device's
        trouble is told without its details, which may name a card.
        """
        if not table.shoes.quiet:
            return given
        return [_plain(one) for one in given if not self.takes(table, one)]

    def _read(self, table: Table, given: i.CardSeen | i.CutCardSeen | i.ReadMissed) -> Told:
        if given.evidence:
            self._forget(tuple(one.name for one in given.evidence))
        running = table.shoes.running
        if running is None or self._counter is None:
            return "not_running"
        if given.device != running.device:
            return "elsewhere"
        match given:
            case i.CardSeen():
                return self._counter.card(given)
            case i.CutCardSeen():
                return self._counter.cut(given)
            case i.ReadMissed():
                return self._counter.missed(given)

    def news(self) -> bool:
        """Whether something was told since this was last asked."""
        news, self._news = self._news, False
        return news

    def completed(self, table: Table, command: i.AnyCommand) -> i.AnyCommand:
        """A check that is to end gets what was counted, which nobody else can say."""
        running = table.shoes.running
        if not isinstance(command, si.FinishShoeCheck) or running is None:
            return command
        tally = self._counter.tally() if self._counter else Tally()
        return replace(command, tally=tally, identity=self._identity(running.device))

    def committed(self, facts: tuple[f.AnyFact, ...]) -> None:
        """These facts are on disk: a check begins, or is over and its count forgotten."""
        for fact in facts:
            if isinstance(fact, s.ShoeCheckBegun):
                self._counter, self._told = Counter(fact.manifest), ""
            elif isinstance(fact, _ENDS):
                self._counter, self._told = None, ""


def _plain(given: i.AnyInput) -> i.AnyInput:
    """What a port says of itself has no cause, and no card in it."""
    of_port = isinstance(given, i.DeviceHealth) and not given.cause
    if isinstance(given, i.DeviceFault | i.DeviceHealth) and not of_port:
        return replace(given, detail="")
    return given
