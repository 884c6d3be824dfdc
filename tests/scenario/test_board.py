"""A table board at a running station: its lamps follow the table, its sensor is a witness, its
buttons are heard, and a board of lamps that is lost does not stop play.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hw_sim.control import ShoeControl
from hw_sim.device_server import DeviceServer, DeviceSettings
from station import messages as m
from tests.support.daemon import Station
from tests.support.floor import Floor

BOARD = '\n[[devices]]\nname = "board"\nkind = "board"\nport = "board"\n'


class Board:
    """A virtual board on a port of its own, and what a person beside it sees."""

    def __init__(self, folder: Path) -> None:
        self.server = DeviceServer(
            DeviceSettings(folder / "board", folder / "board.sock", seed=1, kind="board")
        )
        self.server.start()
        self._thread = threading.Thread(target=self.server.run, daemon=True)
        self._thread.start()
        self.control = ShoeControl(folder / "board.sock")

    def shows(self) -> dict[str, Any]:
        seen: dict[str, Any] = self.control.ask("state")["device"]
        return seen

    def does(self, fault: str, **params: object) -> None:
        self.control.ask("fault", fault=fault, **params)

    def close(self) -> None:
        self.control.close()
        self.server.stop()
        self._thread.join(5)
        self.server.close()


@pytest.fixture
def with_board(make_station: Callable[..., Station]) -> Callable[[str], Any]:
    @contextmanager
    def begin(setting: str = "") -> Iterator[tuple[Floor, Board]]:
        station = make_station(device=BOARD + setting)
        board = Board(station.folder)
        try:
            station.start()
            floor = Floor(station)
            floor.console.wait_for(
                lambda s: s.devices[1].health == "up" and "light" in s.devices[1].can,
                "the board up, and what it can do",
            )
            yield floor, board
        finally:
            board.close()

    return begin


def lights(board: Board, light: str, lamp: int, *, brake: bool) -> None:
    """The board shows this, sooner or later."""
    wanted, shown = {"light": light, "lamp": lamp, "brake": brake}, {}
    until = time.monotonic() + 20
    while time.monotonic() < until:
        shown = {key: board.shows()[key] for key in wanted}
        if shown == wanted:
            return
        time.sleep(0.02)
    assert shown == wanted


def test_lamps_light_and_brake_follow_the_table(with_board: Callable[..., Any]) -> None:
    with with_board() as (floor, board):
        floor.open_table().sit(1, 3)
        number = floor.open()
        lights(board, "green", 0, brake=True)
        floor.host.must(m.PlaceBet(number, 1, "P1", 1000))
        floor.host.must(m.PlaceBet(number, 3, "P3", 1000))
        floor.host.must(m.CloseBetting(number))
        lights(board, "white", 1, brake=False)
        floor.card("KH")
        lights(board, "white", 3, brake=False)
        floor.console.must(m.Wait())
        lights(board, "amber", 0, brake=True)


def test_a_board_that_starts_again_is_told_how_the_table_is(with_board: Callable[..., Any]) -> None:
    with with_board() as (floor, board):
        floor.ready(1)
        lights(board, "white", 1, brake=False)
        board.does("reboot")
        lights(board, "white", 1, brake=False)
        assert floor.console.now.holds == []


def test_help_calls_the_supervisor_and_the_cut_button_ends_the_shoe(
    with_board: Callable[..., Any],
) -> None:
    with with_board() as (floor, board):
        floor.ready(1)
        board.does("press", button="help", count=2)
        floor.console.wait_for(lambda s: s.staff.call == "help", "the call")
        board.does("press", button="cut_card")
        floor.console.wait_for(lambda s: s.shoe.state == "last_round", "the last round")
        assert floor.console.now.prompt.kind == "card", "no hold, and the slot stays"
        calls = floor.station.kinds().count("SupervisorCalled")
        assert calls == 1, "a second press while it is open is no second call"


def test_a_board_of_lamps_that_is_lost_does_not_stop_play(with_board: Callable[..., Any]) -> None:
    with with_board() as (floor, board):
        floor.ready(1)
        board.does("unplug")
        floor.console.wait_for(lambda s: s.devices[1].health == "lost", "the board lost")
        floor.deal("KH 5C")
        assert floor.console.now.holds == []


def test_a_card_the_sensor_saw_and_no_reader_read_is_asked_for_again(
    with_board: Callable[..., Any],
) -> None:
    with with_board("sensor = true\n") as (floor, board):
        floor.ready(1)
        before = floor.reads
        board.does("card_out")
        last = floor.seen(before)
        assert last.outcome == "no_read"
        assert "unread" in last.text.en
        assert floor.card("KH").outcome == "dealt"


def test_a_sensor_that_is_believed_and_lost_holds(with_board: Callable[..., Any]) -> None:
    with with_board("sensor = true\n") as (floor, board):
        floor.ready(1)
        board.does("silent")
        hold = floor.held("reader_lost")
        assert hold.device == "board"
        assert floor.console.now.devices[1].health == "silent"
        assert floor.console.now.devices[1].technician is not None
