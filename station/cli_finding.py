"""One thing `doctor` found."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Level = Literal["ok", "warn", "fail"]


class Finding(Struct, frozen=True):
    """`check`: what was looked at. `what` was found, `where`, and what to `do` about it ("" when
    it is in order).
    """

    check: str
    level: Level
    what: str
    where: str = ""
    do: str = ""
