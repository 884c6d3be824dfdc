"""Shapes of ranks and suits to draw cards with: from fonts, and drawn here.

    python -m scripts.train_index.glyphs FONTS_DIR BANK.npz

reads every font under FONTS_DIR whose figures are as tall as its capitals and writes the shapes as
grey masks, 96 px tall. Needs Pillow.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

TALL = 96
LETTERS = "A23456789JQK10BDVRSXOEZoker"
SUITS = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}


def bank_of(folder: Path) -> dict[str, np.ndarray]:
    """Masks by `font/char`, a font being its file's name."""
    from PIL import ImageFont

    bank: dict[str, np.ndarray] = {}
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".ttf", ".otf"))
    for path in paths:
        try:
            font = ImageFont.truetype(str(path), 150)
            shapes = {char: _mask(font, char) for char in LETTERS}
        except (OSError, ValueError):
            continue
        if not _is_lining(shapes):
            continue
        for char, mask in shapes.items():
            bank[f"{path.stem}/{char}"] = mask
        for suit, char in SUITS.items():
            if _has(font, char):
                bank[f"{path.stem}/suit{suit}"] = _mask(font, char)
    return bank


def _mask(font, char: str) -> np.ndarray:
    import cv2

    mask = font.getmask(char, mode="L")
    if 0 in mask.size:
        raise ValueError(char)
    image = np.array(mask, dtype=np.uint8).reshape(mask.size[1], mask.size[0])
    rows, columns = np.flatnonzero(image.max(axis=1) > 127), np.flatnonzero(image.max(axis=0) > 127)
    if len(rows) < 20 or len(columns) < 5:
        raise ValueError(char)
    image = image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    # How tall it is at the font's size is remembered for `_is_lining`.
    wide = max(round(image.shape[1] * TALL / image.shape[0]), 4)
    _tall[char] = image.shape[0]
    return cv2.resize(image, (wide, TALL), interpolation=cv2.INTER_AREA)


_tall: dict[str, int] = {}


def _is_lining(shapes: dict[str, np.ndarray]) -> bool:
    """Whether figures are as tall as capitals, and no two of them are the same box of "missing"."""
    tall = [_tall[char] for char in "A23456789JQK10"]
    distinct = {shapes[char].tobytes() for char in "A23456789JQK"}
    low, high = min(_tall[c] for c in "2345678910"), max(_tall[c] for c in "2345678910")
    return low > 0.88 * high and low > 0.8 * _tall["K"] and len(distinct) == 12 and max(tall) < 190


def _has(font, char: str) -> bool:
    missing = font.getmask("\uffff", mode="L")
    there = font.getmask(char, mode="L")
    return 0 not in there.size and bytes(there) != bytes(missing)


if __name__ == "__main__":
    made = bank_of(Path(sys.argv[1]))
    np.savez_compressed(sys.argv[2], **made)
    names = {name.split("/")[0] for name in made}
    suits = {name.split("/")[0] for name in made if "/suit" in name}
    sys.stdout.write(f"{len(names)} fonts, {len(suits)} with suits\n")
