"""What is installed on a table's machine: never root, few devices, and all of it parses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from station.cli_common import fail
from station.cli_doctor_ports import RULES

from .conftest import ROOT

PACKAGING = ROOT / "packaging"
UNIT = PACKAGING / "dealer-station@.service"
USER = "dealer-station"
TOKEN = re.compile(r'([A-Z]+(?:\{[^}]+\})?)(==|!=|\+=|:=|=)"([^"]*)"')
MATCHES = {"ACTION", "SUBSYSTEM", "SUBSYSTEMS", "KERNEL", "KERNELS", "DRIVER", "ATTRS"}


def settings() -> dict[str, list[str]]:
    """The unit's lines by key, all sections together."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text().splitlines():
        key, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def rules(*, examples: bool) -> list[list[tuple[str, str, str]]]:
    """Each rule as its tokens; `examples`: the commented ones too."""
    found = []
    for line in (PACKAGING / RULES).read_text().splitlines():
        text = line.removeprefix("# ") if examples and line.startswith("# SUBSYSTEM==") else line
        if text and not text.startswith("#"):
            tokens = TOKEN.findall(text)
            assert ", ".join(f'{key}{sign}"{value}"' for key, sign, value in tokens) == text
            found.append(tokens)
    return found


# --- the service --------------------------------------------------------------------------


def test_a_table_never_runs_as_root_and_gains_nothing() -> None:
    unit = settings()
    assert unit["User"] == unit["Group"] == [USER]
    assert unit["CapabilityBoundingSet"] == unit["AmbientCapabilities"] == [""]
    for key in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "RestrictSUIDSGID"):
        assert unit[key] == ["yes"], key
    assert unit["ProtectSystem"] == ["strict"]


def test_a_table_may_open_readers_and_no_other_device() -> None:
    unit = settings()
    assert unit["DevicePolicy"] == ["closed"]
    classes = {"ttyUSB", "ttyACM", "ttyS", "hidraw", "input", "video4linux"}
    assert set(unit["DeviceAllow"]) == {f"char-{name} rw" for name in classes}
    # It would hide every reader.
    assert "PrivateDevices" not in unit
    # It would hide the id of this boot, which every fact is stamped with.
    assert "ProcSubset" not in unit


def test_a_killed_table_comes_back_and_what_a_person_must_mend_is_not_tried_again() -> None:
    unit = settings()
    assert unit["Restart"] == ["on-failure"]
    assert unit["RestartPreventExitStatus"] == [str(fail("x").exit_code)]


def test_there_is_a_watchdog_only_if_the_program_feeds_it() -> None:
    feeds = any("NOTIFY_SOCKET" in file.read_text() for file in (ROOT / "station").rglob("*.py"))
    unit = settings()
    assert ("WatchdogSec" in unit) == feeds
    assert (unit["Type"] == ["notify"]) == feeds


def test_the_service_keeps_its_things_where_the_readme_says() -> None:
    unit, readme = settings(), (PACKAGING / "README.md").read_text()
    assert unit["StateDirectory"] == unit["RuntimeDirectory"] == [f"{USER}/%i"]
    for path in ("/var/lib/dealer-station/t01/", "/run/dealer-station/t01/"):
        assert path in readme
    for file in PACKAGING.iterdir():
        if file.name != "README.md":
            assert f"packaging/{file.name}" in readme, file.name


def test_systemd_finds_nothing_wrong_with_the_service(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze on this machine")
    # The program is not installed here.
    text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text(), flags=re.M)
    unit = tmp_path / "dealer-station@t01.service"
    unit.write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if unit.name in line]
    assert (done.returncode, said) == (0, [])


# --- udev ---------------------------------------------------------------------------------


def test_rules_match_before_they_set_and_jump_to_a_label_that_is_there() -> None:
    labels = {value for rule in rules(examples=True) for key, _, value in rule if key == "LABEL"}
    jumps = {value for rule in rules(examples=True) for key, _, value in rule if key == "GOTO"}
    assert jumps == labels == {"dealer_station_end"}
    for rule in rules(examples=True):
        for key, sign, _ in rule:
            match = key == "ATTR{index}" or key.partition("{")[0] in MATCHES
            assert match == (sign in ("==", "!=")), rule


def test_every_reader_goes_to_the_stations_group_and_to_nobody_else() -> None:
    given = [
        {key: value for key, _, value in rule}
        for rule in rules(examples=False)
        if any(key in ("GROUP", "MODE") for key, _, _ in rule)
    ]
    assert {one["SUBSYSTEM"] for one in given} == {"tty", "hidraw", "input", "video4linux"}
    assert all((one["GROUP"], one["MODE"]) == (USER, "0660") for one in given)


def test_no_rule_can_take_the_operators_keyboard() -> None:
    for rule in rules(examples=True):
        keys = {key: value for key, _, value in rule}
        if keys.get("SUBSYSTEM") in ("hidraw", "input"):
            assert keys.get("ATTRS{idVendor}") in ("05e0", "0c2e"), rule
        if "ENV{LIBINPUT_IGNORE_DEVICE}" in keys:
            assert "ATTRS{serial}" in keys


def test_ftdi_adapters_hand_on_within_a_millisecond_and_modem_manager_keeps_off() -> None:
    flat = [token for rule in rules(examples=False) for token in rule]
    assert ("ATTR{latency_timer}", "=", "1") in flat
    assert ("ENV{ID_MM_PORT_IGNORE}", "=", "1") in flat


def test_the_examples_show_stable_names_by_serial_number_and_by_socket() -> None:
    named = [
        {key for key, _, _ in rule}
        for rule in rules(examples=True)
        if any(key == "SYMLINK" for key, _, _ in rule)
    ]
    assert any("ATTRS{serial}" in keys for keys in named)
    assert any("KERNELS" in keys for keys in named)
    assert not any(key == "SYMLINK" for rule in rules(examples=False) for key, _, _ in rule)


@pytest.mark.parametrize("examples", [False, True])
def test_udev_finds_nothing_wrong_with_the_rules(tmp_path: Path, examples: bool) -> None:
    if shutil.which("udevadm") is None:
        pytest.skip("no udevadm on this machine")
    version = subprocess.run(
        ["udevadm", "--version"], capture_output=True, text=True, check=True
    ).stdout
    if int(version) < 254:
        pytest.skip(f"udevadm {version.strip()} has no verify; 254 does")
    file, text = tmp_path / RULES, (PACKAGING / RULES).read_text()
    file.write_text(text.replace("# SUBSYSTEM==", "SUBSYSTEM==") if examples else text)
    done = subprocess.run(
        ["udevadm", "verify", "--resolve-names=never", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# --- users and folders --------------------------------------------------------------------


def test_user_and_folders_can_be_made(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make users, even in a folder")
    for tool in ("systemd-sysusers", "systemd-tmpfiles"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool} on this machine")
    (tmp_path / "etc").mkdir()
    for command in (
        ["systemd-sysusers", f"--root={tmp_path}", str(PACKAGING / "dealer-station.sysusers.conf")],
        [
            "systemd-tmpfiles",
            "--create",
            f"--root={tmp_path}",
            str(PACKAGING / "dealer-station.tmpfiles.conf"),
        ],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    passwd = (tmp_path / "etc/passwd").read_text()
    uid, home, shell = re.findall(rf"^{USER}:x:(\d+):\d+:[^:]*:([^:]*):(.*)$", passwd, re.M)[0]
    assert (0 < int(uid) < 1000, home, "nologin" in shell) == (True, f"/var/lib/{USER}", True)
    group = (tmp_path / "etc/group").read_text()
    assert re.search(rf"^dialout:x:\d+:{USER}$", group, re.M)
    for folder in (f"etc/{USER}", f"var/lib/{USER}"):
        assert (tmp_path / folder).stat().st_mode & 0o777 == 0o750


def test_the_modules_of_every_allowed_class_are_loaded_at_boot() -> None:
    lines = (PACKAGING / "dealer-station.modules-load.conf").read_text().splitlines()
    assert {line for line in lines if line and not line.startswith("#")} == {
        "usbserial",
        "cdc_acm",
        "uvcvideo",
    }
