"""Whether a square symbol was seen in a mirror.

zxing-cpp reads mirrored symbols and does not say so; but it gives the modules as it sampled them. A
QR code's format information is fixed by its error correction level and mask, so it stands in the
grid or in the transposed grid. Of a Data Matrix the codewords are read out both ways, and that way
is right which its Reed-Solomon code needs fewer corrections for.

Sources: ISO/IEC 18004 7.9 (format information), ISO/IEC 16022 5.7 and annex F (error correction,
placement of the codewords).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Grid: TypeAlias = npt.NDArray[np.bool_]


def is_mirrored(symbol: Any) -> bool:
    """`symbol` is a QR code or Data Matrix of zxing-cpp. A symbol of which it cannot be told counts
    as mirrored: nothing is read from it.
    """
    picture = np.asarray(symbol.to_image(scale=1, add_quiet_zones=False))
    grid = picture[:, :, 0] < 128 if picture.ndim == 3 else picture < 128
    extra = symbol.extra or {}
    if "DataMask" in extra:
        return qr_mirrored(grid, str(extra.get("ECLevel", "")), int(extra["DataMask"]))
    return datamatrix_mirrored(grid)


# ---- QR ----

_LEVELS: Final = {"L": 1, "M": 0, "Q": 3, "H": 2}
# Column and row of the format bits around the upper left finder, highest bit first.
_FORMAT_AT: Final = (
    *((column, 8) for column in (0, 1, 2, 3, 4, 5, 7, 8)),
    *((8, row) for row in (7, 5, 4, 3, 2, 1, 0)),
)


def format_bits(level: str, mask: int) -> int:
    """The 15 bits of format information: five of data, ten of a BCH code, masked."""
    data = _LEVELS[level] << 3 | mask
    rest = data << 10
    for bit in range(14, 9, -1):
        if rest >> bit & 1:
            rest ^= 0x537 << (bit - 10)
    return (data << 10 | rest) ^ 0x5412


def qr_mirrored(grid: Grid, level: str, mask: int) -> bool:
    """Whether the format information stands in the transposed grid rather than in the grid."""
    if level not in _LEVELS or not 0 <= mask < 8 or min(grid.shape) < 21:
        return True
    wanted = format_bits(level, mask)
    bits = [bool(wanted >> (14 - i) & 1) for i in range(15)]
    upright = sum(grid[y, x] != bit for (x, y), bit in zip(_FORMAT_AT, bits, strict=True))
    turned = sum(grid[x, y] != bit for (x, y), bit in zip(_FORMAT_AT, bits, strict=True))
    return bool(upright >= turned)


# ---- Data Matrix ----

# Of square symbols of one region: side in modules, error correction codewords.
_CORRECTION: Final = {10: 5, 12: 7, 14: 10, 16: 12, 18: 14, 20: 18, 22: 20, 24: 24, 26: 28}


def datamatrix_mirrored(grid: Grid) -> bool:
    """Whether the codewords make more sense when the grid is mirrored at the diagonal that keeps
    its solid sides in place. Oblong symbols are not: zxing-cpp reads none in a mirror. Symbols of
    several regions count as mirrored: no card's code is so long.
    """
    rows, columns = grid.shape
    if rows != columns:
        return False
    if rows not in _CORRECTION:
        return True
    check = _CORRECTION[rows]
    mirrored = grid[::-1, ::-1].T
    return corrections(codewords(grid), check) >= corrections(codewords(mirrored), check)


def codewords(grid: Grid) -> list[int]:
    """The codewords of a square Data Matrix of one region, finder included in `grid`."""
    data = grid[1:-1, 1:-1]
    places = _placement(data.shape[0])
    words = []
    for word in places:
        value = 0
        for row, column in word:
            value = value << 1 | int(data[row, column])
        words.append(value)
    return words


@lru_cache(maxsize=16)
def _placement(side: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Where the eight bits of each codeword stand, highest first (ISO/IEC 16022 annex F)."""
    taken = np.zeros((side, side), dtype=bool)
    words: list[tuple[tuple[int, int], ...]] = []

    def place(cells: tuple[tuple[int, int], ...]) -> None:
        wrapped = tuple(_wrap(row, column, side) for row, column in cells)
        for row, column in wrapped:
            taken[row, column] = True
        words.append(wrapped)

    row, column = 4, 0
    while row < side or column < side:
        corner = _corner(row, column, side)
        if corner is not None:
            place(corner)
        while True:
            if row < side and column >= 0 and not taken[row, column]:
                place(_utah(row, column))
            row, column = row - 2, column + 2
            if row < 0 or column >= side:
                break
        row, column = row + 1, column + 3
        while True:
            if row >= 0 and column < side and not taken[row, column]:
                place(_utah(row, column))
            row, column = row + 2, column - 2
            if row >= side or column < 0:
                break
        row, column = row + 3, column + 1
    return tuple(words)


def _utah(row: int, column: int) -> tuple[tuple[int, int], ...]:
    offsets = ((-2, -2), (-2, -1), (-1, -2), (-1, -1), (-1, 0), (0, -2), (0, -1), (0, 0))
    return tuple((row + down, column + right) for down, right in offsets)


def _wrap(row: int, column: int, side: int) -> tuple[int, int]:
    if row < 0:
        row, column = row + side, column + 4 - (side + 4) % 8
    if column < 0:
        row, column = row + 4 - (side + 4) % 8, column + side
    return row, column


def _corner(row: int, column: int, side: int) -> tuple[tuple[int, int], ...] | None:
    """The codeword that is folded around the corners. Of the four kinds square symbols of one
    region have but two.
    """
    last = side - 1
    if (row, column) == (side, 0):
        return (
            (last, 0), (last, 1), (last, 2), (0, side - 2),
            (0, last), (1, last), (2, last), (3, last),
        )  # fmt: skip
    if (row, column) == (side - 2, 0) and side % 4:
        return (
            (side - 3, 0), (side - 2, 0), (last, 0), (0, side - 4),
            (0, side - 3), (0, side - 2), (0, last), (1, last),
        )  # fmt: skip
    return None


# ---- Reed-Solomon over GF(256), x^8 + x^5 + x^3 + x^2 + 1 ----


def _tables() -> tuple[list[int], list[int]]:
    powers, logs = [0] * 510, [0] * 256
    value = 1
    for exponent in range(255):
        powers[exponent] = powers[exponent + 255] = value
        logs[value] = exponent
        value <<= 1
        if value & 0x100:
            value ^= 0x12D
    return powers, logs


_POWERS, _LOGS = _tables()


def _times(one: int, other: int) -> int:
    return _POWERS[_LOGS[one] + _LOGS[other]] if one and other else 0


def _inverse(value: int) -> int:
    return _POWERS[255 - _LOGS[value]]


def corrections(words: list[int], check: int) -> int:
    """How many codewords must be wrong for these to be a codeword's of `check` check words
    (Berlekamp and Massey: the length of the shortest register that makes the syndromes). More than
    `check // 2` says that it cannot be told.
    """
    syndromes = []
    for exponent in range(1, check + 1):
        value = 0
        for word in words:
            value = _times(value, _POWERS[exponent]) ^ word
        syndromes.append(value)
    current, previous = [1], [1]
    length, gap, last = 0, 1, 1
    for index in range(check):
        differs = syndromes[index]
        for i in range(1, min(length, len(current) - 1) + 1):
            differs ^= _times(current[i], syndromes[index - i])
        if differs == 0:
            gap += 1
            continue
        scale = _times(differs, _inverse(last))
        longer = current + [0] * max(0, len(previous) + gap - len(current))
        for i, value in enumerate(previous):
            longer[i + gap] ^= _times(scale, value)
        if 2 * length <= index:
            length, previous, last, gap = index + 1 - length, current, differs, 1
        else:
            gap += 1
        current = longer
    return length
