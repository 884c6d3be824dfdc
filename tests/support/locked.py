"""A table that one lock after the other is put on, each in the way it comes about at a table."""

from __future__ import annotations

from collections.abc import Callable

from station.game import commands as c
from station.game.refusal import refuse
from station.game.rules import TableRules, fingerprint
from station.table import inputs as i
from station.table.conditions import Condition
from station.table.facts import Person
from station.table.locks import CONDITIONS, HOST_RULES, KINDS, RULES_CHANGED
from tests.support.play import CONSOLE, DEALER, HOST, PIT, Play

TECHNICIAN = Person("4001", "최민호", "technician")
PARAMS: dict[str, dict[str, str | int]] = {
    "disk_low": {"free": 90, "limit": 200, "rounds": 1440},
    "evidence_disk_low": {"free": 90, "limit": 200},
    "self_check_failed": {"count": 1, "first": "station/game/settlement.py"},
    "rules_differ": {"file": "f" * 8, "table": "0" * 8},
    "clock_stepped": {"seconds": "+3600.0"},
    "clock_unsynced": {"limit": "2"},
    "shoe_too_old": {"shoe": "S1", "hours": 24},
    RULES_CHANGED: {"before": "f" * 8, "now": "0" * 8},
    HOST_RULES: {"host": "f" * 8, "table": "0" * 8},
}


def open_round(play: Play) -> c.OpenRound:
    return c.OpenRound(fingerprint(play.table.rules))


def seen(code: str, *, stands: bool = True) -> i.ConditionSeen:
    """As the watch tells it."""
    return i.ConditionSeen(code, stands, PARAMS.get(code, {}) if stands else {})


def condition(play: Play, code: str) -> Condition:
    """The one of that code."""
    return next(one for one in play.table.conditions if one.code == code)


def _condition(code: str) -> Callable[[Play], None]:
    return lambda play: void(play.give(seen(code)))


def void(_given: object) -> None:
    """What happened is seen at the table."""


def _duty(code: str) -> Callable[[Play], None]:
    refusal = refuse(code, "", staff=DEALER.staff, until="2026-01-01", since="-", table="T02")
    return lambda play: void(play.give(i.LicenceOver(DEALER.staff, refusal)))


def _burn(play: Play) -> None:
    play.rules = TableRules(burn=2)
    play.give(i.StationStart("T01", "test", "0", ("shoe",), play.rules))
    play.open_table()
    play.must(PIT, i.ClearLock(condition(play, RULES_CHANGED).lock, "burn it is"))


def _disputed(play: Play) -> None:
    play.deal("TS 9H 7H", (1,)).act("stand").card("8C")
    play.clear()
    play.must(HOST, i.DisputeRound(play.number, ""))


# How each lock comes about at an open table between rounds, by its code.
MADE: dict[str, Callable[[Play], None]] = {
    "shoe_not_in_play": lambda play: play.must(PIT, i.LoadShoe("S2", "A")),
    "shoe_change_due": lambda play: void(play.give(i.CutCardSeen("shoe", "ACUT", "", "A"))),
    "burn_due": _burn,
    "table_holds": lambda play: void(play.give(i.DeviceFault("shoe", "own", "worn"))),
    "table_paused": lambda play: play.must(CONSOLE, i.PauseTable()),
    "table_closed": lambda play: play.must(PIT, i.CloseTable()),
    "no_dealer": lambda play: play.must(CONSOLE, i.LogOut(DEALER.staff)),
    "round_disputed": _disputed,
    "reader_not_up": lambda play: void(
        play.give(i.DeviceHealth("shoe", "covered", "", cause="blocked_view"))
    ),
    "host_is_lost": lambda play: void(play.lose_host()),
    **{
        code: _duty(code)
        for code in ("person_disabled", "no_licence", "licence_over", "game_not_permitted")
    },
    **{code: _duty(code) for code in ("game_permission_over", "pin_is_once", "at_another_table")},
    **{code: _condition(code) for code in CONDITIONS},
}
assert set(MADE) == set(KINDS)


def locked(code: str) -> Play:
    """An open table, between rounds, that nothing but that keeps from its next round."""
    play = Play().open_table()
    MADE[code](play)
    return play
