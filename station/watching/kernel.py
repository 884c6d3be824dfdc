"""The kernel's clocks: whether UTC is kept by a time server, and by how much it was set."""

from __future__ import annotations

import ctypes
import os
import time
from datetime import datetime
from typing import NamedTuple, Protocol

UNSYNCHRONISED = 0x40
ERROR = 5


class _Timex(ctypes.Structure):
    """The head of struct timex (adjtimex(2)), with room for the rest."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_long * 32),
    )


class Kept(NamedTuple):
    """How the kernel says its clock is kept: adjtimex's answer and status bits, and the most it may
    be off by, microseconds.
    """

    state: int
    status: int
    most_us: int

    @property
    def synchronised(self) -> bool:
        """Whether a time server (chrony, ntpd, timesyncd) keeps it."""
        return self.state != ERROR and not self.status & UNSYNCHRONISED


def kernel_clock() -> Kept:
    """adjtimex's answer. Raises OSError, AttributeError where there is none."""
    libc = ctypes.CDLL(None, use_errno=True)
    timex = _Timex()
    state: int = libc.adjtimex(ctypes.byref(timex))
    if state < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return Kept(state, int(timex.status), int(timex.maxerror))


class Clocks(Protocol):
    """UTC, and a clock that nobody sets, both in nanoseconds; and how the first is kept."""

    def utc_ns(self) -> int: ...

    def boot_ns(self) -> int:
        """Since the machine started, its sleep included."""

    def kept(self) -> Kept: ...


class KernelClocks:
    """The machine's own."""

    def utc_ns(self) -> int:
        return time.time_ns()

    def boot_ns(self) -> int:
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)

    def kept(self) -> Kept:
        return kernel_clock()


class Stamped(NamedTuple):
    """When the journal's last fact was: UTC (ISO 8601), monotonic nanoseconds, the boot's id."""

    utc: str
    mono_ns: int
    boot: str


def step_since(last: Stamped, now: Stamped) -> float:
    """By how many seconds UTC was set between two stamps, as far as they tell.

    Across a boot only a clock that went back is known for one that was set.
    """
    passed = (datetime.fromisoformat(now.utc) - datetime.fromisoformat(last.utc)).total_seconds()
    if last.boot == now.boot:
        return passed - (now.mono_ns - last.mono_ns) / 1e9
    return min(0.0, passed)
