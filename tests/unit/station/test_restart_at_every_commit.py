"""A crash at any commit of an eventful play: `python -m tests.bench.crashes` runs many."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.dice import LONG
from tests.support.restarts import Restarted


@pytest.mark.parametrize("seed", range(3 * LONG))
def test_a_station_begun_anew_after_every_commit_forgets_nothing_and_pays_nothing_twice(
    seed: int, tmp_path: Path
) -> None:
    folder = tmp_path / "table"
    folder.mkdir(mode=0o700)
    play = Restarted(seed, folder)
    try:
        play.play(2)
    finally:
        play.shut()
    assert play.starts == play.commits > 20
    assert play.ended
