"""What has happened to shoes before they were put in: checks, receipts, shuffles, bars."""

from __future__ import annotations

from typing import Literal

from station.game.check import CheckWhy, Manifest, ShoeRules
from station.table.fact import TableFact

EndedWhy = Literal["cancelled", "restart", "reader", "fault", "counted"]


class ShoeFact(TableFact, frozen=True):
    """A fact of a shoe that is not in."""


class ShoeRulesSet(ShoeFact, frozen=True, tag="ShoeRulesSet"):
    """How shoes are put in from here on, as the table's file says."""

    rules: ShoeRules


class ShoeCheckBegun(ShoeFact, frozen=True, tag="ShoeCheckBegun"):
    """All cards of a shoe are read at `device` from here on; what is read stands in no fact until
    the check ends, and then without its order. `second`: who checks along, "" where one may alone.
    `reason`: why a barred shoe is checked again. `what`: a `check` before the shuffle, or the
    `count` of what remained in a shoe that is out.
    """

    check: int
    manifest: Manifest
    device: str
    by: str
    second: str
    reason: str = ""
    what: Literal["check", "count"] = "check"


class ShoeCheckEnded(ShoeFact, frozen=True, tag="ShoeCheckEnded"):
    """A check that came to nothing; what was counted is forgotten. `why`: `cancelled` by a person,
    `restart` of the station, `reader` (away), `fault` (reported by it). `counted`: it was a count,
    and the fact before says what came of it.
    """

    check: int
    shoe: str
    why: EndedWhy
    by: str


class ShoeChecked(ShoeFact, frozen=True, tag="ShoeChecked"):
    """A check came to its end. Counts alone, each mapping in the order of a new deck.

    `identity`: what the reader is. `counts`: of each face. `absent`: the very cards missing, where
    their codes tell. `foreign`, `doubtful`, `repeats`, `close`, `cut`, `unread`: as in
    `station.game.check`. `by` ended it; `begun_by` and `second` checked.
    """

    check: int
    manifest: Manifest
    device: str
    identity: str
    read: int
    counts: dict[str, int]
    missing: dict[str, int]
    surplus: dict[str, int]
    absent: tuple[str, ...]
    foreign: dict[str, int]
    doubtful: dict[str, int]
    repeats: int
    close: int
    cut: int
    unread: int
    why: CheckWhy
    by: str
    begun_by: str
    second: str


class CheckersReceiptEntered(ShoeFact, frozen=True, tag="CheckersReceiptEntered"):
    """A checking machine's receipt for one shoe, entered by two people. `machine`: its serial
    number; `number` the receipt's own, which counts once; `checked_at` and `checker` as printed.
    """

    check: int
    manifest: Manifest
    machine: str
    number: str
    checked_at: str
    checker: str
    note: str
    by: str
    second: str


class ShuffledAfterCheck(ShoeFact, frozen=True, tag="ShuffledAfterCheck"):
    """A named person says that the shoe was shuffled after its check. `seal`: the number of the
    seal put on it, "" for none.
    """

    check: int
    shoe: str
    seal: str
    by: str


class ShoeBarLifted(ShoeFact, frozen=True, tag="ShoeBarLifted"):
    """A shoe whose count had not come out may be put in again: `check` found it whole."""

    shoe: str
    check: int
    reason: str
    by: str


AnyShoeFact = (
    ShoeRulesSet
    | ShoeCheckBegun
    | ShoeCheckEnded
    | ShoeChecked
    | CheckersReceiptEntered
    | ShuffledAfterCheck
    | ShoeBarLifted
)
