"""A whole round keyed at a real station: seats, bets, insurance, split, double, chips."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from station import messages as m
from tests.support.daemon import Station
from tests.ui.desk import Desk


class RealDesk(Desk):
    """The console of a running station with players in the chairs; whatever is said is pressed."""

    def __init__(self, folder: Path) -> None:
        # Every press of a test waits as long as a key stays shut: betting has time for them all.
        rules = "betting_seconds = 60"
        self.real = Station(folder, table='host = "chairs"', rules=rules).start()
        self.floor = self.real.client("pit")
        self.floor.wait_for(lambda s: s.devices[0].health == "up", "the reader up")
        self.sit_down(self.real.socket, "ko", (1280, 800))

    def leave(self) -> None:
        self.real.close()

    def open_table(self) -> None:
        """The dealer signs in at the pad, a supervisor elsewhere brings a shoe."""
        for digit in "1001":
            self.click(f"pad:{digit}")
        self.click("entry:go")
        for digit in "1001":
            self.click(f"pad:{digit}")
        self.click("entry:go")
        self.until(lambda s: s.staff.dealer is not None)
        self.floor.must(m.LogIn("2001", "2001"))
        self.floor.must(m.LoadShoe("S1", "A"))
        self.floor.must(m.ReleaseShoe("S1", self.floor.now.version))
        self.until(lambda s: s.shoe.state == "in_play")

    def until(self, seen: object) -> None:
        assert callable(seen)
        self.wait(lambda: self.console.snapshot is not None and seen(self.console.snapshot), "it")
        self.settle()

    def do(self, *keys: str) -> None:
        """Press keys one after the other, as slowly as a person, each answered before the next."""
        for key in keys:
            self.wait(partial(self.shown, key), key)
            QTest.qWait(620)
            snapshot = self.console.snapshot
            assert snapshot is not None
            self.click(key)
            self.until(lambda s, version=snapshot.version: s.version > version)

    def tap(self, *keys: str) -> None:
        """Press keys that say nothing to the station: sheets, names, figures."""
        for key in keys:
            self.wait(partial(self.shown, key), key)
            QTest.qWait(620)
            self.click(key)
            self.settle()

    def bets(self, seat: int) -> list[tuple[str, str, int]]:
        """What lies on and behind that seat."""
        snapshot = self.console.snapshot
        assert snapshot is not None
        return [(bet.kind, bet.player, bet.amount) for bet in snapshot.seats[seat - 1].bets]

    def deal(self, cards: str) -> None:
        """Cards out of the shoe, each where the prompt points, or nowhere."""
        for face in cards.split():
            self.until(lambda s: s.prompt.kind == "card")
            snapshot = self.console.snapshot
            assert snapshot is not None
            number = snapshot.last_read.number if snapshot.last_read else -1
            self.real.send(face, 1)
            self.until(lambda s, n=number: s.last_read is not None and s.last_read.number > n)


# 21 doubled and 19 against 18: both hands of seat 2 win, and the player behind wins on both.
PAID = [
    (2, "페어", "지급", "11,000"),
    (2, "메인 · 핸드 1", "지급", "2,000"),
    (2, "뒤 1 · 핸드 1", "지급", "1,000"),
    (2, "메인 · 핸드 2", "지급", "1,000"),
    (2, "뒤 1 · 핸드 2", "지급", "1,000"),
    (5, "인슈어런스", "회수", "500"),
    (5, "메인", "지급", "1,000"),
]


def picture(desk: RealDesk, name: str) -> None:
    """For a person to look at, where a folder is named."""
    folder = os.environ.get("CONSOLE_PICTURES")
    if folder:
        desk.settle()
        desk.view.grabWindow().save(f"{folder}/real-{name}.png")


@pytest.fixture
def real(tmp_path: Path, qt_warnings: None) -> Iterator[RealDesk]:
    desk = RealDesk(tmp_path / "real")
    yield desk
    desk.close()


def test_a_whole_round_is_keyed_at_the_console(real: RealDesk) -> None:
    """R11-R14, R34-R43, R52, R54: every window on the way is answered at this console."""
    real.open_table()
    real.do("take_seat@2", "take_seat@5", "do:open_round")
    real.do("place_bet:main@2", "place_bet:pair@2", "place_bet:behind@2", "place_bet:main@5")
    real.do("do:close_betting")
    real.deal("8S TH AC 8H 9D")
    picture(real, "insurance")
    real.do("insure:no@2", "insure:yes@5")
    real.do("do:decide:split")
    picture(real, "follow-split")
    real.do("follow:yes@behind-2-1")
    real.deal("3S")
    picture(real, "split-second")
    real.deal("2D")
    real.do("do:decide:double", "follow:no@behind-2-1")
    real.deal("TC")
    real.do("do:decide:hit")
    real.deal("9C")
    real.do("do:decide:stand", "do:decide:stand")
    real.deal("7H")
    real.until(lambda s: s.phase == "result")
    picture(real, "payments")
    lines = real.console.property("pay").property("v")["items"]
    shown = [(line["seat"], line["label"], line["text"], line["amount"]) for line in lines]
    assert shown == PAID
    real.do("key:cleared")
    real.until(lambda s: s.phase == "idle")
    assert real.find("do:open_round").property("active")


def test_a_wrong_amount_is_taken_back_and_keyed_again(real: RealDesk) -> None:
    """R13, R14, R48: main and Pair come back together, of two behind the one that was wrong; what
    was taken back is neither paid nor taken.
    """
    real.open_table()
    real.do("take_seat@2", "do:open_round")
    real.tap("do:open:amount", "quick:3")
    real.do("place_bet:main@2", "place_bet:pair@2", "place_bet:behind@2")
    real.tap("place_bet:behind@2")
    real.tap("back:keep", "do:open:amount", "quick:2", "place_bet:behind@2")
    real.do("back:more")
    assert real.bets(2) == [
        ("main", "chair-2", 10000),
        ("pair", "chair-2", 1000),
        ("behind", "behind-2-1", 1000),
        ("behind", "behind-2-2", 5000),
    ]
    real.tap("place_bet:main@2")
    picture(real, "take-back")
    real.do("back:take")
    real.tap("place_bet:behind@2", "back:behind-2-2")
    real.do("back:take")
    assert real.bets(2) == [("behind", "behind-2-1", 1000)]
    assert real.console.property("sheet") == ""
    real.do("place_bet:main@2")
    real.tap("place_bet:behind@2", "back:behind-2-1")
    real.do("back:take", "place_bet:behind@2")
    assert real.bets(2) == [("main", "chair-2", 1000), ("behind", "behind-2-1", 1000)]
    real.do("do:close_betting")
    real.deal("TS TH 9S")
    real.do("do:decide:stand")
    real.deal("8H")
    real.until(lambda s: s.phase == "result")
    picture(real, "taken-back-paid")
    lines = real.console.property("pay").property("v")["items"]
    shown = [(line["seat"], line["label"], line["text"], line["amount"]) for line in lines]
    assert shown == [(2, "메인", "지급", "1,000"), (2, "뒤 1", "지급", "1,000")]
    real.do("key:cleared")
