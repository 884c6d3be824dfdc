"""Shows a card in a frame to its witnesses: what reads codes and what reads indices."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from drivers.camera.codes.reader import CodeReader
from drivers.camera.doubles import Looks
from drivers.camera.seeing import Seeing
from drivers.camera.sight import CodeLook, Corner, Frame, IndexLook, Region
from drivers.camera.verdict import Witness, Witnesses

# Of a card that has been read so often there is nothing more to know.
_ENOUGH_VIEWS = 4
_ENOUGH_CODES = 3


@dataclass(frozen=True)
class Look:
    """What came of one look: whether anything was read, and the corner of a face, if one was."""

    read: bool
    corner: Corner | None = None


class Looker:
    """`index`, `codes`: None for a witness that is not asked."""

    def __init__(
        self,
        seeing: Seeing,
        *,
        index: Looks | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._hurry_ms, self._clock = seeing.hurry_ms, clock
        self._first: Witness = "barcode"
        self.codes: CodeReader | None = None
        if "barcode" in seeing.read:
            self.codes = CodeReader(seeing.decoder, seeing.symbologies)
        self.index = index if index is not None else index_of(seeing)

    def look(self, known: Witnesses, frame: Frame, regions: Sequence[Region]) -> Look:
        """Add to what is `known` of a card, which shows as these regions, what this frame shows."""
        codes: list[CodeLook] = []
        indices: list[IndexLook] = []
        began = self._clock()
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
        corners = [look.corner for look in indices if look.face]
        return Look(bool(codes or corners), corners[-1] if corners else None)

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
