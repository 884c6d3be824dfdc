"""What people order of shoes that are checked and put in. `second` and `person`: who does it with
him, and whom his PIN proved; `refusal` as in `LogIn`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.check import Tally
from station.game.refusal import Refusal
from station.table.facts import Person


class BeginShoeCheck(Struct, frozen=True):
    """All cards of that shoe are going to be read at that reader, before their shuffle; or, as a
    `count`, what remained in it after it came out.
    """

    shoe: str
    set: str
    device: str
    back: str = ""
    reason: str = ""
    second: str = ""
    person: Person | None = None
    refusal: Refusal | None = None
    what: Literal["check", "count"] = "check"


class FinishShoeCheck(Struct, frozen=True):
    """Nothing more is to be read. `tally`: what the station has counted, `identity`: what the
    reader is; neither is said by a person.
    """

    check: int
    tally: Tally = Tally()
    identity: str = ""


class CancelShoeCheck(Struct, frozen=True):
    check: int


class EnterCheckersReceipt(Struct, frozen=True):
    """A checking machine found the shoe whole, as its receipt says."""

    shoe: str
    set: str
    machine: str
    number: str
    checked_at: str
    checker: str
    back: str = ""
    note: str = ""
    second: str = ""
    person: Person | None = None
    refusal: Refusal | None = None


class ShoeShuffled(Struct, frozen=True):
    """The shoe was shuffled after its check, and sealed under that number."""

    shoe: str
    seal: str = ""


class TakeOutShoe(Struct, frozen=True):
    """The shoe comes out between rounds by a supervisor's order."""

    shoe: str
    reason: Literal["changed", "damaged_card", "time_limit"]


class LiftShoeBar(Struct, frozen=True):
    """A barred shoe that a check has found whole since may be put in again."""

    shoe: str
    reason: str


AnyCheckCommand = (
    BeginShoeCheck
    | FinishShoeCheck
    | CancelShoeCheck
    | EnterCheckersReceipt
    | ShoeShuffled
    | TakeOutShoe
    | LiftShoeBar
)
