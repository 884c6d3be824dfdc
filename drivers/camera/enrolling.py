"""Teaching a deck: which card is next, whether what was seen of it will do, and what it comes to.

Two passes over one deck. In the first each card is known by its place in the order; in the second
the deck that was learned has to tell each card by itself. Frames come from elsewhere; what is said
goes out as `Said`, in words only later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias

import numpy as np

from drivers.camera.follow import Passed
from drivers.camera.index.deck import Deck
from drivers.camera.index.enrol import (
    EnrolError,
    Labelled,
    Separation,
    check,
    learn,
    seen,
    with_limits,
)
from drivers.camera.index.measure import Glyphs
from drivers.camera.index.patch import Floats
from drivers.camera.index.reader import IndexReader
from drivers.camera.index.templates import Stored, read_stored
from drivers.camera.refusal_words import refusal
from drivers.camera.sight import Frame, IndexLook, Region, Scene

Phase: TypeAlias = Literal["first", "second", "done"]

# A card needs so many pictures whose indices look alike.
LEAST_VIEWS = 3
MOST_VIEWS = 12
# How alike two pictures of one card's index are at least; more than the second: the same card.
ALIKE, SAME = 0.7, 0.82
# So many sure looks make a reading, as at a table.
READ_VIEWS = 2
# How often a card is shown in the second pass before it is left unread.
TRIES = 2
FACES = 52


class Reader(Protocol):
    """Reads indices."""

    def look(self, frame: Frame, region: Region) -> tuple[IndexLook, ...]:
        """One look for each corner."""


@dataclass(frozen=True)
class View:
    """What one picture shows of a card: whatever stands like an index at its corners, and the
    faces that were surely read; `without`: those that are read without the deck.
    """

    glyphs: tuple[Glyphs, ...]
    faces: tuple[str, ...]
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Said:
    """One thing to tell the person. `code`: which; `with_`: its figures."""

    code: str
    with_: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What it came to. `deck`: what was learned, with its limits if it is `safe`, which means that
    no card was taken for another and that none is near it; else `why` not. `after`: cards of the
    second pass that were read with the deck, `before`: that would have been without it; `looks_`:
    the same in views of an index. `unread`: cards it cannot read.
    """

    safe: bool
    why: str
    deck: Deck | None = None
    separation: Separation | None = None
    before: int = 0
    after: int = 0
    unread: tuple[str, ...] = ()
    looks_before: int = 0
    looks_after: int = 0


class Enrolment:
    """`card` for each card that passed, in order. `order`: of the first pass, and of the second
    unless `any_order`. Raises ValueError for an order that is not one of a whole deck.
    """

    def __init__(
        self,
        name: str,
        order: Sequence[str],
        *,
        any_order: bool = False,
        px_per_mm: float | None = None,
    ) -> None:
        check_order(order)
        self.order = tuple(order)
        self._name, self._any_order, self._px_per_mm = name, any_order, px_per_mm
        self._stored: Stored = read_stored()
        self._usual: Reader = IndexReader(px_per_mm=px_per_mm)
        self._own: Reader | None = None
        self._learned: dict[str, tuple[Glyphs, ...]] = {}
        self._last: tuple[Glyphs, ...] = ()
        self.phase: Phase = "first"
        self.deck: Deck | None = None
        self._second = _Second()

    @property
    def next(self) -> str | None:
        """The face that is asked for; None where any will do."""
        if self.phase == "first":
            return self.order[len(self._learned)]
        if self.phase == "second" and not self._any_order:
            return self.order[len(self._second.shown)]
        return None

    @property
    def done_of(self) -> tuple[int, int]:
        """Cards that are done in this pass, of how many."""
        done = self._learned if self.phase == "first" else self._second.shown
        return len(done), FACES

    def look(self, scene: Scene, region: Region) -> View:
        """What a picture shows of the card in front."""
        glyphs = seen(scene.frame, region, self._px_per_mm)
        usual = _faces(self._usual.look(scene.frame, region))
        if self._own is None:
            return View(glyphs, usual)
        return View(glyphs, _faces(self._own.look(scene.frame, region)), usual)

    def card(self, passed: Passed[View]) -> tuple[Said, ...]:
        """A card has passed: what there is to say."""
        if self.phase == "done":
            return ()
        if not passed.out:
            return (Said("went_back", {"face": self.next or ""}),)
        return self._first(passed) if self.phase == "first" else self._check(passed)

    # --- the first pass -------------------------------------------------------------------

    def _first(self, passed: Passed[View]) -> tuple[Said, ...]:
        face = self.order[len(self._learned)]
        alike = self._alike([glyphs for view in passed.looks for glyphs in view.glyphs])
        doubt = self._doubt(face, passed, alike)
        if doubt is not None:
            return (doubt,)
        self._learned[face] = alike[:MOST_VIEWS]
        self._last = alike
        said = Said("took", {"face": face, "views": len(alike), "done": len(self._learned)})
        return (said, *self._learn()) if len(self._learned) == FACES else (said,)

    def _doubt(self, face: str, passed: Passed[View], alike: tuple[Glyphs, ...]) -> Said | None:
        """Why this card's pictures will not do, None if they do."""
        read = Counter(one for view in passed.looks for one in view.faces)
        other, count = max(
            ((one, n) for one, n in read.items() if one != face),
            key=lambda pair: pair[1],
            default=("", 0),
        )
        if count >= READ_VIEWS:
            return Said("another", {"face": face, "other": other})
        some = sum(bool(view.glyphs) for view in passed.looks)
        if not some:
            return Said("no_index", {"face": face, "views": passed.views})
        if len(alike) < LEAST_VIEWS:
            code = "few" if some < LEAST_VIEWS else "unlike"
            return Said(code, {"face": face, "views": len(alike)})
        if self._last and self._likeness(alike, self._last).max() > SAME:
            return Said("same_again", {"face": face})
        return None

    def _learn(self) -> tuple[Said, ...]:
        samples = [(face, one) for face, glyphs in self._learned.items() for one in glyphs]
        try:
            self.deck = learn(samples, self._name, self._stored)
        except EnrolError as error:
            self.phase = "done"
            return (Said("not_learned", {"why": str(error)}),)
        self._own = IndexReader(deck=self.deck, px_per_mm=self._px_per_mm)
        self.phase = "second"
        return (Said("learned"),)

    def _alike(self, glyphs: Sequence[Glyphs]) -> tuple[Glyphs, ...]:
        """The largest group that looks like one of them, the most typical first."""
        if not glyphs:
            return ()
        likeness = self._likeness(glyphs, glyphs)
        near = likeness > ALIKE
        middle = int(np.argmax(near.sum(axis=1) + 0.5 * likeness.mean(axis=1)))
        chosen = np.flatnonzero(near[middle])
        ranked = sorted(chosen.tolist(), key=lambda i: -float(likeness[middle, i]))
        return tuple(glyphs[i] for i in ranked)

    def _likeness(self, one: Sequence[Glyphs], other: Sequence[Glyphs]) -> Floats:
        """Of each to each, by the less alike of rank and suit."""
        ranks, suits = self._stored.ranks.space, self._stored.suits.space
        places = [
            (
                np.array([ranks.of(glyphs.rank) for glyphs in some]),
                np.array([suits.of(glyphs.suit) for glyphs in some]),
            )
            for some in (one, other)
        ]
        (rank, suit), (rank_, suit_) = places
        return np.asarray(np.minimum(rank @ rank_.T, suit @ suit_.T), dtype=np.float32)

    # --- the second pass ------------------------------------------------------------------

    def _check(self, passed: Passed[View]) -> tuple[Said, ...]:
        second = self._second
        counts = Counter(face for view in passed.looks for face in view.faces)
        glyphs = self._alike([one for view in passed.looks for one in view.glyphs])
        without = Counter(face for view in passed.looks for face in view.without)
        if len(counts) > 1:
            second.clashes.append(" ".join(sorted(counts)))
            return (Said("clash", {"faces": ", ".join(sorted(counts))}),)
        face, count = counts.most_common(1)[0] if counts else ("", 0)
        if count < READ_VIEWS:
            return self._not_read(glyphs, without)
        if face in second.shown:
            second.twice.append(face)
            return (Said("twice", {"face": face}),)
        wanted = self.next
        if wanted is not None and wanted != face:
            if not (second.tries and face == self._after(wanted)):
                second.out_of_order.append((wanted, face))
                return (Said("out_of_order", {"face": face, "wanted": wanted}),)
            # The card before was not read, and not shown once more.
            second.leave(wanted)
        second.tries = 0
        second.shown.append(face)
        second.read += 1
        second.looks_after += count
        second.count(face, without)
        second.samples += [(face, one) for one in glyphs]
        return (Said("read", {"face": face, "done": len(second.shown)}), *self._ended())

    def _not_read(self, glyphs: tuple[Glyphs, ...], without: Counter[str]) -> tuple[Said, ...]:
        second, wanted = self._second, self.next
        second.tries += 1
        if wanted is None:
            return (Said("not_read", {"face": "?"}),)
        second.samples += [(wanted, one) for one in glyphs]
        if second.tries < TRIES:
            return (Said("not_read", {"face": wanted}),)
        second.leave(wanted)
        second.count(wanted, without)
        return (Said("left", {"face": wanted}), *self._ended())

    def _after(self, face: str) -> str:
        place = self.order.index(face) + 1
        return self.order[place] if place < FACES else ""

    def _ended(self) -> tuple[Said, ...]:
        if len(self._second.shown) == FACES:
            self.phase = "done"
        return ()

    def skip(self) -> None:
        """There are no more pictures of the card that is asked for, and it was not read."""
        if self.phase == "second" and self.next is not None:
            self._second.leave(self.next)
            self._ended()

    def again(self) -> None:
        """The second pass begins anew."""
        self._second = _Second()

    @property
    def spoilt(self) -> bool:
        """Whether the second pass has shown something that its end cannot mend."""
        return bool(self._second.trouble)

    def outcome(self) -> Outcome:
        """What it comes to by now."""
        second, deck = self._second, self.deck
        if deck is None:
            missing = [face for face in self.order if face not in self._learned]
            return Outcome(False, refusal("first_pass", faces=" ".join(missing)))
        result = Outcome(
            False,
            "",
            deck,
            None,
            second.before,
            second.read,
            tuple(second.unread),
            second.looks_before,
            second.looks_after,
        )
        try:
            separation = check(deck, second.samples, self._stored) if second.samples else None
        except EnrolError as error:
            return replace(result, why=str(error))
        missing = [face for face in self.order if face not in second.shown]
        why = second.trouble
        if not why and missing:
            why = refusal("second_pass", faces=" ".join(missing))
        if separation is None:
            return replace(result, why=why or refusal("unchecked"))
        why = why or separation.why_unsafe
        if why:
            return replace(result, why=why, separation=separation)
        return replace(result, safe=True, deck=with_limits(deck, separation), separation=separation)


def _faces(looks: tuple[IndexLook, ...]) -> tuple[str, ...]:
    return tuple(look.face for look in looks if look.face)


@dataclass
class _Second:
    """What the second pass has shown. A deck that took one card for another shows one face twice
    and another never, or, where the order is kept, a face out of its place.
    """

    shown: list[str] = field(default_factory=list)
    read: int = 0
    unread: list[str] = field(default_factory=list)
    samples: list[Labelled] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    clashes: list[str] = field(default_factory=list)
    out_of_order: list[tuple[str, str]] = field(default_factory=list)
    tries: int = 0
    before: int = 0
    looks_before: int = 0
    looks_after: int = 0

    def count(self, face: str, without: Counter[str]) -> None:
        """How that card is read without the deck."""
        self.looks_before += without[face]
        self.before += without[face] >= READ_VIEWS and len(without) == 1

    def leave(self, face: str) -> None:
        """This card was shown and is not read."""
        self.unread.append(face)
        self.shown.append(face)
        self.tries = 0

    @property
    def trouble(self) -> str:
        """Why this pass proves nothing, "" while it may."""
        if self.clashes:
            return refusal("as_two", faces="; ".join(self.clashes))
        if self.twice:
            return refusal("read_twice", faces=" ".join(self.twice))
        if self.out_of_order:
            wanted, face = self.out_of_order[0]
            return refusal("out_of_place", face=face, wanted=wanted)
        return ""


def check_order(order: Sequence[str]) -> None:
    """Raises ValueError naming what is missing, strange or double."""
    faces = {rank + suit for suit in "SHDC" for rank in "A23456789TJQK"}
    strange = [one for one in order if one not in faces]
    if strange:
        raise ValueError(refusal("no_card", faces=" ".join(strange[:5])))
    double = sorted(face for face, count in Counter(order).items() if count > 1)
    if double:
        raise ValueError(refusal("order_twice", faces=" ".join(double)))
    missing = sorted(faces - set(order))
    if missing:
        raise ValueError(refusal("order_missing", faces=" ".join(missing)))
