"""zbar's warnings do not reach standard error, and nothing else is lost by that."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from drivers.camera.codes import zbar as zbar_module
from drivers.camera.codes.plain import plain
from drivers.camera.codes.quiet import KEEP_BYTES, Quiet
from drivers.camera.codes.zbar import ZbarReader
from drivers.camera.cv import cv2
from drivers.camera.sight import Image

WARNING = (
    b'WARNING: decoder/databar.c:1265: _zbar_decode_databar: Assertion "seg->finder >= 0" failed.\n'
    b"\ti=24 f=-1(000) part=0\n"
)


def stripes(seed: int) -> Image:
    """Bars of random widths with noise: what a decoder chews on longest."""
    random = np.random.default_rng(seed)
    widths = random.integers(1, 9, 400)
    row = np.repeat(np.arange(400) % 2 * 200 + 25, widths)[:640]
    noise = random.normal(0, 30 * random.random(), (120, len(row)))
    return np.clip(row + noise, 0, 255).astype(np.uint8)


def noisy_picture() -> Image:
    """A noisy Code 128 on which zbar, all symbologies on, fails an assertion."""
    path = Path("tests/data/camera/misreads/zbar_warns.png")
    columns = np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
    return np.tile(columns, (1, 10))


def test_a_plain_decoder_does_warn_on_this_picture(capfd: pytest.CaptureFixture[str]) -> None:
    plain(noisy_picture())
    assert "Assertion" in capfd.readouterr().err


def test_the_reader_warns_of_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    reader = ZbarReader(("code128", "qr"))
    reader.read(noisy_picture())
    for seed in range(200):
        reader.read(stripes(seed))
    reader.close()
    assert capfd.readouterr().err == ""


def test_a_warning_that_zbar_prints_all_the_same_is_kept_away_and_counted(
    capfd: pytest.CaptureFixture[str],
) -> None:
    reader = ZbarReader(("code128", "qr"))
    # All symbologies on, which the reader itself never does.
    zbar_module._api.zbar_image_scanner_set_config(reader._scanner, 0, 0, 1)
    reader.read(noisy_picture())
    assert reader.warnings >= 1
    reader.close()
    assert capfd.readouterr().err == ""


def test_what_others_write_in_the_meantime_is_passed_on(
    capfd: pytest.CaptureFixture[str],
) -> None:
    quiet = Quiet()
    with quiet():
        os.write(2, b"disk full\n" + WARNING + b"second line\n")
        os.write(2, WARNING)
    with quiet():
        os.write(2, b"third line\n")
    assert capfd.readouterr().err == "disk full\nsecond line\nthird line\n"
    assert quiet.dropped == 2
    quiet.close()


def test_an_exception_leaves_standard_error_as_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    quiet = Quiet()
    with pytest.raises(RuntimeError), quiet():
        raise RuntimeError
    os.write(2, b"still here\n")
    assert capfd.readouterr().err == "still here\n"
    quiet.close()


def test_no_descriptor_is_left_behind_and_a_flood_is_bounded(
    capfd: pytest.CaptureFixture[str],
) -> None:
    quiet = Quiet()
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - descriptors, not a folder's files
    for _ in range(50):
        with quiet():
            os.write(2, b"x" * (2 * KEEP_BYTES))
        assert len(capfd.readouterr().err) == KEEP_BYTES
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    quiet.close()
