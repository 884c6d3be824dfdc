"""The text on a card: face, set, deck and check, by a template.

A template is upper-case text with fields in braces: `{set}` one letter A-Z, `{rank}` one of
`A23456789TJQK`, `{suit}` one of `SHDC`, `{deck}` one digit 1-9 or `{deck:2}` two digits 01-99,
`{check}` one character of 0-9A-Z at the very end. Every field has a fixed width, so every code has
a fixed length: neither a fragment nor a tail nor two codes glued together is a code.

The check character is ISO/IEC 7064 MOD 37,36 over the letters and digits before it; separators do
not count. It finds every single wrong character and nearly every swap of neighbours.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

RANKS = "A23456789TJQK"
SUITS = "SHDC"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
ALPHABET = DIGITS + LETTERS
SEPARATORS = "-._/:+"

DEFAULT_CARD = "{set}{rank}{suit}{deck}{check}"
DEFAULT_CUT = "{set}CUT{check}"
DECKS = 8

_TOKEN = re.compile(
    r"\{(?P<field>[^{}:]*)(?::(?P<width>[^{}]*))?\}|(?P<literal>[^{}])|(?P<brace>.)", re.DOTALL
)
_FIELDS = ("set", "rank", "suit", "deck", "check")
_CHARACTERS = {"set": LETTERS, "rank": RANKS, "suit": SUITS, "deck": DIGITS, "check": ALPHABET}


def check_character(text: str) -> str:
    """The ISO/IEC 7064 MOD 37,36 check character over `text`; other characters than 0-9A-Z are
    left out.
    """
    product = 36
    for character in text:
        value = ALPHABET.find(character)
        if value < 0:
            continue
        total = (product + value) % 36 or 36
        product = total * 2 % 37
    return ALPHABET[(37 - product) % 36]


class CardText(Struct, frozen=True):
    """A card's code. `face` such as `KH`; `deck` 0 and `set` "" where the code has none.

    `checked` only if a check character was there and right. `foreign` says that the code is well
    formed but its `set` or `deck` is none of this table's: still a card, never to be swallowed.
    """

    face: str
    set: str
    deck: int
    text: str
    checked: bool
    foreign: Literal["", "set", "deck"] = ""


class CutText(Struct, frozen=True):
    """The cut card's code. `foreign` as in `CardText`."""

    set: str
    text: str
    checked: bool
    foreign: Literal["", "set"] = ""


class Reject(Struct, frozen=True):
    """No code of a card: `not_a_card` (wrong form) or `bad_check` (right form, wrong check)."""

    reason: Literal["not_a_card", "bad_check"]


class Grammar(Struct, frozen=True):
    """A template made ready: which characters may stand at each position, and the fields."""

    template: str
    pattern: re.Pattern[str]
    positions: tuple[str, ...]
    parts: tuple[tuple[str, int], ...]

    def has(self, field: str) -> bool:
        """Whether the template has that field."""
        return any(name == field for name, _ in self.parts)

    def begins(self, text: str) -> bool:
        """Whether `text` is a code of this form or the beginning of one."""
        return len(text) <= len(self.positions) and all(
            character in allowed for character, allowed in zip(text, self.positions, strict=False)
        )

    def fields(self, text: str) -> dict[str, str] | None:
        """The fields of `text`, or None when it has not this form."""
        found = self.pattern.fullmatch(text)
        return found.groupdict("") if found else None

    def write(self, values: dict[str, str]) -> str:
        """A code from its fields; the check character is added. ValueError names a bad field."""
        text = ""
        for name, width in self.parts:
            if name == "check":
                text += check_character(text)
            elif width == 0:
                text += name
            else:
                text += _field_text(self.template, name, width, values.get(name, ""))
        return text


class CardCode(Struct, frozen=True):
    """The format of a table's codes: one template for cards, one for the cut card.

    `sets` are the set letters of this table ("" = any), `decks` the highest deck number.
    """

    card: Grammar
    cut: Grammar
    sets: str = ""
    decks: int = DECKS

    @classmethod
    def from_template(
        cls,
        template: str = DEFAULT_CARD,
        cut: str = DEFAULT_CUT,
        *,
        sets: str | None = None,
        decks: int = DECKS,
    ) -> CardCode:
        """Make a format. ValueError says what is wrong with which template, and what to write."""
        card, cut_card = _grammar(template), _grammar(cut)
        for field in ("rank", "suit"):
            if not card.has(field):
                raise _bad(template, f"a card's code needs {{{field}}}")
        for field in ("rank", "suit", "deck"):
            if cut_card.has(field):
                raise _bad(cut, f"the cut card's code cannot have {{{field}}}")
        if sum(width == 0 and name in ALPHABET for name, width in cut_card.parts) < 2:
            raise _bad(cut, "the cut card's code needs a word of its own, such as CUT")
        for part, step in (("beginning", 1), ("end", -1)):
            if all(
                set(one) & set(other)
                for one, other in zip(
                    card.positions[::step], cut_card.positions[::step], strict=False
                )
            ):
                taken = f"it could be taken for a card's code or its {part}"
                raise _bad(cut, f"{taken} ({template!r})")
        if sets is not None and any(letter not in LETTERS for letter in sets):
            raise ValueError(f"sets {sets!r}: set letters are A-Z; leave it empty for any")
        if not 1 <= decks <= 99:
            raise ValueError(f"decks {decks}: the highest deck number is 1 to 99")
        return cls(card, cut_card, sets or "", decks)

    @property
    def has_check(self) -> bool:
        """Whether cards and the cut card both carry a check character."""
        return self.card.has("check") and self.cut.has("check")

    @property
    def has_deck(self) -> bool:
        """Whether a card's code tells it from the others of its face."""
        return self.card.has("deck")

    def parse(self, text: str) -> CardText | CutText | Reject:
        """What `text` is: exactly a card's code, exactly the cut card's, or neither.

        Nothing is stripped and no case is changed. A code of a foreign set or deck is a card.
        """
        card = self.card.fields(text)
        if card is not None:
            if not _check_holds(self.card, text):
                return Reject("bad_check")
            set_letter, deck = card.get("set", ""), int(card.get("deck", "0"))
            return CardText(
                face=card["rank"] + card["suit"],
                set=set_letter,
                deck=deck,
                text=text,
                checked=self.card.has("check"),
                foreign=self._foreign_set(set_letter) or ("deck" if deck > self.decks else ""),
            )
        cut = self.cut.fields(text)
        if cut is not None:
            if not _check_holds(self.cut, text):
                return Reject("bad_check")
            set_letter = cut.get("set", "")
            checked = self.cut.has("check")
            return CutText(set_letter, text, checked, self._foreign_set(set_letter))
        return Reject("not_a_card")

    def begins(self, text: str) -> bool:
        """Whether `text` may still grow into a code, or is one."""
        return self.card.begins(text) or self.cut.begins(text)

    def format(self, face: str, set: str = "", deck: int = 0) -> str:  # noqa: A002 - field's name
        """The code of a card, check character included. ValueError names a field that will not
        go into the template.
        """
        if len(face) != 2 or face[0] not in RANKS or face[1] not in SUITS:
            raise ValueError(f"face {face!r}: a rank of {RANKS} and a suit of {SUITS}, such as KH")
        values = {"rank": face[0], "suit": face[1], "set": set, "deck": str(deck)}
        return self.card.write(values)

    def format_cut(self, set: str = "") -> str:  # noqa: A002 - the field's own name
        """The code of the cut card, check character included."""
        return self.cut.write({"set": set})

    def _foreign_set(self, letter: str) -> Literal["", "set"]:
        return "set" if letter and self.sets and letter not in self.sets else ""


def _check_holds(grammar: Grammar, text: str) -> bool:
    return not grammar.has("check") or text[-1] == check_character(text[:-1])


def _field_text(template: str, name: str, width: int, value: str) -> str:
    text = value.zfill(width) if name == "deck" else value
    fits = len(text) == width and all(character in _CHARACTERS[name] for character in text)
    if not fits or (name == "deck" and int(text) == 0):
        raise ValueError(f"{name} {value!r} does not go into the card code template {template!r}")
    return text


def _bad(template: str, problem: str) -> ValueError:
    return ValueError(f"card code template {template!r}: {problem}")


def _grammar(template: str) -> Grammar:
    """Read a template. ValueError says what is wrong with it."""
    parts: list[tuple[str, int]] = []
    for token in _TOKEN.finditer(template):
        field, literal = token["field"], token["literal"]
        if field is not None:
            parts.append((field, _width(template, field, token["width"])))
        elif literal is not None and literal in ALPHABET + SEPARATORS:
            parts.append((literal, 0))
        elif literal is not None:
            raise _bad(template, f"{literal!r} cannot stand in it; use A-Z, 0-9 and {SEPARATORS}")
        else:
            raise _bad(template, "a brace has no partner; a field is written {rank}")
    names = [name for name, width in parts if width]
    for name in _FIELDS:
        if names.count(name) > 1:
            raise _bad(template, f"{{{name}}} stands twice")
    if "check" in names and parts[-1] != ("check", 1):
        raise _bad(template, "{check} must be the last thing in it")
    positions = tuple(
        character
        for name, width in parts
        for character in ([_CHARACTERS[name]] * width if width else [name])
    )
    expression = "".join(_expression(name, width) for name, width in parts)
    return Grammar(template, re.compile(expression), positions, tuple(parts))


def _width(template: str, field: str, width: str | None) -> int:
    if field not in _FIELDS:
        known = ", ".join(f"{{{name}}}" for name in _FIELDS)
        raise _bad(template, f"unknown field {{{field}}}; the fields are {known} and {{deck:2}}")
    if width is None:
        return 1
    if field != "deck" or width not in ("1", "2"):
        raise _bad(template, f"{{{field}:{width}}}: only {{deck:1}} and {{deck:2}} have a width")
    return int(width)


def _expression(name: str, width: int) -> str:
    if width == 0:
        return re.escape(name)
    if name == "deck":
        # Deck numbers start at 1: a zero would read as "the code has no deck number".
        return rf"(?P<deck>(?!0{{{width}}})[0-9]{{{width}}})"
    return f"(?P<{name}>[{_CHARACTERS[name]}])"
