"""A round recalled at a table that runs: shown while it is played, exported when it is over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.support.daemon import Station
from tests.support.exported import run
from tests.support.floor import Floor


def test_a_round_is_told_while_it_is_played_and_exported_once_it_is_over(
    make_station: Callable[..., Station], tmp_path: Path
) -> None:
    """Beside the daemon, on its own journal, by its own file; it plays on undisturbed."""
    station = make_station().start()
    floor = Floor(station).ready(1, 3)
    floor.deal("5H TC 9D")
    where = ("--journal", str(station.journal_path))
    shown = json.loads(run("round", "show", "last", "--json", *where))
    assert (shown["round"], shown["ended"]) == (1, "open")
    assert [card["face"] for card in shown["cards"]] == ["5H", "TC", "9D"]
    for card in shown["cards"]:
        assert card["face"] in bytes.fromhex(card["read"]["raw"]).decode()
    file = tmp_path / "round.zip"
    assert "--unfinished" in run("round", "export", "last", str(file), *where, code=2)
    floor.deal("6C 8S").act("stand").act("stand")
    floor.deal("8H").clear()
    run("round", "export", "1", str(file), *where)
    key = tmp_path / "station.pem"
    run("journal", "key", "--out", str(key), *where)
    found = json.loads(run("round", "verify", str(file), "--key", str(key), "--json"))
    assert (found["fault"], found["sealed"], found["trusted"]) == ("", True, True)
    assert found["cards"] == 6
    floor.bet((1, 3)).deal("5S TH")
    assert run("round", "list", "--lang", "en", *where).count("\n") == 2
    figures = json.loads(run("stats", "--by", "dealer", "--json", *where))
    assert {one["dealer"]: one["rounds"] for one in figures["groups"]}["1001"] == 2
