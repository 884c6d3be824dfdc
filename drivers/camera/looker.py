"""Shows a card in a frame to its witnesses: what reads codes and what reads indices."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from drivers.camera.again import corner_again
from drivers.camera.codes.reader import CodeReader
from drivers.camera.doubles import Looks, View
from drivers.camera.lamp import Lamp
from drivers.camera.scale import Scale
from drivers.camera.seeing import Seeing
from drivers.camera.sight import CodeLook, Frame, IndexLook, Regions
from drivers.camera.telling import Card
from drivers.camera.verdict import Witness, Witnesses

# Of a card that has been read so often there is nothing more to know.
_ENOUGH_VIEWS = 4
_ENOUGH_CODES = 3
# Of a card that takes up so much of the picture most is seen.
_MOSTLY = 0.35


class Looker:
    """`index`, `codes`: None for a witness that is not asked. `lamp` learns from what is read."""

    def __init__(
        self,
        seeing: Seeing,
        scale: Scale,
        lamp: Lamp,
        *,
        index: Looks | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._hurry_ms, self._clock = seeing.hurry_ms, clock
        self._scale, self._lamp = scale, lamp
        self._first: Witness = "barcode"
        self.codes: CodeReader | None = None
        if "barcode" in seeing.read:
            self.codes = CodeReader(seeing.decoder, seeing.symbologies, clock=clock)
        self.index = index if index is not None else index_of(seeing)

    def look(self, card: Card, frame: Frame, regions: Regions) -> None:
        """Add to what is known of a card, which shows as these regions, what this frame shows."""
        read = self._read(card, frame, regions)
        boxes = sum(region.box[2] * region.box[3] for region in regions)
        area = boxes / (frame.size[0] * frame.size[1])
        if area > _MOSTLY:
            card.shares.append(regions[0].share)
        card.shots.take(frame, regions, read + 0.5 * area)
        if card.witnesses.verdict.face:
            card.agreed_ns = card.agreed_ns or frame.at_ns
            if read:
                self._lamp.learn(regions[0].paper)

    def _read(self, card: Card, frame: Frame, regions: Regions) -> bool:
        """Whether anything was read."""
        codes: list[CodeLook] = []
        indices: list[IndexLook] = []
        known, began = card.witnesses, self._clock()
        turns: list[Witness] = ["barcode", "index"]
        for turn in turns if self._first == "barcode" else reversed(turns):
            if turn != self._first and self._hurried(began):
                # The next picture waits: it is this one's turn first there.
                self._first = turn
                break
            for region in regions:
                if turn == "barcode" and self.codes and len(known.codes) < _ENOUGH_CODES:
                    codes += self.codes.look(frame, region)
                if turn == "index" and self.index and _views(known) < _ENOUGH_VIEWS:
                    # Paper in coloured light is no less a card.
                    indices += self.index.look(frame, replace(region, kind="card"))
        known.add(frame.number, codes, indices)
        faces = [look for look in indices if look.face]
        glyphs = any(look.face or look.why in ("unlike", "disagree") for look in indices)
        card.glimpsed = card.glimpsed or bool(codes) or glyphs
        read = bool(codes or faces)
        if faces:
            card.view = View(frame, faces[-1], self._scale.px_per_mm)
        if not self._hurried(began):
            read = self._again(card, frame, regions) or read
        card.before = frame, regions
        return read

    def _again(self, card: Card, frame: Frame, regions: Regions) -> bool:
        """An index that one frame shows with its corner, another one may show without it."""
        view, known = card.view, card.witnesses
        if self.index is None or view is None or _views(known) != 1:
            return False
        other = (frame, regions) if view.frame is not frame else card.before
        if other is None or not other[1]:
            return False
        corner = corner_again(view.look, view.frame, *other)
        if corner is None:
            return False
        look = self.index.look_at(other[0], corner, view.px_per_mm)
        known.add(other[0].number, (), (look,))
        return bool(look.face)

    def _hurried(self, began: float) -> bool:
        """Whether the first witness took so long that the second one has to wait."""
        return self._hurry_ms > 0 and (self._clock() - began) * 1000 > self._hurry_ms


def index_of(seeing: Seeing) -> Looks | None:
    """The reader of indices, if they are read."""
    if "index" not in seeing.read:
        return None
    # Only who reads indices loads the network.
    from drivers.camera.index.deck import load_deck
    from drivers.camera.index.reader import IndexReader

    deck = load_deck(seeing.deck) if seeing.deck is not None else None
    return IndexReader(deck=deck, px_per_mm=seeing.px_per_mm or None)


def _views(witnesses: Witnesses) -> int:
    return sum(bool(look.face) for looks in witnesses.indices.values() for look in looks)
