"""The devices of a table's file, and what `config check` finds in its surroundings."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from drivers.catalog import DEFAULT_KIND, kind_name, kind_of, subsystem_of
from drivers.specs import DeviceSpec
from station.config import Config, ConfigError
from station.config_words import known
from station.device_specs import device_specs
from station.wording.say import money

SOCKET_BYTES = 107
EXAMPLE_PORT = "YOUR_SHOE"
# Names that tell what sort of node stands behind them.
_NODES = {
    "/dev/serial/": ("tty", "a serial port"),
    "/dev/tty": ("tty", "a serial port"),
    "/dev/input/": ("input", "a keyboard's or mouse's input"),
    "/dev/hidraw": ("hidraw", "a raw HID device"),
    "/dev/v4l/": ("video4linux", "a camera"),
    "/dev/video": ("video4linux", "a camera"),
}


def devices(config: Config) -> tuple[DeviceSpec, ...]:
    """The devices of a table's file. Raises ConfigError that also names what could be written."""
    try:
        return device_specs(config)
    except ConfigError as error:
        where, _, what = str(error).partition(": ")
        in_entry = "$" + where.partition("]")[2]
        raise ConfigError(f"{error}{known(what, in_entry, _spec_at(config, where))}") from None


def _spec_at(config: Config, where: str) -> type[DeviceSpec]:
    """The settings there are for the entry that `where` names, as `$.devices[2].baud`."""
    number = int(where.partition("[")[2].partition("]")[0] or 0)
    try:
        return kind_of(str(config.devices[number].get("kind", DEFAULT_KIND))).spec
    except (ValueError, IndexError):
        return DeviceSpec


def socket_fault(config: Config) -> str:
    """Why the table's socket cannot be made, or "": Linux takes paths of 107 bytes at most."""
    path = config.link.socket
    size = len(os.fsencode(path))
    if size <= SOCKET_BYTES:
        return ""
    return (
        f"$.link.socket: {path} has {size} bytes, a socket's path {SOCKET_BYTES} at most; "
        "write a shorter one, such as /run/table.sock"
    )


def _other_node(device: DeviceSpec) -> str:
    """What the name of a port says it is, when that is not what the kind is read from, or ""."""
    for folder, (subsystem, words) in _NODES.items():
        if device.port.startswith(folder) and subsystem_of(device) != subsystem:
            return words
    return ""


def host(config: Config) -> str:
    """Who says who sits, bets and decides."""
    if config.table.host == "link":
        return "a game host, over the link"
    unit = money(config.chairs.nominal, config.table.minor_digits)
    return f"players in the chairs, keyed by the dealer; a bet without an amount counts {unit}"


def warnings(config: Config, specs: Iterable[DeviceSpec]) -> list[str]:
    """What is not there yet, a sentence each; none of it makes the file wrong."""
    found, specs = [], tuple(specs)
    if not any(device.role != "board" for device in specs):
        found.append("no [[devices]] reads cards: none can be dealt at this table")
    for device in specs:
        where = f"device {device.name}: {device.port}"
        if there := _other_node(device):
            found.append(f"{where} is {there}; {kind_name(device)} is not read from one")
        if EXAMPLE_PORT in device.port:
            found.append(f"{where} is the example's; `ls -l /dev/serial/by-id` lists what there is")
        elif device.port.startswith("/") and not Path(device.port).exists():
            found.append(f"{where} does not exist; is it plugged in and switched on?")
    if config.table.host == "link" and config.chairs.nominal != config.rules.main_min:
        found.append('$.chairs.nominal counts only with host = "chairs"')
    # A test table makes its own people.
    if config.table.kind == "live" and not Path(config.staff.file).exists():
        found.append(
            f"{config.staff.file}: no staff file; add people with `dealer-station staff add`"
        )
    return found
