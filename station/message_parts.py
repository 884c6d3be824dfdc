"""What messages are made of: names, numbers, cards, and what every command is."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from station.game.cards import RANKS, SUITS

# The end of a text; `$` alone would let a line feed follow.
_END = r"$(?!\n)"
# No control characters, none that are not seen or turn the line's direction, no blank at the ends.
_SEEN = r"[^\x00-\x1f\x7f\x85\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]"
_NAMED = rf"^(?=\S){_SEEN}+(?<=\S){_END}"
Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=_NAMED)]
CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=rf"^[A-Za-z0-9._:-]+{_END}")]
Face = Annotated[str, Meta(pattern=f"^[{RANKS}][{SUITS}]{_END}")]
SeatNumber = Annotated[int, Meta(ge=1, le=7)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Money = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Player = Annotated[str, Meta(max_length=64, pattern=rf"^{_END}|{_NAMED}")]
Pin = Annotated[str, Meta(min_length=4, max_length=32)]


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """An imperative. Which roles may say it is listed with each."""
