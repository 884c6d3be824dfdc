"""A whole test table with each kind of reader as its shoe, and with a board."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from drivers.catalog import kinds, spec_of
from hw_sim.models.registry import KINDS, kind_of, present
from hw_sim.table_config import TableDir, config_text
from station.config import load_config
from tests.unit.sim.test_table import facts, nothing_left, play

READERS = [name for name in present() if KINDS[name].shoe and name in kinds()]


def cards(place: Path) -> tuple[list[str], list[str]]:
    """The faces that left the shoe, and those dealt or burned."""
    log = (place / "shoe-truth.jsonl").read_text()
    truth = [json.loads(line) for line in log.splitlines()]
    drawn = [entry["face"] for entry in truth if "position" in entry]
    told = [json.loads(body)["card"] for kind, body in facts(place) if kind == "CardDealt"]
    return drawn, [card["rank"] + card["suit"] for card in told]


@pytest.mark.parametrize("kind", READERS)
def test_every_reader_plays_a_round(tmp_path: Path, kind: str) -> None:
    run = play(tmp_path / "t", "--seed", "3", "--rounds", "1", "--kind", kind)
    assert (run.returncode, run.stderr) == (0, "")
    assert "rounds 1, void 0" in run.stdout
    # Where nothing tells two cards of a face apart, a person has to say.
    holds = [line for line in run.stdout.splitlines() if "HOLD" in line]
    assert holds == [] or (kind == "bee-tek" and all("a second" in line for line in holds))
    drawn, dealt = cards(tmp_path / "t")
    assert drawn == dealt != []
    assert nothing_left(tmp_path / "t")


@pytest.mark.skipif("board" not in kinds(), reason="no driver of a board here")
def test_a_board_sees_every_card_of_the_round(tmp_path: Path) -> None:
    run = play(tmp_path / "t", "--seed", "3", "--rounds", "1", "--board")
    assert (run.returncode, run.stderr) == (0, "")
    assert "rounds 1, void 0" in run.stdout
    drawn, dealt = cards(tmp_path / "t")
    log = (tmp_path / "t" / "board-truth.jsonl").read_text()
    passed = [entry for line in log.splitlines() if "passes" in (entry := json.loads(line))]
    assert len(passed) == len(drawn) == len(dealt) > 0
    assert nothing_left(tmp_path / "t")


@pytest.mark.parametrize("kind", [*READERS, "hid-pos", "keyboard"])
def test_the_file_it_writes_is_one_a_station_takes(tmp_path: Path, kind: str) -> None:
    place = TableDir(tmp_path)
    place.open(config_text(kind=kind, place=tmp_path, board=True))
    place.close()
    assert place.kinds() == {"shoe": kind, "board": "board"}
    config = load_config(place.config)
    port = str(config.devices[0]["port"])
    at = f"virtual:{place.shoe_link}" if kind_of(kind).port != "serial" else str(place.shoe_link)
    assert port == at
    assert config.cards.allow_unchecked_codes == (kind == "bee-tek")
    if kind in kinds():
        assert spec_of(config.devices[0]).port == port


def test_another_kind_than_the_files_is_refused_before_anything_is_started(tmp_path: Path) -> None:
    place = TableDir(tmp_path / "t")
    place.open(config_text())
    place.close()
    run = play(place.path, "--seed", "3", "--rounds", "1", "--kind", "angel-eye")
    assert (run.returncode, run.stdout.count("\n")) == (1, 2)
    assert "says kind = text-line, not angel-eye" in run.stderr
    run = play(place.path, "--seed", "3", "--rounds", "1", "--board")
    assert "has no board" in run.stderr
    assert not place.journal.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--kind", "abacus"], "--kind 'abacus': text-line"),
        (["--wire", "rope"], "there are perfect"),
    ],
)
def test_bad_kind_or_wire_is_named(tmp_path: Path, options: list[str], message: str) -> None:
    run = play(tmp_path / "t", *options)
    assert run.returncode == 2
    assert message in run.stderr
