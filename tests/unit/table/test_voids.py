"""Why a round is void: a supervisor says it from a list, a dealer may only ask (R60, A20)."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from station import messages as m
from station.game import facts as g
from station.game.incidents import REPORTS, void_reason
from station.table import inputs as i
from station.wording import table as words
from tests.support.play import CONSOLE, DEALER, PIT, Play


def asked() -> Play:
    """Cards are out and the dealer has asked for a void."""
    play = Play().open_table().bet().close()
    play.card("TS")
    play.must(CONSOLE, i.ReportError("void_asked"))
    return play


def test_a_dealer_who_asks_for_a_void_holds_the_table_and_nothing_is_paid_back() -> None:
    play = asked()
    assert play.hold_codes == ["dealer_report"]
    assert not play.of(g.RoundVoided)
    assert not play.of(g.ShoeOut)
    play.card("9S")
    assert len(play.of(g.CardDealt)) == 1


def test_a_dealer_who_has_asked_can_neither_void_nor_rule() -> None:
    play = asked()
    hold = play.table.holds[0].hold
    for command in (
        i.VoidRound(play.number, "misdeal", play.table.version),
        i.Rule(hold, "void", "", None),
        i.Rule(hold, "release", "", None),
    ):
        refusal = play.say(CONSOLE, command)
        assert refusal is not None
        assert refusal.code == "supervisor_only"


def test_a_supervisor_who_says_no_lets_the_round_go_on() -> None:
    play = asked()
    play.must(PIT, i.Rule(play.table.holds[0].hold, "release", "no mistake", None))
    play.card("9S")
    assert len(play.of(g.CardDealt)) == 2
    assert not play.of(g.RoundVoided)


def test_a_supervisor_who_grants_it_returns_every_bet_once_and_the_shoe_goes_out() -> None:
    play = asked()
    play.must(PIT, i.Rule(play.table.holds[0].hold, "void", "as asked", None))
    (void,) = play.of(g.RoundVoided)
    assert isinstance(void, g.RoundVoided)
    assert (void.reason, void.note) == ("void_asked", "as asked")
    assert void.by not in (DEALER, g.STATION)
    assert [line.bet for line in void.lines] == [bet.bet for bet in play.round.bets]
    assert all(line.returned == line.stake for line in void.lines)
    assert play.table.game.shoe.state == "out"


@pytest.mark.parametrize("note", ["", "   "])
def test_another_reason_than_those_of_the_list_is_written_down(note: str) -> None:
    play = Play().open_table().bet()
    refusal = play.say(PIT, i.VoidRound(play.number, "other", play.table.version, note))
    assert refusal is not None
    assert refusal.code == "note_needed"
    assert not play.of(g.RoundVoided)
    play.must(PIT, i.VoidRound(play.number, "other", play.table.version, "a fight at seat 3"))
    (void,) = play.of(g.RoundVoided)
    assert isinstance(void, g.RoundVoided)
    assert void.note == "a fight at seat 3"


@pytest.mark.parametrize("reason", ["", "because", "Misdeal", "misdeal "])
def test_no_other_word_is_a_reason(reason: str) -> None:
    line = msgspec.json.encode(
        {"type": "void_round", "round": 1, "reason": reason, "expected_version": 1}
    )
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=m.AnyCommand)


@pytest.mark.parametrize("what", sorted(REPORTS))
def test_a_void_by_ruling_is_for_what_was_reported(what: str) -> None:
    assert void_reason("dealer_report", {"what": what}) == what
    assert what in words.REPORTS


@pytest.mark.parametrize("reason", get_args(m.VoidReason))
def test_each_reason_has_its_words(reason: str) -> None:
    assert all(words.VOIDS[reason])
