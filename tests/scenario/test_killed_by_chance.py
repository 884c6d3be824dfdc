"""Real stations killed while much happens: `python -m tests.bench.kills` runs sixty."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.dice import LONG
from tests.support.kills import killed


@pytest.mark.parametrize("seed", range(101, 101 + 3 * LONG))
def test_a_station_killed_in_the_middle_of_things_loses_and_forgets_nothing(
    seed: int, tmp_path: Path
) -> None:
    assert killed(tmp_path, seed)
