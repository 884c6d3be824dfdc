"""Every message that crosses a process.

One message a line: UTF-8 JSON, ended by a line feed, at most `MAX_LINE` bytes to the station and
`MAX_STATION_LINE` from it. A link starts with the client's `Hello` and the station's `Welcome`; a
snapshot follows at once and after each commit. Both sides send `Heartbeat` once a second; three
seconds without any line means the link is lost. Money is an integer count of minor units, times
are milliseconds, stamps are UTC in ISO 8601. Cards are faces of two characters (`KH`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from station.message_parts import (
    Command,
    CommandId,
    Face,
    Money,
    Name,
    Number,
    Pin,
    Player,
    SeatNumber,
)
from station.messages_shoe import AnyShoeCommand, Printed, Said, Secret, SetLetter
from station.snapshot import RefusalView, Snapshot, StationMessage, Text

PROTOCOL = 1
MAX_LINE = 65536
# What the station sends may be longer: the settlement of seven seats with fifty behind each.
MAX_STATION_LINE = 1 << 21
HEARTBEAT_MS = 1000
LOST_AFTER_MS = 3000

LinkRole = Literal["console", "pit", "host", "staff"]
Language = Literal["ko", "en"]
Report = Literal[
    "misdeal",
    "missed_scan",
    "wrong_seat",
    "out_of_turn",
    "seat_skipped",
    "dealer_skipped",
    "no_bet_hand",
    "stopped_early",
    "card_exposed",
    "floor",
    "shoe_empty",
    "cleared_early",
    "wrong_action",
    "damaged_card",
    "wrong_card",
    "void_asked",
    "other",
]
VoidReason = Literal[
    "misdeal",
    "wrong_card",
    "unread_card",
    "card_exposed",
    "player_dispute",
    "equipment",
    "force_majeure",
    "other",
]
Action = Literal["hit", "stand", "double", "split", "surrender"]


# --- commands -------------------------------------------------------------------------------


# Where a table has players in the chairs (`host = "chairs"`), the host's commands are the dealer's
# keys: the console says them, and what it leaves out is filled in (player, amount, rules).


class OpenRound(Command, frozen=True, tag="open_round"):
    """host: open betting. `rules` is the fingerprint the host plays by (from the snapshot)."""

    rules: Annotated[str, Meta(max_length=64)] = ""


class TakeSeat(Command, frozen=True, tag="take_seat"):
    """host: a player sits down (R11)."""

    seat: SeatNumber
    player: Player = ""


class LeaveSeat(Command, frozen=True, tag="leave_seat"):
    """host: a seated player leaves; not while his bet is in play."""

    seat: SeatNumber
    player: Player = ""


class PlayerLost(Command, frozen=True, tag="player_lost"):
    """host: the seated player's connection is lost; the station plays for him (R55)."""

    seat: SeatNumber
    player: Name


class PlayerBack(Command, frozen=True, tag="player_back"):
    """host: he is there again; from the next decision on he is asked (A13).

    Any action he sends does the same: a decision too late is refused, and he is present.
    """

    seat: SeatNumber
    player: Name


class PlaceBet(Command, frozen=True, tag="place_bet"):
    """host: a bet for the open round. `main`, then `pair`, of the player in that seat (R13, R14);
    `behind` and `behind_pair` of a player without a seat, on any seat taken (R41, R43).
    """

    round: Number
    seat: SeatNumber
    player: Player = ""
    amount: Money | UnsetType = UNSET
    kind: Literal["main", "pair", "behind", "behind_pair"] = "main"


class TakeBack(Command, frozen=True, tag="take_back"):
    """host: a bet put down by mistake comes back while betting is open; with the main bet the Pair
    bet of that seat.
    """

    round: Number
    seat: SeatNumber
    player: Player = ""
    kind: Literal["main", "pair", "behind", "behind_pair"] = "main"


class CloseBetting(Command, frozen=True, tag="close_betting"):
    """host: no more bets, before the countdown ends."""

    round: Number


class Decide(Command, frozen=True, tag="decide"):
    """host: what the player of the asked hand does (R26-R36)."""

    round: Number
    decision: Number
    seat: SeatNumber
    hand: Annotated[int, Meta(ge=1, le=2)]
    action: Action


class Insure(Command, frozen=True, tag="insure"):
    """host: a seated player answers the insurance window; yes stakes half the main bet (R39)."""

    round: Number
    window: Number
    player: Name
    buy: bool


class Follow(Command, frozen=True, tag="follow"):
    """host: a player behind answers a follow window; yes stakes his bet again (R52, R54)."""

    round: Number
    window: Number
    player: Name
    follow: bool


class LogIn(Command, frozen=True, tag="log_in"):
    """console, pit, staff: a person identifies himself. A dealer takes the table."""

    staff: Name
    pin: Pin


class LogOut(Command, frozen=True, tag="log_out"):
    """console, pit, staff: the named person leaves."""

    staff: Name


class UnlockPerson(Command, frozen=True, tag="unlock_person"):
    """console, pit, staff with a shift manager: a person locked for wrong PINs may try again."""

    staff: Name


class Cleared(Command, frozen=True, tag="cleared"):
    """console with the dealer, or a supervisor for him: the cards of the settled round are in the
    discard rack.
    """

    round: Number


class Wait(Command, frozen=True, tag="wait"):
    """console: the dealer asks for a moment; the table holds until `Resume`."""


class Resume(Command, frozen=True, tag="resume"):
    """console, pit: end the dealer's own WAIT."""

    hold: Number


class EmergencyStop(Command, frozen=True, tag="emergency_stop"):
    """console, pit: everything holds; a supervisor rules."""


class ReportError(Command, frozen=True, tag="report_error"):
    """console with the dealer, or anywhere with a supervisor: a mistake was seen; the table holds,
    a supervisor rules.

    `misdeal`: any mistake in dealing. `missed_scan`: a card passed unread, and another followed.
    `wrong_seat`: a card lay at another seat and was moved back. `out_of_turn`, `seat_skipped`,
    `dealer_skipped`, `no_bet_hand`: a card went to a hand it was not owed to. `stopped_early`: the
    dealer stopped below 17. `card_exposed`: a card lies face up in the shoe. `floor`: a card fell.
    `shoe_empty`: no card is left. `cleared_early`: the cards were collected before the result.
    `wrong_action`: a player's wish was misunderstood. `damaged_card`: a card is marked or torn.
    `wrong_card`: the last card was read as another one.
    `void_asked`: the dealer asks for a void, which a supervisor alone can give.
    """

    what: Report


class CallSupervisor(Command, frozen=True, tag="call_supervisor"):
    """console: a silent call; play goes on."""

    reason: Literal["help", "error", "player", "medical"] = "help"


class AnswerCall(Command, frozen=True, tag="answer_call"):
    """console, pit, staff with a supervisor: the supervisor is at the table."""


class Rule(Command, frozen=True, tag="rule"):
    """console, pit, staff with a supervisor: how a hold ends.

    `release`: the table goes on. `aligned`: layout equals felt, nothing was drawn, and the last
    card has been read again. `burn`: the exposed card is burned. `use` (house policy): it goes to
    the next slot that is owed one. `void`: the round is void.
    """

    hold: Number
    ruling: Literal["release", "aligned", "same", "second", "burn", "use", "void"]
    note: Annotated[str, Meta(max_length=400)] = ""
    expected_version: Number | None = None


class VoidRound(Command, frozen=True, tag="void_round"):
    """pit, staff, console with a supervisor: cancel the round, return every bet (R60). A dealer may
    only ask for it. `note`: what a reason from the list does not say; `other` needs one.
    """

    round: Number
    reason: VoidReason
    expected_version: Number
    note: Annotated[str, Meta(max_length=400)] = ""


class EnterCard(Command, frozen=True, tag="enter_card"):
    """a supervisor, with a second person's PIN: the card that could not be read, in its own slot,
    before another is drawn. `deck` 0: not known.
    """

    hold: Number
    face: Face
    second: Name
    pin: Pin
    deck: Annotated[int, Meta(ge=0, le=8)] = 0
    note: Annotated[str, Meta(max_length=400)] = ""


class CorrectCard(Command, frozen=True, tag="correct_card"):
    """a supervisor, with a second person's PIN, in the hold of a `wrong_card` report: the last card
    is this one, in the same place, before anything was decided on it. `deck` 0: not known.
    """

    hold: Number
    face: Face
    second: Name
    pin: Pin
    deck: Annotated[int, Meta(ge=0, le=8)] = 0
    note: Annotated[str, Meta(max_length=400)] = ""


class DisputeRound(Command, frozen=True, tag="dispute_round"):
    """host, or a supervisor: a settled round of the last ten was not right. It stays settled and is
    never voided; no other round opens before it is answered.
    """

    round: Number
    note: Annotated[str, Meta(max_length=400)] = ""


class AnswerDispute(Command, frozen=True, tag="answer_dispute"):
    """a supervisor: `accept`, the round stands; `escalate`, a shift manager answers."""

    round: Number
    answer: Literal["accept", "escalate"]
    note: Annotated[str, Meta(max_length=400)] = ""


class LoadShoe(Command, frozen=True, tag="load_shoe"):
    """staff, pit, console with a supervisor, where set with a second person: a checked and shuffled
    shoe is in. `seal`: the number of the seal that was broken. `cut_card`: how many cards lie
    behind the cut card, 0: not said. `reason`: why a set goes in that is not due.
    """

    shoe: Name
    set: SetLetter = ""
    seal: Printed = ""
    cut_card: Annotated[int, Meta(ge=0, le=415)] = 0
    reason: Said = ""
    second: Player = ""
    pin: Secret = ""


class ReleaseShoe(Command, frozen=True, tag="release_shoe"):
    """staff, pit, console with a supervisor: the loaded shoe may be dealt from."""

    shoe: Name
    expected_version: Number


class ReconcileShoe(Command, frozen=True, tag="reconcile_shoe"):
    """staff, pit, console with a supervisor: what remained in a shoe that is out, as faces and how
    many of each. Dealt, burned and remaining must be eight of each (R2), else its rounds are
    marked.
    """

    shoe: Name
    remaining: dict[Face, Annotated[int, Meta(ge=0, le=416)]]


class ClearLock(Command, frozen=True, tag="clear_lock"):
    """whoever the lock names, signed in: what bars the next round is seen to, and how (`reason`).
    Not while its cause is still there.
    """

    lock: Number
    reason: Annotated[str, Meta(min_length=1, max_length=400)]


class PauseTable(Command, frozen=True, tag="pause_table"):
    """console with the dealer, or a supervisor: a break between rounds."""


class CloseTable(Command, frozen=True, tag="close_table"):
    """a supervisor: no more rounds until a supervisor opens the table again."""


class OpenTable(Command, frozen=True, tag="open_table"):
    """console with the dealer (after a pause), or a supervisor: rounds may be opened again."""


AnyGameCommand = (
    OpenRound
    | TakeSeat
    | LeaveSeat
    | PlayerLost
    | PlayerBack
    | PlaceBet
    | TakeBack
    | CloseBetting
    | Decide
    | Insure
    | Follow
    | Cleared
)
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
    | AnyShoeCommand
    | ClearLock
    | PauseTable
    | CloseTable
    | OpenTable
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


AnyStationMessage = Welcome | Rejected | Heartbeat | Answer | HostFact | Snapshot
