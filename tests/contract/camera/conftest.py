"""A simulated camera on a socket, and tables with the real reader's process on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.camera_device import Table, gone
from tests.support.camera_stream import CameraStream


@pytest.fixture
def camera(tmp_path: Path) -> Iterator[CameraStream]:
    stream = CameraStream(tmp_path / "camera.sock")
    yield stream
    stream.close()


@pytest.fixture
def table(camera: CameraStream) -> Iterator[Callable[..., Table]]:
    """Begins a table with these settings of its camera; its reader has ended after the test."""
    tables: list[Table] = []

    def begin(**settings: Any) -> Table:
        tables.append(Table(f"virtual:{camera.path}", **settings))
        return tables[-1].start()

    yield begin
    for one in tables:
        one.device.stop()
        gone(one)
