"""A bet keyed wrongly comes back while betting is open: one press, one command, or none and why."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from station import messages as m
from station import snapshot as v
from tests.ui import chairs, fixtures
from tests.ui.conftest import MakeDesk
from tests.ui.desk import Desk
from tests.ui.test_chairs import ready, silent, tap
from tests.ui.test_presses import commands, drain, hear
from ui.intents import command_for


def without(number: int, kind: str, player: str) -> v.Snapshot:
    """The same table after that bet has come back."""
    base = chairs.chairs_betting()
    seats = list(base.seats)
    view = seats[number - 1]
    left = [bet for bet in view.bets if (bet.kind, bet.player) != (kind, player)]
    seats[number - 1] = replace(view, bets=left)
    more = [a for a in base.actions if a.target != str(number)]
    fresh = chairs.seat_actions([seats[number - 1]], None)
    return replace(base, version=base.version + 1, seats=seats, actions=[*more, *fresh])


def ask(desk: Desk, cell: str) -> Desk:
    ready(desk).click(cell)
    desk.settle()
    return ready(desk)


@pytest.mark.parametrize(
    ("cell", "kind", "said"),
    [
        ("place_bet:main@1", "main", ("좌석 1", "메인", "5,000 + 페어 500")),
        ("place_bet:pair@1", "pair", ("좌석 1", "페어", "500")),
        ("place_bet:main@4", "main", ("좌석 4", "메인", "1,000,000")),
    ],
)
def test_a_bet_is_named_and_taken_back_once(
    make_desk: MakeDesk, cell: str, kind: str, said: tuple[str, ...]
) -> None:
    """R14: with the main bet the Pair bet of its seat comes back, and the sheet says so."""
    desk = ask(make_desk(chairs.chairs_betting()), cell)
    assert desk.console.property("sheet") == "back"
    shown = desk.words().split("\n")
    assert all(part in shown for part in said)
    drain(desk)
    assert not commands(desk)
    silent(desk)
    for _ in range(3):
        desk.click("back:take")
    hear(desk, 1)
    drain(desk)
    number = int(cell[-1])
    assert commands(desk) == [m.TakeBack(12845, number, f"chair-{number}", kind)]  # type: ignore[arg-type]


def test_it_can_be_kept(make_desk: MakeDesk) -> None:
    desk = ask(make_desk(chairs.chairs_betting()), "place_bet:main@1")
    desk.click("back:keep")
    desk.settle()
    drain(desk)
    assert desk.console.property("sheet") == ""
    assert not commands(desk)


def test_of_those_behind_one_is_chosen_by_name(make_desk: MakeDesk) -> None:
    """R48: each bet behind is another player's."""
    desk = ask(make_desk(chairs.chairs_betting()), "place_bet:behind@1")
    assert not desk.shown("back:take")
    desk.click("back:behind-1-2")
    desk.settle()
    assert "뒤 2" in desk.words().split("\n")
    desk.click("back:take")  # Shut for a moment: the finger was still on the name.
    drain(desk)
    assert not commands(desk)
    ready(desk).click("back:take")
    hear(desk, 1)
    assert commands(desk) == [m.TakeBack(12845, 1, "behind-1-2", "behind")]
    desk.wait(lambda: desk.console.property("sheet") == "", "the sheet to close")


def test_a_pair_bet_behind_is_taken_back_as_that(make_desk: MakeDesk) -> None:
    desk = ask(make_desk(chairs.chairs_betting()), "place_bet:behind_pair@1")
    desk.click("back:behind-1-1")
    ready(desk).click("back:take")
    hear(desk, 1)
    assert commands(desk) == [m.TakeBack(12845, 1, "behind-1-1", "behind_pair")]


def test_all_of_a_crowd_behind_can_be_reached(make_desk: MakeDesk) -> None:
    desk = ask(make_desk(chairs.chairs_betting()), "place_bet:behind@4")
    seen = set()
    for _ in range(3):
        seen |= {n for n in range(1, 15) if desk.shown(f"back:behind-4-{n}")}
        assert desk.shown("back:more")
        ready(desk).click("back:page")
        desk.settle()
    assert seen == set(range(1, 15))
    assert desk.shown("back:behind-4-1")


def test_after_it_came_back_the_same_cell_takes_a_bet(make_desk: MakeDesk) -> None:
    desk = ask(make_desk(chairs.chairs_betting()), "place_bet:main@4")
    desk.click("back:take")
    hear(desk, 1)
    desk.show(without(4, "main", "chair-4"))
    assert desk.console.property("sheet") == ""
    desk.console.keyAmount("2500")
    ready(desk).click("place_bet:main@4")
    hear(desk, 2)
    assert commands(desk)[1] == m.PlaceBet(12845, 4, amount=2500)


def test_the_second_tap_of_a_bet_asks_for_nothing_back(make_desk: MakeDesk) -> None:
    """The bet comes onto the cell beneath the finger: a bounce opens no sheet."""
    desk = ready(make_desk(without(4, "main", "chair-4")))
    desk.click("place_bet:main@4")
    hear(desk, 1)
    desk.show(replace(chairs.chairs_betting(), version=150))
    desk.click("place_bet:main@4")
    desk.settle()
    assert desk.console.property("sheet") == ""


def test_the_second_tap_of_take_back_is_no_key_of_the_round(make_desk: MakeDesk) -> None:
    """Beneath the sheet lie the round's keys: no more bets, the amount, a break."""
    desk = ask(make_desk(chairs.chairs_betting()), "place_bet:main@4")
    points = [desk.centre("back:take"), desk.centre("back:keep")]
    desk.click("back:take")
    desk.wait(lambda: desk.console.property("sheet") == "", "the sheet to close")
    desk.settle()
    for point in points:
        tap(desk, point)
    desk.settle()
    assert desk.console.property("sheet") == ""
    drain(desk)
    assert commands(desk) == [m.TakeBack(12845, 4, "chair-4", "main")]


def test_the_sheet_closes_with_the_bet_it_asks_about(make_desk: MakeDesk) -> None:
    desk = ask(make_desk(chairs.chairs_betting()), "place_bet:pair@1")
    desk.show(without(3, "main", "nobody"))
    assert desk.console.property("sheet") == "back"
    desk.show(replace(without(1, "pair", "chair-1"), version=160))
    assert desk.console.property("sheet") == ""


def test_the_sheet_closes_with_betting(make_desk: MakeDesk) -> None:
    desk = ask(make_desk(chairs.chairs_betting()), "place_bet:main@1")
    desk.show(chairs.chairs_deciding())
    assert desk.console.property("sheet") == ""


def test_a_refusal_leaves_the_sheet_and_says_why(make_desk: MakeDesk) -> None:
    desk = ask(make_desk(chairs.chairs_betting()), "place_bet:main@4")
    desk.station.answer = lambda message: m.Answer(message.id, False, 141, chairs.NO_ROUND)
    desk.click("back:take")
    desk.wait(lambda: "베팅이 마감되었습니다. (R11)" in desk.words(), "the refusal")
    assert desk.console.property("sheet") == "back"


@pytest.mark.parametrize("kind", ["main", "behind"])
def test_what_cannot_come_back_is_shut_and_says_why(make_desk: MakeDesk, kind: str) -> None:
    """A13: a countdown that has just ended, for one: the station says so in `actions`."""
    base = chairs.chairs_betting()
    actions = [
        replace(a, refusal=chairs.NO_ROUND) if a.command in ("take_back", "close_betting") else a
        for a in base.actions
    ]
    desk = ready(make_desk(replace(base, actions=actions)))
    desk.click(f"place_bet:{kind}@1")
    desk.settle()
    assert desk.console.property("sheet") == ""
    assert "베팅이 마감되었습니다. (R11)" in desk.words()


def test_no_key_of_the_keyboard_takes_a_bet_back(make_desk: MakeDesk) -> None:
    desk = ask(make_desk(chairs.chairs_betting()), "place_bet:main@1")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Tab):
        QTest.keyClick(desk.view, key)
    drain(desk)
    assert not commands(desk)


def test_a_bet_that_is_not_there_is_not_asked_back() -> None:
    snapshot = chairs.chairs_betting()
    named = command_for("take_back:behind", "1", "behind-1-1", snapshot)
    assert named == m.TakeBack(12845, 1, "behind-1-1", "behind")
    assert command_for("take_back:behind", "1", "behind-1-9", snapshot) is None
    assert command_for("take_back:main", "3", "chair-3", snapshot) is None
    assert command_for("take_back:behind", "1", "", snapshot) is None
    assert command_for("take_back:main", "1", "minsu77", fixtures.deciding()) == m.TakeBack(
        12845, 1, "minsu77", "main"
    )
