"""`doctor`: the ports of a table's file, and udev's rules for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from drivers.catalog import kind_name, kind_of
from drivers.specs import DeviceSpec
from drivers.transports.base import (
    TransportBusy,
    TransportDenied,
    TransportError,
    TransportMisconfigured,
    TransportMissing,
)
from drivers.transports.process import opened
from station.cli_finding import Finding
from station.cli_rights import rights
from station.cli_status import StatusError, ask

RULES = "60-dealer-station.rules"
_FOLDERS = ("etc/udev/rules.d", "run/udev/rules.d", "usr/lib/udev/rules.d", "lib/udev/rules.d")
# So long a camera's reader may take to see.
START_S = 20.0
_DO: dict[type[TransportError], str] = {
    TransportMissing: "plug it in and switch it on; `dealer-station devices` lists what is there",
    TransportBusy: "end the program that has it (another station, a terminal, ModemManager)",
    TransportMisconfigured: "another device than the file says is there: see "
    "`dealer-station devices`, and correct port, usb or kind",
}


def ports(specs: Iterable[DeviceSpec], socket: Path) -> Iterator[Finding]:
    """Each configured port. A running table is asked; else each is opened for a moment."""
    try:
        running = {device.name: device for device in ask(socket).devices}
    except StatusError:
        running = None
    for spec in specs:
        if running is None:
            yield _opened(spec)
            continue
        device = running.get(spec.name)
        what = device.text.en if device else "the running table does not know it"
        up = device is not None and device.health == "up"
        do = "" if up else "see docs/technician.md; restart the table if its file was changed"
        yield Finding("port", "ok" if up else "fail", f"{spec.name}: {what}", spec.port, do)


def _opened(spec: DeviceSpec) -> Finding:
    try:
        port, _ = kind_of(kind_name(spec)).make(spec)
        transport = opened(port, START_S)
    except TransportError as error:
        return Finding("port", "fail", f"{spec.name}: {error}", spec.port, _advice(spec, error))
    except (OSError, ValueError) as error:
        return Finding("port", "fail", f"{spec.name}: {error!r}", spec.port, "correct the entry")
    node = transport.identity
    transport.close()
    return Finding("port", "ok", f"{spec.name}: it opens ({node})", spec.port)


def _advice(spec: DeviceSpec, error: TransportError) -> str:
    if isinstance(error, TransportDenied):
        found = rights(Path(spec.port)) if spec.port.startswith("/") else None
        if found is not None and found.advice:
            return found.advice
        return (
            "sudo usermod -aG dialout,input,plugdev,video USER, log in again, and install the rules"
        )
    return _DO.get(type(error), "see docs/technician.md")


def rules(root: Path = Path("/")) -> Finding:
    """Whether udev has the rules that give the ports their group and the readers their names."""
    for folder in _FOLDERS:
        file = root / folder / RULES
        if file.is_file():
            return Finding("udev", "ok", "its rules are installed", str(file))
    return Finding(
        "udev",
        "warn",
        "the rules are not installed: rights and names are the system's own",
        str(root / _FOLDERS[0]),
        f"install packaging/{RULES} as packaging/README.md says",
    )
