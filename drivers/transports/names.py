"""Stable names: which device stands behind a name, from what the kernel and udev tell.

A device node's number changes at every replug, so no node is ever taken by its number. A name is
a link that udev keeps (/dev/serial/by-id/..., by-path/...), or `usb:vid:pid[:serial]`, which is
looked up among what is plugged in. When two devices answer to it nothing is opened: never a guess.

What is read: `/sys/class/{tty,hidraw,input,video4linux}`, links into the tree of devices (Linux
Documentation/admin-guide/sysfs-rules.rst), and the links under `/dev/*/by-id` and `by-path`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

Subsystem = Literal["tty", "hidraw", "input", "video4linux"]
SUBSYSTEMS: tuple[Subsystem, ...] = ("tty", "hidraw", "input", "video4linux")

SYS = Path("/sys")
DEV = Path("/dev")

_USB_BUS = 3
_ENTER_AND_DIGITS = (28, *range(2, 12))
_SPACES = re.compile(r"\s+")


class Plugged(Struct, frozen=True, kw_only=True):
    """One node of one device. `vid` and `pid`: four lower-case hex digits, "" for a built-in serial
    port. `node`: such as /dev/ttyACM0, for now. `by_id`, `by_path`: udev's links to it, "" without.
    `interface`: the number of the USB interface, two hex digits, "" when it has none.
    `usages`: of a hidraw node, what its collections are for, such as `8c:02` (page and usage).
    """

    vid: str = ""
    pid: str = ""
    serial: str = ""
    product: str = ""
    manufacturer: str = ""
    subsystem: Subsystem
    node: str
    by_id: str = ""
    by_path: str = ""
    interface: str = ""
    usages: tuple[str, ...] = ()

    @property
    def usb(self) -> str:
        """`vid:pid[:serial]` as a setting writes it; "" for what is not on USB."""
        if not self.vid:
            return ""
        return ":".join(filter(None, (self.vid, self.pid, written_serial(self.serial))))

    @property
    def says(self) -> str:
        """What it is, for a person."""
        words = " ".join(filter(None, (self.manufacturer, self.product)))
        return f"{self.usb or 'no USB device'}{f' ({words})' if words else ''}"

    def answers_to(self, usb: str) -> bool:
        """Whether it is the hardware `vid:pid` or `vid:pid:serial`."""
        vid, pid, *serial = usb.split(":", 2)
        if (vid, pid) != (self.vid, self.pid):
            return False
        return not serial or serial[0] == written_serial(self.serial)


def written_serial(serial: str) -> str:
    """A serial number as names write it: udev, too, puts `_` for spaces."""
    return _SPACES.sub("_", serial)


def plugged(sys_root: Path = SYS, dev_root: Path = DEV) -> tuple[Plugged, ...]:
    """Every serial port, HID device, typing device and camera there is, in the order of the nodes.

    Input devices that cannot type digits and Enter (mice, power buttons) are left out, and so are
    serial ports that only exist on paper, and nodes of a camera that give no pictures. Raises
    nothing: what cannot be read is not there.
    """
    links = _links(dev_root)
    found: list[Plugged] = []
    for subsystem in SUBSYSTEMS:
        for entry in _entries(sys_root, subsystem):
            one = _plugged(sys_root, dev_root, subsystem, entry)
            if one is not None:
                by_id, by_path = (links[kind].get(one.node, "") for kind in ("by-id", "by-path"))
                found.append(_with(one, by_id=by_id, by_path=by_path))
    return tuple(sorted(found, key=lambda one: (one.subsystem, _natural(one.node))))


def with_number(rdev: int, sys_root: Path = SYS, dev_root: Path = DEV) -> Plugged | None:
    """What the character device of that number is (`st_rdev` of an open one), None if unknown."""
    entry = sys_root / "dev" / "char" / f"{os.major(rdev)}:{os.minor(rdev)}"
    try:
        place = entry.resolve(strict=True)
        subsystem = (place / "subsystem").resolve(strict=True).name
    except (OSError, RuntimeError):
        return None
    for known in SUBSYSTEMS:
        if subsystem == known:
            return _plugged(sys_root, dev_root, known, place)
    return None


def on_usb(
    usb: str, subsystem: Subsystem, sys_root: Path = SYS, dev_root: Path = DEV
) -> tuple[Plugged, ...]:
    """The nodes of one subsystem whose hardware is `usb`: cheap enough for four times a second."""
    found = (_plugged(sys_root, dev_root, subsystem, e) for e in _entries(sys_root, subsystem))
    return tuple(one for one in found if one is not None and one.answers_to(usb))


# --- the tree of devices -----------------------------------------------------------------------


def _entries(sys_root: Path, subsystem: Subsystem) -> Iterator[Path]:
    """The places in the tree of the nodes of a class. Consoles and ptys are passed over unread."""
    top = sys_root / "class" / subsystem
    try:
        entries = sorted(os.scandir(top), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if subsystem == "input" and not entry.name.startswith("event"):
            continue
        try:
            leads_to = os.readlink(entry.path)  # noqa: PTH115 - one call an entry is all it costs
        except OSError:
            continue
        if "/virtual/tty/" not in leads_to:
            yield Path(os.path.normpath(top / leads_to))


def _plugged(sys_root: Path, dev_root: Path, subsystem: Subsystem, place: Path) -> Plugged | None:
    name = _uevent(place).get("DEVNAME", "")
    if not name or (subsystem == "input" and not _types(place)):
        return None
    if subsystem == "video4linux" and _text(place / "index") not in ("", "0"):
        return None  # A USB camera's second node tells of its pictures and gives none.
    node = str(dev_root / name)
    usb = _above(place, "idVendor", sys_root)
    if usb is not None:
        interface = _above(place, "bInterfaceNumber", sys_root)
        one = Plugged(
            subsystem=subsystem,
            node=node,
            vid=_text(usb / "idVendor").lower(),
            pid=_text(usb / "idProduct").lower(),
            serial=_text(usb / "serial"),
            product=_text(usb / "product"),
            manufacturer=_text(usb / "manufacturer"),
            interface=_text(interface / "bInterfaceNumber") if interface else "",
        )
    elif subsystem == "tty":
        if _bus(place / "device") in ("", "platform"):
            return None
        one = Plugged(subsystem=subsystem, node=node, product="built-in serial port")
    elif subsystem == "video4linux":
        one = Plugged(subsystem=subsystem, node=node, product=_text(place / "name"))
    else:
        hid = _hid(place, sys_root)
        if hid is None:
            return None
        one = _with(hid, subsystem=subsystem, node=node)
    if subsystem == "hidraw":
        one = _with(one, usages=usages(_data(place / "device" / "report_descriptor")))
    return one


def _hid(place: Path, sys_root: Path) -> Plugged | None:
    """A USB HID device that is not below a USB device: one that a program plays (uhid)."""
    above = _above(place, "report_descriptor", sys_root)
    told = _uevent(above) if above else {}
    match = re.fullmatch(r"([0-9A-F]+):([0-9A-F]+):([0-9A-F]+)", told.get("HID_ID", ""))
    if match is None or int(match[1], 16) != _USB_BUS:
        return None
    vid, pid = (f"{int(number, 16):04x}" for number in match.groups()[1:])
    return Plugged(
        subsystem="hidraw",
        node="",
        vid=vid,
        pid=pid,
        serial=told.get("HID_UNIQ", ""),
        product=told.get("HID_NAME", ""),
    )


def _types(place: Path) -> bool:
    """Whether an input device can type digits and Enter; one that does not say so is taken to."""
    words = _text(place / "device" / "capabilities" / "key").split()
    try:
        # Words of 64 bits, the highest first.
        low = int(words[-1], 16)
    except (IndexError, ValueError):
        return True
    return all(low >> key & 1 for key in _ENTER_AND_DIGITS)


def usages(descriptor: bytes) -> tuple[str, ...]:
    """What the top collections of a HID report descriptor are for: `page:usage` in hex, such as
    `8c:02` (Device Class Definition for HID 1.11, section 6.2.2: short items only).
    """
    found: list[str] = []
    page = usage = depth = at = 0
    while at < len(descriptor):
        prefix = descriptor[at]
        size = (0, 1, 2, 4)[prefix & 3]
        value = int.from_bytes(descriptor[at + 1 : at + 1 + size], "little")
        match prefix & 0xFC:
            case 0x04:
                page = value
            case 0x08:
                usage = value
            case 0xA0:
                if depth == 0:
                    found.append(f"{page & 0xFFFF:02x}:{usage & 0xFFFF:02x}")
                depth += 1
            case 0xC0:
                depth -= 1
        at += 1 + size
    return tuple(found)


def _above(place: Path, file: str, sys_root: Path) -> Path | None:
    """The nearest place at or above that has such a file."""
    for one in (place, *place.parents):
        if one == sys_root:
            return None
        if (one / file).is_file():
            return one
    return None


def _bus(device: Path) -> str:
    """The bus a device sits on. The kernel puts one of its own between a port and the real one."""
    try:
        place = device.resolve(strict=True)
        while (bus := (place / "subsystem").resolve(strict=True).name) == "serial-base":
            place = place.parent
    except (OSError, RuntimeError):
        return ""
    return bus


def _uevent(place: Path) -> dict[str, str]:
    lines = _text(place / "uevent").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _text(file: Path) -> str:
    return _data(file).decode("utf-8", "replace").strip()


def _data(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except (OSError, ValueError):
        return b""


def _with(one: Plugged, **changes: object) -> Plugged:
    return Plugged(**{field: getattr(one, field) for field in one.__struct_fields__} | changes)


# --- udev's links ------------------------------------------------------------------------------


def _links(dev_root: Path) -> dict[str, dict[str, str]]:
    """By kind of link: the node it leads to → the first link, in the order of names."""
    links: dict[str, dict[str, str]] = {"by-id": {}, "by-path": {}}
    for kind, found in links.items():
        for link in sorted(dev_root.glob(f"*/{kind}/*")):
            found.setdefault(os.path.realpath(link), str(link))
    return links


def _natural(node: str) -> tuple[str, int]:
    digits = re.search(r"\d*$", node)
    number = digits[0] if digits else ""
    return node.removesuffix(number), int(number or 0)
