"""Nothing is answered before it is on the disk: seen from the kernel."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from station import messages as m
from tests.support.daemon import Station
from tests.support.floor import Floor

CALLS = "fsync,fdatasync,pwrite64,sendto"
_ANSWER = re.compile(r'sendto\(.*\\"type\\":\\"answer\\",\\"id\\":\\"([^"\\]+)\\"')


def strace_refuses() -> str:
    """Why strace cannot be used here, or ""."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    tried = subprocess.run(
        ["strace", "-o", "/dev/null", "true"], capture_output=True, text=True, check=False
    )
    return "" if tried.returncode == 0 else f"strace: {tried.stderr.strip()}"


@pytest.mark.skipif(bool(strace_refuses()), reason=strace_refuses() or "-")
def test_the_sync_of_the_journal_precedes_the_answer(make_station: Callable[..., Station]) -> None:
    station = make_station()
    trace = station.folder / "trace"
    strace = ("strace", "-f", "-y", "-s", "200", "-e", f"trace={CALLS}", "-o", str(trace))
    floor = Floor(station.start(before=strace)).open_table().sit(1)
    floor.host.must(m.OpenRound(floor.host.now.rules.fingerprint))
    # A signal to strace would stay with strace: it is meant for the station under it.
    children = Path(f"/proc/{station.pid}/task/{station.pid}/children").read_text()
    os.kill(int(children), signal.SIGTERM)
    assert station.gone() == 0
    answered: list[str] = []
    unsynced = fresh = False
    syncing: set[str] = set()
    for line in trace.read_text().splitlines():
        thread, answer = line.split()[0], _ANSWER.search(line)
        of_wal = "journal.db-wal>" in line
        if answer:
            assert fresh, f"{answer[1]} was answered without a write to the journal"
            assert not unsynced, f"{answer[1]} was answered before the sync"
            answered.append(answer[1])
            fresh = False
        elif of_wal and "pwrite64" in line:
            unsynced = True
        elif of_wal and "sync(" in line and "<unfinished" in line:
            syncing.add(thread)
        elif (of_wal and "sync(" in line) or (thread in syncing and "sync resumed" in line):
            syncing.discard(thread)
            unsynced, fresh = False, True
    assert answered == ["console-1", "pit-1", "pit-2", "pit-3", "host-1", "host-2"]
