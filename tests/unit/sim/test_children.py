"""Processes a table starts: none is left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hw_sim.children import Child, ChildError
from tests.unit.sim.conftest import Until

DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready')"
SLEEP = "import time; time.sleep(60)"


def python(tmp_path: Path, code: str, name: str = "child") -> Child:
    return Child(name, [sys.executable, "-uc", code], tmp_path)


def alive(pid: int) -> bool:
    """Whether the process runs; a zombie does not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_ready_line_is_waited_for_and_only_of_this_start(tmp_path: Path, until: Until) -> None:
    (tmp_path / "child.out").write_text("ready long ago\n")
    child = python(tmp_path, f"import sys; sys.stdin.read(); print('ready now'); {SLEEP}")
    until(child.is_ready)
    assert child.printed() == b"ready now\n"
    assert child.end()


def test_ends_at_once_on_terminate(tmp_path: Path) -> None:
    child = python(tmp_path, SLEEP)
    assert child.end()
    assert child.how_it_ended() == "was killed by SIGTERM"


def test_deaf_child_is_killed_after_a_bounded_wait(tmp_path: Path, until: Until) -> None:
    child = python(tmp_path, f"{DEAF}; time.sleep(60)")
    until(child.is_ready)
    assert not child.end(wait_s=0.05)
    assert not alive(child.pid)


def test_what_the_child_started_goes_with_it(tmp_path: Path, until: Until) -> None:
    code = (
        "import subprocess, sys, time\n"
        f"p = subprocess.Popen([sys.executable, '-uc', \"{DEAF}; time.sleep(60)\"],"
        " stdout=subprocess.PIPE)\n"
        "p.stdout.readline(); print('ready', p.pid); time.sleep(60)"
    )
    child = python(tmp_path, code)
    until(child.is_ready)
    grandchild = int(child.printed().split()[1])
    assert child.end()
    until(lambda: not alive(grandchild))


def test_killed_parent_takes_its_children_along(tmp_path: Path, until: Until) -> None:
    code = (
        "import pathlib, sys, time\n"
        "from hw_sim.children import Child\n"
        f"c = Child('c', [sys.executable, '-c', '{SLEEP}'], pathlib.Path({str(tmp_path)!r}))\n"
        "print(c.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert alive(child)
    os.kill(parent.pid, signal.SIGKILL)
    parent.communicate(timeout=10)
    until(lambda: not alive(child))


def test_death_is_told_with_its_last_words(tmp_path: Path, until: Until) -> None:
    child = python(tmp_path, "import sys; sys.exit('no such device')")
    until(lambda: child.code is not None)
    assert child.how_it_ended() == "ended with exit code 1"
    assert child.last_lines() == "    no such device"
    child.end()


def test_command_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ChildError, match="child: cannot start /no/such: No such file"):
        Child("child", ["/no/such"], tmp_path)
