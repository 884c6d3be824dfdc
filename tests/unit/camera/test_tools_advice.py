"""What is advised at which figures, and in which words."""

from __future__ import annotations

import string
from typing import Any

import msgspec
import pytest

from drivers.camera.advice import Advice, advise, exposure_wanted, longest_exposure, ready
from drivers.camera.advice_words import WORDS, figures, headed, in_words
from drivers.camera.measured import CodeFigures, IndexFigures, Measured
from drivers.catalog import spec_of
from drivers.kinds.camera import CameraSpec

CODE = CodeFigures(symbology="code128", module_px=2.6, blur_modules=0.8, texts=40)
INDEX = IndexFigures(corners=40, found=40, read=38, high_px=140.0, high_mm=16.0)
WELL = Measured(
    size=(1280, 720),
    seconds=10.0,
    fps=60.0,
    looked=600,
    light=80.0,
    paper=215.0,
    edge_px=2.0,
    motion_px=1.2,
    speed_mm_s=500.0,
    px_per_mm=9.3,
    lean=1.0,
    cards=10,
    views=9,
    card_pictures=200,
    travel="left",
    code=CODE,
    index=INDEX,
    window=(0, 0, 1280, 720),
)


def spec(**changes: Any) -> CameraSpec:
    entry: dict[str, Any] = {
        "kind": "camera",
        "name": "shoe",
        "role": "shoe",
        "port": "/dev/v4l/by-id/usb-cam-video-index0",
        "card": "{rank}{suit}{deck:2}{check}",
        "cut_card": "CUT{check}",
        "gain": 8,
        "white_balance": 4600,
        "focus": 30,
        "travel": "left",
        "px_per_mm": 9.3,
    }
    made = spec_of({**entry, **changes})
    assert isinstance(made, CameraSpec)
    return made


def measured(**changes: Any) -> Measured:
    return msgspec.structs.replace(WELL, **changes)


def code(**changes: Any) -> CodeFigures:
    return msgspec.structs.replace(CODE, **changes)


def index(**changes: Any) -> IndexFigures:
    return msgspec.structs.replace(INDEX, **changes)


def test_a_camera_that_stands_well_gets_no_advice() -> None:
    assert advise(spec(), WELL) == ()
    assert ready(())


CASES: list[tuple[str, bool, dict[str, Any], dict[str, Any]]] = [
    ("no_picture", True, {"looked": 0, "lost": "unplugged"}, {}),
    ("lost", True, {"lost": "unplugged"}, {}),
    ("refused", True, {"refused": "exposure_us 300: it has 157"}, {}),
    ("drifted", True, {"drifted": "exposure_us 300: it has 90 now"}, {}),
    ("automatic", True, {}, {"exposure_us": 0}),
    ("automatic", False, {}, {"gain": -1, "focus": -1}),
    ("slow", False, {"fps": 30.0}, {}),
    ("slow", True, {"fps": 15.0}, {}),
    ("torn", True, {"torn": 0.05}, {}),
    ("black", True, {"paper": None, "light": 3.0, "card_pictures": 0, "cards": 0}, {}),
    ("no_card", True, {"card_pictures": 0, "cards": 0}, {}),
    ("dark", True, {"paper": 70.0}, {}),
    ("dark_expose", True, {"paper": 100.0}, {"exposure_us": 100}),
    ("burnt", True, {"burnt": 0.9, "paper": 255.0}, {}),
    ("glare", False, {"glare": 0.006}, {}),
    ("glare", True, {"glare": 0.03}, {}),
    ("wander", True, {"wander": 0.2}, {}),
    ("focus", True, {"edge_px": 6.0}, {}),
    ("blur", True, {"motion_px": 6.0}, {}),
    ("exposure", False, {"motion_px": None}, {"exposure_us": 1000}),
    ("mirrored", True, {"mirrored": True}, {}),
    ("no_travel", True, {"travel": None}, {}),
    ("no_scale", False, {"px_per_mm": None}, {}),
    ("lean", False, {"lean": 14.0}, {}),
    ("few_views", True, {"views": 2}, {}),
    ("pushed_back", False, {"pushed_back": 2}, {}),
    ("too_slow", False, {"speed_mm_s": 90.0}, {}),
    ("no_corner", True, {"index": IndexFigures()}, {}),
    ("index_out", True, {"index": IndexFigures(out="left", out_mm=12.0)}, {}),
    ("no_index", True, {"index": index(found=0, read=0, high_px=None)}, {}),
    ("index_unsure", False, {"index": index(read=10)}, {}),
    ("index_small", True, {"index": index(high_px=30.0)}, {}),
    ("no_code", False, {"code": None}, {}),
    ("no_code", True, {"code": None}, {"read": ["barcode"]}),
    ("no_code", True, {"code": None}, {"alone": False}),
    ("code_unread", True, {"code": code(texts=0, module_px=0.0, blur_modules=None)}, {}),
    ("code_other_form", True, {"code": None, "strange": "AKH35"}, {}),
    ("code_strange", True, {"code": code(texts=0), "strange": "4006381333931"}, {}),
    ("code_bad_check", True, {"code": None, "strange": "KH03X"}, {}),
    ("module_small", True, {"code": code(module_px=1.4)}, {}),
    ("module_small", True, {"code": code(symbology="qr", module_px=2.0)}, {}),
    ("module_blur", True, {"code": code(blur_modules=2.0)}, {}),
    ("write_travel", False, {}, {"travel": "auto"}),
    ("write_travel", True, {}, {"travel": "right"}),
    ("write_scale", False, {}, {"px_per_mm": 0.0}),
    ("write_window", True, {"window": (0, 200, 1280, 500)}, {"window": [0, 0, 1280, 400]}),
]


@pytest.mark.parametrize(("wanted", "must", "figures", "settings"), CASES)
def test_each_figure_that_is_off_brings_its_advice(
    wanted: str, must: bool, figures: dict[str, Any], settings: dict[str, Any]
) -> None:
    advice = advise(spec(**settings), measured(**figures))
    found = [one for one in advice if one.code == wanted]
    assert [one.must for one in found] == [must], advice
    for one in advice:
        for lang in ("ko", "en"):
            filled = in_words(one, lang)
            for value in one.with_.values():
                filled = filled.replace(str(value), "")
            assert "{" not in filled
            assert in_words(one, lang) in headed(one, lang)


def test_every_advice_has_a_case_and_both_languages_the_same_figures() -> None:
    assert {case[0] for case in CASES} == set(WORDS)
    for code_, (english, korean) in WORDS.items():
        assert fields(english) == fields(korean), code_
        assert any("가" <= letter <= "힣" for letter in korean), code_


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_what_must_be_changed_comes_before_what_would_be_better() -> None:
    advice = advise(spec(travel="auto", gain=-1), measured(edge_px=9.0, lean=20.0))
    musts = [one.must for one in advice]
    assert musts == sorted(musts, reverse=True)
    assert not ready(advice)


def test_the_exposure_to_write_is_short_enough_for_a_quick_hand() -> None:
    # 0.3 mm at 0.7 m/s are 428 us; a code read along the slide with 0.2 mm modules asks for 285.
    assert longest_exposure(spec(), WELL) == 400
    along = measured(px_per_mm=13.0, code=code(along=True))
    assert longest_exposure(spec(), along) == 200
    assert exposure_wanted(spec(exposure_us=2000), measured(motion_px=None)) == 400
    assert exposure_wanted(spec(exposure_us=300), measured(burnt=1.0)) == 200
    # 4 px at 500 mm/s and 9.3 px a mm are 0.6 mm at a quick hand: half of 300 us.
    assert exposure_wanted(spec(exposure_us=300), measured(motion_px=4.0)) == 100


def test_what_a_slow_hand_smears_is_no_proof() -> None:
    slow = advise(spec(), measured(motion_px=9.0, speed_mm_s=100.0))
    assert [one.code for one in slow] == ["too_slow"]


def test_a_mirrored_picture_hides_what_follows_from_it() -> None:
    off = measured(mirrored=True, travel="right", index=index(found=0, read=0, high_px=None))
    assert [one.code for one in advise(spec(), off)] == ["mirrored"]


def test_settings_of_a_camera_are_not_asked_of_pictures_from_files() -> None:
    film = spec(port="file:/film.mp4", exposure_us=0, gain=-1, white_balance=-1, focus=-1)
    assert advise(film, measured(fps=10.0)) == ()


def test_the_side_to_move_to_is_a_word() -> None:
    advice = Advice("index_out", True, {"mm": 12.4, "side": "left"})
    assert in_words(advice, "en") == (
        "the index is cut off: move the camera 12 mm to the left, as the picture shows it"
    )
    assert "왼쪽으로 12 mm" in in_words(advice, "ko")


def test_the_figures_stand_on_one_line() -> None:
    line = figures(WELL, "en")
    assert "\n" not in line
    for part in ("60 fps", "9.3 px/mm", "code128 2.6 px", "index 16.0 mm 38/40", "travel left"):
        assert part in line
    assert figures(Measured(size=(0, 0)), "ko") == "0 장/초  카드 0"
