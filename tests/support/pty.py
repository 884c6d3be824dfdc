"""A serial device over a pseudo-terminal, for tests: plug, send, read, unplug, plug again.

A symlink stands for the stable name. The test's side keeps the slave open while plugged, so that
the master can be read whether or not a driver has it open.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
import tty
from pathlib import Path


class VirtualSerial:
    """A device that can be plugged in under `link`."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self._master = -1
        self._slave = -1

    @property
    def plugged(self) -> bool:
        """Whether it is plugged in."""
        return self._master >= 0

    def plug(self) -> None:
        """Plug it in: a new terminal, and the link stands for it."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        fresh = self.link.with_suffix(".new")
        fresh.symlink_to(os.ttyname(self._slave))
        fresh.replace(self.link)

    def unplug(self) -> None:
        """Pull the plug."""
        self.link.unlink(missing_ok=True)
        self.hang_up()

    def hang_up(self) -> None:
        """Pull the plug and leave the link behind."""
        if self.plugged:
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1

    def repoint(self) -> VirtualSerial:
        """The link goes to a new terminal while the old one stays alive; the old one is given
        back to be unplugged later.
        """
        old = VirtualSerial(self.link.with_suffix(".old"))
        old._master, old._slave = self._master, self._slave
        self.plug()
        return old

    def send(self, data: bytes) -> None:
        """Send bytes to the driver."""
        while data:
            select.select([], [self._master], [], 5.0)
            data = data[os.write(self._master, data) :]

    def take(self, wait_s: float = 0.0) -> bytes:
        """What the driver has sent, as soon as there is something, at the latest after `wait_s`."""
        taken = b""
        until = time.monotonic() + wait_s
        while not taken:
            select.select([self._master], [], [], max(0.0, until - time.monotonic()))
            with contextlib.suppress(BlockingIOError):
                while chunk := os.read(self._master, 65536):
                    taken += chunk
            if time.monotonic() >= until:
                break
        return taken
