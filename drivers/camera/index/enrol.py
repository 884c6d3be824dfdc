"""Learning a table's own deck: from cards whose faces are known to templates that read them, and a
second pass over the deck that says whether they tell its cards apart.

    glyphs = seen(frame, region, px_per_mm)            # for each frame of each card
    deck = learn([(face, one) for ...], "name")        # first pass
    separation = check(deck, [(face, one) for ...])    # second pass, other frames
    deck = with_limits(deck, separation)               # if separation.safe
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from drivers.camera.index.deck import Deck
from drivers.camera.index.measure import Glyphs, measure
from drivers.camera.index.network import RANKS, SUITS
from drivers.camera.index.patch import Floats
from drivers.camera.index.reader import find
from drivers.camera.index.stencils import Space, Stencils
from drivers.camera.index.templates import Stored, of_deck, read_stored
from drivers.camera.refusal_words import refusal
from drivers.camera.sight import Frame, Image, Region

Labelled: TypeAlias = tuple[str, Glyphs]
Kind: TypeAlias = Literal["rank", "suit"]

# Samples a rank and a suit must have that look alike, and how many of them are kept as templates.
_LEAST_RANK, _LEAST_SUIT = 3, 8
_KEPT = 8

# How alike the samples of one rank or suit are at least: what is less so is a pip, a code or a card
# out of order. More than this share of such samples is no accident.
_ALIKE = 0.60
_STRANGERS = 0.6

# Where a deck's limits may lie (half way between its worst right score and its best wrong one: at a
# table it is seen less well than when it is learned), and how far apart these two must be.
_LIMITS = (0.60, 0.75)
_APART = 0.10


class EnrolError(Exception):
    """The deck cannot be learned from these samples; the text says which cards are at fault."""


def seen(frame: Frame, region: Region, px_per_mm: float | None) -> tuple[Glyphs, ...]:
    """What stands like an index at the corners of a card in a frame, whatever it is."""
    if region.kind != "card":
        return ()
    found = (find(frame, corner, region.px_per_mm, px_per_mm) for corner in region.corners)
    return tuple(measure(one.patch, one.index) for one in found if one is not None)


def learn(samples: Iterable[Labelled], name: str, stored: Stored | None = None) -> Deck:
    """A deck from glyphs of which the card's face is known. What stands at a card's other corners
    may be among them: the glyphs of one rank, of one suit, must agree with each other, and what
    agrees with none is left out. Raises EnrolError.
    """
    stored = stored or read_stored()
    all_of = list(samples)
    ranks = _learned("rank", RANKS, all_of, stored.ranks, _LEAST_RANK)
    suits = _learned("suit", SUITS, all_of, stored.suits, _LEAST_SUIT)
    return Deck(
        name,
        *ranks[:2],
        *suits[:2],
        rank_figures=ranks[2],
        suit_figures=suits[2],
        rank_least=_LIMITS[0],
        suit_least=_LIMITS[0],
    )


def _learned(
    kind: Kind, names: str, samples: Sequence[Labelled], stored: Stencils, least: int
) -> tuple[Image, str, Floats]:
    """Glyphs kept as templates (0-255), their labels, and the middle figures of each name."""
    kept: list[Image] = []
    labels, figures, faults = "", [], []
    for label in names:
        mine = [glyphs for face, glyphs in samples if label == face[0 if kind == "rank" else 1]]
        alike = _alike(kind, mine, stored.space)
        if len(alike) < least:
            faults.append(f"{label}: only {len(alike)} of {len(mine)} pictures look alike")
            continue
        fault = _another(kind, label, alike, stored)
        if fault:
            faults.append(fault)
            continue
        chosen = _spread(kind, alike, stored.space)
        kept += [_bytes(_glyph(kind, glyphs)) for glyphs in chosen]
        labels += label * len(chosen)
        figures.append(np.median([glyphs.figures for glyphs in alike], axis=0))
    if faults:
        raise EnrolError(f"{kind}s that could not be learned: " + "; ".join(faults))
    return np.array(kept, dtype=np.uint8), labels, np.array(figures, dtype=np.float32)


def _glyph(kind: Kind, glyphs: Glyphs) -> Floats:
    return glyphs.rank if kind == "rank" else glyphs.suit


def _bytes(glyph: Floats) -> Image:
    return np.asarray(np.clip(glyph * 255, 0, 255), dtype=np.uint8)


def _alike(kind: Kind, samples: Sequence[Glyphs], space: Space) -> list[Glyphs]:
    """Those that look like the one that most others look like."""
    if not samples:
        return []
    places = np.array([space.of(_glyph(kind, glyphs)) for glyphs in samples])
    likeness = places @ places.T
    middle = int(np.argmax((likeness > _ALIKE).sum(axis=1) + 0.5 * likeness.mean(axis=1)))
    near = np.flatnonzero(likeness[middle] > _ALIKE)
    return [samples[int(i)] for i in near] if len(near) > _STRANGERS * 0.5 * len(samples) else []


def _another(kind: Kind, label: str, samples: Sequence[Glyphs], stored: Stencils) -> str:
    """Whether nearly all look clearly like another rank or suit: cards out of order."""
    matches = [stored.match(_glyph(kind, glyphs)) for glyphs in samples]
    clear = [match.label for match in matches if match.score > 0.75 and match.margin > 0.15]
    others = [name for name in clear if name and name != label]
    if len(others) > 0.5 * len(samples):
        return f"{label}: the pictures look like {max(set(others), key=others.count)}"
    return ""


def _spread(kind: Kind, samples: Sequence[Glyphs], space: Space) -> list[Glyphs]:
    """A few that differ as much as possible, the middle one first."""
    places = np.array([space.of(_glyph(kind, glyphs)) for glyphs in samples])
    likeness = places @ places.T
    chosen = [int(np.argmax(likeness.mean(axis=1)))]
    while len(chosen) < min(_KEPT, len(samples)):
        nearest = likeness[:, chosen].max(axis=1)
        chosen.append(int(np.argmin(nearest)))
    return [samples[i] for i in chosen]


@dataclass(frozen=True)
class Pair:
    """How well a glyph of `right` at most fitted the templates of `wrong`."""

    right: str
    wrong: str
    score: float


@dataclass(frozen=True)
class Separation:
    """How well a deck's templates tell its cards apart, on samples they were not made from.

    `lowest_right`: the score that all but one in fifty of the right matches reach; `highest_wrong`:
    the best of any wrong match of these samples; each for ranks and suits. `pairs`: the worst
    confusions first. `misread`: samples taken for another card. `unread`: samples like nothing in
    the deck, such as those of a card's other corners. `missing`: faces of which none was read.
    """

    rank_lowest_right: float
    rank_highest_wrong: float
    suit_lowest_right: float
    suit_highest_wrong: float
    pairs: tuple[Pair, ...]
    samples: int
    misread: int
    unread: int
    missing: tuple[str, ...]

    @property
    def safe(self) -> bool:
        return not self.why_unsafe

    @property
    def why_unsafe(self) -> str:
        """Empty if the deck may be used."""
        if self.missing:
            return refusal("never_read", faces=" ".join(self.missing))
        if self.misread:
            return refusal("misread", count=self.misread, all=self.samples)
        for what, right, wrong in (
            ("ranks", self.rank_lowest_right, self.rank_highest_wrong),
            ("suits", self.suit_lowest_right, self.suit_highest_wrong),
        ):
            if right < _LIMITS[0]:
                return refusal("too_unlike", what=what, right=f"{right:.2f}")
            if right - wrong < _APART:
                figures = {"right": f"{right:.2f}", "wrong": f"{wrong:.2f}"}
                return refusal("too_close", what=what, **figures)
        return ""


def check(deck: Deck, samples: Iterable[Labelled], stored: Stored | None = None) -> Separation:
    """The separation on a second pass over the deck: frames other than those it was learned from.
    Raises EnrolError where there is nothing to check.
    """
    stored = stored or read_stored()
    ranks = of_deck(stored.ranks, deck.rank_glyphs, deck.rank_labels)
    suits = of_deck(stored.suits, deck.suit_glyphs, deck.suit_labels)
    scored = [
        (face, _scores(ranks, glyphs.rank), _scores(suits, glyphs.suit)) for face, glyphs in samples
    ]
    known = [one for one in scored if _is_known(one)]
    if not known:
        raise EnrolError(refusal("unlike_deck"))
    rank_right = [rank[face[0]] for face, rank, _ in known]
    suit_right = [suit[face[1]] for face, _, suit in known]
    pairs = _pairs([(face[0], rank) for face, rank, _ in known]) + _pairs(
        [(face[1], suit) for face, _, suit in known]
    )
    pairs.sort(key=lambda pair: -pair.score)
    misread = [one for one in known if _best(one[1]) + _best(one[2]) != one[0]]
    read = {one[0] for one in known if one not in misread}
    return Separation(
        _low(rank_right),
        max(pair.score for pair in pairs if pair.right in RANKS),
        _low(suit_right),
        max(pair.score for pair in pairs if pair.right in SUITS),
        tuple(pairs[:24]),
        len(scored),
        len(misread),
        len(scored) - len(known),
        tuple(sorted({face for face, _, _ in scored} - read)),
    )


def with_limits(deck: Deck, separation: Separation) -> Deck:
    """The deck with limits half way between what its own cards scored right and wrong."""

    def limit(right: float, wrong: float) -> float:
        return float(np.clip((right + wrong) / 2, *_LIMITS))

    return replace(
        deck,
        rank_least=limit(separation.rank_lowest_right, separation.rank_highest_wrong),
        suit_least=limit(separation.suit_lowest_right, separation.suit_highest_wrong),
    )


def _scores(stencils: Stencils, glyph: Floats) -> dict[str, float]:
    return dict(zip(stencils.names, stencils.scores(glyph).tolist(), strict=True))


def _best(scores: dict[str, float]) -> str:
    return max(scores, key=lambda name: scores[name])


def _is_known(one: tuple[str, dict[str, float], dict[str, float]]) -> bool:
    """Whether it looks like some card of the deck at all, right or wrong."""
    return all(bool(_best(part)) and max(part.values()) >= _LIMITS[0] for part in one[1:])


def _pairs(scored: Sequence[tuple[str, dict[str, float]]]) -> list[Pair]:
    worst: dict[tuple[str, str], float] = {}
    for right, scores in scored:
        for wrong, score in scores.items():
            if wrong and wrong != right:
                worst[right, wrong] = max(worst.get((right, wrong), -1.0), score)
    return [Pair(right, wrong, score) for (right, wrong), score in worst.items()]


def _low(scores: Sequence[float]) -> float:
    return float(np.percentile(scores, 2))
