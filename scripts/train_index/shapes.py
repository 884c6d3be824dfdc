"""Suits and ranks drawn from numbers: shapes that are nobody's, in endless variety."""

from __future__ import annotations

import cv2
import numpy as np

from scripts.train_index.card_shapes import card_mask

_BIG = 192


def suit_mask(suit: str, rng: np.random.Generator) -> np.ndarray:
    """A suit's mask (0-255), cut to its box, about 190 px tall."""
    image = np.zeros((_BIG * 2, _BIG * 2), np.uint8)
    {"S": _spade, "H": _heart, "D": _diamond, "C": _club}[suit](image, rng)
    return cut(image)


def cut(image: np.ndarray) -> np.ndarray:
    rows, columns = np.flatnonzero(image.max(axis=1)), np.flatnonzero(image.max(axis=0))
    return image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _fill(image: np.ndarray, points: np.ndarray) -> None:
    cv2.fillPoly(image, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)


def _round_heart(rng: np.random.Generator) -> np.ndarray:
    """-1..1 both ways, point down: two discs and the lines from them to a point."""
    r = rng.uniform(0.5, 0.6)
    tip = r * rng.uniform(2.6, 3.6)
    out = 1 - r
    # From the cleft over the right disc to where the line to the point touches it.
    far = np.hypot(out, tip)
    last = np.arccos(np.clip(r / far, 0, 1)) - np.arctan2(tip, out) + np.pi / 2
    a = np.linspace(-np.pi + np.arccos(min(out / r, 1)), np.pi / 2 - last, 40)
    a = a[a < np.arctan2(tip, -out)]
    right = np.stack([out + r * np.cos(a), r * np.sin(a)], axis=1)
    sag = rng.uniform(-0.06, 0.06)
    end = right[-1]
    line = np.array([end * (1 - s) + np.array([0, tip]) * s for s in np.linspace(0, 1, 12)])
    line[:, 0] += sag * np.sin(np.linspace(0, np.pi, 12))
    half = np.concatenate([right, line])
    points = np.concatenate([half, half[::-1] * [-1, 1]])
    y = points[:, 1]
    points[:, 1] = (y - y.min()) / (y.max() - y.min()) * 2 - 1
    return points


def _heart_outline(rng: np.random.Generator) -> np.ndarray:
    """-1..1 both ways, point down. A superposition of two lobes and a point."""
    if rng.random() < 0.45:
        return _round_heart(rng)
    t = np.linspace(0, 2 * np.pi, 80)
    lobe, cleft = rng.uniform(12, 14), rng.uniform(3.5, 6.5)
    x = 16 * np.sin(t) ** 3
    y = -(
        lobe * np.cos(t)
        - cleft * np.cos(2 * t)
        - rng.uniform(1, 2.5) * np.cos(3 * t)
        - np.cos(4 * t)
    )
    power = rng.uniform(0.8, 1.15)
    x = np.sign(x) * np.abs(x / 16) ** power
    y = (y - y.min()) / (y.max() - y.min()) * 2 - 1
    return np.stack([x, y], axis=1)


def _heart(image: np.ndarray, rng: np.random.Generator) -> None:
    points = _heart_outline(rng) * [85 * rng.uniform(0.68, 1.1), 90]
    _fill(image, points + _BIG)


def _diamond(image: np.ndarray, rng: np.random.Generator) -> None:
    wide, bow = rng.uniform(0.62, 0.95), rng.uniform(-0.05, 0.22)
    corners = np.array([[0, -1], [wide, 0], [0, 1], [-wide, 0]])
    points = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for s in np.linspace(0, 1, 12, endpoint=False):
            pull = 1 - bow * np.sin(np.pi * s)
            points.append((a * (1 - s) + b * s) * pull)
    _fill(image, np.array(points) * 90 + _BIG)


def _stem(image: np.ndarray, rng: np.random.Generator, top: float, bottom: float) -> None:
    thin, foot = rng.uniform(3, 9), rng.uniform(12, 60)
    bend = rng.uniform(1.0, 3.0)
    s = np.linspace(0, 1, 14)
    half = thin + (foot - thin) * s**bend
    y = top + (bottom - top) * s
    side = np.stack([half, y], axis=1)
    _fill(image, np.concatenate([side, side[::-1] * [-1, 1]]) + _BIG)


def _spade(image: np.ndarray, rng: np.random.Generator) -> None:
    body = _heart_outline(rng) * [1, -1]
    low = rng.uniform(45, 66)
    body = body * [80 * rng.uniform(0.7, 1.08), (low + 90) / 2] + [0, (low - 90) / 2]
    _fill(image, body + _BIG)
    _stem(image, rng, low * 0.2, 90)


def _club(image: np.ndarray, rng: np.random.Generator) -> None:
    r = rng.uniform(31, 44)
    side = r * rng.uniform(0.88, 1.15)
    stem = rng.random() < 0.9
    up, out = -90 + r, rng.uniform(0.95, 1.3) * side
    low = rng.uniform(6, 26) if stem else 90 - side
    for x, y, size in ((0, up, r), (-out, low, side), (out, low, side)):
        cv2.circle(
            image,
            (round((x + _BIG) * 16), round((y + _BIG) * 16)),
            round(size * 16),
            255,
            -1,
            16,
            4,
        )
    # What joins the leaves: a broad middle, or a narrow one that leaves them a waist.
    waist = rng.uniform(0.25, 0.75)
    _fill(image, np.array([[0, up], [out * waist, low], [-out * waist, low]]) + _BIG)
    _fill(
        image, np.array([[-out, low - 5], [out, low - 5], [out, low + 5], [-out, low + 5]]) + _BIG
    )
    if stem:
        _stem(image, rng, low * 0.5, 90)


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> list:
    a = np.radians(np.linspace(start, end, 26))
    return [(cx + rx * np.cos(v), cy + ry * np.sin(v)) for v in a]


def _strokes(rank: str, p: np.random.Generator) -> list[list]:
    """Lines in a box of 1 x 1, y down; angles from the right, clockwise."""
    m = p.uniform(0.42, 0.5)
    bar = p.uniform(0.6, 0.72)
    inset, low = 0.5 * (1 - bar), (1 + m) / 2
    shapes = {
        "A": [[(0, 1), (0.5, 0), (1, 1)], [(inset, bar), (1 - inset, bar)]],
        "2": [[*_arc(0.5, 0.28, 0.48, 0.28, 190, 370), (0.9, 0.42), (0.02, 1), (1, 1)]],
        "3": [
            _arc(0.48, m / 2, 0.46, m / 2, 200, 450),
            _arc(0.48, (1 + m) / 2, 0.5, (1 - m) / 2, 270, 520),
        ],
        "3f": [
            [(0.05, 0), (0.95, 0), (0.4, m - 0.05)],
            _arc(0.46, (1 + m) / 2 - 0.03, 0.5, (1 - m) / 2 + 0.03, 265, 515),
        ],
        "4": [[(0.75, 1), (0.75, 0), (0, bar), (1, bar)]],
        "4o": [[(0.45, 0), (0, bar), (1, bar)], [(0.72, 0.3), (0.72, 1)]],
        "5": [
            [(0.92, 0), (0.15, 0), (0.1, m), *_arc(0.46, low - 0.05, 0.52, 0.55 - m / 2, 225, 510)]
        ],
        "6": [_arc(0.95, 0.75, 0.95, 0.75, 270, 180), _arc(0.5, 0.7, 0.48, 0.3, 0, 360)],
        "9": [_arc(0.05, 0.25, 0.95, 0.75, 90, 0), _arc(0.5, 0.3, 0.48, 0.3, 0, 360)],
        "7": [[(0, 0), (1, 0), (0.55, 0.5), (0.32, 1)]],
        "8": [
            _arc(0.5, m / 2, 0.43, m / 2, 0, 360),
            _arc(0.5, (1 + m) / 2, 0.5, (1 - m) / 2, 0, 360),
        ],
        "6c": [
            [*_arc(0.52, 0.3, 0.42, 0.3, 335, 180), (0.04, 0.7)],
            _arc(0.5, 0.71, 0.46, 0.29, 0, 360),
        ],
        "9c": [
            [*_arc(0.48, 0.7, 0.42, 0.3, 155, 0), (0.96, 0.3)],
            _arc(0.5, 0.29, 0.46, 0.29, 0, 360),
        ],
        "7s": [[(0.02, 0.14), (0.02, 0), (1, 0), (0.4, 1)]],
        "Qi": [
            _arc(0.5, 0.5, 0.5, 0.5, 0, 360),
            [(0.25, 0.72), (0.5, 0.68), (0.75, 0.98), (1, 0.95)],
        ],
        "Jb": [
            [(0.4, 0), (1, 0)],
            [(0.72, 0), (0.72, 0.74), *_arc(0.38, 0.72, 0.34, 0.28, 0, 190)],
        ],
        "Af": [[(0, 1), (0.4, 0), (0.6, 0), (1, 1)], [(inset, bar), (1 - inset, bar)]],
        "1b": [[(0.5, 0), (0.5, 1)]],
        "1": [[(0.1, 0.2), (0.5, 0), (0.5, 1)]],
        "0": [_arc(0.5, 0.5, 0.5, 0.5, 0, 360)],
        "J": [[(0.78, 0), (0.78, 0.7), *_arc(0.42, 0.7, 0.36, 0.3, 0, 170)]],
        "Q": [_arc(0.5, 0.47, 0.5, 0.47, 0, 360), [(0.5, 0.68), (0.98, 1)]],
        "K": [[(0.08, 0), (0.08, 1)], [(0.95, 0), (0.08, 0.62)], [(0.35, 0.44), (1, 1)]],
    }
    others = {
        "3": "3f",
        "4": "4o",
        "6": "6c",
        "9": "9c",
        "7": "7s",
        "Q": "Qi",
        "J": "Jb",
        "A": "Af",
        "1": "1b",
    }
    if rank in others and p.random() < 0.4:
        rank = others[rank]
    return shapes[rank]


_FEET = {
    "A": [(0, 1), (1, 1)],
    "4": [(0.75, 1)],
    "7": [(0.32, 1)],
    "1": [(0.5, 1)],
    "J": [(0.78, 0)],
    "Q": [],
    "K": [(0.08, 0), (0.08, 1), (0.95, 0), (1, 1)],
}


def stroke_mask(char: str, style: dict) -> np.ndarray:
    """One digit or letter of a style made by `stroke_style`, about 190 px tall."""
    if style["card"]:
        return cut(_slanted(card_mask(char, style), style["slant"]))
    rng = np.random.default_rng(style["seed"])
    wide, thick = style["wide"] * 180, style["thick"] * 180
    if char == "1":
        wide *= 0.5
    if char == "0":
        wide *= style["zero"]
    image = np.zeros((420, 420), np.uint8)
    place = np.array([110.0, 110.0])
    for line in _strokes(char, rng):
        points = np.array(line) * [wide, 180] + place
        if not style["round"]:
            points = np.clip(points, place, place + np.array([wide, 180]))
        cv2.polylines(
            image, [np.round(points * 16).astype(np.int32)], False, 255, max(int(thick), 3), 16, 4
        )
    if style["serif"]:
        for x, y in _FEET.get(char, []):
            at, half = np.array([x, y]) * [wide, 180] + place, style["serif"] * 180
            ends = np.array([[at[0] - half, at[1]], [at[0] + half, at[1]]])
            cv2.polylines(
                image,
                [np.round(ends * 16).astype(np.int32)],
                False,
                255,
                max(int(thick * 0.8), 3),
                16,
                4,
            )
    return cut(_slanted(image, style["slant"]))


def _slanted(image: np.ndarray, slant: float) -> np.ndarray:
    if not slant:
        return image
    shear = np.array([[1, -slant, slant * 200], [0, 1, 0]], np.float32)
    return cv2.warpAffine(image, shear, (image.shape[1] + 60, image.shape[0]))


def stroke_style(rng: np.random.Generator) -> dict:
    return {
        "seed": int(rng.integers(1 << 31)),
        "wide": rng.uniform(0.27, 0.72),
        "thick": rng.uniform(0.06, 0.2),
        "zero": rng.uniform(0.75, 1.1),
        "round": rng.random() < 0.7,
        "serif": rng.choice([0.0, 0.0, rng.uniform(0.08, 0.16)]),
        "slant": rng.choice([0.0, 0.0, rng.uniform(0.05, 0.22)]),
        "card": rng.random() < 0.75,
        "square": rng.choice([2.0, rng.uniform(2.0, 4.5)]),
        "contrast": rng.choice([1.0, rng.uniform(0.8, 1.5)]),
    }
