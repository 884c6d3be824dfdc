"""A technician's tools leave a running table's reader alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from tests.support.daemon import Station
from tests.support.floor import Floor


def test_a_selftest_of_a_reader_that_a_running_table_holds_is_refused_by_name(
    make_station: Callable[..., Station],
) -> None:
    station = make_station().start()
    floor = Floor(station).ready(1)
    port = str(station.folder / "shoe")
    command = [sys.executable, "-m", "hw_sim.cli", "selftest", "--cards", "1", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert f"device 'shoe' at {port} is not up but busy" in done.stderr
    assert "another program holds it" in done.stderr
    floor.deal("KH")
    assert floor.dealt() == ["KH"]
