"""Memory the C library keeps after pictures are gone.

A picture is made in the thread that fetches it and given up in the one that looks at it. Between
the holes it leaves small things come to lie, and the heap grows by some megabytes a shoe although
nothing in it is in use. Given back while the window is empty, it stays as it was.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable


def give_back() -> None:
    """Give the system what is not in use: a millisecond or two. Does nothing on a C library that
    has no such call.
    """
    if _TRIM is not None:
        _TRIM(0)


def _trim() -> Callable[[int], int] | None:
    try:
        call = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError):
        return None
    call.argtypes, call.restype = [ctypes.c_size_t], ctypes.c_int
    return call


_TRIM = _trim()
