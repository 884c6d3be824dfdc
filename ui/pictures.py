"""A reader's pictures as QML may show them: only what a snapshot names, and only as it was read."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QUrl

from station.snapshot import PictureView

# The address of a picture to show of a read, "" when there is none.
Find = Callable[[Sequence[PictureView]], str]

_MOST = 4 * 2**20
_FOLDER = ".evidence"
_KNOWN = 64


def no_picture(_views: Sequence[PictureView]) -> str:
    """Where no files may be looked at."""
    return ""


class Album:
    """Finds pictures on this machine. A console elsewhere has none of them, and shows none."""

    def __init__(self) -> None:
        self._known: dict[PictureView, str] = {}

    def find(self, views: Sequence[PictureView]) -> str:
        """The last picture of a read that is there unchanged."""
        for view in reversed(views):
            if view not in self._known and _as_read(view):
                if len(self._known) >= _KNOWN:
                    self._known.clear()
                self._known[view] = QUrl.fromLocalFile(view.path).toString()
            # It may have been taken away since.
            if view in self._known and Path(view.path).is_file():
                return self._known[view]
        return ""


def _as_read(view: PictureView) -> bool:
    """Whether the file is a picture of that folder, and the one the journal names."""
    path = Path(view.path)
    if not (path.is_absolute() and path.name == view.name and path.parent.name.endswith(_FOLDER)):
        return False
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        regular = stat.S_ISREG(os.fstat(handle).st_mode)
        data = os.read(handle, _MOST) if regular else b""
    except OSError:
        return False
    finally:
        os.close(handle)
    return hashlib.sha256(data).hexdigest() == view.sha256
