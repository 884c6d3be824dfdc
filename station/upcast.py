"""Facts of earlier releases as this one reads them. Rows are never rewritten."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

# Version 3 has facts that 2 does not know, 4 names the pictures of a read, 5 counts wrong tries
# beyond the first lock. What came before, from 2 on, is read as it is, but for those.
FACT_VERSION = 5


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


def _pin_refused(body: dict[str, Any]) -> None:
    """Until 4 a place was not counted."""
    body.update(fact="LoginFailed", wrong=body.pop("tries"), here=0)


def _pin_unlocked(body: dict[str, Any]) -> None:
    """Until 4 the end of a lock began the count anew."""
    body.update(fact="TriesForgotten", by="station", why="time")


_UNTIL_4: dict[str, Callable[[dict[str, Any]], None]] = {
    "PinRefused": _pin_refused,
    "PinUnlocked": _pin_unlocked,
}
_FROM_1: dict[str, Callable[[dict[str, Any]], None]] = {
    "BetPlaced": _bet_placed,
    "PlayerAbsent": _player_absent,
    "JournalContinued": _journal_continued,
}


def upcast(kind: str, version: int, body: str) -> str:
    """A body of an older version as the newest one.

    Raises TooNew for a version this release does not know.
    """
    if version == FACT_VERSION:
        return body
    if not 1 <= version < FACT_VERSION:
        raise TooNew(
            f"fact {kind} has version {version}, this release reads up to {FACT_VERSION}: "
            "start the release that wrote it, or a newer one"
        )
    change = (_FROM_1.get(kind) if version == 1 else None) or _UNTIL_4.get(kind)
    if change is None:
        return body
    fields = json.loads(body)
    change(fields)
    return json.dumps(fields, ensure_ascii=False)
