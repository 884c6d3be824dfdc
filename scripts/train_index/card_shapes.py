"""Ranks as playing cards print them and no font does, from numbers by chance: the queen's oval with
a tail that starts at its left, a hooked knave with a bar, bowed sevens, open fours with a foot,
looped twos, kings and aces on slabs, the narrow nought of a ten.
"""

from __future__ import annotations

import cv2
import numpy as np

Line = list[tuple[float, float]]

# A line is drawn by its points in a box of 1 x 1, y down; and how broad it is against the style's.
Stroke = tuple[Line, float]


def oval(
    cx: float, cy: float, rx: float, ry: float, ends: tuple[float, float], square: float
) -> Line:
    """Part of an oval, degrees from the right, clockwise; `square` 2 is an ellipse, 4 a tall box
    with round ends.
    """
    a = np.radians(np.linspace(*ends, 40))
    c, s = np.cos(a), np.sin(a)
    x = np.sign(c) * np.abs(c) ** (2 / square)
    y = np.sign(s) * np.abs(s) ** (2 / square)
    return list(zip((cx + rx * x).tolist(), (cy + ry * y).tolist(), strict=True))


def bow(*points: tuple[float, float]) -> Line:
    """A Bezier curve of three or four points."""
    p = np.array(points)
    while len(p) < 4:
        p = np.vstack([p[:1], p[:1] / 3 + p[1:2] * 2 / 3, p[1:2] * 2 / 3 + p[2:] / 3, p[2:]])
    s = np.linspace(0, 1, 24)[:, None]
    curve = (
        (1 - s) ** 3 * p[0] + 3 * (1 - s) ** 2 * s * p[1] + 3 * (1 - s) * s**2 * p[2] + s**3 * p[3]
    )
    return [(float(x), float(y)) for x, y in curve]


def _ace(p: np.random.Generator, q: float) -> list[Stroke]:
    top, bar, foot = 0.5 + p.uniform(-0.08, 0.08), p.uniform(0.58, 0.74), p.uniform(0.1, 0.28)
    inset = 0.5 * (1 - bar)
    left, right = p.uniform(0.5, 1.0), p.uniform(0.9, 1.3)
    lines: list[Stroke] = [
        ([(0.08, 1), (top, 0)], left),
        ([(top, 0), (0.92, 1)], right),
        ([(inset, bar), (1 - inset, bar)], 0.7),
    ]
    if p.random() < 0.75:
        lines += [([(x - foot, 1), (x + foot, 1)], 0.7) for x in (0.08, 0.92)]
    if p.random() < 0.25:
        lines.append(([(top - 0.2, 0), (top + 0.05, 0)], 0.7))
    return lines


def _two(p: np.random.Generator, q: float) -> list[Stroke]:
    turn = p.uniform(0.22, 0.32)
    head = oval(0.48, turn, 0.46, turn, (p.uniform(165, 215), 375), q)
    y = p.uniform(0.86, 0.96)
    if p.random() < 0.6:
        # A loop at its foot: down to the left, around and away to the right.
        loop = bow(head[-1], (0.75, 0.62), (0.3, 0.7), (0.12, y))
        ring = bow((0.12, y), (-0.12, 1.06), (0.02, 0.72), (0.35, y + 0.02))
        tail = bow((0.35, y + 0.02), (0.6, 1.04), (0.85, 1.06), (1.0, p.uniform(0.78, 0.94)))
        return [(head + loop + ring + tail, 1.0)]
    neck = bow(head[-1], (0.8, 0.6), (0.25, 0.65), (0.03, 1.0))
    wave = p.uniform(-0.05, 0.09)
    base = bow((0.03, 1.0), (0.35, 1 - 2 * wave), (0.6, 1 + wave), (1.0, 1.0))
    up = [(1.0, 1.0), (1.0, p.uniform(0.8, 0.95))] if p.random() < 0.4 else []
    return [(head + neck, 1.0), (base + up, p.uniform(0.9, 1.3))]


def _three(p: np.random.Generator, q: float) -> list[Stroke]:
    m = p.uniform(0.36, 0.48)
    low = oval(0.44, (1 + m) / 2, 0.54, (1 - m) / 2, (p.uniform(255, 275), p.uniform(490, 530)), q)
    if p.random() < 0.75:
        tick = [(0.06, p.uniform(0.08, 0.18))] if p.random() < 0.6 else []
        return [([*tick, (0.06, 0), (0.95, 0), (p.uniform(0.25, 0.5), m)], 0.9), (low, 1.0)]
    return [(oval(0.46, m / 2, 0.44, m / 2, (195, 450), q), 1.0), (low, 1.0)]


def _four(p: np.random.Generator, q: float) -> list[Stroke]:
    bar, stem = p.uniform(0.56, 0.75), p.uniform(0.6, 0.78)
    foot, over = p.uniform(0.1, 0.28), p.uniform(0.9, 1.05)
    lines: list[Stroke] = []
    if p.random() < 0.4:
        top = p.uniform(0.3, stem - 0.1)
        lines += [
            ([(top, 0), (0, bar), (over, bar)], 0.9),
            ([(stem, p.uniform(0.15, 0.42)), (stem, 1)], 1.1),
        ]
    else:
        lines += [([(stem, 0), (0, bar), (over, bar)], 0.8), ([(stem, 0), (stem, 1)], 1.15)]
    if p.random() < 0.6:
        lines.append(([(stem - foot, 1), (min(stem + foot, 1.02), 1)], 0.7))
    return lines


def _five(p: np.random.Generator, q: float) -> list[Stroke]:
    m, x = p.uniform(0.36, 0.48), p.uniform(0.08, 0.2)
    flag = bow((x, 0), (0.4, p.uniform(0, 0.1)), (0.7, p.uniform(-0.05, 0.08)), (0.92, 0))
    bowl = oval(0.44, (1 + m) / 2 - 0.03, 0.53, (1 - m) / 2 + 0.03, (p.uniform(220, 245), 515), q)
    return [(flag, 1.1), ([(x, 0), (x - 0.05, m + 0.06), *bowl], 0.95)]


def _six(p: np.random.Generator, q: float) -> list[Stroke]:
    high = p.uniform(0.24, 0.33)
    ring = oval(0.5, 1 - high, 0.48, high, (0, 360), q)
    kind = p.random()
    if kind < 0.35:
        # A straight tail that touches the ring at its left.
        return [(ring, 1.0), (bow((p.uniform(0.55, 0.9), 0), (0.2, 0.4), (0.03, 1 - high)), 1.0)]
    side = 1 - high
    if kind < 0.75:
        top = oval(0.52, side * 0.5, 0.48, side * 0.5, (p.uniform(310, 350), 180), q)
        return [(ring, 1.0), ([*top, (0.03, side)], 1.0)]
    curl = bow(
        (p.uniform(0.75, 1.0), p.uniform(0.02, 0.16)), (0.4, -0.08), (0.02, 0.25), (0.03, side)
    )
    return [(ring, 1.0), (curl, 1.0)]


def _seven(p: np.random.Generator, q: float) -> list[Stroke]:
    foot = p.uniform(0.2, 0.45)
    stem = bow((0.98, 0.02), (p.uniform(0.45, 0.8), p.uniform(0.3, 0.5)), (foot, 0.55), (foot, 1))
    wave = p.uniform(0, 0.08) if p.random() < 0.5 else 0.0
    top = bow((0.03, wave / 2), (0.3, -wave), (0.6, 2 * wave), (0.98, 0.0))
    lines: list[Stroke] = [(top, p.uniform(0.9, 1.4)), (stem, p.uniform(0.9, 1.2))]
    if p.random() < 0.55:
        lines.append(([(0.03, 0), (0.03, p.uniform(0.08, 0.2))], 0.9))
    if p.random() < 0.2:
        lines.append(([(foot - 0.15, 1), (foot + 0.15, 1)], 0.7))
    return lines


def _eight(p: np.random.Generator, q: float) -> list[Stroke]:
    m, small = p.uniform(0.42, 0.5), p.uniform(0.38, 0.48)
    upper = oval(0.5, m / 2, small, m / 2, (0, 360), q)
    return [(upper, 1.0), (oval(0.5, (1 + m) / 2, 0.5, (1 - m) / 2, (0, 360), q), 1.0)]


def _knave(p: np.random.Generator, q: float) -> list[Stroke]:
    stem, hook = p.uniform(0.6, 0.85), p.uniform(0.18, 0.34)
    far = p.uniform(-0.05, 0.2)
    middle, wide = (stem + far) / 2, (stem - far) / 2
    turn = oval(middle, 1 - hook, wide, hook, (0, p.uniform(165, 215)), q)
    lines: list[Stroke] = [([(stem, 0), (stem, 1 - hook), *turn], 1.0)]
    if p.random() < 0.75:
        half = p.uniform(0.15, 0.4)
        right = stem + half if p.random() < 0.7 else stem
        lines.append(([(stem - half, 0), (min(right, 1.1), 0)], p.uniform(0.6, 1.0)))
    if p.random() < 0.3:
        x, y = turn[-1]
        lines.append(([(x + 0.02, y), (x + 0.05, y + 0.01)], 1.7))
    return lines


def _queen(p: np.random.Generator, q: float) -> list[Stroke]:
    low = p.uniform(0.9, 1.0)
    ring = oval(0.5, low / 2, 0.46, low / 2, (0, 360), q)
    start = (p.uniform(-0.22, 0.38), p.uniform(0.58, 0.82))
    end = (p.uniform(0.85, 1.12), p.uniform(0.96, 1.04))
    lift = p.uniform(-0.06, 0.1)
    bend = (p.uniform(0.2, 0.5), start[1] + p.uniform(-0.1, 0.06))
    tail = bow(start, bend, (p.uniform(0.5, 0.75), 0.98), end)
    if p.random() < 0.35:
        tail = [start, end]
    if p.random() < 0.65:
        # A short foot at its end, level or turned up.
        tail = [*tail, (end[0] + p.uniform(0.06, 0.2), end[1] - max(lift, 0))]
    if p.random() < 0.25:
        # The tail starts as a small curl.
        tail = [
            *bow((start[0] + 0.12, start[1] + 0.1), (start[0] - 0.12, start[1] + 0.08), start),
            *tail,
        ]
    return [(ring, 1.0), (tail, p.uniform(0.6, 1.2))]


def _king(p: np.random.Generator, q: float) -> list[Stroke]:
    stem, meet = p.uniform(0.1, 0.24), p.uniform(0.5, 0.66)
    slab = p.uniform(0.1, 0.22)
    arm, leg = p.uniform(0.8, 0.95), p.uniform(0.85, 1.0)
    s = p.uniform(0.25, 0.5)
    knee = (stem + (arm - stem) * s, meet * (1 - s))
    lines: list[Stroke] = [
        ([(stem, 0), (stem, 1)], 1.1),
        ([(arm, 0), (stem, meet)], p.uniform(0.5, 0.9)),
        ([knee, (leg, 1)], p.uniform(0.9, 1.2)),
    ]
    for x, y in ((stem, 0), (stem, 1), (arm, 0), (leg, 1)):
        lines.append(([(x - slab, y), (x + slab, y)], 0.7))
    return lines


def _one(p: np.random.Generator, q: float) -> list[Stroke]:
    lines: list[Stroke] = [([(0.5, 0), (0.5, 1)], 1.1)]
    if p.random() < 0.6:
        lines.append(([(0.5, 0), (p.uniform(0.0, 0.25), p.uniform(0.08, 0.22))], 0.7))
    if p.random() < 0.4:
        foot = p.uniform(0.2, 0.45)
        lines.append(([(0.5 - foot, 1), (0.5 + foot, 1)], 0.6))
    return lines


def _nought(p: np.random.Generator, q: float) -> list[Stroke]:
    return [(oval(0.5, 0.5, 0.47, 0.5, (0, 360), q), 1.0)]


_DRAWN = {
    "A": _ace,
    "2": _two,
    "3": _three,
    "4": _four,
    "5": _five,
    "6": _six,
    "7": _seven,
    "8": _eight,
    "J": _knave,
    "Q": _queen,
    "K": _king,
    "1": _one,
    "0": _nought,
}


def card_mask(char: str, style: dict) -> np.ndarray:
    """One digit or letter (0-255, not cut), of a style made by `shapes.stroke_style`."""
    rng = np.random.default_rng([style["seed"], ord("6" if char == "9" else char)])
    strokes = _DRAWN["6" if char == "9" else char](rng, style["square"])
    # Drawn wider or narrower than it shall be and then stretched: upright strokes get thinner or
    # thicker than level ones, as a pen or a narrowed letter has them.
    wide, stretch = style["wide"] * 180, style["contrast"]
    if char == "1":
        wide *= 0.5
    if char == "0":
        wide *= style["zero"]
    image = np.zeros((420, 560), np.uint8)
    place = np.array([170.0, 110.0])
    for line, share in strokes:
        points = np.array(line) * [wide * stretch, 180] + place
        thick = max(round(style["thick"] * 180 * share), 3)
        cv2.polylines(image, [np.round(points * 16).astype(np.int32)], False, 255, thick, 16, 4)
    image = cv2.resize(image, (round(560 / stretch), 420), interpolation=cv2.INTER_AREA)
    return cv2.rotate(image, cv2.ROTATE_180) if char == "9" else image
