"""A rotation cut off at any point leaves a whole journal; a copy made while dealing is whole."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from station.audit import keys
from station.audit.files import files_of, verify_files
from station.audit.rotation import rotate
from station.cli_journal import backup
from station.clock import SystemClock
from station.evidence import folder_of
from station.journal import (
    Journal,
    open_reader,
    rows,
    verify,
)
from tests.support.audit import sealed_journal

LONG = int(os.environ.get("DEALER_STATION_TEST_LONG", "1"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    sealed_journal(path, 2)
    return path


# --- cut off --------------------------------------------------------------------------------

POINTS = ("sealed", "begun", "linked", "pictures", "replaced")
PROGRAM = """
import os, signal, sys
from pathlib import Path
from station.audit.rotation import rotate
from station.clock import SystemClock
def reached(point):
    if point == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
print("go", flush=True)
rotate(Path(sys.argv[1]), "os:test", SystemClock(), reached)
"""


def whole(path: Path, facts: int, owed: list[object]) -> None:
    """The old or the new journal is in its place, and a table starts on it."""
    pictures = folder_of(path)
    journal = Journal(path)
    assert journal.seq in (facts, facts + 1)
    assert [row.seq for row in journal.outbox_after(None)] == owed
    journal.load()
    journal.close()
    files = files_of(path)
    assert len(files) == (2 if journal.seq == facts + 1 else 1)
    assert verify_files(files)[-1].facts == journal.seq
    assert (folder_of(files[0]) / "cam-1.jpg").read_bytes() == b"picture"
    assert len(files) == 1 or not pictures.exists()
    # And rotation works then, as if it had not been tried.
    if len(files) == 1:
        rotate(path, "os:test", SystemClock())
        assert len(verify_files(files_of(path))) == 2


def prepared(path: Path) -> tuple[int, list[object]]:
    folder_of(path).mkdir()
    (folder_of(path) / "cam-1.jpg").write_bytes(b"picture")
    journal = Journal(path)
    found = journal.seq, [row.seq for row in journal.outbox_after(None)]
    journal.close()
    return found[0], list(found[1])


@pytest.mark.parametrize("point", POINTS)
def test_killed_in_a_rotation_the_old_or_the_new_journal_is_whole(path: Path, point: str) -> None:
    facts, owed = prepared(path)
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path), point], check=False, capture_output=True
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert (len(list(path.parent.glob("*.closed-*Z"))) == 0) == (point in ("sealed", "begun"))
    whole(path, facts, owed)


def test_killed_at_any_moment_of_a_rotation_nothing_is_lost(tmp_path: Path) -> None:
    """Kills by seed, between the first step and the last as long as it takes here."""
    chance = random.Random(6)
    for number in range(6 * LONG):
        path = tmp_path / str(number) / "journal.db"
        path.parent.mkdir()
        sealed_journal(path, 1)
        facts, owed = prepared(path)
        running = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path), ""], stdout=subprocess.PIPE
        )
        assert running.stdout is not None
        assert running.stdout.readline() == b"go\n"
        try:
            running.wait(chance.random() * 0.08)
        except subprocess.TimeoutExpired:
            running.kill()
        running.wait()
        running.stdout.close()
        whole(path, facts, owed)


# --- copied while dealing -------------------------------------------------------------------

DEALING = """
import sys
from pathlib import Path
from station.journal import Journal
from tests.support.audit import Writing
journal = Journal(Path(sys.argv[1]))
play = Writing(journal)
play.open_table()
shoes = 1
while True:
    shoes += 1
    play.new_shoe(f"S{shoes}")
    for _ in range(4):
        play.play_round()
        print(journal.seq, journal.head, flush=True)
"""


def acknowledged(dealing: subprocess.Popen[bytes]) -> tuple[int, str]:
    assert dealing.stdout is not None
    seq, head = dealing.stdout.readline().split()
    return int(seq), head.decode()


@pytest.fixture
def dealing(tmp_path: Path) -> Callable[[], subprocess.Popen[bytes]]:
    def begin() -> subprocess.Popen[bytes]:
        path = str(tmp_path / "live" / "journal.db")
        return subprocess.Popen([sys.executable, "-c", DEALING, path], stdout=subprocess.PIPE)

    return begin


def test_a_backup_while_dealing_has_every_acknowledged_fact_and_its_seals(
    tmp_path: Path, dealing: Callable[[], subprocess.Popen[bytes]]
) -> None:
    """A writer in a process of its own; the copy verifies alone with the public key."""
    path = tmp_path / "live" / "journal.db"
    running = dealing()
    try:
        found = None
        acknowledged(running)
        for number in range(3):
            before = acknowledged(running)
            copy = tmp_path / f"{number}.db"
            found = backup(path, copy)
            assert running.poll() is None
            assert found.facts >= before[0]
            # Elsewhere: the copy alone, and the public key that was exported.
            other = tmp_path / f"elsewhere{number}"
            other.mkdir()
            (other / "copy.db").write_bytes(copy.read_bytes())
            private = keys.read_private(keys.file_of(path))
            assert private is not None
            (other / "public.pem").write_text(keys.pem(private.public_key()))
            key = keys.read_public(other / "public.pem")
            assert verify(other / "copy.db", key).head == found.head
            db = open_reader(other / "copy.db")
            stored = {row.seq: row.hash for row in rows(db)}
            sealed = {seq for (seq,) in db.execute("SELECT seq FROM seals")}
            ends = {row.seq for row in rows(db, kind="RoundSettled")}
            db.close()
            assert stored[before[0]] == before[1]
            assert ends <= sealed
    finally:
        running.kill()
        running.wait()
        assert running.stdout is not None
        running.stdout.close()
    # The writer went on all the while, and what it left is whole.
    assert found is not None
    assert verify(path).facts >= found.facts
