"""The table at one moment: the game, the people, the devices, and what holds it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.cards import Card
from station.game.dealing import Expected, Nobody, next_expected
from station.game.game import Game
from station.game.incidents import RESTART
from station.game.refusal import Refusal
from station.game.rules import TableRules
from station.game.shoe import Retired, retire
from station.game.state import Round, Slot, Window, is_open
from station.table.attempts import Attempts, clocks
from station.table.conditions import Conditions
from station.table.facts import Person, Picture
from station.table.shoe_state import Shoes

Life = Literal["open", "paused", "closed"]

# The link of who signed in by a badge at the table, and for how long that lasts.
AT_TABLE = "table"
BADGE_SECONDS = 300
# So long after the sensor a reader may tell which card it was.
UNREAD_SECONDS = 1


# What a device that is there may suffer from, the worst first; several at once.
STATES = ("silent", "blind", "covered", "garbled", "not_answering", "impaired")


class Standing(Struct, frozen=True):
    """A state of a device that has not ended yet, and what it comes from."""

    cause: str
    health: str
    detail: str


class Device(Struct, frozen=True):
    """A device and its health: of its port, and of what it suffers from while that is up the worst.
    `board`: it sees no card, so that cards go on without it. `numbers`: it numbers what it sees
    drawn.
    """

    name: str
    port: str = "waiting"
    port_detail: str = ""
    board: bool = False
    numbers: bool = False
    standing: tuple[Standing, ...] = ()

    @property
    def health(self) -> str:
        """How it is, in one word."""
        return self._worst.health

    @property
    def detail(self) -> str:
        """For the technician."""
        return self._worst.detail

    @property
    def cause(self) -> str:
        """What that comes from, "" where it is its port's."""
        return self._worst.cause

    @property
    def _worst(self) -> Standing:
        if self.port == "up" and self.standing:
            return min(self.standing, key=lambda state: STATES.index(state.health))
        return Standing("", self.port, self.port_detail)

    @property
    def reads(self) -> bool:
        """Whether reads can come from it: up, also when it says garbage or takes no output. A board
        has none to give.
        """
        return self.board or self.health in ("up", "garbled", "not_answering", "impaired")


class Signed(Struct, frozen=True):
    """A person of higher rank, signed in at a link. `since`: the fact by which he did."""

    person: Person
    link: str
    since: int = 0

    def stands_at(self, link: str) -> bool:
        """Whether he may act at that link: a badge at the table counts at each console of it."""
        return self.link == link or (self.link == AT_TABLE and link.startswith("console:"))


class Hold(Struct, frozen=True):
    """Why the table holds. `aligned`: the last card was read again since. `evidence`: the pictures
    of the read that led to it.
    """

    hold: int
    code: str
    device: str
    params: dict[str, str | int]
    cards: tuple[Card, ...]
    aligned: bool = False
    evidence: tuple[Picture, ...] = ()


class FaceRead(Struct, frozen=True):
    """When a face was last read (monotonic ms) and by which reader, where nothing else tells two
    such cards apart. `earlier_start`: the station has started since, maybe the machine and its
    clock too.
    """

    face: str
    at_ms: int
    device: str = ""
    earlier_start: bool = False


class Watched(Struct, frozen=True):
    """What the shoe's sensor and the readers have told that the other has not yet.

    `left_ms`: when the sensor saw a card leave that no reader has told of; `read_ms`: when a reader
    told of one that the sensor has not seen; 0: none. `count` numbers what left, `device` is the
    sensor.
    """

    left_ms: int = 0
    read_ms: int = 0
    count: int = 0
    device: str = ""


class Unread(Struct, frozen=True):
    """Cards that were drawn for a place that is still owed one, and that no reader has told: how
    many, as far as is known, and the reader they passed. They are shown again before another one
    is drawn. A supervisor's release does not read them: they stay. `evidence`: the last pictures
    there are of it.
    """

    cards: int = 0
    device: str = ""
    evidence: tuple[Picture, ...] = ()

    @property
    def less(self) -> Unread:
        """What is left when one of them has been told."""
        return Unread(self.cards - 1, self.device) if self.cards > 1 else Unread()


class LastRead(Struct, frozen=True):
    """The last thing a reader said, what became of it, and the pictures it was read from."""

    number: int
    outcome: str
    face: str
    device: str
    slot: Slot | None = None
    code: str = ""
    evidence: tuple[Picture, ...] = ()


class Recent(Struct, frozen=True):
    """A past round in one line. `marked`: why it is to be reviewed, "" when it is not."""

    round: int
    outcome: Literal["settled", "void"]
    dealer: tuple[Card, ...]
    marked: str = ""


class Dispute(Struct, frozen=True):
    """A settled round that is said not to have been right, by whom; `escalated`: a shift manager
    has to answer.
    """

    round: int
    by: str
    escalated: bool = False


class Table(Struct, frozen=True):
    """The fold of all facts. `version` counts them; `changed` is the last that touched the round,
    the shoe, money or a hold; `resumed` counts the ends of holds and the host's returns, so that
    a window interrupted by one starts anew under a new name. `life`: whether rounds may be opened.
    `keys`: the game host is the station itself, for players in the chairs, and the dealer keys
    what they do. `duty_over`: why the dealer on duty may open no further round. `lock_count`: the
    last number of a condition. `tried`: how often a round was asked for and refused since
    the last one opened.
    """

    version: int = 0
    changed: int = 0
    id: str = ""
    kind: Literal["live", "test"] = "test"
    life: Life = "open"
    rules: TableRules = TableRules()
    game: Game = Game()
    devices: tuple[Device, ...] = ()
    keys: bool = False
    host: str = ""
    host_connected: bool = False
    dealer: Person | None = None
    duty_over: Refusal | None = None
    signed: tuple[Signed, ...] = ()
    attempts: Attempts = Attempts()
    holds: tuple[Hold, ...] = ()
    hold_count: int = 0
    resumed: int = 0
    set_aside: tuple[Card, ...] = ()
    call: str = ""
    read: LastRead | None = None
    reads: int = 0
    misses: int = 0
    unread: Unread = Unread()
    timed: bool = False
    faces: tuple[FaceRead, ...] = ()
    watched: Watched = Watched()
    refusal: Refusal | None = None
    recent: tuple[Recent, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    shoes: Shoes = Shoes()
    conditions: Conditions = ()
    lock_count: int = 0
    tried: int = 0

    @property
    def disputed(self) -> Dispute | None:
        """The round that is to be answered for first."""
        return self.disputes[0] if self.disputes else None

    @property
    def cards_out(self) -> bool:
        """Whether an unsettled round has cards on the felt."""
        round_ = self.game.round
        return round_ is not None and is_open(round_) and round_.cards_out

    @property
    def between_rounds(self) -> bool:
        """No round, or the last one is cleared or void."""
        round_ = self.game.round
        return round_ is None or round_.ended in ("cleared", "void")

    def device(self, name: str) -> Device | None:
        """The device of that name, or None."""
        return next((device for device in self.devices if device.name == name), None)

    def hold(self, number: int) -> Hold | None:
        """The open hold of that number, or None."""
        return next((hold for hold in self.holds if hold.hold == number), None)


def waiting_shoes(table: Table) -> tuple[Retired, ...]:
    """The shoes that are out and wait to be counted, oldest first."""
    shoe = table.game.shoe
    now = (retire(shoe),) if shoe.state == "out" and shoe.gone else ()
    return (*table.game.retired, *now)


def expected(table: Table) -> Expected:
    """Where the next card goes at this table: the game's answer, unless the table stands still."""
    if table.holds:
        return Nobody("held")
    if table.shoes.running is not None:
        return Nobody("shoe_check", "R2")
    if is_open(table.game.round) and not table.host_connected:
        return Nobody("host_lost", "R58")
    answer = next_expected(table.game, table.rules)
    if not isinstance(answer, Nobody) and not all(device.reads for device in table.devices):
        return Nobody("reader_not_up")
    return answer


class Timer(Struct, frozen=True):
    """A window that should be running. Its name is never used for another window."""

    name: str
    kind: Literal[
        "betting",
        "decision",
        "insurance",
        "follow",
        "host_grace",
        "unread",
        "pin_lock",
        "place_hour",
        "badge",
    ]
    seconds: int
    seat: int = 0
    staff: str = ""
    place: str = ""

    @property
    def of_people(self) -> bool:
        """Whether it is about who may sign in, and no business of the round."""
        return self.kind in ("pin_lock", "place_hour", "badge")


def due(table: Table) -> tuple[Timer, ...]:
    """Which timers should run now (A7). The shell starts and stops its clocks to match."""
    timers = _of_people(table)
    if table.watched.left_ms:
        timers.append(Timer(f"unread:{table.watched.count}", "unread", UNREAD_SECONDS))
    round_ = table.game.round
    if round_ is None or not is_open(round_):
        return tuple(timers)
    rules = table.rules
    if any(hold.code == RESTART for hold in table.holds):
        # First the felt is looked at; whoever is not there then has left.
        return tuple(timers)
    if not table.host_connected:
        seconds = rules.grace_seconds if table.cards_out else rules.betting_grace_seconds
        name = f"host_grace:{round_.number}:{table.resumed}"
        timers.append(Timer(name, "host_grace", seconds))
    elif not table.holds:
        if not round_.closed:
            name = f"betting:{round_.number}:{table.resumed}"
            timers.append(Timer(name, "betting", rules.betting_seconds))
        elif round_.asked is not None:
            asked = round_.asked
            name = f"decision:{round_.number}:{asked.decision}:{table.resumed}"
            timers.append(Timer(name, "decision", rules.decision_seconds, seat=asked.seat))
        elif round_.window is not None:
            timers.append(_window_timer(table, round_, round_.window))
    return tuple(timers)


def _of_people(table: Table) -> list[Timer]:
    """The locks after wrong PINs, and the sign-ins by badge."""
    locks = [
        Timer(
            clock.name,
            "pin_lock" if clock.staff else "place_hour",
            clock.seconds,
            staff=clock.staff,
            place=clock.place,
        )
        for clock in clocks(table.attempts)
    ]
    badges = [
        Timer(f"badge:{signed.since}", "badge", BADGE_SECONDS, staff=signed.person.staff)
        for signed in table.signed
        if signed.link == AT_TABLE
    ]
    return locks + badges


def _window_timer(table: Table, round_: Round, window: Window) -> Timer:
    name = f"window:{round_.number}:{window.window}:{table.resumed}"
    if window.kind == "insurance":
        return Timer(name, "insurance", table.rules.insurance_seconds)
    return Timer(name, "follow", table.rules.follow_seconds, seat=window.seat)


class Wishes(Struct, frozen=True):
    """What the table's lamps and lock should show (incident lights of a pit), and whether its
    readers are on: always, while a shoe is in play or checked. `keeping`: pictures of what they
    read are kept, but of a set that is checked or shuffled.
    """

    light: Literal["green", "white", "amber", "blue", "red", "off"]
    seat_lamp: int
    shoe_locked: bool
    reading: bool = True
    keeping: bool = True


def wishes(table: Table) -> Wishes:
    """Derived from the state alone: green betting, white deal, amber wait, blue supervisor called,
    red frozen or void, off closed.
    """
    answer = expected(table)
    owed = not isinstance(answer, Nobody)
    seat = 0 if isinstance(answer, Nobody) else max(0, answer.slot.seat)
    round_ = table.game.round
    light: Literal["green", "white", "amber", "blue", "red", "off"]
    if table.holds and all(hold.code == "wait" for hold in table.holds):
        light = "amber"
    elif table.shoes.running is not None and not table.holds:
        light = "white"
    elif table.holds or table.game.shoe.state == "out":
        light = "red"
    elif table.call:
        light = "blue"
    elif table.dealer is None or table.life == "closed":
        light = "off"
    elif round_ is not None and is_open(round_) and not round_.closed:
        light = "green"
    else:
        light = "white" if owed else "amber"
    used = table.game.shoe.state == "in_play" or table.shoes.running is not None
    reading = table.life != "closed" or used
    keeping = not table.shoes.quiet
    # While a shoe is checked all its cards are drawn, and a brake holds none of them back.
    locked = not owed and table.shoes.running is None
    return Wishes(light, seat, locked, reading, keeping)
