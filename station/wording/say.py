"""A code and its parameters as a sentence in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from station.game.refusal import Refusal
from station.snapshot import RefusalView, Text
from station.wording.refusals import NO_ROUND, REFUSALS

_SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
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
