"""Recognising a code that was typed while a computer was in Hangul mode.

A scanner that types sends keys; with the input method on, `AS-01` arrives as `ㅁㄴ-01`, and letters
may join to syllables (`SK` as `나`). Such a text is recognised and refused. It is never turned back
into a code: an input method may have split or joined more than can be seen.
"""

from __future__ import annotations

# Jamo; compatibility jamo; jamo extended A; syllables and extended B; half-width forms.
_BLOCKS = (
    range(0x1100, 0x1200),
    range(0x3130, 0x3190),
    range(0xA960, 0xA980),
    range(0xAC00, 0xD800),
    range(0xFFA0, 0xFFDD),
)


def looks_hangul(text: str) -> bool:
    """Whether there is a Korean letter in it."""
    return any(ord(character) in block for character in text for block in _BLOCKS)


def bytes_look_hangul(raw: bytes) -> bool:
    """Whether the bytes are UTF-8 with a Korean letter in it. Other encodings are not tried: bytes
    of a wrong baud rate would pass as Korean in them.
    """
    try:
        return looks_hangul(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return False
