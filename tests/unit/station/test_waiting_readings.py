"""Readings that wait are stored together: in order, by one commit, none lost, none early."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from station.controller import BATCH
from station.game.cards import card_of
from station.inbox import Request, Stop
from station.journal import rows
from station.messages import Wait
from station.table import facts as f
from station.table import inputs as i
from station.table.evolve import fold
from station.table.state import Table
from tests.unit.station.test_controller import Shell
from tests.unit.station.test_controller import make as make

FACES = [rank + suit for suit in "SH" for rank in "A23456789TJQK"]


def seen(number: int) -> i.CardSeen:
    face = FACES[number % len(FACES)]
    return i.CardSeen("shoe", card_of(face, "A", 1 + number // len(FACES)), face, f"{number:02x}")


def observed(shell: Shell) -> list[str]:
    found = (row.fact for row in rows(shell.journal.db, kind="Observed"))
    return [fact.raw for fact in found if isinstance(fact, f.Observed)]


@pytest.fixture
def shell(make: Callable[..., Shell]) -> Shell:
    return make()


def drain(shell: Shell) -> None:
    shell.controller.post(Stop())
    shell.controller.run()


def test_they_are_one_transaction_and_each_has_its_effects_after_it(shell: Shell) -> None:
    commits: list[int] = []
    effects: list[tuple[int, str]] = []
    shell.controller._committed = lambda seq, _ns: commits.append(seq)

    def effect(facts: tuple[f.AnyFact, ...]) -> None:
        first = facts[0]
        assert isinstance(first, f.Observed)
        effects.append((len(commits), first.raw))

    shell.controller._effects = effect
    for number in range(5):
        shell.controller.post_reading("shoe", seen(number))
    drain(shell)
    assert len(commits) == 1
    assert effects == [(1, f"{number:02x}") for number in range(5)]
    assert observed(shell) == [f"{number:02x}" for number in range(5)]


def test_no_more_than_a_batch_at_once_and_all_in_order(shell: Shell) -> None:
    commits: list[int] = []
    shell.controller._committed = lambda seq, _ns: commits.append(seq)
    for number in range(BATCH + 10):
        shell.controller.post_reading("shoe", seen(number))
    drain(shell)
    assert len(commits) == 2
    assert observed(shell) == [f"{number:02x}" for number in range(BATCH + 10)]


def test_a_command_between_them_keeps_its_place(shell: Shell) -> None:
    console = shell.join("console", "one")
    shell.controller.post_reading("shoe", seen(0))
    shell.controller.post(Request(console, "w1", Wait()))
    shell.controller.post_reading("shoe", seen(1))
    drain(shell)
    kinds = [k for k in shell.kinds() if k in ("Observed", "CommandAnswered")]
    assert kinds[-3:] == ["Observed", "CommandAnswered", "Observed"]


def test_a_journal_that_fails_once_stores_all_of_them_later(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[bool] = []
    append = shell.journal.append

    def once(*given: object) -> None:
        if not failed:
            failed.append(True)
            raise sqlite3.OperationalError("disk full")
        append(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(shell.journal, "append", once)
    monkeypatch.setattr(shell.controller, "_pause", lambda: True)
    for number in range(3):
        shell.controller.post_reading("shoe", seen(number))
    drain(shell)
    assert observed(shell) == ["00", "01", "02"]


def full(shell: Shell) -> None:
    """The disk takes nothing more."""
    pages = shell.journal.db.execute("PRAGMA page_count").fetchone()[0]
    shell.journal.db.execute(f"PRAGMA max_page_count={pages}")


def test_a_full_disk_in_mid_batch_stores_nothing_of_it_and_later_all(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, tries = shell.controller.table, list[int]()
    full(shell)

    def pause() -> bool:
        assert shell.controller.table == before
        assert sum(1 for _ in rows(shell.journal.db)) == before.version
        tries.append(1)
        if len(tries) == 3:
            shell.journal.db.execute("PRAGMA max_page_count=100000")
        return True

    monkeypatch.setattr(shell.controller, "_pause", pause)
    for number in range(60):
        shell.controller.post_reading("shoe", seen(number))
    drain(shell)
    assert len(tries) == 3
    assert observed(shell) == [f"{number:02x}" for number in range(60)]


def test_while_the_disk_is_full_a_command_behind_a_batch_is_answered_and_a_stop_ends_it(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("station.controller.RETRY_SECONDS", 0.0)
    console = shell.join("console", "one")
    full(shell)
    before = shell.controller.table
    for number in range(60):
        shell.controller.post_reading("shoe", seen(number))
    tried: list[int] = []
    pause = shell.controller._pause

    def look() -> bool:
        """The second try is the last one that a test waits for."""
        tried.append(len(tried))
        if len(tried) == 2:
            shell.controller.post(Stop())
            monkeypatch.setattr("station.controller.RETRY_SECONDS", 5.0)
        assert len(tried) < 5
        return pause()

    monkeypatch.setattr(shell.controller, "_pause", look)
    shell.controller.post(Request(console, "w1", Wait()))
    shell.controller.run()
    assert console.answer.refusal is not None
    assert console.answer.refusal.code == "journal_unavailable"
    assert shell.controller.table == before


def test_a_stop_behind_a_batch_is_heard_while_the_disk_is_full(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    full(shell)
    before, tried = shell.controller.table, list[int]()
    pause = shell.controller._pause

    def look() -> bool:
        tried.append(1)
        assert len(tried) == 1, "the order to stop came before the first try had failed"
        return pause()

    monkeypatch.setattr(shell.controller, "_pause", look)
    for number in range(60):
        shell.controller.post_reading("shoe", seen(number))
    drain(shell)
    assert shell.controller.table == before


def test_the_fold_of_what_was_stored_is_the_table(shell: Shell) -> None:
    for number in range(30):
        shell.controller.post_reading("shoe", seen(number % 7))
    drain(shell)
    stored = fold(Table(), (row.fact for row in rows(shell.journal.db)))
    assert stored == shell.controller.table
