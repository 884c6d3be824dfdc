"""The console's own texts: complete in both languages, and money as people write it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ui.words
from ui.viewmodel import Countdown
from ui.words import Words, face_sign, load, money

UI = Path(ui.words.__file__).parent


def test_both_languages_have_the_same_texts_and_none_is_empty() -> None:
    korean, english = load("ko"), load("en")
    assert korean.keys() == english.keys()
    assert all(text.strip() for text in [*korean.values(), *english.values()])


def test_both_languages_take_the_same_parameters() -> None:
    korean, english = load("ko"), load("en")
    for key, text in korean.items():
        assert sorted(re.findall(r"\{(\w+)\}", text)) == sorted(
            re.findall(r"\{(\w+)\}", english[key])
        ), key


def test_every_text_the_screen_asks_for_exists() -> None:
    known = load("en")
    for path in (UI / "qml").glob("*.qml"):
        for key in re.findall(r"\b(?:t|tr_\.v)\.([a-z_]+)\b", path.read_text()):
            assert key in known, f"{path.name}: {key}"


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        Words("ko")("no_such_text")


@pytest.mark.parametrize(
    ("amount", "digits", "shown"),
    [
        (0, 0, "0"),
        (1000000, 0, "1,000,000"),
        (1234567, 2, "12,345.67"),
        (5, 2, "0.05"),
        (-3000, 0, "−3,000"),
        (-150, 2, "−1.50"),
    ],
)
def test_money_has_thousands_and_minor_digits(amount: int, digits: int, shown: str) -> None:
    assert money(amount, digits) == shown


def test_a_face_is_written_as_people_do() -> None:
    assert [face_sign(face) for face in ("TH", "AS", "")] == ["10♥", "A♠", ""]


def test_a_countdown_counts_whole_seconds_up() -> None:
    countdown = Countdown()
    assert countdown.shown(0)["text"] == ""
    countdown.start(9001, 15000, 0)
    assert countdown.shown(0) == {"text": "0:10", "part": 0.6, "last": False}
    assert countdown.shown(4_001_000_000)["last"] is True
    assert countdown.shown(60_000_000_000) == {"text": "0:00", "part": 0.0, "last": True}
