"""A20, R58-R60: every incident under each policy, at four moments of a round, ruled by each role in
every way there is: allowed, or refused with its reason; and what becomes of every bet then.

What is right is written down here as a pit's handbook has it, apart from the product's own table.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import get_args

import pytest

from station.game import facts as g
from station.game.cards import card_of
from station.game.incidents import POLICIES, REPORTS, ROWS, Policy, Role, RulingName, row_of
from station.game.rules import TableRules
from station.game.state import is_open
from station.table import facts as f
from station.table import inputs as i
from station.table.evolve import evolve
from station.table.facts import Person
from tests.incident_table import PAGE, page
from tests.support.felt import Felt
from tests.support.play import PIT

RULINGS: tuple[RulingName, ...] = get_args(RulingName)
ROLES: tuple[Role, ...] = get_args(Role)
MOMENTS = ("between", "betting", "deciding", "settled")
FACE = "5D"

# A hold, and what a supervisor may rule: the ruling, and at which of the moments; - for never.
ALWAYS = "between betting deciding settled"
OPEN = "betting deciding"
NOT_OUT = "between betting settled"
# What strict allows; "house" after it where that differs.
HANDBOOK: dict[str, dict[str, str]] = {
    # A card nobody was owed is burned where that changed no order (P1, P12, P13), else void.
    "exposed_card": {"burn": NOT_OUT, "void": ALWAYS},
    "duplicate_card": {"void": ALWAYS},
    "foreign_card": {"void": ALWAYS},
    "same_or_second": {"same": ALWAYS, "second": ALWAYS, "void": ALWAYS},
    "drawn_after_unread": {"second": ALWAYS, "void": ALWAYS},
    "unreadable_card": {"release": ALWAYS, "void": OPEN},
    "unknown_card": {"release": ALWAYS, "void": OPEN},
    "witnesses_disagree": {"release": ALWAYS, "void": ALWAYS},
    "two_cards": {"release": ALWAYS, "void": OPEN},
    "strange_card": {"release": ALWAYS, "void": ALWAYS},
    "pushed_back": {"void": ALWAYS},
    "disputed_card": {"void": ALWAYS},
    # Without a card out a supervisor looks; with cards out the last one is read again first.
    "reader_lost": {"release": NOT_OUT, "void": OPEN},
    "device_fault": {"release": NOT_OUT, "void": OPEN},
    "restart": {"release": NOT_OUT, "void": OPEN},
    "emergency": {"release": ALWAYS, "void": OPEN},
    "wait": {"release": ALWAYS, "void": OPEN},
    "dealer_report:misdeal": {"release": ALWAYS, "void": OPEN},
    "dealer_report:missed_scan": {"release": ALWAYS, "void": OPEN},
    "dealer_report:wrong_seat": {"release": ALWAYS, "void": OPEN},
    # The order of the deal is broken: void, unless it is shown that it is not so.
    "dealer_report:out_of_turn": {"release": NOT_OUT, "void": OPEN},
    "dealer_report:seat_skipped": {"release": NOT_OUT, "void": OPEN},
    "dealer_report:dealer_skipped": {"release": NOT_OUT, "void": OPEN},
    "dealer_report:no_bet_hand": {"release": NOT_OUT, "void": OPEN},
    "dealer_report:stopped_early": {"release": ALWAYS, "void": OPEN},
    "dealer_report:card_exposed": {"release": ALWAYS, "void": OPEN},
    "dealer_report:floor": {"release": "between settled", "void": OPEN},
    "dealer_report:shoe_empty": {"release": NOT_OUT, "void": OPEN},
    "dealer_report:cleared_early": {"release": "between settled", "void": OPEN},
    "dealer_report:wrong_action": {"release": "between settled", "void": OPEN},
    "dealer_report:damaged_card": {"release": "between settled", "void": OPEN},
    "dealer_report:wrong_card": {"release": NOT_OUT, "void": OPEN},
    # Granted, or not.
    "dealer_report:void_asked": {"release": ALWAYS, "void": OPEN},
    "dealer_report:other": {"release": ALWAYS, "void": OPEN},
}
HOUSE: dict[str, dict[str, str]] = {
    "exposed_card": {"burn": ALWAYS, "use": OPEN, "void": ALWAYS},
    "dealer_report:floor": {"release": ALWAYS, "void": OPEN},
    "dealer_report:cleared_early": {"release": ALWAYS, "void": OPEN},
    "dealer_report:wrong_action": {"release": ALWAYS, "void": OPEN},
    "dealer_report:damaged_card": {"release": ALWAYS, "void": OPEN},
}


@dataclass(frozen=True)
class Cell:
    """One cell of the matrix."""

    hold: str
    moment: str
    policy: Policy
    role: Role
    ruling: RulingName

    @property
    def allowed(self) -> bool:
        if self.role not in ("supervisor", "shift_manager"):
            return False
        book = HANDBOOK | (HOUSE if self.policy == "house" else {})
        return self.moment in book[self.hold].get(self.ruling, "").split()


@cache
def at(moment: str, policy: Policy) -> Felt:
    """A table at that moment, with main, Pair and behind bets where there is a round."""
    felt = Felt(TableRules(incident_policy=policy))
    if moment == "between":
        return felt
    felt.put((1, 3), pair={1: 500}, behind=[("B", 3, 2000)])
    if moment != "betting":
        felt.dealt("8S 7S 9S 8D 6D")
    if moment == "settled":
        felt.act("stand", "stand").drawn("TC")
        assert felt.round.ended == "settled"
    return felt


def held(hold: str, felt: Felt) -> None:
    """That hold, as the fact by which the table holds."""
    code, _, what = hold.partition(":")
    table, card = felt.table, card_of(FACE, "A", 7)
    params: dict[str, str | int] = {"what": what} if what else {}
    device = "shoe" if code in ("reader_lost", "device_fault") else ""
    if code == "exposed_card":
        number = table.game.round.number if table.game.round else 0
        order = len(table.game.shoe.gone) + 1
        table = evolve(table, g.CardExposed(card, order, number, "decision_open"))
    cards = (card,) if code in ("exposed_card", "same_or_second", "drawn_after_unread") else ()
    felt.table = evolve(table, f.TableHeld(table.hold_count + 1, code, device, params, cards))


def ruled(cell: Cell) -> tuple[Felt, str]:
    """The table after the ruling was given, and the refusal's code."""
    felt = Felt.__new__(Felt)
    felt.__dict__.update(at(cell.moment, cell.policy).__dict__)
    felt.facts, felt._decks = [], dict(felt._decks)
    held(cell.hold, felt)
    felt.table = evolve(felt.table, f.StaffSignedIn(Person("7", "N", cell.role), PIT.link))
    rule = i.Rule(felt.table.holds[-1].hold, cell.ruling, "", None)
    refusal = felt.say(PIT, rule)
    return felt, refusal.code if refusal else ""


CELLS = [(hold, moment, policy) for hold in HANDBOOK for moment in MOMENTS for policy in POLICIES]


@pytest.mark.parametrize(("hold", "moment", "policy"), CELLS)
def test_r60_a20_each_role_may_rule_what_the_handbook_says_and_no_bet_is_lost(
    hold: str, moment: str, policy: Policy
) -> None:
    for role, ruling in itertools.product(ROLES, RULINGS):
        cell = Cell(hold, moment, policy, role, ruling)
        before = at(moment, policy)
        felt, refusal = ruled(cell)
        assert (refusal == "") == cell.allowed, (cell, refusal)
        if role not in ("supervisor", "shift_manager"):
            assert refusal == "supervisor_only", cell
        if refusal:
            assert felt.table.game.round == before.table.game.round, cell
            assert felt.table.holds, "it holds on"
        _conserved(cell, before, felt)


def _conserved(cell: Cell, before: Felt, after: Felt) -> None:
    """Every bet of an open round comes back once with a void, and is as it was with all else."""
    was, now = before.table.game.round, after.table.game.round
    if was is None or now is None:
        return
    if is_open(was) and not is_open(now):
        assert cell.ruling == "void"
        assert now.ended == "void"
        returned = {line.bet: line.returned for line in now.lines if line.result == "void"}
        assert returned == {bet.bet: bet.stake for bet in was.bets}, cell
        assert Counter(line.bet for line in now.lines).most_common(1)[0][1] == 1
        assert after.table.game.shoe.state == "out", "a new shoe, checked, before the next round"
    else:
        assert now.bets == was.bets, cell
        assert now.lines == was.lines, cell


def test_a20_no_ruling_changes_the_recipient_of_a_dealt_card() -> None:
    for hold, policy, ruling in itertools.product(HANDBOOK, POLICIES, RULINGS):
        cell = Cell(hold, "deciding", policy, "supervisor", ruling)
        felt, _ = ruled(cell)
        was = at("deciding", policy).round
        dealt = [(box.seat, hand.cards) for box in felt.round.boxes for hand in box.hands]
        for (seat, cards), (_, old) in zip(
            dealt, ((b.seat, h.cards) for b in was.boxes for h in b.hands), strict=True
        ):
            assert cards[: len(old)] == old, (cell, seat)


def test_every_hold_and_every_report_stands_in_the_handbook() -> None:
    named = {hold for row in ROWS for hold in row.holds}
    reports = {f"dealer_report:{what}" for what in REPORTS}
    # A wish, a doubt, and what has no name: whatever they are about is another row's.
    unnamed = {"dealer_report:" + what for what in ("other", "void_asked", "wrong_card")}
    assert reports <= named | unnamed
    assert {hold for hold in HANDBOOK if ":" in hold} == reports
    for hold in set(HANDBOOK) - {"wait"} - unnamed:
        code, _, what = hold.partition(":")
        if code != "exposed_card":
            assert row_of(code, {"what": what} if what else {}) is not None, hold


def test_the_rows_are_p1_to_p23_each_noticed_by_somebody() -> None:
    assert [row.number for row in ROWS] == [f"P{n}" for n in range(1, 24)]
    assert all(row.noticed for row in ROWS)
    assert all(row.holds or row.unheld for row in ROWS)
    held_by = Counter(hold for row in ROWS for hold in row.holds)
    assert set(held_by.values()) == {1}, "no hold is two incidents"


def test_the_page_of_incidents_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.incident_table"
