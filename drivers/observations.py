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


class Evidence(Struct, frozen=True):
    """A picture kept of what was read: its file's name and the SHA-256 of its bytes (hex)."""

    name: str
    sha256: str


class CardRead(Observation, frozen=True, tag="card"):
    """A card was read. `face` such as `KH`; `deck` 0 and `set` "" where its code has none. `text`
    is the code as printed, or as the device wrote it. `checked` only if a check character was there
    and right. `resent`: the device says itself that it tells of this card again. `numbered`: the
    device numbers its draws, so that two equal faces are two cards, however close together.
    `evidence`: the pictures it was read from.
    """

    face: str
    set: str
    deck: int
    text: str
    checked: bool
    resent: bool = False
    numbered: bool = False
    evidence: tuple[Evidence, ...] = ()


class CutCard(Observation, frozen=True, tag="cut_card"):
    """The cut card came out. `set`, `text` and `evidence` as in `CardRead`."""

    set: str = ""
    text: str = ""
    evidence: tuple[Evidence, ...] = ()


class NoRead(Observation, frozen=True, tag="no_read"):
    """Something passed, and what it was cannot be told: never a card, never silence.

    `reason` is one of `incomplete` (a fragment, then silence), `not_a_card` (no card's code),
    `bad_check`, `garbage` (bytes no scanner sends), `too_long`, `foreign_symbology`, `unread` (the
    device says that it could not read what passed), `typing` (a person's keys), `caps_lock`,
    `keyboard_layout`, `hangul` (keys as a reader set up otherwise sends them). A camera's:
    `one_look` (clear in one frame only), `contradiction` (its frames tell of different cards),
    `witnesses_disagree` (its code and its index do), `one_witness` (only one of the two told),
    `two_cards` (together), `joker`, `card_back`, `pushed_back` (a card told of went back into the
    shoe), `disputed` (a card told of was seen as another one afterwards). Its `text` is what the
    witnesses said, such as `code KH07B; index QH`. `evidence` as in `CardRead`.
    """

    reason: str
    text: str = ""
    evidence: tuple[Evidence, ...] = ()


class CardOut(Observation, frozen=True, tag="card_out"):
    """A sensor saw something leave the shoe; which card it was is another reader's to say."""


class Button(Observation, frozen=True, tag="button"):
    """A person pressed a button of the table board."""

    button: Literal["help", "cut_card"]


class Badge(Observation, frozen=True, tag="badge"):
    """A badge was shown. `text` is what it carries; it can never be a card."""

    text: str


class Note(Observation, frozen=True, tag="note"):
    """Something the device said that neither is a card nor stops one: for the technician."""

    code: str
    detail: str = ""


class Identified(Observation, frozen=True, tag="identified"):
    """The device told what it is: model, firmware, serial number, as it wrote them."""

    identity: str


class Trouble(Observation, frozen=True, tag="trouble"):
    """A fault of the device; it stays until `TroubleOver`. `code` e.g. `check_baud`.

    `silent`: a heartbeat was missed, nothing it may have read in the meantime is known.
    """

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


AnyObservation = (
    CardRead
    | CutCard
    | NoRead
    | CardOut
    | Button
    | Badge
    | Note
    | Identified
    | Trouble
    | TroubleOver
    | HealthChanged
)
