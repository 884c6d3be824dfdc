"""People at real stations: first start, badges, locks, two tables, and no secret anywhere."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from drivers.badge import badge_text
from station import messages as m
from station import staff_secrets as secret
from station.staff import Staff
from station.staff_file import Entry, StaffFile, alone, read, write
from tests.support.daemon import WAIT_S, Client, Ended, Station

BADGE = badge_text(bytes(range(100, 116)))
OTHER_BADGE = badge_text(bytes(range(50, 66)))


@pytest.fixture
def staffed(make_station: Callable[..., Station]) -> Callable[[str], Station]:
    """A station with the test people, of whom the dealer and the supervisor have badges."""

    def make(name: str = "t") -> Station:
        station = make_station(name)
        staff = Staff.load(station.folder / "staff.json", "test")
        for number, text in (("1001", BADGE), ("2001", OTHER_BADGE)):
            entry = staff.file.entry(number)
            assert entry is not None
            staff.put(replace(entry, badge=secret.badge_hash(text)), "test", "badge")
        return station

    return make


def console(station: Station) -> Client:
    client = station.client("console")
    client.wait_for(lambda s: s.devices[0].health == "up", "the reader up")
    return client


def show(station: Station, text: str) -> None:
    station.serial.send(text.encode() + b"\r")


def code_of(client: Client) -> str:
    refusal = client.now.last_refusal
    return refusal.code if refusal else ""


# --- badges ----------------------------------------------------------------------------------


def test_a_badge_at_the_tables_own_scanner_signs_in_and_out(
    staffed: Callable[..., Station],
) -> None:
    station = staffed().start()
    here = console(station)
    show(station, BADGE)
    here.wait_for(lambda s: s.staff.dealer is not None, "the dealer in")
    show(station, OTHER_BADGE)
    here.wait_for(lambda s: [p.staff for p in s.staff.signed_in] == ["2001"], "the supervisor in")
    here.must(m.LoadShoe("S1", "A"))
    show(station, OTHER_BADGE)
    here.wait_for(lambda s: s.staff.signed_in == [], "the supervisor out")
    show(station, BADGE)
    here.wait_for(lambda s: s.staff.dealer is None, "the dealer out")
    assert here.now.last_read is None
    kinds = station.kinds()
    assert "Observed" not in kinds, "a badge is no read"
    assert station.stop() == 0


def test_an_unknown_badge_lets_nobody_in_and_is_said(staffed: Callable[..., Station]) -> None:
    station = staffed().start()
    here = console(station)
    show(station, badge_text(b"\x09" * 16))
    here.wait_for(lambda s: s.last_refusal is not None, "a refusal")
    assert code_of(here) == "badge_unknown"
    assert here.now.staff.dealer is None
    assert station.stop() == 0


# --- a running station takes up its people -----------------------------------------------------


def test_a_changed_file_is_taken_up_and_a_disabled_supervisor_is_signed_out(
    staffed: Callable[..., Station],
) -> None:
    station = staffed().start()
    pit = station.client("pit")
    pit.must(m.LogIn("2001", "2001"))
    station.cli("staff", "disable", "2001", "--why", "left", "-c", "table.toml")
    pit.wait_for(lambda s: s.staff.signed_in == [], "signed out")
    assert pit.refused(m.LogIn("2001", "2001")) == "person_disabled"
    station.cli("staff", "enable", "2001", "-c", "table.toml")
    pit.must(m.LogIn("2001", "2001"))
    (station.folder / "staff.json").chmod(0o644)
    pit.must(m.LogIn("3001", "3001"))
    assert "chmod 600" in station.errors()
    assert station.stop() == 0


@pytest.mark.parametrize("running", [True, False])
def test_the_command_line_ends_a_bar_of_a_running_and_of_a_stopped_station(
    staffed: Callable[..., Station], running: bool
) -> None:
    """A test table's clock runs fast, so that the locks before the bar run out."""
    station = staffed()
    station.config.write_text(station.config.read_text().replace("scale = 1.0", "scale = 1000"))
    station.start()
    pit = station.client("pit")
    answers: list[str] = []
    while not answers or answers[-1] != "pin_barred":
        answers.append(pit.refused(m.LogIn("2001", "wrong")))
    assert answers.count("wrong_pin") == 10
    if not running:
        assert station.stop() == 0
    station.cli("staff", "unlock", "2001", "-c", "table.toml")
    if not running:
        station.start()
        pit = station.client("pit")
    until = time.monotonic() + WAIT_S
    while not pit.ask(m.LogIn("2001", "2001")).ok:
        assert time.monotonic() < until, "not unlocked"
        # Asked again by a person, not by a program.
        pit.wait(lambda: True, "")
        select.select([], [], [], 0.2)
    assert station.stop() == 0


def test_a_lock_outlives_a_kill(staffed: Callable[..., Station]) -> None:
    station = staffed().start()
    pit = station.client("pit")
    for _ in range(5):
        assert pit.refused(m.LogIn("2001", "wrong")) == "wrong_pin"
    station.kill()
    station.start()
    pit = station.client("pit")
    assert pit.refused(m.LogIn("2001", "2001")) == "pin_locked"
    pit.must(m.LogIn("3001", "3001"))
    assert station.stop() == 0


# --- one person at one table -------------------------------------------------------------------


def test_one_person_is_at_one_table_also_after_a_kill(staffed: Callable[..., Station]) -> None:
    one, two = staffed("one"), staffed("two")
    for station, name in ((one, "ONE"), (two, "TWO")):
        text = station.config.read_text().replace('id = "T01"', f'id = "{name}"')
        station.config.write_text(text + '\n[staff]\nfile = "../one/staff.json"\n')
        station.start()
    a, b = console(one), console(two)
    a.must(m.LogIn("1001", "1001"))
    answer = b.ask(m.LogIn("1001", "1001"))
    assert answer.refusal is not None
    assert answer.refusal.code == "at_another_table"
    assert "ONE" in answer.refusal.text.en
    b.must(m.LogIn("1002", "1002"))
    a.must(m.LogOut("1001"))
    b.must(m.LogOut("1002"))
    b.must(m.LogIn("1001", "1001"))
    two.kill()
    a.must(m.LogIn("1001", "1001"))
    # The other table still thinks that it has him: he opens no round there.
    two.start()
    b = console(two)
    until = time.monotonic() + WAIT_S
    while "DutyOver" not in two.kinds():
        assert time.monotonic() < until, "it is not noticed"
        select.select([], [], [], 0.1)
    assert one.stop() == 0
    assert two.stop() == 0


# --- the first start of a live table -----------------------------------------------------------


def live(station: Station) -> Station:
    text = station.config.read_text().replace('kind = "test"', 'kind = "live"')
    station.config.write_text(text)
    return station


@contextlib.contextmanager
def on_a_terminal(station: Station) -> Iterator[Callable[[str], str]]:
    """The station on a terminal of its own; waits for a text there and gives all that was said."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "station.cli", "run", "-c", str(station.config)]
    with station.log.open("ab") as errors:
        station.process = subprocess.Popen(command, stdout=slave, stderr=errors, text=True)
    os.close(slave)
    said = b""

    def until(text: str) -> str:
        nonlocal said
        end = time.monotonic() + WAIT_S
        while text.encode() not in said:
            assert time.monotonic() < end, said
            if select.select([master], [], [], 0.2)[0]:
                said += os.read(master, 65536)
        return said.decode()

    try:
        yield until
    finally:
        station.process.terminate()
        station.process.wait(WAIT_S)
        station.hang_up()
        station.process = None
        os.close(master)


def test_a_first_start_shows_a_secret_that_only_can_be_exchanged(
    make_station: Callable[..., Station],
) -> None:
    station = live(make_station())
    with on_a_terminal(station) as until:
        said = until("ready ")
        found = re.search(r"One-time secret: (\S+)", said)
        assert found is not None
        once = found[1]
        pit = station.client("pit")
        assert pit.refused(m.LogIn("9001", once)) == "pin_is_once"
        assert pit.refused(m.LogIn("9001", "9001")) == "wrong_pin"
        arguments = ["staff", "reset", "9001", "-c", str(station.config)]
        done = subprocess.run(
            [sys.executable, "-m", "station.cli", *arguments],
            input=f"{once}\n730164\n730164\n",
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        pit.must(m.LogIn("9001", "730164"))
    found_in = secrets_in(station.folder, (once, "730164"))
    assert found_in == []
    with on_a_terminal(station) as until:
        assert "One-time secret" not in until("ready "), "it was shown once"


def test_without_a_terminal_a_live_table_without_people_does_not_start(
    make_station: Callable[..., Station],
) -> None:
    station = live(make_station())
    with pytest.raises(Ended, match="start the table once from a terminal"):
        station.start()
    assert not (station.folder / "staff.json").exists()


# --- no secret anywhere ------------------------------------------------------------------------


def secrets_in(folder: Path, secrets: tuple[str, ...], *, but: str = "") -> list[tuple[str, str]]:
    """Which files below hold one of them: as text, or as hex."""
    found = []
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name != but:
            data = file.read_bytes()
            for one in secrets:
                spelt = (one.encode(), one.encode().hex().encode(), one.encode().hex(" ").encode())
                if any(each in data or each.upper() in data for each in spelt):
                    found.append((file.name, one))
    return found


def test_no_pin_badge_or_hash_is_in_any_file_process_list_or_crash(
    staffed: Callable[..., Station], tmp_path: Path
) -> None:
    """Secrets that occur nowhere else are planted, used rightly and wrongly, and searched for."""
    station = staffed()
    pins = ("PLANTED-RIGHT-77", "PLANTED-WRONG-78", "PLANTED-ONCE-79")
    file = station.folder / "staff.json"
    staff = Staff.load(file, "test")
    for number, pin, once in (("2001", pins[0], False), ("3001", pins[2], True)):
        entry = staff.file.entry(number)
        assert entry is not None
        staff.put(replace(entry, pin=secret.hashed(pin), once=once), "test", "reset")
    hashes = tuple(entry.pin for entry in staff.file.people)
    badge_hashes = tuple(entry.badge for entry in staff.file.people if entry.badge)
    station.start()
    here, pit = console(station), station.client("pit")
    here.must(m.LogIn("1001", "1001"))
    assert pit.refused(m.LogIn("2001", pins[1])) == "wrong_pin"
    assert pit.refused(m.LogIn("3001", pins[2])) == "pin_is_once"
    pit.must(m.LogIn("2001", pins[0]))
    # A line that is no message, with a PIN in it; then badges read well, half, doubled and wrongly.
    pit.raw(b'{"type":"command","id":"x","command":{"do":"log_in","staff":7,"pin":"%s"}}\n'
            % pins[0].encode())  # fmt: skip
    pit.wait(lambda: any(a.id == "x" for a in pit.of(m.Answer)), "an answer to the bad line")
    show(station, OTHER_BADGE)
    here.wait_for(lambda s: [p.staff for p in s.staff.signed_in] == ["2001"], "signed in")
    for text in (BADGE[:20], BADGE + OTHER_BADGE, "AKH" + BADGE, BADGE.lower(), BADGE[:-1] + "!"):
        show(station, text)
    here.wait_for(lambda s: s.last_read is not None, "what was no badge is a no-read")
    process = Path("/proc") / str(station.pid)
    for name in ("cmdline", "environ"):
        (tmp_path / name).write_bytes((process / name).read_bytes())
    said = "".join(repr(message) for client in (here, pit) for message in client.said)
    assert station.stop() == 0
    # And a station that dies of a fault, with a PIN on its way.
    station.start("before_commit:5")
    with contextlib.suppress(Ended, AssertionError):
        pit = station.client("pit")
        for _ in range(6):
            pit.ask(m.LogIn("2001", pins[1]))
    station.gone()
    (tmp_path / "said").write_text(said + station.errors())
    parts: tuple[str, ...] = (BADGE[3:12], BADGE[12:25], OTHER_BADGE[3:12], OTHER_BADGE[12:25])
    parts += tuple(part.lower() for part in parts)
    assert secrets_in(tmp_path, (*pins, *parts)) == []
    assert secrets_in(tmp_path, (*hashes, *badge_hashes), but="staff.json") == []


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a second user of this machine")
def test_another_user_of_the_machine_reads_nothing_and_says_nothing() -> None:
    """A dealer's own account: no file of the table, no socket, no lock of a person."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        station = Station(folder / "t")
        station.folder.chmod(0o755)
        staff = Staff.load(station.folder / "staff.json", "test")
        assert staff.broken == ""
        station.start()
        try:
            console(station).must(m.LogIn("1001", "1001"))
            reach = "use IO::Socket::UNIX; exit(IO::Socket::UNIX->new(Peer => $ARGV[0]) ? 0 : 3)"
            files = [p for p in station.folder.rglob("*") if p.is_file() and p.suffix != ".toml"]
            kept = [p for p in files if p != station.log]
            assert {"staff.json", "journal.db"} <= {p.name for p in kept}
            for path in kept:
                done = subprocess.run(["/bin/cat", path], user=65534, capture_output=True,
                                      check=False)  # fmt: skip
                assert done.returncode != 0, path
                assert done.stdout == b""
            done = subprocess.run(["/usr/bin/perl", "-e", reach, station.socket], user=65534,
                                  capture_output=True, check=False)  # fmt: skip
            assert done.returncode == 3, done.stderr
        finally:
            station.close()


def test_the_staff_file_is_written_for_the_stations_user_by_root(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root writes for another")
    file = tmp_path / "staff.json"
    os.chown(tmp_path, 65534, 65534)
    with alone(file):
        write(file, StaffFile("live", (Entry("1", "X", "auditor", ""),)))
    assert (file.stat().st_uid, file.stat().st_mode & 0o777) == (65534, 0o600)
    write(file, StaffFile("live"))
    assert file.stat().st_uid == 65534
    assert read(file, "live").people == ()
