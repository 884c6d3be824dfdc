"""`dealer-station devices`: stable names, rights, what a node is, and entries that load."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from drivers.catalog import kind_name, kinds, spec_of
from drivers.kinds.textline import TextLineSpec
from station.cli import app
from station.cli_plugged import document, lines, not_there, survey
from station.cli_rights import me, rights
from tests.support.plugged import KEYS, Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def plug_serial(
    machine: Machine, socket: str, vid: str, pid: str, serial: str, name: str, product: str = ""
) -> None:
    device = machine.usb(socket, vid, pid, serial, product)
    machine.tty(machine.interface(device, 0), name)
    links = machine.dev / "serial/by-id"
    if not os.path.lexists(links / f"usb-{vid}-{pid}-{serial}"):
        machine.link(f"serial/by-id/usb-{vid}-{pid}-{serial}", name)
    machine.link(f"serial/by-path/pci-usb-{socket}", name)


def test_nothing_plugged_in_says_so_and_what_to_check(machine: Machine) -> None:
    said = "\n".join(lines(survey((), machine.sys, machine.dev), []))
    assert said.startswith("Nothing is plugged in")
    for check in ("cable", "power", "lsusb", "container", "tcp://host:4001"):
        assert check in said


@pytest.mark.parametrize(
    ("vid", "product", "kind", "says"),
    [
        ("05e0", "Symbol Bar Code Scanner", "text-line", "Zebra (Symbol) scanner"),
        ("0c2e", "Xenon 1900", "text-line", "Honeywell (Metrologic) scanner"),
        ("0403", "FT232R USB UART", "", "does not say what is behind it"),
        ("067b", "USB-Serial Controller", "", "does not say what is behind it"),
        ("1a86", "USB Serial", "", "does not say what is behind it"),
        ("dead", "Something", "", "does not say what is behind it"),
    ],
)
def test_a_serial_port_is_named_only_where_the_hardware_is_sure(
    machine: Machine, vid: str, product: str, kind: str, says: str
) -> None:
    plug_serial(machine, "1-1", vid, "0001", "S1", "ttyACM0", product)
    (found,) = survey((), machine.sys, machine.dev)
    assert (found.guess.kind, says in found.guess.says) == (kind, True)
    assert found.names == (
        str(machine.dev / f"serial/by-id/usb-{vid}-0001-S1"),
        f"usb:{vid}:0001:S1",
        str(machine.dev / "serial/by-path/pci-usb-1-1"),
    )
    (entry,) = tomllib.loads(found.fragment)["devices"]
    spec = spec_of(entry)
    assert (spec.port, kind_name(spec)) == (found.names[0], "text-line")
    assert ("cannot be told" in found.fragment) == (not kind)


def test_without_a_serial_number_the_sockets_name_comes_first_and_the_model_is_checked(
    machine: Machine,
) -> None:
    plug_serial(machine, "1-1", "1a86", "7523", "", "ttyUSB0")
    (found,) = survey((), machine.sys, machine.dev)
    assert found.names[0] == str(machine.dev / "serial/by-path/pci-usb-1-1")
    (entry,) = tomllib.loads(found.fragment)["devices"]
    assert spec_of(entry).usb == "1a86:7523"


def test_two_adapters_that_cannot_be_told_apart_have_only_their_sockets_names(
    machine: Machine,
) -> None:
    plug_serial(machine, "1-1", "1a86", "7523", "", "ttyUSB0")
    plug_serial(machine, "1-2", "1a86", "7523", "", "ttyUSB1")
    found = survey((), machine.sys, machine.dev)
    assert [one.names for one in found] == [
        (str(machine.dev / "serial/by-path/pci-usb-1-1"),),
        (str(machine.dev / "serial/by-path/pci-usb-1-2"),),
    ]
    entries = [tomllib.loads(one.fragment)["devices"][0] for one in found]
    assert [spec_of(entry).name for entry in entries] == ["shoe", "shoe-2"]


@pytest.mark.skipif("hid-pos" not in kinds(), reason="no HID-POS kind in this release")
def test_a_hid_scanner_is_known_by_its_report_descriptor_and_a_keyboard_face_is_not(
    machine: Machine,
) -> None:
    scanner = machine.usb("1-1", "0c2e", "0b61", "S7", "Xenon")
    machine.hidraw(machine.interface(scanner, 0), "hidraw0")
    keyboard = machine.interface(scanner, 1)
    machine.hidraw(keyboard, "hidraw1", KEYS)
    found = {Path(one.device.node).name: one for one in survey((), machine.sys, machine.dev)}
    assert found["hidraw0"].guess.kind == "hid-pos"
    assert "no barcode scanner" in found["hidraw1"].guess.says
    assert found["hidraw1"].fragment == ""


def test_a_persons_keyboard_gets_no_entry(machine: Machine) -> None:
    keyboard = machine.usb("1-1", "046d", "c31c", "", "Keyboard K120")
    machine.input(machine.interface(keyboard, 0), "event3")
    (found,) = survey((), machine.sys, machine.dev)
    assert (found.guess.kind, found.fragment) == ("", "")


def test_what_the_tables_file_has_is_found_by_link_and_by_usb_name(machine: Machine) -> None:
    plug_serial(machine, "1-1", "05e0", "1701", "A", "ttyACM0")
    plug_serial(machine, "1-2", "0c2e", "0b6a", "B", "ttyACM1")
    specs = (
        TextLineSpec(name="shoe", port=str(machine.dev / "serial/by-id/usb-05e0-1701-A")),
        TextLineSpec(name="spare", port="usb:0c2e:0b6a:B"),
        TextLineSpec(name="gone", port="usb:0c2e:0b6a:C"),
        TextLineSpec(name="far", port="tcp://10.0.0.7:4001"),
    )
    found = survey(specs, machine.sys, machine.dev)
    assert [(one.used_as, one.fragment) for one in found] == [("shoe", ""), ("spare", "")]
    missing = not_there(specs, found)
    assert [spec.name for spec in missing] == ["gone"]
    said = "\n".join(lines(found, missing))
    assert "NOT THERE  gone" in said
    assert "it is 'shoe'" in said
    told = document(found, missing)
    assert told["devices"][0]["used_as"] == "shoe"
    assert told["not_there"] == [{"name": "gone", "port": "usb:0c2e:0b6a:C"}]


def test_a_port_with_a_quote_in_its_name_still_makes_a_file_that_loads(machine: Machine) -> None:
    device = machine.usb("1-1", "05e0", "1701", "A", "X")
    machine.tty(machine.interface(device, 0), "ttyACM0")
    machine.link('serial/by-id/usb-"odd"\\name', "ttyACM0")
    (found,) = survey((), machine.sys, machine.dev)
    (entry,) = tomllib.loads(found.fragment)["devices"]
    assert spec_of(entry).port == found.names[0]


def test_rights_name_the_group_and_the_way_in(tmp_path: Path) -> None:
    node = tmp_path / "ttyUSB0"
    assert rights(node) is None
    node.touch(mode=0o600)
    found = rights(node)
    assert found is not None
    assert (found.owner, found.group, found.mode, found.mine) == (me(), "", "0600", True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_what_another_user_may_open_says_how_to_be_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = tmp_path / "ttyUSB0"
    node.touch(mode=0o660)
    os.chown(node, 0, 20)
    node.chmod(0o660)
    monkeypatch.setattr("station.cli_rights.os.access", lambda *_: False)
    found = rights(node)
    assert found is not None
    assert found.advice.startswith(f"sudo usermod -aG {found.group} {me()}")
    node.chmod(0o600)
    found = rights(node)
    assert found is not None
    assert "60-dealer-station.rules" in found.advice


def test_the_command_lists_this_machine(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["devices", "--json"])
    assert done.exit_code == 0
    assert '"ok":true' in done.stdout


def test_a_camera_is_named_by_its_link_and_its_second_node_is_none(machine: Machine) -> None:
    interface = machine.interface(machine.usb("1-1", "32e4", "9230", "S1", "Acme camera"), 0)
    machine.video(interface, "video0")
    machine.video(interface, "video1", index=1)
    for link in ("by-id/usb-Acme_S1-video-index0", "by-path/pci-usb-1-1-video-index0"):
        machine.link(f"v4l/{link}", "video0")
    (found,) = survey((), machine.sys, machine.dev)
    assert found.names == (
        str(machine.dev / "v4l/by-id/usb-Acme_S1-video-index0"),
        "usb:32e4:9230:S1",
        str(machine.dev / "v4l/by-path/pci-usb-1-1-video-index0"),
    )
    (entry,) = tomllib.loads(found.fragment)["devices"]
    spec = spec_of(entry)
    assert (spec.port, kind_name(spec)) == (found.names[0], "camera")
