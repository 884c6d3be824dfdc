"""A console without a display: set before Qt is loaded. QML warnings are failures."""

from __future__ import annotations

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_QUICK_BACKEND"] = "software"

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from station import snapshot as m
from station.messages import Language
from tests.ui import fixtures
from tests.ui.desk import Desk

MakeDesk = Callable[..., Desk]


@pytest.fixture(autouse=True)
def qt_warnings(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Whatever Qt or QML complains about on stderr fails the test it happened in.

    A message handler in Python is no way to hear it: QML's loader thread would wait for the
    interpreter while the interpreter waits for the loader.
    """
    yield
    said = capfd.readouterr().err
    assert not said, f"on stderr: {said[:1000]}"


@pytest.fixture
def make_desk(tmp_path: Path, qt_warnings: None) -> Iterator[MakeDesk]:
    """Makes a console tied to a fake station: `make_desk(snapshot, language, size)`."""
    made: list[Desk] = []

    def make(
        snapshot: m.Snapshot | None = None,
        language: Language = "ko",
        size: tuple[int, int] = (1280, 800),
        lost_after_ms: int = 3000,
    ) -> Desk:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        desk = Desk(folder, snapshot or fixtures.drawing(), language, size, lost_after_ms)
        made.append(desk)
        return desk

    yield make
    for desk in made:
        desk.close()
