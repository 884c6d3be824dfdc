"""A known deck through a reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hw_sim.selftest import read_deck
from tests.unit.sim.test_cli import hw_sim


class Scripted:
    """A reader that reads what the script says for each card."""

    def __init__(self, script: dict[str, list[str]]) -> None:
        self.script = script
        self.deck = list(script)
        self.watch: Any = self
        self.no_reads = ["incomplete"]
        self.troubles: list[str] = []
        self.now = ""

    def draw(self, count: int = 1) -> list[str]:
        self.now = self.deck.pop(0)
        return [self.now]

    def read(self, count: int) -> list[str]:
        return self.script[self.now]


def test_what_is_missed_wrong_or_too_much_is_told_apart() -> None:
    reader: Any = Scripted({"AS": ["AS"], "2S": [], "3S": ["8S"], "4S": ["4S", "5S"]})
    told: list[str] = []
    report = read_deck(reader, 4, told.append)
    assert (report.read, report.missed, report.wrong) == (2, ["2S"], [("3S", "8S")])
    assert (report.extra, report.good) == (["5S"], False)
    assert told == [
        " 1 AS  read as AS",
        " 2 2S  not read",
        " 3 3S  read as 8S",
        " 4 4S  read as 4S 5S",
    ]
    said = report.lines()
    assert "3S was read as 8S" in said
    assert "never read: 2S" in said
    assert said[-1] == "the reader does NOT read it"


def test_a_whole_deck_through_a_virtual_reader() -> None:
    run = hw_sim("selftest", "--deck", "--json")
    assert run.returncode == 0, run.stderr
    report = json.loads(run.stdout)
    assert (report["ok"], report["read"], report["no_reads"]) == (True, 52, [])


def test_a_reader_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text('[table]\nid = "T"\n[[devices]]\nname = "other"\n')
    run = hw_sim("selftest", "--config", str(tmp_path / "t.toml"))
    assert run.returncode == 2
    assert "no [[devices]] with the name 'shoe'" in run.stderr
