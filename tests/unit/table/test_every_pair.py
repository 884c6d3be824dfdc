"""Every pair of place and command: what is refused changes no round, shoe or money, and says why.

The places are those of `tests.support.phases`; the commands are every one there is, in sound and
unsound forms, said from every kind of link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import get_args

import msgspec
import pytest

from station.actions import actions
from station.game import commands as c
from station.game.dealing import Owed
from station.game.refusal import Refusal
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision, decide
from station.table.evolve import fold
from station.table.locks import CONDITIONS
from station.table.state import Table, expected
from station.table.why_not import why_not
from station.wording.refusals import REFUSALS
from station.wording.say import refusal_view
from station.wording.table import PROMPTS
from tests.support.every_command import every_command
from tests.support.phases_shoes import PHASES
from tests.support.play import CONSOLE, DEALER, HOST, PIT, STAFF
from tests.support.watch import refused_changes_nothing, waits_for_one_thing

ACTORS = (HOST, CONSOLE, PIT, STAFF)
_stored = msgspec.json.Encoder(order="deterministic").encode
_read = msgspec.json.Decoder(f.AnyFact).decode

# The rule that a refusal rests on; what is not here is the table's order and has none.
BY_RULE: dict[str, str] = {
    "no_such_seat": "A21",
    "seat_is_free": "R11",
    "host_is_lost": "R58",
    "seat_taken": "R11",
    "one_seat_a_player": "R11",
    "player_needed": "R11 R13",
    "not_seated": "R11 R13 R43 R55",
    "round_running": "R12",
    "bet_already_placed": "R13",
    "main_bet_first": "R14",
    "seat_empty": "R48",
    "behind_full": "A21",
    "seated_may_not_bet_behind": "R49",
    "behind_may_not_sit": "R49",
    "absent_already": "R55",
    "present_already": "A13",
    "bet_below_minimum": "A21",
    "bet_above_maximum": "A21",
    "bet_off_step": "A26",
    "betting_closed": "R11",
    "stale_round": "R11 R20 R39 R52 R54 R60 -",
    "nothing_asked": "R20",
    "stale_decision": "R20",
    "too_late": "R21",
    "double_on_two_cards": "R29",
    "no_double_after_split": "R29",
    "split_once": "R36",
    "split_on_two_cards": "R34",
    "split_same_value": "R34",
    "no_surrender_against": "R31",
    "surrender_first": "R33",
    "no_window": "R39 R52",
    "stale_window": "R39 R52 R54",
    "not_asked": "R39 R52 R54",
    "answered_already": "R39 R52 R54",
    "no_such_bet": "R13",
    "not_settled": "R24",
    "other_rules": "R59",
    "round_void_already": "R60",
    "round_settled_already": "R60",
    "no_open_round": "R60",
    "note_needed": "R60",
    "decided_since": "R60",
    "shoe_not_in_play": "R60",
    "shoe_not_loaded": "R60",
    "same_shoe": "R60",
    "shoe_change_due": "A21",
    "burn_due": "A21",
    "shoe_barred": "R2",
    "check_running": "R2",
    "unknown_set": "R2",
    "wrong_set": "R2",
    "set_barred": "R2",
    "reason_needed": "R2",
    "no_check": "R2",
    "not_shuffled": "R60",
    "shoe_is_in": "R60",
    "receipt_used": "R2",
    "second_needed": "R59",
    "shoe_not_waiting": "R2",
    "supervisor_only": "R59",
    "supervisor_rules": "R59",
    "table_holds": "R60",
    "ruling_not_open": "R60 R2 -",
    "cards_are_out": "R60",
    "card_changed_order": "R60",
    "strict_voids": "R60",
    "second_is_first": "R59",
    "not_of_this_shoe": "R2",
    "card_is_out": "R2",
    "no_card_unread": "R60",
    "round_disputed": "R59",
    "disputed_already": "R59",
    "not_disputed": "R59",
    "escalated_already": "R59",
    "not_settled_yet": "R59",
    "round_too_old": "R59",
    "last_card_not_reread": "R60",
    "drawn_during_hold": "R60",
    "rules_changed": "R59",
}
# Not the core's, or met only where no pair of place and command can be: the link's own, a hand of
# split aces (complete before it is asked), and what `why_not_action` has a better word for.
ELSEWHERE = {"malformed", "id_reused", "journal_unavailable", "split_aces_one_card", "not_legal"}
# Said to a shift manager alone: tests/unit/table/test_disputes.py; and of a card entered by hand:
# tests/unit/table/test_entered_by_hand.py, test_corrected.py.
ELSEWHERE |= {"same_card"}
ELSEWHERE |= {"escalated_already", "card_is_out", "no_card_unread"}
# What the staff file and the badges are against, and locks: tests/unit/table/test_attempts.py.
ELSEWHERE |= {"pin_barred", "place_locked", "pin_is_once", "person_disabled", "licence_over"}
ELSEWHERE |= {"no_licence", "game_not_permitted", "game_permission_over", "at_another_table"}
ELSEWHERE |= {"duty_unknown", "badge_unknown", "not_locked"}
# Said to a shift manager alone: tests/unit/table/test_shoe_life.py.
ELSEWHERE |= {"not_barred"}
# What the station finds out, each to each command: tests/unit/table/test_locks.py.
ELSEWHERE |= set(CONDITIONS) - {"rules_changed", "disk_low"}


@cache
def place(name: str) -> Table:
    """The table there; it is frozen, so one is enough."""
    return PHASES[name][0]().table


def said(table: Table) -> Iterator[tuple[i.Actor, i.AnyCommand, Decision]]:
    """Every command from every link, each to the same table."""
    for actor in ACTORS:
        for command in every_command(table):
            given = i.Commanded("id/1", "0" * 64, type(command).__name__, actor, command)
            yield actor, command, decide(table, given)


def test_every_command_there_is_has_its_cases() -> None:
    kinds = {type(command) for command in every_command(place("deciding"))}
    assert kinds == set(get_args(c.AnyGameCommand)) | set(get_args(i.AnyTableCommand))


@pytest.mark.parametrize("name", PHASES)
def test_a_refused_command_changes_nothing_and_says_why(name: str) -> None:
    table, refused = place(name), 0
    for actor, command, decision in said(table):
        if decision.refusal is None:
            continue
        refused += 1
        try:
            refused_changes_nothing(table, decision)
            well_worded(decision.refusal)
        except AssertionError as error:
            raise AssertionError(f"{actor.link}: {command}: {decision.refusal}") from error
    assert refused > 200


def well_worded(refusal: Refusal) -> None:
    """Both languages, nothing left open, and the rule where the rules say so."""
    view = refusal_view(refusal)
    assert refusal.code in REFUSALS
    assert view.text.ko != view.text.en
    for text in (view.text.ko, view.text.en):
        assert text.strip()
        assert not re.search(r"[{}]|–", text), text
    rules = BY_RULE.get(refusal.code, "-").split()
    assert (refusal.rule or "-") in rules


@pytest.mark.parametrize("name", PHASES)
def test_an_accepted_command_leaves_facts_and_the_table_waits_for_one_thing(name: str) -> None:
    table, accepted = place(name), 0
    for actor, command, decision in said(table):
        if decision.refusal is not None:
            continue
        accepted += 1
        told = f"{actor.link}: {command}"
        happened = [fact for fact in decision.facts if not isinstance(fact, f.CommandAnswered)]
        on_duty = isinstance(command, i.LogIn) and command.person == table.dealer == DEALER
        assert happened or on_duty, told
        again = fold(table, (_read(_stored(fact)) for fact in decision.facts))
        assert again == decision.after, told
        waits_for_one_thing(decision.after)
    assert accepted > 0


@pytest.mark.parametrize("name", PHASES)
def test_what_why_not_allows_decide_does(name: str) -> None:
    """The two never disagree, nor does what the console greys out by."""
    table = place(name)
    for actor, command, decision in said(table):
        assert decision.refusal == why_not(table, actor, command), (actor, command)
    for actor in ACTORS:
        for offered in actions(table, actor):
            assert offered.refusal is None or offered.refusal.code in REFUSALS


@pytest.mark.parametrize("name", PHASES)
def test_every_place_says_where_the_next_card_goes_or_why_none_may_come(name: str) -> None:
    answer = expected(place(name))
    if isinstance(answer, Owed):
        assert answer.purpose == PHASES[name][1]
    else:
        assert answer.code == PHASES[name][1]
        assert answer.code in PROMPTS


HOSTS = {"OpenRound", "TakeSeat", "LeaveSeat", "PlayerLost", "PlayerBack", "PlaceBet", "TakeBack"}
HOSTS |= {"CloseBetting", "Decide", "Insure", "Follow"}
# From where each kind of command is ever accepted: a supervisor is signed in at the pit alone.
WHO: dict[str, set[str]] = {
    **{kind: {"console"} for kind in ("Wait", "CallSupervisor")},
    **{kind: {"console", "pit"} for kind in ("Resume", "EmergencyStop", "LogOut")},
    **{kind: {"console", "pit"} for kind in ("PauseTable", "OpenTable", "ReportError", "Cleared")},
    **{kind: {"pit"} for kind in ("AnswerCall", "Rule", "VoidRound", "LoadShoe", "ReleaseShoe")},
    **{kind: {"pit"} for kind in ("BeginShoeCheck", "FinishShoeCheck", "CancelShoeCheck")},
    **{kind: {"pit"} for kind in ("EnterCheckersReceipt", "ShoeShuffled", "TakeOutShoe")},
    **{
        kind: {"pit"}
        for kind in ("ReconcileShoe", "CloseTable", "AnswerDispute", "EnterCard", "CorrectCard")
    },
    "ClearLock": {"pit"},
    "DisputeRound": {"host", "pit"},
    "LogIn": {"console", "pit", "staff"},
}


@pytest.mark.parametrize("chairs", [False, True])
def test_each_command_is_for_those_it_is_for(chairs: bool) -> None:
    """R59 for the supervisor's; where there are chairs the dealer keys what a host would say."""
    by: dict[str, set[str]] = {}
    for name in PHASES:
        if place(name).keys == chairs:
            for actor, command, decision in said(place(name)):
                if decision.refusal is None:
                    by.setdefault(type(command).__name__, set()).add(actor.role)
    hosts = {kind: {"console" if chairs else "host"} for kind in HOSTS}
    if chairs:
        # START, which the dealer forgot, a supervisor presses for him.
        hosts["OpenRound"] = {"console", "pit"}
    assert {kind: roles for kind, roles in by.items() if kind in HOSTS} == hosts
    if chairs:  # Not every place is there with chairs too.
        assert all(roles <= WHO[kind] for kind, roles in by.items() if kind not in HOSTS)
    else:
        assert by == WHO | hosts


def accepted(name: str) -> set[str]:
    """The kinds of command that somebody may say there."""
    return {
        type(command).__name__
        for _, command, decision in said(place(name))
        if decision.refusal is None
    }


@pytest.mark.parametrize("name", [name for name in PHASES if PHASES[name][1] == "held"])
def test_a_hold_stops_cards_money_and_decisions(name: str) -> None:
    """R60; who sits down, leaves, is lost or comes back meanwhile is taken note of."""
    people = {"TakeSeat", "LeaveSeat", "PlayerLost", "PlayerBack"}
    assert accepted(name) & {kind.__name__ for kind in get_args(c.AnyGameCommand)} <= people


@pytest.mark.parametrize("name", PHASES)
def test_r59_only_a_wait_ends_without_a_ruling(name: str) -> None:
    waits = [hold.code for hold in place(name).holds] == ["wait"]
    assert ("Resume" in accepted(name)) == waits


@pytest.mark.parametrize("name", PHASES)
def test_shoes_and_the_tables_day_change_between_rounds_only(name: str) -> None:
    round_ = place(name).game.round
    if round_ is not None and round_.ended not in ("cleared", "void"):
        between = {
            "LoadShoe",
            "BeginShoeCheck",
            "TakeOutShoe",
            "PauseTable",
            "CloseTable",
            "OpenTable",
            "OpenRound",
        }
        assert not accepted(name) & between


def test_only_a_supervisor_opens_what_was_closed() -> None:
    openers = {
        actor.role
        for actor, command, decision in said(place("closed"))
        if isinstance(command, i.OpenTable) and decision.refusal is None
    }
    assert openers == {"pit"}


def test_every_refusal_there_is_is_met() -> None:
    """Else a code is worded that nobody can get, or one can be got that nobody has looked at."""
    met = {
        decision.refusal.code
        for name in PHASES
        for _, _, decision in said(place(name))
        if decision.refusal is not None
    }
    assert met == set(REFUSALS) - ELSEWHERE


def test_the_rules_that_refusals_cite_are_rules() -> None:
    cited = {rule for rules in BY_RULE.values() for rule in rules.split()} - {"-"}
    assert all(re.fullmatch(r"R([1-9]|[1-5]\d|6[0-2])|A([1-9]|[12]\d|3[0-4])", r) for r in cited)
    assert set(BY_RULE) <= set(REFUSALS)
