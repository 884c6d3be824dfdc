"""Disks: how much is free where the journal and the pictures are, and whether it may be written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from station.table.inputs import ConditionSeen

MB = 1 << 20
# What a round takes on the disk. Measured: 11 KB with one seat, 19 KB with three, 36 KB with seven;
# bets behind, reads that fail and pictures come on top.
ROUND_BYTES = 64 * 1024
# What was low is so until so much more is free: a disk at its limit is not news every second.
ENOUGH = 1.25
# Free space is told in so many steps of the limit, so that it makes no fact a second.
STEPS = 20


class Disks:
    """Looks at the two disks. `low` says what is known to be low already."""

    def __init__(
        self,
        journal: Path,
        pictures: Path,
        limits: tuple[int, int],
        low: Callable[[str], bool],
        statvfs: Callable[[Path], os.statvfs_result] = os.statvfs,
    ) -> None:
        """`limits`: megabytes that have to be free on the journal's and the pictures' disk, 0: any.
        `pictures`: their folder, which need not be there.
        """
        self._journal = journal
        self._pictures = pictures
        self._limits = limits
        self._low = low
        self._statvfs = statvfs

    def look(self) -> Iterator[ConditionSeen]:
        """What is found. Raises OSError."""
        folder = self._journal.parent
        status = self._statvfs(folder)
        yield self._writable(status)
        yield self._space("disk_low", status, self._limits[0])
        if self._apart():
            yield self._space("evidence_disk_low", self._statvfs(self._pictures), self._limits[1])
        else:
            yield ConditionSeen("evidence_disk_low", stands=False)

    def _apart(self) -> bool:
        """Whether the pictures have a disk of their own."""
        try:
            return self._pictures.stat().st_dev != self._journal.parent.stat().st_dev
        except OSError:
            return False

    def _writable(self, status: os.statvfs_result) -> ConditionSeen:
        folder = self._journal.parent
        files = [one for one in folder.glob(f"{self._journal.name}*") if one.is_file()]
        if status.f_flag & os.ST_RDONLY:
            why = "mounted read-only"
        elif not os.access(folder, os.W_OK | os.X_OK):
            why = "no right to write the folder"
        else:
            locked = next((one.name for one in files if not os.access(one, os.W_OK)), "")
            why = f"no right to write {locked}" if locked else ""
        return ConditionSeen(
            "journal_readonly", stands=bool(why), params={"folder": str(folder), "why": why}
        )

    def _space(self, code: str, status: os.statvfs_result, limit: int) -> ConditionSeen:
        free = status.f_bavail * status.f_frsize
        wanted = limit * MB * (ENOUGH if self._low(code) else 1)
        if not limit or free >= wanted:
            return ConditionSeen(code, stands=False)
        step = max(1, limit // STEPS)
        shown = free // MB // step * step
        params: dict[str, str | int] = {"free": shown, "limit": limit}
        if code == "disk_low":
            params["rounds"] = shown * MB // ROUND_BYTES
        return ConditionSeen(code, stands=True, params=params)
