"""Finds what tells glyphs apart, and chooses the stored templates: the middles of clusters of
rendered glyphs. The first is linear discriminant analysis, shrunk towards plain correlation.

    python -m scripts.train_index.templates OUT.npz DATA.npz...
"""

from __future__ import annotations

import sys

import cv2
import numpy as np

from drivers.camera.index.locate import Box, glyph
from drivers.camera.index.measure import RANK_SIZE, SUIT_SIZE
from drivers.camera.index.stencils import NOTHING, Space, features
from scripts.train_index import decks
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


def _placed(space: Space, raw: np.ndarray) -> np.ndarray:
    vectors = (raw - space.mean) @ space.axes
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


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


def drawn(kind: str, label: str, count: int, rng: np.random.Generator) -> np.ndarray:
    """Features of ranks or suits as playing cards print them, drawn flat and a little blurred: many
    more of them than could be rendered through a camera.
    """
    found = []
    while len(found) < count:
        deck = decks.make_deck(rng, {}, [""], [])
        deck.font, deck.suits, deck.style["card"] = "", "", True
        if kind == "rank":
            mask, size = decks.rank_mask(deck, label, {}), RANK_SIZE
        else:
            mask, size = decks.suit_mask(deck, label, {}, deck.suit_high), SUIT_SIZE
        found.append(features(_flat(mask, size, rng)))
    return np.array(found)


def _flat(mask: np.ndarray, size: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """A mask at the scale of a patch, blurred, cut out at half its depth as the product does."""
    shrink = 6 / decks.ART * rng.uniform(0.8, 1.25)
    mask = cv2.resize(mask, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    rim = 12
    image = cv2.copyMakeBorder(mask, rim, rim, rim, rim, cv2.BORDER_CONSTANT)
    across, down = rng.uniform(0.4, 0.05 * mask.shape[0], 2)
    image = cv2.GaussianBlur(image.astype(np.float32), (0, 0), sigmaX=across, sigmaY=down)
    image += rng.normal(0, rng.uniform(0, 12), image.shape).astype(np.float32)
    image = np.clip(image, 0, 255)
    inner = image[rim:-rim, rim:-rim]
    depth = float(np.percentile(inner, 90))
    rows, columns = np.nonzero(image >= depth / 2)
    near = (rows > rim - 5) & (rows < rim + mask.shape[0] + 5)
    near &= (columns > rim - 5) & (columns < rim + mask.shape[1] + 5)
    rows, columns = rows[near], columns[near]
    box = Box(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
    return glyph(image.astype(np.uint8), box, depth, size)


def main(out: str, paths: list[str], each: int = 48, flat: int = 400) -> None:
    rng = np.random.default_rng(3)
    data = [np.load(path) for path in paths]
    names = [name for name in data[0].files if name not in ("crop", "clarity")]
    column = {name: np.concatenate([d[name] for d in data]) for name in names}
    kept: dict[str, np.ndarray] = {}
    for kind, labels_of, none in (("rank", RANKS, 13), ("suit", SUITS, 4)):
        labels, chosen = [], []
        raw = np.array([features(g) for g in column[f"{kind}_glyph"]])
        good = (column[kind] < none) & (column["harsh"] <= 1)
        added = [drawn(kind, name, flat, rng) for name in labels_of]
        space = space_of(
            np.concatenate([raw[good], *added]),
            np.concatenate([column[kind][good], np.repeat(np.arange(none), flat)]),
        )
        vectors = _placed(space, raw)
        # None of an index as a whole does not mean that this glyph is none: only what was drawn
        # without any, and what is well covered, teaches what is nothing.
        truth = column[kind]
        bare = column[f"true_{kind}"] < 0
        nothing = (truth == none) & bare & (column["kind"] != _FOREIGN) | column[f"odd_{kind}"]
        nothing |= column["hidden"] > 0.35
        for i, name in enumerate(labels_of):
            mine = vectors[(truth == i) & (column["harsh"] < 0.8)]
            chosen.append(clusters(mine, each if kind == "rank" else 2 * each, rng))
            labels += [name] * len(chosen[-1])
            chosen.append(clusters(_placed(space, added[i]), each, rng))
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
