"""The temperature and the limits, from made-up cards of fonts never trained on.

    python -m scripts.train_index.calibrate HELD.npz...

Prints the temperature at which the network's shares come true (least negative log likelihood), and
for rising limits how many indices are read right, not surely or wrong, by the templates, by the
network and by both, and how often something is read where nothing is or another card.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from drivers.camera.index.measure import Glyphs
from drivers.camera.index.network import RANKS, SUITS, Network
from drivers.camera.index.templates import Limits, Templates, read_stored

TEMPLATES = (
    Limits(0.45, 0.12, 0.55, 0.12),
    Limits(0.55, 0.16, 0.62, 0.14),
    Limits(0.60, 0.20, 0.66, 0.16),
)
SHARES = (0.9, 0.95, 0.97, 0.98, 0.99)


@dataclass
class Row:
    true: str
    index: bool
    logits: np.ndarray
    rank: int
    suit: int
    glyphs: Glyphs


def rows_of(paths: list[str]) -> list[Row]:
    network, rows = Network(), []
    for path in paths:
        with np.load(path) as file:
            data = {name: file[name] for name in file.files}
        for i in range(len(data["rank"])):
            rank, suit = int(data["true_rank"][i]), int(data["true_suit"][i])
            rows.append(
                Row(
                    RANKS[rank] + SUITS[suit] if rank >= 0 else "",
                    int(data["rank"][i]) < 13,
                    network.logits(data["crop"][i]),
                    int(data["rank"][i]),
                    int(data["suit"][i]),
                    Glyphs(data["rank_glyph"][i], data["suit_glyph"][i], data["measures"][i]),
                )
            )
    return rows


def shares(logits: np.ndarray, temperature: float) -> np.ndarray:
    raised = np.exp((logits - logits.max(axis=1, keepdims=True)) / temperature)
    return raised / raised.sum(axis=1, keepdims=True)


def best_temperature(rows: list[Row]) -> float:
    logits = np.array([row.logits for row in rows])
    ranks, suits = np.array([r.rank for r in rows]), np.array([r.suit for r in rows])
    every = np.arange(len(rows))

    def loss(temperature: float) -> float:
        rank = shares(logits[:, :14], temperature)[every, ranks]
        suit = shares(logits[:, 14:19], temperature)[every, suits]
        return float(-np.log(np.maximum(rank, 1e-9)).mean() - np.log(np.maximum(suit, 1e-9)).mean())

    return min(np.arange(0.6, 2.5, 0.05).tolist(), key=loss)


def said(row: Row, temperature: float, least: float) -> str:
    rank = shares(row.logits[None, :14], temperature)[0]
    suit = shares(row.logits[None, 14:19], temperature)[0]
    if min(rank.max(), suit.max()) < least or rank.argmax() == 13 or suit.argmax() == 4:
        return ""
    return RANKS[int(rank.argmax())] + SUITS[int(suit.argmax())]


def tally(rows: list[Row], faces: list[str]) -> str:
    pairs = list(zip(rows, faces, strict=True))
    right = sum(row.index and face == row.true for row, face in pairs)
    wrong = sum(row.index and face not in ("", row.true) for row, face in pairs)
    nothing = sum(not row.index and face not in ("", row.true) for row, face in pairs)
    every = sum(row.index for row in rows)
    return f"{right} of {every} right, {wrong} wrong, {nothing} of {len(rows) - every} from nothing"


def main(paths: list[str]) -> None:
    rows = rows_of(paths)
    temperature = best_temperature(rows)
    sys.stdout.write(f"temperature {temperature:.2f}\n")
    stored = read_stored()
    for limits in TEMPLATES:
        templates = Templates(stored.ranks, stored.suits, limits, None)
        first = [templates.verdict(row.glyphs).face for row in rows]
        sys.stdout.write(f"{limits}: {tally(rows, first)}\n")
        for least in SHARES:
            second = [said(row, temperature, least) for row in rows]
            both = [a if a == b else "" for a, b in zip(first, second, strict=True)]
            sys.stdout.write(f"  network {least}: {tally(rows, second)}\n")
            sys.stdout.write(f"  both: {tally(rows, both)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
