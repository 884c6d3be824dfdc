"""R59, R60, A20: every hold, the rulings that end it, and when each is open, written out once."""

from __future__ import annotations

import pytest

from station.game.incidents import INCIDENTS, Policy, ways

LOOKED_AT = {"release": "always", "void": "round_open"}
REREAD = {"release": "no_cards_out", "aligned": "cards_out", "void": "round_open"}
IDENTITY = {"void": "always"}

STRICT = {
    "exposed_card": {"burn": "order_kept", "void": "always"},
    "duplicate_card": IDENTITY,
    "foreign_card": IDENTITY,
    "same_or_second": {"same": "always", "second": "always", "void": "always"},
    "drawn_after_unread": {"second": "always", "void": "always"},
    "unreadable_card": LOOKED_AT,
    "unknown_card": LOOKED_AT,
    "witnesses_disagree": {"release": "always", "void": "always"},
    "two_cards": LOOKED_AT,
    "strange_card": {"release": "always", "void": "always"},
    "pushed_back": {"aligned": "always", "void": "always"},
    "disputed_card": {"aligned": "always", "void": "always"},
    "restart": REREAD,
    "reader_lost": REREAD,
    "device_fault": REREAD,
    "dealer_report": LOOKED_AT,
    "emergency": LOOKED_AT,
    "wait": LOOKED_AT,
}
HOUSE = STRICT | {"exposed_card": {"burn": "always", "use": "round_open", "void": "always"}}


@pytest.mark.parametrize(("policy", "open_"), [("strict", STRICT), ("house", HOUSE)])
def test_r59_r60_a20_each_hold_ends_in_these_ways_and_no_other(
    policy: Policy, open_: dict[str, dict[str, str]]
) -> None:
    found = {
        code: {way.ruling: way.when for way in ways(incident, policy)}
        for code, incident in INCIDENTS.items()
    }
    assert found == open_


def test_r60_each_hold_rests_on_its_rule_and_only_a_devices_survives_a_void() -> None:
    """A card that is not of the eight decks breaks R2; the dealer's own wait breaks none."""
    rules = {code: incident.rule for code, incident in INCIDENTS.items()}
    assert rules == dict.fromkeys(STRICT, "R60") | {
        "foreign_card": "R2",
        "strange_card": "R2",
        "wait": "",
    }
    devices = {code for code, incident in INCIDENTS.items() if incident.device}
    assert devices == {"reader_lost", "device_fault"}
