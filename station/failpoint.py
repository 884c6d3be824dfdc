"""Named places where a test table may be made to die, to prove that nothing is lost there.

`DEALER_STATION_FAILPOINT=after_commit:12` kills the process with SIGKILL at the twelfth time that
place is reached. Places: `before_begin`, `before_commit`, `after_commit`, `after_effects`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

VARIABLE = "DEALER_STATION_FAILPOINT"
PLACES = ("before_begin", "before_commit", "after_commit", "after_effects")


def from_environment() -> Callable[[str], None]:
    """The failpoint the environment asks for. Raises ValueError for one that does not exist."""
    wanted = os.environ.get(VARIABLE, "")
    if not wanted:
        return lambda _place: None
    place, _, text = wanted.partition(":")
    if place not in PLACES or not text.isdigit():
        raise ValueError(f"{VARIABLE}={wanted}: expected PLACE:N, PLACE one of {', '.join(PLACES)}")
    left = int(text)

    def reached(here: str) -> None:
        nonlocal left
        if here != place:
            return
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return reached
