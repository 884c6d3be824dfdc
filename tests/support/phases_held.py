"""Where a table can be, continued: what holds it, and players in the chairs."""

from __future__ import annotations

from station.game import commands as c
from station.game.rules import TableRules
from station.table import facts as f
from station.table import inputs as i
from tests.support.phases import (
    BURNS,
    PHASES,
    backed,
    betting,
    cleared,
    dealing,
    deciding,
    follow_double,
    open_table,
    phase,
)
from tests.support.play import CONSOLE, DEALER, HOST, PIT, SUPERVISOR, Play

__all__ = ["PHASES"]

HOUSE = TableRules(incident_policy="house")
PATIENT = TableRules(grace_seconds=5)


class ChairsPlay(Play):
    """A table with players in the chairs: what a game host would say is keyed at the console."""

    def start(self) -> None:
        self.give(i.StationStart("T01", "test", "0", ("shoe",), self.rules, "chairs"))

    def must(self, actor: i.Actor, command: i.AnyCommand) -> None:
        super().must(CONSOLE if actor == HOST else actor, command)


# --- disputed -------------------------------------------------------------------------------


@phase("no_round")
def disputed() -> Play:
    play = cleared()
    play.must(HOST, i.DisputeRound(play.number, "two cards lay askew"))
    return play


@phase("no_round")
def escalated() -> Play:
    play = disputed()
    play.must(PIT, i.AnswerDispute(play.number, "escalate", ""))
    return play


# --- locked ---------------------------------------------------------------------------------


@phase("no_round")
def rules_to_confirm() -> Play:
    """The station began anew with another file."""
    play = open_table()
    play.rules = TableRules(seats=5)
    play.start()
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
    play.new_shoe("S2")
    return play


@phase("no_round")
def disk_low_and_a_clock_that_was_set() -> Play:
    play = rules_to_confirm()
    play.must(PIT, i.ClearLock(play.table.conditions[0].lock, "these are right"))
    play.give(i.ConditionSeen("disk_low", True, {"free": 90, "limit": 200, "rounds": 1440}))
    play.give(i.ConditionSeen("clock_stepped", True, {"seconds": "+3600.0"}))
    return play


# --- held -----------------------------------------------------------------------------------


@phase("held")
def waiting() -> Play:
    play = deciding()
    play.must(CONSOLE, i.Wait())
    return play


@phase("held")
def drawn_during_a_wait() -> Play:
    play = waiting()
    play.card("2H")
    return play


@phase("held")
def stopped_between_rounds() -> Play:
    play = cleared()
    play.must(PIT, i.EmergencyStop())
    return play


@phase("held")
def a_card_fell() -> Play:
    play = deciding()
    play.must(CONSOLE, i.ReportError("floor"))
    return play


@phase("held")
def exposed() -> Play:
    play = deciding()
    play.card("2H")
    return play


@phase("held")
def exposed_in_a_window() -> Play:
    play = follow_double()
    play.card("2H")
    return play


@phase("held")
def exposed_in_betting() -> Play:
    play = betting()
    play.card("2H")
    return play


@phase("held")
def exposed_by_house_rules() -> Play:
    play = open_table(HOUSE).deal("5S 9S 8S 6S 7S")
    play.card("2H")
    return play


@phase("decision_open")
def card_kept() -> Play:
    play = exposed_by_house_rules()
    play.must(PIT, i.Rule(play.table.holds[0].hold, "use", "", None))
    return play


@phase("round_void")
def void_with_a_card_kept() -> Play:
    play = card_kept()
    play.lose_host()
    return play


@phase("held")
def unreadable_at_the_burn() -> Play:
    play = open_table(BURNS)
    for _ in range(3):
        play.give(i.ReadMissed("shoe", "no code", "", "", passed=True))
    return play


def missed(play: Play, reason: str, said: str = "") -> Play:
    """A camera did not tell a card, and has a picture of it."""
    picture = (f.Picture("cam-1.jpg", "1" * 64),)
    play.give(i.ReadMissed("shoe", reason, said, "", passed=True, evidence=picture))
    return play


@phase("held")
def witnesses_disagree() -> Play:
    return missed(dealing(), "witnesses_disagree", "code KH/7; index QH")


@phase("held")
def pushed_back() -> Play:
    return missed(deciding(), "pushed_back")


@phase("held")
def joker_between_rounds() -> Play:
    return missed(open_table(), "joker")


@phase("reader_not_up")
def window_covered() -> Play:
    play = dealing()
    play.give(i.DeviceHealth("shoe", "covered", "", cause="blocked_view"))
    return play


@phase("held")
def duplicate() -> Play:
    play = deciding()
    play.card("5S", deck=1)
    return play


@phase("held")
def foreign() -> Play:
    play = dealing()
    play.card("KH", deck=1, letter="B")
    return play


@phase("held")
def reader_lost() -> Play:
    play = dealing()
    play.card("TS")
    play.give(i.DeviceHealth("shoe", "lost", ""))
    return play


@phase("held")
def reader_back() -> Play:
    play = reader_lost()
    play.give(i.DeviceHealth("shoe", "up", ""))
    return play


@phase("held")
def set_aside() -> Play:
    play = reader_back()
    play.card("QC")
    return play


@phase("host_lost")
def host_lost_with_cards_out() -> Play:
    play = open_table(PATIENT).deal("5S 9S 8S 6S 7S")
    play.lose_host()
    return play


@phase("held")
def begun_anew() -> Play:
    """The station of a house was restarted with cards out."""
    play = open_table(HOUSE).deal("5S 9S 8S 6S 7S")
    play.start()
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
    return play


@phase("held")
def misread() -> Play:
    """The last card was read as another one, it is said."""
    play = deciding()
    play.must(CONSOLE, i.ReportError("wrong_card"))
    return play


@phase("held")
def misread_before_any() -> Play:
    play = betting()
    play.must(CONSOLE, i.ReportError("wrong_card"))
    return play


# --- players in the chairs ------------------------------------------------------------------


@phase("betting_open")
def chairs_betting() -> Play:
    return ChairsPlay().open_table().bet()


@phase("decision_open")
def chairs_deciding() -> Play:
    return ChairsPlay().open_table().deal("5S 9S 8S 6S 7S")


@phase("insurance_window")
def chairs_insurance() -> Play:
    return ChairsPlay().open_table().deal("5S 9S AS 6S 7S")


@phase("no_round")
def chairs_no_dealer() -> Play:
    play = ChairsPlay().open_table()
    play.must(CONSOLE, i.LogOut(DEALER.staff))
    return play


@phase("no_round")
def chairs_idle() -> Play:
    play = ChairsPlay().open_table()
    play.must(HOST, c.TakeSeat(1, "P1"))
    play.must(HOST, c.PlayerLost(1, "P1"))
    return play


@phase("follow_window")
def chairs_follow() -> Play:
    play = backed(ChairsPlay().open_table()).close()
    play.cards("5S 9S 8S 6S 7S")
    return play.act("double")
