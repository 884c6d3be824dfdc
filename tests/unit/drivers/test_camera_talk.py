"""The reader's end of the pipes: every line that goes out is one, and what passed is numbered."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from drivers.camera.talk import Orders, Talk
from drivers.observations import Evidence
from drivers.protocols import camera_lines as c

WAIT_S = 30.0
TEN = c.Read(face="TS", by=("index",))


class Ear:
    """A pipe, and the lines that came through it."""

    def __init__(self) -> None:
        self.out, self.into = os.pipe()

    def lines(self) -> list[c.Up]:
        os.close(self.into)
        data = b""
        while piece := os.read(self.out, 65536):
            data += piece
        os.close(self.out)
        return [c.up(raw) for raw in c.Cutter().feed(data)]


def said(*lines: c.Up) -> list[c.Up]:
    ear = Ear()
    talk = Talk(ear.into)
    for line in lines:
        talk.say(line)
    return ear.lines()


def test_what_passed_is_numbered_in_its_order_and_nothing_else_is() -> None:
    lines = said(TEN, c.Presence(edge="left"), c.Missed(reason="joker"), c.CutOut(), c.Ready(), TEN)
    passed = [one for one in lines if isinstance(one, c.Read | c.Missed | c.CutOut)]
    assert [one.n for one in passed] == [1, 2, 3, 4]
    assert len(lines) == 6


@pytest.mark.parametrize(
    "wrong",
    [
        c.Read(face="1S", by=("index",)),
        c.Read(face="TS", by=()),
        c.Read(face="TS", by=("index",), deck=100),
        c.Read(face="TS", by=("index",), at_ns=-1),
        c.Missed(reason="Not A Code"),
        c.CutOut(set="AB"),
        c.Missed(reason="joker", evidence=(Evidence("x" * 20_000, ""),)),
    ],
)
def test_what_passed_and_cannot_be_said_is_a_card_that_was_not_read(wrong: c.Up) -> None:
    first, second, third = said(TEN, wrong, TEN)
    assert isinstance(second, c.Missed)
    assert (second.n, second.reason) == (2, "unread")
    assert second.detail
    assert isinstance(first, c.Read)
    assert isinstance(third, c.Read)
    assert (first.n, third.n) == (1, 3)


def test_anything_else_that_cannot_be_said_is_a_remark() -> None:
    (line,) = said(c.Fault(code="no code"))
    assert isinstance(line, c.Remark)
    assert line.code == "unsayable"


def test_long_words_are_cut_and_the_line_is_said() -> None:
    pictures = (Evidence("a.jpg", "00" * 32),) * 40
    (line,) = said(c.Missed(reason="joker", text="t" * 999, detail="d" * 9999, evidence=pictures))
    assert isinstance(line, c.Missed)
    assert (line.reason, len(line.text), len(line.detail), len(line.evidence)) == (
        "joker",
        256,
        2000,
        16,
    )


@pytest.fixture
def orders() -> Iterator[tuple[Orders, int, threading.Event]]:
    out, into = os.pipe()
    ended = threading.Event()
    yield Orders(out, ended.set), into, ended
    for fd in (into, out):
        try:
            os.close(fd)
        except OSError:
            assert fd == into, "the test has ended the pipe"


def test_orders_are_obeyed_and_what_is_none_is_complained_of(
    orders: tuple[Orders, int, threading.Event], capfd: pytest.CaptureFixture[str]
) -> None:
    heard, into, ended = orders
    assert heard.settings(0.0) is None
    os.write(into, b"nonsense\n" + c.encode(c.Settings(spec={"name": "shoe"})))
    settings = heard.settings(WAIT_S)
    assert settings is not None
    assert settings.spec == {"name": "shoe"}
    os.write(into, c.encode(c.Settings(spec={"name": "other"})) + c.encode(c.Enable(on=False)))
    os.write(into, c.encode(c.Bye()))
    assert ended.wait(WAIT_S)
    assert not heard.reading
    assert heard.settings(0.0) == settings, "the first are those of this process"
    assert "an order that is none" in capfd.readouterr().err


def test_the_end_of_the_pipe_is_the_end(orders: tuple[Orders, int, threading.Event]) -> None:
    _, into, ended = orders
    os.close(into)
    assert ended.wait(WAIT_S)
