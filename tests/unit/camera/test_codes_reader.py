"""What is read from a frame, and above all what is not."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from drivers.camera.codes.merge import contradictions, contradicts
from drivers.camera.codes.reader import CodeReader
from drivers.camera.cv import cv2
from drivers.camera.sight import CodeLook, Frame, Image, Symbology
from tests.support.symbols import Shot, card_region, shoot, shoot_cards, symbol_quad

CODES: tuple[Symbology, ...] = ("code128", "qr", "datamatrix")
PLAIN = Shot(module_mm=0.5)
# What is read must not hang on how busy the machine is.
AMPLE = 600_000


def frame_of(grey: Image, number: int = 0) -> Frame:
    return Frame(number, np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8))


def texts(looks: tuple[CodeLook, ...]) -> list[str]:
    return [look.text for look in looks]


@pytest.mark.parametrize("symbology", CODES)
@pytest.mark.parametrize("angle", [0, 7, 25, 90, 160, -40])
def test_each_code_is_read_however_the_card_lies(symbology: str, angle: float) -> None:
    shot = replace(PLAIN, angle=angle)
    reader = CodeReader(budget_ms=AMPLE)
    (look,) = reader.look(shoot("KH07B", symbology, shot), card_region(shot))
    assert (look.text, look.raw, look.symbology) == ("KH07B", b"KH07B", symbology)
    wanted = symbol_quad("KH07B", symbology, shot).mean(axis=0)
    assert np.hypot(*(np.array(look.at) - wanted)) < 6
    assert look.module_px == pytest.approx(4.0, rel=0.15)


@pytest.mark.parametrize("symbology", ["code128", "qr"])
def test_both_decoders_read_an_easy_code_and_say_so(symbology: str) -> None:
    (look,) = CodeReader(budget_ms=AMPLE).look(shoot("KH07B", symbology, PLAIN), card_region(PLAIN))
    assert look.decoders == {"pyzbar", "zxing"}


def test_a_data_matrix_has_one_decoder_only() -> None:
    (look,) = CodeReader(budget_ms=AMPLE).look(
        shoot("KH07B", "datamatrix", PLAIN), card_region(PLAIN)
    )
    assert look.decoders == {"zxing"}


def test_without_a_region_the_whole_frame_is_read() -> None:
    assert texts(CodeReader(budget_ms=AMPLE).look(shoot("KH07B", "code128", PLAIN))) == ["KH07B"]


@pytest.mark.parametrize("symbology", ["itf", "code39"])
@pytest.mark.parametrize("decoder", ["pyzbar", "zxing", "both"])
def test_what_cards_do_not_carry_is_never_read(symbology: str, decoder: str) -> None:
    content = "10602679" if symbology == "itf" else "KH07B"
    allowed: tuple[Symbology, ...] = ("code128", "qr")
    reader = CodeReader(decoder, allowed, budget_ms=AMPLE)  # type: ignore[arg-type]
    for angle in (0, 8, 15, 30):
        shot = replace(PLAIN, angle=angle)
        assert reader.look(shoot(content, symbology, shot), card_region(shot)) == ()


@pytest.mark.parametrize("printed", CODES)
def test_a_symbology_that_is_not_allowed_is_not_read(printed: str) -> None:
    allowed = tuple(name for name in CODES if name != printed)
    assert (
        CodeReader(symbologies=allowed, budget_ms=AMPLE).look(shoot("KH07B", printed, PLAIN)) == ()
    )


@pytest.mark.parametrize("decoder", ["pyzbar", "zxing", "both"])
@pytest.mark.parametrize(
    "content",
    [
        "스페이드".encode("cp949"),
        b"\xc4",
        b"AS-01\xff",
        b"\x00AS-01",
        b"AS-01\n",
    ],
)
def test_bytes_that_are_no_plain_text_stay_bytes(decoder: str, content: bytes) -> None:
    reader = CodeReader(decoder, ("qr",), budget_ms=AMPLE)  # type: ignore[arg-type]
    (look,) = reader.look(shoot(content, "qr", PLAIN), card_region(PLAIN))
    assert (look.text, look.raw) == ("", content)


@pytest.mark.parametrize("decoder", ["pyzbar", "zxing", "both"])
def test_a_qr_code_that_changes_the_character_set_is_no_plain_text(decoder: str) -> None:
    # Bytes with a mark for UTF-8 in front of them (ECI 26).
    reader = CodeReader(decoder, ("qr",), budget_ms=AMPLE)  # type: ignore[arg-type]
    looks = reader.look(shoot("카드", "qr", PLAIN), card_region(PLAIN))
    assert texts(looks) == [""] * len(looks)


@pytest.mark.parametrize(
    ("symbology", "decoder"),
    [
        ("qr", "pyzbar"),
        ("qr", "zxing"),
        ("qr", "both"),
        ("datamatrix", "zxing"),
        ("datamatrix", "both"),
    ],
)
@pytest.mark.parametrize("angle", [0, 20, 90, 200])
def test_a_mirrored_symbol_is_refused(symbology: str, decoder: str, angle: float) -> None:
    shot = replace(PLAIN, angle=angle)
    image = shoot("KH07B", symbology, shot).image[:, ::-1]
    allowed: tuple[Symbology, ...] = ("qr",) if symbology == "qr" else ("datamatrix",)
    reader = CodeReader(decoder, allowed, budget_ms=AMPLE)  # type: ignore[arg-type]
    assert reader.look(Frame(0, np.ascontiguousarray(image))) == ()
    assert texts(reader.look(Frame(1, np.ascontiguousarray(image[:, ::-1])))) == ["KH07B"]


def test_white_on_black_is_refused() -> None:
    image = 255 - shoot("KH07B", "qr", PLAIN).image
    assert CodeReader(budget_ms=AMPLE).look(Frame(0, image)) == ()


def test_the_same_symbol_at_two_corners_is_one_look() -> None:
    upper = replace(PLAIN, px_per_mm=5.0, at=(0.5, 0.25))
    # The same card's other end: the card is drawn again half a turn on, over itself.
    lower = replace(upper, angle=180.0, at=(0.5, 0.8))
    image = shoot("KH07B", "code128", upper).image.copy()
    image[240:] = shoot("KH07B", "code128", lower).image[240:]
    (look,) = CodeReader(budget_ms=AMPLE).look(Frame(0, image))
    assert look.text == "KH07B"
    assert look.decoders == {"pyzbar", "zxing"}


def test_two_different_codes_are_two_looks_and_no_contradiction_of_one_symbol() -> None:
    upper = replace(PLAIN, px_per_mm=4.0, at=(0.5, 0.2))
    lower = replace(upper, at=(0.5, 0.75))
    frame = shoot_cards([("KH07B", "code128", upper), ("7S58P", "code128", lower)])
    looks = CodeReader(budget_ms=AMPLE).look(frame)
    assert sorted(texts(looks)) == ["7S58P", "KH07B"]
    assert not contradicts(looks)


def test_a_code_of_another_card_in_the_box_is_not_this_cards() -> None:
    mine = replace(PLAIN, px_per_mm=4.0, at=(0.3, 0.2), angle=30)
    other = replace(mine, at=(0.75, 0.2))
    frame = shoot_cards([("KH07B", "code128", other), ("7S58P", "code128", mine)])
    region = replace(card_region(mine), box=(0, 0, 640, 480))
    assert texts(CodeReader(budget_ms=AMPLE).look(frame, region)) == ["7S58P"]
    assert sorted(texts(CodeReader(budget_ms=AMPLE).look(frame))) == ["7S58P", "KH07B"]


def test_different_texts_at_one_place_are_two_looks_that_contradict() -> None:
    quad = np.array([[100, 100], [300, 100], [300, 140], [100, 140]], dtype=np.float32)
    one = CodeLook("3S38V", b"3S38V", "code128", frozenset(["zxing"]), (200.0, 120.0), quad)
    other = replace(one, text="7S38V", raw=b"7S38V", decoders=frozenset(["pyzbar"]))
    apart = replace(other, at=(480.0, 400.0), quad=quad + np.float32(280))
    assert contradictions([one, other]) == [(one, other)]
    assert not contradicts([one, apart])
    assert not contradicts([one, replace(one, decoders=frozenset(["pyzbar"]))])


@pytest.mark.parametrize("seed", range(6))
def test_no_text_is_made_of_a_picture_without_a_code(seed: int) -> None:
    random = np.random.default_rng(seed)
    pictures = [
        np.zeros((480, 640), dtype=np.uint8),
        np.full((480, 640), 255, dtype=np.uint8),
        random.integers(0, 256, (480, 640), dtype=np.uint8),
        np.tile(np.repeat(random.integers(0, 2, 160) * 255, 4).astype(np.uint8), (480, 1)),
    ]
    reader = CodeReader(budget_ms=AMPLE)
    for number, grey in enumerate(pictures):
        assert reader.look(frame_of(grey, number)) == ()


@pytest.mark.parametrize("shape", [(1, 1), (3, 200), (200, 3), (9, 9)])
def test_pictures_of_any_size_are_taken(shape: tuple[int, int]) -> None:
    assert CodeReader(budget_ms=AMPLE).look(frame_of(np.full(shape, 128, dtype=np.uint8))) == ()


# Noise and blur that take more than one step.
HARD = Shot(module_mm=0.25, noise=30, light=0.6, defocus_px=0.8, seed=2)


def done(reader: CodeReader) -> set[str]:
    return {step for step, times in reader.steps.items() if times}


def test_noise_that_defeats_both_is_averaged_away_along_the_bars() -> None:
    shot = Shot(module_mm=0.25, noise=25, light=0.6, seed=2)
    frame, region = shoot("KH07B", "code128", shot), card_region(shot)
    assert CodeReader(enhance=False, budget_ms=AMPLE).look(frame, region) == ()
    reader = CodeReader(budget_ms=AMPLE)
    (look,) = reader.look(frame, region)
    assert (look.text, len(look.decoders)) == ("KH07B", 2)
    assert done(reader) == {"zxing along", "pyzbar along"}


def test_blur_is_taken_back_across_the_bars() -> None:
    frame, region = shoot("KH07B", "code128", HARD), card_region(HARD)
    assert CodeReader(enhance=False, budget_ms=AMPLE).look(frame, region) == ()
    reader = CodeReader(budget_ms=AMPLE)
    assert texts(reader.look(frame, region)) == ["KH07B"]
    assert done(reader) == {"zxing sharper"}


def test_when_the_time_is_up_nothing_more_is_tried() -> None:
    ticks = itertools.count()
    reader = CodeReader(budget_ms=0.5, clock=lambda: float(next(ticks)))
    assert reader.look(shoot("KH07B", "code128", HARD), card_region(HARD)) == ()
    assert done(reader) == {"late"}


def test_however_late_it_is_the_best_spot_is_looked_at_once() -> None:
    ticks = itertools.count()
    reader = CodeReader(budget_ms=0.5, clock=lambda: float(next(ticks)))
    looks = reader.look(shoot("KH07B", "code128", PLAIN), card_region(PLAIN))
    assert texts(looks) == ["KH07B"]


def test_one_frames_cards_share_its_time() -> None:
    frame, region = shoot("KH07B", "code128", HARD), card_region(HARD)
    now = 0.0

    def clock() -> float:
        return now

    reader = CodeReader(budget_ms=10, clock=clock)
    assert texts(reader.look(frame, region)) == ["KH07B"]
    reader._spent = 1.0
    assert reader.look(frame, region) == ()
    # The next frame has its own.
    assert texts(reader.look(replace(frame, number=1), region)) == ["KH07B"]


@pytest.mark.parametrize(
    ("decoder", "symbologies", "message"),
    [
        ("dmtx", ("code128",), "decoder 'dmtx'"),
        ("both", (), "one or more of"),
        ("both", ("itf",), "one or more of"),
        ("pyzbar", ("datamatrix",), "pyzbar reads no Data Matrix"),
    ],
)
def test_what_cannot_be_set_up_is_refused_by_name(
    decoder: str, symbologies: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        CodeReader(decoder, symbologies)  # type: ignore[arg-type]
