"""`doctor` and cameras: nodes, rights, the decoder's library, and the folder of pictures."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.kinds.camera import CameraSpec
from drivers.kinds.textline import TextLineSpec
from drivers.specs import DeviceSpec
from station.cli_doctor_camera import cameras, evidence, there
from station.cli_doctor_host import GROUPS
from station.cli_finding import Finding
from station.config import EvidenceSection
from station.evidence import folder_of
from tests.support.plugged import Machine

PORT = "/dev/v4l/by-id/usb-Acme_camera-video-index0"
SHOE = TextLineSpec(name="shoe", port="/dev/table/shoe")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def plug(machine: Machine, name: str = "video0") -> Path:
    """A camera with its two nodes."""
    interface = machine.interface(machine.usb("1-1", "32e4", "9230", "S1", "Acme camera"), 0)
    machine.video(interface, name)
    machine.video(interface, "video1", index=1)
    node = machine.dev / name
    node.touch()
    return node


def camera(decoder: str = "zxing", *read: str) -> DeviceSpec:
    return CameraSpec(
        name="cam",
        port=PORT,
        decoder=decoder,  # type: ignore[arg-type]
        read=read or ("barcode", "index"),  # type: ignore[arg-type]
    )


def looked(machine: Machine, *specs: DeviceSpec, zbar: bool = True) -> list[Finding]:
    return list(cameras(specs, machine.sys, machine.dev, lambda _library: zbar))


def test_without_a_camera_in_the_file_and_at_the_machine_nothing_is_said(machine: Machine) -> None:
    assert looked(machine, SHOE, zbar=False) == []


def test_no_camera_plugged_in_is_said_with_what_to_do(machine: Machine) -> None:
    (one,) = looked(machine, camera())
    assert (one.check, one.level, one.where) == ("camera", "fail", PORT)
    assert "uvcvideo" in one.do


def test_a_camera_that_may_be_opened_is_in_order_and_its_second_node_is_none(
    machine: Machine,
) -> None:
    node = plug(machine)
    (one,) = looked(machine, camera())
    assert (one.level, one.where) == ("ok", str(node))
    assert "Acme" in one.what


@pytest.mark.parametrize(("specs", "level"), [((camera(),), "fail"), ((SHOE,), "warn")])
def test_a_camera_without_rights_names_the_group(
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    specs: tuple[DeviceSpec, ...],
    level: str,
) -> None:
    plug(machine).chmod(0o660)
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr("station.cli_rights.group_name", lambda _gid: "video")
    monkeypatch.setattr("station.cli_rights.my_groups", lambda **_how: frozenset())
    (one,) = looked(machine, *specs)
    assert (one.level, "may not open it" in one.what) == (level, True)
    assert "usermod -aG video" in one.do


def test_the_groups_of_a_table_have_the_one_of_cameras() -> None:
    assert "video" in GROUPS


@pytest.mark.parametrize(
    ("spec", "level"),
    [
        (camera("both"), "warn"),
        (camera("pyzbar"), "fail"),
        (camera("zxing"), ""),
        (camera("pyzbar", "index"), ""),
    ],
)
def test_a_missing_zbar_counts_where_it_is_to_read_codes(
    machine: Machine, spec: DeviceSpec, level: str
) -> None:
    plug(machine)
    found = [one for one in looked(machine, spec, zbar=False) if one.check == "decoder"]
    assert [one.level for one in found] == ([level] if level else [])
    assert all("apt-get install libzbar0" in one.do for one in found)
    assert [one.check for one in looked(machine, spec)] == ["camera"]


def test_a_library_is_looked_for_without_loading_image_code() -> None:
    assert there("libc.so.6")
    assert not there("libnothere.so.9")
    code = (
        "import sys; from station.cli_doctor_camera import there; there('libzbar.so.0');"
        "print({'cv2', 'numpy', 'pyzbar'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "set()\n"


def test_the_folder_of_pictures_is_counted_and_a_bad_one_is_named(tmp_path: Path) -> None:
    journal, settings = tmp_path / "journal.db", EvidenceSection(days=7, megabytes=50)
    assert list(evidence(journal, settings)) == []
    folder_of(journal).mkdir()
    (folder_of(journal) / "a.jpg").write_bytes(bytes(3 * 2**20))
    (one,) = evidence(journal, settings)
    assert (one.level, one.what) == ("ok", "1 pictures, 3 of 50 MB, 7 days")
    folder_of(journal).rename(tmp_path / "moved")
    folder_of(journal).symlink_to(tmp_path / "moved")
    (one,) = evidence(journal, settings)
    assert (one.level, "it is a link" in one.what) == ("fail", True)
