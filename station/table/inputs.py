"""What reaches the core, in its own words. Readings are never illegal; commands may be refused."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.cards import Card
from station.game.check import ShoeRules
from station.game.commands import AnyGameCommand
from station.game.refusal import Refusal
from station.game.rules import TableRules
from station.table.facts import Person, Picture
from station.table.shoe_inputs import AnyCheckCommand


class StationStart(Struct, frozen=True):
    """The daemon starts over the folded journal. `boards`: those of the devices that see no card.
    `timed`: when a card was read counts, because a sensor watches the shoe too or nothing but time
    tells two cards of one face apart. `numbers`: those that number what they see drawn. `shoe`: how
    shoes are put in.
    """

    table: str
    kind: Literal["live", "test"]
    release: str
    devices: tuple[str, ...]
    rules: TableRules
    host: Literal["link", "chairs"] = "link"
    boards: tuple[str, ...] = ()
    timed: bool = False
    numbers: tuple[str, ...] = ()
    shoe: ShoeRules = ShoeRules()


class CardSeen(Struct, frozen=True):
    """A well-formed card code; `raw` is hex, `at_ms` the monotonic time of its last byte.

    `numbered`: the reader itself numbers its draws, so two equal faces are two cards. `resent`: the
    reader says that it tells of this card again. `evidence`: the pictures it was read from.
    """

    device: str
    card: Card
    text: str
    raw: str
    at_ms: int = 0
    numbered: bool = False
    resent: bool = False
    evidence: tuple[Picture, ...] = ()


class CutCardSeen(Struct, frozen=True):
    """The cut card's code; `set` is the letter it carries, "" when it has none. `evidence` as in
    `CardSeen`.
    """

    device: str
    text: str
    raw: str
    set: str = ""
    at_ms: int = 0
    evidence: tuple[Picture, ...] = ()


class ReadMissed(Struct, frozen=True):
    """A no-read; `passed` when a card must have passed the reader (not mere noise). `evidence` as
    in `CardSeen`.
    """

    device: str
    reason: str
    text: str
    raw: str
    passed: bool
    at_ms: int = 0
    evidence: tuple[Picture, ...] = ()


class CardPassed(Struct, frozen=True):
    """A sensor saw a card leave the shoe; which one is a reader's to say."""

    device: str
    raw: str
    at_ms: int


class ButtonPressed(Struct, frozen=True):
    """A button of the table board."""

    device: str
    button: Literal["help", "cut_card"]
    raw: str
    at_ms: int = 0


class DeviceHealth(Struct, frozen=True):
    """How a device says it is. `cause`: what the state comes from, where several may stand at
    once. `over`: the state of that cause has ended; it says nothing of others.
    """

    device: str
    health: str
    detail: str
    over: str = ""
    cause: str = ""


class DeviceFault(Struct, frozen=True):
    """A device reports a fault that must be acknowledged by a person."""

    device: str
    code: str
    detail: str


class EvidenceOld(Struct, frozen=True):
    """Pictures that are to be taken away; `why` as in the fact."""

    names: tuple[str, ...]
    why: Literal["days", "space"]


class TimerFired(Struct, frozen=True):
    timer: str


class LinkUp(Struct, frozen=True):
    """A client said hello; `link` is `role:name`."""

    link: str
    role: str
    name: str


class LinkDown(Struct, frozen=True):
    link: str
    role: str
    name: str
    why: str


class BadgeShown(Struct, frozen=True):
    """A badge was read at the table. `person` is whom it proved, None for one nobody has; what it
    carries stays outside. `refusal`: why that person may not work here now, as in `LogIn`.
    """

    device: str
    person: Person | None
    refusal: Refusal | None = None


class LicenceOver(Struct, frozen=True):
    """Somebody at the table may not work here any more: his licence or his permission for the game
    is over, he was disabled, or is at another table.
    """

    staff: str
    refusal: Refusal


class PersonUnlocked(Struct, frozen=True):
    """The command line unlocked a person; `unlock` numbers the order, so that it counts once."""

    staff: str
    by: str
    unlock: int


class ConditionSeen(Struct, frozen=True):
    """How something is that keeps rounds from starting; `code` as in `locks.KINDS`. `stands`: it is
    so, or has just happened. It may be told again and again.
    """

    code: str
    stands: bool
    params: dict[str, str | int] = {}


# --- commands that are the table's, not the game's -------------------------------------------


class LogIn(Struct, frozen=True):
    """`person` is None where the PIN was wrong or the id unknown; the PIN itself stays outside.
    `refusal`: the PIN was right, and why that person may not work here now.
    """

    staff: str
    person: Person | None
    refusal: Refusal | None = None


class LogOut(Struct, frozen=True):
    staff: str


class UnlockPerson(Struct, frozen=True):
    """A shift manager lets a locked person try again."""

    staff: str


class Wait(Struct, frozen=True):
    pass


class Resume(Struct, frozen=True):
    hold: int


class EmergencyStop(Struct, frozen=True):
    pass


class ReportError(Struct, frozen=True):
    what: str


class CallSupervisor(Struct, frozen=True):
    reason: str


class AnswerCall(Struct, frozen=True):
    pass


class Rule(Struct, frozen=True):
    hold: int
    ruling: Literal["release", "aligned", "same", "second", "burn", "use", "void"]
    note: str
    expected_version: int | None


class VoidRound(Struct, frozen=True):
    round: int
    reason: str
    expected_version: int
    note: str = ""


class EnterCard(Struct, frozen=True):
    """`second` and `person`: who bears witness, and whom his PIN proved. `refusal`: see `LogIn`."""

    hold: int
    card: Card
    second: str
    person: Person | None
    note: str = ""
    refusal: Refusal | None = None


class CorrectCard(Struct, frozen=True):
    """The last card is `card`. `second`, `person`, `refusal`: as in `EnterCard`."""

    hold: int
    card: Card
    second: str
    person: Person | None
    note: str = ""
    refusal: Refusal | None = None


class DisputeRound(Struct, frozen=True):
    round: int
    note: str


class AnswerDispute(Struct, frozen=True):
    round: int
    answer: Literal["accept", "escalate"]
    note: str


class LoadShoe(Struct, frozen=True):
    """A checked and shuffled shoe is in. `seal`: the number of the seal that was broken.
    `cut_card`: how many cards lie behind the cut card. `reason`: why a set goes in that is not due.
    `second`, `person`, `refusal`: as in `EnterCard`.
    """

    shoe: str
    set: str
    seal: str = ""
    cut_card: int = 0
    reason: str = ""
    second: str = ""
    person: Person | None = None
    refusal: Refusal | None = None


class ReleaseShoe(Struct, frozen=True):
    shoe: str
    expected_version: int


class ReconcileShoe(Struct, frozen=True):
    """What remained in a shoe that is out: faces and how many of each."""

    shoe: str
    remaining: dict[str, int]


class ClearLock(Struct, frozen=True):
    """A person acknowledges what bars the next round, and says what was done about it."""

    lock: int
    reason: str


class PauseTable(Struct, frozen=True):
    pass


class CloseTable(Struct, frozen=True):
    pass


class OpenTable(Struct, frozen=True):
    pass


AnyTableCommand = (
    LogIn
    | LogOut
    | UnlockPerson
    | Wait
    | Resume
    | EmergencyStop
    | ReportError
    | CallSupervisor
    | AnswerCall
    | Rule
    | VoidRound
    | EnterCard
    | CorrectCard
    | DisputeRound
    | AnswerDispute
    | LoadShoe
    | ReleaseShoe
    | ReconcileShoe
    | AnyCheckCommand
    | ClearLock
    | PauseTable
    | CloseTable
    | OpenTable
)
AnyCommand = AnyGameCommand | AnyTableCommand


class Actor(Struct, frozen=True):
    """From where a command comes: the link's role and its name `role:name`."""

    role: Literal["console", "pit", "host", "staff"]
    link: str


class Commanded(Struct, frozen=True):
    """A command under its id; `digest` is that of its text as it was sent."""

    id: str
    digest: str
    name: str
    actor: Actor
    command: AnyCommand


AnyInput = (
    StationStart
    | CardSeen
    | CutCardSeen
    | ReadMissed
    | CardPassed
    | ButtonPressed
    | DeviceHealth
    | DeviceFault
    | EvidenceOld
    | BadgeShown
    | LicenceOver
    | PersonUnlocked
    | ConditionSeen
    | TimerFired
    | LinkUp
    | LinkDown
    | Commanded
)
