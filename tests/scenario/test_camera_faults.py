"""What happens to a camera, in every place of a round, with the real reader's process.

A spread of them; `python -m tests.bench.camera_faults` tries all.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.camera_faults import Lies, Tables, cases

SPREAD: tuple[tuple[str, str, Lies], ...] = (
    ("killed", "second", "mouth"),
    ("killed", "third", "dealt"),
    ("unplugged", "betting", "nothing"),
    ("unplugged", "insurance", "dealt"),
    ("stopped", "hit", "drawn"),
    ("frozen", "upcard", "dealt"),
    ("frozen", "draw", "half"),
    ("black", "result", "dealt"),
    ("stalled", "first", "drawn"),
    ("aborted", "decision", "nothing"),
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    made = Tables(tmp_path_factory.mktemp("camera"))
    yield made
    made.close()


@pytest.mark.parametrize(("fault", "phase", "lies"), SPREAD)
def test_held_mended_and_played_on(tables: Tables, fault: str, phase: str, lies: Lies) -> None:
    tables.strike(fault, phase, lies)


def test_the_spread_has_every_fault_and_everything_that_can_lie_in_the_window() -> None:
    every = cases()
    assert set(SPREAD) <= set(every)
    for column in (0, 2):
        assert {case[column] for case in SPREAD} == {case[column] for case in every}
