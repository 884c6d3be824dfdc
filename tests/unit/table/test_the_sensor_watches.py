"""A sensor at the shoe's mouth is a second witness: a card that left and was not read is named."""

from __future__ import annotations

import pytest

from station.game import facts as g
from station.game.cards import card_of
from station.table import facts as f
from station.table import inputs as i
from station.table.state import due, wishes
from tests.support.play import PIT, SUPERVISOR, Play


class WatchedPlay(Play):
    """A table with a reader and a board whose sensor is believed; `lamps` sees no card."""

    now_ms = 1_000_000

    def start(self) -> None:
        devices = ("shoe", "board", "lamps")
        start = i.StationStart(
            "T01", "test", "0", devices, self.rules, self.kind, ("lamps",), timed=True
        )
        self.give(start)
        self.give(i.DeviceHealth("board", "up", ""))

    def leaves(self, after_ms: int = 1000) -> None:
        """A card passes the sensor."""
        self.now_ms += after_ms
        self.give(i.CardPassed("board", "", self.now_ms))

    def reads(self, face: str, after_ms: int = 1000) -> None:
        self.now_ms += after_ms
        deck = self._decks.get(face, 0) + 1
        self._decks[face] = deck
        card = self.read(card_of(face, "A", deck))
        self.give(i.CardSeen(card.device, card.card, card.text, card.raw, self.now_ms))

    @property
    def unread(self) -> list[str]:
        return [fact.reason for fact in self.facts if isinstance(fact, f.ReadFailed)]


@pytest.fixture
def play() -> WatchedPlay:
    play = WatchedPlay()
    play.open_table()
    play.bet((1, 3)).close()
    return play


def dealt(play: Play) -> list[str]:
    return [fact.card.face for fact in play.facts if isinstance(fact, g.CardDealt)]


def test_a_card_seen_by_both_is_one_card_in_either_order(play: WatchedPlay) -> None:
    play.leaves()
    play.reads("KH", 30)
    play.reads("5C")
    play.leaves(30)
    assert dealt(play) == ["KH", "5C"]
    assert not [timer for timer in due(play.table) if timer.kind == "unread"]
    assert play.unread == []


def test_a_card_that_left_unread_is_named_after_a_second(play: WatchedPlay) -> None:
    play.leaves()
    play.fire("unread")
    assert play.unread == ["passed_unread"]
    assert play.table.misses == 1
    assert not [timer for timer in due(play.table) if timer.kind == "unread"]
    play.reads("KH", 3000)
    assert dealt(play) == ["KH"], "the dealer reads it again"


def test_two_that_left_and_one_that_was_read_are_one_too_few(play: WatchedPlay) -> None:
    play.leaves()
    play.leaves(200)
    assert play.unread == ["passed_unread"]
    assert play.hold_codes == ["unknown_card"]
    play.reads("KH", 30)
    assert dealt(play) == [], "which of the two it is cannot be proven"


def test_a_repeat_is_no_witness_for_the_card_after_it(play: WatchedPlay) -> None:
    play.leaves()
    play.reads("KH", 30)
    play.give(i.CardSeen("shoe", play.table.game.shoe.gone[-1].card, "", "", play.now_ms + 200))
    play.now_ms += 200
    play.leaves(300)
    assert [timer.kind for timer in due(play.table)] == ["unread"]


def test_noise_is_no_witness(play: WatchedPlay) -> None:
    noise = i.ReadMissed("shoe", "garbage", "", "", passed=False, at_ms=play.now_ms + 500)
    play.give(noise)
    play.leaves(600)
    assert [timer.kind for timer in due(play.table)] == ["unread"]


def test_an_old_read_is_no_witness(play: WatchedPlay) -> None:
    play.reads("KH")
    play.leaves(1001)
    assert [timer.kind for timer in due(play.table)] == ["unread"]


def test_a_card_unread_while_nobody_is_owed_one_holds(play: WatchedPlay) -> None:
    for face in ("KH", "5C", "9D", "8S", "7H"):
        play.reads(face)
        play.leaves(30)
    assert play.round.asked is not None
    play.leaves()
    play.fire("unread")
    assert play.hold_codes == ["unknown_card"]


def test_a_sensor_that_is_lost_holds_and_lamps_that_are_lost_do_not(play: WatchedPlay) -> None:
    play.give(i.DeviceHealth("lamps", "lost", ""))
    assert play.table.holds == ()
    play.reads("KH")
    assert dealt(play) == ["KH"]
    play.give(i.DeviceHealth("board", "silent", ""))
    assert play.hold_codes == ["reader_lost"]


def test_help_calls_the_supervisor_once_and_play_goes_on(play: WatchedPlay) -> None:
    for _ in range(3):
        play.give(i.ButtonPressed("board", "help", ""))
    calls = [fact for fact in play.facts if isinstance(fact, f.SupervisorCalled)]
    assert [call.reason for call in calls] == ["help"]
    assert play.table.holds == ()


def test_the_cut_card_button_is_a_cut_card(play: WatchedPlay) -> None:
    play.give(i.ButtonPressed("board", "cut_card", ""))
    assert play.table.game.shoe.cut
    play.give(i.ButtonPressed("board", "cut_card", ""))
    assert sum(isinstance(fact, g.CutCardOut) for fact in play.facts) == 1
    play.reads("KH")
    assert dealt(play) == ["KH"], "never a hand card: the slot stays"


def test_readers_are_never_off_while_a_shoe_is_in_play(play: WatchedPlay) -> None:
    assert wishes(play.table).reading
    play.give(i.DeviceHealth("board", "silent", ""))
    assert wishes(play.table).reading, "a hold does not switch them off"
    closed = Play().open_table()
    closed.must(PIT, i.CloseTable())
    assert closed.table.game.shoe.state == "in_play"
    assert wishes(closed.table).reading
    empty = Play()
    empty.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
    assert wishes(empty.table).reading, "a shoe may be checked"
    empty.must(PIT, i.CloseTable())
    assert not wishes(empty.table).reading
