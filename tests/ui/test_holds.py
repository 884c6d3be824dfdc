"""What the screen says while the table holds: one hold, everywhere the same."""

from __future__ import annotations

from tests.ui import holds
from tests.ui.conftest import MakeDesk


def test_an_emergency_stop_outweighs_the_dealers_own_wait(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.emergency_in_a_wait())
    words = desk.words()
    assert "비상 정지되었습니다." in words
    assert "감독의 결정이 필요합니다" in words
    assert "준비되면 아래의" not in words
    assert desk.shown("key:signin")
    assert desk.find("key:resume").property("active")


def test_the_rulings_are_those_of_the_hold_in_the_banner(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.with_supervisor(holds.emergency_in_a_wait()))
    assert "비상 정지되었습니다." in desk.words()
    panel = desk.console.property("panel").property("v")
    assert [(i["command"], i["target"]) for i in panel["items"]] == [("rule:release", "8")]


def test_a_wait_alone_is_the_dealers_to_end(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.waiting())
    assert "준비되면 아래의" in desk.words()
    assert not desk.shown("key:signin")
