"""Stable names: what is plugged in, which of it a name means, and that nothing else is opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drivers.transports.base import TransportMisconfigured, TransportMissing
from drivers.transports.names import Plugged, plugged, usages
from drivers.transports.places import Place, identity
from drivers.transports.serial import SerialPort, SerialSettings
from tests.support.plugged import KEYS, MOUSE, POS, Machine
from tests.support.pty import VirtualSerial

NULL = os.stat("/dev/null").st_rdev  # noqa: PTH116 - a character device every machine has


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def listed(machine: Machine) -> tuple[Plugged, ...]:
    return plugged(machine.sys, machine.dev)


def place(machine: Machine, name: str, **how: str) -> Place:
    return Place(name, sys_root=machine.sys, dev_root=machine.dev, **how)  # type: ignore[arg-type]


def test_a_serial_adapter_is_listed_with_its_hardware_and_its_links(machine: Machine) -> None:
    device = machine.usb("1-2", "0403", "6001", "A5 X", "USB Serial")
    above = machine.interface(device, 0) / "ttyUSB3"
    above.mkdir()
    machine.tty(above, "ttyUSB3")
    machine.link("serial/by-id/usb-Acme-if00-port0", "ttyUSB3")
    machine.link("serial/by-path/pci-0000-usb-0:2:1.0-port0", "ttyUSB3")
    (one,) = listed(machine)
    assert one == Plugged(
        vid="0403",
        pid="6001",
        serial="A5 X",
        product="USB Serial",
        manufacturer="Acme",
        subsystem="tty",
        node=str(machine.dev / "ttyUSB3"),
        by_id=str(machine.dev / "serial/by-id/usb-Acme-if00-port0"),
        by_path=str(machine.dev / "serial/by-path/pci-0000-usb-0:2:1.0-port0"),
        interface="00",
    )
    assert one.usb == "0403:6001:A5_X"
    assert one.answers_to("0403:6001:A5_X")
    assert one.answers_to("0403:6001")
    assert not one.answers_to("0403:6001:A5")
    assert not one.answers_to("0403:6015")


def test_every_node_of_a_scanner_is_listed_and_a_mouse_is_not(machine: Machine) -> None:
    scanner = machine.usb("1-1", "0c2e", "0b61")
    machine.hidraw(machine.interface(scanner, 0), "hidraw0")
    keyboard = machine.interface(scanner, 1)
    machine.hidraw(keyboard, "hidraw10", KEYS)
    machine.input(keyboard, "event7")
    mouse = machine.usb("1-3", "046d", "c077")
    machine.input(machine.interface(mouse, 0), "event8", MOUSE)
    assert [(one.subsystem, Path(one.node).name, one.usages) for one in listed(machine)] == [
        ("hidraw", "hidraw0", ("8c:02",)),
        ("hidraw", "hidraw10", ("01:06",)),
        ("input", "event7", ()),
    ]


def test_only_serial_ports_of_the_board_that_exist_are_listed(machine: Machine) -> None:
    machine.port("ttyS0", "pnp")
    machine.port("ttyS1", "platform")
    (one,) = listed(machine)
    assert (Path(one.node).name, one.vid, one.usb) == ("ttyS0", "", "")


def test_a_device_a_program_plays_is_listed_unless_it_is_bluetooth(machine: Machine) -> None:
    machine.played("hidraw4")
    (one,) = listed(machine)
    assert (one.usb, one.product) == ("0c2e:0b61:S1", "Played")


def test_a_bluetooth_device_has_no_usb_name(machine: Machine) -> None:
    machine.played("hidraw4", bus=5)
    assert listed(machine) == ()


def test_a_machine_without_these_directories_has_nothing_plugged_in(tmp_path: Path) -> None:
    assert plugged(tmp_path, tmp_path) == ()


@pytest.mark.parametrize("cut", range(len(POS)))
def test_a_descriptor_that_is_cut_short_is_read_as_far_as_it_goes(cut: int) -> None:
    assert usages(POS[:cut]) == (("8c:02",) if cut > 4 else ())
    assert usages(b"\xff" * cut) in ((), ("00:00",))


def test_a_usb_name_leads_to_the_node_wherever_it_is_plugged(machine: Machine) -> None:
    name = place(machine, "usb:0403:6001:A5X")
    with pytest.raises(TransportMissing, match="not plugged in"):
        name.node()
    assert name.target() is None
    first = machine.usb("1-2", "0403", "6001", "A5X")
    node = machine.tty(machine.interface(first, 0), "ttyUSB0")
    opened = name.target()
    machine.unplug(node, "tty")
    assert not name.still(opened)
    again = machine.usb("1-4", "0403", "6001", "A5X")
    _point_at_null(machine, machine.tty(machine.interface(again, 0), "ttyUSB1", NULL))
    assert name.node() == str(machine.dev / "ttyUSB1")
    assert not name.still(opened)


def test_two_devices_that_answer_to_a_name_are_never_guessed_between(machine: Machine) -> None:
    for socket, serial in (("1-1", "A"), ("1-2", "B")):
        device = machine.usb(socket, "0403", "6001", serial)
        machine.tty(machine.interface(device, 0), f"ttyUSB{serial}")
    with pytest.raises(TransportMisconfigured, match="two devices answer") as refused:
        place(machine, "usb:0403:6001").node()
    assert "ttyUSBA" in str(refused.value)
    assert "ttyUSBB" in str(refused.value)
    # The one that is open stays open: it still answers to its name.
    both = place(machine, "usb:0403:6001")
    assert both.still(identity((machine.dev / "ttyUSBA").stat()))


def test_of_the_nodes_of_one_scanner_the_one_for_the_wanted_use_is_taken(machine: Machine) -> None:
    scanner = machine.usb("1-1", "0c2e", "0b61")
    pos = machine.hidraw(machine.interface(scanner, 0), "hidraw0", POS, NULL)
    _point_at_null(machine, pos)
    machine.hidraw(machine.interface(scanner, 1), "hidraw1", KEYS)
    name = place(machine, "usb:0c2e:0b61", subsystem="hidraw", usage="8c:02")
    assert name.node() == str(machine.dev / "hidraw0")


def test_a_scanner_set_to_another_interface_is_said_to_be(machine: Machine) -> None:
    scanner = machine.usb("1-1", "0c2e", "0b61")
    machine.hidraw(machine.interface(scanner, 0), "hidraw0", KEYS)
    machine.input(machine.interface(scanner, 1), "event3")
    with pytest.raises(TransportMisconfigured, match="set to another interface") as refused:
        place(machine, "usb:0c2e:0b61", subsystem="hidraw", usage="8c:02").node()
    assert "event3" in str(refused.value)
    with pytest.raises(TransportMisconfigured, match="set to another interface"):
        place(machine, "usb:0c2e:0b61").node()


def _point_at_null(machine: Machine, node: Path) -> None:
    (machine.dev / node.name).unlink()
    (machine.dev / node.name).symlink_to("/dev/null")


# --- the pin -----------------------------------------------------------------------------------


def test_other_hardware_under_a_pinned_link_is_refused_before_it_is_opened(
    machine: Machine,
) -> None:
    other = machine.usb("1-2", "067b", "2303", product="Other Adapter")
    node = machine.tty(machine.interface(other, 0), "ttyUSB0", NULL)
    _point_at_null(machine, node)
    with pytest.raises(TransportMisconfigured) as refused:
        place(machine, str(machine.dev / "ttyUSB0"), pin="0403:6001:A5X").node()
    said = str(refused.value)
    assert "another device is plugged there: 067b:2303 (Acme Other Adapter)" in said
    assert "only 0403:6001:A5X is accepted" in said


def test_what_was_opened_is_asked_again_because_a_plug_changes_in_between(
    machine: Machine, tmp_path: Path
) -> None:
    virtual = VirtualSerial(tmp_path / "shoe")
    virtual.plug()
    rdev = virtual.link.stat().st_rdev
    right = machine.usb("1-1", "0403", "6001", "A5X")
    machine.tty(machine.interface(right, 0), "ttyUSB0", rdev)
    settings = SerialSettings(path=str(virtual.link))
    pinned = place(machine, str(virtual.link), pin="0403:6001:A5X")
    transport = SerialPort(settings, pinned).open()
    assert transport.still_there()
    transport.close()

    (right / "serial").write_text("B6Y\n")
    pinned.node = lambda: str(virtual.link)  # type: ignore[method-assign]
    with pytest.raises(TransportMisconfigured, match="another device is plugged there: 0403:6001"):
        SerialPort(settings, pinned).open()
    virtual.unplug()


def test_a_pinned_port_without_known_hardware_is_refused(machine: Machine, tmp_path: Path) -> None:
    virtual = VirtualSerial(tmp_path / "shoe")
    virtual.plug()
    with pytest.raises(TransportMisconfigured, match="no USB hardware is known"):
        SerialPort(
            SerialSettings(path=str(virtual.link)),
            place(machine, str(virtual.link), pin="0403:6001"),
        ).open()
    virtual.unplug()


def test_an_input_device_that_says_nothing_sensible_of_its_keys_is_taken_to_type(
    machine: Machine,
) -> None:
    device = machine.usb("1-4", "0c2e", "0b61", "S1", "Scanner")
    above = machine.interface(device, 0) / "0003:0C2E:0B61.0007"
    above.mkdir()
    machine.input(above, "event3", keys="zz what")
    assert [one.node for one in listed(machine)] == [str(machine.dev / "input/event3")]


def test_a_camera_is_listed_once_by_the_node_that_gives_pictures(machine: Machine) -> None:
    camera = machine.usb("1-5", "32e4", "9230", "CAM1", "Global shutter")
    above = machine.interface(camera, 0)
    machine.video(above, "video0")
    machine.video(above, "video1", index=1)
    machine.link("v4l/by-id/usb-Acme-video-index0", "video0")
    (one,) = listed(machine)
    assert (one.subsystem, Path(one.node).name) == ("video4linux", "video0")
    assert one.by_id == str(machine.dev / "v4l/by-id/usb-Acme-video-index0")
    assert place(machine, "usb:32e4:9230:CAM1", subsystem="video4linux").target() is not None
    assert place(machine, "usb:32e4:9230:CAM1", subsystem="tty").target() is None


def test_a_camera_that_is_no_usb_device_is_named_by_what_it_says(machine: Machine) -> None:
    machine.video(machine.sys / "devices/virtual", "video7")
    (one,) = listed(machine)
    assert (one.usb, one.product) == ("", "Acme camera")
