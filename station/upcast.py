"""Facts of earlier releases as this one reads them. Rows are never rewritten."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

# Version 3 has facts that 2 does not know, 4 names the pictures of a read; both read what came
# before, from 2 on, as it is.
FACT_VERSION = 4


class TooNew(ValueError):
    """A fact of a release that came later."""


def _bet_placed(body: dict[str, Any]) -> None:
    """Version 1 knew main bets alone, each on the seat's one hand."""
    body["hand"] = 1


def _player_absent(body: dict[str, Any]) -> None:
    """Version 1 named the round and no player; only a time-out made one absent."""
    del body["round"]
    body.update(player="", why="timeout")


def _journal_continued(body: dict[str, Any]) -> None:
    """The bets of the round that was open there."""
    for bet in (body["open_round"] or {}).get("bets", ()):
        bet["hand"] = 1


_FROM_1: dict[str, Callable[[dict[str, Any]], None]] = {
    "BetPlaced": _bet_placed,
    "PlayerAbsent": _player_absent,
    "JournalContinued": _journal_continued,
}


def upcast(kind: str, version: int, body: str) -> str:
    """A body of an older version as the newest one.

    Raises TooNew for a version this release does not know.
    """
    if 2 <= version <= FACT_VERSION:
        return body
    if version != 1:
        raise TooNew(
            f"fact {kind} has version {version}, this release reads up to {FACT_VERSION}: "
            "start the release that wrote it, or a newer one"
        )
    change = _FROM_1.get(kind)
    if change is None:
        return body
    fields = json.loads(body)
    change(fields)
    return json.dumps(fields, ensure_ascii=False)
