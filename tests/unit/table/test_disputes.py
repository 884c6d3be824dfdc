"""A misdeal found after settlement: the round stays settled, and no other opens before a person has
answered for it (R59).
"""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.rules import fingerprint
from station.table import inputs as i
from tests.support.felt import Felt
from tests.support.play import CONSOLE, HOST, MANAGER, PIT


def settled(*, cleared: bool = True) -> Felt:
    """Round 1 is settled: the player has won."""
    felt = Felt().put((1,)).dealt("TS 9H 7H").act("stand").drawn("8C")
    assert felt.round.ended == "settled"
    if cleared:
        felt.clear()
    return felt


def opening(felt: Felt) -> c.OpenRound:
    return c.OpenRound(fingerprint(felt.rules))


@pytest.mark.parametrize("who", [HOST, PIT])
def test_r59_no_round_opens_before_a_dispute_is_answered(who: i.Actor) -> None:
    felt = settled()
    felt.must(who, i.DisputeRound(1, "seen on the recording"))
    assert felt.refused(opening(felt)) == ("round_disputed", "R59")
    felt.must(PIT, i.AnswerDispute(1, "accept", "it was right"))
    felt.must(HOST, opening(felt))


def test_r59_a_disputed_round_is_neither_paid_again_nor_voided() -> None:
    felt = settled(cleared=False)
    lines = felt.round.lines
    felt.must(PIT, i.DisputeRound(1, ""))
    void = i.VoidRound(1, "misdeal", felt.table.version)
    assert felt.refused(void, PIT) == ("round_settled_already", "R60")
    felt.clear()
    felt.must(PIT, i.AnswerDispute(1, "accept", ""))
    assert felt.round.lines == lines
    assert len(felt.of(g.RoundSettled)) == 1
    assert not felt.of(g.RoundVoided)


def test_r59_what_was_escalated_only_a_shift_manager_answers() -> None:
    felt = settled()
    felt.must(HOST, i.DisputeRound(1, ""))
    felt.must(PIT, i.AnswerDispute(1, "escalate", "not mine to say"))
    assert felt.refused(i.AnswerDispute(1, "accept", ""), PIT) == ("manager_only", "")
    assert felt.refused(opening(felt)) == ("round_disputed", "R59")
    felt.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
    again = i.AnswerDispute(1, "escalate", "")
    assert felt.refused(again, PIT) == ("escalated_already", "R59")
    felt.must(PIT, i.AnswerDispute(1, "accept", ""))
    felt.must(HOST, opening(felt))


def test_a_dealer_disputes_nothing() -> None:
    felt = settled()
    assert felt.refused(i.DisputeRound(1, ""), CONSOLE) == ("supervisor_only", "R59")


def test_a_dispute_outlives_a_restart() -> None:
    felt = settled()
    felt.must(HOST, i.DisputeRound(1, ""))
    felt.start()
    felt.give(i.LinkUp(HOST.link, "host", "game"))
    felt.give(i.DeviceHealth("shoe", "up", ""))
    assert felt.refused(opening(felt)) == ("round_disputed", "R59")


def test_only_a_settled_round_of_the_last_ones_can_be_disputed() -> None:
    felt = Felt().put((1,))
    assert felt.refused(i.DisputeRound(1, "")) == ("not_settled_yet", "R59")
    felt.must(PIT, i.VoidRound(1, "misdeal", felt.table.version))
    assert felt.refused(i.DisputeRound(1, "")) == ("round_void_already", "R60")
    assert felt.refused(i.DisputeRound(9, "")) == ("round_too_old", "R59")


def test_two_rounds_in_dispute_are_both_answered_for() -> None:
    felt = settled()
    felt.put((1,)).dealt("TD 9D 7D").act("stand").drawn("8D")
    felt.clear()
    for number in (1, 2):
        felt.must(PIT, i.DisputeRound(number, ""))
    assert felt.refused(i.DisputeRound(2, ""), PIT) == ("disputed_already", "R59")
    felt.must(PIT, i.AnswerDispute(2, "accept", ""))
    assert felt.refused(opening(felt)) == ("round_disputed", "R59")
    felt.must(PIT, i.AnswerDispute(1, "accept", ""))
    assert felt.refused(i.AnswerDispute(1, "accept", ""), PIT) == ("not_disputed", "R59")
    felt.must(HOST, opening(felt))
