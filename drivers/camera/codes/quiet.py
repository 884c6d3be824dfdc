"""What C code writes to standard error is kept from filling the logs.

zbar prints its failed assertions straight to file descriptor 2, many a frame; nothing in Python
stops them. During a call the descriptor points to a file in memory. What others wrote in the
meantime (other threads, the interpreter) is passed on afterwards.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from typing import Final

# More than this of one call is dropped: whoever writes so much is not worth a full disk.
KEEP_BYTES: Final = 65_536

# As zbar's macro `zassert` prints them (zbar/debug.h): the assertion, then a line of details.
_ASSERTION: Final = re.compile(
    rb'WARNING: [^\n]*\n?[^\n]*Assertion "[^\n]*" failed[^\n]*\n?(?:[ \t][^\n]*\n?)?'
)


class Quiet:
    """Guards descriptor 2. `dropped` counts the warnings that were kept away."""

    def __init__(self) -> None:
        self.dropped = 0
        self._aside = os.memfd_create("stderr", os.MFD_CLOEXEC)

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        """While this lasts, descriptor 2 is the file in memory. Not to be nested, and one at a
        time in a process.
        """
        try:
            real = os.dup(2)
        except OSError:
            # No standard error at all: nothing to guard.
            yield
            return
        try:
            os.dup2(self._aside, 2)
            yield
        finally:
            os.dup2(real, 2)
            try:
                self._pass_on(real)
            finally:
                os.close(real)

    def _pass_on(self, real: int) -> None:
        size = os.lseek(self._aside, 0, os.SEEK_CUR)
        if size == 0:
            return
        written = os.pread(self._aside, min(size, KEEP_BYTES), 0)
        os.ftruncate(self._aside, 0)
        os.lseek(self._aside, 0, os.SEEK_SET)
        others, warnings = _ASSERTION.subn(b"", written)
        self.dropped += warnings
        if others:
            # A log that takes no more must not stop the reading of cards.
            with contextlib.suppress(OSError):
                os.write(real, others)

    def close(self) -> None:
        """Give the file in memory back."""
        os.close(self._aside)
