"""`hw-sim board-check`: the command that the board's pages promise."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from hw_sim.cli import app


def test_it_is_there_and_says_what_it_does() -> None:
    told = CliRunner().invoke(app, ["board-check", "--help"])
    assert told.exit_code == 0
    assert "rule by rule" in " ".join(told.output.split())


def test_a_port_that_is_not_there_is_named_and_the_code_says_so(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["board-check", str(tmp_path / "nothing"), "--no-person"])
    assert told.exit_code == 2
    assert f"{tmp_path / 'nothing'}: cannot be opened" in told.output
