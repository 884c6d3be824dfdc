"""Every rule has a test that cites it, and the page that says which is up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules_table import PAGE, READINGS, REMARKS, RULES, cited, main, page, proofs, unproven


def test_every_rule_and_every_reading_has_a_test() -> None:
    assert list(RULES) == [f"R{number}" for number in range(1, 63)]
    assert list(READINGS) == [f"A{number}" for number in range(1, 35)]
    assert set(REMARKS) <= {"R1", "R59", "R61", "R62"}, "R2 to R58 are proven, not remarked upon"
    assert unproven(proofs()) == []


def test_the_page_of_the_rules_is_what_the_tests_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(proofs()), "python -m tests.rules_table"


@pytest.mark.parametrize(
    ("function", "docstring", "rules"),
    [
        ("test_r34_a10_ten_and_king_may_be_split", "", {"R34", "A10"}),
        ("test_r15_to_r60_rounds_are_played", "", set()),
        ("test_r7_to_r10_and_r32", "", {"R32"}),
        ("test_a_01_a_lost_reader", "", set()),
        ("test_a01_unplug", "", set()),
        ("test_a_card17_and_pair8_bar9", "", set()),
        ("test_one", "By R24 and A16 he stands (R10).", {"R24", "A16", "R10"}),
        ("test_one", "What R3-R6 and R15 to R18 say; A-01, XR24, R240.", set()),
    ],
)
def test_a_rule_is_cited_by_its_number_alone(
    function: str, docstring: str, rules: set[str]
) -> None:
    name, words = cited(function, docstring)
    assert name | words == rules


def test_a_rule_without_a_test_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "unit" / "game"
    folder.mkdir(parents=True)
    every = [name for name in (*RULES, *READINGS) if name != "A22"]
    (folder / "test_all.py").write_text(
        "\n".join(f"def test_{name.lower()}_holds() -> None: ..." for name in every)
    )
    found = proofs(tmp_path)
    assert unproven(found) == ["A22"]
    assert "**nothing**" in page(found)
    stale = tmp_path / "rules.md"
    stale.write_text("of yesterday", encoding="utf-8")
    monkeypatch.setattr("tests.rules_table.PAGE", stale)
    assert main(["--check"]) == 1
    assert "python -m tests.rules_table" in capsys.readouterr().err
    assert main(["--anything"]) == 2
    assert main([]) == 0
    assert main(["--check"]) == 0
