"""What a dealer sees of a shoe's check: how many of how many, and only at the end which."""

from __future__ import annotations

from msgspec.structs import replace

from station import snapshot as m
from tests.ui import screens
from tests.ui.conftest import MakeDesk


def test_a_running_check_is_the_prompt_and_says_what_the_last_card_was(
    make_desk: MakeDesk,
) -> None:
    desk = make_desk(screens.SCREENS["check_running"]())
    words = desk.words()
    assert "카드 확인 중: 416장 중 137장" in words
    assert "앞에서 센 카드가 다시 읽혔습니다" in words
    assert "모자람" not in words


def test_what_a_check_found_is_named_at_its_end(make_desk: MakeDesk) -> None:
    desk = make_desk(screens.SCREENS["check_failed"]())
    words = desk.words()
    assert "카드가 맞지 않음" in words
    assert "모자람: 5♠ ×1, K♥ ×1" in words


def test_the_set_that_is_due_is_shown_while_a_shoe_is_wanted(make_desk: MakeDesk) -> None:
    shown = screens.SCREENS["check_failed"]()
    view = m.ShoeView(
        "A-7", "out", shown.shoe.text, due=["B"], due_text=m.Text("다음 세트: B (blue)", "Next: B")
    )
    desk = make_desk(replace(shown, shoe=view))
    assert "다음 세트: B (blue)" in desk.words()
