"""The console's own static texts, and the choice of language."""

from __future__ import annotations

from pathlib import Path

import msgspec

from station.messages import Language
from station.snapshot import Text

FOLDER = Path(__file__).parent / "i18n"
LANGUAGES: tuple[Language, ...] = ("ko", "en")

_SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def load(language: Language) -> dict[str, str]:
    """The texts of one language by key. Raises `OSError` or `msgspec.DecodeError`."""
    raw = (FOLDER / f"{language}.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, str])


class Words:
    """Texts in one language: the console's own by key, the station's by `say`."""

    def __init__(self, language: Language = "ko") -> None:
        self._tables = {name: load(name) for name in LANGUAGES}
        self.language: Language = language

    @property
    def table(self) -> dict[str, str]:
        """Every static text of the language in use."""
        return self._tables[self.language]

    def __call__(self, key: str, **params: object) -> str:
        """The text under `key` with its parameters. Raises `KeyError` for an unknown key."""
        return self.table[key].format(**params)

    def known(self, key: str, otherwise: str) -> str:
        """The text under `key`; what the station said itself when the console has no word."""
        return self.table.get(key, otherwise)

    def say(self, text: Text) -> str:
        """The station's own sentence in the language in use."""
        return text.ko if self.language == "ko" else text.en


def rank_sign(face: str) -> str:
    """The rank of `TH` as printed on a card: `10`."""
    return "10" if face[:1] == "T" else face[:1]


def face_sign(face: str) -> str:
    """`TH` as a person writes it: `10♥`; "" stays ""."""
    return rank_sign(face) + _SUIT_SIGNS.get(face[1:], face[1:])


def money(amount: int, minor_digits: int) -> str:
    """Minor units with thousands separated: 1234567 with two digits is `12,345.67`."""
    sign = "−" if amount < 0 else ""
    if minor_digits == 0:
        return f"{sign}{abs(amount):,}"
    whole, part = divmod(abs(amount), 10**minor_digits)
    return f"{sign}{whole:,}.{part:0{minor_digits}d}"
