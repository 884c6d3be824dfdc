"""The page on locks says of each what the core and the wording say."""

from __future__ import annotations

import msgspec

from station.config import LocksSection
from station.table.locks import CONDITIONS, KINDS
from tests.locks_table import BEGIN, END, PAGE, page

EXAMPLE = PAGE.parents[1] / "table.example.toml"


def test_the_table_in_the_docs_is_the_cores() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
    assert page(text) == text, "run python -m tests.locks_table"


def test_the_page_says_of_each_condition_how_it_is_found_out() -> None:
    how = PAGE.read_text(encoding="utf-8").split("## How each is found out")[1]
    assert [code for code in CONDITIONS if f"`{code}`" not in how] == []


def test_every_requirement_that_asks_for_a_lock_has_one() -> None:
    """5: room and writing; 7: the program; 13: memory; 15: faults; 16: latched; 18: the clock."""
    asked = {number for kind in KINDS.values() for number in kind.asks}
    assert {5, 7, 13, 15, 16, 18} <= asked


def test_the_settings_are_explained_where_the_page_says() -> None:
    text = EXAMPLE.read_text(encoding="utf-8").split("[locks]")[1].split("\n[")[0]
    for name in msgspec.to_builtins(LocksSection()):
        assert f"# {name} = " in text
