"""The virtual Bee-Tek shoe puts the golden bytes on the wire."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hw_sim.codes import CodeError, VirtualCard
from hw_sim.models.base import Piece
from hw_sim.models.beetek import FAULTS, BeeTek
from tests.support.golden import cases

GOLDEN = {case.name: case for case in cases("bee-tek")}
Step = Callable[[BeeTek], list[Piece]]


def draw(face: str, fault: str = "", **params: object) -> Step:
    """A card is drawn."""
    return lambda shoe: shoe.card(VirtualCard(face, 1, "A"), 0, fault, params)


def do(fault: str, **params: object) -> Step:
    """Something is done to it."""
    return lambda shoe: shoe.do(fault, params, 0)


def cut(shoe: BeeTek) -> list[Piece]:
    """The cut card comes out."""
    return shoe.card(VirtualCard("", 0, "A"), 0)


GAME, BURN = do("mode", to="Game"), do("mode", to="Manual Burn Cards")
SCRIPTS: dict[str, tuple[dict[str, object], dict[int, Step]]] = {
    "published": (
        {},
        {
            -1: GAME,
            0: draw("4S"),
            999: BURN,
            1000: draw("KH"),
            1999: GAME,
            2000: draw("2C", "unread"),
            3000: draw("2C", "alarm_not_read"),
            4000: do("alarm", mode="GameAlarm"),
            5000: do("warning"),
            5999: BURN,
            6000: draw("AD"),
        },
    ),
    "tens": ({}, {0: draw("TD"), 1000: draw("TD", "ten")}),
    "echo_of_another": ({"mode": "Game"}, {0: draw("4S", "stray", text="5S")}),
    "double_record": ({}, {0: draw("4S", "double_record")}),
    "alarm_between_halves": ({"mode": "Game"}, {0: draw("4S", "alarm_between", keep=11)}),
    "alarm_in_the_mode": (
        {"mode": "Game"},
        {0: draw("4S", "alarm_between", keep=4, mode="GameAlarm")},
    ),
    "half_then_silence": (
        {},
        {0: draw("4S", "split_record", keep=27), 1500: draw("KH")},
    ),
    "pause_inside": ({}, {0: draw("4S", "split_record", keep=23, ms=150)}),
    "unknown_mode": ({"mode": "Test"}, {0: draw("4S")}),
    "unknown_record": ({}, {0: do("unknown")}),
    "wrong_baud": (
        {},
        {at * 500: draw("2C", "wrong_baud") for at in range(7)} | {5000: draw("4S")},
    ),
    "settings": (
        {"cut": "Cut Card"},
        {0: do("unknown", text="Ready"), 1000: cut, 2000: draw("4S")},
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_it_says_the_golden_bytes_at_their_times(name: str) -> None:
    options, script = SCRIPTS[name]
    shoe = BeeTek(**options)  # type: ignore[arg-type]
    said = [(at + piece.at_ms, piece.data) for at, step in script.items() for piece in step(shoe)]
    assert said == [(send.at_ms, send.data) for send in GOLDEN[name].sends]


def test_line_ends() -> None:
    ends = {"cr": "4S", "lf": "KH", "crlf": "2C", "none": "AD"}
    said = [draw(face)(BeeTek(end=end))[0].data for end, face in ends.items()]
    assert said == [send.data for send in GOLDEN["line_ends"].sends]


def test_without_spaces() -> None:
    first = draw("4S", "missing_spaces")(BeeTek())[0].data
    assert first == GOLDEN["missing_spaces"].sends[0].data


def test_an_echo_comes_after_the_record_as_a_habit_or_once() -> None:
    first = GOLDEN["echo"].sends[0].data
    assert draw("4S")(BeeTek(mode="Game", echo=True))[0].data == first
    assert draw("4S", "stray")(BeeTek(mode="Game"))[0].data == first


def test_a_card_there_is_not() -> None:
    said = draw("4S", "no_such_card")(BeeTek())[0].data
    assert said == GOLDEN["no_such_card"].sends[0].data


def test_no_cut_cards_record_is_known() -> None:
    assert cut(BeeTek()) == []


def test_it_hears_nothing_and_presents_no_card_again() -> None:
    shoe = BeeTek()
    assert shoe.start(0) == shoe.heard(b"\x05", 0) == shoe.tick(0) == []
    assert shoe.again(VirtualCard("4S", 1, "A"), 0) == []


def test_every_fault_works_with_its_defaults() -> None:
    for name, fault in FAULTS.items():
        shoe = BeeTek()
        step = draw("TD", name) if fault.when == "draw" else do(name)
        assert step(shoe) or name == "mode"
        assert draw("2C")(shoe)


def test_an_unknown_fault_or_setting_is_refused() -> None:
    with pytest.raises(CodeError, match="no fault"):
        draw("8S", "nonsense")(BeeTek())
    with pytest.raises(CodeError, match="one of a card"):
        do("stray")(BeeTek())
    with pytest.raises(CodeError, match="there are"):
        BeeTek(end="tab")
    with pytest.raises(CodeError, match="T or 10"):
        BeeTek(ten="X")
