"""The watch: what it finds about disks, clocks, files and the program, and what it tells of it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from station.game.commands import OpenRound
from station.game.facts import ShoeReleased
from station.game.rules import TableRules, fingerprint
from station.journal import Journal, Stamp
from station.since import Since
from station.staff_file import StaffFile, write
from station.table.inputs import ConditionSeen
from station.table.locks import KINDS
from station.table.shoe_inputs import TakeOutShoe
from station.watching.clocks import Source, Steps
from station.watching.disks import MB, ROUND_BYTES, Disks
from station.watching.files import People, Rules
from station.watching.kernel import Kept, KernelClocks, Stamped, step_since
from station.watching.program import Program, command
from station.watching.set_up import set_since
from station.watching.shoes import ShoeAge
from station.watching.watch import SILENT_S, Probe, Watch
from tests.support.locked import PARAMS
from tests.support.play import HOST, PIT, Play

HOUR = 3600 * 10**9


def told(found: Iterator[ConditionSeen] | list[ConditionSeen]) -> dict[str, ConditionSeen]:
    """What is told, by its code."""
    return {one.code: one for one in found}


# --- disks --------------------------------------------------------------------------------------


class Space(NamedTuple):
    """What statvfs says of a disk, as far as it counts."""

    f_bavail: int
    f_frsize: int = 4096
    f_flag: int = 0


class Disk:
    """A disk whose free space is given by hand, at the seam where the kernel is asked."""

    def __init__(self, folder: Path, limits: tuple[int, int] = (200, 100)) -> None:
        self.free_mb = 10_000
        self.flag = 0
        self.low: set[str] = set()
        self.disks = Disks(
            folder / "journal.db",
            folder / "journal.db.evidence",
            limits,
            self.low.__contains__,
            lambda _path: Space(self.free_mb * MB // 4096, f_flag=self.flag),  # type: ignore[arg-type,return-value]
        )

    def look(self, free_mb: int) -> ConditionSeen:
        """As the watch does it: what is told is known from then on."""
        self.free_mb = free_mb
        found = told(self.disks.look())["disk_low"]
        (self.low.add if found.stands else self.low.discard)("disk_low")
        return found


def test_a_nearly_full_disk_says_what_is_left_and_how_many_rounds_fit_still(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    assert not disk.look(200).stands
    found = disk.look(199)
    assert found.stands
    assert found.params == {"free": 190, "limit": 200, "rounds": 190 * MB // ROUND_BYTES}
    assert set(found.params) == set(PARAMS["disk_low"])


def test_a_disk_at_its_limit_is_not_news_each_time_it_is_looked_at(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    disk.look(199)
    swings = [disk.look(free).stands for free in (201, 198, 220, 240, 249)]
    assert swings == [True] * 5
    assert not disk.look(250).stands
    assert not disk.look(201).stands


def test_a_slowly_filling_disk_makes_few_facts(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    said = {json.dumps(disk.look(free).params) for free in range(199, -1, -1)}
    assert len(said) <= 21
    assert disk.look(0).params["rounds"] == 0


def test_no_limit_takes_any_disk(tmp_path: Path) -> None:
    assert not Disk(tmp_path, (0, 0)).look(0).stands


def test_a_disk_that_was_mounted_read_only_is_seen_before_the_journal_fails(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    assert not told(disk.disks.look())["journal_readonly"].stands
    disk.flag = os.ST_RDONLY
    found = told(disk.disks.look())["journal_readonly"]
    assert found.stands
    assert found.params == {"folder": str(tmp_path), "why": "mounted read-only"}


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 8 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = shutil.which("mount")
    if mount is None:
        pytest.skip("there is no mount command")
    tried = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        pytest.skip(f"mounting is not permitted here: {tried.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_real_disk_fills_and_is_emptied_and_is_mounted_read_only(mounted: Path) -> None:
    low: set[str] = set()
    pictures = mounted / "journal.db.evidence"
    disks = Disks(mounted / "journal.db", pictures, (4, 4), low.__contains__)
    assert not told(disks.look())["disk_low"].stands
    filler = mounted / "filler"
    filler.write_bytes(b"\0" * (5 * MB))
    found = told(disks.look())["disk_low"]
    assert found.stands
    assert found.params["free"] == 3
    filler.unlink()
    assert not told(disks.look())["disk_low"].stands
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    assert told(disks.look())["journal_readonly"].stands


def test_the_pictures_disk_counts_where_it_is_one_of_its_own(mounted: Path, tmp_path: Path) -> None:
    (mounted / "filler").write_bytes(b"\0" * (6 * MB))
    apart = Disks(tmp_path / "journal.db", mounted, (0, 4), lambda _code: False)
    found = told(apart.look())
    assert found["evidence_disk_low"].stands
    assert not found["disk_low"].stands
    same = Disks(mounted / "journal.db", mounted / "none", (0, 4), lambda _code: False)
    assert not told(same.look())["evidence_disk_low"].stands


# --- clocks -------------------------------------------------------------------------------------


class HandClocks:
    """Clocks set by hand."""

    def __init__(self) -> None:
        self.utc = 1_700_000_000 * 10**9
        self.boot = 5 * HOUR
        self.kernel: Kept | OSError = Kept(0, 0, 1000)

    def utc_ns(self) -> int:
        return self.utc

    def boot_ns(self) -> int:
        return self.boot

    def kept(self) -> Kept:
        if isinstance(self.kernel, OSError):
            raise self.kernel
        return self.kernel

    def passes(self, ns: int) -> None:
        self.utc += ns
        self.boot += ns


@pytest.mark.parametrize("hours", [-24, -1, 1, 24])
def test_g_05_a_clock_that_is_set_by_hours_is_told_with_the_amount_once(hours: int) -> None:
    clocks = HandClocks()
    steps = Steps(clocks, 2.0)
    clocks.passes(HOUR)
    assert list(steps.look()) == []
    clocks.utc += hours * HOUR
    clocks.passes(2 * 10**9)
    (found,) = steps.look()
    assert (found.code, found.params) == ("clock_stepped", {"seconds": f"{hours * 3600:+.1f}"})
    assert list(steps.look()) == []
    # And back again: that is another one.
    clocks.utc -= hours * HOUR
    (found,) = steps.look()
    assert found.params == {"seconds": f"{-hours * 3600:+.1f}"}


def test_small_steps_add_up_and_time_that_passes_is_none() -> None:
    clocks = HandClocks()
    steps = Steps(clocks, 2.0)
    for _ in range(4):
        clocks.utc += 500_000_000
        clocks.passes(HOUR)
        assert list(steps.look()) == []
    clocks.utc += 500_000_000
    (found,) = steps.look()
    assert found.params == {"seconds": "+2.5"}


def test_g_05_a_clock_that_was_set_while_the_station_was_off_is_told_at_the_start() -> None:
    then = Stamped("2026-01-01T12:00:00.000000Z", 10**9, "one")
    same = Stamped("2026-01-01T11:00:10.000000Z", 11 * 10**9, "one")
    assert step_since(then, same) == -3600.0
    rebooted = Stamped("2026-01-01T11:00:10.000000Z", 5, "two")
    assert step_since(then, rebooted) == -3590.0
    later = Stamped("2026-01-03T12:00:00.000000Z", 5, "two")
    assert step_since(then, later) == 0.0, "how long it was off nobody knows"
    steps = Steps(HandClocks(), 2.0, -3600.0)
    (found,) = steps.look()
    assert found.params == {"seconds": "-3600.0"}
    assert list(steps.look()) == []
    assert list(Steps(HandClocks(), 2.0, 1.9).look()) == []
    assert set_since(None, then.utc) == 0.0


@pytest.mark.parametrize(
    ("kernel", "sure"),
    [
        (Kept(0, 0x2001, 1000), True),
        (Kept(0, 0x2001, 1_999_999), True),
        (Kept(0, 0x2001, 2_000_001), False),
        (Kept(5, 0x40, 16_000_000), False),
        (Kept(0, 0x40, 0), False),
        (OSError(1, "not permitted"), False),
    ],
)
def test_a_clock_nobody_keeps_or_that_may_be_off_by_more_than_the_limit_is_told(
    kernel: Kept | OSError, sure: bool
) -> None:
    clocks = HandClocks()
    clocks.kernel = kernel
    (found,) = Source(clocks, 2.0).look()
    assert (found.code, found.stands) == ("clock_unsynced", not sure)
    assert sure or found.params["limit"] == "2"


def test_the_kernels_clocks_run_side_by_side() -> None:
    clocks = KernelClocks()
    before = clocks.utc_ns() - clocks.boot_ns()
    after = clocks.utc_ns() - clocks.boot_ns()
    assert abs(after - before) < 10**9
    assert list(Steps(clocks, 2.0).look()) == []


# --- files --------------------------------------------------------------------------------------


def test_a_staff_file_that_others_can_read_is_told_apart_from_a_broken_one(tmp_path: Path) -> None:
    file = tmp_path / "staff.json"
    write(file, StaffFile("test"))
    people = People(file, "test")

    def found() -> tuple[bool, bool]:
        seen = told(people.look())
        return seen["staff_file_exposed"].stands, seen["staff_file_broken"].stands

    assert found() == (False, False)
    file.chmod(0o640)
    assert told(people.look())["staff_file_exposed"].params["mode"] == "0640"
    assert found() == (True, False)
    file.chmod(0o600)
    assert found() == (False, False), "at once, whenever others look"
    good = file.read_bytes()
    file.write_bytes(good[:-5])
    assert found() == (False, True)
    file.unlink()
    assert found() == (False, True)
    write(file, StaffFile("test"))
    assert found() == (False, False)
    write(file, StaffFile("live"))
    assert found() == (False, True), "people of another kind of table"


def test_rules_of_the_file_are_compared_with_those_in_force(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[table]\nid = "T01"\n')
    rules = Rules(file, lambda: fingerprint(TableRules()))
    (found,) = rules.look()
    assert not found.stands
    file.write_text('[table]\nid = "T01"\n[rules]\ndouble_after_split = false\n')
    (found,) = rules.look()
    theirs = fingerprint(TableRules(double_after_split=False))
    assert (found.stands, found.params["file"]) == (True, theirs[:8])
    # While it is being written it says nothing new, and what it said counts.
    file.write_text("[table\n")
    (found,) = rules.look()
    assert found.stands
    file.write_text('[table]\nid = "T01"\n# put back\n')
    (found,) = rules.look()
    assert not found.stands


# --- the program --------------------------------------------------------------------------------


class Checked:
    """A check in a real process, and the hours in hand."""

    def __init__(self, script: str, hours: float = 24) -> None:
        self.seconds = 0.0
        self.program = Program([sys.executable, "-c", script], hours, lambda: self.seconds)

    def ends(self) -> dict[str, ConditionSeen]:
        """Look until the process has ended."""
        found: dict[str, ConditionSeen] = {}
        for _ in range(20_000):
            found |= told(self.program.look())
            if self.program._process is None and found:
                return found
            time.sleep(0.001)
        raise AssertionError("the check does not end")


def printing(**said: object) -> str:
    return f"print({json.dumps(json.dumps(said))})"


def test_until_it_was_checked_nobody_knows_whether_the_program_is_the_one_recorded() -> None:
    checked = Checked(printing(ok=True))
    (first,) = [*checked.program.look()][:1]
    assert (first.code, first.stands) == ("self_check_missing", True)
    found = checked.ends()
    assert not found["self_check_missing"].stands
    assert not found["self_check_failed"].stands


def test_a_program_that_is_not_as_recorded_is_told_with_the_first_file() -> None:
    checked = Checked(printing(ok=False, changed=["a.py", "b.py"], added=["c.py"]))
    found = checked.ends()["self_check_failed"]
    assert (found.stands, found.params) == (True, {"count": 3, "first": "a.py"})


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (printing(ok=False, error="no record; make one"), "no record"),
        ("raise SystemExit(3)", "without a word"),
        ("import os; os.kill(os.getpid(), 9)", "without a word"),
    ],
)
def test_a_check_that_says_nothing_bars_as_well(script: str, why: str) -> None:
    checked = Checked(script)
    checked.ends()
    checked.seconds += 120
    found = checked.ends()
    assert list(found) == ["self_check_missing"]
    assert why in str(found["self_check_missing"].params["why"])


def test_it_is_checked_again_each_day_and_soon_after_a_failure(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    note = f"open({str(ran)!r}, 'a').write('x');"
    checked = Checked(note + printing(ok=True))
    checked.ends()
    checked.seconds += 24 * 3600 - 1
    assert list(checked.program.look()) == []
    checked.seconds += 1
    checked.ends()
    assert ran.read_text() == "xx"
    failing = Checked(printing(ok=False, changed=["a.py"]))
    failing.ends()
    failing.seconds += 119
    assert list(failing.program.look()) == []
    failing.seconds += 1
    assert failing.ends()["self_check_failed"].stands


def test_a_check_runs_at_the_lowest_priority_and_ends_with_the_station() -> None:
    checked = Checked("import time; time.sleep(600)")
    list(checked.program.look())
    process = checked.program._process
    assert process is not None
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == 19
    checked.program.close()
    assert process.poll() is not None


def test_a_check_that_does_not_end_is_ended_and_bars() -> None:
    checked = Checked("import time; time.sleep(600)")
    list(checked.program.look())
    checked.seconds += 1801
    (found,) = checked.program.look()
    assert (found.code, found.stands) == ("self_check_missing", True)
    assert checked.program._process is None


def test_the_check_is_the_commands_own() -> None:
    assert command("")[-3:] == ["station.cli", "selfcheck", "--json"]
    assert command("m.json")[-2:] == ["--manifest", "m.json"]


# --- the watch itself ---------------------------------------------------------------------------


class Watched:
    """A watch without its thread, over probes that are given."""

    def __init__(self, *probes: Probe) -> None:
        self.seconds = 0.0
        self.said: list[ConditionSeen] = []
        self.watch = Watch(probes, self.said.append, lambda: self.seconds)


def test_each_probe_is_asked_in_its_own_time_and_one_that_fails_stops_no_other() -> None:
    def broken() -> list[ConditionSeen]:
        raise OSError("gone")

    def well() -> list[ConditionSeen]:
        return [ConditionSeen("disk_low", stands=False)]

    watched = Watched(Probe("a", 5, broken), Probe("b", 10, well))
    for _ in range(21):
        watched.watch.look()
        watched.seconds += 1
    assert len(watched.said) == 3


def test_a_watch_that_hangs_is_seen_from_outside() -> None:
    watched = Watched()
    watched.watch.look()
    watched.seconds += SILENT_S
    assert not watched.watch.silent().stands
    watched.seconds += 1
    assert watched.watch.silent().stands
    watched.watch.look()
    assert not watched.watch.silent().stands


def test_it_looks_on_a_thread_of_its_own_until_it_is_stopped() -> None:
    where: list[str] = []
    looked, closed = threading.Event(), threading.Event()

    def probe() -> list[ConditionSeen]:
        where.append(threading.current_thread().name)
        looked.set()
        return []

    watch = Watch((Probe("a", 0, probe),), lambda _seen: None, time.monotonic, closed.set)
    watch.start()
    assert looked.wait(20)
    watch.stop()
    assert closed.is_set()
    assert set(where) == {"watch"}


def test_everything_it_tells_is_a_lock() -> None:
    folder = Path(shutil.__file__).parent
    probes = [
        Disks(folder / "journal.db", folder / "none", (1, 1), lambda _code: False).look,
        Source(HandClocks(), 2.0).look,
        People(folder / "none", "test").look,
    ]
    assert {one.code for probe in probes for one in probe()} <= set(KINDS)


# --- the shoe -----------------------------------------------------------------------------------


def test_a_shoe_that_was_dealt_from_for_a_day_lets_no_round_open_until_another_is_in() -> None:
    play, now = Play().open_table(), datetime(2026, 12, 1, 23, 59, tzinfo=UTC)
    age = ShoeAge(lambda: play.table, lambda: "2026-12-01T00:00:00Z", 24, lambda: now)
    assert told(age.look())["shoe_too_old"].stands is False
    now = datetime(2026, 12, 2, 0, 1, tzinfo=UTC)
    (found,) = age.look()
    assert (found.stands, found.params) == (True, {"shoe": "S1", "hours": 24})
    play.give(found)
    refusal = play.say(HOST, OpenRound(fingerprint(play.rules)))
    assert refusal is not None
    assert refusal.code == "shoe_too_old"
    play.must(PIT, TakeOutShoe("S1", "time_limit"))
    assert told(age.look())["shoe_too_old"].stands is False


@pytest.mark.parametrize(("hours", "stamp"), [(0, "2020-01-01T00:00:00Z"), (24, "")])
def test_without_a_limit_or_a_stamp_no_shoe_is_too_old(hours: int, stamp: str) -> None:
    play = Play().open_table()
    assert told(ShoeAge(lambda: play.table, lambda: stamp, hours).look())["shoe_too_old"] == (
        ConditionSeen("shoe_too_old", stands=False)
    )


def test_when_the_shoe_was_released_outlasts_a_restart(tmp_path: Path) -> None:
    """By its fact's stamp; and another shoe begins anew."""
    play, journal = Play().open_table(), Journal(tmp_path / "journal.db")
    with contextlib.closing(journal):
        at = Stamp("2026-12-01T00:00:00.000000Z", 1, "b")
        journal.append(tuple(play.facts), at, lambda _: False, after=play.table)
        since = Since(journal.db)
        assert since.released == ""
        since.resume(play.table)
        assert since.released == at.utc
        since.note(ShoeReleased("S2", "2001"), "2026-12-02T00:00:00.000000Z")
        assert since.released == "2026-12-02T00:00:00.000000Z"
