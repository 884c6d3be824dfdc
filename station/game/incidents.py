"""Incidents as data: what holds the table, which rulings end it, and under which condition.

The strict policy (A20): what changed neither order nor identity of the dealt cards is cured by a
supervisor's ruling; everything else is void. The house policy lets the supervisor rule (R59): an
exposed card may be burned at any time, or used for the next slot that is owed one. No ruling
changes the recipient of a dealt card.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

RulingName = Literal["release", "aligned", "same", "second", "burn", "use", "void"]
Policy = Literal["strict", "house"]
When = Literal["always", "no_cards_out", "cards_out", "round_open", "order_kept"]


class Way(Struct, frozen=True):
    """A ruling and when it is open: see `When`.

    `order_kept`: with no card of an unsettled round out (A20: a card too early, a dealer's card too
    many), or for a card that was reported to lie face up in the shoe before it was read.
    """

    ruling: RulingName
    when: When = "always"
    policies: tuple[Policy, ...] = ("strict", "house")


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


def ways(incident: Incident, policy: Policy) -> tuple[Way, ...]:
    """The ways out of it under that policy."""
    return tuple(way for way in incident.ways if policy in way.policies)


RELEASE = Way("release")
VOID = Way("void", "round_open")

_ALL = (
    Incident(
        "exposed_card",
        "R60",
        (
            Way("burn", "order_kept", ("strict",)),
            Way("burn", "always", ("house",)),
            Way("use", "round_open", ("house",)),
            Way("void"),
        ),
    ),
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
    # A joker, a back: what it is, is the supervisor's to see (P6, P15).
    Incident("strange_card", "R2", (RELEASE, Way("void"))),
    # The card is read once more, and has to be the one the table has (A20).
    Incident("pushed_back", "R60", (Way("aligned"), Way("void"))),
    Incident("disputed_card", "R60", (Way("aligned"), Way("void"))),
    Incident(
        "reader_lost",
        "R60",
        (Way("release", "no_cards_out"), Way("aligned", "cards_out"), VOID),
        device=True,
    ),
    Incident(
        "device_fault",
        "R60",
        (Way("release", "no_cards_out"), Way("aligned", "cards_out"), VOID),
        device=True,
    ),
    Incident("dealer_report", "R60", (RELEASE, VOID)),
    Incident("emergency", "R60", (RELEASE, VOID)),
    Incident("wait", "", (RELEASE, VOID)),
)

INCIDENTS: dict[str, Incident] = {incident.code: incident for incident in _ALL}
