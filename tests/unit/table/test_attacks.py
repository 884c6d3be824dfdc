"""Ways around a hold, a right or an order of cards that were tried on the core, and do not work."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.rules import TableRules
from station.table import facts as f
from station.table import inputs as i
from tests.support.play import CONSOLE, HOST, PIT, STAFF, SUPERVISOR, Play


def lost(play: Play, device: str = "shoe") -> None:
    play.give(i.DeviceHealth(device, "lost", ""))


def back(play: Play, device: str = "shoe") -> None:
    play.give(i.DeviceHealth(device, "up", ""))


def host_gone(play: Play) -> None:
    play.give(i.LinkDown(HOST.link, "host", "game", "silent"))


def host_back(play: Play) -> None:
    play.give(i.LinkUp(HOST.link, "host", "game"))


def ruled(play: Play, ruling: str) -> str:
    """The code of the refusal of that ruling on the first hold, or ""."""
    hold = play.table.holds[0].hold
    refusal = play.say(PIT, i.Rule(hold, ruling, "", None))  # type: ignore[arg-type]
    return refusal.code if refusal else ""


def dealing() -> Play:
    play = Play().open_table().bet().close()
    play.card("TS", deck=1)
    return play


def test_a20_a_reread_before_the_reader_was_lost_again_proves_nothing() -> None:
    play = dealing()
    lost(play)
    back(play)
    play.card("TS", deck=1)
    lost(play)
    back(play)
    assert ruled(play, "aligned") == "last_card_not_reread"
    play.card("TS", deck=1)
    assert ruled(play, "aligned") == ""


def test_a20_a_reread_by_one_reader_proves_nothing_of_another_that_is_away() -> None:
    play = Play()
    play.give(i.StationStart("T01", "test", "0", ("shoe", "rack"), play.rules))
    back(play, "rack")
    play.open_table().bet().close()
    play.card("TS", deck=1)
    lost(play, "rack")
    play.card("TS", deck=1)
    back(play, "rack")
    assert ruled(play, "aligned") == "last_card_not_reread"
    play.card("TS", deck=1)
    assert ruled(play, "aligned") == ""


def test_a20_the_dealers_own_card_drawn_while_the_host_is_away_is_not_burned() -> None:
    """His hand is not complete: the card was his, and burning it would give him another."""
    play = Play(TableRules(grace_seconds=5)).open_table()
    play.deal("TS 9S 8S 7S 7H").act("stand", "stand")
    host_gone(play)
    play.card("QS")
    assert play.hold_codes == ["exposed_card"]
    host_back(play)
    assert ruled(play, "burn") == "card_changed_order"
    assert ruled(play, "void") == ""
    assert {line.returned for line in play.round.lines} == {1000}


@pytest.mark.parametrize("code", ["exposed_card", "emergency", "foreign_card", "dealer_report"])
def test_i_10_a_void_by_the_station_itself_acknowledges_no_hold(code: str) -> None:
    play = Play().open_table().bet()
    if code == "exposed_card":
        play.card("QS")
    elif code == "foreign_card":
        play.card("KH", deck=1, letter="B")
    else:
        play.must(CONSOLE, i.EmergencyStop() if code == "emergency" else i.ReportError("other"))
    host_gone(play)
    play.fire("host_grace")
    assert play.round.ended == "void"
    assert play.hold_codes == [code]
    assert bool(play.table.game.exposed) == (code == "exposed_card")
    ways = {"exposed_card": "burn", "foreign_card": "void"}
    assert ruled(play, ways.get(code, "release")) == ""
    assert not play.table.holds
    assert not play.table.game.exposed


def test_r11_no_bet_on_a_seat_the_table_no_longer_has() -> None:
    play = Play().open_table()
    play.must(HOST, c.TakeSeat(7, "P7"))
    play.rules = TableRules(seats=5)
    play.start()
    play.open_table() if not play.table.dealer else host_back(play)
    back(play)
    play.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
    play.new_shoe("S2")
    play.must(PIT, i.ClearLock(play.table.conditions[0].lock, "five seats it is"))
    play.bet([1])
    refusal = play.say(HOST, c.PlaceBet(play.number, 7, "P7", 1000))
    assert refusal is not None
    assert refusal.code == "no_such_seat"
    play.must(HOST, c.LeaveSeat(7, "P7"))


def test_p3_a_card_that_passed_unread_during_a_wait_is_the_supervisors_to_rule_on() -> None:
    play = dealing()
    play.must(CONSOLE, i.Wait())
    play.give(i.ReadMissed("shoe", "incomplete", "AK", "414b", passed=True))
    assert play.hold_codes == ["wait", "unknown_card"]
    play.must(CONSOLE, i.Resume(play.table.holds[0].hold))
    assert play.hold_codes == ["unknown_card"]
    play.card("9S")
    assert len(play.of(g.CardDealt)) == 1


def test_a_fault_that_goes_on_is_one_hold() -> None:
    play = dealing()
    for _ in range(50):
        play.give(i.DeviceFault("shoe", "inbox_full", ""))
    assert play.hold_codes == ["device_fault"]
    play.card("TS", deck=1)
    play.give(i.DeviceFault("shoe", "inbox_full", ""))
    assert play.hold_codes == ["device_fault", "device_fault"], "after the re-read it is a new one"


@pytest.mark.parametrize("command", [i.Resume(1), i.EmergencyStop()])
def test_a_staff_desk_neither_stops_the_table_nor_ends_a_wait(
    command: i.Resume | i.EmergencyStop,
) -> None:
    play = Play().open_table()
    if isinstance(command, i.Resume):
        play.must(CONSOLE, i.Wait())
    refusal = play.say(STAFF, command)
    assert refusal is not None
    assert refusal.code == "console_or_pit"


def test_what_the_pit_ends_is_not_booked_under_the_dealers_name() -> None:
    play = Play().open_table()
    play.must(CONSOLE, i.Wait())
    play.must(PIT, i.Resume(play.table.holds[0].hold))
    released = play.of(f.HoldReleased)[-1]
    assert isinstance(released, f.HoldReleased)
    assert released.by == SUPERVISOR.staff


@pytest.mark.parametrize("where", ["betting", "result", "cleared"])
def test_p1_a_card_drawn_during_a_wait_is_not_the_dealers_to_pass_over(where: str) -> None:
    """Without the wait it would be exposed, and a supervisor's; with it it is no less so."""
    play = Play().open_table().bet()
    if where != "betting":
        play.close().cards("TS 9S 8S 7S 7H")
        play.act("stand", "stand").card("TH")
    if where == "cleared":
        play.clear()
    play.must(CONSOLE, i.Wait())
    play.card("QS")
    play.must(CONSOLE, i.Resume(play.table.holds[0].hold))
    assert play.hold_codes == ["exposed_card"]
    assert [card.face for card in play.table.game.exposed] == ["QS"]
    refusal = play.say(CONSOLE, i.Resume(play.table.holds[0].hold))
    assert refusal is not None
    assert refusal.code == "supervisor_rules"
    assert ruled(play, "burn") == ""
