"""Stations for scenarios: each in a folder of its own, ended with the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.daemon import Station
from tests.support.floor import Floor


@pytest.fixture
def make_station(tmp_path: Path) -> Iterator[Callable[..., Station]]:
    """Stations that are not started yet; `name` is the folder's."""
    made: list[Station] = []

    def make(name: str = "t", **options: Any) -> Station:
        made.append(Station(tmp_path / name, **options))
        return made[-1]

    yield make
    for station in made:
        station.close()


@pytest.fixture
def station(make_station: Callable[..., Station]) -> Station:
    """A running station with its reader plugged in."""
    return make_station().start()


@pytest.fixture
def floor(station: Station) -> Floor:
    """A running station, everybody connected, nobody in yet."""
    return Floor(station)
