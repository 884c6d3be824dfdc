"""What a rotation that was cut off leaves behind, and how it is undone.

A rotation gives the old file its second name, moves its pictures there, and then puts the new file
in its place in one step. Cut off before that step, the old file still has both names.
"""

from __future__ import annotations

import os
from pathlib import Path

CLOSED = ".closed-"


def undo_half(path: Path) -> None:
    """Take the second name of a journal that is still in its place away. The lock is held."""
    try:
        mine = path.stat()
    except FileNotFoundError:
        return
    if mine.st_nlink < 2:
        return
    # What looks after the pictures reads journals.
    from station.evidence import folder_of

    for other in path.parent.glob(path.name + CLOSED + "*"):
        if other.is_file() and os.path.samestat(other.stat(), mine):
            pictures = folder_of(other)
            if pictures.is_dir() and not folder_of(path).exists():
                pictures.rename(folder_of(path))
            other.unlink()
