"""Memory that is not in use goes back to the system."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from drivers.camera.heap import give_back


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
    pairs = [(library.malloc(100_000), library.malloc(100)) for _ in range(400)]
    for large, _ in pairs:
        ctypes.memset(large, 1, 100_000)
        library.free(large)
    before = _own_kib()
    give_back()
    after = _own_kib()
    for _, small in pairs:
        library.free(small)
    assert before - after > 20_000
