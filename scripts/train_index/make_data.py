"""Renders corners, finds the index on each as the product does, and keeps what the recognisers see.

    python -m scripts.train_index.make_data BANK.npz OUT.npz COUNT SEED {train|held} [HARSH]

`held` draws only decks whose fonts are never trained on. Kept per sample: `crop` for the network,
`rank_glyph`/`suit_glyph` and their measures for the templates, `rank` (13 none), `suit` (4 none),
`joker`, `kind`, `hidden`, `harsh`, `mono`.
"""

from __future__ import annotations

import sys
import zlib

import numpy as np

from drivers.camera.cv import cv2
from drivers.camera.index.clarity import clarity_of
from drivers.camera.index.crop import crop
from drivers.camera.index.locate import find_index
from drivers.camera.index.measure import measure
from drivers.camera.index.patch import unwarp
from scripts.train_index import decks, render

KINDS = ("index", "covered", "bare", "turned", "foreign", "joker", "back", "other")
SHARES = (0.58, 0.17, 0.05, 0.04, 0.06, 0.06, 0.02, 0.02)

# Covered by less than the first share an index still counts as seen, by more than the second as
# none; what is between teaches nothing.
SEEN, LOST = 0.04, 0.10

# So many pictures show several troubles at once: dark, blurred and noisy.
_STACKED = 0.2


def load_bank(path: str) -> dict[str, np.ndarray]:
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def fonts_of(bank, held: bool) -> tuple[list[str], list[str]]:
    """Fonts, and fonts with suits; families, not files, are held out (about one in six)."""
    names = sorted({name.split("/")[0] for name in bank})
    mine = [name for name in names if (zlib.crc32(family(name).encode()) % 6 == 0) == held]
    suits = [name for name in mine if f"{name}/suitC" in bank and f"{name}/suitH" in bank]
    return mine, suits


def family(font: str) -> str:
    return font.replace("_", "-").split("-")[0][:8].lower()


def label(drawn: render.Sample, found, patch) -> tuple[int, int] | None:
    """(rank, suit) with 13, 4 for none; None where the sample teaches nothing."""
    if drawn.rank < 0:
        return 13, 4
    if SEEN < drawn.hidden < LOST:
        return None
    if drawn.hidden >= LOST:
        return 13, 4
    boxes, seen = drawn.boxes
    worst = 0.0
    for art, box in zip(boxes, (found.rank, found.suit), strict=True):
        truth = render.to_frame_points(art, seen)
        corners = np.array([[box.x, box.y], [box.right, box.bottom]], np.float32)
        off = np.abs(patch.in_frame(corners) - truth) / max(truth[1, 1] - truth[0, 1], 1)
        worst = max(worst, float(off.max()))
    if worst < 0.2:
        return drawn.rank, drawn.suit
    return (13, 4) if worst > 0.35 else None


def main(bank_path: str, out: str, count: int, seed: int, held: bool, harsh: float | None) -> None:
    bank = load_bank(bank_path)
    fonts, suit_fonts = fonts_of(bank, held)
    rng = np.random.default_rng(seed)
    rows: dict[str, list] = {}
    lost = {"index": 0, "all": 0}
    deck = decks.make_deck(rng, bank, fonts, suit_fonts)
    for i in range(count):
        if i % 12 == 0:
            deck = decks.make_deck(rng, bank, fonts, suit_fonts)
        kind = str(rng.choice(KINDS, p=SHARES))
        level = float(rng.beta(1.2, 1.2)) if harsh is None else harsh
        if harsh is None and rng.random() < _STACKED:
            level = float(rng.uniform(1, 2))
        drawn = render.sample(rng, deck, bank, level, kind)
        lost["all"] += kind == "index"
        patch = unwarp(drawn.frame, drawn.corner, drawn.hint)
        found = find_index(patch) if patch is not None else None
        if found is None or patch is None:
            lost["index"] += kind == "index"
            continue
        truth = label(drawn, found, patch)
        if truth is None:
            continue
        glyphs = measure(patch, found)
        clarity = clarity_of(patch, found)
        row = {
            "crop": crop(patch, found),
            "rank_glyph": glyphs.rank,
            "suit_glyph": glyphs.suit,
            "measures": glyphs.figures,
            "clarity": np.array([clarity.edge, clarity.grain], np.float32),
            "rank": truth[0],
            "suit": truth[1],
            "joker": drawn.joker,
            "kind": KINDS.index(kind),
            "hidden": drawn.hidden,
            "harsh": level,
            "mono": drawn.mono,
            "px": drawn.px_per_mm,
            "true_rank": drawn.rank,
            "true_suit": drawn.suit,
            "odd_rank": drawn.odd_rank,
            "odd_suit": drawn.odd_suit,
        }
        for name, value in row.items():
            rows.setdefault(name, []).append(value)
    np.savez(out, **{name: np.array(values) for name, values in rows.items()})
    sys.stdout.write(f"{out}: {len(rows['rank'])} kept; not found {lost}\n")


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main(
        sys.argv[1],
        sys.argv[2],
        int(sys.argv[3]),
        int(sys.argv[4]),
        sys.argv[5] == "held",
        float(sys.argv[6]) if len(sys.argv) > 6 else None,
    )
