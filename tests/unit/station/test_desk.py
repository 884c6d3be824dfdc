"""The desk for people: whatever goes wrong, a link gets its answer and nothing leaks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from station import desk as desk_module
from station import messages as m
from station.desk import Desk
from station.duty import Duty
from station.game.refusal import refuse
from station.inbox import BadgeResult, Item, PinResult, Request
from station.staff import Staff
from station.table import inputs as i
from station.table.facts import Person
from station.table.state import Table
from tests.support.play import DEALER, Play

SECRET = "PLANTED-4711"


class Floor:
    """A desk whose worker works at once, and what it puts into the inbox."""

    def __init__(self, folder: Path, table: str = "A", play: Play | None = None) -> None:
        self.posted: list[Item] = []
        self.play = play or Play()
        self.staff = Staff.load(folder / "staff.json", "test")
        self.duty = Duty(self.staff.path, table)
        self.desk = Desk(self.staff, self.duty, self.posted.append, _now, lambda: self.table)

    @property
    def table(self) -> Table:
        return self.play.table

    def log_in(self, staff: str, pin: str) -> PinResult:
        request = Request(None, "1", m.LogIn(staff, pin))  # type: ignore[arg-type]
        self.desk.check_pin(request)
        result = self.posted[-1]
        assert isinstance(result, PinResult)
        return result

    def decide(self, result: PinResult) -> None:
        """As the controller does."""
        decision = self.play.give(
            i.Commanded(
                str(len(self.play.facts)),
                "",
                "log_in",
                i.Actor("console", "console:one"),
                i.LogIn("1001", result.person, result.refusal),
            )
        )
        self.desk.committed(decision.facts)
        result.done()


def _now(work: Any, *arguments: Any) -> None:
    work(*arguments)


def test_a_fault_on_the_worker_is_a_wrong_pin_and_says_nothing_of_what_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = Floor(tmp_path)

    def broken(_staff: str, pin: str) -> Any:
        raise RuntimeError(f"cannot look at {pin}")

    monkeypatch.setattr(floor.staff, "prove", broken)
    monkeypatch.setattr(floor.staff, "prove_badge", lambda text: broken("", text))
    said: list[str] = []
    monkeypatch.setattr(desk_module._log, "_say", lambda *all_: said.append(repr(all_)))
    assert floor.log_in("1001", SECRET).person is None
    floor.desk.badge("shoe", SECRET)
    assert isinstance(floor.posted[-1], BadgeResult)
    assert "RuntimeError" in said[0]
    assert len(said) == 2
    assert SECRET not in "".join(said) + repr(floor.posted[-1]) + "".join(capsys.readouterr())


def test_a_crash_trace_of_the_controller_holds_no_pin() -> None:
    """What is logged of an exception is its own text and the lines of the program, never values."""
    import structlog

    def handle(request: Request) -> None:
        raise KeyError(type(request.command).__name__)

    told = ""
    try:
        handle(Request(None, "1", m.LogIn("1001", SECRET)))  # type: ignore[arg-type]
    except KeyError:
        event = {"event": "controller", "exc_info": sys.exc_info()}
        told = str(structlog.processors.format_exc_info(None, "", event))
    assert "KeyError" in told
    assert SECRET not in told


def test_a_person_on_duty_elsewhere_is_refused_and_free_after_a_refusal(tmp_path: Path) -> None:
    one, two = Floor(tmp_path, "ONE"), Floor(tmp_path, "TWO")
    result = one.log_in("1001", "1001")
    refusal = two.log_in("1001", "1001").refusal
    assert refusal is not None
    assert (refusal.code, refusal.params["table"]) == ("at_another_table", "ONE")
    one.decide(result)
    assert two.log_in("1001", "1001").refusal == refusal
    # At ONE another dealer is refused, and may work at TWO.
    one.decide(one.log_in("1002", "1002"))
    assert two.log_in("1002", "1002").refusal is None


def test_a_licence_that_ends_on_duty_is_noticed_without_anybody_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = Floor(tmp_path)
    floor.decide(floor.log_in("1001", "1001"))
    assert floor.table.dealer == DEALER
    floor.desk.look()
    assert not any(isinstance(item, i.LicenceOver) for item in floor.posted)
    entry = floor.staff.file.people[0]
    ended = refuse("licence_over", "", staff="1001", until="2026-11-29")
    monkeypatch.setattr(floor.staff, "why_not", lambda one: ended if one == entry else None)
    floor.desk.look()
    assert floor.posted[-1] == i.LicenceOver("1001", ended)
    floor.play.give(i.LicenceOver("1001", ended))
    told = len(floor.posted)
    floor.desk.look()
    assert len(floor.posted) == told, "told once"


def test_a_folder_for_locks_that_cannot_be_made_lets_nobody_in_and_says_so(
    tmp_path: Path,
) -> None:
    floor = Floor(tmp_path)
    floor.duty.folder.touch()
    result = floor.log_in("1001", "1001")
    assert result.refusal is not None
    assert (result.person, result.refusal.code) == (
        Person("1001", "한지민", "dealer"),
        "duty_unknown",
    )
