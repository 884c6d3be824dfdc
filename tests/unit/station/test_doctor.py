"""`doctor`: each thing it looks at, at its limits, and what it says to do."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from drivers.kinds.textline import TextLineSpec
from drivers.transports.serial import SerialPort, SerialSettings
from station import cli_doctor_disk, cli_doctor_host, cli_doctor_ports
from station.cli import app
from station.cli_doctor import examine, lines
from station.cli_finding import Finding
from station.journal import Journal
from station.watching.kernel import kernel_clock
from tests.support.pty import VirtualSerial

MINIMAL = '[table]\nid = "T01"\nkind = "test"\n'
DEVICE = '\n[[devices]]\nname = "shoe"\nport = "shoe"\n'


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else the machine does, a sync takes a millisecond, and there is room."""
    monkeypatch.setattr(cli_doctor_disk, "sync_ms", lambda folder: [1.0])
    monkeypatch.setattr(cli_doctor_disk, "LEAST_MB", 0)


def only(findings: list[Finding], check: str) -> list[Finding]:
    return [one for one in findings if one.check == check]


# --- ports --------------------------------------------------------------------------------


def found(port: str, tmp_path: Path) -> Finding:
    (one,) = cli_doctor_ports.ports([TextLineSpec(name="shoe", port=port)], tmp_path / "none.sock")
    return one


def test_a_port_that_is_there_busy_or_missing_or_no_port(tmp_path: Path) -> None:
    shoe = VirtualSerial(tmp_path / "shoe")
    missing = found(str(shoe.link), tmp_path)
    assert (missing.level, "dealer-station devices" in missing.do) == ("fail", True)
    shoe.plug()
    there = found(str(shoe.link), tmp_path)
    assert (there.level, there.do) == ("ok", "")
    holder = SerialPort(SerialSettings(path=str(shoe.link))).open()
    busy = found(str(shoe.link), tmp_path)
    assert (busy.level, "end the program" in busy.do) == ("fail", True)
    holder.close()
    assert found(str(shoe.link), tmp_path).level == "ok"
    shoe.unplug()
    (tmp_path / "file").touch()
    wrong = found(str(tmp_path / "file"), tmp_path)
    assert (wrong.level, "another device than the file says" in wrong.do) == ("fail", True)


def test_the_rules_are_found_where_udev_looks(tmp_path: Path) -> None:
    assert cli_doctor_ports.rules(tmp_path).level == "warn"
    folder = tmp_path / "etc/udev/rules.d"
    folder.mkdir(parents=True)
    (folder / cli_doctor_ports.RULES).touch()
    assert cli_doctor_ports.rules(tmp_path).level == "ok"


# --- disk ---------------------------------------------------------------------------------

MOUNTS = """\
21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
22 21 0:5 / /run rw,nosuid - tmpfs tmpfs rw
23 21 0:9 / /srv/net\\040share rw - nfs4 server:/x rw
24 21 0:9 / /srv/twice rw - ext4 /dev/sdb1 rw
25 21 0:9 / /srv/twice rw - tmpfs tmpfs rw
broken line
"""


@pytest.mark.parametrize(
    ("folder", "kind", "level"),
    [
        ("/srv/table", "ext4", "ok"),
        ("/run/table", "tmpfs", "warn"),
        ("/running", "ext4", "ok"),
        ("/srv/net share/table", "nfs4", "fail"),
        ("/srv/twice", "tmpfs", "warn"),
    ],
)
def test_a_journal_may_lie_on_a_disk_of_this_machine_only(
    tmp_path: Path, folder: str, kind: str, level: str
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS)
    assert cli_doctor_disk.fs_type(Path(folder), mounts) == kind
    assert cli_doctor_disk.file_system(Path(folder), kind).level == level


@pytest.mark.parametrize(
    ("ms", "level"), [(0.001, "warn"), (0.5, "ok"), (9.9, "ok"), (10.0, "warn"), (100.0, "fail")]
)
def test_a_sync_is_believable_and_quick_enough(ms: float, level: str) -> None:
    assert cli_doctor_disk.speed("here", [ms] * cli_doctor_disk.SYNCS).level == level


def test_syncs_are_measured_on_the_journals_own_disk(tmp_path: Path) -> None:
    times = cli_doctor_disk.sync_ms(tmp_path)
    assert len(times) == cli_doctor_disk.SYNCS
    assert times == sorted(times)
    assert times[0] > 0
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_or_may_not_be_written_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (gone,) = cli_doctor_disk.disk(tmp_path / "none" / "journal.db")
    assert (gone.level, "does not exist" in gone.what) == ("fail", True)
    monkeypatch.setattr("station.cli_doctor_disk.os.access", lambda *_: False)
    (denied,) = cli_doctor_disk.disk(tmp_path / "journal.db")
    assert (denied.level, "may not write" in denied.what) == ("fail", True)


# --- clock --------------------------------------------------------------------------------

NOW = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("utc_s", "mono_s", "boot", "level"),
    [
        (-60.0, 60.0, "a", "ok"),
        (-60.0, 58.5, "a", "ok"),
        (-60.0, 57.0, "a", "warn"),
        (-60.0, 99.0, "a", "warn"),
        (-60.0, 5.0, "b", "ok"),
        (1.0, 0.5, "a", "ok"),
        (5.0, 5.0, "b", "fail"),
    ],
)
def test_a_clock_that_was_set_since_the_last_fact_is_told(
    utc_s: float, mono_s: float, boot: str, level: str
) -> None:
    stamp = (NOW + timedelta(seconds=utc_s)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    last = (stamp, 1_000_000_000, boot)
    mono_ns = 1_000_000_000 + round(mono_s * 1e9)
    assert cli_doctor_host.stepped("journal", last, NOW, mono_ns, "a").level == level


def test_a_new_and_an_empty_journal_have_no_clock_to_compare(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    assert "none yet" in cli_doctor_host.step(path).what
    Journal(path).close()
    assert "no facts yet" in cli_doctor_host.step(path).what
    path.write_text("no database")
    assert cli_doctor_host.step(path).level == "fail"


@pytest.mark.parametrize(
    ("state", "status", "level"), [(0, 0x2001, "ok"), (5, 0x40, "warn"), (0, 0x40, "warn")]
)
def test_the_kernel_says_whether_a_time_server_keeps_the_clock(
    state: int, status: int, level: str
) -> None:
    assert cli_doctor_host.synchronised(state, status).level == level


def test_the_kernels_answer_can_be_had_here() -> None:
    try:
        state, status, most_us = kernel_clock()
    except OSError as error:
        pytest.skip(f"a sandbox keeps the kernel's answer back: {error}")
    assert state in range(6)
    assert most_us >= 0
    assert bool(status & 0x40) == (state == 5)


@pytest.mark.parametrize(
    ("version", "level"),
    [("#1 SMP PREEMPT_RT x", "ok"), ("#1 SMP PREEMPT_DYNAMIC x", "ok"), ("#1 SMP x", "warn")],
)
def test_a_kernel_that_is_not_preemptible_is_told(tmp_path: Path, version: str, level: str) -> None:
    assert cli_doctor_host.kernel(version, tmp_path / "none").level == level


# --- the whole ----------------------------------------------------------------------------


def test_a_missing_library_names_its_package() -> None:
    one = cli_doctor_host._library("libnothere.so.0", "libnothere0", "nothing")
    assert (one.level, "libnothere0" in one.do) == ("warn", True)


def test_what_stops_qt_is_told_in_qts_own_words() -> None:
    assert cli_doctor_host._qt("load_qt()") == ""
    said = cli_doctor_host._qt("check_version('6.12.0', (3, 11))")
    assert "aborts on Python 3.11" in said
    assert "code 1" in cli_doctor_host._qt("no_such_thing()")


@pytest.mark.usefixtures("quick_disk")
def test_a_table_that_is_in_order_passes_and_a_broken_file_fails(tmp_path: Path) -> None:
    shoe = VirtualSerial(tmp_path / "shoe")
    shoe.plug()
    file = tmp_path / "table.toml"
    file.write_text(MINIMAL + DEVICE)
    findings = examine(file, console=False)
    shoe.unplug()
    assert [one for one in findings if one.level == "fail"] == []
    assert [one.level for one in only(findings, "port")] == ["ok"]
    for check in ("space", "disk", "sync", "journal", "user", "udev", "clock", "kernel"):
        assert only(findings, check), check
    file.write_text(MINIMAL + DEVICE + "buad = 1\n")
    broken = only(examine(file, console=False), "file")
    assert [(one.level, "buad" in one.what) for one in broken] == [("fail", True)]


def test_a_live_table_without_people_fails(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[table]\nid = "T01"\n')
    (staff,) = only(examine(file, console=False), "staff")
    assert (staff.level, "staff add" in staff.do) == ("fail", True)


@pytest.mark.usefixtures("quick_disk")
def test_the_exit_code_is_1_when_something_fails_and_the_lines_say_what_to_do(
    tmp_path: Path,
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(MINIMAL + DEVICE)
    ask = ["doctor", "--config", str(file), "--no-console"]
    done = CliRunner().invoke(app, ask)
    assert done.exit_code == 1
    assert "FAIL  port      shoe: " in done.stdout
    told = CliRunner().invoke(app, [*ask, "--json"])
    document = json.loads(told.stdout)
    assert (told.exit_code, document["ok"]) == (1, False)
    assert all({"check", "level", "what", "where", "do"} == set(f) for f in document["findings"])
    shoe = VirtualSerial(tmp_path / "shoe")
    shoe.plug()
    assert CliRunner().invoke(app, ask).exit_code == 0
    shoe.unplug()


def test_advice_stands_under_what_is_not_in_order_only() -> None:
    said = list(lines([Finding("a", "ok", "x", do="no"), Finding("b", "warn", "y", do="yes")]))
    assert said[0] == "ok    a         x"
    assert said[1:3] == ["WARN  b         y", f"{'':16}→ yes"]
    assert said[-1] == "0 failed, 1 to look at, 1 in order"
