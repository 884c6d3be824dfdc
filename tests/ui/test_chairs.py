"""Players in the chairs: what the dealer keys is one command, the right one, or none and why."""

from __future__ import annotations

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from station import messages as m
from station import snapshot as v
from tests.ui import chairs, fixtures, games, holds, parts
from tests.ui.conftest import MakeDesk
from tests.ui.desk import Desk
from tests.ui.test_presses import commands, drain, hear

GUARD_MS = 700  # Longer than any key stays shut after it came.


def ready(desk: Desk) -> Desk:
    """Keys that have just come are shut for a moment: wait it out."""
    QTest.qWait(GUARD_MS)
    return desk


def silent(desk: Desk) -> None:
    """The station does not answer: whatever is pressed waits."""
    desk.station.answer = lambda message: None


@pytest.mark.parametrize(
    ("build", "key", "command"),
    [
        (chairs.chairs_idle, "do:open_round", m.OpenRound()),
        (chairs.chairs_idle, "do:pause_table", m.PauseTable()),
        (chairs.chairs_idle, "take_seat@2", m.TakeSeat(2)),
        (chairs.chairs_betting, "do:close_betting", m.CloseBetting(12845)),
        (chairs.chairs_betting, "place_bet:main@3", m.PlaceBet(12845, 3)),
        (chairs.chairs_betting, "place_bet:pair@4", m.PlaceBet(12845, 4, kind="pair")),
        (chairs.chairs_betting, "place_bet:behind@3", m.PlaceBet(12845, 3, kind="behind")),
        (
            chairs.chairs_betting,
            "place_bet:behind_pair@4",
            m.PlaceBet(12845, 4, kind="behind_pair"),
        ),
        (chairs.chairs_deciding, "do:decide:hit", m.Decide(12845, 9, 4, 1, "hit")),
        (chairs.chairs_deciding, "do:decide:stand", m.Decide(12845, 9, 4, 1, "stand")),
        (chairs.chairs_deciding, "do:decide:double", m.Decide(12845, 9, 4, 1, "double")),
        (chairs.chairs_deciding, "do:decide:surrender", m.Decide(12845, 9, 4, 1, "surrender")),
        (chairs.chairs_insurance, "insure:yes@3", m.Insure(12845, 3, "chair-3", True)),
        (chairs.chairs_insurance, "insure:no@7", m.Insure(12845, 3, "chair-7", False)),
        (chairs.chairs_follow, "follow:yes@behind-4-2", m.Follow(12845, 4, "behind-4-2", True)),
        (chairs.chairs_follow, "follow:no@behind-4-5", m.Follow(12845, 4, "behind-4-5", False)),
        (chairs.chairs_few_payments, "key:cleared", m.Cleared(12845)),
    ],
)
def test_a_double_tap_is_one_command(
    make_desk: MakeDesk, build: object, key: str, command: m.AnyCommand
) -> None:
    assert callable(build)
    snapshot = build()
    if command == m.OpenRound():
        snapshot = replace(snapshot, round=0)
    desk = ready(make_desk(snapshot))
    silent(desk)
    for _ in range(3):
        desk.click(key)
    hear(desk, 1)
    drain(desk)
    assert commands(desk) == [command]


@pytest.mark.parametrize(
    ("build", "key", "reason"),
    [
        (chairs.chairs_idle, "place_bet:main@1", "(R11)"),
        (chairs.chairs_idle, "do:close_betting", "(R11)"),
        (chairs.chairs_betting, "do:open_round", "(R12)"),
        (chairs.chairs_betting, "do:pause_table", "(R12)"),
        (chairs.chairs_betting, "place_bet:pair@3", "(R14)"),
        (chairs.chairs_deciding, "do:decide:split", "(R34)"),
        (chairs.chairs_insurance, "insure:yes@1", "(R39)"),
        (chairs.chairs_follow, "follow:no@behind-4-1", "(R39)"),
    ],
)
def test_a_shut_key_says_its_rule_and_sends_nothing(
    make_desk: MakeDesk, build: object, key: str, reason: str
) -> None:
    assert callable(build)
    desk = ready(make_desk(build()))
    for _ in range(2):
        desk.click(key)
    desk.settle()
    drain(desk)
    assert not commands(desk)
    assert reason in desk.words()


def seated(snapshot: v.Snapshot, number: int) -> v.Snapshot:
    """The same after somebody has sat down there."""
    seats = list(snapshot.seats)
    seats[number - 1] = chairs.chair(number)
    kept = [a for a in snapshot.actions if a.target != str(number)]
    fresh = chairs.seat_actions([seats[number - 1]], None)
    return replace(snapshot, version=snapshot.version + 1, seats=seats, actions=[*kept, *fresh])


def tap(desk: Desk, point: object) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(desk.view, left, none, point)  # type: ignore[call-overload]
    desk.app.processEvents()


def test_the_second_tap_of_sitting_down_places_no_bet(make_desk: MakeDesk) -> None:
    """The four bets come where "sit down" was: they are shut until the finger has left."""
    desk = ready(make_desk(chairs.chairs_betting()))
    desk.show(seated(chairs.chairs_betting(), 2))
    for bet in ("main", "pair", "behind", "behind_pair"):
        desk.click(f"place_bet:{bet}@2")
    drain(desk)
    assert not commands(desk)
    ready(desk).click("place_bet:main@2")
    hear(desk, 1)
    assert commands(desk) == [m.PlaceBet(12845, 2)]


def test_the_second_tap_of_a_bet_behind_is_no_second_player(make_desk: MakeDesk) -> None:
    """R48: each bet behind is another player's; a bounce of the finger is nobody's."""
    desk = ready(make_desk(chairs.chairs_betting()))
    seats = list(chairs.chairs_betting().seats)
    seats[2] = replace(seats[2], bets=[*seats[2].bets, parts.bet("behind-3-1", 1000, "behind")])
    desk.click("place_bet:behind@3")
    hear(desk, 1)
    desk.show(replace(chairs.chairs_betting(), version=150, seats=seats))
    desk.click("place_bet:behind@3")
    drain(desk)
    assert len(commands(desk)) == 1
    assert desk.console.property("sheet") == ""
    ready(desk).click("place_bet:behind@3")
    desk.settle()
    ready(desk).click("back:more")
    hear(desk, 2)
    assert commands(desk)[1] == m.PlaceBet(12845, 3, kind="behind")
    assert desk.console.property("sheet") == ""


def test_two_seats_do_not_wait_for_each_other(make_desk: MakeDesk) -> None:
    desk = ready(make_desk(chairs.chairs_betting()))
    silent(desk)
    desk.click("place_bet:main@3")
    desk.click("place_bet:main@6")
    desk.click("place_bet:main@3")
    hear(desk, 2)
    drain(desk)
    assert commands(desk) == [m.PlaceBet(12845, 3), m.PlaceBet(12845, 6)]


def test_the_second_tap_of_start_does_not_close_betting(make_desk: MakeDesk) -> None:
    desk = ready(make_desk(chairs.chairs_idle()))
    point = desk.centre("do:open_round")
    desk.click("do:open_round")
    hear(desk, 1)
    desk.show(chairs.chairs_betting())
    tap(desk, point)
    drain(desk)
    assert commands(desk) == [m.OpenRound()]


def test_the_second_tap_of_stand_does_not_stand_the_next_hand(make_desk: MakeDesk) -> None:
    desk = ready(make_desk(chairs.chairs_deciding()))
    desk.click("do:decide:stand")
    hear(desk, 1)
    actions = [
        replace(a, target="5") if a.command.startswith("decide:") else a
        for a in chairs.chairs_deciding().actions
    ]
    following = replace(
        chairs.chairs_deciding(),
        version=151,
        decision=v.DecisionView(10, 5, 1, ["hit", "stand"]),
        actions=actions,
    )
    desk.show(following)
    desk.click("do:decide:stand")
    drain(desk)
    assert commands(desk) == [m.Decide(12845, 9, 4, 1, "stand")]
    ready(desk).click("do:decide:stand")
    hear(desk, 2)
    assert commands(desk)[1] == m.Decide(12845, 10, 5, 1, "stand")


def test_the_second_hand_of_a_split_is_decided_under_its_own_number(make_desk: MakeDesk) -> None:
    snapshot = replace(
        chairs.chairs_deciding(),
        decision=v.DecisionView(12, 4, 2, ["hit"]),
        seats=games.double_second().seats,
    )
    desk = ready(make_desk(snapshot))
    assert "좌석 4-2 · 합계 10" in desk.words()
    desk.click("do:decide:hit")
    hear(desk, 1)
    assert commands(desk) == [m.Decide(12845, 12, 4, 2, "hit")]


def test_an_amount_is_keyed_for_one_bet(make_desk: MakeDesk) -> None:
    desk = ready(make_desk(chairs.chairs_betting()))
    desk.click("do:open:amount")
    desk.settle()
    for digit in "0250":
        desk.click(f"pad:{digit}")
    desk.click("pad:0")
    desk.settle()
    assert "2,500" in desk.words()
    desk.click("amount:go")
    desk.settle()
    assert "다음 베팅 2,500" in desk.words()
    assert "+ 2,500" in desk.words()
    desk.click("place_bet:main@3")
    hear(desk, 1)
    desk.settle()
    assert "기본 단위 1,000" in desk.words()
    desk.click("place_bet:main@6")
    hear(desk, 2)
    assert commands(desk) == [m.PlaceBet(12845, 3, amount=2500), m.PlaceBet(12845, 6)]
    assert commands(desk)[1].amount is UNSET  # type: ignore[union-attr]


def test_a_refused_amount_is_there_to_be_used_again(make_desk: MakeDesk) -> None:
    desk = ready(make_desk(chairs.chairs_betting()))
    desk.console.open("amount")
    desk.settle()
    desk.click("quick:3")
    desk.settle()
    below = chairs.refused("bet_below_minimum", "R13", "최소보다 적습니다.", "Below the minimum.")
    desk.station.answer = lambda message: m.Answer(message.id, False, 141, below)
    desk.click("place_bet:main@3")
    desk.wait(lambda: "최소보다 적습니다. (R13)" in desk.words(), "the refusal")
    desk.settle()
    assert "다음 베팅 10,000" in desk.words()


def test_an_amount_does_not_outlive_betting(make_desk: MakeDesk) -> None:
    desk = ready(make_desk(chairs.chairs_betting()))
    desk.console.keyAmount("2500")
    desk.console.open("leave")
    desk.show(chairs.chairs_deciding())
    assert desk.console.property("sheet") == ""
    desk.show(replace(chairs.chairs_betting(), version=152))
    assert "기본 단위 1,000" in desk.words()


def test_an_amount_is_keyed_in_whole_units_of_the_currency(make_desk: MakeDesk) -> None:
    """With two minor digits, 25 keyed is 2500 minor units, shown as 25.00."""
    table = replace(chairs.CHAIRS, currency="EUR", minor_digits=2)
    desk = ready(make_desk(replace(chairs.chairs_betting(), table=table)))
    desk.console.open("amount")
    desk.settle()
    desk.click("pad:2")
    desk.click("pad:5")
    desk.click("amount:go")
    desk.settle()
    assert "25.00" in desk.words()
    desk.click("place_bet:main@3")
    hear(desk, 1)
    assert commands(desk) == [m.PlaceBet(12845, 3, amount=2500)]


def test_who_leaves_is_chosen_by_his_seat(make_desk: MakeDesk) -> None:
    desk = ready(make_desk(chairs.chairs_betting()))
    desk.click("do:open:leave")
    ready(desk).click("choice:leave_seat@1")
    desk.settle()
    assert "일어날 수 없습니다. (R12)" in desk.words()
    desk.click("choice:leave_seat@2")
    drain(desk)
    assert not commands(desk)
    desk.click("choice:leave_seat@3")
    hear(desk, 1)
    assert commands(desk) == [m.LeaveSeat(3)]
    desk.wait(lambda: desk.console.property("sheet") == "", "the sheet to close")


def test_no_key_of_the_keyboard_deals_for_the_dealer(make_desk: MakeDesk) -> None:
    desk = make_desk(chairs.chairs_idle())
    for build in (
        chairs.chairs_idle,
        chairs.chairs_betting,
        chairs.chairs_deciding,
        chairs.chairs_insurance,
        chairs.chairs_follow,
        chairs.chairs_payments,
    ):
        desk.show(build())
        ready(desk)
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Tab):
            QTest.keyClick(desk.view, key)
    drain(desk)
    assert not commands(desk)


def test_a_hold_shuts_the_keys(make_desk: MakeDesk) -> None:
    held = holds.held(base=chairs.chairs_deciding)
    desk = ready(make_desk(held))
    assert not desk.shown("do:decide:hit")
    assert desk.shown("hold")


@pytest.mark.parametrize(
    "build", [fixtures.betting, fixtures.idle, fixtures.deciding, games.insurance, games.follow]
)
def test_where_a_game_host_speaks_for_the_players_nothing_is_keyed(
    make_desk: MakeDesk, build: object
) -> None:
    assert callable(build)
    desk = make_desk(build())
    keys = [i.objectName() for i in desk.items(type(desk.find("stage"))) if i.isVisible()]
    starts = ("do:", "take_seat", "place_bet", "insure", "follow")
    assert not [name for name in keys if name.startswith(starts)]


def test_those_behind_who_do_not_fit_are_on_the_next_page(make_desk: MakeDesk) -> None:
    desk = ready(make_desk(chairs.chairs_follow(14)))
    assert not desk.shown("follow:yes@behind-4-14")
    desk.click("next")
    ready(desk).click("follow:yes@behind-4-14")
    hear(desk, 1)
    assert commands(desk) == [m.Follow(12845, 4, "behind-4-14", True)]
    desk.click("next")
    desk.settle()
    assert desk.shown("follow:yes@behind-4-1")
