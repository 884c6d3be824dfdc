"""Files that only their owner may read: pictures of cards. Never written over, never through a
link.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write_new(path: Path, data: bytes) -> None:
    """A new file, mode 0600, whole or not at all. Raises OSError, FileExistsError too."""
    descriptor = os.open(path, _NEW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


def replace_with(path: Path, data: bytes) -> None:
    """The file with that in it, mode 0600, instead of what was there. Raises OSError."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    write_new(beside, data)
    try:
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
