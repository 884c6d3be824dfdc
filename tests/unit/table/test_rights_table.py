"""The page on people says of every command and role what the core says."""

from __future__ import annotations

import pytest

from station import cli_staff
from tests.rights_table import BEGIN, END, PAGE, ROLES, page, rows

# What moves money, cards or people, and is never a dealer's alone.
NEVER_A_DEALERS = (
    "void_round",
    "rule",
    "load_shoe",
    "release_shoe",
    "reconcile_shoe",
    "close_table",
    "unlock_person",
)


def test_the_table_in_the_docs_is_the_cores() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
    assert page(text) == text, "run python -m tests.rights_table"


@pytest.mark.parametrize("command", NEVER_A_DEALERS)
@pytest.mark.parametrize("role", ["dealer", "technician", "auditor"])
def test_a_void_is_never_the_dealers_nor_a_technicians_nor_an_auditors(
    command: str, role: str
) -> None:
    assert rows()[command][ROLES.index(role)] == "–"


def test_only_a_shift_manager_unlocks() -> None:
    assert rows()["unlock_person"] == ["–", "–", "console pit staff", "–", "–"]


def test_the_page_names_every_command_of_the_command_line() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in (*cli_staff.RIGHTS, "list"):
        assert f"staff {name}" in text
