"""What the screen says of splits, doubles, insurance, surrender, burns, breaks, doubtful cards."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QColor
from PySide6.QtQuick import QQuickItem
from PySide6.QtTest import QTest

from station import messages as m
from station import snapshot as v
from tests.ui import chairs, fixtures, games, holds, parts
from tests.ui.conftest import MakeDesk
from tests.ui.desk import Desk
from tests.ui.test_presses import commands, drain, hear

OWED = QColor("#ffd24d")
HOLD = QColor("#ff9a1f")


def share(desk: Desk, item: QQuickItem, wanted: QColor) -> float:
    """How much of an item is painted in about that colour, 0 to 1."""
    image = desk.view.grabWindow()
    box = item.mapRectToScene(item.boundingRect()).toRect()
    points = [
        (x, y) for x in range(box.left(), box.right(), 3) for y in range(box.top(), box.bottom(), 3)
    ]
    near = 0
    for x, y in points:
        seen = image.pixelColor(x, y)
        far = abs(seen.red() - wanted.red()) + abs(seen.green() - wanted.green())
        near += far + abs(seen.blue() - wanted.blue()) < 40
    return near / len(points)


def seat_values(desk: Desk, number: int) -> dict[str, object]:
    seat = desk.console.property("seats")[number - 1]
    return dict(seat.property("view").property("v"))


@pytest.mark.parametrize("build", [games.insurance, games.follow, games.follow_split])
def test_a_window_holds_the_hands_in_amber_and_counts(make_desk: MakeDesk, build: object) -> None:
    """A7, A15: nothing may be dealt while players are asked; it is no fault, and no card either."""
    assert callable(build)
    desk = make_desk(build())
    bar = desk.find("window")
    words = desk.words()
    assert "멈춤" in words
    assert "카드를 뽑지 마세요" in words
    assert "0:0" in words
    assert not desk.shown("hold")
    assert share(desk, bar, HOLD) > 0.1
    assert share(desk, bar, OWED) == 0
    assert not any(desk.find(f"seat{n}").property("lit") for n in range(1, 8))


def test_who_is_asked_for_insurance_is_on_his_seat_and_in_the_bar(make_desk: MakeDesk) -> None:
    desk = make_desk(games.insurance())
    asked = [seat_values(desk, n)["asked"] for n in range(1, 8)]
    assert asked == ["answered", "answered", "asked", "asked", "asked", "", "asked"]
    chips = desk.console.property("prompt").property("v")["asked"]
    assert [(c["label"], c["done"]) for c in chips] == [
        ("1", True),
        ("2", True),
        ("3", False),
        ("4", False),
        ("5", False),
        ("7", False),
    ]
    assert "응답 2/6" in desk.words()


def test_those_behind_who_have_not_answered_come_first(make_desk: MakeDesk) -> None:
    desk = make_desk(games.follow())
    chips = desk.console.property("prompt").property("v")["asked"]
    assert [c["label"] for c in chips][:2] == ["guest_number_6", "guest_number_7"]
    assert not any(c["done"] for c in chips)
    assert chips[-1]["label"] == "외 8명"
    assert "응답 5/12" in desk.words()


def test_a_window_without_a_link_is_not_shown(make_desk: MakeDesk) -> None:
    desk = make_desk(games.insurance())
    desk.station.close()
    desk.wait(lambda: desk.console.property("link") == "lost", "the loss")
    desk.settle()
    assert not desk.shown("window")
    assert desk.shown("lost")


@pytest.mark.parametrize("number", [1, 2])
def test_the_hand_of_a_split_the_card_goes_to_is_lit_and_no_other(
    make_desk: MakeDesk, number: int
) -> None:
    """R35: first hand, then second: the two never look alike."""
    prompt = parts.card_prompt(4, "split", "스플릿 카드", "Split card", number)
    desk = make_desk(replace(games.splitting(), prompt=prompt))
    values = seat_values(desk, 4)
    first, second = values["first"], values["second"]
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert (first["lit"], second["lit"]) == (number == 1, number == 2)
    assert (first["dim"], second["dim"]) == (number == 2, number == 1)
    halves = [desk.find("half:4-1"), desk.find("half:4-2")]
    yellow = [share(desk, half, OWED) for half in halves]
    assert yellow[number - 1] > 0.1
    assert yellow[2 - number] < 0.02
    assert f"좌석 4-{number}" in desk.words()
    assert f"핸드 {number}" in desk.words()
    assert f"핸드 {3 - number}" not in desk.words()


def test_each_hand_of_a_split_has_its_total_state_and_stake(make_desk: MakeDesk) -> None:
    desk = make_desk(replace(games.double_second(), prompt=fixtures.deciding().prompt))
    values = seat_values(desk, 4)
    first, second = values["first"], values["second"]
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert (first["badge"], first["word"], first["stake"]) == ("21", "완료", "3,000")
    assert (second["badge"], second["word"], second["stake"]) == ("10", "차례 ×2", "6,000")
    for part in ("21", "완료", "3,000", "10", "차례 ×2", "6,000"):
        assert part in desk.words()


def test_the_last_read_names_the_hand_of_a_split(make_desk: MakeDesk) -> None:
    desk = make_desk(games.splitting())
    assert desk.console.property("read").property("v")["where"] == "좌석 4-1"
    desk.show(fixtures.drawing())
    assert desk.console.property("read").property("v")["where"] == "좌석 4"


def test_the_two_hands_lie_side_by_side(make_desk: MakeDesk) -> None:
    desk = make_desk(games.splitting())
    left, right = desk.centre("half:4-1"), desk.centre("half:4-2")
    assert left.x() < right.x()
    assert left.y() == right.y()


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (games.double_second, "더블"),
        (games.splitting, "스플릿"),
        (games.follow, "더블"),
        (games.follow_split, "스플릿"),
        (fixtures.drawing, "히트"),
    ],
)
def test_the_chosen_action_is_large(make_desk: MakeDesk, build: object, said: str) -> None:
    assert callable(build)
    desk = make_desk(build())
    sizes = [
        t.property("font").pixelSize() for t in desk.texts() if str(t.property("text")) == said
    ]
    assert max(sizes) >= 60


def test_the_legal_actions_of_the_asked_hand_are_shown(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.deciding())
    legal = desk.console.property("panel").property("v")["legal"]
    assert [item["label"] for item in legal if item["legal"]] == ["히트", "스탠드"]
    assert len(legal) == 5


def test_a_surrendered_hand_says_so(make_desk: MakeDesk) -> None:
    desk = make_desk(games.surrendered())
    assert seat_values(desk, 3)["word"] == "서렌더"
    assert "서렌더" in desk.words()


def test_each_hand_has_its_own_result(make_desk: MakeDesk) -> None:
    """One hand wins, the other loses; what both come to together is in no place."""
    desk = make_desk(games.crowded_result())
    values = seat_values(desk, 4)
    first, second = values["first"], values["second"]
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert (first["outcome"], first["net"]) == ("win", "+1,000,000")
    assert (second["outcome"], second["net"]) == ("lose", "−2,000,000")


def test_pair_insurance_and_those_behind_say_what_changed_hands(make_desk: MakeDesk) -> None:
    """R46, R47, R50: stake, and once settled the net amount, as on the main bet. Pair bets behind
    lose while the bets behind win: they are two lines.
    """
    desk = make_desk(games.insurance())
    assert "2,500" in desk.words()
    bets = [
        parts.bet("minsu77", 5000, "main", 0, "lose"),
        parts.bet("minsu77", 500, "pair", 6000, "win"),
        parts.bet("minsu77", 2500, "insurance", 7500, "win"),
    ]
    seats = fixtures.result().seats
    seats[0] = replace(seats[0], bets=bets, behind=parts.behind(2, 1000, 4000, 300, 0))
    desk.show(replace(fixtures.result(), version=160, seats=seats))
    lines = seat_values(desk, 1)["lines"]
    assert isinstance(lines, list)
    assert [(line["label"], line["net"], line["outcome"]) for line in lines] == [
        ("페어", "+5,500", "win"),
        ("인슈어런스", "+5,000", "win"),
        ("뒤 2명", "+2,000", "win"),
        ("뒤 페어", "−300", "lose"),
    ]
    shown = desk.words().split("\n")
    assert all(line["net"] in shown for line in lines)


def test_bets_that_came_back_are_neither_won_nor_lost(make_desk: MakeDesk) -> None:
    """R48, A34: behind a seat nobody plays they are returned; in a void round all are, in full."""
    seats = fixtures.betting().seats
    seats[4] = replace(seats[4], bets=[], in_round=False, behind=parts.behind(2, 700, 1400))
    desk = make_desk(replace(fixtures.betting(), seats=seats))
    lines = seat_values(desk, 5)["lines"]
    assert lines == [{"label": "뒤 2명", "amount": "1,400", "net": "±0", "outcome": "push"}]
    void = fixtures.result().seats
    hands = [replace(void[0].hands[0], result="void")]
    void[0] = replace(void[0], hands=hands, behind=parts.behind(2, 700, 1400, 300, 300))
    desk.show(replace(fixtures.result(), version=161, seats=void))
    lines = seat_values(desk, 1)["lines"]
    assert isinstance(lines, list)
    assert [(line["net"], line["outcome"]) for line in lines] == [
        ("1,400", "void"),
        ("300", "void"),
    ]


def test_a_soft_total_says_so_in_a_word(make_desk: MakeDesk) -> None:
    """An ace that counts 11: the word stands above the total; a Blackjack needs none."""
    desk = make_desk(fixtures.result())
    first = [seat_values(desk, n)["first"] for n in (1, 3, 7)]
    assert [(f["badge"], f["soft"]) for f in first if isinstance(f, dict)] == [
        ("19", ""),
        ("18", "소프트"),
        ("블랙잭", ""),
    ]
    assert desk.words().split("\n").count("소프트") == 1
    desk.click("language")
    desk.settle()
    assert "Soft" in desk.words().split("\n")


def test_a_host_that_cannot_be_lost_has_no_chip(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.idle())
    assert "호스트" in desk.words().split("\n")
    desk.show(chairs.chairs_idle())
    assert "호스트" not in desk.words().split("\n")
    desk.show(fixtures.drawing())
    assert "호스트" in desk.words().split("\n")


def test_a_burned_card_goes_to_the_rack_and_to_nobody(make_desk: MakeDesk) -> None:
    desk = make_desk(games.burning())
    assert "버림" in desk.words()
    assert not any(desk.find(f"seat{n}").property("lit") for n in range(1, 8))
    assert not desk.find("dealer").property("lit")
    assert share(desk, desk.find("right"), OWED) > 0.02


def test_a_pause_is_plain_and_the_dealer_ends_it(make_desk: MakeDesk) -> None:
    desk = make_desk(games.paused())
    assert desk.console.property("prompt").property("v")["where"] == "휴식"
    desk.station.answer = lambda message: None
    for _ in range(2):
        desk.click("choice:open_table")
    hear(desk, 1)
    drain(desk)
    assert commands(desk) == [m.OpenTable()]


def test_what_a_supervisor_closed_a_supervisor_opens(make_desk: MakeDesk) -> None:
    desk = make_desk(games.table_closed())
    assert "테이블 닫힘" in desk.words()
    assert not desk.shown("choice:open_table")
    assert desk.shown("key:signin")
    open_ = v.ActionView("open_table", "", None)
    senior = holds.with_supervisor(games.table_closed())
    desk.show(replace(senior, actions=[*senior.actions, open_]))
    parts_ = [i["command"] for i in desk.console.property("panel").property("v")["items"]]
    assert "open_table" in parts_


def test_a_break_is_taken_between_rounds(make_desk: MakeDesk) -> None:
    desk = make_desk(games.reviewed())
    desk.click("choice:pause_table")
    hear(desk, 1)
    assert commands(desk) == [m.PauseTable()]


def test_a_round_to_be_reviewed_says_why(make_desk: MakeDesk) -> None:
    desk = make_desk(games.reviewed())
    assert "라운드 12,844 · 딜러 20 · 검토: 카드가 모자란 슈" in desk.words()


def test_both_reads_of_a_doubtful_card_are_named(make_desk: MakeDesk) -> None:
    """Either may be the wrong one: round, place in the shoe and time of day of both."""
    desk = make_desk(holds.foreign(), "en")
    lines = [i["text"] for i in desk.console.property("side").property("v")["lines"]]
    first, second = lines[0], lines[1]
    assert "K♥" in first
    assert "K♥" in second
    assert "Round 12,801 · card 211 of the shoe" in first
    assert "Round 12,845" in second
    assert ":32:40" in first
    assert ":04:13" in second
    assert first in desk.words()
    assert second in desk.words()


def test_the_supervisor_may_use_the_card_where_the_house_allows_it(make_desk: MakeDesk) -> None:
    use = v.RulingView("use", v.Text("다음 차례에 사용", "Use the card"), None)
    hold = replace(holds.exposed_hold(), rulings=[use])
    desk = make_desk(holds.with_supervisor(holds.held(hold)))
    QTest.qWait(700)
    desk.click("choice:rule:use")
    hear(desk, 1)
    assert commands(desk) == [m.Rule(5, "use", expected_version=111)]


@pytest.mark.parametrize("build", [fixtures.drawing, fixtures.idle, chairs.chairs_deciding])
def test_the_rules_shown_are_the_rules_played(make_desk: MakeDesk, build: object) -> None:
    """Eight digits of the fingerprint beside S17 and 3:2."""
    assert callable(build)
    desk = make_desk(build())
    chip = next(t for t in desk.words().split("\n") if "S17" in t)
    assert "3:2" in chip
    assert "a41f09c2" in chip
