"""Only what the table's file names is opened; what is plugged in beside it is told once."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from drivers.catalog import kind_of, kinds, spec_of
from drivers.specs import DeviceSpec
from drivers.transports.names import Plugged
from station.config import ConfigError, load_config
from station.daemon import Daemon
from station.device_specs import device_specs
from station.hardware import Newcomers
from tests.support.plugged import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def plug(machine: Machine, socket: str, serial: str, node: str) -> Path:
    device = machine.usb(socket, "0403", "6001", serial, "USB Serial")
    above = machine.interface(device, 0) / node
    above.mkdir()
    machine.tty(above, node)
    return machine.dev / node


def shoe(port: str) -> DeviceSpec:
    return spec_of({"name": "shoe", "port": port})


def test_what_is_unknown_is_told_once(machine: Machine) -> None:
    plug(machine, "1-2", "MINE", "ttyUSB0")
    plug(machine, "1-3", "STRANGE", "ttyUSB1")
    newcomers = Newcomers([shoe("usb:0403:6001:MINE")], machine.sys, machine.dev)
    (stranger,) = newcomers.look()
    assert stranger.serial == "STRANGE"
    assert newcomers.look() == []


def test_the_tables_own_is_known_by_its_link_too(machine: Machine) -> None:
    node = plug(machine, "1-2", "MINE", "ttyUSB0")
    node.touch()
    link = machine.dev / "shoe"
    link.symlink_to(node)
    assert Newcomers([shoe(str(link))], machine.sys, machine.dev).look() == []


def test_one_that_comes_again_is_told_again(machine: Machine) -> None:
    newcomers = Newcomers([], machine.sys, machine.dev)
    plug(machine, "1-3", "STRANGE", "ttyUSB1")
    assert len(newcomers.look()) == 1
    (machine.sys / "class" / "tty" / "ttyUSB1").unlink()
    assert newcomers.look() == []
    machine.sys.joinpath("class", "tty", "ttyUSB1").symlink_to(
        next(machine.sys.glob("devices/**/tty/ttyUSB1"))
    )
    assert len(newcomers.look()) == 1


@pytest.mark.parametrize(
    "port",
    [
        "/dev/ttyUSB0",
        "/dev/ttyACM3",
        "/dev/hidraw1",
        "/dev/ttyXRUSB0",
        "/dev/ttyCH341USB0",
        "/dev/rfcomm0",
        "/dev//ttyUSB0",
        "//dev/ttyUSB0",
        "/dev/serial/../ttyUSB0",
    ],
)
def test_a_live_table_takes_no_name_that_another_device_may_get(tmp_path: Path, port: str) -> None:
    with pytest.raises(ConfigError, match=r"\$\.devices\[0\]\.port: .*by-id"):
        device_specs(load_config(table(tmp_path, "live", f'port = "{port}"\n')))
    device_specs(load_config(table(tmp_path, "test", f'port = "{port}"\n')))
    pinned = f'port = "{port}"\nusb = "0403:6001:MINE"\n'
    device_specs(load_config(table(tmp_path, "live", pinned)))


def test_two_ways_to_write_one_port_are_one_port(tmp_path: Path) -> None:
    other = (
        'port = "/dev/table/shoe"\n[[devices]]\nname = "b"\nport = "/dev/table/../table//shoe"\n'
    )
    with pytest.raises(ConfigError, match=r"\[1\]\.port.*twice"):
        device_specs(load_config(table(tmp_path, "test", other)))


def test_a_table_goes_on_whatever_the_look_around_meets() -> None:
    class Broken:
        def look(self) -> list[Plugged]:
            raise ValueError("a file of the kernel with anything in it")

    daemon = SimpleNamespace(_newcomers=Broken())
    Daemon.look_around(daemon)  # type: ignore[arg-type]


def test_a_live_table_takes_no_device_that_a_simulator_plays(tmp_path: Path) -> None:
    port = 'port = "virtual:/tmp/x.sock"\nkind = "hid-pos"\n'
    with pytest.raises(ConfigError, match="simulator"):
        device_specs(load_config(table(tmp_path, "live", port)))
    device_specs(load_config(table(tmp_path, "test", port)))


def table(folder: Path, kind: str, device: str) -> Path:
    file = folder / "table.toml"
    file.write_text(
        f'[table]\nid = "T01"\nkind = "{kind}"\n[[devices]]\nname = "shoe"\n{device}',
        encoding="utf-8",
    )
    return file


def test_every_kind_says_what_sort_of_node_it_is_read_from() -> None:
    found = {name: kind_of(name).subsystem for name in kinds()}
    assert {name for name, sort in found.items() if sort == "hidraw"} == {"hid-pos"}
    assert {name for name, sort in found.items() if sort == "input"} == {"keyboard"}
