"""Where a port's name leads, and that the right hardware is there.

A name is a path (a link that udev keeps, a terminal) or `usb:vid:pid[:serial]`. A pin, too, names
hardware: nothing else is ever opened under that name. It is asked before opening, so that another
device is not even touched, and again of what has been opened, because a plug can change in between.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from drivers.transports.base import TransportError, TransportMisconfigured, TransportMissing
from drivers.transports.names import (
    DEV,
    SUBSYSTEMS,
    SYS,
    Plugged,
    Subsystem,
    on_usb,
    with_number,
)

USB = "usb:"


class Place:
    """A port's name in one subsystem. `pin`: the only hardware accepted, `vid:pid[:serial]`.

    `usage`: of several HID nodes of a device the one for that use, such as `8c:02`, if it tells.
    """

    def __init__(
        self,
        name: str,
        subsystem: Subsystem = "tty",
        *,
        pin: str = "",
        usage: str = "",
        sys_root: Path = SYS,
        dev_root: Path = DEV,
    ) -> None:
        self.name = name
        self._subsystem: Subsystem = subsystem
        self._usb = name.removeprefix(USB) if name.startswith(USB) else ""
        self._only = tuple(filter(None, (self._usb, pin)))
        self._usage = usage
        self._roots = (sys_root, dev_root)

    def node(self) -> str:
        """What to open. Raises TransportMissing, or TransportMisconfigured when two devices answer
        to the name or another than the pinned one is there.
        """
        if not self._usb:
            status = _status(self.name)
            if status is not None:
                self._right(status)
            return self.name
        found = self._found()
        if not found:
            raise self._missing()
        if len(found) > 1:
            nodes = ", ".join(one.node for one in found)
            raise TransportMisconfigured(
                f"{self.name}: two devices answer to that name ({nodes}); name it with its serial "
                f"number, or by a link under /dev/*/by-path"
            )
        status = _status(found[0].node)
        if status is not None:
            self._right(status)
        return found[0].node

    def check(self, fd: int) -> None:
        """The hardware behind an open descriptor is the right one, else TransportMisconfigured."""
        self._right(os.fstat(fd))

    def target(self) -> str | None:
        """What the name stands for at this moment, None when nothing: it changes at a replug."""
        if not self._usb:
            return identity(_status(self.name))
        told = [identity(_status(one.node)) for one in self._found()]
        return "|".join(filter(None, told)) or None

    def still(self, opened: str | None) -> bool:
        """Whether what was opened (`identity`) is among what answers to the name."""
        target = self.target()
        return target is not None and opened in target.split("|")

    def _found(self) -> tuple[Plugged, ...]:
        found = on_usb(self._usb, self._subsystem, *self._roots)
        fit = tuple(one for one in found if not one.usages or self._usage in one.usages)
        return fit if self._usage else found

    def _missing(self) -> TransportError:
        every = (one for each in SUBSYSTEMS for one in on_usb(self._usb, each, *self._roots))
        nodes = ", ".join(one.node for one in every)
        if not nodes:
            return TransportMissing(f"{self.name}: it is not plugged in; check the cable")
        return TransportMisconfigured(
            f"{self.name}: it is plugged in ({nodes}), but set to another interface than this "
            f"device is entered with; set the reader, or change kind"
        )

    def _right(self, status: os.stat_result) -> None:
        if not self._only:
            return
        there = with_number(status.st_rdev, *self._roots) if stat.S_ISCHR(status.st_mode) else None
        for wanted in self._only:
            if there is None:
                raise TransportMisconfigured(
                    f"{self.name}: no USB hardware is known to be there; only {wanted} is accepted"
                )
            if not there.answers_to(wanted):
                raise TransportMisconfigured(
                    f"{self.name}: another device is plugged there: {there.says}; "
                    f"only {wanted} is accepted"
                )


def identity(status: os.stat_result | None) -> str | None:
    """What tells one node from the next one under the same name."""
    if status is None:
        return None
    kind = "tty" if stat.S_ISCHR(status.st_mode) else "other"
    return f"{kind}:{status.st_dev}:{status.st_ino}:{status.st_rdev}"


def _status(path: str) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None
