"""`python -m drivers.camera`: the camera reader, started by the station and by nobody else.

It ends with the station: with the pipe, and, should it be inside a library then, by a signal the
kernel sends when the one that started it ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from drivers.kinds.camera import EXIT_MISCONFIGURED

if TYPE_CHECKING:
    from drivers.camera.seer import Maker

_PR_SET_PDEATHSIG = 1
_NICER = 5
_OOM_SCORE = "300"


def main(arguments: list[str], maker: Maker | None = None) -> None:
    """Make the process ready, then read cards. `--parent PID`: who started it. `maker`: makes the
    one who looks at the pictures, where it is not the reader of cards.
    """
    parent = int(arguments[1]) if arguments[:1] == ["--parent"] and len(arguments) == 2 else 0
    _end_with(parent)
    # What prints to the standard output, of whatever library, must not print among the lines.
    lines = os.dup(1)
    os.dup2(2, 1)
    _modest()
    _nothing_left_behind()
    try:
        from drivers.camera.process import end, run
        from drivers.camera.seer import the_pipeline
    except ImportError as error:
        sys.stderr.write(
            f"the camera reader cannot start: {error}; install the system's packages libgl1 and "
            "libglib2.0-0, or the station anew\n"
        )
        raise SystemExit(EXIT_MISCONFIGURED) from None
    try:
        run(0, lines, maker or the_pipeline)
    except Exception as error:  # noqa: BLE001 - the last line says why
        end(f"internal fault: {error!r}", 1)


def _end_with(parent: int) -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent and os.getppid() != parent:
        raise SystemExit(0)


def _modest() -> None:
    """The table comes before the pictures: with the processor, and when memory runs out."""
    with contextlib.suppress(OSError):
        os.nice(_NICER)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_OOM_SCORE)


def _nothing_left_behind() -> None:
    """No core dump: in the memory are pictures of a window in which a card may stand that is not
    dealt. A limit of 1 is the one that also stops a dump into a program of the system's, which
    minds no size (Linux, fs/coredump.c).
    """
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (1, 1))


if __name__ == "__main__":
    main(sys.argv[1:])
