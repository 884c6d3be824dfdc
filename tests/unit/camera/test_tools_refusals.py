"""Whatever the camera's tools refuse, they name it and say what to do, in Korean and English; no
library's words come through, and nothing is left half done.
"""

from __future__ import annotations

import errno
import importlib.util
import os
import string
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.camera import asked
from drivers.camera.advice import advise
from drivers.camera.advice_words import figures, in_words
from drivers.camera.cv import cv2
from drivers.camera.enrol_words import summary
from drivers.camera.enrolling import Outcome, check_order
from drivers.camera.index.deck import DeckError, load_deck
from drivers.camera.measuring import Measurer
from drivers.camera.refusal_words import WORDS, in_lang, korean, of_file, refusal
from drivers.camera.sight import Frame
from drivers.camera.sources.opening import open_source
from drivers.camera.sources.v4l2 import _not_opened
from drivers.camera.tools_enroll import NEW_DECK, enroll
from drivers.camera.tools_setup import fragment, setup
from drivers.camera.truth import NoTruth, load
from drivers.kinds.camera import EXIT_MISCONFIGURED
from tests.unit.camera.test_tools_setup import BOOTH, entry, spec

FOREIGN = ("pickle", "Errno", "moov", "Error(", "$.", "Traceback", "errno")


def plain(text: str) -> None:
    """One line, and none of a library's words."""
    assert "\n" not in text
    assert not [word for word in FOREIGN if word in text], text


@pytest.mark.parametrize("code", WORDS)
def test_each_refusal_has_its_korean_with_the_same_figures(code: str) -> None:
    english, other = WORDS[code]
    names = [
        {name for _, name, _, _ in string.Formatter().parse(one) if name} for one in WORDS[code]
    ]
    assert names[0] == names[1]
    given = {name: f"/{name}/a b" for name in names[0]}
    said = korean(refusal(code, **given))
    assert said == other.format(**given)
    assert said != english
    assert any("가" <= letter <= "힣" for letter in said)
    assert in_lang(refusal(code, **given), "en") == refusal(code, **given)


def test_a_missing_library_is_told_in_korean_as_it_is_found_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a module of its own, which is loaded as on a machine without the library."""
    loaded = importlib.util.find_spec("drivers.camera.codes.zbar")
    assert loaded is not None
    assert loaded.loader is not None
    module = importlib.util.module_from_spec(loaded)
    monkeypatch.setitem(sys.modules, "pyzbar.wrapper", None)
    loaded.loader.exec_module(module)
    assert module.MISSING.endswith("install the system package libzbar0")
    assert korean(module.MISSING).endswith("libzbar0를 설치하십시오")


@pytest.mark.parametrize("number", sorted(errno.errorcode))
def test_a_file_that_cannot_be_had_is_named_with_what_to_do(number: int) -> None:
    said = of_file("/the/file", OSError(number, os.strerror(number), "/the/file"))
    plain(said)
    assert said.startswith("/the/file: ")
    assert ";" in said
    assert of_file("/the/file", OSError("strange")) == "/the/file: it cannot be had; name another"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Files that are not what their names say."""
    for name in ("text.jpg", "text.mp4", "text.npz", "text.json", "text"):
        (tmp_path / name).write_text("only text\n")
    (tmp_path / "list.json").write_text("[1, 2]")
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    for name in ("a.png", "b.jpg"):
        (tmp_path / "bad" / name).write_text("only text\n")
    return tmp_path


@pytest.mark.parametrize(
    ("port", "said"),
    [
        ("file:{}/none", "{}/none: nothing is there; write the whole path"),
        ("file:{}/none.png", "{}/none.png: nothing is there; write the whole path"),
        ("file:{}/text.jpg", "{}/text.jpg: this is no whole picture; name a picture, a film or"),
        ("file:{}/text.mp4", "{}/text.mp4: no film that can be read; record it again"),
        ("file:{}/empty", "{}/empty: no pictures in there; put some in (.bmp, .jpeg, .jpg, .png)"),
        ("file:{}/bad", "{}/bad: no picture in it is whole (2 looked at); take them again"),
        ("virtual:{}/none.sock", "{}/none.sock: no simulator answers; start one there"),
        ("virtual:{}/text", "{}/text: no simulator answers; start one there"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_port_without_pictures_is_refused_by_name_and_no_cable_is_blamed(
    port: str, said: str, lang: Any, place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    spec = entry(port.replace("{}", str(place)))
    with pytest.raises(ValueError, match=r"; ") as wrong:
        setup(asked.Setup(spec=spec, lang=lang))
    text = str(wrong.value)
    plain(text)
    assert text.startswith(said.replace("{}", str(place)))
    assert any("가" <= letter <= "힣" for letter in korean(text))
    heard = capfd.readouterr()
    plain(heard.err)
    assert "cable" not in heard.out


def test_one_picture_is_not_told_as_several(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((240, 320, 3), 90, np.uint8))
    what = open_source(spec(f"file:{tmp_path}/a.png")).what
    assert what == f"one picture from {tmp_path}/a.png"
    assert korean(what) == f"{tmp_path}/a.png의 영상 1장"


def test_a_device_that_is_no_camera_is_named_once() -> None:
    refused = _not_opened("/dev/null", "/dev/null")
    assert str(refused).startswith("/dev/null: this is no camera; `dealer-station devices`")
    assert refused.status == EXIT_MISCONFIGURED


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.npz", "none.npz: nothing is there; write the whole path"),
        ("empty", "empty: this is a folder; name a file"),
        ("text.npz", "text.npz: this is no deck's file, or it was cut short; teach it again"),
        ("text.jpg", "text.jpg: this is no deck's file, or it was cut short; teach it again"),
    ],
)
def test_what_is_no_deck_is_said_to_be_none_in_our_own_words(
    name: str, said: str, place: Path
) -> None:
    with pytest.raises(DeckError) as wrong:
        load_deck(place / name)
    plain(str(wrong.value))
    assert str(wrong.value).startswith(f"{place}/{said}")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "none.json",
            "nothing is there; write the whole path of a file or folder; or read without",
        ),
        ("text.jpg", "it does not say what stands in the pictures, as a truth.json"),
        ("list.json", "it does not say what stands in the pictures, as a truth.json"),
    ],
)
def test_what_is_no_truth_is_said_to_be_none_in_our_own_words(
    name: str, said: str, place: Path
) -> None:
    with pytest.raises(NoTruth) as wrong:
        load(place / name, lambda text: text)
    plain(str(wrong.value))
    assert str(wrong.value).startswith(f"{place / name}: {said}")
    assert str(wrong.value).endswith("read without it: --truth -")


@pytest.mark.parametrize("asked_of", ["paths", "check_paths"])
def test_pictures_that_are_not_there_are_refused_before_anybody_is_told_to_slide_cards(
    asked_of: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = {"paths": (str(place / "bad"),), asked_of: (str(place / "none"),)}
    request = asked.Enroll(name="x", file=str(place / "d.npz"), **paths)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="none: nothing is there"):
        enroll(request)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (("XX", *NEW_DECK), "no card: XX; write them like AS"),
        (("AS", *NEW_DECK), "in the order twice: AS"),
        (NEW_DECK[1:], "not in the order: AS"),
    ],
)
def test_an_order_that_is_none_is_refused_in_both_languages(
    order: tuple[str, ...], said: str
) -> None:
    with pytest.raises(ValueError, match=said) as wrong:
        check_order(order)
    assert korean(str(wrong.value)) != str(wrong.value)


def test_why_a_deck_is_not_safe_is_said_in_short_and_in_the_language() -> None:
    outcome = Outcome(False, refusal("first_pass", faces=" ".join(NEW_DECK[:30])))
    assert summary(outcome, "d.npz", "en") == [
        "NOT SAFE, nothing is written: the first pass is not complete: A♠…K♠, A♥…K♥, A♦…4♦"
    ]
    (said,) = summary(outcome, "d.npz", "ko")
    assert said.endswith("첫 번째 순서가 끝나지 않았습니다. 남은 카드: A♠…K♠, A♥…K♥, A♦…4♦")


def test_the_settings_to_paste_say_in_the_language_where_they_go() -> None:
    assert fragment("shoe", {"travel": "up"}, "ko", "window 없음").splitlines() == [
        "# 카메라 'shoe': 해당 [[devices]] 항목에 붙여 넣으십시오",
        'travel = "up"',
        "# window 없음",
    ]


def test_a_code_that_is_read_and_is_none_of_the_tables_is_told_with_the_form_that_fits() -> None:
    """Sending the technician to the lens would be of no use: it was read."""
    foreign = spec(card="{set}{rank}{suit}{deck}{check}", cut_card="{set}CUT{check}")
    measurer = Measurer(foreign, None)
    for number, picture in enumerate(next(BOOTH.slides(("AS",), 1))):
        measurer.picture(Frame(number, picture, round(number / BOOTH.fps * 1e9)))
    m = measurer.measured(fps=60.0)
    assert m.strange.startswith("AS")
    codes = {one.code: one for one in advise(foreign, m)}
    assert not {"code_unread", "no_code"} & set(codes)
    words = in_words(codes["code_other_form"], "en")
    assert f'"{m.strange}"' in words
    assert 'write card = "{rank}{suit}{deck:2}{check}" and cut_card = "CUT{check}"' in words
    assert f"code {m.strange}, not as card" in figures(m, "en")
    assert f"코드 {m.strange}, card 형식이 아님" in figures(m, "ko")


@pytest.mark.parametrize(
    ("exposure", "near"), [(1, "write 100 (0"), (350, "write 300 or 400 (0"), (99_999, "99900 or")]
)
def test_an_exposure_between_a_cameras_steps_is_refused(exposure: int, near: str) -> None:
    with pytest.raises(ValueError, match="cameras take steps of 100") as wrong:
        spec(exposure_us=exposure)
    assert near in str(wrong.value)
