"""Scenario files: a mistake in one is named by file, step and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw_sim.faults import COMMON
from hw_sim.models.registry import faults_of, kind_of, make_model, present
from hw_sim.scenario import STEPS, ScenarioError, load
from hw_sim.scenario_run import cards, seen

FOLDER = Path(__file__).parents[3] / "hw-sim" / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
NAMED = ("a-01", "a-03", "a-06", "a-08", "a-10", "a-11", "b-01", "b-04", "b-06", "b-08")


def wrong(tmp_path: Path, text: str) -> str:
    file = tmp_path / "s.toml"
    file.write_text(text)
    with pytest.raises(ScenarioError) as told:
        load(file)
    assert str(told.value).startswith(str(file))
    return str(told.value).removeprefix(str(file))


def test_every_named_fault_has_its_scenario() -> None:
    assert tuple(file.name[:4] for file in FILES if file.name[:4] in NAMED) == NAMED


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_scenario_here_is_one_and_orders_what_there_is(file: Path) -> None:
    scenario = load(file)
    assert scenario.name.lower().startswith(file.name[:4])
    if scenario.table.kind not in present():
        pytest.skip(f"no model of {scenario.table.kind} here")
    kind = kind_of(scenario.table.kind)
    known = faults_of(kind, make_model(kind.name), tcp=scenario.table.tcp)
    ordered = {step.keys["fault"] for step in scenario.steps if "fault" in step.keys}
    assert ordered <= set(known)
    assert scenario.steps[-1].do == "expect"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 3", ": name: a text is wanted, not 3"),
        ("[table", ": not TOML: "),
        ("[[step]]\ndo = 'draw'", ": name: missing"),
        ("name = 'x'", ": no [[step]]"),
        ("name = 'x'\ntitle = 'y'\n[[step]]\ndo = 'draw'", ": title: unknown; a scenario has"),
        ("name = 'x'\nstep = [3]", ": step 1: a table [[step]] is wanted, not 3"),
        ("name = 'x'\n[[step]]\n", ": step 1: do = none: it is one of ready, bets"),
        ("name = 'x'\n[[step]]\ndo = 'ready'\n[[step]]\ndo = 'fly'", ': step 2: do = "fly"'),
        ("name = 'x'\n[[step]]\ndo = 'fault'", ": step 1 (fault): fault: missing"),
        (
            "name = 'x'\n[[step]]\ndo = 'wait'\nseconds = 'long'",
            ': step 1 (wait): seconds = "long": a whole number or a number is wanted',
        ),
        (
            "name = 'x'\n[[step]]\ndo = 'expect'\nhealth = 'up'",
            ': step 1 (expect): health = "up": a table of keys is wanted',
        ),
        ("name = 'x'\n[[step]]\ndo = 'expect'\nwithin_s = 2", ": nothing is expected; write hold"),
        (
            "name = 'x'\n[[step]]\ndo = 'expect'\nholds = 'none'",
            ": step 1 (expect): holds: unknown; it has within_s",
        ),
        (
            "name = 'x'\n[[step]]\ndo = 'say'\nas = 'player'\ncommand = 'wait'",
            ': step 1 (say): as = "player": it is one of console, host, pit',
        ),
        (
            "name = 'x'\n[[step]]\ndo = 'clear'\non = 'lamp'",
            ': step 1 (clear): on = "lamp": it is shoe or board',
        ),
        (
            "name = 'x'\n[table]\nseed = true\n[[step]]\ndo = 'draw'",
            ": [table]: seed = true: a whole number is wanted",
        ),
        (
            "name = 'x'\n[table]\ncolour = 'red'\n[[step]]\ndo = 'draw'",
            ": [table]: colour: unknown; it has kind, seed",
        ),
    ],
)
def test_a_mistake_is_named_by_step_and_key(tmp_path: Path, text: str, message: str) -> None:
    assert message in wrong(tmp_path, text)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="No such file"):
        load(tmp_path / "none.toml")


def test_the_keys_of_a_fault_are_left_to_the_device(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text("name = 'x'\n[[step]]\ndo = 'fault'\nfault = 'unplug'\nms = 30\n")
    (step,) = load(file).steps
    assert step.keys == {"fault": "unplug", "ms": 30}
    assert "ms" in COMMON["unplug"].params
    assert str(step) == 'step 1 (fault: fault = "unplug", ms = 30)'


def test_what_is_seen_is_told_in_one_line() -> None:
    hand = {"hand": 1, "cards": ["KH", "9S"]}
    text = {"ko": "", "en": "Read"}
    now = {
        "holds": [{"code": "reader_lost"}],
        "last_read": {"number": 3, "outcome": "dealt", "face": "9S", "text": text},
        "dealer": {"cards": ["2C"]},
        "seats": [{"seat": 4, "hands": [hand, {"hand": 2, "cards": ["8D"]}]}],
        "devices": [{"name": "shoe", "health": "lost"}],
        "prompt": {"kind": "hold", "code": "reader_lost"},
        "phase": "dealing",
    }
    assert cards(now) == {"dealer": "2C", "4": "KH 9S", "4/2": "8D"}
    told = seen(now)
    assert "hold reader_lost | last read 3 dealt 9S (Read)" in told
    assert "4/2: 8D | shoe lost" in told


def test_the_document_names_every_step() -> None:
    page = (FOLDER.parents[1] / "docs" / "simulator.md").read_text(encoding="utf-8")
    assert [do for do in STEPS if f"`{do}`" not in page] == []
