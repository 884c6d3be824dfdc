"""Incidents as data: what holds the table, which rulings end it, who may give them, and what
becomes of the card and of the bets then.

The strict policy (A20): what changed neither order nor identity of the dealt cards is cured by a
supervisor's ruling; everything else is void. The house policy lets the supervisor rule (R59) as
houses do. In both a dealer's report holds and a supervisor voids, and no ruling changes the
recipient of a dealt card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

RulingName = Literal["release", "aligned", "same", "second", "burn", "use", "void"]
Policy = Literal["strict", "house"]
Role = Literal["dealer", "supervisor", "shift_manager", "technician", "auditor"]
When = Literal["always", "no_cards_out", "cards_out", "round_open", "order_kept", "settled"]
# What becomes of the card it is about, and of the bets of the round, if one is open.
CardFate = Literal["stays", "read_again", "dealt", "burned", "discarded"]
BetsFate = Literal["stand", "returned"]

# The station began anew with cards out: only a house goes on then.
RESTART = "restart"
POLICIES: tuple[Policy, ...] = ("strict", "house")
SUPERVISORS: tuple[Role, ...] = ("supervisor", "shift_manager")


class Way(Struct, frozen=True):
    """A ruling and when it is open: see `When`.

    `order_kept`: with no card of an unsettled round out (A20: a card too early, a dealer's card too
    many), or for a card that was reported to lie face up in the shoe before it was read. `settled`:
    the round's results are known, or no round is open.
    """

    ruling: RulingName
    when: When = "always"
    policies: tuple[Policy, ...] = POLICIES
    roles: tuple[Role, ...] = SUPERVISORS

    @property
    def card(self) -> CardFate:
        """What becomes of the card, or cards, it is about."""
        return _CARDS[self.ruling]

    @property
    def bets(self) -> BetsFate:
        """What becomes of the bets of an open round."""
        return "returned" if self.ruling == "void" else "stand"


_CARDS: dict[RulingName, CardFate] = {
    "release": "stays",
    "aligned": "stays",
    "same": "stays",
    "second": "dealt",
    "burn": "burned",
    "use": "dealt",
    "void": "discarded",
}


class Incident(Struct, frozen=True):
    """What may end a hold of this code, and the rule. A device's hold survives a void."""

    code: str
    rule: str
    ways: tuple[Way, ...]
    device: bool = False

    @property
    def reread(self) -> bool:
        """Whether reading the last card again, and finding it equal, is a way out of it."""
        return any(way.ruling == "aligned" for way in self.ways)


# What follows of a ruling, whatever it ends.
ALL_WAYS: dict[str, Way] = {ruling: Way(ruling) for ruling in _CARDS}


def ways(incident: Incident, policy: Policy) -> tuple[Way, ...]:
    """The ways out of it under that policy."""
    return tuple(way for way in incident.ways if policy in way.policies)


RELEASE = Way("release")
VOID = Way("void", "round_open")
# A report or a gap: with cards out the last one is read again, and has to be the one the table has.
ALIGNED = (Way("release", "no_cards_out"), Way("aligned", "cards_out"), VOID)
# A card nobody was owed: under `strict` burned where that changed no order, else void (A20).
_EXPOSED = (
    Way("burn", "order_kept", ("strict",)),
    Way("burn", "always", ("house",)),
    Way("use", "round_open", ("house",)),
    Way("void"),
)

_ALL = (
    Incident("exposed_card", "R60", _EXPOSED),
    Incident("duplicate_card", "R60", (Way("void"),)),
    Incident("foreign_card", "R2", (Way("void"),)),
    Incident("same_or_second", "R60", (Way("same"), Way("second"), Way("void"))),
    # The unread card shown again fills its slot; another one in its place would be at a wrong hand.
    Incident("drawn_after_unread", "R60", (Way("second"), Way("void"))),
    Incident("unreadable_card", "R60", (RELEASE, VOID)),
    Incident("unknown_card", "R60", (RELEASE, VOID)),
    # A code and a print that differ may be a wrong card: the shoe can come out between rounds too.
    Incident("witnesses_disagree", "R60", (RELEASE, Way("void"))),
    Incident("two_cards", "R60", (RELEASE, VOID)),
    # A joker, a back: what it is, is the supervisor's to see.
    Incident("strange_card", "R2", (RELEASE, Way("void"))),
    # The card is read once more, and has to be the one the table has (A20).
    Incident("pushed_back", "R60", (Way("aligned"), Way("void"))),
    Incident("disputed_card", "R60", (Way("aligned"), Way("void"))),
    Incident("reader_lost", "R60", ALIGNED, device=True),
    Incident("device_fault", "R60", ALIGNED, device=True),
    Incident(RESTART, "R60", ALIGNED),
    # What exactly is in REPORTS.
    Incident("dealer_report", "R60", (RELEASE, VOID)),
    Incident("emergency", "R60", (RELEASE, VOID)),
    Incident("wait", "", (RELEASE, VOID)),
)

INCIDENTS: dict[str, Incident] = {incident.code: incident for incident in _ALL}

# A mistake in the order of the deal: void, unless what is reported is not so.
_ORDER = Incident("dealer_report", "R60", ALIGNED)
# Only a house rules on it by the supervisor's eye (R59).
_BY_EYE = Incident(
    "dealer_report",
    "R60",
    (
        Way("release", "settled", ("strict",)),
        Way("release", "always", ("house",)),
        VOID,
    ),
)
_CURED = Incident("dealer_report", "R60", (RELEASE, VOID))

# What is reported by a person who saw it, by its code.
REPORTS: dict[str, Incident] = {
    "misdeal": _CURED,
    "missed_scan": _CURED,
    # Laid in the wrong place and moved back: neither order nor identity has changed.
    "wrong_seat": _CURED,
    "out_of_turn": _ORDER,
    "seat_skipped": _ORDER,
    "dealer_skipped": _ORDER,
    "no_bet_hand": _ORDER,
    "stopped_early": _CURED,
    # Face up in the shoe: it is drawn, read, and burned.
    "card_exposed": _CURED,
    "floor": _BY_EYE,
    "shoe_empty": Incident("dealer_report", "R60", (Way("release", "no_cards_out"), VOID)),
    "cleared_early": _BY_EYE,
    "wrong_action": _BY_EYE,
    "damaged_card": _BY_EYE,
    # Read as another one: it is read again, and either it is the one the table has, or two people
    # correct it (`correct_card`) before anything was decided on it.
    "wrong_card": _ORDER,
    # The dealer sees no other way: the supervisor voids, or says that nothing is wrong.
    "void_asked": _CURED,
    "other": _CURED,
}


def incident_of(code: str, params: Mapping[str, str | int]) -> Incident:
    """The incident of a hold: of a report, by what was reported."""
    if code == "dealer_report":
        return REPORTS.get(str(params.get("what")), INCIDENTS[code])
    return INCIDENTS[code]


def void_reason(code: str, params: Mapping[str, str | int]) -> str:
    """What a void by ruling is for: the hold's code, of a report what was reported."""
    return str(params.get("what", code)) if code == "dealer_report" else code


# --- what people call them --------------------------------------------------------------------

Noticed = Literal["station", "dealer", "supervisor"]


class Row(Struct, frozen=True):
    """An incident as a pit's handbook lists it. `noticed`: by whom. `holds`: the codes of its
    holds; after a colon what a report or an exposed card is about. None where nothing holds.
    `unheld`: why not, and what the station does by itself: a code of the wording.
    """

    number: str
    noticed: tuple[Noticed, ...]
    holds: tuple[str, ...] = ()
    unheld: str = ""
    informs: tuple[Role, ...] = ()


_STATION: tuple[Noticed, ...] = ("station",)
_SEEN: tuple[Noticed, ...] = ("dealer", "supervisor")

ROWS: tuple[Row, ...] = (
    Row(
        "P1",
        _STATION,
        ("exposed_card:no_round", "exposed_card:betting_open", "exposed_card:round_void"),
    ),
    Row("P2", _STATION, ("unreadable_card",)),
    Row(
        "P3",
        ("station", "dealer", "supervisor"),
        ("drawn_after_unread", "unknown_card", "two_cards", "dealer_report:missed_scan"),
    ),
    Row("P4", _STATION, ("same_or_second", "pushed_back", "exposed_card:resent")),
    Row("P5", _STATION, ("foreign_card", "duplicate_card"), informs=("shift_manager",)),
    Row(
        "P6",
        ("station", "dealer", "supervisor"),
        ("strange_card", "witnesses_disagree", "disputed_card", "dealer_report:damaged_card"),
    ),
    Row("P7", _SEEN, ("dealer_report:wrong_seat",)),
    Row("P8", _SEEN, ("dealer_report:out_of_turn", "dealer_report:misdeal")),
    Row("P9", _SEEN, ("dealer_report:seat_skipped",)),
    Row("P10", _SEEN, ("dealer_report:dealer_skipped",)),
    Row("P11", _SEEN, ("dealer_report:no_bet_hand",)),
    Row(
        "P12",
        _STATION,
        (
            "exposed_card:decision_open",
            "exposed_card:insurance_window",
            "exposed_card:follow_window",
            "exposed_card:held",
            "exposed_card:host_lost",
            "exposed_card:reader_not_up",
        ),
    ),
    Row("P13", _STATION, ("exposed_card:dealer_stands", "exposed_card:round_settled")),
    Row("P14", _SEEN, ("dealer_report:stopped_early",)),
    Row("P15", _SEEN, ("dealer_report:card_exposed",)),
    Row("P16", _SEEN, ("dealer_report:floor",)),
    Row("P17", _STATION, unheld="cut_card"),
    Row("P18", _SEEN, ("dealer_report:shoe_empty",)),
    Row("P19", _SEEN, ("dealer_report:cleared_early",)),
    Row("P20", _SEEN, unheld="on_behalf"),
    Row("P21", _SEEN, ("dealer_report:wrong_action",)),
    Row("P22", _STATION, ("reader_lost", "device_fault", RESTART), unheld="host_lost"),
    Row("P23", ("dealer", "supervisor"), ("emergency",)),
)


def row_of(code: str, params: Mapping[str, str | int]) -> Row | None:
    """The handbook's row of a hold; None for a mere wait, and what no row names."""
    about = str(params.get("what" if code == "dealer_report" else "why", ""))
    names = (f"{code}:{about}", code)
    return next((row for row in ROWS if any(name in row.holds for name in names)), None)
