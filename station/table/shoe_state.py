"""What the table knows of shoes that are not in yet: checks, and what they are good for.

A check is good for one load: a shoe that came out is checked anew.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from station.game import facts as g
from station.game.check import CheckWhy, Manifest, ShoeRules
from station.table import shoe_facts as s

# Of so many shoes put in last it is known which set they were of.
LETTERS = 40


class Check(Struct, frozen=True):
    """A shoe's check. `how`: its cards were read at the table, or a machine's receipt was entered.
    `device`: the reader, or the machine's serial number. `why` and `missing`, `surplus`: what it
    came to. `shuffled`: who said that it was shuffled since, "" while nobody has.
    """

    check: int
    manifest: Manifest
    how: Literal["read", "receipt"]
    device: str
    by: str
    second: str
    state: Literal["running", "done", "ended"] = "running"
    why: CheckWhy = ""
    ended: s.EndedWhy | Literal[""] = ""
    shuffled: str = ""
    seal: str = ""
    what: Literal["check", "count"] = "check"


class Shoes(Struct, frozen=True):
    """Everything of shoes beside the one that is in.

    `last`: the check that was begun last, until a shoe goes in. `good`: found whole and not spent,
    at most one of a shoe and of a set. `found`: what the last check came to, for showing.
    `receipts`: machines' receipts that were entered. `quiet`: cards that are read are of a set that
    is being checked or shuffled, and go into no fact. `last_set`: of the shoe released last.
    `released`: the fact by which it was.
    `letters`: names and sets of the shoes put in last. `barred_sets`: sets with the barred shoe by
    which they are.
    """

    rules: ShoeRules = ShoeRules()
    checks: int = 0
    last: Check | None = None
    good: tuple[Check, ...] = ()
    found: s.ShoeChecked | None = None
    receipts: tuple[str, ...] = ()
    quiet: bool = False
    last_set: str = ""
    released: int = 0
    letters: tuple[tuple[str, str], ...] = ()
    barred_sets: tuple[tuple[str, str], ...] = ()

    @property
    def running(self) -> Check | None:
        """The check that is running, or None."""
        return self.last if self.last is not None and self.last.state == "running" else None

    def check_of(self, shoe: str) -> Check | None:
        """The check that is good for that shoe, or None."""
        return next((one for one in self.good if one.manifest.shoe == shoe), None)


def receipt_name(machine: str, number: str) -> str:
    """What tells a machine's receipt from every other: case and blanks are no difference."""
    return f"{_plain(machine)}/{_plain(number)}"


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()


def shoes_after(shoes: Shoes, fact: s.AnyShoeFact) -> Shoes:
    """The fold of what happens to shoes that are not in."""
    match fact:
        case s.ShoeRulesSet():
            return replace(shoes, rules=fact.rules)
        case s.ShoeCheckBegun():
            begun = Check(
                fact.check,
                fact.manifest,
                "read",
                fact.device,
                fact.by,
                fact.second,
                what=fact.what,
            )
            good = _others(shoes.good, fact.manifest)
            return replace(shoes, checks=fact.check, last=begun, good=good, found=None, quiet=True)
        case s.ShoeCheckEnded():
            return replace(shoes, last=_of(shoes.last, state="ended", ended=fact.why))
        case s.ShoeChecked():
            last = _of(shoes.last, state="done", why=fact.why)
            good = (*shoes.good, last) if last is not None and not fact.why else shoes.good
            return replace(shoes, last=last, good=good, found=fact)
        case s.CheckersReceiptEntered():
            return _receipt(shoes, fact)
        case s.ShuffledAfterCheck():
            return _shuffled(shoes, fact)
        case s.ShoeBarLifted():
            return replace(shoes, barred_sets=_unbarred(shoes, fact.shoe))


def _of(check: Check | None, **changes: object) -> Check | None:
    return replace(check, **changes) if check is not None else None


def _others(good: tuple[Check, ...], manifest: Manifest) -> tuple[Check, ...]:
    """Cards that are checked anew are no longer those of an earlier check: not by the shoe's name,
    nor by the letter in their codes.
    """
    return tuple(
        one
        for one in good
        if one.manifest.shoe != manifest.shoe
        and (not manifest.set or one.manifest.set != manifest.set)
    )


def _receipt(shoes: Shoes, fact: s.CheckersReceiptEntered) -> Shoes:
    check = Check(
        fact.check, fact.manifest, "receipt", fact.machine, fact.by, fact.second, state="done"
    )
    name = receipt_name(fact.machine, fact.number)
    good = (*_others(shoes.good, fact.manifest), check)
    receipts = (*shoes.receipts, name)
    return replace(shoes, checks=fact.check, last=check, good=good, found=None, receipts=receipts)


def _shuffled(shoes: Shoes, fact: s.ShuffledAfterCheck) -> Shoes:
    good = tuple(
        replace(one, shuffled=fact.by, seal=fact.seal) if one.check == fact.check else one
        for one in shoes.good
    )
    last = shoes.last
    if last is not None and last.check == fact.check:
        last = replace(last, shuffled=fact.by, seal=fact.seal)
    return replace(shoes, good=good, last=last)


def _unbarred(shoes: Shoes, shoe: str) -> tuple[tuple[str, str], ...]:
    return tuple(one for one in shoes.barred_sets if one[1] != shoe)


def shoe_moved(
    shoes: Shoes,
    fact: g.ShoeLoaded | g.ShoeReleased | g.ShoeReconciled,
    letter: str,
    seq: int,
) -> Shoes:
    """The shoe itself went in, which spends its check, was released, or counted. `letter`: the set
    of the one that is in; `seq`: that of the fact.
    """
    match fact:
        case g.ShoeReleased():
            return replace(shoes, last_set=letter, released=seq)
        case g.ShoeReconciled():
            barred = _unbarred(shoes, fact.shoe)
            known = dict(shoes.letters).get(fact.shoe, "")
            if known and (fact.missing or fact.surplus):
                barred = (*barred, (known, fact.shoe))
            return replace(shoes, barred_sets=barred)
        case g.ShoeLoaded():
            good = _others(shoes.good, Manifest(fact.shoe, fact.set))
            others = tuple(one for one in shoes.letters if one[0] != fact.shoe)
            letters = (*others, (fact.shoe, fact.set))[-LETTERS:]
            return replace(shoes, good=good, last=None, found=None, quiet=False, letters=letters)
