"""The commands by which shoes are checked and put in.

`second` and `pin`: the staff number of who does it too, and his own PIN.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from station.message_parts import Command, Name, Pin, Player

Said = Annotated[str, Meta(max_length=400)]
Printed = Annotated[str, Meta(max_length=64)]
SetLetter = Annotated[str, Meta(max_length=1)]
Secret = Annotated[str, Meta(max_length=32)]


class BeginShoeCheck(Command, frozen=True, tag="begin_shoe_check"):
    """a supervisor, where set with a second person: all 416 cards of a shoe are read at `device`
    before the shuffle. Between rounds, with no shoe in. `reason`: why a barred shoe is checked.
    `what`: `count` reads what remained in a shoe that is out, in place of `reconcile_shoe`.
    """

    shoe: Name
    device: Name
    set: SetLetter = ""
    back: Printed = ""
    reason: Said = ""
    second: Player = ""
    pin: Secret = ""
    what: Literal["check", "count"] = "check"


class FinishShoeCheck(Command, frozen=True, tag="finish_shoe_check"):
    """a supervisor: all cards have been read; what is missing or too many is told now."""

    check: Annotated[int, Meta(ge=1, le=2**53)]


class CancelShoeCheck(Command, frozen=True, tag="cancel_shoe_check"):
    """a supervisor: the check is given up; what was counted is forgotten."""

    check: Annotated[int, Meta(ge=1, le=2**53)]


class EnterCheckersReceipt(Command, frozen=True, tag="enter_checkers_receipt"):
    """a supervisor with a second person: a checking machine found this shoe whole. `machine`: its
    serial number; `number`: the receipt's, which counts once; `checked_at`, `checker`: as printed.
    """

    shoe: Name
    machine: Name
    number: Name
    checked_at: Name
    second: Name
    pin: Pin
    set: SetLetter = ""
    back: Printed = ""
    checker: Printed = ""
    note: Said = ""


class ShoeShuffled(Command, frozen=True, tag="shoe_shuffled"):
    """a supervisor: the shoe was shuffled after its check; `seal`: the number of the seal on it."""

    shoe: Name
    seal: Printed = ""


class TakeOutShoe(Command, frozen=True, tag="take_out_shoe"):
    """a supervisor: the shoe comes out between rounds."""

    shoe: Name
    reason: Literal["changed", "damaged_card", "time_limit"] = "changed"


class LiftShoeBar(Command, frozen=True, tag="lift_shoe_bar"):
    """a shift manager: a barred shoe that a check has found whole since may be put in again."""

    shoe: Name
    reason: Annotated[str, Meta(min_length=1, max_length=400, pattern=r"\S")]


AnyShoeCommand = (
    BeginShoeCheck
    | FinishShoeCheck
    | CancelShoeCheck
    | EnterCheckersReceipt
    | ShoeShuffled
    | TakeOutShoe
    | LiftShoeBar
)
