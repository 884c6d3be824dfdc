"""No fact, no card and no seat where none is due (R48, A21, A34)."""

from __future__ import annotations

from station.game import commands as c
from station.game import facts as f
from station.game.dealing import Nobody, burn_due, next_expected
from station.game.game import Game
from station.game.rules import TableRules
from station.game.shoe import Shoe
from tests.support.felt import Felt
from tests.support.play import HOST


def test_a34_where_no_bet_behind_is_left_over_nothing_is_returned() -> None:
    felt = Felt().put((1, 2), behind=[("B", 1, 1000)]).close()
    assert felt.of(f.BetsReturned) == []


def test_r48_who_leaves_with_nobody_behind_returns_nothing() -> None:
    felt = Felt().sit(2).put((1,), behind=[("B", 1, 1000)])
    felt.must(HOST, c.LeaveSeat(2, "P2"))
    assert felt.of(f.SeatLeft) == [f.SeatLeft(2, "P2", "left")]
    assert felt.of(f.BetsReturned) == []


def test_a21_a_shoe_that_was_burned_owes_nothing_when_the_rules_ask_for_less() -> None:
    """The rules changed while the shoe was in play."""
    burned = Game(shoe=Shoe("S1", "A", "in_play", burned=3))
    assert burn_due(burned, TableRules(burn=5)) == 2
    assert burn_due(burned, TableRules(burn=3)) == 0
    assert burn_due(burned, TableRules(burn=1)) == 0
    assert next_expected(burned, TableRules(burn=1)) == Nobody("no_round")


def test_a21_only_a_shoe_in_play_owes_a_burn() -> None:
    for state in ("none", "loaded", "out"):
        waiting = Game(shoe=Shoe("S1", "A", state))
        assert burn_due(waiting, TableRules(burn=5)) == 0


def test_nobody_is_no_seat_unless_one_is_named() -> None:
    answer = next_expected(Felt().put((2,)).table.game, TableRules())
    assert isinstance(answer, Nobody)
    assert answer.seat == 0
    asked = next_expected(Felt().put((2,)).dealt("8S 9S 7H").table.game, TableRules())
    assert isinstance(asked, Nobody)
    assert asked.seat == 2
