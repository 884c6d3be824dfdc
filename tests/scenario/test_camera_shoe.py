"""The beginning of a shoe through a simulated camera; `python -m tests.bench.camera_shoe` is all of
it. In a process of its own, for OpenCV and Qt must not meet in the tests'.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CARDS = 12
WAIT_S = 300


def test_the_journals_cards_are_the_shoes_in_its_order(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.bench.camera_shoe", "--seed", "3"]
    command += ["--cards", str(CARDS), "--trouble-rate", "0.1", "--dir", str(tmp_path / "t")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verdict: all equal" in done.stdout
    drawn = int(done.stdout.split(" cards in ")[0].split()[-1])
    assert drawn >= CARDS
