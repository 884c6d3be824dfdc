"""Cards, codes, ways of reading and troubles by chance: none is read as another, none is lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.bench.sequences import TROUBLES, case, done, run, summary

# Some hundred frames, and more of them where there is time.
COUNT = 48 * int(os.environ.get("DEALER_STATION_TEST_LONG", "1"))
# What cannot be known: a black cut card in front of a black bed, a card in the dark.
MAY_BE_LOST = {"cut_card", "black", "frozen"}


@pytest.mark.parametrize("part", range(4))
def test_no_card_by_chance_is_read_as_another(part: int) -> None:
    results = [run(20, number) for number in range(part, COUNT, 4)]
    wrong = [one for one in results if one["answer"] == "wrong"]
    assert wrong == []
    lost = [one for one in results if one["answer"] == "lost"]
    assert [one for one in lost if one["trouble"] not in MAY_BE_LOST] == []
    assert sum(one["answer"] == "right" for one in results) >= len(results) // 3


def test_a_case_is_the_same_each_time_and_another_for_each_number() -> None:
    assert case(3, 5) == case(3, 5)
    assert len({case(3, number) for number in range(200)}) == 200


def test_every_trouble_comes_up() -> None:
    assert {case(1, number).wish.trouble for number in range(3000)} >= set(TROUBLES)


def test_half_a_line_of_a_run_that_was_stopped_is_done_again(tmp_path: Path) -> None:
    result = {"n": 3, "reading": "index", "code": "none", "trouble": "", "answer": "right"}
    out = tmp_path / "run.jsonl"
    out.write_text(json.dumps({**result, "readable": True}) + '\n{"n": 4, "trou')
    (known,) = done(out)
    assert known["n"] == 3
    assert "100.0 %" in summary([known])
