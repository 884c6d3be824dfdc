"""What the dealer forgot to press a supervisor presses for him, and it is booked under his name."""

from __future__ import annotations

from station.game import commands as c
from station.game.rules import fingerprint
from station.table import facts as f
from station.table import inputs as i
from tests.support.felt import Felt
from tests.support.phases_held import ChairsPlay
from tests.support.play import CONSOLE, PIT, STAFF, Play


def by(play: Play) -> str:
    answered = play.facts[-1]
    assert isinstance(answered, f.CommandAnswered)
    return answered.by


def test_cleared_is_pressed_by_a_supervisor_at_the_pit() -> None:
    felt = Felt().put((1,)).dealt("TS 9H 7H").act("stand").drawn("8C")
    assert felt.refused(c.Cleared(1), STAFF) == ("supervisor_only", "R59")
    felt.must(PIT, c.Cleared(1))
    assert felt.round.ended == "cleared"
    assert by(felt) == "2001"


def test_cleared_at_the_console_is_the_dealers_though_a_supervisor_stands_there_too() -> None:
    felt = Felt().put((1,)).dealt("TS 9H 7H").act("stand").drawn("8C")
    felt.must(CONSOLE, c.Cleared(1))
    assert by(felt) == "1001"


def test_start_is_pressed_by_a_supervisor_where_the_players_sit_at_the_table() -> None:
    play = ChairsPlay(host="chairs")
    play.open_table()
    play.must(CONSOLE, c.TakeSeat(1, "P1"))
    assert play.say(STAFF, c.OpenRound(fingerprint(play.rules))) is not None
    play.must(PIT, c.OpenRound(fingerprint(play.rules)))
    assert by(play) == "2001"
    assert play.say(PIT, c.PlaceBet(1, 1, "P1", 1000)) is not None, "money is the dealer's to key"
    play.must(CONSOLE, i.Wait())
