"""The live view of `device test`: three columns, four layers, and the hint for where it stops."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from drivers.kinds.textline import TextLineSpec
from drivers.observations import (
    Badge,
    CardRead,
    CutCard,
    HealthChanged,
    NoRead,
    Trouble,
    TroubleOver,
)
from drivers.protocols.base import Frame
from station.cli_device_live import Screen, closing, layers, plain
from station.cli_device_probe import Counted, Probe, Said
from station.cli_device_words import FIX, HEALTH, card_words, in_words

SPEC = TextLineSpec(name="shoe", port="/dev/table/shoe")
CARD = CardRead("shoe", 5, b"AKH35\r", "KH", "A", 3, "AKH35", True)
UP = HealthChanged("shoe", 1, b"", "up", "", "/dev/ttyUSB0")


@pytest.fixture
def probe() -> Probe:
    return Probe(SPEC)


def said_by(probe: Probe) -> list[Said]:
    return [probe._queue.get_nowait() for _ in range(probe._queue.qsize())]


def drawn(screen: Screen) -> str:
    text = io.StringIO()
    Console(file=text, width=150, height=60).print(screen)
    return text.getvalue()


def test_bytes_frames_and_meaning_stand_side_by_side_with_the_layers(probe: Probe) -> None:
    screen = Screen(probe, "shoe", SPEC.port)
    assert "✗ connected" in drawn(screen)
    probe.sink(UP)
    probe.tap("in", b"AKH35\r", 2)
    probe.tap(Frame("line", b"AKH35\r", ""), b"AKH35\r", 3)
    probe.sink(CARD)
    probe.tap("out", b"\x16\x07\r", 6)
    for said in said_by(probe):
        screen.add(said)
    text = drawn(screen)
    for part in ("41 4B 48 33 35 0D", "→ 16 07 0D", "line AKH35", "K♥, set A, deck 3, check right"):
        assert part in text
    for layer in ("connected", "raw bytes seen", "whole frame seen", "decoded"):
        assert f"✓ {layer}" in text
    assert "counts nowhere" in text
    assert "it works" in text


def test_old_lines_leave_and_the_view_keeps_its_height(probe: Probe) -> None:
    screen = Screen(probe, "shoe", SPEC.port)
    empty = drawn(screen).count("\n")
    for number in range(500):
        screen.add(Said(number, "raw", f"41 {number}", "A" * 99))
        screen.add(Said(number, "observation", says=f"card {number}"))
    assert drawn(screen).count("\n") == empty
    assert "card 499" in drawn(screen)
    assert "41 499" in drawn(screen)
    assert "card 1 " not in drawn(screen)


@pytest.mark.parametrize(
    ("counted", "reached", "hint"),
    [
        (Counted(), None, HEALTH["waiting"]),
        (Counted(health="denied"), None, HEALTH["denied"]),
        (Counted(health="up"), "connected", FIX["no bytes"]),
        (Counted(health="up", bytes=3), "bytes", FIX["no frame"]),
        (Counted(health="up", bytes=3, frames=2, bad_frames=2), "bytes", FIX["no frame"]),
        (Counted(health="up", bytes=3, frames=1), "frames", FIX["no card"]),
        (
            Counted(health="up", bytes=3, frames=1, last_reason="bad_check"),
            "frames",
            FIX["bad_check"],
        ),
        (Counted(health="up", bytes=3, frames=1, decoded=1), "decoded", "it works: cards"),
        (Counted(health="lost", bytes=3, frames=1, decoded=1), "decoded", "it worked, and then"),
        (Counted(reads=False, health="up", bytes=3, frames=1), "frames", "it works: the board"),
        (
            Counted(reads=False, health="up", bytes=3, frames=1, decoded=1),
            "decoded",
            "it works: what it says",
        ),
        (
            Counted(health="up", bytes=9, troubles={"not_answering": ""}),
            "bytes",
            FIX["not_answering"],
        ),
    ],
)
def test_the_hint_is_for_the_layer_where_it_stops(
    counted: Counted, reached: str | None, hint: str
) -> None:
    assert counted.reached == reached
    assert counted.hint().startswith(hint)
    ticks = ["connected", "bytes", "frames", "decoded"].index(reached) + 1 if reached else 0
    assert [str(layer)[0] for layer in layers(counted)] == ["✓"] * ticks + ["✗"] * (4 - ticks)
    assert closing(counted).endswith(counted.hint())


def test_troubles_that_are_over_are_not_hinted_at(probe: Probe) -> None:
    probe.sink(Trouble("shoe", 1, b"", "not_answering"))
    assert probe.counted.hint() == FIX["not_answering"]
    probe.sink(TroubleOver("shoe", 2, b"", "not_answering"))
    assert probe.counted.troubles == {}
    probe.sink(Trouble("shoe", 1, b"", "brake", "it does not hold"))
    assert probe.counted.hint() == "brake: it does not hold"


def test_a_badges_text_is_not_put_into_words() -> None:
    assert in_words(Badge("shoe", 1, b"", "04A1B2C3")) == "a badge was shown"


@pytest.mark.parametrize(
    ("face", "words"), [("KH", "K♥"), ("TD", "10♦"), ("2S", "2♠"), ("AC", "A♣")]
)
def test_a_card_is_named_as_it_looks(face: str, words: str) -> None:
    assert card_words(face) == words


def test_each_thing_is_one_plain_line() -> None:
    assert in_words(CutCard("shoe", 1, b"", "A", "ACUT6")) == "the cut card of set A"
    assert in_words(NoRead("shoe", 1, b"", "unread")) == "not read (unread)"
    assert in_words(UP) == "up: /dev/ttyUSB0"
    assert plain(Said(1500.0, "raw", "41", "A")) == "    1.500  raw         41  |A|"
    assert plain(Said(1.0, "frame", "41", "A", "line", "it has no end")).endswith("! it has no end")


@pytest.mark.parametrize("what", ["raw", "sent", "frame"])
def test_a_long_message_is_cut_and_its_length_told(what: Any) -> None:
    """A line of a camera's reader would fill the terminal with its bytes."""
    data = b'{"say":"figures",' + b"x" * 300
    line = plain(Said(1000, what, data.hex(" ").upper(), data.decode(), "figures"))
    assert '|{"say":"figures",xxxx' in line
    assert "…|" in line
    assert ("7B 22 73 61" in line, " … 317 bytes  |" in line) == ((what != "frame",) * 2)
    assert len(line) < 200
    short = plain(Said(1000, what, b"AKH35".hex(" ").upper(), "AKH35", "line"))
    assert "|AKH35|" in short
    assert "…" not in short
