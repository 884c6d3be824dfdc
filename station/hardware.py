"""What is plugged in beside what the table's file names. Nothing unknown is ever opened: it is
written to the log, so that a technician finds a reader that was exchanged, or a stranger's stick.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from drivers.catalog import subsystem_of
from drivers.specs import DeviceSpec
from drivers.transports.names import DEV, SYS, Plugged, plugged

# Seconds between two looks at what is plugged in.
LOOK_SECONDS = 5.0


def is_for(spec: DeviceSpec, device: Plugged) -> bool:
    """Whether a setting's port names that node."""
    if spec.port.startswith("usb:"):
        return device.answers_to(spec.port[4:]) and subsystem_of(spec) == device.subsystem
    if not spec.port.startswith("/"):
        return False
    place = Path(spec.port)
    return place.exists() and place.resolve() == Path(device.node).resolve()


class Newcomers:
    """Tells of each unknown device once, and again after it was gone."""

    def __init__(
        self, specs: Iterable[DeviceSpec], sys_root: Path = SYS, dev_root: Path = DEV
    ) -> None:
        self._specs = tuple(specs)
        self._roots = (sys_root, dev_root)
        self._told: set[tuple[str, str]] = set()

    def look(self) -> list[Plugged]:
        """The unknown devices that have come since the last look."""
        here = [one for one in plugged(*self._roots) if one.usb and not self._known(one)]
        new = [one for one in here if (one.node, one.usb) not in self._told]
        self._told = {(one.node, one.usb) for one in here}
        return new

    def _known(self, device: Plugged) -> bool:
        return any(is_for(spec, device) for spec in self._specs)
