"""Reads the index of a card: two recognisers of different kinds, and a face only if both agree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from drivers.camera.index.clarity import ClarityLimits, clarity_of
from drivers.camera.index.crop import crop
from drivers.camera.index.deck import Deck
from drivers.camera.index.locate import Index, find_index
from drivers.camera.index.measure import measure
from drivers.camera.index.network import MODEL, Guess, Network
from drivers.camera.index.patch import Patch, unwarp
from drivers.camera.index.templates import Templates, Verdict, deck_templates, stored_templates
from drivers.camera.sight import Corner, Frame, IndexLook, Points, Region

# Where nobody says how large a card is in the picture, the window is taken for this wide (mm).
WINDOW_MM = 70.0

# Scales tried one after the other where a card's own is not known: as told, then these times it.
_OTHER_SCALES = (1.3, 0.77)


@dataclass(frozen=True)
class NetworkLimits:
    """The share the network must give to its rank and to its suit at least, and to a joker."""

    rank: float = 0.97
    suit: float = 0.95
    joker: float = 0.9
    none: float = 0.9


@dataclass(frozen=True)
class _Seen:
    patch: Patch
    index: Index


class IndexReader:
    """`deck`: a table's own deck, whose templates then stand in for those of many styles.
    `px_per_mm`: how large a card is in the picture, where its own edges do not tell; it may be a
    third off. One reader serves one thread.
    """

    def __init__(
        self,
        *,
        deck: Deck | None = None,
        px_per_mm: float | None = None,
        limits: NetworkLimits | None = None,
        clarity: ClarityLimits | None = None,
        model: Path = MODEL,
        templates: Templates | None = None,
    ) -> None:
        if px_per_mm is not None and not 1.0 <= px_per_mm <= 200.0:
            raise ValueError(f"px_per_mm is {px_per_mm}; a card is seen at 1 to 200 px a mm")
        if templates is None:
            templates = deck_templates(deck) if deck else stored_templates()
        self._templates = templates
        self._network = Network(model)
        self._limits = limits or NetworkLimits()
        self._clarity = clarity or ClarityLimits()
        self._px_per_mm = px_per_mm

    def look(self, frame: Frame, region: Region) -> tuple[IndexLook, ...]:
        """One look for each corner of a card; none where the region is no card."""
        if region.kind != "card":
            return ()
        return tuple(self.look_at(frame, corner, region.px_per_mm) for corner in region.corners)

    def look_at(self, frame: Frame, corner: Corner, px_per_mm: float | None) -> IndexLook:
        """What one corner shows; `px_per_mm` if the card's edges tell it."""
        seen = find(frame, corner, px_per_mm, self._px_per_mm)
        if seen is None:
            return IndexLook(corner, None, "no_index")
        if self._clarity.why_not(clarity_of(seen.patch, seen.index)):
            return IndexLook(corner, None, "unlike", quad=_quad(seen))
        verdict = self._templates.verdict(measure(seen.patch, seen.index))
        guess = self._network.guess(crop(seen.patch, seen.index))
        return self._look(corner, verdict, guess, _quad(seen))

    def _look(self, corner: Corner, verdict: Verdict, guess: Guess, quad: Points) -> IndexLook:
        limits = self._limits
        sure = guess.rank_share >= limits.rank and guess.suit_share >= limits.suit
        network = guess.rank + guess.suit if sure and guess.rank and guess.suit else ""
        templates = verdict.face
        none = not guess.rank and guess.rank_share >= limits.none
        joker = not network and not templates and none and guess.joker >= limits.joker
        score = min(verdict.score, guess.rank_share, guess.suit_share)
        if network and network == templates:
            return IndexLook(corner, network, "", templates, network, False, score, quad)
        if network and templates:
            return IndexLook(corner, None, "disagree", templates, network, False, score, quad)
        if none and not templates:
            return IndexLook(corner, None, "no_index", "", "", joker, 0.0, quad)
        return IndexLook(corner, None, "unlike", templates, network, False, score, quad)


def find(frame: Frame, corner: Corner, px_per_mm: float | None, hint: float | None) -> _Seen | None:
    """The index at a corner, looked for at the card's own scale or, where that is not known, at the
    scale told and at larger and smaller ones.
    """
    scales: tuple[float, ...]
    if px_per_mm is not None:
        scales = (px_per_mm,)
    else:
        told = hint if hint is not None else frame.size[0] / WINDOW_MM
        scales = (told, *(told * times for times in _OTHER_SCALES))
    for scale in scales:
        patch = unwarp(frame, corner, scale)
        index = find_index(patch) if patch is not None else None
        if patch is not None and index is not None:
            return _Seen(patch, index)
    return None


def _quad(seen: _Seen) -> Points:
    block = seen.index.block
    corners = [
        (block.x, block.y),
        (block.right, block.y),
        (block.right, block.bottom),
        (block.x, block.bottom),
    ]
    return seen.patch.in_frame(np.array(corners, dtype=np.float32))
