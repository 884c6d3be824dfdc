"""Which character a key gives: the US layout, by which keys are read, and the layouts a scanner may
be set to instead, by which they are only recognised.

Key numbers are those of Linux include/uapi/linux/input-event-codes.h: places on the keyboard, named
after what is printed there in the US.
"""

from __future__ import annotations

from msgspec import Struct

ENTER, KP_ENTER, TAB = 28, 96, 15
CAPS_LOCK, HANGEUL, RIGHT_ALT = 58, 122, 100
SHIFTS, CONTROLS = frozenset((42, 54)), frozenset((29, 97))
OTHERS = frozenset((56, 125, 126))
MODIFIERS = SHIFTS | CONTROLS | OTHERS | {RIGHT_ALT}
ENDS = frozenset((ENTER, KP_ENTER, TAB))
# Control with J, M or I, as some scanners type LF, CR and TAB.
CONTROL_ENDS = frozenset((36, 50, 23))

PLAIN, SHIFT, ALT_GR = 0, 1, 2

_ROWS = (
    (41, *range(2, 14)),
    tuple(range(16, 28)),
    (*range(30, 41), 43),
    tuple(range(44, 54)),
    (57,),
)
_KEYPAD = dict(
    zip((71, 72, 73, 75, 76, 77, 79, 80, 81, 82, 74, 78, 98), "7894561230-+/", strict=True)
)


class Key(Struct, frozen=True):
    """A key pressed: its number, which modifier was held, and the event as it came."""

    code: int
    level: int
    raw: bytes = b""


class Layout(Struct, frozen=True):
    """A keyboard layout: key and level to character."""

    name: str
    characters: dict[tuple[int, int], str]

    def character(self, key: Key) -> str:
        """The character of a key, the replacement character for a key without one."""
        return self.characters.get((key.code, key.level), "\ufffd")

    def text(self, keys: tuple[Key, ...]) -> str:
        """What those keys type."""
        return "".join(map(self.character, keys))

    def keys(self, text: str) -> tuple[Key, ...]:
        """The keys that type a text. Raises KeyError for a character that is on none."""
        where = {character: place for place, character in reversed(self.characters.items())}
        return tuple(Key(*where[character]) for character in text)


def _layout(
    name: str, plain: tuple[str, ...], shifted: tuple[str, ...], alt_gr: dict[int, str]
) -> Layout:
    characters: dict[tuple[int, int], str] = {}
    for level, rows in ((PLAIN, plain), (SHIFT, shifted)):
        for codes, row in zip(_ROWS, rows, strict=True):
            for code, character in zip(codes, row, strict=True):
                characters[code, level] = character
    characters |= {(code, PLAIN): digit for code, digit in _KEYPAD.items()}
    return Layout(name, characters | {(code, ALT_GR): each for code, each in alt_gr.items()})


US = _layout(
    "US",
    ("`1234567890-=", "qwertyuiop[]", "asdfghjkl;'\\", "zxcvbnm,./", " "),
    ("~!@#$%^&*()_+", "QWERTYUIOP{}", 'ASDFGHJKL:"|', "ZXCVBNM<>?", " "),
    {},
)
AZERTY = _layout(
    "AZERTY",
    ("²&é\"'(-è_çà)=", "azertyuiop^$", "qsdfghjklmù*", "wxcvbn,;:!", " "),
    ("~1234567890°+", "AZERTYUIOP¨£", "QSDFGHJKLM%µ", "WXCVBN?./§", " "),
    {12: "]"},
)
QWERTZ = _layout(
    "QWERTZ",
    ("^1234567890ß´", "qwertzuiopü+", "asdfghjklöä#", "yxcvbnm,.-", " "),
    ('°!"§$%&/()=?`', "QWERTZUIOPÜ*", "ASDFGHJKLÖÄ'", "YXCVBNM;:_", " "),
    {10: "]"},
)
OTHER_LAYOUTS = (AZERTY, QWERTZ)


def name_of(key: Key) -> str:
    """The key, for a technician: what is printed on it in the US, else its number."""
    named = {ENTER: "Enter", KP_ENTER: "Enter (keypad)", TAB: "Tab", CAPS_LOCK: "Caps Lock"}
    named |= {HANGEUL: "Hangul", 57: "Space", RIGHT_ALT: "right Alt"}
    named |= dict.fromkeys(SHIFTS, "Shift") | dict.fromkeys(CONTROLS, "Control")
    character = US.characters.get((key.code, key.level))
    return named.get(key.code, character or f"number {key.code}")
