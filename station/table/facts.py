"""What has happened at the table beside the game: people, devices, links, holds, answers."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.cards import Card
from station.game.facts import AnyGameFact
from station.game.refusal import Refusal
from station.game.rules import TableRules
from station.game.state import Round
from station.table import lock_facts as lf
from station.table.fact import TableFact as TableFact
from station.table.shoe_facts import AnyShoeFact


class Person(Struct, frozen=True):
    """Somebody known to the station. `role`: dealer, supervisor, shift_manager, technician,
    auditor.
    """

    staff: str
    name: str
    role: Literal["dealer", "supervisor", "shift_manager", "technician", "auditor"]


class Picture(Struct, frozen=True):
    """A picture kept of what was read: its file's name in the folder of pictures beside the journal
    and the SHA-256 of its bytes, 64 hex digits.
    """

    name: str
    sha256: str


class StationStarted(TableFact, frozen=True, tag="StationStarted"):
    """The daemon is up. Links and devices start as not there. `boards`, `timed`, `numbers`: see the
    input.
    """

    table: str
    kind: Literal["live", "test"]
    release: str
    devices: tuple[str, ...]
    host: Literal["link", "chairs"] = "link"
    boards: tuple[str, ...] = ()
    timed: bool = False
    numbers: tuple[str, ...] = ()


class JournalContinued(TableFact, frozen=True, tag="JournalContinued"):
    """First fact of a journal that follows a damaged one, which was sealed as `sealed`.

    `facts` and `head` are the damaged one's last good sequence and hash; `rounds` its last round,
    `open_round` the round that was open there, void by the next fact. `by` is the technician and
    the shift manager who ordered it. `table` and `kind` are "" and `test` if nothing was good.
    """

    table: str
    kind: Literal["live", "test"]
    sealed: str
    facts: int
    head: str
    rounds: int
    open_round: Round | None
    by: tuple[str, str]


class JournalRotated(TableFact, frozen=True, tag="JournalRotated"):
    """First fact of a journal that goes on from a whole one, closed as `closed`.

    Sequence, chain and state go on: `facts`, `head` and `state` are the last sequence, its hash and
    the digest of the state there, which is kept beside this fact. `carried` is the digest of the
    earlier facts that were taken along. `by` ordered it.
    """

    table: str
    kind: Literal["live", "test"]
    closed: str
    facts: int
    head: str
    state: str
    carried: str
    by: str


class RulesSet(TableFact, frozen=True, tag="RulesSet"):
    """The rules in force from here on."""

    rules: TableRules
    fingerprint: str


class DeviceChanged(TableFact, frozen=True, tag="DeviceChanged"):
    """A device's health as it reports it; `detail` is for the technician. `cause`: what a state
    comes from. `over`: the cause whose state has ended, "" when `health` has begun.
    """

    device: str
    health: str
    detail: str
    over: str = ""
    cause: str = ""


class Observed(TableFact, frozen=True, tag="Observed"):
    """What a device said, with the bytes it was made from (hex). What became of it follows.

    `at_ms` (monotonic) and `face` only where the time of a read counts, else 0 and "". `passed`: it
    is news of a card, which the shoe's sensor sees too. `evidence`: the pictures it was read from.
    """

    device: str
    saw: str
    text: str
    raw: str
    at_ms: int = 0
    face: str = ""
    passed: bool = False
    evidence: tuple[Picture, ...] = ()


class ReadRepeated(TableFact, frozen=True, tag="ReadRepeated"):
    """A card that was accepted already was read again; `order` is its place in the shoe."""

    device: str
    card: Card
    order: int


class ReadDoubted(TableFact, frozen=True, tag="ReadDoubted"):
    """A face was read again so soon that it may be the same card, and so late that it may be
    another: `after_ms` after its last read. A person says which.
    """

    device: str
    card: Card
    after_ms: int


class CardLeft(TableFact, frozen=True, tag="CardLeft"):
    """The sensor saw a card leave the shoe. `known`: a reader had just told of one."""

    device: str
    at_ms: int
    known: bool


class LastCardReread(TableFact, frozen=True, tag="LastCardReread"):
    """During a device's hold the last accepted card was read again, and it is the same."""

    device: str
    card: Card


class ReadSetAside(TableFact, frozen=True, tag="ReadSetAside"):
    """A card was read that is not dealt: `why` is `held` or `shoe_not_in_play`."""

    device: str
    card: Card
    why: Literal["held", "shoe_not_in_play"]


class ReadFailed(TableFact, frozen=True, tag="ReadFailed"):
    """Something passed a reader and is no card; `owed`: a card was owed then, the slot stays."""

    device: str
    reason: str
    text: str
    owed: bool


class EvidenceRemoved(TableFact, frozen=True, tag="EvidenceRemoved"):
    """The station took pictures away: `why` is `days` (older than they are kept) or `space` (the
    oldest, for the limit of all or a disk that fills).
    """

    names: tuple[str, ...]
    why: Literal["days", "space"]


class CutCardRepeated(TableFact, frozen=True, tag="CutCardRepeated"):
    """The cut card was read again."""

    device: str


class TableHeld(TableFact, frozen=True, tag="TableHeld"):
    """The table holds. `code` is an incident's; `cards` are those it names, `evidence` the pictures
    of the read that led to it.
    """

    hold: int
    code: str
    device: str
    params: dict[str, str | int]
    cards: tuple[Card, ...]
    evidence: tuple[Picture, ...] = ()


class HoldReleased(TableFact, frozen=True, tag="HoldReleased"):
    """A named person ended a hold, and how."""

    hold: int
    ruling: str
    by: str
    note: str


class DealerTookTable(TableFact, frozen=True, tag="DealerTookTable"):
    person: Person


class DealerLeft(TableFact, frozen=True, tag="DealerLeft"):
    staff: str


class StaffSignedIn(TableFact, frozen=True, tag="StaffSignedIn"):
    """Somebody of higher rank proved who he is, at that link."""

    person: Person
    link: str


class StaffSignedOut(TableFact, frozen=True, tag="StaffSignedOut"):
    """`why`: `left`, `link_lost`, `time` (a badge's sign-in at the table lasts for a while), or
    `barred` (he may work here no longer).
    """

    staff: str
    link: str
    why: Literal["left", "link_lost", "time", "barred"]


class LoginFailed(TableFact, frozen=True, tag="LoginFailed"):
    """A wrong PIN, a number nobody has, or an unknown badge (`staff` "").

    `wrong`: how many in a row for that number. `here`: how many at that link or device within its
    hour, 0 where that was not counted.
    """

    staff: str
    link: str
    wrong: int
    here: int
    how: Literal["pin", "badge"] = "pin"


class LoginLockOver(TableFact, frozen=True, tag="LoginLockOver"):
    """The time a person was locked for is over; what he had wrong in a row still counts."""

    staff: str


class TriesForgotten(TableFact, frozen=True, tag="TriesForgotten"):
    """A person's wrong tries count no more, and no lock of his holds.

    `why`: `proved` (he gave the right PIN and was refused for another reason), `unlocked` (by a
    shift manager, or from the command line: `unlock` numbers that order), `time` (as an earlier
    release ended a lock).
    """

    staff: str
    by: str
    why: Literal["proved", "unlocked", "time"]
    unlock: int = 0


class PlaceHourOver(TableFact, frozen=True, tag="PlaceHourOver"):
    """The hour in which wrong tries at one place are counted is over, and its lock with it."""

    place: str


class BadgeRefused(TableFact, frozen=True, tag="BadgeRefused"):
    """A badge was shown at the table and let nobody in or out; `staff` "" where it is unknown."""

    device: str
    staff: str
    refusal: Refusal


class DutyOver(TableFact, frozen=True, tag="DutyOver"):
    """The dealer on duty may open no further round, and why; a running one he finishes."""

    staff: str
    refusal: Refusal


class CardEntered(TableFact, frozen=True, tag="CardEntered"):
    """A card that no reader could read, entered by hand in its slot before the next one was drawn:
    by a supervisor and a second person. `hold`: the one it ended.
    """

    card: Card
    hold: int
    by: str
    second: str
    note: str


class RoundDisputed(TableFact, frozen=True, tag="RoundDisputed"):
    """After its settlement a round is said not to have been right. It stays settled, nothing is
    paid again; no other round opens before it is answered.
    """

    round: int
    by: str
    note: str


class DisputeAnswered(TableFact, frozen=True, tag="DisputeAnswered"):
    """`accept`: the round stands. `escalate`: a shift manager has to answer."""

    round: int
    answer: Literal["accept", "escalate"]
    by: str
    note: str


class SupervisorCalled(TableFact, frozen=True, tag="SupervisorCalled"):
    reason: str


class CallAnswered(TableFact, frozen=True, tag="CallAnswered"):
    by: str


class HostConnected(TableFact, frozen=True, tag="HostConnected"):
    host: str


class HostLost(TableFact, frozen=True, tag="HostLost"):
    host: str
    why: str


class TableOpened(TableFact, frozen=True, tag="TableOpened"):
    """Rounds may be opened again."""

    by: str


class TablePaused(TableFact, frozen=True, tag="TablePaused"):
    """A break: no round opens until the table is opened again."""

    by: str


class TableClosed(TableFact, frozen=True, tag="TableClosed"):
    """The end of the table's day: no round opens until a supervisor opens it again."""

    by: str


class CommandAnswered(TableFact, frozen=True, tag="CommandAnswered"):
    """The answer to a command id, for ever: the same id is answered from here.

    `digest` is the SHA-256 of the command as sent, so that an id used again for other content is
    told apart. The answer stands at this fact's own sequence.
    """

    command: str
    digest: str
    link: str
    by: str
    name: str
    refusal: Refusal | None


AnyTableFact = (
    StationStarted
    | JournalContinued
    | JournalRotated
    | RulesSet
    | DeviceChanged
    | Observed
    | ReadRepeated
    | ReadDoubted
    | CardLeft
    | LastCardReread
    | ReadSetAside
    | ReadFailed
    | EvidenceRemoved
    | CutCardRepeated
    | TableHeld
    | HoldReleased
    | DealerTookTable
    | DealerLeft
    | StaffSignedIn
    | StaffSignedOut
    | LoginFailed
    | LoginLockOver
    | TriesForgotten
    | PlaceHourOver
    | BadgeRefused
    | DutyOver
    | CardEntered
    | RoundDisputed
    | DisputeAnswered
    | SupervisorCalled
    | CallAnswered
    | HostConnected
    | HostLost
    | TableOpened
    | TablePaused
    | TableClosed
    | CommandAnswered
    | lf.ConditionRaised
    | lf.ConditionCleared
    | lf.ConditionAcknowledged
)

AnyFact = AnyGameFact | AnyTableFact | AnyShoeFact
