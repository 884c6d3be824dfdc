"""A press as a command: bound to what the screen showed, or nothing at all."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from station import messages as m
from station import snapshot as v
from tests.ui import chairs, fixtures, games
from ui.intents import command_for


def test_a_decision_that_is_no_longer_asked_is_nothing() -> None:
    """The key carries the decision it was drawn for; the hand after it is another's."""
    snapshot = chairs.chairs_deciding()
    assert command_for("decide:hit", "9", "", snapshot) == m.Decide(12845, 9, 4, 1, "hit")
    later = replace(snapshot, decision=v.DecisionView(10, 5, 1, ["hit"]))
    assert command_for("decide:hit", "9", "", later) is None
    assert command_for("decide:hit", "9", "", replace(snapshot, decision=None)) is None


@pytest.mark.parametrize("verb", ["insure", "follow"])
def test_an_answer_without_a_question_is_nothing(verb: str) -> None:
    assert command_for(f"{verb}:yes", "chair-3", "", fixtures.drawing()) is None
    assert command_for(f"{verb}:perhaps", "chair-3", "", games.insurance()) is None


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("decide:fold", "9"),
        ("place_bet:insurance", "3"),
        ("place_bet:main", ""),
        ("take_seat", "x"),
        ("rule:forget", "5"),
        ("nothing", ""),
    ],
)
def test_what_no_key_says_is_nothing(name: str, target: str) -> None:
    assert command_for(name, target, "", chairs.chairs_deciding()) is None


def test_a_bet_without_an_amount_leaves_it_to_the_table() -> None:
    """The nominal unit is the station's to fill in."""
    snapshot = chairs.chairs_betting()
    assert command_for("place_bet:pair", "3", "", snapshot) == m.PlaceBet(12845, 3, kind="pair")
    keyed = command_for("place_bet:behind", "3", "2500", snapshot)
    assert keyed == m.PlaceBet(12845, 3, amount=2500, kind="behind")
