"""Keyboards of three countries: which key types a character, by the kernel's key numbers."""

from __future__ import annotations

from dataclasses import dataclass

SHIFT, ALT_GR, _CONTROL = 42, 100, 29


@dataclass(frozen=True)
class Stroke:
    """A key pressed and released while others are held."""

    code: int
    held: tuple[int, ...] = ()


ENTER, TAB, CAPS_LOCK, HANGEUL = Stroke(28), Stroke(15), Stroke(58), Stroke(122)
CONTROL_J = Stroke(36, (_CONTROL,))

_LETTERS = {
    "us": {"qwertyuiop": 16, "asdfghjkl": 30, "zxcvbnm": 44},
    "azerty": {"azertyuiop": 16, "qsdfghjklm": 30, "wxcvbn": 44},
    "qwertz": {"qwertzuiop": 16, "asdfghjkl": 30, "yxcvbnm": 44},
}
_OTHERS = {
    "us": {
        **{digit: (2 + i, "plain") for i, digit in enumerate("1234567890")},
        "-": (12, "plain"), "_": (12, "shift"), "+": (13, "shift"), "]": (27, "plain"),
        ":": (39, "shift"), ".": (52, "plain"), "/": (53, "plain"), " ": (57, "plain"),
    },
    "azerty": {
        **{digit: (2 + i, "shift") for i, digit in enumerate("1234567890")},
        "-": (7, "plain"), "_": (9, "plain"), "+": (13, "shift"), "]": (12, "alt_gr"),
        ":": (52, "plain"), ".": (51, "shift"), "/": (52, "shift"), " ": (57, "plain"),
    },
    "qwertz": {
        **{digit: (2 + i, "plain") for i, digit in enumerate("1234567890")},
        "-": (53, "plain"), "_": (53, "shift"), "+": (27, "plain"), "]": (10, "alt_gr"),
        ":": (52, "shift"), ".": (52, "plain"), "/": (8, "shift"), " ": (57, "plain"),
    },
}  # fmt: skip


def _letters(name: str) -> dict[str, tuple[int, str]]:
    keys: dict[str, tuple[int, str]] = {}
    for row, first in _LETTERS[name].items():
        for i, letter in enumerate(row):
            keys[letter] = (first + i, "plain")
            keys[letter.upper()] = (first + i, "shift")
    return keys


# Layout → character → key number, and what is held with it: "plain", "shift" or "alt_gr".
LAYOUTS: dict[str, dict[str, tuple[int, str]]] = {
    name: _letters(name) | _OTHERS[name] for name in _LETTERS
}
