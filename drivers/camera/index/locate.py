"""Where on a patch the index is: the glyph of the rank, and the suit's below it.

It goes by the ink alone: pieces of ink near the corner, the first of them the rank (two beside each
other are a ten), the next below it the suit. Decks differ in the size and place of their index, and
the scale of a patch is a guess, so only proportions count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.index.fragments import broken_off
from drivers.camera.index.patch import OUT_MM, SCALE, Floats, Patch
from drivers.camera.sight import Image

# Of the deepest ink of a patch, this share is taken for ink when its pieces are looked for; and of
# a glyph's own deepest ink when its box is measured: half of it is where a blurred edge was.
# A second, lower share is for thin strokes beside broad ones.
_PIECE_SHARES = (0.42, 0.26)
_BOX_SHARE = 0.5
_LEAST_INK = 40.0

_LEAST_HIGH = 2.2 * SCALE
_LEAST_AREA = 1.2 * SCALE * SCALE
_RANK_WITHIN = ((OUT_MM + 10.0) * SCALE, (OUT_MM + 13.0) * SCALE)


@dataclass(frozen=True)
class Box:
    """A rectangle of a patch, from (x, y) up to but not including (right, bottom)."""

    x: int
    y: int
    right: int
    bottom: int

    @property
    def wide(self) -> int:
        return self.right - self.x

    @property
    def high(self) -> int:
        return self.bottom - self.y

    @property
    def middle(self) -> float:
        """Half way from left to right."""
        return (self.x + self.right) / 2

    def with_(self, other: Box) -> Box:
        """The smallest box around both."""
        return Box(
            min(self.x, other.x),
            min(self.y, other.y),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


@dataclass(frozen=True)
class Index:
    """An index on a patch. `pieces`: of how many pieces of ink the rank is made (a ten may be two).
    `rank_ink`, `suit_ink`: the depth of their ink, 0-255.
    """

    rank: Box
    suit: Box
    pieces: int
    rank_ink: float
    suit_ink: float

    @property
    def block(self) -> Box:
        return self.rank.with_(self.suit)


def find_index(patch: Patch) -> Index | None:
    """The index on a patch, or None where no two pieces of ink stand as a rank and a suit do."""
    ink = patch.ink
    out = int(OUT_MM * SCALE)
    near = ink[out : out + 30 * int(SCALE), out : out + 12 * int(SCALE)]
    deepest = float(np.percentile(near[::2, ::2], 98))
    if deepest < _LEAST_INK:
        return None
    for share in _PIECE_SHARES:
        mask = (ink >= max(deepest * share, 0.6 * _LEAST_INK)).astype(np.uint8)
        boxes = _pieces(mask)
        for rank, suit, pieces in _pairs(boxes, mask):
            found = _measured(ink, rank, suit, pieces)
            if found is not None and _is_seen(patch, found):
                return None if broken_off(ink, found) else found
    return None


def _pairs(boxes: list[Box], mask: Image) -> Iterator[tuple[Box, Box, int]]:
    """A rank and a suit below it, the likeliest first; the number of the rank's pieces."""
    for first in _rank_candidates(boxes):
        rank, pieces = _with_its_zero(first, boxes)
        suit = _suit_below(rank, boxes, mask)
        if suit is not None:
            yield rank, suit, pieces
        elif first.high > 1.4 * first.wide and (halves := _halves(first, mask)) is not None:
            yield *halves, 1


def _pieces(mask: Image) -> list[Box]:
    """The pieces of ink that neither are specks nor come in from the left or from above: what
    does is the table beyond the card's edge.
    """
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    boxes = []
    for x, y, wide, high, area in stats[1:count].tolist():
        if x <= 0 or y <= 0 or high < _LEAST_HIGH or area < _LEAST_AREA:
            continue
        boxes.append(Box(x, y, x + wide, y + high))
    return boxes


def _rank_candidates(boxes: list[Box]) -> list[Box]:
    right, low = _RANK_WITHIN
    near = [
        box
        for box in boxes
        if box.x < right and box.y < low and 0.15 < box.wide / box.high < 1.9 and _fits(box)
    ]
    return sorted(near, key=lambda box: box.y + 0.5 * box.x)[:2]


def _fits(box: Box) -> bool:
    return box.high < 17 * SCALE and box.wide < 13 * SCALE


def _with_its_zero(first: Box, boxes: list[Box]) -> tuple[Box, int]:
    """A ten's other digit beside this one, on the same line and as tall."""
    for other in boxes:
        if other is first:
            continue
        left, right = (first, other) if first.x < other.x else (other, first)
        same_line = min(left.bottom, right.bottom) - max(left.y, right.y)
        tall = max(left.high, right.high)
        both = left.with_(right)
        if (
            same_line > 0.8 * tall
            and right.x - left.right < 0.32 * tall
            and left.wide < 0.78 * tall
            and right.wide < 0.95 * tall
            and both.wide < 1.7 * tall
        ):
            return both, 2
    return first, 1


def _suit_below(rank: Box, boxes: list[Box], mask: Image) -> Box | None:
    best: Box | None = None
    for box in boxes:
        below = box.y - rank.bottom
        overlap = min(box.right, rank.right) - max(box.x, rank.x)
        if (
            -0.1 * rank.high <= below <= 0.9 * rank.high
            and overlap > 0.35 * min(rank.wide, box.wide)
            and 0.25 * rank.high <= box.high
            and (best is None or box.y < best.y)
        ):
            best = box
    if best is None:
        return None
    if best.wide > 1.25 * best.high or best.right > rank.right + 0.9 * rank.high:
        best = _without_neighbour(best, rank, mask)
    if best is None or not 0.25 * rank.high <= best.high <= 1.4 * rank.high:
        return None
    if not 0.5 <= best.wide / best.high <= 1.5:
        return None
    return best


def _halves(box: Box, mask: Image) -> tuple[Box, Box] | None:
    """A rank and a suit that have grown together, parted where they are thinnest."""
    part = mask[box.y : box.bottom, box.x : box.right]
    rows = part.sum(axis=1)
    low, high = round(0.45 * box.high), round(0.72 * box.high)
    if high - low < 3:
        return None
    cut = low + int(np.argmin(rows[low:high]))
    if rows[cut] > 0.4 * rows[cut:].max():
        return None
    upper = _shrunk(mask, Box(box.x, box.y, box.right, box.y + cut))
    lower = _shrunk(mask, Box(box.x, box.y + cut, box.right, box.bottom))
    if upper is None or lower is None or not 0.55 <= lower.wide / lower.high <= 1.45:
        return None
    return upper, lower


def _shrunk(mask: Image, box: Box) -> Box | None:
    part = mask[box.y : box.bottom, box.x : box.right]
    columns, rows = np.flatnonzero(part.any(axis=0)), np.flatnonzero(part.any(axis=1))
    if len(columns) < 4 or len(rows) < 4:
        return None
    x, y = box.x + int(columns[0]), box.y + int(rows[0])
    return Box(x, y, box.x + int(columns[-1]) + 1, box.y + int(rows[-1]) + 1)


def _without_neighbour(box: Box, rank: Box, mask: Image) -> Box | None:
    """A suit that has grown together with what stands to its right, cut where it is thinnest."""
    part = mask[box.y : box.bottom, box.x : box.right]
    columns = part.sum(axis=0)
    low = max(int(rank.middle - box.x + 0.15 * rank.high), 2)
    high = min(int(rank.middle - box.x + 0.8 * rank.high), box.wide)
    if high - low < 2:
        return None
    cut = low + int(np.argmin(columns[low:high]))
    # Only a thin bridge is cut: a suit half covered by something broad is none.
    if columns[cut] > 0.25 * columns[:cut].max():
        return None
    rows = np.flatnonzero(part[:, :cut].any(axis=1))
    if not len(rows):
        return None
    return Box(box.x, box.y + int(rows[0]), box.x + cut, box.y + int(rows[-1]) + 1)


def _measured(ink: Image, rank: Box, suit: Box, pieces: int) -> Index | None:
    """The boxes of both glyphs at half their own depth of ink."""
    rank_box, rank_ink = _tight(ink, rank)
    suit_box, suit_ink = _tight(ink, suit)
    if rank_box is None or suit_box is None:
        return None
    return Index(rank_box, suit_box, pieces, rank_ink, suit_ink)


def _tight(ink: Image, box: Box) -> tuple[Box | None, float]:
    part = ink[box.y : box.bottom, box.x : box.right]
    depth = float(np.percentile(part, 90))
    if depth < _LEAST_INK:
        return None, depth
    mask = part >= depth * _BOX_SHARE
    columns = np.flatnonzero(mask.sum(axis=0) > 0)
    rows = np.flatnonzero(mask.sum(axis=1) > 0)
    if len(columns) < 4 or len(rows) < 6:
        return None, depth
    x, y = box.x + int(columns[0]), box.y + int(rows[0])
    return Box(x, y, box.x + int(columns[-1]) + 1, box.y + int(rows[-1]) + 1), depth


def _is_seen(patch: Patch, index: Index) -> bool:
    """Whether the whole index and a rim around it lie within the frame and the patch."""
    block = index.block
    rim = max(2, round(0.06 * block.high))
    high, wide = patch.ink.shape
    if block.right + rim > wide or block.bottom + rim > high:
        return False
    part = patch.seen[
        max(block.y - rim, 0) : block.bottom + rim, max(block.x - rim, 0) : block.right + rim
    ]
    return bool(part.all())


def glyph(ink: Image, box: Box, depth: float, size: tuple[int, int]) -> Floats:
    """A glyph's ink (0..1 of its own depth) in its box, stretched to size (width, height)."""
    part = ink[box.y : box.bottom, box.x : box.right].astype(np.float32) / max(depth, 1.0)
    way = cv2.INTER_AREA if part.shape[0] > size[1] else cv2.INTER_LINEAR
    return np.clip(cv2.resize(part, size, interpolation=way), 0.0, 1.2).astype(np.float32)
