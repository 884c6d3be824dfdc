"""What `config check` finds in the surroundings of a table's file that is in order itself."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from station.config import Config

SOCKET_BYTES = 107
EXAMPLE_PORT = "YOUR_SHOE"


class _Port(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def port(self) -> str: ...


def socket_fault(config: Config) -> str:
    """Why the table's socket cannot be made, or "": Linux takes paths of 107 bytes at most."""
    path = config.link.socket
    size = len(os.fsencode(path))
    if size <= SOCKET_BYTES:
        return ""
    return (
        f"$.link.socket: {path} has {size} bytes, a socket's path {SOCKET_BYTES} at most; "
        "write a shorter one, such as /run/table.sock"
    )


def warnings(config: Config, devices: Iterable[_Port]) -> list[str]:
    """What is not there yet, a sentence each; none of it makes the file wrong."""
    found = []
    for device in devices:
        where = f"device {device.name}: {device.port}"
        if EXAMPLE_PORT in device.port:
            found.append(f"{where} is the example's; `ls -l /dev/serial/by-id` lists what there is")
        elif not Path(device.port).exists():
            found.append(f"{where} does not exist; is it plugged in and switched on?")
    # A test table makes its own people.
    if config.table.kind == "live" and not Path(config.staff.file).exists():
        found.append(
            f"{config.staff.file}: no staff file; add people with `dealer-station staff add`"
        )
    return found
