"""Every message that crosses a process.

One message a line: UTF-8 JSON, ended by a line feed, at most `MAX_LINE` bytes. A link starts with
the client's `Hello` and the station's `Welcome`; a snapshot follows at once and after each commit.
Both sides send `Heartbeat` once a second; three seconds without any line means the link is lost.
Money is an integer count of minor units, times are milliseconds, stamps are UTC in ISO 8601.
Cards are faces of two characters (`KH`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from station.game.cards import RANKS, SUITS

PROTOCOL = 1
MAX_LINE = 65536
HEARTBEAT_MS = 1000
LOST_AFTER_MS = 3000

LinkRole = Literal["console", "pit", "host", "staff"]
Language = Literal["ko", "en"]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._:-]+$")]
Face = Annotated[str, Meta(pattern=f"^[{RANKS}][{SUITS}]$")]
SeatNumber = Annotated[int, Meta(ge=1, le=7)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Money = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class Text(Struct, frozen=True):
    """One sentence in both languages."""

    ko: str
    en: str


# --- commands -------------------------------------------------------------------------------


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """An imperative. Which roles may say it is listed with each."""


class OpenRound(Command, frozen=True, tag="open_round"):
    """host: open betting. `rules` is the fingerprint the host plays by (from the snapshot)."""

    rules: Annotated[str, Meta(max_length=64)]


class TakeSeat(Command, frozen=True, tag="take_seat"):
    """host: a player sits down (R11)."""

    seat: SeatNumber
    player: Name


class LeaveSeat(Command, frozen=True, tag="leave_seat"):
    """host: a seated player leaves; not while his bet is in play."""

    seat: SeatNumber
    player: Name


class PlaceBet(Command, frozen=True, tag="place_bet"):
    """host: the seated player's main bet for the open round (R13)."""

    round: Number
    seat: SeatNumber
    player: Name
    amount: Money


class CloseBetting(Command, frozen=True, tag="close_betting"):
    """host: no more bets, before the countdown ends."""

    round: Number


class Decide(Command, frozen=True, tag="decide"):
    """host: what the player of the asked hand does (R26-R28)."""

    round: Number
    decision: Number
    seat: SeatNumber
    hand: Annotated[int, Meta(ge=1, le=2)]
    action: Literal["hit", "stand"]


class LogIn(Command, frozen=True, tag="log_in"):
    """console, pit, staff: a person identifies himself. A dealer takes the table."""

    staff: Name
    pin: Annotated[str, Meta(min_length=4, max_length=32)]


class LogOut(Command, frozen=True, tag="log_out"):
    """console, pit, staff: the named person leaves."""

    staff: Name


class Cleared(Command, frozen=True, tag="cleared"):
    """console: the cards of the settled round are in the discard rack."""

    round: Number


class Wait(Command, frozen=True, tag="wait"):
    """console: the dealer asks for a moment; the table holds until `Resume`."""


class Resume(Command, frozen=True, tag="resume"):
    """console, pit: end the dealer's own WAIT."""

    hold: Number


class EmergencyStop(Command, frozen=True, tag="emergency_stop"):
    """console, pit: everything holds; a supervisor rules."""


class ReportError(Command, frozen=True, tag="report_error"):
    """console: the dealer reports a mistake; the table holds, a supervisor rules."""

    what: Literal["misdeal", "missed_scan", "wrong_seat", "card_exposed", "other"]


class CallSupervisor(Command, frozen=True, tag="call_supervisor"):
    """console: a silent call; play goes on."""

    reason: Literal["help", "error", "player", "medical"] = "help"


class AnswerCall(Command, frozen=True, tag="answer_call"):
    """console, pit, staff with a supervisor: the supervisor is at the table."""


class Rule(Command, frozen=True, tag="rule"):
    """console, pit, staff with a supervisor: how a hold ends.

    `release`: the table goes on. `aligned`: layout equals felt, nothing was drawn, and the last
    card has been read again. `burn`: the exposed card is burned. `void`: the round is void.
    """

    hold: Number
    ruling: Literal["release", "aligned", "burn", "void"]
    note: Annotated[str, Meta(max_length=400)] = ""
    expected_version: Number | None = None


class VoidRound(Command, frozen=True, tag="void_round"):
    """pit, staff, console with a supervisor: cancel the round, return every bet (R60)."""

    round: Number
    reason: Annotated[str, Meta(min_length=1, max_length=400)]
    expected_version: Number


class LoadShoe(Command, frozen=True, tag="load_shoe"):
    """staff, pit, console with a supervisor: a checked and shuffled shoe is in."""

    shoe: Name
    set: Annotated[str, Meta(max_length=1)] = ""


class ReleaseShoe(Command, frozen=True, tag="release_shoe"):
    """staff, pit, console with a supervisor: the loaded shoe may be dealt from."""

    shoe: Name
    expected_version: Number


AnyGameCommand = OpenRound | TakeSeat | LeaveSeat | PlaceBet | CloseBetting | Decide | Cleared
AnyTableCommand = (
    LogIn
    | LogOut
    | Wait
    | Resume
    | EmergencyStop
    | ReportError
    | CallSupervisor
    | AnswerCall
    | Rule
    | VoidRound
    | LoadShoe
    | ReleaseShoe
)
AnyCommand = AnyGameCommand | AnyTableCommand


# --- client to station ----------------------------------------------------------------------


class ClientMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What a client may send."""


class Hello(ClientMessage, frozen=True, tag="hello"):
    """First line of a link. A host says up to which fact it has everything (`after`)."""

    protocol: int
    role: LinkRole
    name: Name
    after: Number | None = None


class CommandMessage(ClientMessage, frozen=True, tag="command"):
    """A command under its own id: the same id again gets the same answer and changes nothing."""

    id: CommandId
    command: AnyCommand


class Beat(ClientMessage, frozen=True, tag="heartbeat"):
    """I am here."""


class Acknowledge(ClientMessage, frozen=True, tag="ack"):
    """host: every fact up to `seq` is safe with me."""

    seq: Number


AnyClientMessage = Hello | CommandMessage | Beat | Acknowledge


# --- station to client ----------------------------------------------------------------------


class StationMessage(Struct, frozen=True, tag_field="type", omit_defaults=False):
    """What the station sends."""


class Welcome(StationMessage, frozen=True, tag="welcome"):
    """The link is open. `session` names it in the journal and the log."""

    protocol: int
    table: str
    kind: Literal["live", "test"]
    session: str
    heartbeat_ms: int = HEARTBEAT_MS
    lost_after_ms: int = LOST_AFTER_MS


class Rejected(StationMessage, frozen=True, tag="rejected"):
    """The line could not be taken; the link closes when `fatal`."""

    code: str
    text: Text
    fatal: bool = False


class Heartbeat(StationMessage, frozen=True, tag="heartbeat"):
    """The station is here."""


class RefusalView(Struct, frozen=True):
    """Why not: a code, the rule it rests on (`R24`, or "" ), its parameters and its wording."""

    code: str
    rule: str
    params: dict[str, str | int]
    text: Text


class Answer(StationMessage, frozen=True, tag="answer"):
    """To the command of that id; `version`: the fact it stands at. `repeated`: answered before."""

    id: str
    ok: bool
    version: int
    refusal: RefusalView | None = None
    repeated: bool = False


class HostFact(StationMessage, frozen=True, tag="fact"):
    """A fact a host keeps its books by, in order and at least once; answer with `ack`."""

    seq: int
    kind: str
    at: str
    body: dict[str, Any]


# --- the snapshot ---------------------------------------------------------------------------

PhaseName = Literal[
    "closed", "idle", "betting", "dealing", "deciding", "drawing", "dealer", "result", "void"
]


class TableView(Struct, frozen=True):
    """Which table. `watermark` is shown large wherever the table is not a live one."""

    id: str
    kind: Literal["live", "test"]
    currency: str
    minor_digits: int
    watermark: Text | None
    clock_scale: float


class RulesView(Struct, frozen=True):
    """The rules in force, for the corner of the screen. `fingerprint` is 64 hex digits."""

    fingerprint: str
    decks: int
    dealer_stands: str
    blackjack_pays: str
    text: Text


class SlotView(Struct, frozen=True):
    """Where a card goes. `seat` and `hand` are 0 for the dealer."""

    to: Literal["seat", "dealer"]
    seat: int = 0
    hand: int = 0


class PromptView(Struct, frozen=True):
    """The one answer to "where does the next card go?".

    `card`: to `slot`. `none`: nobody is owed one, `text` says why. `hold`: stop, `text` says why.
    `action` is what the card is for: `first`, `second`, `upcard`, `hit`, `draw`.
    """

    kind: Literal["card", "none", "hold"]
    code: str
    text: Text
    slot: SlotView | None = None
    action: str = ""


class CountdownView(Struct, frozen=True):
    """A running window, named by `kind`. Milliseconds left when the snapshot was made."""

    kind: Literal["betting", "decision", "host_grace"]
    seat: int
    left_ms: int
    total_ms: int


class LastReadView(Struct, frozen=True):
    """The last thing a reader said: `dealt`, `repeat`, `exposed`, `set_aside`, `no_read`,
    `cut_card`, `reread`, `burned`, `refused`. `number` grows with each, so a new one shows.
    """

    number: int
    outcome: str
    face: str
    slot: SlotView | None
    device: str
    text: Text


class HandView(Struct, frozen=True):
    """A hand as it lies, cards in the order dealt."""

    hand: int
    cards: list[str]
    total: int
    soft: bool
    state: Literal["open", "turn", "stand", "bust", "blackjack", "twenty_one", "wait"]
    result: str = ""


class BetView(Struct, frozen=True):
    """A bet and, once settled, what came back."""

    kind: str
    player: str
    amount: int
    returned: int | None = None
    result: str = ""


class SeatView(Struct, frozen=True):
    """One seat, from the dealer's left. `player` is "" when empty."""

    seat: int
    player: str
    in_round: bool
    absent: bool
    hands: list[HandView]
    bets: list[BetView]


class DealerView(Struct, frozen=True):
    """The dealer's hand. `state`: `open`, `draw`, `stand`, `bust`, `blackjack`."""

    cards: list[str]
    total: int
    soft: bool
    state: Literal["open", "draw", "stand", "bust", "blackjack"]


class DecisionView(Struct, frozen=True):
    """What a player is being asked, or has just said (`chosen`)."""

    decision: int
    seat: int
    hand: int
    legal: list[str]
    chosen: str = ""


class ShoeView(Struct, frozen=True):
    """The shoe's state. What remains in it is never shown.

    `none`: no shoe. `loaded`: in, not released. `in_play`. `last_round`: the cut card is out.
    `out`: to be taken out and checked.
    """

    id: str
    state: Literal["none", "loaded", "in_play", "last_round", "out"]
    text: Text


class DeviceView(Struct, frozen=True):
    """A device at the table and how it is. `health`: `up`, `waiting`, `garbled`, `lost`, `busy`,
    `denied`, `misconfigured`, `silent`, `not_answering`.
    """

    name: str
    kind: str
    health: str
    text: Text


class HostView(Struct, frozen=True):
    """Whether the game host is connected."""

    name: str
    connected: bool
    text: Text


class RulingView(Struct, frozen=True):
    """A way out of a hold, worded by its consequence; `refusal` says why not now."""

    ruling: str
    text: Text
    refusal: RefusalView | None


class HoldView(Struct, frozen=True):
    """Why the table holds: what happened, what the hands do now, who decides, the rule."""

    hold: int
    code: str
    since: str
    device: str
    what: Text
    hands: Text
    who: Text
    rule: str
    params: dict[str, str | int]
    faces: list[str]
    rulings: list[RulingView]


class PersonView(Struct, frozen=True):
    """A person on duty. Never a PIN."""

    staff: str
    name: str
    role: str


class StaffView(Struct, frozen=True):
    """Who has the table, and who of higher rank is signed in."""

    dealer: PersonView | None
    signed_in: list[PersonView]
    call: str = ""


class ActionView(Struct, frozen=True):
    """A command this role might give now, on what, and why not where it may not."""

    command: str
    target: str
    refusal: RefusalView | None


class RecentView(Struct, frozen=True):
    """A past round in one line. `outcome`: `settled` or `void`. `dealer_total` 0 when void."""

    round: int
    outcome: str
    dealer_total: int
    text: Text


class Snapshot(StationMessage, frozen=True, tag="snapshot"):
    """The whole table as one role may see it, complete in itself."""

    version: int
    at: str
    table: TableView
    phase: PhaseName
    phase_text: Text
    round: int
    rules: RulesView
    prompt: PromptView
    countdown: CountdownView | None
    last_read: LastReadView | None
    seats: list[SeatView]
    dealer: DealerView
    decision: DecisionView | None
    shoe: ShoeView
    devices: list[DeviceView]
    host: HostView
    journal: Text
    banners: list[Text]
    holds: list[HoldView]
    exposed: list[str]
    staff: StaffView
    last_refusal: RefusalView | None
    recent: list[RecentView]
    actions: list[ActionView]


AnyStationMessage = Welcome | Rejected | Heartbeat | Answer | HostFact | Snapshot
