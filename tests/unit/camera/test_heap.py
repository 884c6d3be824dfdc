"""Memory that is not in use goes back to the system."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from drivers.camera.heap import give_back

# Bytes; smaller than what the C library takes from the system by itself.
_PIECE = 100_000


def _own_kib() -> int:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))


def test_what_lies_between_things_in_use_is_given_back() -> None:
    """As after a shoe: large pieces are free, small ones in use lie between them."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "malloc_trim"):
        pytest.skip("a C library without malloc_trim")
    library.malloc.restype, library.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    library.free.restype, library.free.argtypes = None, [ctypes.c_void_p]
    # Every second one stays in use, so that none of the others lies at the heap's end.
    pieces = [library.malloc(_PIECE) for _ in range(400)]
    for piece in pieces:
        ctypes.memset(piece, 1, _PIECE)
    for piece in pieces[::2]:
        library.free(piece)
    before = _own_kib()
    give_back()
    after = _own_kib()
    for piece in pieces[1::2]:
        library.free(piece)
    assert before - after > 200 * _PIECE // 1024 // 2
