"""Files: the people's, and the table's own with its rules."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from station.config import ConfigError, load_config
from station.game.rules import fingerprint
from station.logs import Logger
from station.staff_file import Kind, StaffError, read
from station.staff_file import fingerprint as mark
from station.table.inputs import ConditionSeen
from station.table.locking import SHOWN

_log = Logger("watch")


class People:
    """The staff file: whether others can read it, and whether it can be used."""

    def __init__(self, file: Path, kind: Kind) -> None:
        self._file = file
        self._kind = kind
        self._seen: tuple[int, ...] | None = ()
        self._broken = False

    def look(self) -> Iterator[ConditionSeen]:
        """What is found."""
        seen = mark(self._file)
        if seen != self._seen:
            self._seen, self._broken = seen, self._cannot_be_used()
        try:
            mode = stat.S_IMODE(self._file.stat().st_mode)
        except OSError:
            mode = 0
        where: dict[str, str | int] = {"file": str(self._file)}
        open_ = bool(mode & 0o077)
        yield ConditionSeen("staff_file_exposed", open_, {**where, "mode": f"{mode:04o}"})
        yield ConditionSeen("staff_file_broken", self._broken and not open_, where)

    def _cannot_be_used(self) -> bool:
        try:
            read(self._file, self._kind)
        except (StaffError, OSError):
            return True
        return False


class Rules:
    """The rules of the table's file against those in force. They are taken up when the station
    starts, never while it runs.
    """

    def __init__(self, file: Path, in_force: Callable[[], str]) -> None:
        """`in_force`: the fingerprint of the table's rules."""
        self._file = file
        self._in_force = in_force
        self._seen: tuple[int, ...] | None = ()
        self._says = ""

    def look(self) -> Iterator[ConditionSeen]:
        """What is found. A file that is being written, or broken, says nothing yet."""
        seen = mark(self._file)
        if seen != self._seen:
            self._seen = seen
            try:
                self._says = fingerprint(load_config(self._file).rules)
            except (ConfigError, ValueError) as error:
                _log.warning("table_file", error=str(error))
        ours = self._in_force()
        params: dict[str, str | int] = {"file": self._says[:SHOWN], "table": ours[:SHOWN]}
        yield ConditionSeen("rules_differ", bool(self._says) and self._says != ours, params)
