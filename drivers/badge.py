"""The text a staff badge carries, and how it is told from a card's code.

    %DS  26 characters of A-Z and 2-7 (128 random bits)  one check character

`%` can stand in no template of a card's code (see `cardcode`), so that no badge is a card and no
card a badge, whatever the table's format. The check character is the cards' own: ISO/IEC 7064 MOD
37,36 over the 26. What a badge carries opens a table: it goes to whoever checks it, and into no
log, journal, frame or picture.
"""

from __future__ import annotations

import base64
import re

from drivers.cardcode import check_character

PREFIX = "%DS"
LENGTH = len(PREFIX) + 27
_BODY = re.compile(r"%DS([A-Z2-7]{26})([0-9A-Z])")
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
# A shorter one may be a card's code that noise has changed.
_SPOILT = 12


def badge_text(token: bytes) -> str:
    """What to encode on a badge for a token of 16 random bytes. ValueError for other lengths."""
    if len(token) != 16:
        raise ValueError(f"a badge's token has 16 bytes, not {len(token)}")
    body = base64.b32encode(token).decode().rstrip("=")
    return PREFIX + body + check_character(body)


def is_badge(text: str) -> bool:
    """Whether that is exactly a badge's text, check character included."""
    found = _BODY.fullmatch(text)
    return found is not None and check_character(found[1]) == found[2]


def is_spoilt(text: str) -> bool:
    """Whether that is a badge that was read wrongly: no card, and no badge either."""
    return text.startswith(PREFIX) and len(text) >= _SPOILT and not is_badge(text)


def begins_badge(text: str) -> bool:
    """Whether `text` is a part of a badge's text from its beginning, and not yet all of it."""
    if len(text) >= LENGTH:
        return False
    head, body = text[: len(PREFIX)], text[len(PREFIX) :]
    return PREFIX.startswith(head) and all(character in _ALPHABET for character in body)


def carries_badge(text: str) -> bool:
    """Whether some of a badge's text may be in there: it is then not to be shown or kept."""
    return PREFIX in text or PREFIX in text.swapcase()
