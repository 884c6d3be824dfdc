"""The virtual table board against the golden bytes, and its faults one by one."""

from __future__ import annotations

from typing import Any

import pytest

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.models.base import Piece
from hw_sim.models.board import Board, make
from hw_sim.models.board_lines import Ear, check_of, write
from tests.support.golden import cases

GOLDEN = {case.name: case for case in cases("board")}
# What passes between the two takes 5 ms each way.
WIRE_MS = 5
Acts = list[tuple[int, str, dict[str, Any]]]
# What happens at the board in each case, and how it differs from the usual one.
SCENES: dict[str, tuple[dict[str, str], Acts]] = {
    "hello_and_state": ({}, []),
    "events": (
        {},
        [
            (100, "press", {}),
            (200, "press", {"button": "cut_card"}),
            (300, "card_out", {}),
            (400, "badge", {"text": "04A2C9B1"}),
        ],
    ),
    "sensor_is_no_witness": ({}, [(100, "card_out", {})]),
    "lost_ack": ({}, [(90, "lost_ack", {"count": 2}), (100, "press", {}), (900, "press", {})]),
    "lost_event": ({}, [(90, "lost_event", {"count": 2}), (100, "press", {})]),
    "late_events": (
        {},
        [
            (90, "lost_event", {"count": 8}),
            (100, "press", {"button": "cut_card"}),
            (2600, "lost_event", {"count": 17}),
            (2700, "badge", {}),
        ],
    ),
    "duplicate_event": ({}, [(100, "press", {}), (200, "duplicate_event", {})]),
    "restart": ({}, [(300, "press", {}), (500, "reboot", {})]),
    "restart_unheard": ({}, [(500, "wrong_check", {}), (500, "reboot", {})]),
    "silence": ({}, [(500, "silent", {"ms": 6000})]),
    "other_version": ({}, [(0, "other_version", {})]),
    "missing_abilities": ({"abilities": "lamps=5 help"}, []),
    "no_sensor": ({"abilities": "light help"}, []),
    "events_lost": ({}, [(100, "press", {"count": 12}), (900, "press", {})]),
    "brake_fault": ({}, [(100, "part_fault", {}), (600, "part_well", {})]),
    "stuck_button": ({}, [(100, "stuck_button", {"ms": 12000})]),
    "line_cut": (
        {},
        [
            (395, "lost_ack", {"count": 1}),
            (400, "press", {}),
            (500, "press", {"button": "cut_card"}),
        ],
    ),
}


def do(board: Board, fault: str, now: int, **params: Any) -> list[Piece]:
    """A fault with its defaults."""
    defaults = {key: value for key, (value, _) in board.faults[fault].params.items()}
    return board.do(fault, defaults | params, now)


def sent(pieces: list[Piece]) -> list[bytes]:
    return [piece.data for piece in pieces]


def opened(session: int = 7, **options: str) -> Board:
    board = make(**options)
    board.start(0)
    board.heard(write("open", 1, session, 0, 0), 0)
    return board


@pytest.mark.parametrize("name", SCENES)
def test_the_virtual_board_puts_the_golden_bytes_on_the_wire(name: str) -> None:
    case = GOLDEN[name]
    options, acts = SCENES[name]
    board = Board(**options)
    steps: list[tuple[int, int, Any]] = [(one.at_ms + WIRE_MS, 1, one.data) for one in case.writes]
    steps += [(at, 0, (fault, params)) for at, fault, params in acts]
    cut = [(ask.at_ms, ask.do == "start") for ask in case.asks if ask.do in ("start", "reset")]
    sends: list[tuple[int, bytes]] = []
    for at, _, what in [*sorted(steps, key=lambda step: step[:2]), (case.ends_ms, 2, b"")]:
        while (wake := board.wake_at_ms) is not None and wake <= at:
            sends += [(wake, piece.data) for piece in board.tick(wake)]
        pieces = (
            board.heard(what, at) if isinstance(what, bytes) else do(board, what[0], at, **what[1])
        )
        sends += [(at, piece.data) for piece in pieces]
    arrived = [
        (at + WIRE_MS, data)
        for at, data in sends
        if at + WIRE_MS <= case.ends_ms and _plugged(cut, at) and _plugged(cut, at + WIRE_MS)
    ]
    assert arrived == [(one.at_ms, one.data) for one in case.sends]


def _plugged(cut: list[tuple[int, bool]], at: int) -> bool:
    return [is_start for since, is_start in cut if since <= at][-1]


def test_every_golden_case_is_the_boards_or_a_wire_no_board_makes() -> None:
    by_hand = {
        "no_confirmation",
        "refused",
        "closed",
        "noise",
        "wrong_baud",
        "words_of_later_releases",
        "echo",
        "before_the_session",
        "part_faults",
    }
    assert set(GOLDEN) == set(SCENES) | by_hand


def test_the_check_is_crc_16() -> None:
    assert check_of(b"123456789") == "31C3"
    assert write("ping") == b"$ping*73EB\n"


def test_it_does_what_it_is_told_and_shows_it() -> None:
    board = opened()
    for words in (("light", "red"), ("lamp", 4), ("brake", "off")):
        assert sent(board.heard(write("set", 3, *words), 10)) == [write("ok", 3)]
    state = board.state()
    assert (state["light"], state["lamp"], state["brake"]) == ("red", 4, False)
    assert not state["blinking"]


def test_without_the_station_it_brakes_and_blinks_amber() -> None:
    board = opened()
    board.heard(write("set", 1, "brake", "off"), 100)
    assert board.wake_at_ms == 3100
    board.tick(3099)
    assert board.state()["brake"] is False
    board.tick(3100)
    state = board.state()
    assert (state["light"], state["blinking"], state["lamp"]) == ("amber", True, 0)
    assert state["brake"] is True
    assert sent(board.heard(write("ping"), 3200)) == [write("pong", 7, "safe")]
    board.heard(write("set", 2, "light", "green"), 3300)
    assert sent(board.heard(write("ping"), 3400)) == [write("pong", 7)]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (write("set", 1, "light", "pink"), ("no", 1, "value")),
        (write("set", 1, "lamp", 8), ("no", 1, "value")),
        (write("set", 1, "chime", "on"), ("no", 1, "unknown")),
        (write("dance"), ("no", 0, "unknown")),
        (b"$ping*0000\n", ("no", 0, "check")),
        (b"$ping" + b" x" * 20 + b"*0000\n", ("no", 0, "long")),
        (b"\xff\x00noise\n$pi" + write("ping"), ("pong", 7, "safe")),
        (write("ping").replace(b"\n", b"\r\n"), ("pong", 7, "safe")),
        (write("ping", "later"), ("pong", 7, "safe")),
        (write("open", 9, 8, 0, 0), ("hello", 1, 7, "tableboard", "1.0", "SIM1", "light lamps=7")),
    ],
)
def test_what_it_answers(line: bytes, answer: tuple[object, ...]) -> None:
    board = opened(abilities="light lamps=7")
    assert sent(board.heard(line, 10)) == [write(*answer)]


def test_a_closed_session_takes_no_state_and_sends_no_event() -> None:
    board = opened()
    board.heard(write("open", 1, 0, 0, 0), 10)
    assert sent(board.heard(write("set", 4, "brake", "off"), 20)) == [write("no", 4, "closed")]
    assert not do(board, "press", 30)
    hello, event = sent(board.heard(write("open", 1, 8, 0, 0), 530))
    assert hello.startswith(b"$hello 1 8 ")
    assert event == write("event", 1, 500, "help")


def test_an_event_taken_in_the_old_session_does_not_come_again() -> None:
    board = opened()
    do(board, "press", 10)
    do(board, "card_out", 10)
    pieces = board.heard(write("open", 1, 8, 7, 1), 20)
    assert sent(pieces)[1:] == [write("event", 1, 10, "card_out")]


def test_numbers_begin_again_after_the_last_in_an_old_session_and_a_new_one() -> None:
    board = opened()
    board._next = 65533
    for _ in range(4):
        do(board, "press", 10)
    numbers = [event.number for event in board._events]
    assert numbers == [65534, 65535, 1, 2]
    board.heard(write("open", 1, 8, 7, 65534), 20)
    assert [event.number for event in board._events] == [1, 2, 3]
    do(board, "press", 30)
    assert board._events[-1].number == 4


def test_an_event_of_a_session_it_is_not_in_is_kept() -> None:
    board = opened()
    do(board, "press", 10)
    assert sent(board.heard(write("open", 1, 8, 5, 1), 20))[1:] == [write("event", 1, 10, "help")]


def test_a_part_still_at_fault_is_told_in_the_next_session() -> None:
    board = opened()
    do(board, "part_fault", 10)
    board.heard(write("ack", 1), 20)
    assert sent(board.heard(write("open", 1, 8, 7, 1), 30))[1:] == [
        write("event", 1, 0, "fault brake")
    ]
    assert board.state()["braking"] is False


def test_a_card_passes_the_sensor_once_twice_or_unseen() -> None:
    board, card = opened(), VirtualCard("KH", 1, "A")
    assert sent(board.card(card, 10)) == [write("event", 1, 0, "card_out")]
    assert board.card(card, 20, "sensor_blind") == []
    board.card(card, 30, "sensor_bounce", {"times": 1})
    assert board.state()["waiting"] == ["card_out"] * 3


def test_what_it_cannot_do_it_does_not_do() -> None:
    board = opened(abilities="light")
    assert do(board, "press", 10) == []
    assert sent(board.heard(write("set", 1, "brake", "on"), 10)) == [write("no", 1, "unknown")]
    assert board.state()["brake"] is None
    blind = opened(abilities="help")
    assert sent(blind.heard(write("ping"), 5000)) == [write("pong", 7)]


def test_an_ability_can_be_lost() -> None:
    board = opened()
    (hello,) = sent(do(board, "missing_ability", 10, ability="lamps"))
    assert hello == write(
        "hello", 1, 0, "tableboard", "1.0", "SIM1", "light brake help cut_card card_out badge"
    )


def test_bad_orders_are_refused_by_name() -> None:
    with pytest.raises(CodeError, match="no ability 'horn'"):
        make(abilities="horn")
    with pytest.raises(CodeError, match="no button 'bell'"):
        do(opened(), "press", 0, button="bell")
    with pytest.raises(CodeError, match="no part 'lamp'"):
        do(opened(), "part_fault", 0, part="lamp")
    with pytest.raises(CodeError, match="not one of a board's"):
        opened().do("explode", {}, 0)


def test_every_fault_named_can_be_had() -> None:
    for name, fault in Board().faults.items():
        board = opened()
        if fault.when == "now":
            do(board, name, 10)
        else:
            params = {key: value for key, (value, _) in fault.params.items()}
            board.card(VirtualCard("KH", 1, "A"), 10, name, params)


def test_an_ear_takes_lines_however_they_are_cut() -> None:
    ear, stream = Ear(), b"\x00$pi$ping*73EB\r\n$ack 1*3A8D\n$x*00\n"
    whole = list(Ear().feed(stream))
    assert whole == [["ping"], ["ack", "1"], "check"]
    assert [line for byte in stream for line in ear.feed(bytes((byte,)))] == whole
