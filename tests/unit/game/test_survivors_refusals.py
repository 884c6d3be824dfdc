"""Each refusal of the game with its code, the rule it rests on, and what it names."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game.game import Game
from station.game.refusal import Refusal
from station.game.round import why_not
from station.game.rules import TableRules, fingerprint
from tests.support.felt import Felt
from tests.support.play import CONSOLE, HOST

RULES = TableRules()


def no(code: str, rule: str, **params: str | int) -> Refusal:
    return Refusal(code, rule, params)


def why(felt: Felt, command: c.AnyGameCommand) -> Refusal | None:
    return why_not(felt.table.game, felt.rules, command)


# --- R11, R12, R49: seats -----------------------------------------------------------------------


def test_r11_a_seat_is_a_named_players_alone_and_there_is_such_a_seat() -> None:
    felt = Felt().sit(2)
    assert why(felt, c.TakeSeat(1, "")) == no("player_needed", "R11", seat=1)
    assert why(felt, c.TakeSeat(8, "X")) == no("no_such_seat", "A21", seat=8, seats=7)
    assert why(felt, c.TakeSeat(7, "X")) is None
    assert why(felt, c.TakeSeat(2, "X")) == no("seat_taken", "R11", seat=2, player="P2")
    assert why(felt, c.TakeSeat(3, "P2")) == no("one_seat_a_player", "R11", seat=2, player="P2")


def test_r11_who_does_not_sit_there_does_not_leave() -> None:
    felt = Felt().sit(2)
    assert why(felt, c.LeaveSeat(2, "X")) == no("not_seated", "R11", seat=2, player="X")
    assert why(felt, c.LeaveSeat(3, "P2")) == no("seat_is_free", "R11", seat=3)
    assert why(felt, c.LeaveSeat(2, "P2")) is None


def test_r12_seats_are_taken_again_when_the_round_is_over_and_not_before() -> None:
    felt = Felt().put((1,)).close()
    assert why(felt, c.TakeSeat(2, "X")) == no("round_running", "R12", round=1)
    felt.drawn("TS 9S TH").act("stand").drawn("8D")
    assert why(felt, c.TakeSeat(2, "X")) is None
    assert why(felt, c.LeaveSeat(1, "P1")) is None


def test_r49_who_has_bets_behind_does_not_sit_and_is_told_where_they_stand() -> None:
    felt = Felt().sit(1, 2).put((1, 2), behind=[("B", 2, 1000)])
    assert why(felt, c.TakeSeat(3, "B")) == no("behind_may_not_sit", "R49", player="B", seat=2)
    assert why(felt, c.TakeSeat(3, "X")) is None


@pytest.mark.parametrize("command", [c.PlayerLost(1, "X"), c.PlayerBack(2, "P1")])
def test_r55_only_who_sits_there_is_lost_or_back(command: c.PlayerLost | c.PlayerBack) -> None:
    refusal = no("not_seated", "R55", seat=command.seat, player=command.player)
    assert why(Felt().sit(1), command) == refusal


def test_a13_nobody_is_lost_or_back_twice() -> None:
    felt = Felt().sit(1)
    lost, back = c.PlayerLost(1, "P1"), c.PlayerBack(1, "P1")
    assert why(felt, back) == no("present_already", "A13", seat=1, player="P1")
    felt.must(HOST, lost)
    assert why(felt, lost) == no("absent_already", "R55", seat=1, player="P1")
    felt.must(HOST, back)
    assert why(felt, lost) is None


# --- R13, R14, R41 to R43, R48: bets ------------------------------------------------------------

PLACED = ("main", "pair", "behind", "behind_pair")


@pytest.mark.parametrize("kind", PLACED)
def test_a21_a26_an_amount_that_is_no_such_bet_names_limits_or_step(
    kind: c.PlacedKind,
) -> None:
    felt = Felt().sit(2).put((1,))
    pair = kind in ("pair", "behind_pair")
    least, most = (100, 100_000) if pair else (1_000, 1_000_000)
    if kind == "main":
        seat, player = 2, "P2"
    else:
        seat, player = 1, "P1" if kind == "pair" else "B"

    def bet(amount: int) -> Refusal | None:
        return why(felt, felt.stake(seat, amount, kind, player))

    assert bet(least - 1) == no("bet_below_minimum", "A21", amount=least - 1, minimum=least)
    assert bet(most + 1) == no("bet_above_maximum", "A21", amount=most + 1, maximum=most)
    off = None if pair else no("bet_off_step", "A26", amount=least + 1, step=100)
    assert bet(least + 1) == off
    assert bet(least) is None
    assert bet(most) is None


def test_r13_r43_who_does_not_sit_there_places_neither_its_main_nor_its_pair_bet() -> None:
    felt = Felt().sit(2).put((1,))
    for kind, rule in (("main", "R13"), ("pair", "R43")):
        bet = c.PlaceBet(1, 2, "X", 1000, kind)  # type: ignore[arg-type]
        assert why(felt, bet) == no("not_seated", rule, seat=2, player="X")
    assert why(felt, c.PlaceBet(1, 2, "", 1000)) == no("player_needed", "R13", seat=2)
    assert why(felt, c.PlaceBet(1, 8, "X", 1000)) == no("no_such_seat", "A21", seat=8, seats=7)
    last = c.PlaceBet(1, 7, "X", 1000)
    assert why(felt, last) == no("not_seated", "R13", seat=7, player="X")


def test_r14_a_pair_bet_before_the_main_bet_names_the_seat() -> None:
    felt = Felt().sit(2).put((1,))
    assert why(felt, felt.stake(2, 100, "pair")) == no("main_bet_first", "R14", seat=2)


@pytest.mark.parametrize("kind", ["main", "pair", "behind", "behind_pair"])
def test_r13_the_same_bet_is_placed_once(kind: c.PlacedKind) -> None:
    felt = Felt().put(
        (1,), pair={1: 100}, behind=[("B", 1, 1000)], behind_pair=[("B", 1, 100), ("C", 1, 100)]
    )
    player = "B" if kind.startswith("behind") else "P1"
    twice = why(felt, felt.stake(1, 1000, kind, player))
    assert twice == no("bet_already_placed", "R13", seat=1, kind=kind)
    assert why(felt, felt.stake(1, 1000, "behind", "C")) is None


def test_r48_r49_where_nobody_may_bet_behind() -> None:
    felt = Felt(TableRules(behind_bettors=1)).sit(2).put((1,), behind=[("B", 1, 1000)])

    def behind(seat: int, player: str, kind: c.PlacedKind = "behind") -> Refusal | None:
        return why(felt, felt.stake(seat, 1000, kind, player))

    sits = no("seated_may_not_bet_behind", "R49", player="P2", seat=2)
    assert behind(1, "P2") == sits
    assert behind(3, "C") == no("seat_empty", "R48", seat=3)
    assert behind(1, "C") == no("behind_full", "A21", seat=1, most=1)
    assert behind(1, "B", "behind_pair") is None, "he is there already"
    assert behind(2, "C") is None, "each seat counts for itself"


@pytest.mark.parametrize("command", [c.PlaceBet(2, 1, "P1", 1000), c.CloseBetting(2)])
def test_r11_betting_is_of_the_round_that_is_named(command: c.AnyGameCommand) -> None:
    none = why_not(Game(), RULES, command)
    assert none == no("stale_round", "R11", round=2, now=0)
    assert why(Felt().put((1,)), command) == no("stale_round", "R11", round=2, now=1)


@pytest.mark.parametrize("command", [c.PlaceBet(1, 1, "P1", 1000), c.CloseBetting(1)])
def test_r11_after_closing_there_is_no_bet_and_no_closing(command: c.AnyGameCommand) -> None:
    felt = Felt().put((1,)).close()
    assert why(felt, command) == no("betting_closed", "R11", round=1)


# --- R12, R59, R60, A21: the round and its shoe -------------------------------------------------


def test_r12_r60_a21_what_keeps_a_round_from_opening() -> None:
    opening = c.OpenRound(fingerprint(RULES))
    assert why_not(Game(), RULES, opening) == no("shoe_not_in_play", "R60", state="none")
    felt = Felt()
    assert why(felt, opening) is None
    other = c.OpenRound("0123456789abcdef")
    ours = fingerprint(RULES)[:8]
    assert why(felt, other) == no("other_rules", "R59", host="01234567", table=ours)
    assert why(felt, c.OpenRound("")) == no("other_rules", "R59", host="-", table=ours)
    felt.put((1,))
    assert why(felt, opening) == no("round_running", "R12", round=1)
    felt.dealt("TS 9S TH").act("stand").drawn("8D")
    assert why(felt, opening) == no("round_running", "R12", round=1)
    felt.clear()
    assert why(felt, opening) is None


def test_a21_a_new_shoe_says_how_many_cards_it_owes_to_the_burn() -> None:
    felt = Felt(TableRules(burn=2))
    opening = c.OpenRound(fingerprint(felt.rules))
    assert why(felt, opening) == no("burn_due", "A21", left=2)
    felt.card("2S")
    assert why(felt, opening) == no("burn_due", "A21", left=1)
    felt.card("3S")
    assert why(felt, opening) is None


def test_a_round_is_cleared_when_it_is_settled_and_only_that_round() -> None:
    assert why_not(Game(), RULES, c.Cleared(1)) == no("stale_round", "", round=1, now=0)
    felt = Felt().put((1,)).dealt("TS 9S TH")
    assert why(felt, c.Cleared(2)) == no("stale_round", "", round=2, now=1)
    assert why(felt, c.Cleared(1)) == no("not_settled", "R24", round=1)
    felt.act("stand").drawn("8D")
    assert why(felt, c.Cleared(1)) is None
    felt.must(CONSOLE, c.Cleared(1))
    assert why(felt, c.Cleared(1)) == no("not_settled", "R24", round=1)


# --- R20, R21: decisions ------------------------------------------------------------------------


def test_r20_a_decision_answers_the_question_of_that_very_hand_in_that_very_round() -> None:
    hit = c.Decide(1, 1, 1, 1, "hit")
    assert why_not(Game(), RULES, hit) == no("stale_round", "R20", round=1, now=0)
    felt = Felt().put((1, 2)).dealt("5S 6S TS 5H")
    assert why(felt, hit) == no("nothing_asked", "R20", seat=1), "a card is owed"
    felt.drawn("6H")
    assert why(felt, hit) is None
    assert why(felt, c.Decide(2, 1, 1, 1, "hit")) == no("stale_round", "R20", round=2, now=1)
    for decision, seat, hand in ((2, 1, 1), (1, 2, 1), (1, 1, 2)):
        stale = why(felt, c.Decide(1, decision, seat, hand, "hit"))
        assert stale == no("stale_decision", "R20", seat=seat, asked=1)


@pytest.mark.parametrize(
    ("deal", "before", "action", "code", "rule"),
    [
        ("5S 9S 6H", ("hit",), "double", "double_on_two_cards", "R29"),
        ("5S 9S 6H", (), "split", "split_same_value", "R34"),
        ("2S 9S 2H", ("hit",), "split", "split_on_two_cards", "R34"),
        ("5S 9S 6H", ("hit",), "surrender", "surrender_first", "R33"),
    ],
)
def test_r26_what_the_hand_does_not_allow_is_refused_by_its_rule(
    deal: str, before: tuple[str, ...], action: str, code: str, rule: str
) -> None:
    felt = Felt().put((1,)).dealt(deal)
    for made in before:
        felt.act(made).drawn("2D")  # type: ignore[arg-type]
    command = felt.decision(action)  # type: ignore[arg-type]
    assert why(felt, command) == no(code, rule, seat=1)


def test_r31_a_surrender_against_a_ten_names_the_upcard() -> None:
    felt = Felt().put((1,)).dealt("5S TS 6H")
    refusal = why(felt, felt.decision("surrender"))
    assert refusal == no("no_surrender_against", "R31", seat=1, upcard="TS")


def test_r36_a9_what_a_split_hand_does_not_allow() -> None:
    felt = Felt(TableRules(double_after_split=False)).put((1,)).dealt("8S 9S 8H")
    felt.act("split").drawn("8D 3D")
    assert why(felt, felt.decision("split")) == no("split_once", "R36", seat=1)
    assert why(felt, felt.decision("double")) == no("no_double_after_split", "R29", seat=1)
    assert why(felt, felt.decision("surrender")) == no("surrender_first", "R33", seat=1)


# --- R39, R52, A7: windows ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "rule"), [(c.Insure(1, 1, "P1", True), "R39"), (c.Follow(1, 1, "B", True), "R52")]
)
def test_r39_r52_an_answer_belongs_to_a_window_that_is_open(
    answer: c.Insure | c.Follow, rule: str
) -> None:
    assert why_not(Game(), RULES, answer) == no("stale_round", rule, round=1, now=0)
    felt = Felt().put((1,), behind=[("B", 1, 1000)]).dealt("8S 9S 8H")
    assert why(felt, answer) == no("no_window", rule, player=answer.player)
    later = type(answer)(2, 1, answer.player, True)
    assert why(felt, later) == no("stale_round", rule, round=2, now=1)


def test_r39_an_answer_to_insurance_comes_from_a_seat_that_was_asked_and_once() -> None:
    felt = Felt().put((1, 2), behind=[("B", 1, 1000)]).dealt("8S 7S AS 8H 7H")
    assert why(felt, c.Insure(1, 2, "P1", True)) == no("stale_window", "R39", player="P1")
    assert why(felt, c.Follow(1, 1, "B", True)) == no("stale_window", "R52", player="B")
    assert why(felt, c.Insure(1, 1, "B", True)) == no("not_asked", "R39", player="B")
    felt.answer(P1=False)
    assert why(felt, c.Insure(1, 1, "P1", True)) == no("answered_already", "R39", player="P1")
    assert why(felt, c.Insure(1, 1, "P2", True)) is None


def test_r52_an_answer_to_a_split_comes_from_who_stands_behind_it() -> None:
    felt = Felt().put((1,), behind=[("B", 1, 1000), ("C", 1, 1000)]).dealt("8S 9S 8H").act("split")
    window = felt.round.windows
    assert why(felt, c.Insure(1, window, "B", True)) == no("stale_window", "R39", player="B")
    assert why(felt, c.Follow(1, window, "X", True)) == no("not_asked", "R52", player="X")
    felt.answer(B=True)
    assert why(felt, c.Follow(1, window, "B", True)) == no("answered_already", "R52", player="B")
    assert why(felt, c.Follow(1, window, "C", True)) is None
