"""The board protocol's document against both sides that speak it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from drivers.protocols.base import Light
from drivers.protocols.board_lines import BOARD_LIMIT, STATION_LIMIT, Cutter, crc16
from drivers.protocols.board_words import meaning
from hw_sim.models.board_lines import HEARD_LIMIT, SAID_LIMIT, Ear, check_of

TEXT = Path("docs/board-protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^    (\$[^$\n*]+\*[0-9A-F]{4})", TEXT, re.MULTILINE)
TO_BOARD = ("open", "ping", "set", "ack")


def test_every_example_is_a_line_both_sides_read() -> None:
    assert len(EXAMPLES) >= 20
    for example in EXAMPLES:
        data = example.encode() + b"\n"
        (cut,) = Cutter().feed(data)
        assert not cut.fault, example
        (heard,) = Ear(SAID_LIMIT).feed(data)
        assert tuple(heard) == cut.words
        if cut.words[0] in TO_BOARD:
            assert len(data) <= STATION_LIMIT
        else:
            assert meaning(cut.words) is not None, example


def test_the_vectors_are_right() -> None:
    vectors = re.search(r"Vectors:(.*?)the empty body 0000", TEXT, re.DOTALL)
    assert vectors is not None
    pairs = re.findall(r"`([^`]+)` ([0-9A-F]{4})", vectors[1])
    assert len(pairs) == 4
    for body, check in pairs:
        assert f"{crc16(body.encode()):04X}" == check == check_of(body.encode())


def test_the_limits_and_the_colours_are_the_same_everywhere() -> None:
    assert (STATION_LIMIT, BOARD_LIMIT) == (HEARD_LIMIT, SAID_LIMIT) == (32, 120)
    row = next(line for line in TEXT.splitlines() if "light COLOUR" in line)
    assert set(re.findall(r"`([a-z]+)`", row)) - {"ok", "no"} == set(get_args(Light))
