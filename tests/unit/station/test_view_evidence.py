"""What a snapshot says of a camera's no-read: its words, its pictures, and who is shown them."""

from __future__ import annotations

import pytest

from station import snapshot as v
from station.config import TableSection
from station.journal import Left
from station.table import facts as f
from station.table import inputs as i
from station.view import Viewer
from station.wording.say import witnesses
from tests.support.phases import dealing
from tests.support.phases_held import (
    duplicate,
    joker_between_rounds,
    missed,
    pushed_back,
    window_covered,
    witnesses_disagree,
)
from tests.support.play import CONSOLE, HOST, PIT, STAFF, Play

FOLDER = "/var/lib/table/journal.db.evidence"
VIEWER = Viewer(TableSection("T01", "test"), 1.0, 0, (), pictures=FOLDER)
KEPT = v.PictureView("cam-1.jpg", "1" * 64, f"{FOLDER}/cam-1.jpg")


def shown(play: Play, actor: i.Actor = CONSOLE, viewer: Viewer = VIEWER) -> v.Snapshot:
    first = {1: Left("10:00", (f.Picture("cam-0.jpg", "0" * 64),))}
    return viewer.snapshot(play.table, actor, "", {}, {1: "11:00"}, first, journal_ok=True)


def test_n7_what_the_two_witnesses_said_stands_in_the_hold_and_the_prompt() -> None:
    view = shown(witnesses_disagree())
    words = "The card's code and its print tell two different cards. The camera: "
    assert view.holds[0].what.en == words + "code K♥ of deck 7, index Q♥."
    assert view.prompt.text == view.holds[0].what
    assert "코드 K♥ (덱 7) · 인덱스 Q♥" in view.prompt.text.ko


@pytest.mark.parametrize("actor", [CONSOLE, PIT, STAFF], ids=lambda actor: actor.role)
def test_a_hold_and_the_last_read_name_their_pictures(actor: i.Actor) -> None:
    view = shown(witnesses_disagree(), actor)
    assert view.holds[0].evidence == [KEPT]
    assert view.last_read is not None
    assert view.last_read.evidence == [KEPT]


def test_a_game_host_is_shown_no_pictures() -> None:
    view = shown(witnesses_disagree(), HOST)
    assert view.holds[0].evidence == []
    assert view.last_read is not None
    assert view.last_read.evidence == []


def test_a_table_without_a_folder_shows_none() -> None:
    view = shown(witnesses_disagree(), CONSOLE, Viewer(TableSection("T01", "test"), 1.0, 0, ()))
    assert view.holds[0].evidence == []


def test_n8_each_of_two_suspects_has_its_own_pictures() -> None:
    hold = shown(duplicate()).holds[0]
    assert [one.name for one in hold.suspects[0].evidence] == ["cam-0.jpg"]
    assert hold.suspects[1].evidence == hold.evidence == []


def test_a_joker_is_called_one_and_the_shoe_may_come_out_between_rounds() -> None:
    hold = shown(joker_between_rounds(), PIT).holds[0]
    assert (hold.code, hold.what.en, hold.rule) == ("strange_card", "A joker came out.", "R2")
    assert [one.ruling for one in hold.rulings if one.refusal is None] == ["release", "void"]


def test_a_card_pushed_back_asks_for_the_last_card_and_says_which() -> None:
    hold = shown(pushed_back(), PIT).holds[0]
    aligned = next(one for one in hold.rulings if one.ruling == "aligned")
    assert aligned.refusal is not None
    assert aligned.refusal.code == "last_card_not_reread"


def test_a_covered_window_is_said_as_such() -> None:
    view = shown(window_covered())
    assert view.devices[0].health == "covered"
    assert view.devices[0].text.en == "The window is covered: clear it, draw nothing"
    assert (view.prompt.kind, view.prompt.code) == ("hold", "reader_not_up")


@pytest.mark.parametrize("cause", ["stalled", "frozen", "black"])
def test_what_makes_a_camera_blind_is_said(cause: str) -> None:
    play = dealing()
    play.give(i.DeviceHealth("shoe", "blind", "why", cause=cause))
    device = shown(play).devices[0]
    assert device.health == "blind"
    assert device.text.en != "The camera does not see: stop"
    assert device.technician is not None
    assert device.technician.en.endswith("why")


@pytest.mark.parametrize(
    ("said", "ko", "en"),
    [
        ("code KH/7; index QH", "코드 K♥ (덱 7) · 인덱스 Q♥", "code K♥ of deck 7, index Q♥"),
        ("code KH07B; index TS", "코드 KH07B · 인덱스 10♠", "code KH07B, index 10♠"),
        ("index KH, QH", "인덱스 K♥, Q♥", "index K♥, Q♥"),
        ("code AKH3X, AQH3Y", "코드 AKH3X, AQH3Y", "code AKH3X, AQH3Y"),
        ("told as {face}", "told as {face}", "told as {face}"),
        ("code", "code", "code"),
        ("", "", ""),
    ],
)
def test_witnesses_are_worded_and_other_words_left_as_they_are(said: str, ko: str, en: str) -> None:
    assert witnesses(said) == (ko, en)


@pytest.mark.parametrize("said", ["{", "{0}", "{face} {face.__class__}", "%s", "index {x}"])
def test_words_of_a_reader_are_no_format(said: str) -> None:
    view = shown(missed(dealing(), "witnesses_disagree", said))
    assert said in view.holds[0].what.en
