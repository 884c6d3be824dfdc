"""What keeps rounds from starting, as a real station finds out: disks, files, clocks, program."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from station import messages as m
from station import snapshot as v
from tests.support.daemon import Client, Station
from tests.support.floor import Floor
from tests.unit.station.test_selfcheck import Program

MANAGER, TECHNICIAN = "3001", "4001"
Make = Callable[..., Station]


def locked(client: Client, code: str, *, stands: bool | None = None) -> v.LockView:
    """That lock, as soon as it is shown so."""

    def seen(snapshot: v.Snapshot) -> v.LockView | None:
        found = (one for one in snapshot.locks if one.code == code)
        return next((one for one in found if stands is None or one.stands == stands), None)

    client.wait_for(lambda s: seen(s) is not None, f"{code}, stands {stands}")
    lock = seen(client.now)
    assert lock is not None
    return lock


def unlocked(client: Client, code: str) -> v.Snapshot:
    """Until it is gone."""
    return client.wait_for(lambda s: all(one.code != code for one in s.locks), f"no {code}")


def opening(floor: Floor) -> m.OpenRound:
    return m.OpenRound(floor.host.now.rules.fingerprint)


def acknowledge(floor: Floor, person: str, lock: v.LockView, reason: str) -> None:
    """By that person, at a terminal of his own."""
    staff = floor.station.client("staff")
    staff.must(m.LogIn(person, person))
    staff.must(m.ClearLock(lock.lock, reason))


def finish(floor: Floor) -> None:
    """A round with one seat is dealt on, paid and cleared: the player has nineteen."""
    floor.act("stand").deal("8C")
    floor.console.wait_for(lambda s: s.phase == "result", "the result")
    floor.clear()


def limit(station: Station, size: int) -> None:
    """From here on no file of the station may grow beyond `size`: as on a full disk."""
    resource.prlimit(station.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def mount(*arguments: str) -> None:
    """Skips the test where that is not permitted."""
    command = shutil.which("mount")
    if command is None:
        pytest.skip("there is no mount command")
    tried = subprocess.run([command, *arguments], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"mounting is not permitted here: {tried.stderr.strip()}")


# --- the journal --------------------------------------------------------------------------------


def test_g_04_after_writing_stopped_no_round_starts_before_a_person_has_looked(
    floor: Floor,
) -> None:
    """Writing stops while the program carries on: it does not; and later it says that it was so."""
    floor.ready(1).deal("TS 9H")
    limit(floor.station, 4096)
    floor.station.send("9D")
    floor.console.wait_for(lambda s: s.prompt.code == "journal_unavailable")
    assert floor.host.refused(opening(floor)) == "journal_unavailable"
    limit(floor.station, resource.RLIM_INFINITY)
    floor.console.wait_for(lambda s: s.prompt.code == "decision_open", "the card, once stored")
    lock = locked(floor.console, "journal_failed")
    assert (lock.latches, lock.stands, bool(lock.since)) == (True, False, True)
    finish(floor)
    assert floor.paid() == {(1, 1): [("win", 2000)]}
    assert floor.host.refused(opening(floor)) == "journal_failed"
    assert floor.pit.refused(m.ClearLock(lock.lock, "me")) == "lock_not_yours"
    floor.station.kill()
    floor.station.start()
    floor.join()
    again = locked(floor.console, "journal_failed")
    assert (again.lock, again.since) == (lock.lock, lock.since)
    acknowledge(floor, TECHNICIAN, again, "a log had filled the disk")
    floor.pit.must(m.LogIn("2001", "2001"))
    floor.host.must(opening(floor))
    assert "ConditionAcknowledged" in floor.station.kinds()


def test_a_journal_folder_that_cannot_be_written_bars_the_next_round_and_stops_none(
    floor: Floor,
) -> None:
    floor.ready(1).deal("TS 9H 9D")
    folder = str(floor.station.folder)
    mount("--bind", folder, folder)
    try:
        mount("-o", "remount,ro,bind", folder)
        lock = locked(floor.console, "journal_readonly")
        assert lock.params["why"] == "mounted read-only"
        assert lock.by == []
        finish(floor)
        assert floor.host.refused(opening(floor)) == "journal_readonly"
        assert floor.console.now.prompt.code == "journal_readonly"
    finally:
        subprocess.run(["umount", folder], check=True)
    unlocked(floor.console, "journal_readonly")
    floor.host.must(opening(floor))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 12 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount("-t", "tmpfs", "-o", "size=12m", "tmpfs", str(folder))
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_nearly_full_bars_the_next_round_until_there_is_room(
    small_disk: Path,
) -> None:
    station = Station(small_disk / "t", more="\n[locks]\ndisk_megabytes = 4\n")
    try:
        floor = Floor(station.start()).ready(1).deal("TS 9H 9D")
        filler = small_disk / "filler"
        filler.write_bytes(b"\0" * (8 << 20))
        lock = locked(floor.console, "disk_low")
        assert 0 < int(lock.params["rounds"]) < 100
        finish(floor)
        assert floor.host.refused(opening(floor)) == "disk_low"
        filler.unlink()
        unlocked(floor.console, "disk_low")
        floor.host.must(opening(floor))
    finally:
        station.close()


# --- the people's file --------------------------------------------------------------------------


def test_a_staff_file_that_others_could_read_is_for_a_shift_manager_to_answer_for(
    floor: Floor,
) -> None:
    floor.open_table().sit(1)
    file = floor.station.folder / "staff.json"
    file.chmod(0o644)
    lock = locked(floor.console, "staff_file_exposed", stands=True)
    assert floor.host.refused(opening(floor)) == "staff_file_exposed"
    file.chmod(0o600)
    lock = locked(floor.console, "staff_file_exposed", stands=False)
    assert floor.pit.refused(m.ClearLock(lock.lock, "me")) == "lock_not_yours"
    acknowledge(floor, MANAGER, lock, "all have new PINs")
    floor.host.must(opening(floor))


def test_a_staff_file_that_broke_bars_until_it_is_good_again(floor: Floor) -> None:
    floor.open_table().sit(1)
    file = floor.station.folder / "staff.json"
    good = file.read_bytes()
    file.write_bytes(good[:-40])
    locked(floor.console, "staff_file_broken")
    assert floor.host.refused(opening(floor)) == "staff_file_broken"
    file.write_bytes(good)
    unlocked(floor.console, "staff_file_broken")
    floor.host.must(opening(floor))


# --- the rules ----------------------------------------------------------------------------------


def test_the_wrong_rule_for_26_hours_a_changed_file_bars_and_is_confirmed_by_a_person(
    make_station: Make,
) -> None:
    """The layout showed another soft-17 rule than was dealt, for 26 hours. What the screen shows is
    what is played; what the file says otherwise lets no round start.
    """
    station = make_station().start()
    floor = Floor(station).ready(1).deal("TS 9H 9D")
    text = station.config.read_text()
    station.config.write_text(text.replace("[rules]\n", "[rules]\ndouble_after_split = false\n"))
    lock = locked(floor.console, "rules_differ")
    shown = floor.console.now.rules.fingerprint
    assert lock.params["table"] == shown[:8]
    finish(floor)
    assert floor.host.refused(opening(floor)) == "rules_differ"
    assert floor.station.stop() == 0
    station.start()
    floor.join()
    floor.pit.must(m.LogIn("2001", "2001"))
    lock = locked(floor.console, "rules_changed")
    assert floor.console.now.rules.fingerprint != shown
    assert lock.params == {
        "before": shown[:8],
        "now": floor.console.now.rules.fingerprint[:8],
    }
    floor.new_shoe("S2")
    assert floor.host.refused(opening(floor)) == "rules_changed"
    assert floor.console.refused(m.ClearLock(lock.lock, "fine")) == "clearers_only"
    floor.pit.must(m.ClearLock(lock.lock, "as ordered"))
    floor.host.must(opening(floor))
    floor.host.must(m.CloseBetting(floor.host.now.round))


def test_the_wrong_rule_for_26_hours_a_host_that_plays_otherwise_is_shown_to_the_dealer(
    floor: Floor,
) -> None:
    floor.open_table().sit(1)
    assert floor.host.refused(m.OpenRound("f" * 64)) == "other_rules"
    locked(floor.console, "host_rules")
    assert floor.console.now.prompt.code == "host_rules"
    floor.host.must(opening(floor))
    unlocked(floor.console, "host_rules")


# --- the clock ----------------------------------------------------------------------------------


@pytest.mark.parametrize("hours", [-1, 1])
def test_g_05_a_clock_that_was_set_while_the_station_was_off_is_said_with_the_amount(
    make_station: Make, hours: int
) -> None:
    """The clock that nobody sets is put off in a namespace of its own: for the station that is the
    same as UTC put off the other way.
    """
    apart = ("unshare", "--time", "--monotonic", "7200", "--boottime", "7200")
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no time namespaces here")
    station = make_station()
    # One of the two runs two hours ahead of the other; the second by an hour more or less.
    station.start(before=apart)
    floor = Floor(station).open_table().sit(1)
    station.kill()
    second = str(7200 - hours * 3600)
    station.start(before=("unshare", "--time", "--monotonic", second, "--boottime", second))
    floor.join()
    lock = locked(floor.console, "clock_stepped")
    assert abs(float(lock.params["seconds"]) - hours * 3600) < 60
    acknowledge(floor, MANAGER, lock, "winter time")
    floor.pit.must(m.LogIn("2001", "2001"))
    floor.host.must(opening(floor))


# --- the program --------------------------------------------------------------------------------


def test_a_program_with_a_changed_file_starts_no_round_and_says_which_file(
    make_station: Make, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    program = Program(copy)
    program.write()
    sound = program.check()[0] == 0
    changed = program.site / "station" / "game" / "settlement.py"
    good = changed.read_bytes()
    changed.write_bytes(good + b"# one more\n")
    station = make_station(
        more=f'\n[locks]\nself_check = "on"\nself_check_manifest = "{program.manifest}"\n'
    )
    site = program.site
    installed = ("env", "-C", str(site), f"PYTHONPATH={site}", "PYTHONDONTWRITEBYTECODE=1")
    floor = Floor(station.start(before=installed)).open_table().sit(1)
    lock = locked(floor.console, "self_check_failed")
    assert lock.params["first"] == "station/game/settlement.py"
    assert floor.host.refused(opening(floor)) == "self_check_failed"
    station.kill()
    changed.write_bytes(good)
    station.start(before=installed)
    floor.join()
    assert "self_check_failed" in [one.code for one in floor.console.now.locks], "forgotten"
    if not sound:
        pytest.skip("what the program depends on is not as recorded on this machine")
    lock = locked(floor.console, "self_check_failed", stands=False)
    acknowledge(floor, TECHNICIAN, lock, "the release is installed anew")
    floor.pit.must(m.LogIn("2001", "2001"))
    floor.host.must(opening(floor))


# --- kill -9 ------------------------------------------------------------------------------------


def test_no_lock_is_forgotten_when_the_station_is_killed_again_and_again(
    make_station: Make,
) -> None:
    station = make_station()
    file = station.folder / "staff.json"
    station.start()
    floor = Floor(station).open_table().sit(1)
    assert floor.host.refused(m.OpenRound("f" * 64)) == "other_rules"
    file.chmod(0o644)
    locked(floor.console, "staff_file_exposed")
    before = {(one.code, one.lock, one.since) for one in floor.console.now.locks if one.lock}
    assert len(before) == 2
    lock = locked(floor.console, "staff_file_exposed")
    for _ in range(3):
        station.kill()
        # The people's file is good when the station starts, or it would not.
        file.chmod(0o600)
        station.start()
        floor.join()
        lock = locked(floor.console, "staff_file_exposed", stands=False)
        now = {(one.code, one.lock, one.since) for one in floor.console.now.locks if one.lock}
        assert now == before
    acknowledge(floor, MANAGER, lock, "all have new PINs")
    station.kill()
    station.start()
    floor.join()
    assert [one.code for one in floor.console.now.locks if one.lock] == ["host_rules"]


def test_a_lock_is_listed_and_acknowledged_on_the_command_line(floor: Floor) -> None:
    floor.open_table().sit(1)
    station = floor.station
    file = station.folder / "staff.json"
    assert station.cli("lock", "list").stdout == ""
    file.chmod(0o644)
    number = str(locked(floor.console, "staff_file_exposed").lock)

    def clear(person: str, pin: str) -> tuple[int, str]:
        order = ("lock", "clear", number, "--staff", person, "--reason", "new PINs for all")
        done = subprocess.run(
            [sys.executable, "-m", "station.cli", *order, "--pins-from-stdin"],
            cwd=station.folder,
            input=f"{pin}\n",
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout + done.stderr

    listed = station.cli("lock", "list", "--lang", "en", check=False)
    assert listed.returncode == 1
    assert f"{number:>4}  staff_file_exposed" in listed.stdout
    assert "Others could read the staff file." in listed.stdout
    code, said = clear(MANAGER, MANAGER)
    assert (code, "cause is still there" in said) == (1, True)
    file.chmod(0o600)
    locked(floor.console, "staff_file_exposed", stands=False)
    assert clear(MANAGER, "0000")[0] == 1
    code, said = clear("2001", "2001")
    assert (code, "another role" in said) == (1, True)
    assert clear(MANAGER, MANAGER) == (0, f"lock {number} is acknowledged\n")
    floor.host.must(opening(floor))
