"""Locks on the console: the first in the prompt, how many more, and what is to be done."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from station import snapshot as v
from station.config import TableSection
from station.table import inputs as i
from station.table.locks import CONDITIONS, KINDS
from station.view import Viewer
from tests.support.locked import locked, open_round, seen
from tests.support.play import CONSOLE, HOST, MANAGER, PIT, STAFF, Play

VIEWER = Viewer(TableSection("T01", "test"), 1.0, 0, ())


def shown(play: Play, actor: i.Actor = CONSOLE, since: dict[int, str] | None = None) -> v.Snapshot:
    return VIEWER.snapshot(play.table, actor, "", {}, {1: "held"}, {}, True, since)


@pytest.mark.parametrize("code", CONDITIONS)
def test_the_prompt_names_what_bars_the_next_round_and_the_side_what_to_do(code: str) -> None:
    view = shown(locked(code))
    (lock,) = view.locks
    assert (view.prompt.kind, view.prompt.code) == ("none", code)
    assert view.prompt.text == lock.what
    assert view.banners[0].en == f"{lock.do.en} {lock.who.en}"
    assert re.search("[가-힣]", view.banners[0].ko)


def test_the_first_is_named_and_how_many_more_there_are() -> None:
    play = locked("clock_stepped")
    play.give(seen("disk_low"))
    play.give(seen("staff_file_broken"))
    view = shown(play)
    assert view.prompt.code == "disk_low"
    assert view.prompt.text.en.endswith("(and 2 more)")
    assert view.prompt.text.ko.endswith("(외 2건)")
    assert len(view.locks) == 3


def test_while_a_round_runs_the_prompt_is_its_own_and_the_side_says_that_the_next_is_locked() -> (
    None
):
    play = Play().open_table().deal("5S 9S 8S 6S 7S")
    before = shown(play).prompt
    play.give(seen("disk_low"))
    view = shown(play)
    assert view.prompt == before
    assert view.banners[0].en.startswith("Next round locked: The journal's disk is nearly full")


@pytest.mark.parametrize("actor", [CONSOLE, PIT, STAFF, HOST])
def test_everybody_is_told_all_of_them_with_since_when(actor: i.Actor) -> None:
    play = locked("table_holds")
    play.give(seen("clock_stepped"))
    hold, clock = shown(play, actor, {1: "stepped"}).locks
    assert (hold.code, hold.since, hold.lock) == ("table_holds", "held", 1)
    assert (clock.code, clock.since, clock.lock) == ("clock_stepped", "stepped", 1)
    assert clock.by == list(KINDS["clock_stepped"].by)
    assert clock.who.en == "To be acknowledged by a technician or a shift manager."


def test_who_ends_it_is_said_as_it_stands() -> None:
    play = locked("self_check_failed")
    (lock,) = shown(play).locks
    assert lock.who.en == (
        "Once its cause is gone, acknowledged by a technician or a shift manager."
    )
    play.give(seen("self_check_failed", stands=False))
    (lock,) = shown(play).locks
    assert lock.who.en == "To be acknowledged by a technician or a shift manager."
    (lock,) = shown(locked("disk_low")).locks
    assert lock.who.en == "It ends by itself with its cause."


def test_acknowledging_is_offered_to_whom_it_is_for() -> None:
    play = locked("clock_stepped")

    def offered() -> list[bool]:
        actions = shown(play, PIT).actions
        return [one.refusal is None for one in actions if one.command == "clear_lock"]

    assert offered() == [False]
    play.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
    assert offered() == [True]


def test_how_often_a_round_was_asked_for_is_shown_and_what_is_asked_in_a_round_is_not_counted() -> (
    None
):
    play = locked("disk_low")
    for _ in range(3):
        play.say(HOST, open_round(play))
    assert shown(play).tried == 3
    play.give(seen("disk_low", stands=False))
    play.must(HOST, open_round(play))
    assert play.say(HOST, open_round(play)) is not None
    assert shown(play).tried == 0


def test_a_lock_of_another_release_bars_and_says_whom_to_call() -> None:
    play = locked("clock_stepped")
    (one,) = play.table.conditions
    play.table = replace(play.table, conditions=(replace(one, code="of_tomorrow"),))
    view = shown(play)
    assert view.locks[0].what.en == "A lock of another release: of_tomorrow."
    assert view.locks[0].do.en == "Call a technician."
    assert play.say(HOST, open_round(play)) is not None
