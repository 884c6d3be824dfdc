"""One person at one table: a lock a person, in a folder beside the staff file.

Tables that share a staff file share its people. Whoever has a table or is signed in at one holds
his lock there, a file that the kernel frees when the station ends, however it ends. In the file
stands which table it is, for those who are refused elsewhere.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import threading
from collections import Counter
from pathlib import Path

FOLDER = ".duty"


class Duty:
    """The locks of one table's people. Called by the worker (`take`) and the controller."""

    def __init__(self, staff_file: Path, table: str) -> None:
        self.folder = staff_file.with_name(staff_file.name + FOLDER)
        self._table = table
        self._held: dict[str, int] = {}
        # Proved, and the controller has not decided yet.
        self._asked: Counter[str] = Counter()
        self._here: frozenset[str] = frozenset()
        self._mutex = threading.Lock()

    def take(self, staff: str) -> str:
        """Hold him here until `decided`, and after it while he is at this table; "" when that is
        so, else the table he is at. Raises OSError when it cannot be seen.
        """
        with self._mutex:
            if staff not in self._held:
                handle, elsewhere = self._open(staff)
                if elsewhere:
                    return elsewhere
                self._held[staff] = handle
            self._asked[staff] += 1
            return ""

    def decided(self, staff: str) -> None:
        """The controller has dealt with what he asked for."""
        with self._mutex:
            self._asked[staff] -= 1
            if self._asked[staff] <= 0:
                del self._asked[staff]
            self._let_go()

    def at_table(self, staff: frozenset[str]) -> None:
        """Who has the table or is signed in at it; all others are free."""
        with self._mutex:
            self._here = staff
            self._let_go()

    def close(self) -> None:
        """The station ends: everybody is free."""
        with self._mutex:
            self._here = frozenset()
            self._asked.clear()
            self._let_go()

    def _let_go(self) -> None:
        for staff in [s for s in self._held if s not in self._here and s not in self._asked]:
            handle = self._held.pop(staff)
            # The name is only for those refused; the lock is the handle's, and goes with it.
            with contextlib.suppress(OSError):
                os.ftruncate(handle, 0)
            os.close(handle)

    def _open(self, staff: str) -> tuple[int, str]:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        name = hashlib.sha256(staff.encode()).hexdigest()[:32]
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(self.folder / name, flags, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            table = os.pread(handle, 64, 0).decode(errors="replace").strip()
            os.close(handle)
            return -1, table or "?"
        except OSError:
            os.close(handle)
            raise
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{self._table}\n".encode(), 0)
        return handle, ""
