"""What all tests share: no display, and a hypothesis profile that does not read the wall clock."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["QT_QPA_PLATFORM"] = "offscreen"

settings.register_profile(
    "station", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("station")

_UI = Path(__file__).parent / "ui"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """OpenCV and PySide6 never meet in one process: the console's tests run in one of their own.
    Asked for together with others, they are left out, and the first lines say how to run them.
    """
    return True if collection_path == _UI and not _alone(config) else None


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say what is left out."""
    if _alone(config) or not any(Path(arg).resolve() in _UI.parents for arg in _asked(config)):
        return []
    return ["tests/ui is left out here: the console's tests run by themselves, `pytest tests/ui`"]


def _asked(config: pytest.Config) -> list[str]:
    return [str(arg).split("::")[0] for arg in config.args]


def _alone(config: pytest.Config) -> bool:
    asked = [Path(arg).resolve() for arg in _asked(config)]
    return bool(asked) and all(path == _UI or _UI in path.parents for path in asked)
