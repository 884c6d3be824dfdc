"""Decks of cards made up: how the index of each looks and where it stands."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scripts.train_index import shapes

RANKS = "A23456789TJQK"
SUITS = "SHDC"

# Pixels a mm of the artwork.
ART = 9


@dataclass
class Deck:
    """One made-up deck; sizes in mm. `font` is a font of the bank, or "" for drawn strokes."""

    font: str
    suits: str
    style: dict
    seed: int
    rank_high: float
    rank_wide: float
    weight: float
    suit_high: float
    gap: float
    left: float
    top: float
    red: tuple[int, int, int]
    black: tuple[int, int, int]
    four: bool
    centred: bool
    ten: float


def make_deck(rng: np.random.Generator, bank, fonts: list[str], suit_fonts: list[str]) -> Deck:
    drawn = rng.random() < 0.6
    high = float(
        rng.choice(
            [rng.uniform(4.5, 6.5), rng.uniform(6.0, 9.5), rng.uniform(8, 12.5)],
            p=[0.45, 0.45, 0.1],
        )
    )
    red = [int(rng.integers(0, 50)), int(rng.integers(0, 45)), int(rng.integers(160, 240))]
    black = int(rng.integers(5, 55))
    return Deck(
        font="" if drawn else str(rng.choice(fonts)),
        suits=str(rng.choice(suit_fonts)) if suit_fonts and rng.random() < 0.35 else "",
        style=shapes.stroke_style(rng),
        seed=int(rng.integers(1 << 31)),
        rank_high=high,
        rank_wide=float(rng.uniform(0.42, 0.7) if rng.random() < 0.3 else rng.uniform(0.6, 1.12)),
        weight=float(rng.choice([0, rng.uniform(-0.008, 0.05)])),
        suit_high=high * float(rng.uniform(0.55, 1.0)),
        gap=float(rng.uniform(0.5, 2.2)) * (high / 7) ** 0.5,
        left=float(rng.uniform(1.2, 3.2)),
        top=float(rng.uniform(1.6, 4.5)),
        red=(red[0], red[1], red[2]),
        black=(black, black, int(black * 0.9)),
        four=bool(rng.random() < 0.1),
        centred=bool(rng.random() < 0.85),
        ten=float(rng.uniform(0.5, 0.85)),
    )


def rank_mask(deck: Deck, rank: str, bank) -> np.ndarray:
    """A rank's mask (0-255) at ART px a mm."""
    tall = max(round(deck.rank_high * ART), 20)
    if rank == "T":
        one, zero = (_glyph(deck, c, bank, tall, deck.ten) for c in "10")
        space = max(round(tall * (0.05 + 0.08 * ((deck.seed % 97) / 97))), 2)
        if deck.seed % 11 == 0:
            space = -1
        mask = np.zeros((tall, one.shape[1] + zero.shape[1] + space), np.uint8)
        mask[:, : one.shape[1]] = one
        mask[:, -zero.shape[1] :] = np.maximum(mask[:, -zero.shape[1] :], zero)
        return _weighted(mask, deck, tall)
    return _weighted(_glyph(deck, rank, bank, tall, 1.0), deck, tall)


def _glyph(deck: Deck, char: str, bank, tall: int, narrow: float) -> np.ndarray:
    shape = bank[f"{deck.font}/{char}"] if deck.font else shapes.stroke_mask(char, deck.style)
    factor = deck.rank_wide if deck.font else 1.0
    if char == "1":
        narrow = narrow**0.5
    wide = max(round(shape.shape[1] * tall / shape.shape[0] * factor * narrow), 5)
    return cv2.resize(shape, (wide, tall), interpolation=cv2.INTER_AREA)


def _weighted(mask: np.ndarray, deck: Deck, tall: int) -> np.ndarray:
    by = round(deck.weight * tall)
    if by == 0:
        return mask
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(by) + 1, 2 * abs(by) + 1))
    pad = cv2.copyMakeBorder(mask, abs(by), abs(by), abs(by), abs(by), cv2.BORDER_CONSTANT)
    thin = cv2.erode(pad, kernel) if by < 0 else cv2.dilate(pad, kernel)
    if by < 0 and thin.astype(int).sum() < 0.6 * mask.astype(int).sum():
        return mask
    return shapes.cut(np.where(thin > 20, thin, 0).astype(np.uint8)) if thin.max() > 20 else mask


def suit_shape(deck: Deck, suit: str, bank) -> np.ndarray:
    """A suit's mask (0-255), large."""
    name = f"{deck.suits}/suit{suit}"
    if deck.suits and name in bank:
        return bank[name]
    return shapes.suit_mask(suit, np.random.default_rng([deck.seed, SUITS.index(suit)]))


def suit_mask(deck: Deck, suit: str, bank, high_mm: float) -> np.ndarray:
    shape = suit_shape(deck, suit, bank)
    tall = max(round(high_mm * ART), 10)
    wide = max(round(shape.shape[1] * tall / shape.shape[0]), 8)
    return cv2.resize(shape, (wide, tall), interpolation=cv2.INTER_AREA)


def ink(deck: Deck, suit: str) -> tuple[int, int, int]:
    if suit in "HD":
        if deck.four and suit == "D":
            return (190, 80, 20)
        return deck.red
    if deck.four and suit == "C":
        return (40, 120, 10)
    return deck.black
