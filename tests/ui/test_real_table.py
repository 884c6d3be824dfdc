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
        self.real = Station(folder, table='host = "chairs"').start()
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
