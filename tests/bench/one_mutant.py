"""The pytest plugin under which one mutant is tried: the same examples each time, none kept.

A failure is enough: it is not made smaller, and the next mutant does not start from it. Files of
tests that are quick come first, by what they took when there was no mutant.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

PROFILE = "mutants"
SECONDS = "seconds.json"


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Quickest(config.rootpath / SECONDS))


def pytest_collection(session: pytest.Session) -> None:
    """After the tests' own settings are loaded, before a test module is."""
    settings.register_profile(
        PROFILE,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile(PROFILE)
    import station

    if Path(station.__path__[0]).parent != session.config.rootpath:
        raise pytest.UsageError("the tests import another copy of the package than the mutant's")


class Quickest:
    """What each file of tests takes, written the first time and the order from then on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, float] = json.loads(path.read_text()) if path.exists() else {}
        self.seen: defaultdict[str, float] = defaultdict(float)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.known.get(item.location[0], 0))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seen[report.location[0]] += report.duration

    def pytest_sessionfinish(self) -> None:
        if not self.known:
            self.path.write_text(json.dumps(self.seen))
