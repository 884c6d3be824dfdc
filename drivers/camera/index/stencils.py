"""Templates: how alike a glyph is to stored ones, and which of them it is.

A glyph is described by its ink and by where its edges run to, and compared by the correlation of
what tells glyphs apart: what also varies between glyphs of one kind (weight, blur, width) counts
little. That is learned once, from made-up cards, and holds for the templates of any deck.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.index.patch import Floats

# What a template stands for that is no rank or no suit: other letters, stars, half-covered glyphs.
NOTHING = ""

_EDGE_SHARE = 0.5


def features(glyph: Floats) -> Floats:
    """A glyph (height x width, ink 0..1) as a vector of length 1, for `Space`."""
    small = (glyph.shape[1] // 2, glyph.shape[0] // 2)
    smooth = cv2.GaussianBlur(glyph, (3, 3), 0.8, borderType=cv2.BORDER_CONSTANT)
    ink = cv2.resize(smooth, small, interpolation=cv2.INTER_AREA).ravel()
    padded = cv2.copyMakeBorder(smooth, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    x = cv2.Sobel(padded, cv2.CV_32F, 1, 0, ksize=3)[1:-1, 1:-1]
    y = cv2.Sobel(padded, cv2.CV_32F, 0, 1, ksize=3)[1:-1, 1:-1]
    ways = [np.maximum(x, 0), np.maximum(-x, 0), np.maximum(y, 0), np.maximum(-y, 0)]
    edges = np.concatenate(
        [
            cv2.resize(cv2.blur(way, (3, 3)), small, interpolation=cv2.INTER_AREA).ravel()
            for way in ways
        ]
    )
    edges = np.sqrt(edges)
    vector = np.concatenate(
        [_unit(ink - ink.mean()) * (1 - _EDGE_SHARE) ** 0.5, _unit(edges) * _EDGE_SHARE**0.5]
    )
    return np.asarray(vector, dtype=np.float32)


def _unit(vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if length > 1e-6 else vector, dtype=np.float32)


@dataclass(frozen=True)
class Space:
    """In which glyphs of one kind are compared: `mean` (d), `axes` (d x k)."""

    mean: Floats
    axes: Floats

    def of(self, glyph: Floats) -> Floats:
        """A glyph's place: a vector (k) of length 1."""
        return _unit(np.asarray((features(glyph) - self.mean) @ self.axes, dtype=np.float32))


@dataclass(frozen=True)
class Match:
    """The label that fits best (NOTHING if a template of no rank or suit does), how well (0..1),
    and by how much better than the best of any other label.
    """

    label: str
    score: float
    margin: float


class Stencils:
    """Templates of one kind of glyph: `vectors` (n x k) of `space`, `labels` (n)."""

    def __init__(self, space: Space, vectors: Floats, labels: tuple[str, ...]) -> None:
        if vectors.ndim != 2 or len(vectors) != len(labels) or not labels:
            raise ValueError("as many labels as vectors are needed, and one at least")
        self.space = space
        self._vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self.names = tuple(sorted(set(labels)))
        self._which = np.array([self.names.index(label) for label in labels])
        order = np.argsort(self._which, kind="stable")
        self._vectors, self._which = self._vectors[order], self._which[order]
        self._starts = np.searchsorted(self._which, np.arange(len(self.names)))

    def of(self, name: str) -> Floats:
        """The templates of one label (n x k)."""
        if name not in self.names:
            return np.zeros((0, self._vectors.shape[1]), dtype=np.float32)
        mine = self._which == self.names.index(name)
        return np.asarray(self._vectors[mine], dtype=np.float32)

    def scores(self, glyph: Floats) -> Floats:
        """How well each of `names` fits, -1..1."""
        alike = self._vectors @ self.space.of(glyph)
        return np.asarray(np.maximum.reduceat(alike, self._starts), dtype=np.float32)

    def match(self, glyph: Floats) -> Match:
        scores = self.scores(glyph)
        best = int(np.argmax(scores))
        others = np.delete(scores, best)
        second = float(others.max()) if len(others) else 0.0
        return Match(self.names[best], float(scores[best]), float(scores[best]) - second)
