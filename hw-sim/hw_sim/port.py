"""A serial port that is not there: a pseudo-terminal under a stable name.

The symlink stands for the name udev would give (/dev/serial/by-id/...). The slave is held open
while plugged, so that a driver may close and open again and nothing breaks.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import termios
import tty
from pathlib import Path
from typing import Protocol


class PortError(Exception):
    """The port cannot be had; the message says why and what to do."""


class DevicePort(Protocol):
    """The device's end of a port, of whatever sort. Nothing here blocks.

    `name`: what a driver opens, "" when unplugged. `fileno`: readable when `take` has something.
    """

    @property
    def plugged(self) -> bool:
        """Whether it is plugged in."""

    @property
    def name(self) -> str:
        """What is behind the stable name."""

    @property
    def unread(self) -> int:
        """Bytes sent that the driver has not read yet, as far as can be told."""

    def fileno(self) -> int:
        """For a selector; -1 when unplugged."""

    def plug(self, *, denied: bool = False, busy: bool = False) -> None:
        """Plug it in anew. `denied`: nobody may open it, until `permit`. `busy`: another program
        has it, until `release`. Raises PortError.
        """

    def permit(self) -> None:
        """It may be opened from now on."""

    def release(self) -> None:
        """The other program lets go of it."""

    def unplug(self) -> None:
        """Pull the plug."""

    def send(self, data: bytes) -> bool:
        """To the driver; False when not all of it went."""

    def take(self) -> bytes:
        """What the driver has sent; one report at a time where it sends reports."""


class VirtualPort:
    """One device's end of the line. `link` is the stable name; see `plug`."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self._master = -1
        self._slave = -1
        self._name = ""
        self._mode = 0

    @property
    def plugged(self) -> bool:
        """Whether it is plugged in."""
        return self._master >= 0

    @property
    def name(self) -> str:
        """The terminal behind the link, such as /dev/pts/4; "" when unplugged."""
        return self._name

    def fileno(self) -> int:
        """The device's end, for a selector; -1 when unplugged."""
        return self._master

    @property
    def unread(self) -> int:
        """Bytes that lie in the terminal and no driver has read."""
        if not self.plugged:
            return 0
        count = array.array("i", [0])
        fcntl.ioctl(self._slave, termios.FIONREAD, count, True)
        return count[0]

    def plug(self, *, denied: bool = False, busy: bool = False) -> None:
        """Plug it in as a new port; the link changes over to it in one step.

        `denied`: its mode lets nobody but root open it. `busy`: the lock that programs take on a
        serial port is taken.

        A link that a killed simulator left behind is replaced. Raises PortError when something
        else than a link is in the way, or the link cannot be made.
        """
        if self.link.exists() and not self.link.is_symlink():
            raise PortError(
                f"{self.link}: there is a file or directory here; choose another --link"
            )
        old = (self._master, self._slave)
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._name = os.ttyname(self._slave)
        self._mode = os.fstat(self._slave).st_mode
        if denied:
            os.fchmod(self._slave, 0)
        if busy:
            fcntl.flock(self._slave, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            self.link.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.link.with_name(f"{self.link.name}.{os.getpid()}")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(self._name)
            fresh.replace(self.link)
        except OSError as error:
            raise PortError(f"{self.link}: {error.strerror}; choose another --link") from error
        _close(*old)

    def permit(self) -> None:
        """It may be opened again."""
        if self.plugged:
            os.fchmod(self._slave, self._mode & 0o777)

    def release(self) -> None:
        """The lock is free again."""
        if self.plugged:
            fcntl.flock(self._slave, fcntl.LOCK_UN)

    def unplug(self) -> None:
        """Pull the plug: the link goes first, as udev takes it away, then the port."""
        if not self.plugged:
            return
        with contextlib.suppress(OSError):
            # Another simulator may have taken the name meanwhile: its link stays.
            if str(self.link.readlink()) == self._name:
                self.link.unlink()
        _close(self._master, self._slave)
        self._master = self._slave = -1
        self._name = ""

    def send(self, data: bytes) -> bool:
        """Bytes to the driver; False when they went nowhere: unplugged, or nobody takes them."""
        if not self.plugged:
            return False
        try:
            return os.write(self._master, data) == len(data)
        except BlockingIOError:
            return False

    def take(self) -> bytes:
        """What the driver has sent."""
        with contextlib.suppress(BlockingIOError, OSError):
            return os.read(self._master, 65536)
        return b""


def _close(*handles: int) -> None:
    for handle in handles:
        if handle >= 0:
            os.close(handle)
