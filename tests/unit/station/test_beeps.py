"""A good sound only for a card that was accepted, from the reader that read it; else a bad one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from drivers.protocols.base import Beep
from station.daemon import Daemon
from station.game.cards import card_of
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision
from tests.support.play import CONSOLE
from tests.unit.table.test_the_sensor_watches import WatchedPlay


@pytest.fixture
def play() -> WatchedPlay:
    play = WatchedPlay()
    play.open_table()
    play.bet((1, 3)).close()
    return play


def sounds(decision: Decision) -> list[tuple[str, str]]:
    """What the readers `shoe` and `other` and the board are told, by device."""
    made: list[tuple[str, str]] = []

    def device(name: str) -> SimpleNamespace:
        def send(beep: Beep) -> None:
            made.append((name, beep.sound))

        return SimpleNamespace(name=name, send=send)

    table = SimpleNamespace(_devices=[device(name) for name in ("shoe", "other", "board")])
    Daemon._beep(table, decision.facts)  # type: ignore[arg-type]
    return made


def seen(face: str, device: str = "shoe", deck: int = 1, at_ms: int = 1) -> i.CardSeen:
    return i.CardSeen(device, card_of(face, "A", deck), face, "", at_ms)


def test_the_reader_that_read_a_card_says_so(play: WatchedPlay) -> None:
    assert sounds(play.give(seen("KH"))) == [("shoe", "good")]
    assert sounds(play.give(seen("5C", "other"))) == [("other", "good")]


def test_a_repeat_is_no_news(play: WatchedPlay) -> None:
    play.give(seen("KH"))
    assert sounds(play.give(seen("KH"))) == []


def test_what_is_not_dealt_sounds_bad(play: WatchedPlay) -> None:
    play.give(seen("KH"))
    play.give(seen("5C"))
    assert sounds(play.give(seen("KH"))) == [("shoe", "bad")], "an earlier card once more"
    assert sounds(play.give(seen("9D"))) == [("shoe", "bad")], "during a hold"


def test_a_doubt_and_an_exposed_card_sound_bad(play: WatchedPlay) -> None:
    play.give(seen("KH"))
    assert sounds(play.give(seen("KH", deck=0, at_ms=1000))) == [("shoe", "bad")]
    other = WatchedPlay()
    other.open_table()
    assert sounds(other.give(seen("KH"))) == [("shoe", "bad")]


def test_what_left_unread_sounds_bad_at_every_reader(play: WatchedPlay) -> None:
    """The sensor has no sound of its own, and which reader missed the card is not known."""
    play.leaves()
    bad = [("shoe", "bad"), ("other", "bad"), ("board", "bad")]
    assert sounds(play.fire("unread")) == bad


def test_a_ruling_and_a_call_make_no_sound(play: WatchedPlay) -> None:
    play.give(i.CardSeen("shoe", card_of("KH"), "", "", 1000))
    play.give(i.CardSeen("shoe", card_of("KH"), "", "", 2000))
    hold = play.table.holds[0].hold
    second = play.give(i.ButtonPressed("board", "help", ""))
    assert sounds(second) == []
    play.must(CONSOLE, i.CallSupervisor("help"))
    before = len(play.facts)
    play.must(i.Actor("pit", "pit:floor"), i.Rule(hold, "second", "", None))
    ruled = Decision(tuple(play.facts[before:]), play.table)
    assert any(isinstance(fact, f.HoldReleased) for fact in ruled.facts)
    assert sounds(ruled) == []
