"""The check of a shoe before its shuffle: what was counted, and what that says (R2).

All 416 cards are read, and only how many of each there were is kept: no mapping here says anything
of the order, each is sorted by name. A card is named by its face and, where its code has one, the
number of its deck: `KH3`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from station.game.cards import RANKS, SUITS
from station.game.rules import DECKS

# Why a shoe that was counted is not to be dealt from; "" for a whole one.
CheckWhy = Literal["", "short_shoe", "long_shoe", "wrong_shoe", "doubtful"]
FACES = tuple(rank + suit for suit in SUITS for rank in RANKS)


class CardSet(Struct, frozen=True, forbid_unknown_fields=True):
    """A set of cards in rotation: the letter in its codes, and the colour of its backs."""

    letter: str
    back: str = ""


class ShoeRules(Struct, frozen=True):
    """How shoes are put in. `check`: whether one needs a fresh check, good for one load.
    `two_people`: whether a second person proves himself. `sets`: those in rotation, none where any
    is taken. The defaults are what a journal of an earlier release was written under.
    """

    check: Literal["required", "off"] = "off"
    two_people: bool = False
    sets: tuple[CardSet, ...] = ()

    def set_of(self, letter: str) -> CardSet | None:
        """The set of that letter, None where it is not in rotation."""
        return next((one for one in self.sets if one.letter == letter), None)

    def due(self, last: str) -> tuple[CardSet, ...]:
        """The sets that may go in after `last` came out: with two or more in rotation, not it."""
        if len(self.sets) < 2:
            return self.sets
        return tuple(one for one in self.sets if one.letter != last)


class Manifest(Struct, frozen=True):
    """What a shoe is said to be: its name, the set letter its cards carry ("" for any), the colour
    of their backs, and how many decks.
    """

    shoe: str
    set: str = ""
    back: str = ""
    decks: int = DECKS


class Tally(Struct, frozen=True):
    """What was read in a check, without its order.

    `cards`: by name, how many; one that its code names counts once. `again`: cards named by their
    code that came once more with others between. `foreign`: codes of another set, or of a deck
    there is none of. `repeats`: how often the last card was read once more. `close`: faces read
    again shortly after, where nothing but time tells two of them apart. `cut`: cut cards.
    `unread`: what passed and could not be read.
    """

    cards: dict[str, int] = {}
    again: dict[str, int] = {}
    foreign: dict[str, int] = {}
    repeats: int = 0
    close: int = 0
    cut: int = 0
    unread: int = 0

    @property
    def total(self) -> int:
        """How many cards of this shoe were counted."""
        return sum(self.cards.values())


class Verdict(Struct, frozen=True):
    """What a tally says of a shoe. `counts`: of each face, in the order of a new deck. `missing`
    and `surplus`: faces with how many. `absent`: the very cards that are missing, where their codes
    tell. `doubtful`: cards that may have been counted twice, or for another one.
    """

    counts: dict[str, int]
    missing: dict[str, int]
    surplus: dict[str, int]
    absent: tuple[str, ...]
    doubtful: dict[str, int]
    why: CheckWhy


def verdict(tally: Tally, decks: int = DECKS) -> Verdict:
    """Whether these are all the cards of a shoe and no other: of each face as many as there are
    decks.

    A card named by its code that came again with others between may be a second one with the same
    code; and a face told once with its deck and once without may be one card told twice. Both are
    in doubt, and a shoe in doubt is not whole.
    """
    named: dict[str, set[str]] = {face: set() for face in FACES}
    by_face = dict.fromkeys(FACES, 0)
    for name, count in tally.cards.items():
        if len(name) > len("KH"):
            named[name[:2]].add(name)
        else:
            by_face[name] += count
    counts = {face: len(named[face]) + by_face[face] for face in FACES}
    missing = {face: decks - count for face, count in counts.items() if count < decks}
    surplus = {face: count - decks for face, count in counts.items() if count > decks}
    both = {face: by_face[face] for face in FACES if named[face] and by_face[face]}
    doubtful = dict(sorted({**both, **tally.again}.items(), key=lambda pair: place(pair[0])))
    absent = tuple(
        f"{face}{deck}"
        for face in missing
        if named[face] and not by_face[face]
        for deck in range(1, decks + 1)
        if f"{face}{deck}" not in named[face]
    )
    why = _why(missing, surplus, tally.foreign, doubtful)
    return Verdict(counts, missing, surplus, absent, doubtful, why)


def _why(
    missing: dict[str, int],
    surplus: dict[str, int],
    foreign: dict[str, int],
    doubtful: dict[str, int],
) -> CheckWhy:
    if foreign or (missing and surplus):
        return "wrong_shoe"
    if missing:
        return "short_shoe"
    if surplus:
        return "long_shoe"
    return "doubtful" if doubtful else ""


def place(name: str) -> tuple[int, str]:
    """Where a card's name stands in a list: as in a new deck, whatever order it was read in."""
    face = name[:2]
    return (FACES.index(face), name) if face in FACES else (len(FACES), name)
