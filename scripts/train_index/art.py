"""The flat artwork of a card's corner, drawn step by step."""

from __future__ import annotations

import cv2
import numpy as np

from scripts.train_index import decks, shapes

ART = decks.ART
EDGE = 6
WIDE, HIGH = 30, 48


class Art:
    """The flat artwork, drawn step by step."""

    def __init__(self, rng: np.random.Generator, deck: decks.Deck, bank) -> None:
        self.rng, self.deck, self.bank = rng, deck, bank
        self.odd_rank = self.odd_suit = False
        shape = (HIGH * ART, WIDE * ART, 3)
        self.image = np.empty(shape, np.float32)
        self.image[:] = rng.uniform(8, 75, 3) if rng.random() < 0.8 else rng.uniform(30, 200, 3)
        self._texture(rng.uniform(2, 14))
        white = rng.uniform(215, 255)
        self.paper = np.array([white - rng.uniform(0, 14), white - rng.uniform(0, 6), white])
        self._card(EDGE * ART, EDGE * ART, rng.uniform(2, 4.5) * ART)

    def _texture(self, depth: float) -> None:
        grain = self.rng.normal(0, depth, (HIGH * 3, WIDE * 3, 1)).astype(np.float32)
        self.image += cv2.resize(grain, (WIDE * ART, HIGH * ART))[..., None]

    def _card(self, x: int, y: int, radius: float) -> None:
        mask = np.zeros(self.image.shape[:2], np.uint8)
        r = round(radius)
        cv2.rectangle(mask, (x + r, y), (WIDE * ART, HIGH * ART), 255, -1)
        cv2.rectangle(mask, (x, y + r), (WIDE * ART, HIGH * ART), 255, -1)
        cv2.circle(mask, (x + r, y + r), r, 255, -1, cv2.LINE_AA)
        self._blend(mask, self.paper)

    def _blend(self, mask: np.ndarray, colour, x: int = 0, y: int = 0) -> None:
        """A colour where a mask is, whose top left is at (x, y)."""
        part = self.image[y : y + mask.shape[0], x : x + mask.shape[1]]
        share = (mask * np.float32(1 / 255))[..., None]
        part += (np.asarray(colour, np.float32) - part) * share

    def _put(self, mask: np.ndarray, x_mm: float, y_mm: float, colour) -> np.ndarray:
        """A mask with its top left at (x, y) mm from the card's corner; returns where it is."""
        full = np.zeros(self.image.shape[:2], np.uint8)
        x, y = round((EDGE + x_mm) * ART), round((EDGE + y_mm) * ART)
        x0, y0 = max(x, 0), max(y, 0)
        x1, y1 = min(x + mask.shape[1], full.shape[1]), min(y + mask.shape[0], full.shape[0])
        if x1 > x0 and y1 > y0:
            part = mask[y0 - y : y1 - y, x0 - x : x1 - x]
            full[y0:y1, x0:x1] = part
            self._blend(part, colour, x0, y0)
        return full

    def index(self, rank: int, suit: int) -> list[np.ndarray]:
        d, rng = self.deck, self.rng
        top = decks.rank_mask(d, decks.RANKS[rank], self.bank)
        low = decks.suit_mask(d, decks.SUITS[suit], self.bank, d.suit_high)
        ink = decks.ink(d, decks.SUITS[suit])
        widest = max(top.shape[1], low.shape[1], d.rank_high * 0.55 * ART) / ART
        middle = d.left + widest / 2
        x = middle - top.shape[1] / ART / 2 if d.centred else d.left
        x = max(x, 0.5)
        a = self._put(top, x, d.top, ink)
        shift = rng.normal(0, 0.1) if d.centred else 0.0
        low_x = max(middle - low.shape[1] / ART / 2 + shift, 0.4)
        b = self._put(low, low_x, d.top + d.rank_high + d.gap, ink)
        self.right = max(x + top.shape[1] / ART, low_x + low.shape[1] / ART)
        self.bottom = d.top + d.rank_high + d.gap + d.suit_high
        return [a, b]

    def beside(self, rank: int, suit: int) -> None:
        """What stands right of and below an index: pips, a court's frame, a code, nothing."""
        rng = self.rng
        start = self.right + rng.uniform(0.9, 5)
        what = rng.random()
        if rank >= 10 and what < 0.75:
            self._court(start)
        elif what < 0.55:
            self._pips(start, suit)
        elif what < 0.65:
            self._pips(start + 3, suit)
            self._court(start + 6)
        if rng.random() < 0.25:
            self._code()

    def _pips(self, x: float, suit: int) -> None:
        rng, d = self.rng, self.deck
        high = rng.uniform(8, 14)
        y = rng.uniform(-2, 12)
        for _ in range(3):
            mask = decks.suit_mask(d, decks.SUITS[suit], self.bank, high)
            self._put(mask, x, y, decks.ink(d, decks.SUITS[suit]))
            y += high + rng.uniform(1, 14)

    def _court(self, x: float) -> None:
        rng = self.rng
        left, top = round((EDGE + x) * ART), round((EDGE + rng.uniform(2, 9)) * ART)
        colour = [(160, 60, 20), (30, 30, 30), (40, 30, 190), (60, 190, 230)][int(rng.integers(4))]
        layer = np.zeros(self.image.shape[:2], np.uint8)
        cv2.rectangle(
            layer,
            (left, top),
            (WIDE * ART + 50, HIGH * ART + 50),
            255,
            round(rng.uniform(0.15, 0.7) * ART),
        )
        self._blend(layer, colour)
        for _ in range(int(rng.integers(0, 9))):
            layer[:] = 0
            points = rng.uniform(
                [left + 6, top + 40], [left + 260, HIGH * ART], (int(rng.integers(3, 7)), 2)
            )
            cv2.fillPoly(layer, [points.astype(np.int32)], 255, cv2.LINE_AA)
            layer[:, : max(left, 0)] = 0
            x, y, wide, high = cv2.boundingRect(points.astype(np.int32))
            x, y = max(x, 0), max(y, 0)
            self._blend(
                layer[y : y + high + 2, x : x + wide + 2],
                [(20, 20, 20), (40, 30, 200), (50, 200, 240), (170, 60, 20), (250, 250, 250)][
                    int(rng.integers(5))
                ],
                x,
                y,
            )

    def _code(self, y: float | None = None, x: float | None = None) -> None:
        rng = self.rng
        y = self.bottom + rng.uniform(1.5, 10) if y is None else y
        x = rng.uniform(1, 6) if x is None else x
        module = rng.uniform(0.25, 0.6)
        if rng.random() < 0.6:
            bits = rng.integers(0, 2, (1, int(rng.integers(20, 70))))
            if rng.random() < 0.7:
                bits = bits.T
            long = round(rng.uniform(3, 9) * ART)
            along = round(max(bits.shape) * module * ART)
            size = (along, long) if bits.shape[0] == 1 else (long, along)
        else:
            n = int(rng.integers(10, 26))
            bits = rng.integers(0, 2, (n, n))
            size = (round(n * module * ART),) * 2
        mask = cv2.resize((bits * 255).astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        self._put(mask, x, y, (20, 20, 20))

    # What holds no index ----------------------------------------------------------------------

    def bare(self, rank: int, suit: int) -> None:
        """One of the two other corners: pips, a court's frame, a code; not an index."""
        self.right, self.bottom = self.rng.uniform(0, 8), self.rng.uniform(0, 12)
        for _ in range(int(self.rng.integers(1, 3))):
            self.beside(int(self.rng.integers(13)), suit)
        if self.rng.random() < 0.3:
            self._pips(self.rng.uniform(-2, 6), suit)
        if self.rng.random() < 0.3:
            self._code(self.rng.uniform(1.5, 6), self.rng.uniform(1.5, 6))

    def turned(self, rank: int, suit: int) -> None:
        """An index that reads another way: of a deck with four indices, or a wrong corner."""
        before = self.image.copy()
        self.index(rank, suit)
        edge = EDGE * ART
        size = min(self.image.shape[0], self.image.shape[1]) - edge
        part = self.image[edge : edge + size, edge : edge + size].copy()
        self.image = before
        how = int(self.rng.integers(4))
        if how == 0:
            self.image[edge : edge + size, edge : edge + size] = part.transpose(1, 0, 2)
        elif how == 1:
            self._clip(part, cv2.ROTATE_90_CLOCKWISE)
        elif how == 2:
            self._clip(part, cv2.ROTATE_180)
        else:
            self._clip(part, cv2.ROTATE_90_COUNTERCLOCKWISE)

    def _clip(self, part: np.ndarray, turn: int) -> None:
        """The index turned, its outer corner where the card's is."""
        d = self.deck
        wide, high = round((self.right + d.left) * ART), round((self.bottom + d.top) * ART)
        turned = cv2.rotate(part[:high, :wide], turn)
        high, wide = turned.shape[:2]
        target = self.image[EDGE * ART : EDGE * ART + high, EDGE * ART : EDGE * ART + wide]
        target[:] = turned[: target.shape[0], : target.shape[1]]

    def foreign(self, rank: int, suit: int) -> None:
        """An index of another kind of card: a letter or shape that is no rank or no suit."""
        rng, d = self.rng, self.deck
        self.index(rank, suit)
        self.image[round((EDGE + 0.3) * ART) :, round((EDGE + 0.3) * ART) :] = self.paper
        ink = decks.ink(d, decks.SUITS[suit])
        wrong_top = rng.random() < 0.7
        tall = round(d.rank_high * ART)
        if wrong_top:
            char = str(rng.choice(list("BDVRSXOEZ10")))
            name = f"{d.font}/{char}" if d.font else f"{rng.choice(self._fonts())}/{char}"
            shape = self.bank[name]
            top = cv2.resize(
                shape, (max(round(shape.shape[1] * tall / shape.shape[0] * d.rank_wide), 5), tall)
            )
        else:
            top = decks.rank_mask(d, decks.RANKS[rank], self.bank)
        if wrong_top and rng.random() < 0.5:
            low = decks.suit_mask(d, decks.SUITS[suit], self.bank, d.suit_high)
        else:
            low = _odd_shape(rng, round(d.suit_high * ART))
            self.odd_suit = True
        self.odd_rank = wrong_top
        x = d.left + max(top.shape[1], low.shape[1]) / ART / 2
        self._put(top, x - top.shape[1] / ART / 2, d.top, ink)
        self._put(low, x - low.shape[1] / ART / 2, d.top + d.rank_high + d.gap, ink)
        self.right, self.bottom = x * 2 - d.left, d.top + d.rank_high + d.gap + d.suit_high
        self.beside(rank, suit)

    def _fonts(self) -> list[str]:
        return sorted({name.split("/")[0] for name in self.bank if name.endswith("/B")})

    def joker(self, rank: int, suit: int) -> None:
        rng, d = self.rng, self.deck
        colour = [(20, 20, 20), d.red, (160, 60, 20)][int(rng.integers(3))]
        how = rng.random()
        high = rng.uniform(2.6, 5.0)
        y = d.top
        self.right = d.left + 4
        if how < 0.25:
            star = _star(rng, round(rng.uniform(4, 8) * ART))
            self._put(star, d.left, y, colour)
            y += star.shape[0] / ART + 1
        if how < 0.85:
            letters = self._letters(high, sideways=how > 0.6)
            for mask in letters:
                self._put(mask, max(d.left + 2 - mask.shape[1] / ART / 2, 0.6), y, colour)
                y += mask.shape[0] / ART + rng.uniform(0.2, 0.7)
        else:
            star = _star(rng, round(rng.uniform(4, 8) * ART))
            self._put(star, d.left, y, colour)
            self._put(
                _star(rng, round(rng.uniform(3, 6) * ART)),
                d.left,
                y + star.shape[0] / ART + 1,
                colour,
            )
            y += 14
        self.bottom = y
        if rng.random() < 0.7:
            self._court(self.right + rng.uniform(2, 8))

    def _letters(self, high: float, sideways: bool) -> list[np.ndarray]:
        rng = self.rng
        font = self.deck.font or str(rng.choice(self._fonts()))
        masks = []
        small = rng.random() < 0.4 and f"{font}/k" in self.bank
        for char in "Joker" if small else "JOKER":
            shape = self.bank[f"{font}/{char}"]
            share = {"J": 1.3, "k": 1.25}.get(char, 1.0) if small else 1.0
            if char == "J" and rng.random() < 0.3:
                share = 1.3
            tall = round(high * share * ART)
            wide = max(round(shape.shape[1] * tall / shape.shape[0]), 5)
            mask = cv2.resize(shape, (wide, tall))
            masks.append(mask)
        if sideways:
            turn = cv2.ROTATE_90_CLOCKWISE if rng.random() < 0.5 else cv2.ROTATE_90_COUNTERCLOCKWISE
            masks = [cv2.rotate(mask, turn) for mask in masks]
            masks = masks if turn == cv2.ROTATE_90_CLOCKWISE else masks[::-1]
        return masks

    def back(self, rank: int, suit: int) -> None:
        """A card's back: a rim and a repeated pattern."""
        rng = self.rng
        rim = rng.uniform(0, 6)
        n = int(rng.integers(4, 12))
        tile = np.zeros((n, n), np.uint8)
        pattern = rng.random()
        if pattern < 0.4:
            tile = rng.integers(0, 2, (n, n)).astype(np.uint8) * 255
        elif pattern < 0.7:
            cv2.circle(tile, (n // 2, n // 2), n // 3, 255, -1)
        else:
            cv2.line(tile, (0, 0), (n, n), 255, 1)
            cv2.line(tile, (n, 0), (0, n), 255, 1)
        cell = rng.uniform(1.5, 9) * ART
        big = cv2.resize(
            np.tile(tile, (10, 8)),
            (round(8 * cell), round(10 * cell)),
            interpolation=cv2.INTER_LINEAR,
        )
        if rng.random() < 0.5:
            big = 255 - big
        self._put(big, rim, rim, rng.uniform(0, 190, 3))
        self.right = self.bottom = 0

    def other(self, rank: int, suit: int) -> None:
        """No card at all: cloth, skin, lines."""
        rng = self.rng
        self.image[:] = rng.uniform(20, 230, 3)
        self._texture(rng.uniform(2, 20))
        for _ in range(int(rng.integers(1, 7))):
            points = rng.uniform([0, 0], [WIDE * ART, HIGH * ART], (int(rng.integers(3, 6)), 2))
            layer = np.zeros(self.image.shape[:2], np.uint8)
            cv2.fillPoly(layer, [points.astype(np.int32)], 255, cv2.LINE_AA)
            self._blend(layer, rng.uniform(0, 255, 3))
        self.right = self.bottom = 0

    # What covers ------------------------------------------------------------------------------

    def covered(self, glyphs: list[np.ndarray]) -> float:
        """Something over part of the index; how much of the glyph worse off is hidden, 0..1."""
        if self.rng.random() < 0.45:
            return self.finger(glyphs, far=False)
        return self._sheet(glyphs)

    def finger(self, glyphs: list[np.ndarray], far: bool) -> float:
        rng = self.rng
        layer = np.zeros(self.image.shape[:2], np.uint8)
        thick = round(rng.uniform(9, 18) * ART)
        aim = self._aim(glyphs, rng.uniform(0.3, 1.1)) if glyphs else None
        if aim is None or far:
            aim = np.array([rng.uniform(15, 26), rng.uniform(25, 44)]) * ART
        angle = rng.uniform(0, 2 * np.pi)
        way = np.array([np.cos(angle), np.sin(angle)])
        start = aim + way * thick / 2 * rng.uniform(0.75, 1.1)
        end = start + way * 60 * ART
        cv2.line(layer, _ints(start), _ints(end), 255, thick, cv2.LINE_AA)
        layer = cv2.GaussianBlur(layer, (0, 0), rng.uniform(1, 5))
        skin = [(110, 140, 190), (80, 110, 160), (60, 80, 120), (40, 55, 90), (150, 180, 225)]
        if rng.random() < 0.12:
            skin = [(220, 200, 190), (60, 60, 60)]
        self._blend(layer, np.array(skin[int(rng.integers(len(skin)))]) * rng.uniform(0.8, 1.15))
        return _hidden(glyphs, layer)

    def _sheet(self, glyphs: list[np.ndarray]) -> float:
        """The straight edge of another card, cut card or box."""
        rng = self.rng
        layer = np.zeros(self.image.shape[:2], np.uint8)
        aim = self._aim(glyphs, rng.uniform(0.0, 1.0))
        angle = np.radians(
            rng.choice([0, 90, 180, 270], p=[0.35, 0.45, 0.1, 0.1]) + rng.normal(0, 5)
        )
        way = np.array([np.cos(angle), np.sin(angle)])
        side = np.array([-way[1], way[0]])
        far = 80 * ART
        points = np.array(
            [
                aim + side * far,
                aim - side * far,
                aim - side * far + way * far,
                aim + side * far + way * far,
            ]
        )
        cv2.fillPoly(layer, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)
        if rng.random() < 0.7:
            shade = cv2.GaussianBlur(layer, (0, 0), rng.uniform(2, 9))
            self._blend((shade * rng.uniform(0, 0.5)).astype(np.uint8), (10, 10, 10))
        colour = (
            self.paper * rng.uniform(0.9, 1.05) if rng.random() < 0.65 else rng.uniform(0, 230, 3)
        )
        self._blend(layer, colour)
        return _hidden(glyphs, layer)

    def _aim(self, glyphs: list[np.ndarray], along: float) -> np.ndarray:
        mask = glyphs[int(self.rng.integers(2))]
        ys, xs = np.nonzero(mask[::4, ::4])
        low, high = np.array([xs.min(), ys.min()]) * 4.0, np.array([xs.max(), ys.max()]) * 4.0
        return low + (high - low) * [along, self.rng.uniform(0, 1)]


def _hidden(glyphs: list[np.ndarray], layer: np.ndarray) -> float:
    shares = [float((g / 255.0 * (layer > 100)).sum() / max((g / 255.0).sum(), 1)) for g in glyphs]
    return max(shares, default=0.0)


def _ints(point: np.ndarray) -> tuple[int, int]:
    return int(np.clip(point[0], -5000, 5000)), int(np.clip(point[1], -5000, 5000))


def _star(rng: np.random.Generator, size: int) -> np.ndarray:
    n, inner = int(rng.integers(4, 9)), rng.uniform(0.3, 0.6)
    angles = np.arange(2 * n) * np.pi / n - np.pi / 2
    radii = np.where(np.arange(2 * n) % 2, inner, 1.0) * size / 2
    mask = np.zeros((size + 4, size + 4), np.uint8)
    points = np.stack([np.cos(angles) * radii, np.sin(angles) * radii], 1) + size / 2 + 2
    cv2.fillPoly(mask, [points.astype(np.int32)], 255, cv2.LINE_AA)
    return mask


def _odd_shape(rng: np.random.Generator, size: int) -> np.ndarray:
    """Something in the place of a suit that is none: star, disc, box, triangle, moon."""
    what = int(rng.integers(6))
    mask = np.zeros((size, size), np.uint8)
    if what == 0:
        return _star(rng, size)
    if what == 1:
        cv2.circle(mask, (size // 2, size // 2), size // 2, 255, -1, cv2.LINE_AA)
    elif what == 2:
        cv2.rectangle(mask, (size // 8, 0), (size - size // 8, size), 255, -1)
    elif what == 3:
        cv2.fillPoly(mask, [np.array([[size // 2, 0], [size, size], [0, size]])], 255, cv2.LINE_AA)
    elif what == 4:
        cv2.circle(mask, (size // 2, size // 2), size // 2, 255, -1, cv2.LINE_AA)
        cv2.circle(mask, (size * 4 // 5, size // 2), size // 2, 0, -1, cv2.LINE_AA)
    else:
        suit = shapes.suit_mask(str(rng.choice(list("SHC"))), rng)
        suit = cv2.flip(suit, 0)
        mask = cv2.resize(suit, (size, size))
    return shapes.cut(mask)
