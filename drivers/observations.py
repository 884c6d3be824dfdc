"""What a device can say.

Observations are statements of a device, never of the game: a card is its face and what its code
adds. `at_ns` is the monotonic time at which the last byte of it arrived, `raw` the bytes it was
made from, `device` the device's configured name.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Observation(Struct, frozen=True, tag_field="saw"):
    """Base of all: who said it, when the last byte came (ns, monotonic), from which bytes."""

    device: str
    at_ns: int
    raw: bytes


class CardRead(Observation, frozen=True, tag="card"):
    """A card's code was read and is well formed. `face` such as `KH`; `deck` 0 and `set` ""
    where the code has none. `text` is the code as printed. `checked` only if a check character
    was there and right. `resent` when the protocol marks a repeat.
    """

    face: str
    set: str
    deck: int
    text: str
    checked: bool
    resent: bool = False


class CutCard(Observation, frozen=True, tag="cut_card"):
    """The cut card came out. `set` and `text` as in `CardRead`."""

    set: str = ""
    text: str = ""


class NoRead(Observation, frozen=True, tag="no_read"):
    """Something passed, and what it was cannot be told: never a card, never silence.

    `reason` is one of `incomplete` (a fragment, then silence), `not_a_card` (no card's code),
    `bad_check`, `garbage` (bytes no scanner sends), `too_long`, `foreign_symbology`.
    """

    reason: str
    text: str = ""


class Trouble(Observation, frozen=True, tag="trouble"):
    """A fault of the device; it stays until `TroubleOver`. `code` e.g. `check_baud`."""

    code: str
    detail: str = ""


class TroubleOver(Observation, frozen=True, tag="trouble_over"):
    """The fault is gone."""

    code: str


Health = Literal["waiting", "up", "lost", "busy", "denied", "misconfigured", "silent"]


class HealthChanged(Observation, frozen=True, tag="health"):
    """The device came, went, or cannot be had. `detail` is for the technician."""

    health: Health
    detail: str = ""
    identity: str = ""


AnyObservation = CardRead | CutCard | NoRead | Trouble | TroubleOver | HealthChanged
