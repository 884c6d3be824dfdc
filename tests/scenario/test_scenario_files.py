"""Every scenario file at a whole table of its own, and how a scenario fails."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from drivers.catalog import kinds
from hw_sim.scenario import load
from hw_sim.scenario_run import StepFailed, run_one
from hw_sim.scenario_table import ScenarioTable

FILES = sorted((Path(__file__).parents[2] / "hw-sim" / "scenarios").glob("*.toml"))
WRONG = """
name = "the wrong card is expected"
[table]
stack = "AS KH"
[[step]]
do = "ready"
[[step]]
do = "draw"
fault = "dirty_open"
[[step]]
do = "expect"
within_s = 0.5
read = { outcome = "dealt", face = "AS" }
"""


def quiet(text: str) -> None:
    """Say nothing."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario(file: Path) -> None:
    scenario = load(file)
    if scenario.table.kind not in kinds():
        pytest.skip(f"no driver of {scenario.table.kind} here")
    steps: list[str] = []
    run_one(scenario, steps.append)
    assert len(steps) == len(scenario.steps)


def test_a_scenario_that_fails_says_which_step_what_was_expected_and_what_was_seen(
    tmp_path: Path,
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(WRONG)
    with pytest.raises(StepFailed) as told:
        run_one(load(file), quiet)
    said = str(told.value)
    assert f"{file}: step 3 (expect: within_s = 0.5, read = " in said
    assert "expected within 0.5 s: read = {'outcome': 'dealt', 'face': 'AS'}" in said
    assert "saw hold none | last read 1 no_read" in said
    kept = Path(said.rpartition("are in ")[2].strip())
    assert (kept / "logs" / "daemon.log").exists()
    assert (kept / "shoe-truth.jsonl").exists()
    shutil.rmtree(kept)


def test_a_scenario_at_somebody_elses_table(tmp_path: Path) -> None:
    file = tmp_path / "right.toml"
    file.write_text(WRONG.replace('"dealt", face = "AS"', '"no_read"'))
    scenario = load(file)
    table = ScenarioTable(scenario.table)
    try:
        table.start()
        place = table.place
        run_one(scenario, quiet, socket=place.socket, shoe=place.shoe_control)
    finally:
        table.end(keep=False)
    assert not table.place.path.exists()


def test_a_table_that_does_not_start_says_why(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(WRONG.replace("[table]", "[table]\ndevice = { colour = 'red' }"))
    with pytest.raises(StepFailed, match="the table does not start: daemon ended") as told:
        run_one(load(file), quiet)
    assert "colour" in str(told.value)
    shutil.rmtree(Path(str(told.value).rpartition("are in ")[2].strip()))
