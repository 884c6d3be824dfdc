"""What is paid and taken at a table with players in the chairs, and CLEARED after it."""

from __future__ import annotations

from msgspec.structs import replace

from station import messages as m
from station import snapshot as v
from tests.ui import chairs, fixtures, holds
from tests.ui.conftest import MakeDesk
from tests.ui.desk import Desk
from tests.ui.test_chairs import ready
from tests.ui.test_presses import commands, drain, hear


def columns(desk: Desk) -> list[list[tuple[int, str]]]:
    laid = desk.console.property("pay").property("v")["columns"]
    return [[(row["seat"], row["do"]) for row in column] for column in laid]


def pay(seat: int, kind: str, player: str = "", hand: int = 1) -> v.PaymentView:
    return chairs.payment(seat, kind, "pay", 1000, player, hand)


def turn(desk: Desk) -> None:
    ready(desk).click("pay:next")
    desk.settle()


def test_the_payments_stand_in_the_order_of_the_seats(make_desk: MakeDesk) -> None:
    """What changes hands, a line a bet; the last page comes with a key, then the first again."""
    lines = chairs.PAYMENTS[7:] + chairs.PAYMENTS[:7]
    desk = make_desk(chairs.chairs_payments(lines))
    items = desk.console.property("pay").property("v")["items"]
    assert [item["seat"] for item in items] == [1, 1, 1, 2, 3, 4, 5, 7, 7, 7, 7, 7]
    words = desk.words()
    for part in ("칩을 정산하고", "지급", "회수", "그대로 둠", "3,000", "1 / 2"):
        assert part in words
    assert "91,500" not in words
    turn(desk)
    assert "91,500" in desk.words()
    assert "2 / 2" in desk.words()
    turn(desk)
    assert "1 / 2" in desk.words()


def test_a_seat_is_not_torn_over_two_columns(make_desk: MakeDesk) -> None:
    desk = make_desk(chairs.chairs_payments())
    assert [[seat for seat, _ in column] for column in columns(desk)] == [
        [1, 1, 1, 2, 3],
        [4, 5],
        [7, 7, 7, 7, 7],
    ]


def test_a_seat_too_long_for_a_column_goes_on_under_its_name(make_desk: MakeDesk) -> None:
    """A split with Pair, insurance and three behind: every line is there, under a heading."""
    behind = [pay(4, "behind", f"behind-4-{n}", h) for n in (1, 2, 3) for h in (1, 2)]
    lines = [pay(2, "main"), pay(4, "main"), pay(4, "pair"), pay(4, "insurance"), *behind]
    desk = make_desk(chairs.chairs_payments(lines), "en")
    laid = columns(desk)
    assert all(len(column) <= 5 for column in laid)
    assert [column[0] for column in laid] == [(2, "pay"), (4, "head"), (4, "head")]
    assert sum(do == "pay" for column in laid for _, do in column) == len(lines)
    assert "Seat 4, continued" in desk.words()


def test_cleared_is_shut_until_the_last_payment_was_seen(make_desk: MakeDesk) -> None:
    desk = make_desk(chairs.chairs_payments())
    desk.click("key:cleared")
    desk.settle()
    assert "아직 보지 않은 칩 정산이 있습니다" in desk.words()
    assert "칩 정산을 먼저 끝까지" in desk.words()
    drain(desk)
    assert not commands(desk)
    turn(desk)
    assert "칩 정산을 먼저 끝까지" not in desk.words()
    desk.click("key:cleared")
    hear(desk, 1)
    assert commands(desk) == [m.Cleared(12845)]


def test_two_taps_on_next_skip_no_page(make_desk: MakeDesk) -> None:
    lines = [pay(seat, kind) for seat in range(1, 8) for kind in ("main", "pair", "insurance")]
    desk = ready(make_desk(chairs.chairs_payments(lines)))
    assert len(columns(desk)) == 7
    desk.click("pay:next")
    desk.click("pay:next")
    desk.settle()
    assert "2 / 4" in desk.words()
    turn(desk)
    assert not desk.find("key:cleared").property("active")
    turn(desk)
    assert desk.find("key:cleared").property("active")


def test_the_same_payments_in_the_next_round_are_to_be_seen_again(make_desk: MakeDesk) -> None:
    desk = make_desk(chairs.chairs_payments())
    turn(desk)
    assert desk.find("key:cleared").property("active")
    desk.show(replace(chairs.chairs_payments(), version=170, round=12846))
    assert not desk.find("key:cleared").property("active")
    assert "1 / 2" in desk.words()
    desk.show(replace(chairs.chairs_few_payments(), version=171, round=12847))
    assert desk.find("key:cleared").property("active")
    desk.show(replace(chairs.chairs_few_payments(), version=172, round=12848))
    assert desk.find("key:cleared").property("active")


def test_what_was_seen_stays_seen_in_another_language_and_behind_a_sheet(
    make_desk: MakeDesk,
) -> None:
    desk = make_desk(chairs.chairs_payments())
    turn(desk)
    desk.click("language")
    desk.click("key:staff")
    desk.settle()
    assert desk.find("key:cleared").property("active")


def test_behind_a_sheet_nothing_is_seen(make_desk: MakeDesk) -> None:
    """With the pad of a sign-in over the right panel, no payment is on the screen."""
    desk = make_desk(fixtures.drawing())
    desk.console.open("signin")
    desk.settle()
    desk.show(chairs.chairs_few_payments())
    assert desk.console.property("sheet") == "signin"
    assert not desk.find("key:cleared").property("active")
    desk.console.open("")
    desk.settle()
    assert desk.find("key:cleared").property("active")


def test_where_nothing_is_paid_by_hand_cleared_waits_for_nothing(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.result())
    assert desk.find("key:cleared").property("active")


def test_a_supervisor_signed_in_hides_neither_start_nor_payments(make_desk: MakeDesk) -> None:
    desk = ready(make_desk(holds.with_supervisor(chairs.chairs_idle())))
    desk.click("do:open_round")
    hear(desk, 1)
    desk.show(holds.with_supervisor(chairs.chairs_payments()))
    assert "1,000" in desk.words()
    assert "1 / 3" in desk.words()
    turn(desk)
    assert not desk.find("key:cleared").property("active")
    turn(desk)
    assert desk.find("key:cleared").property("active")


def test_the_next_page_is_a_key_for_a_thumb(make_desk: MakeDesk) -> None:
    """At 1280 wide a key is at least 50 pixels high and takes most of its panel's width."""
    desk = make_desk(chairs.chairs_payments())
    key = desk.find("pay:next")
    assert key.height() >= 50
    assert key.width() > 0.9 * desk.find("right").width()
