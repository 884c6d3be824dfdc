"""Finds what tells glyphs apart, and chooses the stored templates: the middles of clusters of
rendered glyphs. The first is linear discriminant analysis, shrunk towards plain correlation.

    python -m scripts.train_index.templates OUT.npz DATA.npz...
"""

from __future__ import annotations

import sys

import numpy as np

from drivers.camera.index.stencils import NOTHING, Space, features
from scripts.train_index.decks import RANKS, SUITS

_LIKE_ONE = 0.7
_FOREIGN = 4


_AXES = 64
_SHRINK = 0.3


def space_of(vectors: np.ndarray, labels: np.ndarray) -> Space:
    """Axes along which glyphs of one label differ little and all glyphs much."""
    mean = vectors.mean(axis=0)
    inside = np.zeros((vectors.shape[1],) * 2)
    for label in np.unique(labels):
        mine = vectors[labels == label]
        mine = mine - mine.mean(axis=0)
        inside += mine.T @ mine
    inside /= len(vectors)
    inside += _SHRINK * np.trace(inside) / len(inside) * np.eye(len(inside))
    values, ways = np.linalg.eigh(inside)
    white = ways / np.sqrt(values)
    spread = np.cov(((vectors - mean) @ white).T)
    axes = white @ np.linalg.eigh(spread)[1][:, ::-1][:, :_AXES]
    return Space(mean.astype(np.float32), axes.astype(np.float32))


def clusters(vectors: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """The middles of k clusters on the unit sphere."""
    middles = vectors[rng.choice(len(vectors), min(k, len(vectors)), replace=False)]
    for _ in range(12):
        which = np.argmax(vectors @ middles.T, axis=1)
        for i in range(len(middles)):
            mine = vectors[which == i]
            if len(mine):
                middles[i] = mine.mean(axis=0) / np.linalg.norm(mine.mean(axis=0))
    counts = np.bincount(np.argmax(vectors @ middles.T, axis=1), minlength=len(middles))
    return middles[counts >= 3] if (counts >= 3).any() else middles


def main(out: str, paths: list[str], each: int = 36) -> None:
    rng = np.random.default_rng(3)
    data = [np.load(path) for path in paths]
    names = [name for name in data[-1].files if name != "crop"]
    column = {name: np.concatenate([d[name] for d in data]) for name in names}
    kept: dict[str, np.ndarray] = {}
    for kind, names, none in (("rank", RANKS, 13), ("suit", SUITS, 4)):
        labels, chosen = [], []
        raw = np.array([features(g) for g in column[f"{kind}_glyph"]])
        good = column[kind] < none
        space = space_of(raw[good], column[kind][good])
        vectors = (raw - space.mean) @ space.axes
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        # None of an index as a whole does not mean that this glyph is none: only what was drawn
        # without any, and what is well covered, teaches what is nothing.
        truth = column[kind]
        drawn = column[f"true_{kind}"] < 0
        nothing = (truth == none) & drawn & (column["kind"] != _FOREIGN) | column[f"odd_{kind}"]
        nothing |= column["hidden"] > 0.35
        for i, name in enumerate(names):
            mine = vectors[(truth == i) & (column["harsh"] < 0.8)]
            chosen.append(clusters(mine, each if kind == "rank" else 2 * each, rng))
            labels += [name] * len(chosen[-1])
        # What looks like one all the same is one: a K beside a wrong suit, the J of a joker.
        wrong = vectors[nothing]
        wrong = wrong[(wrong @ np.concatenate(chosen).T).max(axis=1) < _LIKE_ONE]
        chosen.append(clusters(wrong, 3 * each, rng))
        labels += [NOTHING] * len(chosen[-1])
        kept[f"{kind}_mean"] = space.mean.astype(np.float16)
        kept[f"{kind}_axes"] = space.axes.astype(np.float16)
        kept[f"{kind}_vectors"] = np.concatenate(chosen).astype(np.float16)
        kept[f"{kind}_labels"] = np.array(labels, dtype="<U1")
    np.savez_compressed(out, format=np.int32(1), **kept)
    sys.stdout.write(f"{out}: {[(n, v.shape) for n, v in kept.items()]}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
