"""A code and its parameters as a sentence in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from station.game.refusal import Refusal
from station.snapshot import RefusalView, Text
from station.wording.refusals import NO_ROUND, REFUSALS
from station.wording.table import OF_DECK, WITNESSES

_SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_FACE = re.compile(r"[A2-9TJQK][SHDC]")
_RANK_SIGNS = {"T": "10"}


def face_sign(face: str) -> str:
    """`TH` as a person writes it: `10♥`."""
    if len(face) != 2:
        return face
    return _RANK_SIGNS.get(face[0], face[0]) + _SUIT_SIGNS.get(face[1], face[1])


class _Params(dict[str, str | int]):
    def __missing__(self, key: str) -> str:
        return "–"


def say(words: tuple[str, str], params: Mapping[str, str | int] | None = None) -> Text:
    """Both sentences with their parameters filled in; amounts with thousands separated."""
    shown = _Params()
    for name, value in (params or {}).items():
        if name in ("face", "upcard"):
            shown[name] = face_sign(str(value))
        elif isinstance(value, int) and abs(value) >= 10_000:
            shown[name] = f"{value:,}"
        else:
            shown[name] = value
    ko, en = words
    return Text(ko.format_map(shown), en.format_map(shown))


def money(amount: int, digits: int) -> str:
    """An amount in minor units as people write it: `1,500`, or `15.00` with two digits."""
    sign, (whole, rest) = "-" if amount < 0 else "", divmod(abs(amount), 10**digits)
    return f"{sign}{whole:,}.{rest:0{digits}}" if digits else f"{sign}{whole:,}"


def witnesses(said: str) -> tuple[str, str]:
    """What a reader made out (`code KH/7; index QH`, or `code=KH/7 index=QH`) in both languages;
    other words as they are. A face is written as people do, a code that is none as it is printed.
    """
    ko, en = [], []
    for who, told in _told(said):
        if who not in WITNESSES or not told:
            return said, said
        values = [_witnessed(value.strip()) for value in told.split(",")]
        ko.append(WITNESSES[who][0] + " " + ", ".join(value[0] for value in values))
        en.append(WITNESSES[who][1] + " " + ", ".join(value[1] for value in values))
    return " · ".join(ko), ", ".join(en)


def _told(said: str) -> list[tuple[str, str]]:
    """Each witness and all that he told."""
    pairs = [part.partition("=") for part in said.split()]
    if not all(sign for _, sign, _ in pairs):
        parts = [part.strip().partition(" ") for part in said.split(";")]
        return [(who, told) for who, _, told in parts]
    told: dict[str, list[str]] = {}
    for who, _, value in pairs:
        told.setdefault(who, []).append(value)
    return [(who, ",".join(values)) for who, values in told.items()]


def _witnessed(value: str) -> tuple[str, str]:
    face, _, deck = value.partition("/")
    if not _FACE.fullmatch(face):
        return value, value
    sign = face_sign(face)
    if not deck.isdecimal():
        return sign, sign
    ko, en = OF_DECK
    return ko.format(face=sign, deck=int(deck)), en.format(face=sign, deck=int(deck))


# Parameters that are money, in minor units.
_MONEY = ("amount", "minimum", "maximum", "step")


def refusal_view(refusal: Refusal, digits: int = 0) -> RefusalView:
    """A refusal worded for people; `digits` follow the decimal point of an amount."""
    words = REFUSALS.get(refusal.code, (refusal.code, refusal.code))
    if refusal.code == "stale_round" and not refusal.params.get("now"):
        words = NO_ROUND
    shown = {
        name: money(value, digits) if name in _MONEY and isinstance(value, int) else value
        for name, value in refusal.params.items()
    }
    return RefusalView(refusal.code, refusal.rule, refusal.params, say(words, shown))
