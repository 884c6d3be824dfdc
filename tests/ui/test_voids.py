"""A supervisor at the console says why a round is void: one tap to choose, one long press."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from station import messages as m
from station import snapshot as v
from tests.ui import holds
from tests.ui.conftest import MakeDesk
from tests.ui.desk import Desk
from tests.ui.test_presses import commands, drain, hear
from ui.intents import VOIDS

LEAST_PX = 46  # 12 mm at 3.78 px a mm


def asked() -> v.Snapshot:
    """The dealer asks for a void; a supervisor has come."""
    hold = replace(
        holds.exposed_hold(5), code="dealer_report", params={"what": "void_asked"}, faces=[]
    )
    return holds.with_supervisor(holds.held(hold))


def opened(make_desk: MakeDesk) -> Desk:
    desk = make_desk(asked())
    QTest.qWait(700)
    desk.click("choice:void_round")
    desk.wait(lambda: desk.shown(f"choice:void_round:{VOIDS[0]}"), "the reasons")
    return desk


def test_the_reasons_are_asked_for_and_a_tap_voids_nothing(make_desk: MakeDesk) -> None:
    desk = opened(make_desk)
    QTest.qWait(700)
    for reason in VOIDS:
        desk.click(f"choice:void_round:{reason}")
    drain(desk)
    assert not commands(desk)


def test_a_long_press_on_a_reason_voids_for_it(make_desk: MakeDesk) -> None:
    desk = opened(make_desk)
    QTest.qWait(700)
    desk.press("choice:void_round:wrong_card")
    hear(desk, 1)
    desk.release("choice:void_round:wrong_card")
    snapshot = desk.station.snapshot
    assert commands(desk) == [m.VoidRound(snapshot.round, "wrong_card", snapshot.version)]


def test_a_scanners_keys_press_no_reason(make_desk: MakeDesk) -> None:
    desk = opened(make_desk)
    QTest.qWait(700)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Tab):
        QTest.keyClick(desk.view, key)
        QTest.keyPress(desk.view, key)
        QTest.qWait(100)
        QTest.keyRelease(desk.view, key)
    drain(desk)
    assert not commands(desk)


def test_each_reason_is_large_enough_for_a_thumb(make_desk: MakeDesk) -> None:
    desk = opened(make_desk)
    for reason in VOIDS:
        item = desk.find(f"choice:void_round:{reason}")
        assert min(item.width(), item.height()) >= LEAST_PX, (reason, item.width(), item.height())


def test_back_closes_the_reasons(make_desk: MakeDesk) -> None:
    desk = opened(make_desk)
    QTest.qWait(700)
    desk.click("choice:close")
    desk.wait(lambda: desk.shown("choice:rule:burn"), "the rulings")
    assert not commands(desk)
