"""What the screen says while a card that was drawn has not been read, held for it or not."""

from __future__ import annotations

import pytest

from station import snapshot as v
from station.config import TableSection
from station.table import inputs as i
from station.table.missed import GRAVE
from station.view import About, Viewer
from station.wording import devices
from tests.support.play import CONSOLE, Play
from tests.unit.table.test_camera_reads import dealing, missed, rule, seen

SHOWN = ("witnesses_disagree", "two_cards", "joker", "card_back")


def shown(play: Play, kind: str = "camera") -> v.Snapshot:
    viewer = Viewer(TableSection("T01", "test"), 1.0, 0, (), lambda _: About(kind))
    return viewer.snapshot(play.table, CONSOLE, "", {}, {}, {}, journal_ok=True)


@pytest.mark.parametrize("reason", SHOWN)
def test_r60_after_the_release_the_prompt_asks_for_the_unread_card_and_not_the_next(
    reason: str,
) -> None:
    play = dealing()
    before = shown(play).prompt
    assert (before.code, before.action) == ("first", "first")
    play.give(missed(reason))
    assert shown(play).prompt.kind == "hold"
    rule(play, "release")
    prompt = shown(play).prompt
    assert (prompt.kind, prompt.code) == ("card", "show_again")
    assert (prompt.slot, prompt.action) == (before.slot, before.action)
    assert "카메라에 다시 보이세요" in prompt.text.ko
    assert "Do not draw the next one" in prompt.text.en
    play.give(seen("KH", 3, numbered=False))
    assert shown(play).prompt.code == ("show_again" if reason == "two_cards" else "first")


@pytest.mark.parametrize(("kind", "code"), [("camera", "show_again"), ("text-line", "scan_again")])
def test_p2_it_is_asked_for_at_the_first_miss_in_the_words_of_its_reader(
    kind: str, code: str
) -> None:
    play = dealing()
    play.give(missed("unread"))
    assert shown(play, kind).prompt.code == code
    play.give(seen("KH", 3, numbered=False))
    assert shown(play, kind).prompt.code == "first"


def test_a_reader_that_is_no_longer_of_this_table_is_asked_nothing() -> None:
    play = dealing()
    play.give(missed("unread"))
    play.give(i.StationStart("T01", "test", "0", ("other",), play.rules))
    play.give(i.LinkUp("host:game", "host", "game"))
    play.give(i.DeviceHealth("other", "up", ""))
    assert play.table.unread.device == "shoe"
    assert shown(play).prompt.code == "scan_again"


@pytest.mark.parametrize("reason", GRAVE)
@pytest.mark.parametrize("ruling", ["release", "void"])
def test_n7_a_red_message_goes_with_its_hold(reason: str, ruling: str) -> None:
    play = dealing()
    play.give(seen("5S", 1))
    play.give(missed(reason, passed=reason not in ("pushed_back", "disputed")))
    last = shown(play).last_read
    assert last is not None
    assert (last.outcome, last.text.en) == ("no_read", devices.READS[reason][1])
    assert "call the supervisor" in last.text.en
    if reason in ("pushed_back", "disputed") and ruling == "release":
        return
    rule(play, ruling)
    last = shown(play).last_read
    assert last is not None
    assert last.outcome == "ruled"
    assert (last.text.ko, last.text.en) == devices.READS_RULED[reason]
    assert "stop" not in last.text.en


def test_without_a_shoe_in_play_nobody_is_told_to_stop() -> None:
    play = Play()
    play.give(missed("card_back"))
    last = shown(play).last_read
    assert last is not None
    assert last.text.en == "The back of a card was seen"
