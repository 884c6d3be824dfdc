"""R20, R21: decisions are numbered on, whoever makes them."""

from __future__ import annotations

from station.game import commands as c
from station.game import facts as g
from tests.support.felt import Felt
from tests.support.play import HOST


def numbers(felt: Felt) -> list[tuple[int, str]]:
    """Every decision that was made: its number, and by whom."""
    made = felt.of(g.DecisionMade)
    return [(fact.decision, fact.by) for fact in made if isinstance(fact, g.DecisionMade)]


def test_r21_each_decision_of_a_round_has_its_own_number_whoever_makes_it() -> None:
    """An answer names the decision: two of one number could not be told apart."""
    felt = Felt().sit(1).put((1, 2))
    felt.must(HOST, c.PlayerLost(1, "P1"))
    felt.dealt("2S 6S 9S 2H 6H").drawn("2D 3D TD")
    assert numbers(felt) == [(1, "station"), (2, "station"), (3, "station"), (4, "station")]
    assert felt.round.asked is not None
    assert felt.round.asked.decision == 5
    felt.act("stand")
    assert numbers(felt)[-1] == (5, "player")


def test_r20_a_decision_that_is_asked_and_not_made_in_time_keeps_its_number_to_itself() -> None:
    felt = Felt().put((1,)).dealt("2S 9S 3H")
    felt.fire("decision")
    assert numbers(felt) == [(2, "station")]
    assert felt.round.asked is None
