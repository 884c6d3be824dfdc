"""Grids of modules, and which way round they are."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import zxingcpp

from drivers.camera.codes.mirror import (
    codewords,
    corrections,
    datamatrix_mirrored,
    format_bits,
    qr_mirrored,
)
from tests.support.symbols import modules

TEXTS = ("K", "KH07", "KH07B", "BKH071X", "SET-KH/071", "KH07B" * 3, "KH07B" * 5)
# ISO/IEC 16022, table 7, by the side in modules.
CHECK_WORDS = {10: 5, 12: 7, 14: 10, 16: 12, 18: 14, 20: 18, 22: 20, 24: 24, 26: 28}


def test_format_information_is_that_of_the_standards_example() -> None:
    # ISO/IEC 18004, 7.9: level M, mask 5.
    assert format_bits("M", 5) == 0b100000011001110


@pytest.mark.parametrize("text", TEXTS)
def test_a_qr_code_is_told_from_its_mirror_image(text: str) -> None:
    made = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode)
    (read,) = zxingcpp.read_barcodes(made.to_image(scale=4))
    grid = np.asarray(made.to_image(scale=1, add_quiet_zones=False)) < 128
    extra: Any = read.extra
    level, mask = extra["ECLevel"], extra["DataMask"]
    assert not qr_mirrored(grid, level, mask)
    assert qr_mirrored(grid.T, level, mask)


@pytest.mark.parametrize("text", TEXTS)
def test_a_data_matrix_has_no_error_read_out_the_right_way_and_many_the_other(text: str) -> None:
    grid = modules(text, "datamatrix") < 128
    check = CHECK_WORDS[grid.shape[0]]
    assert corrections(codewords(grid), check) == 0
    assert corrections(codewords(grid[::-1, ::-1].T), check) > 0
    assert not datamatrix_mirrored(grid)
    assert datamatrix_mirrored(grid[::-1, ::-1].T)


@pytest.mark.parametrize("seed", range(20))
def test_damage_that_can_be_corrected_does_not_mirror_a_data_matrix(seed: int) -> None:
    grid = (modules("KH07B", "datamatrix") < 128).copy()
    chance = random.Random(seed)
    for _ in range(2):
        grid[chance.randrange(1, 11), chance.randrange(1, 11)] ^= True
    assert corrections(codewords(grid), 7) <= 2
    assert not datamatrix_mirrored(grid)


def test_corrections_counts_wrong_codewords() -> None:
    grid = modules("KH07B" * 5, "datamatrix") < 128
    words = codewords(grid)
    for wrong in range(6):
        assert corrections(words, CHECK_WORDS[grid.shape[0]]) == wrong
        words[5 * wrong] ^= 0x5A


@pytest.mark.parametrize(
    ("level", "mask", "side"), [("", 1, 21), ("X", 1, 21), ("M", 8, 21), ("M", 1, 11)]
)
def test_a_grid_of_which_nothing_is_known_is_not_read(level: str, mask: int, side: int) -> None:
    assert qr_mirrored(np.zeros((side, side), dtype=bool), level, mask)


def test_a_data_matrix_of_several_regions_is_not_read() -> None:
    assert datamatrix_mirrored(np.zeros((32, 32), dtype=bool))


def test_an_oblong_data_matrix_has_no_mirror_image_of_its_own_size() -> None:
    grid = modules("KH07B" * 4, "datamatrix") < 128
    assert grid.shape == (12, 26)
    assert not datamatrix_mirrored(grid)
