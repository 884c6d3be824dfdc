"""Every hold of a camera in the station's own words fits on the screen, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from station import snapshot as v
from station.config import TableSection
from station.messages import Language
from station.table import inputs as i
from station.view import About, Viewer
from tests.support.play import CONSOLE, SUPERVISOR, Play
from tests.ui import fixtures
from tests.ui.conftest import MakeDesk
from tests.ui.test_legibility import cut_texts
from tests.unit.table.test_camera_reads import dealing, missed, rule, seen

DETAIL = "640x480 at 30 a second: the picture's mean has been 3.1 of 255 for 2.0 s, limit 12"


def shown(play: Play) -> v.Snapshot:
    viewer = Viewer(TableSection("T01", "test"), 1.0, 0, (), lambda _: About("camera"))
    return viewer.snapshot(play.table, CONSOLE, "", {}, {}, {}, journal_ok=True)


def away(health: str, cause: str = "") -> Play:
    play = dealing()
    play.give(seen("KC", 1))
    play.give(i.DeviceHealth("shoe", health, DETAIL, cause=cause))
    return play


def doubted(first: int, then: int, *, numbered: bool) -> Play:
    play = dealing()
    play.give(seen("9S", first))
    play.give(seen("9S", then, numbered=numbered))
    return play


def two_holds() -> Play:
    play = dealing()
    play.give(seen("KC", 1))
    play.give(missed("pushed_back", passed=False))
    play.give(missed("two_cards"))
    return play


def again(reason: str) -> Play:
    play = dealing()
    play.give(missed(reason))
    rule(play, "release")
    return play


HOLDS: dict[str, Callable[[], Play]] = {
    "black": lambda: away("blind", "black"),
    "frozen": lambda: away("blind", "frozen"),
    "stalled": lambda: away("blind", "stalled"),
    "too_slow": lambda: away("blind", "too_slow"),
    "silent": lambda: away("silent"),
    "lost": lambda: away("lost"),
    "two decks": lambda: doubted(4, 2, numbered=False),
    "told otherwise": lambda: doubted(4, 0, numbered=True),
    "two holds": two_holds,
    "again": lambda: again("card_back"),
    "both again": lambda: again("two_cards"),
}


@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_hold_of_a_camera_is_told_whole(make_desk: MakeDesk, language: Language) -> None:
    desk = make_desk(fixtures.drawing(), language)
    faults, version = [], 10_000
    for name, build in HOLDS.items():
        for senior in (False, True):
            play = build()
            if senior:
                play.must(CONSOLE, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
            version += 1
            view = replace(shown(play), version=version)
            desk.show(view)
            words = desk.words()
            for hold in view.holds[:1]:
                for text in (hold.what, hold.hands, hold.who):
                    assert getattr(text, language) in words, name
            for hold in view.holds[1:]:
                assert getattr(hold.what, language) in words, name
            faults += [f"{name} {fault}" for fault in cut_texts(desk)]
    assert not faults, "\n".join(faults)


def test_e_the_evidence_tells_the_technician_what_the_camera_suffers_from(
    make_desk: MakeDesk,
) -> None:
    desk = make_desk(replace(shown(away("blind", "black")), version=300), "en")
    assert "check lens cap, light and exposure. " + DETAIL in desk.words()
