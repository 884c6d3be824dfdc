"""The kinds of devices there are, and how a setting becomes a device.

A kind of your own is a package with the entry point group `dealer_station.drivers`, whose value is
a `drivers.specs.Kind`; see docs/drivers.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import msgspec

from drivers.device import Device, Log, Sink, Tap, no_log
from drivers.specs import DeviceSpec, Kind
from drivers.transports.names import Subsystem

DEFAULT_KIND = "text-line"
ENTRY_POINTS = "dealer_station.drivers"
# Only what a table uses is imported.
_MODULES = {
    "text-line": "drivers.kinds.textline",
    "angel-eye": "drivers.kinds.angel_eye",
    "bee-tek": "drivers.kinds.bee_tek",
    "zebra-ssi": "drivers.kinds.zebra_ssi",
    "gm65": "drivers.kinds.gm65",
    "board": "drivers.kinds.board",
    "hid-pos": "drivers.kinds.hid_pos",
    "keyboard": "drivers.kinds.keyboard",
    "camera": "drivers.kinds.camera",
}


def kinds() -> tuple[str, ...]:
    """The names of all kinds, the installed ones of others included."""
    return (*_MODULES, *sorted(e.name for e in entry_points(group=ENTRY_POINTS)))


def kind_of(name: str) -> Kind:
    """The kind of that name. Raises ValueError listing the ones there are."""
    if name in _MODULES:
        kind = import_module(_MODULES[name]).KIND
    else:
        found = [e for e in entry_points(group=ENTRY_POINTS) if e.name == name]
        if not found:
            raise ValueError(f"kind {name!r}: the kinds are {', '.join(kinds())}")
        try:
            kind = found[0].load()
        except Exception as error:
            raise ValueError(
                f"kind {name!r}: the package that brings it cannot be loaded ({error!r}); "
                "install it anew"
            ) from error
    if not isinstance(kind, Kind):
        raise ValueError(f"kind {name!r}: the package that brings it does not give a Kind")
    return kind


def spec_of(raw: dict[str, Any]) -> DeviceSpec:
    """The setting of one device from its table in the file. Raises ValueError, or msgspec's
    ValidationError with the path of the bad key.
    """
    name = raw.get("kind", DEFAULT_KIND)
    if not isinstance(name, str):
        raise ValueError(f"kind {name!r}: a text, one of {', '.join(kinds())}")
    return msgspec.convert(raw, kind_of(name).spec)


def make_device(
    spec: DeviceSpec,
    sink: Sink,
    *,
    log: Log = no_log,
    clock: Callable[[], int] = time.monotonic_ns,
    tap: Tap | None = None,
) -> Device:
    """The device of a setting, not started. `sink` is called from the device's own thread."""
    port, protocol = kind_of(kind_name(spec)).make(spec)
    return Device(spec.name, port, protocol, sink, log=log, clock=clock, tap=tap)


def subsystem_of(spec: DeviceSpec) -> Subsystem:
    """The sort of node a device of that setting is read from."""
    return kind_of(kind_name(spec)).subsystem


def kind_name(spec: DeviceSpec) -> str:
    """The name of a setting's kind."""
    return str(getattr(spec, "kind", DEFAULT_KIND))
