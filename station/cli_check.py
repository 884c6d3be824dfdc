"""The devices of a table's file, and what `config check` finds in its surroundings."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from drivers.catalog import kind_name, subsystem_of
from drivers.specs import DeviceSpec
from station.config import Config
from station.device_specs import device_specs
from station.wording.say import money

SOCKET_BYTES = 107
EXAMPLE_PORT = "YOUR_SHOE"
# As a camera's pictures and films are named.
PICTURES = (".bmp", ".jpeg", ".jpg", ".png")
FILMS = (".avi", ".m4v", ".mkv", ".mov", ".mp4", ".webm")
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
    return device_specs(config)


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


def _absent(device: DeviceSpec) -> str:
    """Why nothing can come from a port as it is now, or "": a device, a simulator, a film."""
    scheme, _, rest = device.port.partition(":")
    place = Path(rest if scheme in ("virtual", "file") else device.port)
    if not place.is_absolute():
        return ""
    if not place.exists():
        return {
            "virtual": "is not there; has its simulator been started?",
            "file": "is not there; mend the path of the film or folder",
        }.get(scheme, "does not exist; is it plugged in and switched on?")
    if scheme == "virtual" and not place.is_socket():
        return "is no simulator's socket; mend the path"
    if scheme == "file" and place.is_dir() and not _pictures_in(place):
        return "holds no pictures; put some in, or mend the path"
    if scheme == "file" and place.is_file() and place.suffix.lower() not in PICTURES + FILMS:
        return "is named neither as a picture nor as a film; mend the path"
    if device.port.startswith("/dev/") and place.is_char_device() and not _of_its_sort(device):
        return f"is no device that {kind_name(device)} is read from; mend the name"
    return ""


def _pictures_in(folder: Path) -> bool:
    """Whether there are some; one that may not be looked into has none for the table."""
    try:
        return any(one.suffix.lower() in PICTURES for one in folder.iterdir())
    except OSError:
        return False


def _of_its_sort(device: DeviceSpec) -> bool:
    """Whether the node is of the sort the kind is read from, as the kernel has it; True where that
    cannot be told.
    """
    try:
        number = Path(device.port).stat().st_rdev
        link = Path(f"/sys/dev/char/{os.major(number)}:{os.minor(number)}/subsystem").resolve()
    except OSError:
        return True
    return link.name == subsystem_of(device) or not link.exists()


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
        elif absent := _absent(device):
            found.append(f"{where} {absent}")
    if config.table.host == "link" and config.chairs.nominal != config.rules.main_min:
        found.append('$.chairs.nominal counts only with host = "chairs"')
    # A test table makes its own people.
    if config.table.kind == "live" and not Path(config.staff.file).exists():
        found.append(
            f"{config.staff.file}: no staff file; add people with `dealer-station staff add`"
        )
    return found
