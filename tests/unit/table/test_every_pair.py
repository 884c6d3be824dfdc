"""Every pair of phase and command: a refused command changes no round, shoe or money, and says why.

The phases are reached by playing; the commands are every one there is, in a sound and an unsound
form, said from every kind of link.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest

from station.game import round as r
from station.game.refusal import Refusal
from station.game.rules import fingerprint
from station.table import inputs as i
from station.table.facts import CommandAnswered, PinRefused
from station.wording.refusals import REFUSALS
from tests.support.play import CONSOLE, DEALER, HOST, PIT, STAFF, SUPERVISOR, Play


def closed() -> Play:
    return Play()


def no_shoe() -> Play:
    play = Play()
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.must(CONSOLE, i.LogIn(DEALER.staff, DEALER))
    play.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
    return play


def shoe_loaded() -> Play:
    play = no_shoe()
    play.must(PIT, i.LoadShoe("S1", "A"))
    return play


def idle() -> Play:
    return Play().open_table()


def betting() -> Play:
    return idle().bet()


def dealing() -> Play:
    return betting().close()


def second_pass() -> Play:
    return idle().deal("TS 9S 8S 7S")


def deciding() -> Play:
    return idle().deal("5S 9S 8S 6S 7S")


def drawing() -> Play:
    return deciding().act("hit")


def dealer() -> Play:
    return deciding().act("stand", "stand")


def result() -> Play:
    play = dealer()
    play.cards("TH")
    return play


def cleared() -> Play:
    play = result()
    play.clear()
    return play


def void() -> Play:
    play = deciding()
    play.must(PIT, i.VoidRound(play.number, "misdeal", play.table.version))
    return play


def waiting() -> Play:
    play = deciding()
    play.must(CONSOLE, i.Wait())
    return play


def exposed() -> Play:
    play = deciding()
    play.card("2H")
    return play


def reader_lost() -> Play:
    play = dealing()
    play.card("TS")
    play.give(i.DeviceHealth("shoe", "lost", ""))
    return play


def host_lost_in_betting() -> Play:
    play = betting()
    play.give(i.LinkDown(HOST.link, "host", "game", "closed"))
    return play


PHASES: list[Callable[[], Play]] = [
    closed,
    no_shoe,
    shoe_loaded,
    idle,
    betting,
    dealing,
    second_pass,
    deciding,
    drawing,
    dealer,
    result,
    cleared,
    void,
    waiting,
    exposed,
    reader_lost,
    host_lost_in_betting,
]


def commands(play: Play) -> list[i.AnyCommand]:
    """Every command there is, sound and unsound, as fits where the table is."""
    table = play.table
    number = table.game.rounds
    asked = table.game.round.asked if table.game.round else None
    decision, seat = (asked.decision, asked.seat) if asked else (1, 1)
    hold = table.holds[0].hold if table.holds else 1
    shoe, version = table.game.shoe.id or "S1", table.version
    return [
        r.OpenRound(fingerprint(table.rules)),
        r.OpenRound("f" * 64),
        r.TakeSeat(2, "P2"),
        r.TakeSeat(1, "other"),
        r.TakeSeat(5, "P1"),
        r.LeaveSeat(1, "P1"),
        r.LeaveSeat(7, "nobody"),
        r.PlaceBet(number, 1, "P1", 1000),
        r.PlaceBet(number, 4, "P4", 1000),
        *(r.PlaceBet(number, 1, "P1", amount) for amount in (-1, 0, 1, 999, 1001, 10**9)),
        r.PlaceBet(number + 1, 1, "P1", 1000),
        r.CloseBetting(number),
        r.CloseBetting(number + 1),
        r.Decide(number, decision, seat, 1, "hit"),
        r.Decide(number, decision, seat, 1, "stand"),
        r.Decide(number, decision + 1, seat, 1, "hit"),
        r.Decide(number, decision, seat + 1, 1, "hit"),
        r.Decide(number + 1, decision, seat, 1, "hit"),
        r.Cleared(number),
        r.Cleared(number + 1),
        i.LogIn("1001", DEALER),
        i.LogIn("1001", None),
        i.LogIn("2001", SUPERVISOR),
        i.LogOut("1001"),
        i.LogOut("2001"),
        i.LogOut("nobody"),
        i.Wait(),
        i.Resume(hold),
        i.Resume(hold + 1),
        i.EmergencyStop(),
        i.ReportError("misdeal"),
        i.CallSupervisor("help"),
        i.AnswerCall(),
        *(i.Rule(hold, ruling, "", None) for ruling in ("release", "aligned", "burn", "void")),
        i.Rule(hold + 1, "release", "", None),
        i.Rule(hold, "void", "", 0),
        i.VoidRound(number, "because", version),
        i.VoidRound(number + 1, "because", version),
        i.VoidRound(number, "because", 0),
        i.LoadShoe("S9", "A"),
        i.ReleaseShoe(shoe, version),
        i.ReleaseShoe("S9", version),
    ]


def test_every_command_there_is_has_its_cases() -> None:
    said = {type(command) for command in commands(deciding())}
    assert said == set(get_args(r.AnyGameCommand)) | set(get_args(i.AnyTableCommand))


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
def test_a_refused_command_changes_nothing_and_says_why(phase: Callable[[], Play]) -> None:
    play = phase()
    before = play.table
    refused: list[Refusal] = []
    for actor in (HOST, CONSOLE, PIT, STAFF):
        for command in commands(play):
            play.table = before
            decision = play.give(
                i.Commanded("id/1", "0" * 64, type(command).__name__, actor, command)
            )
            after, refusal = decision.after, decision.refusal
            if refusal is None:
                continue
            refused.append(refusal)
            kinds = {type(fact) for fact in decision.facts}
            assert kinds <= {CommandAnswered, PinRefused}, (actor, command)
            assert after.game == before.game, (actor, command)
            assert (after.holds, after.changed) == (before.holds, before.changed)
            assert (after.dealer, after.signed) == (before.dealer, before.signed)
            assert refusal.code in REFUSALS, refusal.code
    assert len(refused) > 40


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
def test_what_why_not_allows_decide_does(phase: Callable[[], Play]) -> None:
    """The two never disagree."""
    from station.table.why_not import why_not

    play = phase()
    before = play.table
    for actor in (HOST, CONSOLE, PIT, STAFF):
        for command in commands(play):
            play.table = before
            answer = play.say(actor, command)
            assert answer == why_not(before, actor, command)


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
def test_every_phase_says_where_the_next_card_goes_or_why_none_may_come(
    phase: Callable[[], Play],
) -> None:
    from station.game.dealing import Nobody
    from station.table.state import expected
    from station.wording.table import PROMPTS

    answer = expected(phase().table)
    if isinstance(answer, Nobody):
        assert answer.code in PROMPTS
