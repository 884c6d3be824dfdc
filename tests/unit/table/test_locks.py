"""Locks: what keeps the next round from starting, and who ends it. A round that runs goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from station.game import commands as c
from station.game.rules import TableRules, fingerprint
from station.table import inputs as i
from station.table import lock_facts as lf
from station.table.decide import decide
from station.table.facts import Person
from station.table.locks import CONDITIONS, HOST_RULES, KINDS, RULES_CHANGED, locks
from station.wording.locks import DO, ROLES
from station.wording.refusals import REFUSALS
from station.wording.say import refusal_view
from tests.support.every_command import every_command
from tests.support.locked import MADE, TECHNICIAN, condition, locked, open_round, seen
from tests.support.phases_held import PHASES
from tests.support.play import CONSOLE, DEALER, HOST, MANAGER, PIT, STAFF, SUPERVISOR, Play

PEOPLE = (DEALER, SUPERVISOR, MANAGER, TECHNICIAN)
LATCHED = tuple(code for code in CONDITIONS if KINDS[code].latches)
# A host that says the table's rules is not asked what it said before.
BARRING = tuple(code for code in KINDS if code != HOST_RULES)


@pytest.mark.parametrize("code", BARRING)
def test_no_round_opens_while_a_lock_is_on_and_it_is_named(code: str) -> None:
    play = locked(code)
    refusal = play.say(HOST, open_round(play))
    assert refusal is not None
    assert refusal.code == code
    assert play.table.between_rounds
    assert [lock.code for lock in locks(play.table)] == [code]


@pytest.mark.parametrize("code", KINDS)
def test_every_lock_says_what_it_is_what_to_do_and_who_ends_it(code: str) -> None:
    (lock,) = locks(locked(code).table)
    view = refusal_view(lock.refusal)
    for text in (view.text.ko, view.text.en, *DO[code]):
        assert text.strip()
        assert "–" not in text, "a parameter is missing"
    assert lock.kind == KINDS[code]
    assert set(lock.kind.by) <= set(ROLES)
    assert (lock.refusal.rule or "") == lock.kind.rule


def test_the_words_are_of_locks_there_are() -> None:
    assert set(DO) == set(KINDS) == set(MADE)
    assert set(KINDS) <= set(REFUSALS)


def test_all_locks_are_named_and_not_only_the_first() -> None:
    play = locked("clock_stepped")
    for code in ("staff_file_broken", "disk_low"):
        play.give(seen(code))
    play.must(CONSOLE, i.LogOut(DEALER.staff))
    play.give(i.DeviceFault("shoe", "own", ""))
    named = [lock.code for lock in locks(play.table)]
    assert named == ["table_holds", "no_dealer", "disk_low", "clock_stepped", "staff_file_broken"]


# --- a round that runs --------------------------------------------------------------------------


def commands(name: str) -> Iterator[tuple[i.Actor, i.AnyCommand]]:
    table = PHASES[name][0]().table
    for actor in (HOST, CONSOLE, PIT, STAFF):
        for command in every_command(table):
            yield actor, command


@pytest.mark.parametrize("name", ["betting", "deciding", "insurance_window", "result", "exposed"])
def test_a_condition_changes_no_answer_to_any_command_of_a_round_that_runs(name: str) -> None:
    """Cards, decisions, money, holds and clearing go on; only opening a round asks for locks."""
    before = PHASES[name][0]()
    after = PHASES[name][0]()
    for code in CONDITIONS:
        after.give(seen(code))
    asked = 0
    for actor, command in commands(name):
        if isinstance(command, i.ClearLock):
            continue
        given = i.Commanded("id/1", "0" * 64, type(command).__name__, actor, command)
        one, two = decide(before.table, given), decide(after.table, given)
        assert one.refusal == two.refusal, (actor, command)
        kinds = [type(fact) for fact in one.facts if not isinstance(fact, lf.LockFact)]
        assert kinds == [type(f) for f in two.facts if not isinstance(f, lf.LockFact)], command
        asked += 1
    assert asked > 400


def test_a_round_is_dealt_paid_and_cleared_under_every_lock_and_then_none_starts() -> None:
    play = Play().open_table().bet((1,)).close()
    for code in CONDITIONS:
        play.give(seen(code))
    play.cards("TS 9H 9D")
    play.act("stand").card("8C")
    assert play.returned() == {1: ("win", 2000)}
    play.clear()
    assert play.say(HOST, open_round(play)) is not None


@pytest.mark.parametrize("name", PHASES)
def test_a_condition_moves_no_card_no_money_and_no_hold(name: str) -> None:
    play = PHASES[name][0]()
    table = play.table
    for code in CONDITIONS:
        play.give(seen(code))
    after = play.table
    assert (after.game, after.holds, after.changed) == (table.game, table.holds, table.changed)


# --- who ends it --------------------------------------------------------------------------------


@pytest.mark.parametrize("who", PEOPLE, ids=lambda person: str(person.role))
@pytest.mark.parametrize("code", LATCHED)
def test_what_latches_is_acknowledged_by_whom_it_names_and_nobody_else(
    code: str, who: Person
) -> None:
    play = locked(code)
    play.give(seen(code, stands=False))
    if who.role != "dealer":
        play.must(STAFF, i.LogIn(who.staff, who))
    actor = CONSOLE if who.role == "dealer" else STAFF
    lock = condition(play, code).lock
    refusal = play.say(actor, i.ClearLock(lock, "looked at it"))
    if who.role in KINDS[code].by:
        assert refusal is None
        (fact,) = play.of(lf.ConditionAcknowledged)
        assert fact == lf.ConditionAcknowledged(lock, code, who.staff, "looked at it")
        play.must(HOST, open_round(play))
    else:
        assert refusal is not None
        expected = "clearers_only" if who.role == "dealer" else "lock_not_yours"
        assert refusal.code == expected
        assert play.say(HOST, open_round(play)) is not None


@pytest.mark.parametrize("code", [code for code in LATCHED if not KINDS[code].once])
def test_nobody_acknowledges_away_what_is_still_so(code: str) -> None:
    play = locked(code)
    play.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
    refusal = play.say(PIT, i.ClearLock(condition(play, code).lock, "never mind"))
    assert refusal is not None
    assert refusal.code == "lock_stands"
    assert play.say(HOST, open_round(play)) is not None
    play.give(seen(code, stands=False))
    play.must(PIT, i.ClearLock(condition(play, code).lock, "mended"))
    play.must(HOST, open_round(play))


@pytest.mark.parametrize("code", [code for code in CONDITIONS if not KINDS[code].latches])
def test_what_does_not_latch_ends_with_its_cause_and_no_person_can_end_it(code: str) -> None:
    play = locked(code)
    play.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
    refusal = play.say(PIT, i.ClearLock(condition(play, code).lock, "never mind"))
    assert refusal is not None
    assert refusal.code == "lock_stands"
    play.give(seen(code, stands=False))
    assert play.table.conditions == ()
    play.must(HOST, open_round(play))


def test_what_came_again_meanwhile_is_not_acknowledged_unseen() -> None:
    play = locked("clock_stepped")
    old = condition(play, "clock_stepped").lock
    play.give(i.ConditionSeen("clock_stepped", True, {"seconds": "-7200.0"}))
    play.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
    refusal = play.say(PIT, i.ClearLock(old, "the first one"))
    assert refusal is not None
    assert refusal.code == "stale_lock"
    again = condition(play, "clock_stepped")
    assert (again.times, again.params) == (2, {"seconds": "-7200.0"})


def test_what_comes_back_before_it_was_acknowledged_stands_again_and_is_counted() -> None:
    play = locked("staff_file_exposed")
    play.give(seen("staff_file_exposed", stands=False))
    play.give(seen("staff_file_exposed"))
    again = condition(play, "staff_file_exposed")
    assert (again.stands, again.times) == (True, 2)
    play.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
    refusal = play.say(PIT, i.ClearLock(again.lock, "never mind"))
    assert refusal is not None
    assert refusal.code == "lock_stands"


def test_a_host_acknowledges_nothing() -> None:
    play = locked("clock_stepped")
    refusal = play.say(HOST, i.ClearLock(condition(play, "clock_stepped").lock, "-"))
    assert refusal is not None
    assert refusal.code == "not_for_hosts"


# --- what is news -------------------------------------------------------------------------------


def test_only_what_is_news_is_a_fact() -> None:
    play = locked("disk_low")
    facts = len(play.facts)
    for _ in range(100):
        play.give(seen("disk_low"))
        play.give(seen("staff_file_broken", stands=False))
    assert len(play.facts) == facts
    play.give(i.ConditionSeen("disk_low", True, {"free": 80, "limit": 200, "rounds": 1280}))
    (one,) = play.table.conditions
    assert (one.params["free"], one.times, one.lock) == (80, 1, 1)


# --- the rules ----------------------------------------------------------------------------------


def test_r59_a_changed_file_is_played_by_only_when_a_supervisor_has_confirmed_it() -> None:
    """A studio dealt for 26 hours by another soft-17 rule than its layout showed."""
    play = Play().open_table()
    before = fingerprint(play.rules)
    play.rules = TableRules(double_after_split=False)
    play.start()
    play.open_table()
    refusal = play.say(HOST, open_round(play))
    assert refusal is not None
    assert refusal.code == RULES_CHANGED
    now = fingerprint(play.rules)
    assert refusal.params == {"before": before[:8], "now": now[:8]}
    for _ in range(3):
        # Starting anew is no confirmation.
        play.start()
        play.open_table() if not play.table.dealer else back(play)
        assert play.say(HOST, open_round(play)) is not None
    play.must(PIT, i.ClearLock(condition(play, RULES_CHANGED).lock, "as ordered by the house"))
    play.must(HOST, open_round(play))


def back(play: Play) -> None:
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))


def test_a_live_tables_first_rules_are_confirmed_too() -> None:
    play = Play()
    play.table, play.facts = type(play.table)(), []
    play.give(i.StationStart("T01", "live", "0", ("shoe",), play.rules))
    assert [one.code for one in play.table.conditions] == [RULES_CHANGED]


def test_the_host_that_plays_by_other_rules_is_shown_until_it_says_the_tables() -> None:
    """A studio dealt for 26 hours by another soft-17 rule than its layout showed."""
    play = Play().open_table()
    for _ in range(5):
        refusal = play.say(HOST, c.OpenRound("f" * 64))
        assert refusal is not None
        assert refusal.code == "other_rules"
    assert [lock.code for lock in locks(play.table)] == [HOST_RULES]
    assert len(play.of(lf.ConditionRaised)) == 1
    assert play.table.tried == 5
    play.must(HOST, open_round(play))
    assert (play.table.conditions, play.table.tried) == ((), 0)


# --- fined failures and faults of the field -------------------------------------------------------


def refused_46_times(play: Play, code: str) -> None:
    """Staff goes on as if nothing were; in between the station begins anew."""
    for number in range(46):
        if number == 20:
            play.start()
            back(play)
        refusal = play.say(HOST, open_round(play))
        assert refusal is not None
        assert refusal.code == code
    assert play.table.tried == 46
    assert play.table.game.rounds == 0


def test_i_10_a_warning_light_that_is_ignored_for_46_rounds_lets_none_start() -> None:
    """A shuffler's warning lights were ignored for 46 rounds: a fault latches, and a named person
    acknowledges it."""
    play = locked("table_holds")
    refused_46_times(play, "table_holds")
    hold = play.table.holds[0].hold
    rule = i.Rule(hold, "release", "the lamp is new", None)
    refusal = play.say(CONSOLE, rule)
    assert refusal is not None
    assert refusal.code == "supervisor_only"
    play.must(PIT, rule)
    play.new_shoe("S2") if play.table.game.shoe.state != "in_play" else None
    play.must(HOST, open_round(play))


@pytest.mark.parametrize("code", [code for code in LATCHED if KINDS[code].once])
def test_i_10_what_the_station_found_out_is_ignored_for_46_rounds_and_lets_none_start(
    code: str,
) -> None:
    play = locked(code)
    refused_46_times(play, code)
    play.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
    play.must(PIT, i.ClearLock(condition(play, code).lock, "seen to"))
    play.must(HOST, open_round(play))
    assert play.table.tried == 0
