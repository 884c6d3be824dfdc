"""What a camera cannot tell, at a whole table: it holds at once, says what was seen, shows it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from station import messages as m
from station import snapshot as v
from station.table import facts as f
from tests.support.camera_faults import Round
from tests.support.camera_floor import CameraFloor, CameraStation


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CameraFloor]:
    """Both witnesses have to tell a card, so that a busy machine's one look is none."""
    station = CameraStation(tmp_path_factory.mktemp("doubts") / "t", device="alone = false")
    try:
        made = CameraFloor(station.start())
        made.open_table().sit(1)
        yield made
    finally:
        station.close()


def held(floor: CameraFloor, trouble: str, face: str, deck: int, code: str) -> v.HoldView:
    """The card passes with that trouble until the table holds for it. A busy machine that looks at
    too few pictures misses it: then it is not read, and passes again.
    """
    while True:
        before = floor.reads
        floor.camera.fault(trouble)
        floor.camera.card(face, deck)
        last = floor.seen(before)
        floor.camera.until("empty")
        assert last.outcome == "no_read", last
        for hold in floor.console.now.holds:
            if hold.code == code:
                return hold
        floor.released()


def pictured(floor: CameraFloor, hold: v.HoldView) -> None:
    """The pictures it names are there, and are those the journal has the hashes of."""
    assert hold.evidence
    for picture in hold.evidence:
        data = Path(picture.path).read_bytes()
        assert data.startswith(b"\xff\xd8")
        assert hashlib.sha256(data).hexdigest() == picture.sha256
        assert Path(picture.path).parent == floor.station.folder / "journal.db.evidence"


@pytest.mark.parametrize(
    ("trouble", "code", "ko", "en"),
    [
        ("misprinted", "witnesses_disagree", "코드", "index 9♦"),
        ("joker", "strange_card", "조커", "joker"),
    ],
)
def test_what_reading_again_cannot_mend_holds_at_once_with_pictures(
    floor: CameraFloor, trouble: str, code: str, ko: str, en: str
) -> None:
    play = Round(floor, ace=False)
    play.to("upcard")
    before = floor.dealt()
    face, deck = play.cards[1]
    hold = held(floor, trouble, face, deck, code)
    assert ko in hold.what.ko
    assert en.lower() in hold.what.en.lower()
    assert floor.console.now.prompt.slot is None
    assert floor.dealt() == before
    pictured(floor, hold)
    # A supervisor has looked: it is asked for again, and drawn or not, no other takes its place.
    floor.rule(hold, "release")
    prompt = floor.console.wait_for(lambda s: s.prompt.kind == "card", "it is owed").prompt
    assert (prompt.code, prompt.action) == ("show_again", "upcard")
    last = floor.console.now.last_read
    assert last is not None
    assert last.outcome == "ruled"
    play.to("idle")
    held_for = [row.fact for row in floor.station.journal() if row.kind == "TableHeld"]
    assert any(isinstance(it, f.TableHeld) and it.code == "drawn_after_unread" for it in held_for)
    assert floor.dealt() == before + [one for one, _ in play.cards[1:]]
    floor.station.verified()


def test_a_card_that_cannot_be_cleared_up_is_void_and_every_stake_comes_back(
    floor: CameraFloor,
) -> None:
    play = Round(floor, ace=False)
    play.to("second")
    face, deck = play.cards[2]
    hold = held(floor, "misprinted", face, deck, "witnesses_disagree")
    floor.rule(hold, "void")
    now = floor.console.wait_for(lambda s: s.phase == "void", "void")
    assert floor.paid()[now.round, 1] == [("void", 1000)]
    assert floor.pit.refused(m.ReleaseShoe(now.shoe.id, floor.pit.now.version))
    floor.station.verified()
