"""Pictures of what was read: shown where somebody has to look, and only as they were read."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QImage

from station import snapshot as m
from station.config import TableSection
from station.messages import Language
from station.table import facts as f
from station.table import inputs as i
from station.table.missed import GRAVE
from station.view import Viewer
from tests.support.phases import dealing
from tests.support.play import CONSOLE, SUPERVISOR
from tests.ui import fixtures, holds
from tests.ui.conftest import MakeDesk
from tests.ui.desk import Desk
from tests.ui.test_legibility import cut_texts
from ui.pictures import Album

Take = Callable[..., m.PictureView]


@pytest.fixture
def take(tmp_path: Path) -> Take:
    """Makes a picture of one colour in the folder of a journal."""
    folder = tmp_path / "journal.db.evidence"
    folder.mkdir()

    def taken(name: str = "cam-1.jpg", colour: str = "#20c040") -> m.PictureView:
        image = QImage(240, 340, QImage.Format.Format_RGB32)
        image.fill(QColor(colour))
        path = folder / name
        assert image.save(str(path))
        return m.PictureView(name, hashlib.sha256(path.read_bytes()).hexdigest(), str(path))

    return taken


def pixel(desk: Desk, name: str) -> QColor:
    """What is painted in the middle of an item."""
    item = desk.find(name)
    middle = item.mapToScene(item.boundingRect().center()).toPoint()
    return desk.view.grabWindow().pixelColor(middle)


def greenish(colour: QColor) -> bool:
    return colour.green() > 150 and colour.red() < 90


def read(*evidence: m.PictureView, outcome: str = "dealt") -> m.Snapshot:
    base = fixtures.drawing()
    assert base.last_read is not None
    seen = replace(base.last_read, outcome=outcome, evidence=list(evidence))
    return replace(base, version=300, last_read=seen)


def held(*evidence: m.PictureView) -> m.Snapshot:
    return holds.held(replace(holds.exposed_hold(), evidence=list(evidence)))


# --- on the screen --------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", ["no_read", "repeat"])
def test_the_last_picture_of_a_read_that_was_no_card_is_large_enough_to_be_read(
    make_desk: MakeDesk, take: Take, outcome: str
) -> None:
    desk = make_desk(read(take("a.jpg", "#c02020"), take("b.jpg"), outcome=outcome))
    assert greenish(pixel(desk, "picture0"))
    assert desk.find("picture0").height() >= 160
    assert cut_texts(desk) == []


@pytest.mark.parametrize("outcome", ["dealt", "ruled", "cut_card"])
def test_nobody_looks_at_the_picture_of_a_card_that_was_read(
    make_desk: MakeDesk, take: Take, outcome: str
) -> None:
    desk = make_desk(read(take(), outcome=outcome))
    assert not desk.shown("picture0")


def test_without_a_picture_there_is_no_frame_for_one(make_desk: MakeDesk) -> None:
    desk = make_desk(read(outcome="no_read"))
    assert not desk.shown("picture0")


def test_a_hold_shows_the_picture_of_the_read_that_led_to_it(
    make_desk: MakeDesk, take: Take
) -> None:
    desk = make_desk(held(take()))
    assert greenish(pixel(desk, "picture0"))
    side = desk.console.property("side").property("v")
    assert [one["caption"] for one in side["pictures"]] == ["Q♠"]


def test_n8_both_suspects_are_shown_the_earlier_one_first(make_desk: MakeDesk, take: Take) -> None:
    first = m.SuspectView("7C", 17, 12845, "2026-01-05T12:04:13Z", [take("a.jpg", "#c02020")])
    second = m.SuspectView("7C", 0, 12846, "2026-01-05T12:05:13Z", [take("b.jpg")])
    hold = replace(holds.exposed_hold(), code="duplicate_card", suspects=[first, second])
    desk = make_desk(holds.held(hold), "en")
    assert pixel(desk, "picture0").red() > 150
    assert greenish(pixel(desk, "picture1"))


def test_a_picture_that_is_taken_away_is_not_shown_any_more(
    make_desk: MakeDesk, take: Take
) -> None:
    view = take()
    desk = make_desk(held(view))
    assert desk.shown("picture0")
    Path(view.path).unlink()
    desk.show(replace(held(view), version=301))
    assert desk.console.property("side").property("v")["pictures"] == []


# --- what is looked at ----------------------------------------------------------------------


def test_a_picture_as_it_was_read_is_found(take: Take) -> None:
    view = take()
    assert Album().find([view]) == QUrl.fromLocalFile(view.path).toString()
    assert Album().find([]) == ""


def test_of_several_the_last_that_is_there(take: Take) -> None:
    first, last = take("a.jpg"), take("b.jpg")
    Path(last.path).unlink()
    assert Album().find([first, last]).endswith("/a.jpg")


def test_a_changed_picture_is_none(take: Take) -> None:
    view = take()
    Path(view.path).write_bytes(Path(view.path).read_bytes() + b"\0")
    assert Album().find([view]) == ""


def test_only_files_of_a_folder_of_pictures_are_looked_at(take: Take, tmp_path: Path) -> None:
    view = take()
    data = Path(view.path).read_bytes()
    (tmp_path / "cam-1.jpg").write_bytes(data)
    linked = Path(view.path).with_name("link.jpg")
    linked.symlink_to(view.path)
    os.mkfifo(Path(view.path).with_name("pipe.jpg"))
    for name, path in (
        (view.name, str(tmp_path / "cam-1.jpg")),
        ("other.jpg", view.path),
        (view.name, f"journal.db.evidence/{view.name}"),
        ("link.jpg", str(linked)),
        ("pipe.jpg", str(linked.with_name("pipe.jpg"))),
        ("none.jpg", str(linked.with_name("none.jpg"))),
    ):
        assert Album().find([m.PictureView(name, view.sha256, path)]) == "", name


def test_a_console_forgets_old_pictures(take: Take) -> None:
    album = Album()
    views = [take(f"cam-{number}.jpg") for number in range(80)]
    assert all(album.find([view]) for view in views)
    assert len(album._known) <= 64


# --- every word of a camera fits ------------------------------------------------------------

SAID = "code KH/7; index QH"
REASONS = (*GRAVE, "one_look", "contradiction", "one_witness", "unread", "bad_check")


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("with_picture", [True, False], ids=["pictured", "bare"])
def test_every_no_read_of_a_camera_is_told_whole_beside_its_picture(
    make_desk: MakeDesk, take: Take, language: Language, with_picture: bool
) -> None:
    """As the station says it: once, three times, and with a supervisor at the console."""
    picture = take()
    evidence = (f.Picture(picture.name, picture.sha256),) if with_picture else ()
    folder = str(Path(picture.path).parent)
    viewer = Viewer(TableSection("T01", "test"), 1.0, 0, (), pictures=folder)
    desk = make_desk(fixtures.drawing(), language)
    faults, version = [], 10_000
    for reason in REASONS:
        for times, senior in ((1, False), (3, False), (3, True)):
            play = dealing()
            play.card("KS")
            for _ in range(times):
                passed = reason not in ("pushed_back", "disputed")
                given = i.ReadMissed("shoe", reason, SAID, "", passed, evidence=evidence)
                play.give(given)
            if senior:
                play.must(CONSOLE, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
            view = viewer.snapshot(play.table, CONSOLE, "", {}, {}, {}, journal_ok=True)
            version += 1
            desk.show(replace(view, version=version))
            assert desk.shown("picture0") == with_picture, (reason, times)
            faults += [f"{reason} {times} {fault}" for fault in cut_texts(desk)]
    assert faults == []
