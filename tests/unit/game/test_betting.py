"""Seats and bets, by the rules they prove: who sits, who bets where and how much, and when."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.commands import PlacedKind
from station.game.rules import TableRules
from tests.support.felt import Felt
from tests.support.play import HOST

# --- R11-R13, A4, A5: seats and the time of bets ------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "player", "why"),
    [
        (1, "other", "seat_taken"),
        (2, "P1", "one_seat_a_player"),
        (8, "other", "no_such_seat"),
        (2, "", "player_needed"),
    ],
)
def test_r11_each_player_picks_at_most_one_seat(seat: int, player: str, why: str) -> None:
    felt = Felt().sit(1)
    rule = "A21" if why == "no_such_seat" else "R11"
    assert felt.refused(c.TakeSeat(seat, player)) == (why, rule)
    assert felt.seated == [1]


def test_r11_a_player_who_left_his_seat_may_take_another() -> None:
    felt = Felt().sit(1)
    felt.must(HOST, c.LeaveSeat(1, "P1"))
    felt.must(HOST, c.TakeSeat(7, "P1"))
    assert felt.seated == [7]


@pytest.mark.parametrize("kind", ["main", "pair", "behind", "behind_pair"])
def test_r11_bets_are_taken_until_the_countdown_ends_and_not_after(kind: PlacedKind) -> None:
    felt = Felt().sit(2).put((1,))
    player = "B" if kind.startswith("behind") else "P2"
    if kind == "pair":
        felt.must(HOST, felt.stake(2))
    felt.fire("betting")
    assert felt.refused(felt.stake(2, 1000, kind, player)) == ("betting_closed", "R11")
    felt.card("5S")
    assert felt.refused(felt.stake(2, 1000, kind, player)) == ("betting_closed", "R11")


def test_a7_betting_closes_at_its_time_or_earlier_when_the_host_says_so() -> None:
    felt = Felt().put((1,))
    assert felt.running == {"betting": 15}
    felt.fire("betting")
    early = Felt().put((1,)).close()
    closed = [fact for table in (felt, early) for fact in table.of(g.BettingClosed)]
    assert [fact.by for fact in closed if isinstance(fact, g.BettingClosed)] == [
        "countdown",
        "host",
    ]
    assert "betting" not in early.running


def test_r12_a4_who_comes_in_mid_round_waits_for_the_next_to_sit_and_to_bet_behind() -> None:
    felt = Felt().put((1,)).dealt("TS 9S 8S")
    assert felt.refused(c.TakeSeat(2, "late")) == ("round_running", "R12")
    late = felt.stake(1, 1000, "behind", "late")
    assert felt.refused(late) == ("betting_closed", "R11")
    felt.act("stand").card("9H")
    felt.must(HOST, c.TakeSeat(2, "late"))
    felt.clear()
    felt.put((1,), behind=[("other", 1, 1000)])
    felt.must(HOST, felt.stake(2, 1000, "main", "late"))


def test_r12_no_round_opens_while_one_is_not_cleared() -> None:
    felt = Felt().put((1,))
    opening = c.OpenRound(felt.round.fingerprint)
    for _ in range(2):
        assert felt.refused(opening) == ("round_running", "R12")
        felt.dealt("TS 9S TH").act("stand").card("9H")
        assert felt.refused(opening) == ("round_running", "R12")
        felt.clear()
        felt.put((1,))


def test_r12_a_player_with_a_bet_in_play_does_not_leave() -> None:
    felt = Felt().put((1,))
    assert felt.refused(c.LeaveSeat(1, "P1")) == ("bet_in_play", "")


def test_r13_only_who_sits_there_places_its_main_bet_and_one_alone() -> None:
    felt = Felt().put((1,)).sit(2)
    assert felt.refused(felt.stake(3)) == ("not_seated", "R13")
    assert felt.refused(felt.stake(2, player="P1")) == ("not_seated", "R13")
    assert felt.refused(felt.stake(2, player="passer-by")) == ("not_seated", "R13")
    assert felt.refused(felt.stake(1, 5000)) == ("bet_already_placed", "R13")
    assert [(bet.seat, bet.amount) for bet in felt.round.bets] == [(1, 1000)]


def test_r13_a5_a_seat_without_a_confirmed_main_bet_is_not_dealt_to() -> None:
    felt = Felt().sit(1, 2, 4)
    felt.open_round()
    for seat in (4, 1):
        felt.must(HOST, felt.stake(seat))
    felt.close()
    assert [box.seat for box in felt.round.boxes] == [1, 4]


def test_a5_who_plays_is_frozen_when_betting_closes() -> None:
    felt = Felt().sit(2).put((5, 3)).close()
    felt.must(HOST, c.LeaveSeat(2, "P2"))
    assert felt.refused(c.TakeSeat(2, "new")) == ("round_running", "R12")
    assert felt.refused(c.LeaveSeat(3, "P3")) == ("bet_in_play", "")
    assert [box.seat for box in felt.round.boxes] == [3, 5]


# --- R14, R41-R43, R48, R49: what else may be bet, and by whom ---------------------------------


def test_r14_a29_a_seated_players_pair_bet_comes_after_his_main_bet() -> None:
    felt = Felt().sit(1)
    felt.open_round()
    assert felt.refused(felt.stake(1, 100, "pair")) == ("main_bet_first", "R14")
    felt.must(HOST, felt.stake(1))
    felt.must(HOST, felt.stake(1, 100, "pair"))
    assert felt.refused(felt.stake(1, 100, "pair")) == ("bet_already_placed", "R13")


def test_r42_a29_a_player_behind_may_place_a_pair_bet_alone() -> None:
    felt = Felt().put((1,), behind_pair=[("B", 1, 100)]).dealt("8S 9S 8H")
    felt.act("stand").card("9H")
    assert felt.paid() == {"P1 main 1/1": ("lose", 0), "B behind_pair 1": ("win", 1200)}


def test_r43_a_seated_player_bets_the_pair_of_his_own_hand_only() -> None:
    felt = Felt().put((1, 2))
    assert felt.refused(felt.stake(2, 100, "pair", "P1")) == ("not_seated", "R43")
    for kind in ("behind", "behind_pair"):
        bet = felt.stake(2, 1000, kind, "P1")
        assert felt.refused(bet) == ("seated_may_not_bet_behind", "R49")


def test_r41_r43_r48_a_player_behind_bets_and_pairs_on_several_seats() -> None:
    felt = Felt().put(
        (1, 4, 7),
        behind=[("B", 1, 1000), ("B", 4, 2000), ("B", 7, 3000)],
        behind_pair=[("B", 4, 100), ("B", 7, 200)],
    )
    # 4: a pair of sevens, 14; 7: 20; 1: 18. The dealer has 19.
    felt.dealt("TS 7S TD 9S 8S 7H KD").act("stand", "stand", "stand").card("TC")
    assert {name: back for name, back in felt.paid().items() if name.startswith("B")} == {
        "B behind 1/1": ("lose", 0),
        "B behind 4/1": ("lose", 0),
        "B behind 7/1": ("win", 6000),
        "B behind_pair 4": ("win", 1200),
        "B behind_pair 7": ("lose", 0),
    }


@pytest.mark.parametrize("kind", ["behind", "behind_pair"])
def test_r48_nobody_bets_behind_an_empty_seat(kind: PlacedKind) -> None:
    felt = Felt().put((1,))
    assert felt.refused(felt.stake(2, 1000, kind, "B")) == ("seat_empty", "R48")
    assert felt.refused(felt.stake(8, 1000, kind, "B")) == ("no_such_seat", "A21")


def test_r48_a21_fifty_players_stand_behind_a_seat_and_the_51st_does_not() -> None:
    felt = Felt().put((1, 2), behind=[(f"B{number}", 1, 1000) for number in range(1, 50)])
    felt.must(HOST, felt.stake(1, 100, "behind_pair", "B50"))
    for kind in ("behind", "behind_pair"):
        bet = felt.stake(1, 1000, kind, "B51")
        assert felt.refused(bet) == ("behind_full", "A21")
    # Who stands there already may add the other kind; another seat is not full.
    felt.must(HOST, felt.stake(1, 1000, "behind", "B50"))
    felt.must(HOST, felt.stake(1, 100, "behind_pair", "B1"))
    felt.must(HOST, felt.stake(2, 1000, "behind", "B51"))


@pytest.mark.parametrize("kind", ["behind", "behind_pair"])
def test_r49_a25_a_seated_player_bets_behind_no_seat_at_all(kind: PlacedKind) -> None:
    felt = Felt().put((1, 2)).sit(5)
    for seat, player in ((2, "P1"), (1, "P1"), (1, "P5")):
        bet = felt.stake(seat, 1000, kind, player)
        assert felt.refused(bet) == ("seated_may_not_bet_behind", "R49")


@pytest.mark.parametrize("kind", ["behind", "behind_pair"])
def test_r49_a_player_behind_does_not_sit_until_his_bets_are_over(kind: PlacedKind) -> None:
    felt = Felt().put((1,))
    felt.must(HOST, felt.stake(1, 1000, kind, "B"))
    assert felt.refused(c.TakeSeat(2, "B")) == ("behind_may_not_sit", "R49")
    felt.dealt("TS 9S TH").act("stand").card("9H")
    felt.must(HOST, c.TakeSeat(2, "B"))


def test_r41_who_stands_behind_changes_nothing_of_the_seated_hand() -> None:
    alone = Felt().put((1,))
    watched = Felt().put((1,), behind=[("B", 1, 5000)])
    for felt in (alone, watched):
        felt.dealt("8S 6S 8H").act("split")
        if felt is watched:
            felt.answer(B=False)
        felt.drawn("TS 3H").act("stand")
        assert felt.legal == {"hit", "stand", "double"}
        felt.act("hit").drawn("9D").act("stand").drawn("TD 5D")
    own = {name: back for name, back in watched.paid().items() if name.startswith("P1")}
    assert own == alone.paid() == {"P1 main 1/1": ("lose", 0), "P1 main 1/2": ("lose", 0)}


# --- A21, A26: how much ------------------------------------------------------------------------

LIMITS: list[tuple[PlacedKind, int, str]] = [
    ("main", -1, "bet_below_minimum"),
    ("main", 0, "bet_below_minimum"),
    ("main", 900, "bet_below_minimum"),
    ("main", 999, "bet_below_minimum"),
    ("main", 1_000, ""),
    ("main", 1_001, "bet_off_step"),
    ("main", 1_050, "bet_off_step"),
    ("main", 1_100, ""),
    ("main", 1_000_000, ""),
    ("main", 1_000_001, "bet_above_maximum"),
    ("main", 1_000_100, "bet_above_maximum"),
    ("behind", -1, "bet_below_minimum"),
    ("behind", 0, "bet_below_minimum"),
    ("behind", 900, "bet_below_minimum"),
    ("behind", 1_000, ""),
    ("behind", 1_050, "bet_off_step"),
    ("behind", 1_000_000, ""),
    ("behind", 1_000_100, "bet_above_maximum"),
    ("pair", -1, "bet_below_minimum"),
    ("pair", 0, "bet_below_minimum"),
    ("pair", 99, "bet_below_minimum"),
    ("pair", 100, ""),
    ("pair", 101, ""),  # 11:1 of any whole amount is whole: a Pair bet has no step
    ("pair", 100_000, ""),
    ("pair", 100_001, "bet_above_maximum"),
    ("behind_pair", -1, "bet_below_minimum"),
    ("behind_pair", 0, "bet_below_minimum"),
    ("behind_pair", 99, "bet_below_minimum"),
    ("behind_pair", 100, ""),
    ("behind_pair", 100_000, ""),
    ("behind_pair", 100_001, "bet_above_maximum"),
]


@pytest.mark.parametrize(("kind", "amount", "why"), LIMITS)
def test_a21_a26_limits_and_step_of_every_kind_of_bet(
    kind: PlacedKind, amount: int, why: str
) -> None:
    felt = Felt().put((1,)).sit(2)
    seat, player = (2, "P2") if kind == "main" else (1, "P1" if kind == "pair" else "B")
    bet = felt.stake(seat, amount, kind, player)
    if why:
        assert felt.refused(bet)[0] == why
        assert len(felt.round.bets) == 1
    else:
        felt.must(HOST, bet)
        assert [(last.kind, last.amount) for last in felt.round.bets[1:]] == [(kind, amount)]


def test_a26_three_to_two_and_halves_are_exact_at_the_odd_multiple_of_a_step() -> None:
    """1,100 is no multiple of 200: 3:2 of it is 1,650, one half 550; of a step of 2, also."""
    felt = Felt().put({1: 1100, 2: 1100}).dealt("AS TH 9S KH 6H").act("surrender")
    assert felt.drawn("TD").paid() == {
        "P1 main 1/1": ("blackjack_win", 2750),
        "P2 main 2/1": ("surrender", 550),
    }
    small = Felt(TableRules(main_min=2, bet_step=2)).put({1: 1002}).dealt("AS 9S KS")
    assert small.drawn("TC").paid() == {"P1 main 1/1": ("blackjack_win", 2505)}


# --- A34, R48: bets behind a seat nobody plays -------------------------------------------------


def test_a34_bets_behind_a_seat_without_a_main_bet_come_back_once_when_betting_closes() -> None:
    felt = Felt().sit(2).put((1,), behind=[("B", 2, 3000), ("B", 1, 1000)])
    felt.must(HOST, felt.stake(2, 500, "behind_pair", "B"))
    assert felt.paid() == {}
    felt.fire("betting")
    back = {"B behind 2/1": ("returned", 3000), "B behind_pair 2": ("returned", 500)}
    assert felt.paid() == back
    felt.drawn("TS 9S TH").act("stand").drawn("8H")
    assert felt.paid() == back | {"P1 main 1/1": ("win", 2000), "B behind 1/1": ("win", 2000)}
    assert len(felt.of(g.BetsReturned)) == 1


def test_a34_what_came_back_at_closing_is_not_returned_again_by_a_void() -> None:
    felt = Felt().sit(2).put((1,), behind=[("B", 2, 3000)]).dealt("TS")
    felt.lose_host()
    assert felt.paid() == {
        "B behind 2/1": ("returned", 3000),
        "P1 main 1/1": ("void", 1000),
    }


def test_a34_with_no_main_bet_at_all_the_bets_behind_come_back_and_the_round_is_over() -> None:
    felt = Felt().sit(2).put((), behind=[("B", 2, 3000)])
    felt.fire("betting")
    assert felt.paid() == {"B behind 2/1": ("returned", 3000)}
    assert felt.round.ended == "cleared"


def test_r48_who_bet_behind_a_player_who_leaves_has_his_bets_back_and_may_bet_again() -> None:
    felt = Felt().sit(2).put((1,), behind=[("B", 2, 3000)])
    felt.must(HOST, c.LeaveSeat(2, "P2"))
    assert felt.paid() == {"B behind 2/1": ("returned", 3000)}
    felt.must(HOST, c.TakeSeat(2, "next"))
    felt.must(HOST, felt.stake(2, 2000, "behind", "B"))
    felt.close()
    assert [(line.bet, line.returned) for line in felt.round.lines] == [(2, 3000), (3, 2000)]
