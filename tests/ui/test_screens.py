"""What each screen answers: where the next card goes, what was read, how long, who decides."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QColor

from station import snapshot as m
from tests.ui import fixtures, holds, parts
from tests.ui.conftest import MakeDesk
from tests.ui.desk import Desk
from ui.present import readers_health


def colour(desk: Desk, name: str) -> QColor:
    """The colour painted just inside the top left corner of an item."""
    item = desk.find(name)
    point = item.mapToScene(item.boundingRect().topLeft()).toPoint()
    return desk.view.grabWindow().pixelColor(point.x() + 14, point.y() + 30)


def test_the_lit_seat_is_where_the_prompt_points(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    for number in range(1, 8):
        if number == 6:
            continue
        desk.show(
            replace(
                fixtures.drawing(),
                version=200 + number,
                prompt=parts.card_prompt(number, "hit", "히트", "Hit"),
            )
        )
        assert f"좌석 {number}" in desk.words()
        lit = [n for n in range(1, 8) if desk.find(f"seat{n}").property("lit")]
        assert lit == [number]


def test_the_dealers_card_lights_the_dealer(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.dealers_turn())
    assert "17까지 뽑기" in desk.words()
    assert not any(desk.find(f"seat{n}").property("lit") for n in range(1, 8))


def test_no_card_is_owed_while_betting(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.betting())
    words = desk.words()
    assert "카드 없음" in words
    assert "베팅 마감까지" in words
    assert "0:1" in words
    assert "테스트 테이블" in words


def test_a_hold_says_what_hands_who_and_rule(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.held(), "en")
    words = desk.words()
    parts = ("STOP", "A card nobody is owed", "and stop.", "A supervisor decides", "rule R24")
    for part in parts:
        assert part in words
    assert colour(desk, "hold").red() > 150
    assert not desk.shown("choice:rule:burn")


def test_rulings_show_only_with_a_supervisor(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.ruled())
    assert desk.shown("choice:rule:burn")
    assert desk.shown("choice:rule:void")
    assert not desk.shown("key:signin")


def test_a_repeat_looks_like_neither_success_nor_error(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    kinds = []
    for build in (fixtures.drawing, fixtures.repeated, fixtures.unread):
        desk.show(build())
        kinds.append(desk.console.property("read").property("v")["kind"])
    assert kinds == ["ok", "ignored", "error"]
    assert "다시 읽으세요" in desk.words()


def test_a_lost_reader_shows_in_its_chip_and_holds(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.reader_lost())
    assert desk.console.property("top").property("v")["reader"] == "bad"
    assert "연결이 끊겼습니다" in desk.words()


def test_the_result_has_a_word_and_a_sign(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.result())
    words = desk.words()
    for part in ("승", "+5,000", "푸시", "±0", "패", "−3,000", "버스트", "블랙잭", "+1,500,000"):
        assert part in words


def test_the_log_in_screen_shows_when_nobody_has_the_table(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.closed())
    assert desk.shown("login")
    desk.show(fixtures.idle())
    assert not desk.shown("login")


def test_the_last_refusal_stands_in_the_notice_line(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.idle(), "en")
    assert "is not finished; follow the prompt for the next card. (R24)" in desk.words()


def test_both_languages_at_run_time(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    assert "좌석 4" in desk.words()
    desk.click("language")
    desk.settle()
    words = desk.words()
    assert "Seat 4" in words
    assert "CLEARED" in words
    names = ("박지민",)
    hangul = [c for c in words if "가" <= c <= "힣" and not any(c in n for n in names)]
    assert not hangul


def test_keys_never_move(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    names = [f"key:{n}" for n in ("cleared", "wait", "resume", "report_error", "staff")]
    names += ["key:emergency_stop", "key:call_supervisor"]
    places = [desk.centre(name) for name in names]
    for build in (fixtures.betting, holds.ruled, fixtures.result, fixtures.closed):
        desk.show(build())
        assert [desk.centre(name) for name in names] == places


def test_a_card_that_comes_leaves_the_others_as_drawn(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    ranks = {id(item) for item in desk.texts() if item.objectName() == "rank"}
    items = [item for item in desk.texts() if item.objectName() == "rank"]
    seats = parts.full_seats()
    seats[3] = parts.seat(4, "seojun", [parts.hand("5S 8C 2D", "turn")], parts.bet("seojun", 3000))
    desk.show(replace(fixtures.drawing(), version=150, seats=seats))
    after = [item for item in desk.texts() if item.objectName() == "rank"]
    assert len(after) == len(items) + 1
    assert all(item in after for item in items)
    assert len(ranks) == len(items)


def test_a_snapshot_that_changes_nothing_notifies_nothing(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    told: list[str] = []
    for name in ("top", "prompt", "read", "dealer", "keys", "panel", "side"):
        region = desk.console.property(name)
        region.changed.connect(lambda name=name: told.append(name))
    desk.show(replace(fixtures.drawing(), version=151))
    assert told == []


def test_the_countdown_runs_by_itself_and_stops_with_the_link(make_desk: MakeDesk) -> None:
    snapshot = replace(fixtures.deciding(), countdown=m.CountdownView("decision", 4, 1900, 15000))
    desk = make_desk(snapshot)
    assert "0:02" in desk.words()
    desk.wait(lambda: "0:01" in desk.words(), "a second to pass")
    assert "결정 시간 · 좌석 4" in desk.words()


@pytest.mark.parametrize(
    ("health", "shown"),
    [("up", "good"), ("impaired", "care"), ("garbled", "care"), ("blind", "bad"), ("lost", "bad")],
)
def test_a_reader_that_reads_on_is_not_red_beside_the_next_card(health: str, shown: str) -> None:
    device = replace(parts.UP, health=health)
    assert readers_health([parts.UP, device]) == shown
    assert readers_health([]) == "bad"
