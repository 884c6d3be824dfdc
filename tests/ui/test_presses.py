"""E-05: a shaky finger, a slow answer, a lost link: one press is one command."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest

from station import messages as m
from station import snapshot as v
from tests.ui import fixtures, holds, parts
from tests.ui.conftest import MakeDesk
from tests.ui.desk import Desk


def commands(desk: Desk) -> list[m.AnyCommand]:
    return [message.command for message in desk.station.commands]


def hear(desk: Desk, count: int) -> None:
    desk.wait(lambda: len(desk.station.commands) >= count, f"{count} commands")


def type_(desk: Desk, digits: str) -> None:
    """On a keyboard."""
    for digit in digits:
        QTest.keyClick(desk.view, Qt.Key(ord(digit)))


def drain(desk: Desk) -> None:
    """Whatever was written has arrived: the line after it is answered."""
    beats = desk.station.beats
    desk.client._on_beat()
    desk.wait(lambda: desk.station.beats > beats, "a heartbeat")


def test_two_clicks_on_cleared_are_one_command_however_late_the_answer(
    make_desk: MakeDesk,
) -> None:
    desk = make_desk(fixtures.result())
    desk.station.answer = lambda message: None
    for _ in range(3):
        desk.click("key:cleared")
    hear(desk, 1)
    drain(desk)
    assert commands(desk) == [m.Cleared(12845)]
    desk.station.say(_answer(desk))
    desk.wait(lambda: not desk.console.property("pending"), "the answer")
    desk.click("key:cleared")
    hear(desk, 2)


def _answer(desk: Desk) -> bytes:
    answer = m.Answer(desk.station.commands[-1].id, True, desk.station.snapshot.version)
    return msgspec.json.encode(answer) + b"\n"


def test_an_answered_key_stays_shut_until_the_snapshot_shows_it(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.result())
    version = desk.station.snapshot.version
    desk.station.answer = lambda message: m.Answer(message.id, True, version + 3)
    answered: list[str] = []
    desk.client.answered.connect(lambda key, answer: answered.append(key))
    desk.click("key:cleared")
    desk.wait(lambda: bool(answered), "the answer")
    desk.click("key:cleared")
    drain(desk)
    assert len(commands(desk)) == 1
    desk.show(replace(fixtures.idle(), version=version + 3))
    assert not desk.console.property("pending")


def test_touch_and_the_mouse_it_becomes_are_one_command(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.result())
    desk.station.answer = lambda message: None
    finger = QTest.createTouchDevice(QPointingDevice.DeviceType.TouchScreen)
    point = desk.centre("key:cleared")
    QTest.touchEvent(desk.view, finger).press(0, point).commit()
    QTest.touchEvent(desk.view, finger).release(0, point).commit()
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(desk.view, left, none, point)
    hear(desk, 1)
    drain(desk)
    assert commands(desk) == [m.Cleared(12845)]


def test_a_tap_meant_for_wait_never_resumes(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    desk.station.answer = lambda message: m.Answer(message.id, True, 110)
    point = desk.centre("key:wait")
    desk.click("key:wait")
    hear(desk, 1)
    desk.show(holds.waiting())
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(desk.view, left, none, point)
    drain(desk)
    assert commands(desk) == [m.Wait()]
    desk.click("key:resume")
    hear(desk, 2)


def test_an_unanswered_command_is_sent_again_under_its_own_id(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.result())
    desk.station.answer = lambda message: None
    desk.click("key:cleared")
    hear(desk, 1)
    desk.station.cut()
    hear(desk, 2)
    first, second = desk.station.commands
    assert first == second
    assert desk.station.links == 2


def test_a_dimmed_key_says_why_with_the_rule_and_sends_nothing(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    desk.click("key:cleared")
    desk.settle()
    assert "아직 끝나지 않았습니다" in desk.words()
    assert "(R24)" in desk.words()
    drain(desk)
    assert not commands(desk)


def test_a_refused_command_is_worded_for_the_dealer(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.result(), "en")
    desk.station.answer = lambda message: m.Answer(message.id, False, 100, parts.ROUND_RUNS)
    desk.click("key:cleared")
    desk.wait(lambda: "is not finished" in desk.words(), "the refusal")
    assert not desk.console.property("pending")


def test_nothing_can_be_pressed_without_a_link(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.result())
    desk.station.close()
    desk.wait(lambda: desk.console.property("link") == "lost", "the loss")
    desk.settle()
    for key in ("cleared", "wait", "emergency_stop", "call_supervisor", "staff"):
        desk.click(f"key:{key}")
    desk.settle()
    assert not commands(desk)
    assert desk.console.property("sheet") == ""


def test_an_error_is_reported_by_its_kind(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    desk.click("key:report_error")
    desk.settle()
    desk.click("choice:report_error:missed_scan")
    hear(desk, 1)
    assert commands(desk) == [m.ReportError("missed_scan")]
    desk.wait(lambda: desk.console.property("sheet") == "", "the chooser to close")


def _wait_out_the_guard(desk: Desk) -> None:
    QTest.qWait(700)


def test_the_same_keys_stop_and_call(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    desk.click("key:call_supervisor")
    desk.click("key:emergency_stop")
    hear(desk, 2)
    assert commands(desk) == [m.CallSupervisor("help"), m.EmergencyStop()]


def test_a_ruling_is_given_for_the_hold_on_the_screen(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.ruled())
    _wait_out_the_guard(desk)
    desk.click("choice:rule:burn")
    hear(desk, 1)
    assert commands(desk) == [m.Rule(5, "burn", expected_version=111)]


def test_a_second_tap_does_not_rule_the_next_hold(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.ruled())
    _wait_out_the_guard(desk)
    desk.click("choice:rule:burn")
    hear(desk, 1)
    following = holds.with_supervisor(holds.held(holds.exposed_hold(9)))
    desk.show(replace(following, version=130))
    desk.click("choice:rule:burn")
    drain(desk)
    assert commands(desk) == [m.Rule(5, "burn", expected_version=111)]


def test_a_void_takes_a_long_press(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.ruled())
    _wait_out_the_guard(desk)
    desk.click("choice:rule:void")
    drain(desk)
    assert not commands(desk)
    assert "끝까지 길게 누르세요." in desk.words()
    desk.press("choice:rule:void")
    hear(desk, 1)
    desk.release("choice:rule:void")
    assert commands(desk) == [m.Rule(5, "void", expected_version=111)]


def test_a_ruling_that_is_not_open_says_why(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.reader_ruled())
    assert "다시 읽어야 합니다. (R60)" in desk.words()
    _wait_out_the_guard(desk)
    desk.click("choice:rule:aligned")
    drain(desk)
    assert not commands(desk)


def test_no_key_of_the_keyboard_rules(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.ruled())
    _wait_out_the_guard(desk)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Escape):
        QTest.keyClick(desk.view, key)
    drain(desk)
    assert not commands(desk)


def test_a_dealer_logs_in_with_number_and_pin(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.closed())
    for digit in "2001":
        desk.click(f"pad:{digit}")
    desk.click("entry:go")
    for digit in "48":
        desk.click(f"pad:{digit}")
    desk.click("entry:go")  # Too short to be a PIN: nothing happens.
    for digit in "2690":
        desk.click(f"pad:{digit}")
    assert "482690" not in desk.words()
    desk.click("entry:go")
    hear(desk, 1)
    assert commands(desk) == [m.LogIn("2001", "482690")]


def test_a_wrong_pin_is_wiped_and_said(make_desk: MakeDesk) -> None:
    wrong = v.RefusalView(
        "wrong_pin", "", {}, v.Text("직원 번호 또는 PIN이 맞지 않습니다.", "Wrong PIN.")
    )
    desk = make_desk(holds.held())
    desk.station.answer = lambda message: m.Answer(message.id, False, 110, wrong)
    desk.click("key:signin")
    desk.settle()
    type_(desk, "1001")
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    type_(desk, "1234")
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    hear(desk, 1)
    assert commands(desk) == [m.LogIn("1001", "1234")]
    desk.wait(lambda: "맞지 않습니다" in desk.words(), "the refusal")
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    drain(desk)
    assert len(commands(desk)) == 1


def test_a_supervisor_loads_and_releases_a_shoe(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.shoe_needed())
    _wait_out_the_guard(desk)
    desk.click("choice:release_shoe")
    hear(desk, 1)
    desk.click("choice:load_shoe")
    desk.settle()
    for digit in "18":
        desk.click(f"pad:{digit}")
    desk.click("entry:go")
    desk.settle()
    desk.click("set:B")
    desk.click("entry:go")
    hear(desk, 2)
    assert commands(desk) == [m.ReleaseShoe("17", 105), m.LoadShoe("18", "B")]


def test_a_shoe_is_not_loaded_before_its_set_is_chosen(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.shoe_needed())
    desk.console.open("load")
    desk.settle()
    type_(desk, "18")
    desk.click("entry:go")
    desk.settle()
    assert not desk.find("entry:go").property("active")
    desk.click("entry:go")
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    drain(desk)
    assert not commands(desk)
    desk.click("set:")
    desk.settle()
    assert "카드에 세트 문자 없음" in desk.words()
    desk.click("entry:go")
    hear(desk, 1)
    assert commands(desk) == [m.LoadShoe("18", "")]


def test_the_set_letter_can_be_typed_and_every_letter_is_there(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.shoe_needed())
    desk.console.open("load")
    desk.settle()
    type_(desk, "18")
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    desk.settle()
    assert all(desk.shown(f"set:{letter}") for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    QTest.keyClick(desk.view, Qt.Key.Key_Z)
    QTest.keyClick(desk.view, Qt.Key.Key_Return)
    hear(desk, 1)
    assert commands(desk) == [m.LoadShoe("18", "Z")]


def test_only_a_loaded_shoe_can_be_released(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.shoe_needed())
    assert desk.shown("choice:release_shoe")
    loaded = fixtures.shoe_needed()
    for version, state in enumerate(("none", "in_play", "last_round", "out"), start=300):
        shoe = replace(loaded.shoe, state=state)
        desk.show(replace(loaded, version=version, shoe=shoe))
        assert not desk.shown("choice:release_shoe"), state
        assert desk.shown("choice:load_shoe")


def test_zero_lies_beneath_the_eight(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.closed())
    eight, zero = desk.centre("pad:8"), desk.centre("pad:0")
    assert zero.x() == eight.x()
    assert zero.y() > eight.y()
    row = [desk.centre(f"pad:{digit}") for digit in "789"]
    assert row[0].x() < row[1].x() < row[2].x()
    assert len({point.y() for point in row}) == 1


def test_the_dealer_signs_out_by_name(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.idle())
    desk.click("key:staff")
    desk.settle()
    desk.click("choice:log_out")
    hear(desk, 1)
    assert commands(desk) == [m.LogOut("2001")]
