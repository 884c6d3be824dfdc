"""Readers and a sensor, told of at odd moments: no card twice, none lost without a word."""

from __future__ import annotations

from typing import Any

import pytest

from station.game.cards import card_of
from station.game.rules import TableRules
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision
from station.table.state import due
from tests.support.play import CONSOLE, HOST, PIT
from tests.unit.table.test_the_sensor_watches import WatchedPlay
from tests.unit.table.test_time_tells_cards_apart import FacePlay, dealing, dealt


def repeated(decision: Decision) -> list[int]:
    return [fact.order for fact in decision.facts if isinstance(fact, f.ReadRepeated)]


def by(device: str, at_ms: int, face: str = "KH", deck: int = 0, **how: Any) -> i.CardSeen:
    card = card_of(face, "A" if deck else "", deck)
    return i.CardSeen(device, card, face, "", at_ms, **how)


# --- faces, numbers and time -----------------------------------------------------------------


def test_what_a_shoe_numbers_anew_during_a_doubt_was_drawn_and_is_kept() -> None:
    play = dealing()
    play.face("KH", 1000, numbered=True)
    play.resent("KH", 60_000)
    assert play.hold_codes == ["same_or_second"]
    assert repeated(play.face("KH", 70_000, numbered=True)) == []
    assert [card.face for card in play.table.set_aside] == ["KH"]
    for ruling in ("same", "second"):
        refusal = play.say(PIT, i.Rule(play.table.holds[0].hold, ruling, "", None))
        assert refusal is not None
        assert refusal.code == "drawn_during_hold"


def test_a_repeat_of_a_card_before_the_last_aligns_nothing() -> None:
    play = dealing()
    play.face("KH", 1000)
    play.face("5C", 1200)
    play.give(i.DeviceFault("shoe", "alarm", ""))
    play.face("KH", 1350)
    assert "same_or_second" in play.hold_codes, "the same, or another one"
    assert not play.table.holds[0].aligned
    play.face("5C", 1500)
    assert play.table.holds[0].aligned


def burned(at_ms: int) -> FacePlay:
    """One of two cards is burned, then the station starts anew."""
    play = FacePlay(TableRules(burn=2))
    play.open_table()
    play.face("KH", at_ms)
    play.start()
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.give(i.DeviceHealth("shoe", "up", ""))
    return play


def gone(play: FacePlay) -> list[str]:
    return [entry.card.face for entry in play.table.game.shoe.gone]


def test_a_machines_new_clock_makes_no_doubt() -> None:
    play = burned(5_000_000)
    play.face("KH", 60_000)
    assert (play.hold_codes, gone(play)) == ([], ["KH", "KH"])


@pytest.mark.parametrize("after_ms", [0, 100, 2400])
def test_after_a_start_a_time_close_by_is_a_doubt_and_never_a_repeat(after_ms: int) -> None:
    play = burned(5_000_000)
    assert repeated(play.face("KH", 5_000_000 + after_ms)) == []
    assert play.hold_codes == ["same_or_second"]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (by("scanner", 1000), by("shoe", 1200, numbered=True)),
        (by("shoe", 1000, numbered=True), by("scanner", 60_000)),
        (by("one", 1000), by("other", 60_000)),
        (by("shoe", 1000, numbered=True), by("scanner", 60_000, deck=3)),
        (by("scanner", 1000, deck=3), by("shoe", 60_000, numbered=True)),
        (by("scanner", 1000, deck=3), by("hand", 60_000)),
    ],
)
def test_two_readers_that_tell_of_one_card_deal_it_once(
    first: i.CardSeen, then: i.CardSeen
) -> None:
    play = dealing()
    play.give(first)
    play.give(then)
    assert (dealt(play), play.hold_codes) == (["KH"], ["same_or_second"])
    if not then.numbered:
        play.give(then)
    play.rule("same")
    assert (dealt(play), play.hold_codes) == (["KH"], [])


def test_a_kept_card_is_dealt_before_the_second_of_its_face() -> None:
    play = FacePlay(TableRules(incident_policy="house"))
    play.open_table()
    play.bet((1, 3)).close()
    play.face("5C", 1000)
    play.must(CONSOLE, i.Wait())
    play.face("KH", 10_000)
    play.face("KH", 11_000)
    assert play.hold_codes == ["wait", "exposed_card", "same_or_second"]
    wait, exposed, doubt = (hold.hold for hold in play.table.holds)
    play.must(PIT, i.Rule(exposed, "use", "", None))
    play.must(CONSOLE, i.Resume(wait))
    play.must(PIT, i.Rule(doubt, "second", "", None))
    assert dealt(play) == ["5C", "KH", "KH"]
    assert gone(play) == ["5C", "KH", "KH"]


# --- the sensor ------------------------------------------------------------------------------


@pytest.fixture
def play() -> WatchedPlay:
    play = WatchedPlay()
    play.open_table()
    play.bet((1, 3)).close()
    return play


def test_a_card_that_left_unread_during_a_lost_readers_hold_is_a_hold_of_its_own(
    play: WatchedPlay,
) -> None:
    play.reads("KH")
    play.leaves(30)
    play.give(i.DeviceHealth("shoe", "lost", ""))
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.leaves()
    play.fire("unread")
    play.give(play.read(card_of("KH", "A", 1)))
    play.must(PIT, i.Rule(play.table.holds[0].hold, "aligned", "", None))
    assert play.hold_codes == ["unknown_card"]


@pytest.mark.parametrize("command", [i.EmergencyStop(), i.ReportError("card_exposed")])
def test_a_card_that_left_unread_during_a_stop_is_not_forgotten_with_it(
    play: WatchedPlay, command: i.EmergencyStop | i.ReportError
) -> None:
    play.reads("KH")
    play.leaves(30)
    play.must(CONSOLE, command)
    for _ in range(2):
        play.leaves(1500)
        play.fire("unread")
    assert play.hold_codes[1:] == ["unknown_card"], "once, for all of them"


def test_a_card_that_left_unread_between_rounds_holds() -> None:
    play = WatchedPlay()
    play.open_table()
    play.leaves()
    play.fire("unread")
    assert play.hold_codes == ["unknown_card"]
    play.must(PIT, i.Rule(play.table.holds[0].hold, "release", "", None))


def test_what_passes_while_no_shoe_is_in_play_holds_nothing() -> None:
    play = WatchedPlay()
    play.give(i.DeviceHealth("shoe", "up", ""))
    for _ in range(3):
        play.leaves(200)
    play.fire("unread")
    assert play.table.holds == ()


def test_a_station_that_starts_anew_says_that_a_card_had_left_unread(play: WatchedPlay) -> None:
    play.leaves()
    play.start()
    assert play.unread == ["passed_unread"]
    assert not [timer for timer in due(play.table) if timer.kind == "unread"]


def test_the_sensors_word_may_be_the_older_one_and_come_second(play: WatchedPlay) -> None:
    play.reads("KH")
    play.leaves(-2)
    assert not [timer for timer in due(play.table) if timer.kind == "unread"]
    assert play.unread == []


def test_the_fault_of_a_board_that_sees_no_card_asks_for_no_reread(play: WatchedPlay) -> None:
    """No card passed it unread; and a shoe that numbers its draws reads none twice."""
    play.give(by("shoe", 1_001_000, numbered=True))
    play.give(i.DeviceFault("lamps", "brake_fault", ""))
    play.must(PIT, i.Rule(play.table.holds[0].hold, "aligned", "", None))
    play.give(i.DeviceFault("board", "restarted", ""))
    refusal = play.say(PIT, i.Rule(play.table.holds[0].hold, "aligned", "", None))
    assert refusal is not None
    assert refusal.code == "last_card_not_reread"


def test_a_silent_device_stays_silent_whatever_else_is_wrong_with_it(play: WatchedPlay) -> None:
    play.give(i.DeviceHealth("board", "silent", ""))
    for state in ("not_answering", "garbled", "impaired"):
        play.give(i.DeviceHealth("board", state, ""))
        play.give(i.DeviceHealth("board", "up", "", over=state))
        device = play.table.device("board")
        assert device is not None
        assert device.health == "silent"
    play.give(i.DeviceHealth("board", "up", "", over="silent"))
    assert all(device.reads for device in play.table.devices)
