"""A tree of devices as the kernel shows it, and udev's links, in a directory."""

from __future__ import annotations

import os
from pathlib import Path

POS = bytes.fromhex("05 8C 09 02 A1 01 85 02 75 08 95 3F 09 30 81 02 C0")
KEYS = bytes.fromhex("05 01 09 06 A1 01 05 07 19 E0 29 E7 75 01 95 08 81 02 C0")
TYPES = "e080ffdf01cfffff fffffffffffffffe"
MOUSE = "1f0000 0 0 0 0"


class Machine:
    """`sys` and `dev`, filled by plugging things in."""

    def __init__(self, root: Path) -> None:
        self.sys = root / "sys"
        self.dev = root / "dev"
        for subsystem in ("tty", "hidraw", "input", "video4linux"):
            (self.sys / "class" / subsystem).mkdir(parents=True)
        (self.sys / "dev" / "char").mkdir(parents=True)
        self.dev.mkdir()

    def usb(self, socket: str, vid: str, pid: str, serial: str = "", product: str = "") -> Path:
        """A USB device in a socket such as `1-2`."""
        place = self.sys / "devices" / "pci0000:00" / "usb1" / socket
        place.mkdir(parents=True)
        for file, text in {"idVendor": vid, "idProduct": pid, "serial": serial}.items():
            if text:
                (place / file).write_text(f"{text}\n")
        if product:
            (place / "product").write_text(f"{product}\n")
            (place / "manufacturer").write_text("Acme\n")
        return place

    def interface(self, device: Path, number: int) -> Path:
        """An interface of it."""
        place = device / f"{device.name}:1.{number}"
        place.mkdir()
        (place / "bInterfaceNumber").write_text(f"{number:02x}\n")
        return place

    def tty(self, above: Path, name: str, rdev: int = 0) -> Path:
        """A serial port below an interface."""
        return self._node(above / "tty" / name, "tty", name, rdev)

    def hidraw(self, above: Path, name: str, descriptor: bytes = POS, rdev: int = 0) -> Path:
        """A HID device's node below an interface."""
        hid = above / "0003:0C2E:0B61.0001"
        hid.mkdir(exist_ok=True)
        (hid / "report_descriptor").write_bytes(descriptor)
        place = self._node(hid / "hidraw" / name, "hidraw", name, rdev)
        (place / "device").symlink_to(hid)
        return place

    def input(self, above: Path, name: str, keys: str = TYPES, rdev: int = 0) -> Path:
        """An input node below an interface."""
        capabilities = above / "input" / f"input-{name}" / "capabilities"
        capabilities.mkdir(parents=True)
        (capabilities / "key").write_text(f"{keys}\n")
        place = self._node(capabilities.parent / name, "input", f"input/{name}", rdev)
        (place / "device").symlink_to(capabilities.parent)
        return place

    def video(self, above: Path, name: str, index: int = 0, rdev: int = 0) -> Path:
        """A camera's node below an interface; `index` 1 tells of its pictures and gives none."""
        place = self._node(above / "video4linux" / name, "video4linux", name, rdev)
        (place / "index").write_text(f"{index}\n")
        (place / "name").write_text("Acme camera\n")
        return place

    def played(self, name: str, bus: int = 3) -> Path:
        """A HID device that a program plays."""
        hid = self.sys / "devices" / "virtual" / "misc" / "uhid" / "0003:0C2E:0B61.0002"
        hid.mkdir(parents=True)
        (hid / "report_descriptor").write_bytes(POS)
        (hid / "uevent").write_text(
            f"HID_ID={bus:04X}:00000C2E:00000B61\nHID_NAME=Played\nHID_UNIQ=S1\n"
        )
        place = self._node(hid / "hidraw" / name, "hidraw", name, 0)
        (place / "device").symlink_to(hid)
        return place

    def port(self, name: str, bus: str) -> Path:
        """A serial port of the board itself."""
        device = self.sys / "devices" / bus / f"board-{name}"
        (self.sys / "bus" / bus).mkdir(parents=True, exist_ok=True)
        device.mkdir(parents=True)
        (device / "subsystem").symlink_to(self.sys / "bus" / bus)
        between = device / f"{name}:0"
        between.mkdir()
        (self.sys / "bus" / "serial-base").mkdir(exist_ok=True)
        (between / "subsystem").symlink_to(self.sys / "bus" / "serial-base")
        place = self.tty(between, name)
        (place / "device").symlink_to(between)
        return place

    def link(self, path: str, node: str) -> None:
        """One of udev's links."""
        link = self.dev / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(self.dev / node)

    def unplug(self, place: Path, subsystem: str) -> None:
        """A node goes."""
        (self.sys / "class" / subsystem / place.name).unlink()

    def _node(self, place: Path, subsystem: str, devname: str, rdev: int) -> Path:
        place.mkdir(parents=True)
        (place / "uevent").write_text(f"MAJOR=1\nMINOR=2\nDEVNAME={devname}\n")
        (place / "subsystem").symlink_to(self.sys / "class" / subsystem)
        entry = self.sys / "class" / subsystem / place.name
        entry.symlink_to(os.path.relpath(place, entry.parent))
        if rdev:
            number = f"{os.major(rdev)}:{os.minor(rdev)}"
            (self.sys / "dev" / "char" / number).symlink_to(place)
        node = self.dev / devname
        node.parent.mkdir(parents=True, exist_ok=True)
        node.touch()
        return place
