"""docs/standards.md: each test, page and command that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from station.cli import app

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "standards.md"
TEXT = PAGE.read_text(encoding="utf-8")
TESTS = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TEXT)))
PAGES = sorted(set(re.findall(r"\]\(([\w/.-]+\.md)\)", TEXT)))
COMMANDS = sorted(set(re.findall(r"`dealer-station ([a-z]+(?: [a-z]+)?)`", TEXT)))


@pytest.mark.parametrize(("file", "name"), TESTS, ids=str)
def test_each_test_that_is_named_exists(file: str, name: str) -> None:
    path = ROOT / file
    assert path.is_file(), file
    found = path.read_text(encoding="utf-8")
    assert re.search(rf"^def {name}\(" if name else r"^def test_", found, re.M), (file, name)


@pytest.mark.parametrize("page", PAGES)
def test_each_page_exists(page: str) -> None:
    assert (PAGE.parent / page).is_file()


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_exists(command: str) -> None:
    done = CliRunner().invoke(app, [*command.split(), "--help"])
    assert done.exit_code == 0, (command, done.output)


def test_every_row_has_a_feature_and_a_test_and_nothing_is_claimed() -> None:
    rows = re.findall(r"^\| (\d+) \|(.*)\|$", TEXT, re.M)
    assert [int(number) for number, _ in rows] == list(range(1, 19))
    assert all("tests/" in row for _, row in rows)
    assert "**No conformance with any\ntext is claimed**" in TEXT
    assert len(TESTS) > 30
    assert {"selfcheck", "stats", "round show"} <= set(COMMANDS)
