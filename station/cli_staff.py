"""People of a table from the command line: what can be wrong is said before it is asked twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from station.cli_status import StatusError, ask
from station.config import Config
from station.config_words import explained
from station.game.facts import STATION
from station.staff import Staff, StaffError, StaffFile
from station.table.facts import Person

PIN_SHORTEST, PIN_LONGEST = 4, 32


def person(staff: str, name: str, role: str) -> Person:
    """Raises StaffError naming what is wrong and what there is."""
    if not 1 <= len(staff) <= 64:
        raise StaffError("a person's number has 1 to 64 characters")
    if staff == STATION:
        raise StaffError(f"{STATION!r} stands for the station itself in every record; take another")
    try:
        return msgspec.convert({"staff": staff, "name": name, "role": role}, Person)
    except msgspec.ValidationError as error:
        raise StaffError(explained(str(error), Person)) from None


def people(config: Config) -> Staff:
    """The table's people, or nobody yet. Raises StaffError."""
    path = Path(config.staff.file)
    if path.exists():
        return Staff.load(path, config.table.kind)
    return Staff(path, StaffFile(config.table.kind))


def check_pin(pin: str) -> str:
    """The PIN. Raises StaffError for one that could not be typed at the console."""
    if not PIN_SHORTEST <= len(pin) <= PIN_LONGEST:
        raise StaffError(f"a PIN has {PIN_SHORTEST} to {PIN_LONGEST} characters")
    return pin


def listed(staff: Staff) -> list[dict[str, Any]]:
    """Numbers, names and roles; never a hash."""
    return [
        {"staff": entry.staff, "name": entry.name, "role": entry.role}
        for entry in staff.file.people
    ]


def station_runs(socket: Path) -> bool:
    """Whether a station answers there; it has read its people when it started."""
    try:
        ask(socket)
    except StatusError:
        return False
    return True
