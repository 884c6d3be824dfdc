"""Host lost, restart, void, and who may: R58, R60, A19, A20."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.rules import TableRules, fingerprint
from station.table import facts as f
from station.table import inputs as i
from station.table.attempts import LOCK_AT
from station.table.facts import Person
from station.table.state import due
from tests.support.play import CONSOLE, DEALER, HOST, PIT, STAFF, SUPERVISOR, Play


def host_gone(play: Play) -> None:
    play.give(i.LinkDown(HOST.link, "host", "game", "silent"))


def stakes_back_once(play: Play) -> None:
    voids = play.of(g.RoundVoided)
    assert len(voids) == 1
    lines = play.round.lines
    assert [line.bet for line in lines] == [bet.bet for bet in play.round.bets]
    assert all(line.returned == line.stake for line in lines)
    assert not play.of(g.RoundSettled)


def test_r58_host_lost_with_cards_out_voids_at_once_and_the_shoe_goes_out() -> None:
    play = Play().open_table().bet().close()
    play.card("TS")
    host_gone(play)
    stakes_back_once(play)
    assert play.table.game.shoe.state == "out"
    assert play.round.lines[0].rule == "R58"


def test_a19_with_grace_the_host_may_come_back_in_time() -> None:
    play = Play(TableRules(grace_seconds=5)).open_table().bet().close()
    play.card("TS")
    host_gone(play)
    assert not play.of(g.RoundVoided)
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.card("9S")
    assert len(play.of(g.CardDealt)) == 2
    host_gone(play)
    play.fire("host_grace")
    stakes_back_once(play)


def test_a19_host_lost_in_betting_cancels_after_its_grace_and_keeps_the_shoe() -> None:
    play = Play().open_table().bet()
    host_gone(play)
    assert [timer.kind for timer in due(play.table)] == ["host_grace"]
    play.fire("host_grace")
    stakes_back_once(play)
    assert play.table.game.shoe.state == "in_play"
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.must(HOST, c.OpenRound(fingerprint(play.rules)))


def test_a19_reshuffle_setting_takes_the_shoe_out_too() -> None:
    play = Play(TableRules(reshuffle=True)).open_table().bet()
    host_gone(play)
    play.fire("host_grace")
    assert play.table.game.shoe.state == "out"


def test_a19_between_rounds_a_lost_host_voids_nothing() -> None:
    play = Play().open_table()
    host_gone(play)
    assert not due(play.table)
    assert not play.of(g.RoundVoided)


def test_a_console_is_never_a_host() -> None:
    play = Play().open_table().bet().close()
    play.card("TS")
    play.give(i.LinkDown(CONSOLE.link, "console", "one", "killed"))
    assert play.round.ended == ""
    play.card("9S")
    assert len(play.of(g.CardDealt)) == 2


def test_r60_restart_with_cards_out_voids_and_returns_every_bet_once() -> None:
    play = Play().open_table().bet().close()
    play.card("TS")
    play.start()
    stakes_back_once(play)
    play.start()
    stakes_back_once(play)
    assert play.table.game.shoe.state == "out"


def test_restart_in_betting_keeps_the_bets_and_waits_for_the_host() -> None:
    play = Play().open_table().bet()
    play.start()
    assert play.round.ended == ""
    play.give(i.LinkUp(HOST.link, "host", "game"))
    assert [timer.kind for timer in due(play.table)] == ["betting"]
    assert len(play.round.bets) == 2


def test_restart_after_settlement_pays_nothing_again() -> None:
    play = Play().open_table().deal("TS 9S 8S 7S 7H").act("stand", "stand")
    play.card("TH")
    play.start()
    assert len(play.of(g.RoundSettled)) == 1
    assert not play.of(g.RoundVoided)
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.clear()


def test_a_latched_hold_survives_a_restart() -> None:
    play = Play().open_table()
    play.give(i.DeviceHealth("shoe", "lost", ""))
    play.start()
    assert play.hold_codes == ["reader_lost"]


def test_no_settlement_can_follow_a_void_and_no_void_a_settlement() -> None:
    play = Play().open_table().deal("TS 9S 8S 7S 7H").act("stand")
    play.must(PIT, i.VoidRound(play.number, "misdeal", play.table.version))
    asked = c.Decide(play.number, 2, 3, 1, "stand")
    assert play.say(HOST, asked) is not None
    play.card("TH")
    assert not play.of(g.RoundSettled)
    refusal = play.say(PIT, i.VoidRound(play.number, "misdeal", play.table.version))
    assert refusal is not None
    assert refusal.code == "round_void_already"


def test_a_void_needs_a_new_released_shoe_before_the_next_round() -> None:
    play = Play().open_table().bet()
    play.must(PIT, i.VoidRound(play.number, "misdeal", play.table.version))
    refusal = play.say(HOST, c.OpenRound(fingerprint(play.rules)))
    assert refusal is not None
    assert refusal.code == "shoe_not_in_play"
    play.must(PIT, i.LoadShoe("S2", "A"))
    assert play.say(HOST, c.OpenRound(fingerprint(play.rules))) is not None
    play.must(PIT, i.ReleaseShoe("S2", play.table.version))
    play.must(HOST, c.OpenRound(fingerprint(play.rules)))


def test_a_void_on_a_stale_picture_of_the_table_is_refused() -> None:
    play = Play().open_table().bet().close()
    seen = play.table.version
    play.card("TS")
    refusal = play.say(PIT, i.VoidRound(play.number, "misdeal", seen))
    assert refusal is not None
    assert refusal.code == "table_changed"


def test_a_void_is_never_the_dealers() -> None:
    play = Play().open_table().bet()
    refusal = play.say(CONSOLE, i.VoidRound(play.number, "oops", play.table.version))
    assert refusal is not None
    assert refusal.code == "supervisor_only"


def test_i_01_the_dealers_report_holds_and_a_supervisor_rules() -> None:
    play = Play().open_table().bet().close()
    play.card("TS")
    play.must(CONSOLE, i.ReportError("misdeal"))
    assert play.hold_codes == ["dealer_report"]
    assert not due(play.table), "no window runs while the table holds"
    play.must(PIT, i.Rule(play.table.holds[0].hold, "void", "", None))
    stakes_back_once(play)


def test_a_wait_is_the_dealers_to_end_and_an_emergency_is_not() -> None:
    play = Play().open_table().bet()
    play.must(CONSOLE, i.Wait())
    play.must(CONSOLE, i.Resume(play.table.holds[0].hold))
    play.must(CONSOLE, i.EmergencyStop())
    refusal = play.say(CONSOLE, i.Resume(play.table.holds[0].hold))
    assert refusal is not None
    assert refusal.code == "supervisor_rules"


def test_a_window_interrupted_by_a_hold_starts_anew_under_another_name() -> None:
    play = Play().open_table().bet()
    old = due(play.table)[0].name
    play.must(CONSOLE, i.Wait())
    play.must(CONSOLE, i.Resume(play.table.holds[0].hold))
    assert due(play.table)[0].name != old
    play.give(i.TimerFired(old))
    assert not play.round.closed, "the end of an old window closes nothing"


def test_wrong_pins_lock_a_person_out_for_a_while() -> None:
    play = Play()
    for _ in range(LOCK_AT):
        refusal = play.say(CONSOLE, i.LogIn("1001", None))
        assert refusal is not None
        assert refusal.code == "wrong_pin"
    refusal = play.say(CONSOLE, i.LogIn("1001", DEALER))
    assert refusal is not None
    assert refusal.code == "pin_locked"
    play.fire("pin_lock")
    play.must(CONSOLE, i.LogIn("1001", DEALER))


def test_dealers_change_between_rounds_only() -> None:
    play = Play().open_table().bet()
    refusal = play.say(CONSOLE, i.LogOut("1001"))
    assert refusal is not None
    assert refusal.code == "change_between_rounds"
    other = Person("1002", "박서준", "dealer")
    refusal = play.say(CONSOLE, i.LogIn("1002", other))
    assert refusal is not None
    assert refusal.code == "dealer_on_duty"


def test_a_supervisor_is_signed_in_at_one_link_only_and_until_it_ends() -> None:
    play = Play().open_table()
    assert play.say(STAFF, i.LoadShoe("S2", "A")) is not None
    play.give(i.LinkDown(PIT.link, "pit", "floor", "closed"))
    assert not play.table.signed
    assert play.of(f.StaffSignedOut)


@pytest.mark.parametrize("role", ["technician", "auditor"])
def test_neither_technician_nor_auditor_rules(role: str) -> None:
    play = Play().open_table()
    person = Person("9", "x", role)  # type: ignore[arg-type]
    play.must(STAFF, i.LogIn("9", person))
    refusal = play.say(STAFF, i.LoadShoe("S2", "A"))
    assert refusal is not None
    assert refusal.code == "supervisor_only"


def test_other_rules_come_into_force_with_a_new_shoe_only() -> None:
    play = Play().open_table()
    play.rules = TableRules(bet_step=200)
    play.start()
    assert play.table.game.shoe.state == "out"
    assert play.table.rules == play.rules


def test_a_host_that_plays_by_other_rules_opens_no_round() -> None:
    play = Play().open_table()
    refusal = play.say(HOST, c.OpenRound(fingerprint(TableRules(bet_step=200))))
    assert refusal is not None
    assert refusal.code == "other_rules"


def test_a_dealer_takes_the_table_at_a_console_only() -> None:
    play = Play()
    refusal = play.say(STAFF, i.LogIn(DEALER.staff, DEALER))
    assert refusal is not None
    assert refusal.code == "console_only"


def test_cleared_on_a_void_round_says_that_it_is_void() -> None:
    play = Play().open_table().bet()
    play.must(PIT, i.VoidRound(play.number, "misdeal", play.table.version))
    refusal = play.say(CONSOLE, c.Cleared(play.number))
    assert refusal is not None
    assert refusal.code == "round_void_already"


# --- a house goes on after a restart ----------------------------------------------------------

HOUSE = TableRules(incident_policy="house")


def begun_anew() -> Play:
    """Seat 1 is asked when the station dies and starts again; host, reader and people come back."""
    play = Play(HOUSE).open_table().deal("TS 9S 6S", (1,))
    play.start()
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
    return play


def test_a_house_holds_a_round_with_cards_out_after_a_restart_and_voids_nothing_by_itself() -> None:
    play = begun_anew()
    assert play.hold_codes == ["restart"]
    assert not play.of(g.RoundVoided)
    assert not play.of(g.ShoeOut)
    assert not due(play.table)


def test_a_house_goes_on_once_the_last_card_was_read_again_and_a_supervisor_has_looked() -> None:
    play = begun_anew()
    hold = play.table.holds[0].hold
    refusal = play.say(PIT, i.Rule(hold, "aligned", "", None))
    assert refusal is not None
    assert refusal.code == "last_card_not_reread"
    play.card("6S", 1)
    play.must(PIT, i.Rule(hold, "aligned", "", None))
    play.act("stand")
    play.card("8S")
    assert play.of(g.RoundSettled)


def test_another_card_than_the_last_one_can_only_be_void() -> None:
    play = begun_anew()
    hold = play.table.holds[0].hold
    play.card("2D")
    assert play.say(PIT, i.Rule(hold, "aligned", "", None)) is not None
    play.must(PIT, i.Rule(hold, "void", "", None))
    stakes_back_once(play)
    assert play.round.why_void == "restart"


def test_a_second_restart_holds_once_and_asks_for_the_last_card_once_more() -> None:
    play = begun_anew()
    play.card("6S", 1)
    assert play.table.holds[0].aligned
    play.start()
    assert play.hold_codes == ["restart"]
    assert not play.table.holds[0].aligned


def test_other_rules_at_a_restart_void_the_round_of_a_house_too() -> None:
    play = Play(HOUSE).open_table().deal("TS 9S 6S", (1,))
    play.rules = TableRules(incident_policy="house", burn=1)
    play.start()
    (void,) = play.of(g.RoundVoided)
    assert isinstance(void, g.RoundVoided)
    assert void.reason == "rules_changed"


def test_a_house_with_bets_alone_goes_on_without_a_hold() -> None:
    play = Play(HOUSE).open_table().bet()
    play.start()
    assert not play.table.holds
