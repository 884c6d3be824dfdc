"""Requests to device nodes, and their numbers, which the kernel's headers compute.

Sources: Linux include/uapi/asm-generic/ioctl.h (`_IOC`), include/uapi/linux/input.h and
include/uapi/linux/hidraw.h. The layout of the number is the one of x86, ARM and RISC-V.
"""

from __future__ import annotations

import fcntl
import struct

_NONE, _WRITE, _READ = 0, 1, 2
INT = 4
INPUT_ID = struct.Struct("HHHH")
RAW_INFO = struct.Struct("Ihh")
CLOCK_MONOTONIC = 1


def _ioc(direction: int, letter: str, number: int, size: int) -> int:
    return direction << 30 | size << 16 | ord(letter) << 8 | number


EVIOCGID = _ioc(_READ, "E", 0x02, INPUT_ID.size)
EVIOCGRAB = _ioc(_WRITE, "E", 0x90, INT)
EVIOCSCLOCKID = _ioc(_WRITE, "E", 0xA0, INT)
HIDIOCGRAWINFO = _ioc(_READ, "H", 0x03, RAW_INFO.size)


def eviocgname(size: int) -> int:
    """The device's name, at most `size` bytes."""
    return _ioc(_READ, "E", 0x06, size)


def eviocgled(size: int) -> int:
    """Which lamps are lit, one bit each."""
    return _ioc(_READ, "E", 0x19, size)


def eviocgbit(kind: int, size: int) -> int:
    """Which codes of a kind of event it has, one bit each; of kind 0, which kinds."""
    return _ioc(_READ, "E", 0x20 + kind, size)


def hidiocsfeature(size: int) -> int:
    """Sends a feature report of `size` bytes, its number first."""
    return _ioc(_WRITE | _READ, "H", 0x06, size)


def text(fd: int, request: int, size: int) -> str:
    """A text the device tells. Raises OSError."""
    data = fcntl.ioctl(fd, request, bytes(size))
    return data.split(b"\0", 1)[0].decode("utf-8", "replace")


def bits(fd: int, request: int, size: int) -> int:
    """A set of bits the device tells, as a number. Raises OSError."""
    return int.from_bytes(fcntl.ioctl(fd, request, bytes(size)), "little")
