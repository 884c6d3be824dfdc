"""The snapshot: a whole table as one role may see it, as it crosses a process.

Money is an integer count of minor units, times are milliseconds, stamps are UTC in ISO 8601.
Cards are faces of two characters (`KH`). What remains in the shoe is never in it.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

BetKind = Literal["main", "pair", "insurance", "behind", "behind_pair"]


class Text(Struct, frozen=True):
    """One sentence in both languages."""

    ko: str
    en: str


class StationMessage(Struct, frozen=True, tag_field="type", omit_defaults=False):
    """What the station sends."""


class RefusalView(Struct, frozen=True):
    """Why not: a code, the rule it rests on (`R24`, or "" ), its parameters and its wording."""

    code: str
    rule: str
    params: dict[str, str | int]
    text: Text


PhaseName = Literal[
    "closed",
    "paused",
    "idle",
    "betting",
    "dealing",
    "insurance",
    "deciding",
    "follow",
    "drawing",
    "dealer",
    "result",
    "void",
]


class TableView(Struct, frozen=True):
    """Which table. `watermark` is shown large wherever the table is not a live one.

    `host`: `chairs` where players sit at the table and the dealer keys what they do; `nominal` is
    then the amount of a bet keyed without one, in minor units.
    """

    id: str
    kind: Literal["live", "test"]
    currency: str
    minor_digits: int
    watermark: Text | None
    clock_scale: float
    host: Literal["link", "chairs"] = "link"
    nominal: int = 0


class RulesView(Struct, frozen=True):
    """The rules in force, for the corner of the screen. `fingerprint` is 64 hex digits.

    Limits in minor units; `settings` is every setting by its name, as the fingerprint covers it.
    """

    fingerprint: str
    decks: int
    dealer_stands: str
    blackjack_pays: str
    text: Text
    settings: dict[str, Any]


class SlotView(Struct, frozen=True):
    """Where a card goes. `seat` and `hand` are 0 for the dealer and for the burn."""

    to: Literal["seat", "dealer", "burn"]
    seat: int = 0
    hand: int = 0


class PromptView(Struct, frozen=True):
    """The one answer to "where does the next card go?".

    `card`: to `slot`. `none`: nobody is owed one, `text` says why. `hold`: stop, `text` says why.
    `window`: hold still, the players are being asked; the countdown says how long (A7, A15).
    With the code `show_again` (a camera) or `scan_again` it is the place of a card that was drawn
    and has not been read: that one is shown again, no other is drawn.
    `action` is what the card is for: `first`, `second`, `upcard`, `split`, `hit`, `double`, `draw`,
    `burn`.
    """

    kind: Literal["card", "none", "hold", "window"]
    code: str
    text: Text
    slot: SlotView | None = None
    action: str = ""


class CountdownView(Struct, frozen=True):
    """A running window, named by `kind`. Milliseconds left when the snapshot was made."""

    kind: Literal["betting", "decision", "insurance", "follow", "host_grace"]
    seat: int
    left_ms: int
    total_ms: int


class PictureView(Struct, frozen=True):
    """A picture of what was read, of a card that has left the shoe. `sha256`: of its bytes, as the
    journal has it. `path`: its file on the table's machine; it may have been taken away since.
    """

    name: str
    sha256: str
    path: str


class LastReadView(Struct, frozen=True):
    """The last thing a reader said: `dealt`, `repeat`, `exposed`, `set_aside`, `no_read`,
    `cut_card`, `reread`, `burned`, `refused`, `ruled` (a no-read that held the table, and does not
    any more). `number` grows with each, so a new one shows.
    `evidence`: the pictures it was read from.
    """

    number: int
    outcome: str
    face: str
    slot: SlotView | None
    device: str
    text: Text
    evidence: list[PictureView] = []


class HandView(Struct, frozen=True):
    """A hand as it lies, cards in the order dealt. `stake`: the seated player's on that hand.

    `double`: doubled and complete; `split`: it came of a split.
    """

    hand: int
    cards: list[str]
    total: int
    soft: bool
    state: Literal[
        "open",
        "turn",
        "wait",
        "stand",
        "bust",
        "blackjack",
        "twenty_one",
        "double",
        "surrender",
    ]
    result: str = ""
    stake: int = 0
    doubled: bool = False
    split: bool = False


class BetView(Struct, frozen=True):
    """A bet and, once settled, what came back and the rule that says so. `amount`: all that is
    staked in it, minor units. `hand` 0: on the seat (Pair, insurance).
    """

    kind: BetKind
    player: str
    amount: int
    returned: int | None = None
    result: str = ""
    hand: int = 1
    rule: str = ""


class BehindView(Struct, frozen=True):
    """The bets behind a seat together: players, stakes, what came back; Pair bets apart."""

    players: int = 0
    amount: int = 0
    returned: int | None = None
    pair_amount: int = 0
    pair_returned: int | None = None


class SeatView(Struct, frozen=True):
    """One seat, from the dealer's left. `player` is "" when empty. `bets` are the seated player's;
    at a table with players in the chairs those behind the seat as well.
    """

    seat: int
    player: str
    in_round: bool
    absent: bool
    hands: list[HandView]
    bets: list[BetView]
    behind: BehindView = BehindView()


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


class WindowView(Struct, frozen=True):
    """An open question to several players: `insurance` to the seats, `split` and `double` to those
    behind `seat`, whether they follow to `hand`. `answered` tells who has answered, not what.
    """

    window: int
    kind: Literal["insurance", "split", "double"]
    seat: int
    hand: int
    asked: list[str]
    answered: list[str]


class PaymentView(Struct, frozen=True):
    """What the dealer does with one bet's chips before CLEARED, at a table with players in the
    chairs. `amount` is what changes hands, in minor units. `return` comes before the deal: a bet
    behind a seat that does not play.
    """

    seat: int
    player: str
    kind: BetKind
    hand: int
    do: Literal["pay", "take", "leave", "return"]
    amount: int
    text: Text


class CheckView(Struct, frozen=True):
    """A shoe's check: the running one, or the last that was begun, until a shoe goes in.

    `running`: `read` of `total` cards are counted, `told` is what the last one was, never which.
    `whole`: to be shuffled; `ready`: to be loaded; `failed`: `found` says what is missing or too
    many; `ended`: it came to nothing. `how`: read at `device`, or by a machine's receipt. `what`: a
    `count` is of what remained in a shoe that is out; `total` is then how many there should be.
    """

    check: int
    state: Literal["running", "whole", "ready", "failed", "ended"]
    how: Literal["read", "receipt"]
    shoe: str
    set: str
    back: str
    device: str
    read: int
    total: int
    text: Text
    told: Text | None = None
    found: list[Text] = []
    what: Literal["check", "count"] = "check"


class ShoeView(Struct, frozen=True):
    """The shoe's state. What remains in it is never shown.

    `none`: no shoe. `loaded`: in, not released. `in_play`. `last_round`: the cut card is out.
    `out`: to be taken out and checked. `set`, `back`: of the cards in it. `due`: letters of the
    sets that may go in next, empty where any may. `checked`: shoes whose check is good for a load.
    """

    id: str
    state: Literal["none", "loaded", "in_play", "last_round", "out"]
    text: Text
    set: str = ""
    back: str = ""
    due: list[str] = []
    due_text: Text | None = None
    check: CheckView | None = None
    checked: list[str] = []
    two_people: bool = False
    check_required: bool = False


class DeviceView(Struct, frozen=True):
    """A device at the table and how it is. `health`: `up`, `waiting`, `garbled`, `lost`, `busy`,
    `denied`, `misconfigured`, `silent`, `not_answering`, `impaired`. `text` is for the dealer,
    `technician` for who mends it. `can`: what it can be asked for; anything else is not available.
    `advice`: what its reads show, such as that its window wants cleaning.
    """

    name: str
    kind: str
    health: str
    text: Text
    technician: Text | None = None
    can: list[str] = []
    advice: list[Text] = []


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


class SuspectView(Struct, frozen=True):
    """One of the reads that cannot both be right: the card's place in the shoe, round and time,
    its deck where that is in question, and the pictures it was read from.
    """

    face: str
    order: int
    round: int
    at: str
    evidence: list[PictureView] = []
    deck: int = 0


class HoldView(Struct, frozen=True):
    """Why the table holds: what happened, what the hands do now, who decides, the rule, and the
    pictures of the read that led to it. `detail`: of a device, for the technician.
    """

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
    suspects: list[SuspectView] = []
    evidence: list[PictureView] = []
    detail: Text | None = None


class LockView(Struct, frozen=True):
    """What keeps the next round from starting; it stops none that runs.

    `lock`: the number by which a hold or a condition is named, else 0. `what`, `do`, `who`: what it
    is, what to do next, who ends it. `stands`: the cause is there; `latches`: it has to be
    acknowledged (`clear_lock`) also when that is gone. `times`: how often it came since somebody
    did. `since`: "" where no fact says when.
    """

    code: str
    lock: int
    rule: str
    params: dict[str, str | int]
    what: Text
    do: Text
    who: Text
    by: list[str]
    since: str
    stands: bool
    latches: bool
    times: int


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
    """A past round in one line. `outcome`: `settled` or `void`. `dealer_total` 0 when void.

    `marked`: why it is to be reviewed, None when it is not.
    """

    round: int
    outcome: str
    dealer_total: int
    text: Text
    marked: Text | None = None


class Snapshot(StationMessage, frozen=True, tag="snapshot"):
    """The whole table as one role may see it, complete in itself. `locks`: why no round starts, all
    of it, the first one first; `tried`: how often one was asked for and refused since the last.
    """

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
    window: WindowView | None
    payments: list[PaymentView]
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
    locks: list[LockView] = []
    tried: int = 0
