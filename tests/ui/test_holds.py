"""What the screen says while the table holds: one hold, everywhere the same."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from station import messages
from station import snapshot as m
from station.messages import Language
from tests.ui import fixtures, holds, parts
from tests.ui.conftest import MakeDesk
from ui.intents import command_for


def test_an_emergency_stop_outweighs_the_dealers_own_wait(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.emergency_in_a_wait())
    words = desk.words()
    assert "비상 정지되었습니다." in words
    assert "감독의 결정이 필요합니다" in words
    assert "준비되면 아래의" not in words
    assert desk.shown("key:signin")
    assert desk.find("key:resume").property("active")


def test_the_rulings_are_those_of_the_hold_in_the_banner(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.with_supervisor(holds.emergency_in_a_wait()))
    assert "비상 정지되었습니다." in desk.words()
    panel = desk.console.property("panel").property("v")
    assert [(i["command"], i["target"]) for i in panel["items"]] == [("rule:release", "8")]


def test_a_wait_alone_is_the_dealers_to_end(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.waiting())
    assert "준비되면 아래의" in desk.words()
    assert not desk.shown("key:signin")


@pytest.mark.parametrize(
    ("outcome", "said"), [("repeat", "다시 읽힘"), ("set_aside", "정지 중에 읽힘")]
)
def test_the_evidence_never_says_that_a_held_read_was_ignored(
    make_desk: MakeDesk, outcome: str, said: str
) -> None:
    ignored = m.Text("같은 카드 반복 · 무시함", "Same card again · ignored")
    read = m.LastReadView(50, outcome, "7C", None, "reader1", ignored)
    desk = make_desk(replace(holds.duplicate(), last_read=read))
    assert f"마지막 읽음: 7♣ · {said}" in desk.words()
    assert "무시" not in desk.words()


def test_a_reader_that_is_back_says_so_and_names_the_card_to_read(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.reader_lost())
    assert "리더 복구됨" not in desk.words()
    assert "8♣를 다시" not in desk.words()
    desk.show(holds.reader_back())
    words = desk.words()
    assert "리더 'reader1' 연결이 끊겼습니다." in words
    assert "리더 복구됨 · 감독이 확인하고 해제합니다. 마지막 카드 8♣를 다시" in words


def test_another_device_that_is_up_does_not_bring_the_reader_back(make_desk: MakeDesk) -> None:
    other = replace(parts.UP, name="reader2")
    devices = [parts.LOST, other]
    desk = make_desk(replace(holds.reader_lost(), devices=devices))
    assert "리더 복구됨" not in desk.words()


@pytest.mark.parametrize("build", [holds.void, lambda: holds.with_supervisor(holds.void())])
def test_a_void_round_says_that_all_bets_are_returned(make_desk: MakeDesk, build: object) -> None:
    assert callable(build)
    desk = make_desk(build())
    words = desk.words()
    assert "라운드 취소 · 모든 베팅 반환" in words
    assert "카드를 치우고 '정리 완료'를 누르세요" in words


def test_the_last_read_of_a_void_round_is_not_green(make_desk: MakeDesk) -> None:
    desk = make_desk(fixtures.drawing())
    assert desk.console.property("read").property("v")["kind"] == "ok"
    desk.show(holds.void())
    assert desk.console.property("read").property("v")["kind"] == "past"
    assert "읽음" not in desk.words().replace("방금 읽음", "")


def test_a_doubted_face_is_ruled_the_same_or_a_second_card_of_what_is_on_the_screen() -> None:
    snapshot = holds.with_supervisor(holds.doubted())
    for ruling in ("same", "second"):
        command = command_for(f"rule:{ruling}", "9", "", snapshot)
        assert command == messages.Rule(9, ruling, expected_version=snapshot.version)


def test_r60_an_unread_card_is_asked_for_in_large_and_no_next_card_is(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.show_again(), "en")
    words = desk.words()
    assert "Show the unread\ncard again" in words
    assert "Do not draw the next one." in words
    assert "It goes to: Seat 4" in words
    assert "Next\ncard" not in words
    assert desk.console.property("read").property("v")["kind"] == "past"
    desk.show(replace(fixtures.drawing(), version=116))
    assert "Show the unread" not in desk.words()


def test_a_second_hold_is_seen_beside_the_first(make_desk: MakeDesk) -> None:
    desk = make_desk(holds.held(), "en")
    assert not desk.shown("others")
    snapshot = holds.held(holds.exposed_hold(5), holds.reader_hold())
    desk.show(replace(snapshot, version=300))
    assert desk.shown("others")
    assert "Another hold: The reader 'reader1' is lost." in desk.words()


@pytest.mark.parametrize("language", ["ko", "en"])
def test_what_the_hands_do_is_the_largest_sentence_of_a_hold(
    make_desk: MakeDesk, language: Language
) -> None:
    desk = make_desk(holds.held(), language)
    sizes = {str(t.property("text")): t.property("font").pixelSize() for t in desk.texts()}
    hold = holds.exposed_hold()
    what, hands, who = (getattr(text, language) for text in (hold.what, hold.hands, hold.who))
    assert sizes[hands] > sizes[what] > sizes[who]
    # One line, as high as it is at 30 pixels at least: at one metre it is read.
    shown = next(t for t in desk.texts() if t.property("text") == hands)
    assert shown.property("lineCount") == 1
    assert shown.property("contentHeight") >= 30 * 1.2
    assert not any("(R" in text for text in sizes)
