"""What the words of a board's line mean. Words after those known are let pass: they are for later
releases of the protocol.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

LAMPS = 9


class Hello(Struct, frozen=True):
    """Who the board is. `session` 0: it has started and no session is open."""

    version: int
    session: int
    identity: str = ""
    abilities: frozenset[str] = frozenset()
    lamps: int = 0


class Pong(Struct, frozen=True):
    """It is alive; `safe`: in its safe state."""

    session: int
    safe: bool


class Event(Struct, frozen=True):
    """Something happened `age_ms` before the line was sent."""

    number: int
    age_ms: int
    what: str
    text: str


class Answer(Struct, frozen=True):
    """To a `set`, or to a line that was none: `why` is "" when it is done."""

    number: int
    why: str


def meaning(words: Sequence[str]) -> Hello | Pong | Event | Answer | None:
    """What a line says; None when it says nothing known."""
    match words[0]:
        case "hello":
            return _hello(words)
        case "pong":
            return _pong(words)
        case "event":
            return _event(words)
        case "ok" | "no":
            return _answer(words)
        case _:
            return None


def number(word: str, most: int) -> int | None:
    """A whole number of that size at most, without signs or leading zeros."""
    if not word.isdigit() or len(word) > 5 or (word[0] == "0" and word != "0"):
        return None
    value = int(word)
    return value if value <= most else None


def _hello(words: Sequence[str]) -> Hello | None:
    """`hello VERSION SESSION NAME FIRMWARE SERIAL ABILITY...`; of another version only the first
    two words are known.
    """
    version = number(words[1], 65535) if len(words) > 1 else None
    if version is None:
        return None
    if version != 1:
        return Hello(version, 0)
    session = number(words[2], 65535) if len(words) > 5 else None
    if session is None or not all(words[3:6]):
        return None
    given = dict(word.partition("=")[::2] for word in words[6:])
    identity = " ".join(words[3:])
    lamps = number(given.get("lamps", "0"), LAMPS)
    return Hello(version, session, identity, frozenset(given), lamps or 0)


def _pong(words: Sequence[str]) -> Pong | None:
    """`pong SESSION [safe]`."""
    session = number(words[1], 65535) if len(words) > 1 else None
    return None if session is None else Pong(session, "safe" in words[2:])


def _event(words: Sequence[str]) -> Event | None:
    """`event NUMBER AGE WHAT [TEXT]`."""
    if len(words) < 4:
        return None
    count, age = number(words[1], 65535), number(words[2], 99_999)
    if not count or age is None or not words[3]:
        return None
    return Event(count, age, words[3], words[4] if len(words) > 4 else "")


def _answer(words: Sequence[str]) -> Answer | None:
    """`ok NUMBER`, or `no NUMBER WHY`; the number is 0 where the line had none."""
    count = number(words[1], 999) if len(words) > 1 else None
    if count is None:
        return None
    if words[0] == "ok":
        return Answer(count, "")
    return Answer(count, words[2]) if len(words) > 2 and words[2] else None
