"""What goes wrong with the disk (G-01 to G-04)."""

from __future__ import annotations

import contextlib
import json
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from station import messages as m
from station.journal import verify
from tests.support.daemon import Ended, Station
from tests.support.floor import Floor


def connect(station: Station) -> sqlite3.Connection:
    """Another program at the journal."""
    return sqlite3.connect(station.journal_path, isolation_level=None)


def two_beats(floor: Floor) -> None:
    """The console's link lives: two heartbeats, which come once a second."""
    before = len(floor.console.of(m.Heartbeat))
    floor.console.wait(lambda: len(floor.console.of(m.Heartbeat)) >= before + 2, "two heartbeats")


def test_g_01_a_locked_journal_delays_cards_and_loses_none(floor: Floor) -> None:
    floor.ready(1)
    version = floor.console.now.version
    with contextlib.closing(connect(floor.station)) as other:
        other.execute("BEGIN IMMEDIATE")
        for face in ("5H", "9D", "6C"):
            floor.station.send(face)
        two_beats(floor)
        # Nothing is shown that is not stored.
        assert floor.console.now.version == version
        assert floor.console.now.last_read is None
        other.execute("ROLLBACK")
    floor.console.wait_for(lambda s: s.decision is not None, "all cards in order")
    assert floor.dealt() == ["5H", "9D", "6C"]
    floor.act("stand").deal("8H")
    assert floor.paid() == {(1, 1): [("lose", 0)]}


def test_g_01_a_long_read_and_reports_disturb_nothing(floor: Floor) -> None:
    floor.ready(1)
    with contextlib.closing(connect(floor.station)) as other:
        other.execute("BEGIN")
        counted = other.execute("SELECT count(*) FROM facts").fetchone()
        for face in ("5H", "9D", "6C"):
            floor.deal(face)
            verify(floor.station.journal_path)
        assert other.execute("SELECT count(*) FROM facts").fetchone() == counted
    assert floor.dealt() == ["5H", "9D", "6C"]


def test_g_03_backup_and_export_in_mid_round_have_every_acknowledged_fact(
    floor: Floor, tmp_path: Path
) -> None:
    floor.ready(1).deal("5H 9D")
    station = floor.station
    acknowledged = [row.hash for row in station.journal()]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    said = station.cli("journal", "backup", str(elsewhere / "copy.db")).stdout
    found = verify(elsewhere / "copy.db")
    assert (found.facts, found.head) == (len(acknowledged), acknowledged[-1])
    assert f"{found.facts} facts" in said
    assert found.table.cards_out
    assert [file.name for file in elsewhere.iterdir()] == ["copy.db"]
    assert (elsewhere / "copy.db").stat().st_mode & 0o777 == 0o600
    station.cli("journal", "export", str(elsewhere / "facts.jsonl"))
    lines = (elsewhere / "facts.jsonl").read_text().splitlines()
    assert [json.loads(line)["hash"] for line in lines] == acknowledged
    # A second backup under that name would overwrite the first.
    again = station.cli("journal", "backup", str(elsewhere / "copy.db"), check=False)
    assert (again.returncode, "exists already" in again.stderr) == (2, True)
    floor.deal("6C")


def limit(station: Station, size: int) -> None:
    """From here on no file of the station may grow beyond `size`: as on a full disk."""
    resource.prlimit(station.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_g_04_a_full_disk_stops_dealing_says_so_and_resumes_with_the_same_card(
    floor: Floor,
) -> None:
    floor.ready(1).deal("5H 9D")
    stored = floor.station.journal()
    limit(floor.station, 4096)
    floor.station.send("6C")
    now = floor.console.wait_for(lambda s: s.prompt.code == "journal_unavailable")
    assert now.prompt.kind == "hold"
    assert floor.host.refused(m.TakeSeat(2, "P2")) == "journal_unavailable"
    assert floor.station.journal() == stored
    limit(floor.station, resource.RLIM_INFINITY)
    floor.console.wait_for(lambda s: s.prompt.code == "decision_open", "the card, once stored")
    assert floor.dealt() == ["5H", "9D", "6C"]
    assert floor.station.kinds().count("SeatTaken") == 1
    floor.act("stand").deal("8H")
    assert "Traceback" not in floor.station.errors()


def test_g_04_killed_on_a_full_disk_nothing_stored_is_lost(floor: Floor) -> None:
    floor.ready(1).deal("5H")
    station = floor.station
    stored = station.journal()
    limit(station, 4096)
    station.send("9D")
    floor.console.wait_for(lambda s: s.prompt.code == "journal_unavailable")
    station.kill()
    with pytest.raises(Ended) as told:
        station.start(before=("prlimit", "--fsize=4096:unlimited"))
    assert station.gone() == 2
    _explains(str(told.value), station)
    assert station.journal()[: len(stored)] == stored
    station.start()
    assert Floor(station).console.now.phase == "void"


def _explains(said: str, station: Station) -> None:
    """A line that names the journal and what to do, and no traceback."""
    last = said.splitlines()[-1]
    assert last.startswith("dealer-station: ")
    assert str(station.journal_path) in last
    assert "space" in last
    assert "Traceback" not in said


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = shutil.which("mount")
    if mount is None:
        pytest.skip("there is no mount command")
    tried = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        pytest.skip(f"mounting is not permitted here: {tried.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_g_04_on_a_really_full_disk(small_disk: Path, tmp_path: Path) -> None:
    station = Station(small_disk / "t", more="\n[locks]\ndisk_megabytes = 0\n")
    station.log = tmp_path / "errors"
    try:
        floor = Floor(station.start()).ready(1).deal("5H")
        stored = station.journal()
        filler = small_disk / "filler"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * 4096)
        # What is reserved may still take a commit or two.
        for deck in range(1, 9):
            station.send("9D", deck)
        floor.console.wait_for(lambda s: s.prompt.code == "journal_unavailable")
        kept = station.journal()
        assert kept[: len(stored)] == stored
        station.kill()
        with pytest.raises(Ended) as told:
            station.start()
        _explains(str(told.value), station)
        filler.unlink()
        station.start()
        assert station.journal()[: len(kept)] == kept
    finally:
        station.close()


def test_g_04_a_log_that_cannot_be_written_stops_nothing(
    make_station: Callable[..., Station],
) -> None:
    station = make_station()
    # Every write to it fails for want of space.
    station.log = Path("/dev/full")
    floor = Floor(station.start()).ready(1).deal("5H 9D")
    station.serial.unplug()
    hold = floor.held("reader_lost")
    station.serial.plug()
    floor.console.wait_for(lambda s: s.devices[0].health == "up")
    assert floor.card("9D", 1).outcome == "reread"
    floor.rule(hold, "aligned")
    limit(station, 4096)
    station.send("6C")
    floor.console.wait_for(lambda s: s.prompt.code == "journal_unavailable")
    limit(station, resource.RLIM_INFINITY)
    floor.console.wait_for(lambda s: s.prompt.code == "decision_open")
    assert floor.dealt() == ["5H", "9D", "6C"]
    assert station.stop() == 0
