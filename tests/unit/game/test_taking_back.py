"""A bet put down by mistake comes back while betting is open (R11, R13, R14)."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from tests.support.felt import Felt
from tests.support.play import HOST


def bets(felt: Felt) -> list[tuple[str, str, int, int]]:
    """Each line of the round: kind, result, stake, returned."""
    return [(line.kind, line.result, line.stake, line.returned) for line in felt.round.lines]


def test_r13_a_main_bet_comes_back_with_its_pair_bet_and_may_be_put_down_again() -> None:
    felt = Felt().put((1, 2), pair={1: 100})
    felt.must(HOST, c.TakeBack(1, 1, "P1", "main"))
    assert bets(felt) == [
        ("main", "taken_back", 1000, 1000),
        ("pair", "taken_back", 100, 100),
    ]
    assert felt.refused(c.TakeBack(1, 1, "P1", "main")) == ("no_such_bet", "R13")
    assert felt.refused(felt.stake(1, 100, "pair")) == ("main_bet_first", "R14")
    felt.must(HOST, felt.stake(1, 2500, "main"))
    felt.dealt("TS 9S 8S 9D 8D").act("stand", "stand").card("9H")
    mains = [line for line in felt.round.lines if line.kind == "main" and line.seat == 1]
    assert [(line.result, line.returned) for line in mains] == [
        ("taken_back", 1000),
        ("win", 5000),
    ]


def test_r14_a_pair_bet_alone_comes_back_and_the_main_bet_stays() -> None:
    felt = Felt().put((1,), pair={1: 100})
    felt.must(HOST, c.TakeBack(1, 1, "P1", "pair"))
    assert bets(felt) == [("pair", "taken_back", 100, 100)]
    felt.dealt("TS 8S TH").act("stand").card("9H")
    assert felt.paid()["P1 main 1/1"] == ("win", 2000)


def test_a5_a_seat_whose_main_bet_was_taken_back_is_not_dealt_to_and_those_behind_get_theirs() -> (
    None
):
    felt = Felt().put((1, 2), behind=[("B", 1, 1000)])
    felt.must(HOST, c.TakeBack(1, 1, "P1", "main"))
    felt.close()
    assert [box.seat for box in felt.round.boxes] == [2]
    assert bets(felt) == [
        ("main", "taken_back", 1000, 1000),
        ("behind", "returned", 1000, 1000),
    ]


def test_a_player_whose_bet_was_taken_back_may_leave() -> None:
    felt = Felt().put((1,))
    felt.must(HOST, c.TakeBack(1, 1, "P1", "main"))
    felt.must(HOST, c.LeaveSeat(1, "P1"))
    assert felt.seated == []


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (c.TakeBack(1, 1, "P2", "main"), "no_such_bet"),
        (c.TakeBack(1, 3, "P1", "main"), "no_such_bet"),
        (c.TakeBack(1, 1, "P1", "behind"), "no_such_bet"),
        (c.TakeBack(2, 1, "P1", "main"), "stale_round"),
    ],
)
def test_r13_only_a_bet_that_is_there_comes_back(command: c.TakeBack, code: str) -> None:
    felt = Felt().put((1, 2))
    assert felt.refused(command)[0] == code


def test_r11_nothing_comes_back_once_betting_has_closed() -> None:
    felt = Felt().put((1,)).close()
    assert felt.refused(c.TakeBack(1, 1, "P1", "main")) == ("betting_closed", "R11")


def test_r60_a_void_returns_what_is_there_and_not_what_was_taken_back() -> None:
    felt = Felt().put((1,), behind=[("B", 1, 3000)])
    felt.must(HOST, c.TakeBack(1, 1, "B", "behind"))
    felt.dealt("TS")
    felt.lose_host()
    assert bets(felt) == [("behind", "taken_back", 3000, 3000), ("main", "void", 1000, 1000)]
    taken = sum(fact.amount for fact in felt.of(g.BetPlaced) if isinstance(fact, g.BetPlaced))
    assert taken == sum(line.returned for line in felt.round.lines)
