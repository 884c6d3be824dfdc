"""The console's link: lost, found, garbled; the screen says so and never falls."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from station import messages as m
from station import snapshot as v
from tests.ui import fixtures, parts
from tests.ui.conftest import MakeDesk
from tests.ui.desk import Desk
from tests.ui.fake_station import FakeStation


def link(desk: Desk) -> str:
    return str(desk.console.property("link"))


def test_the_console_says_hello_and_beats(make_desk: MakeDesk) -> None:
    desk = make_desk(lost_after_ms=300)
    assert desk.station.heard[0] == m.Hello(m.PROTOCOL, "console", "test-console")
    desk.wait(lambda: desk.station.beats >= 3, "heartbeats")


def test_a_silent_station_is_lost_and_said_in_red(make_desk: MakeDesk) -> None:
    desk = make_desk(lost_after_ms=400)
    desk.station.hush()
    desk.wait(lambda: link(desk) == "lost", "the loss")
    desk.settle()
    assert desk.shown("lost")
    assert "연결 끊김 — 손을 멈추세요" in desk.words()


@pytest.mark.parametrize("build", [fixtures.drawing, fixtures.dealers_turn])
def test_nothing_glows_yellow_without_a_link(
    make_desk: MakeDesk, build: Callable[[], v.Snapshot]
) -> None:
    desk = make_desk(build())
    assert yellow(desk) > 1000
    desk.station.close()
    desk.wait(lambda: link(desk) == "lost", "the loss")
    desk.settle()
    assert yellow(desk) == 0


def yellow(desk: Desk) -> int:
    """Pixels below the banner of the hue of a card that is owed, however dimmed."""
    image = desk.view.grabWindow()
    count = 0
    for x in range(image.width()):
        for y in range(190, 690, 2):
            colour = image.pixelColor(x, y)
            hue, rich = colour.hsvHue(), colour.hsvSaturation()
            count += 35 <= hue <= 60 and rich > 90 and colour.value() > 60
    return count


def test_heartbeats_alone_keep_the_link(make_desk: MakeDesk) -> None:
    desk = make_desk(lost_after_ms=400)
    beats = desk.station.beats
    desk.wait(lambda: desk.station.beats > beats + 8, "three times the limit")
    assert link(desk) == "up"
    assert desk.station.links == 1


def test_a_station_that_comes_back_is_found(make_desk: MakeDesk) -> None:
    desk = make_desk()
    path = desk.station.path
    desk.station.close()
    desk.wait(lambda: link(desk) == "lost", "the loss")
    following = replace(fixtures.result(), version=3)
    desk.station = FakeStation(path, following)
    desk.wait(lambda: link(desk) == "up" and desk.console.snapshot == following, "the return")
    desk.settle()
    assert not desk.shown("lost")
    assert "카드 없음" in desk.words()


def test_bad_lines_are_said_and_change_nothing(make_desk: MakeDesk) -> None:
    desk = make_desk()
    before = desk.console.snapshot
    bad = [b"{\n", b'{"type":"snapshot"}\n', b"\xff\xfe\n", b'{"type":"nobody"}\n', b"[]\n"]
    for line in bad:
        desk.station.say(line)
    desk.wait(lambda: desk.client.bad_lines == len(bad), "all bad lines")
    assert desk.console.snapshot == before
    assert link(desk) == "up"
    assert "읽을 수 없는 줄" in desk.words()


def test_a_line_without_end_does_not_fill_the_memory(make_desk: MakeDesk) -> None:
    desk = make_desk()
    flood = threading.Thread(target=desk.station.say, args=(b"x" * m.MAX_STATION_LINE * 3 + b"\n",))
    flood.start()
    desk.wait(lambda: not flood.is_alive(), "all of it to be read")
    desk.show(replace(fixtures.result(), version=140))
    assert desk.client.bad_lines == 1
    assert len(desk.client._buffer) <= m.MAX_STATION_LINE


def test_a_line_in_single_bytes_is_one_snapshot(make_desk: MakeDesk) -> None:
    desk = make_desk()
    following = replace(fixtures.idle(), version=141)
    line = msgspec.json.encode(following) + b"\n"
    desk.station.dribble(line, 97, desk.app.processEvents)
    desk.wait(lambda: desk.console.snapshot == following, "the snapshot")


def test_another_protocol_is_refused_by_name(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.station.say(msgspec.json.encode(m.Welcome(99, "T01", "live", "s")) + b"\n")
    desk.wait(lambda: desk.client.wrong_protocol == 99, "the refusal")
    desk.wait(lambda: "99" in str(desk.console.property("notice")), "the words")


def test_a_rejected_line_is_worded_and_frees_the_key(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.result())
    rejected = m.Rejected("malformed", v.Text("이해할 수 없습니다", "cannot be understood"))

    def reject(message: m.CommandMessage) -> None:
        desk.station.say(msgspec.json.encode(rejected) + b"\n")

    desk.station.answer = reject
    desk.click("key:cleared")
    desk.wait(lambda: "이해할 수 없습니다" in desk.words(), "the words")
    assert not desk.console.property("pending")


def test_a_taken_name_drops_no_command(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.result())
    desk.station.answer = lambda message: None
    desk.click("key:cleared")
    desk.wait(lambda: len(desk.station.commands) == 1, "the command")
    desk.station.taken = 1
    desk.station.cut()
    desk.wait(lambda: len(desk.station.commands) == 2, "the command again")
    first, second = desk.station.commands
    assert first == second
    assert desk.station.links == 3


def test_five_thousand_signals_do_not_abort(make_desk: MakeDesk) -> None:
    desk = make_desk()
    heard: list[int] = []
    desk.console.applied.connect(lambda snapshot, ns: heard.append(ns))
    for number in range(5000):
        desk.console.applied.emit(desk.console.snapshot, number)
        desk.console.signed.emit(True)
    assert heard == list(range(5000))


def test_a_settlement_of_hundreds_of_bets_is_read_whole(make_desk: MakeDesk) -> None:
    """What the station sends may be longer than what it takes: a line of a mebibyte is a line."""
    desk = make_desk()
    bets = [parts.bet(f"player{n:04}", 1000, "behind", 2000, "win") for n in range(4000)]
    first = fixtures.result().seats[0]
    seats = [replace(first, bets=[*first.bets, *bets]), *fixtures.result().seats[1:]]
    following = replace(fixtures.result(), version=142, seats=seats)
    line = msgspec.json.encode(following) + b"\n"
    assert m.MAX_LINE < len(line) < m.MAX_STATION_LINE
    sending = threading.Thread(target=desk.station.say, args=(line,))
    sending.start()
    desk.wait(lambda: desk.console.snapshot == following, "the snapshot")
    sending.join()
    assert desk.client.bad_lines == 0
