"""What has gone wrong at other tables (F-01 to F-18), each with the input that shows it."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.hands import is_bust, total
from station.game.rules import TableRules
from station.game.state import Phase, Slot, phase
from tests.support.felt import Felt
from tests.support.play import HOST

SMALL = TableRules(main_min=100, pair_min=10)


def net(felt: Felt) -> dict[str, int]:
    """What each player won or lost in the round."""
    sums: dict[str, int] = {}
    for line in felt.round.lines:
        sums[line.player] = sums.get(line.player, 0) + line.returned - line.stake
    return sums


# --- F-01: several aces ------------------------------------------------------------------------

ACES = [
    ("AS AH AD 6S", [(11, True), (12, True), (13, True), (19, True)]),
    ("4S AS AH 5S", [(4, False), (15, True), (16, True), (21, True)]),
    ("AS AH KS", [(11, True), (12, True), (12, False)]),
    ("AS 4S 7S", [(11, True), (15, True), (12, False)]),
    ("AS AH 9S", [(11, True), (12, True), (21, True)]),
]


@pytest.mark.parametrize(("faces", "totals"), ACES)
def test_f_01_aces_of_a_player_drop_one_by_one_and_only_when_they_must(
    faces: str, totals: list[tuple[int, bool]]
) -> None:
    """All aces counted 1 together, or all 11; right after every card, the soft mark too."""
    first, second, *more = faces.split()
    felt = Felt().put((1,)).dealt(f"{first} 9D {second}")
    for known, face in zip(totals[1:-1], more, strict=True):
        assert total(felt.round.boxes[0].hands[0].cards) == known
        felt.act("hit").card(face)
    assert total(felt.round.boxes[0].hands[0].cards) == totals[-1]


@pytest.mark.parametrize(("faces", "totals"), ACES)
def test_f_01_aces_of_the_dealer_count_alike(faces: str, totals: list[tuple[int, bool]]) -> None:
    felt = Felt().put((1,)).dealt(f"TS {faces.split()[0]} TH")
    if felt.round.window is not None:
        felt.answer(P1=False)
    felt.act("stand")
    for known, face in zip(totals[:-1], faces.split()[1:], strict=True):
        assert total(felt.round.dealer) == known
        felt.card(face)
    assert total(felt.round.dealer) == totals[-1]
    assert (felt.owed is None) is (totals[-1][0] >= 17), "12 must draw"


def test_f_01_ten_aces_and_a_king_make_a_hard_20() -> None:
    felt = Felt().put((1,)).dealt("AS 9D AS")
    for number, face in enumerate(["AS", "AS", "AS", "AS", "AS", "AS", "AH", "AH"], start=13):
        felt.act("hit").card(face)
        assert total(felt.round.boxes[0].hands[0].cards) == (number, True)
    felt.act("hit").card("KS")
    assert total(felt.round.boxes[0].hands[0].cards) == (20, False)


# --- F-04: a Blackjack paid too early ----------------------------------------------------------


@pytest.mark.parametrize("draw", ["always", "until_decided"])
@pytest.mark.parametrize(
    ("upcard", "second", "result"),
    [
        ("AH", "TD", ("push", 1000)),
        ("AH", "KD", ("push", 1000)),
        ("TH", "AD", ("push", 1000)),
        ("AH", "7D", ("blackjack_win", 2500)),
        ("QH", "9D", ("blackjack_win", 2500)),
    ],
)
def test_f_04_no_blackjack_is_paid_before_the_dealers_second_card(
    upcard: str, second: str, result: tuple[str, int], draw: str
) -> None:
    """Paid at once although the dealer could still make one; two Blackjacks no push."""
    felt = Felt(TableRules(dealer_draw=draw)).put((1,)).dealt(f"AS {upcard} KS")  # type: ignore[arg-type]
    if felt.round.window is not None:
        felt.fire("insurance")
    assert felt.paid() == {}
    assert felt.owed == Slot()
    assert felt.drawn(second).paid() == {"P1 main 1/1": result}


# --- F-06: insurance ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "draw", "won"),
    [("TS AH 8S", "KD", 0), ("TS AH KS", "8D", 50), ("AS AH KS", "KD", 100)],
)
def test_f_06_insurance_is_half_the_main_bet_and_two_to_one_of_itself(
    deal: str, draw: str, won: int
) -> None:
    """2:1 of the main bet was paid, or the stake of the insurance not given back."""
    felt = Felt(SMALL).put({1: 100}).dealt(deal).answer(P1=True)
    assert [bet.stake for bet in felt.round.bets] == [100, 50]
    if felt.asked is not None:
        felt.act("stand")
    assert net(felt.drawn(draw)) == {"P1": won}


def test_f_06_it_is_half_of_the_original_bet_whatever_is_staked_later() -> None:
    felt = Felt(SMALL).put({1: 100}).dealt("6S AH 5S").answer(P1=True).act("double").drawn("2S")
    assert [(bet.kind, bet.stake) for bet in felt.round.bets] == [("main", 200), ("insurance", 50)]
    assert net(felt.drawn("KD")) == {"P1": -100}


# --- F-08: a dealer who draws too much or too often --------------------------------------------


@pytest.mark.parametrize(("draw", "cards"), [("until_decided", ""), ("always", "TD 5D")])
def test_f_08_with_every_hand_bust_the_dealer_draws_as_the_setting_says_and_no_card_more(
    draw: str, cards: str
) -> None:
    """He went on drawing when nothing depended on it, or after each player."""
    felt = Felt(TableRules(dealer_draw=draw)).put((1, 2)).dealt("TS TH 6S 6C 6H")  # type: ignore[arg-type]
    felt.act("hit").drawn("KS").act("hit")
    assert felt.owed == Slot(2, 1), "not after each player"
    felt.drawn("KH").drawn(cards)
    assert phase(felt.round) is Phase.RESULT
    assert len(felt.of(g.RoundSettled)) == 1
    dealer = felt.round.dealer
    felt.card("2D")
    assert felt.round.dealer == dealer
    assert felt.hold_codes == ["exposed_card"]


def test_f_08_one_standing_hand_makes_the_dealer_play_once_and_draw_on_16() -> None:
    felt = Felt(TableRules(dealer_draw="until_decided")).put((1, 2)).dealt("TS TH 6S 6C 2H")
    felt.act("hit").drawn("KS").act("stand").drawn("TD")
    assert felt.owed == Slot(), "16 draws"
    felt.card("5D")
    assert felt.paid() == {"P1 main 1/1": ("bust", 0), "P2 main 2/1": ("lose", 0)}


# --- F-10: splits that are none ----------------------------------------------------------------


def test_f_10_no_split_after_a_hit_nor_of_three_cards() -> None:
    """Split stayed on offer after a hit."""
    felt = Felt().put((1,)).dealt("4S 6S 4H").act("hit").drawn("KS")
    assert felt.refused(felt.decision("split")) == ("split_on_two_cards", "R34")
    felt = Felt().put((1,)).dealt("6S 7S 6H").act("hit").drawn("AS")
    assert felt.refused(felt.decision("split")) == ("split_on_two_cards", "R34")


def test_f_10_a_seat_splits_once_and_each_card_begins_its_own_hand() -> None:
    felt = Felt().put((1, 2)).dealt("8S TS 6S 8H TH")
    once = felt.decision("split")
    felt.act("split")
    assert (felt.hand(1, 1), felt.hand(1, 2)) == ("8S", "8H")
    assert felt.refused(once) == ("nothing_asked", "R20")
    felt.drawn("8D 8C")
    for hand in (1, 2):
        assert felt.asked == (1, hand)
        assert felt.refused(felt.decision("split")) == ("split_once", "R36")
        felt.act("stand")
    assert len([bet for bet in felt.round.bets if bet.seat == 1]) == 2
    assert (felt.hand(1, 1), felt.hand(1, 2)) == ("8S 8D", "8H 8C")


# --- F-12: doubles that are none ---------------------------------------------------------------


def test_f_12_no_double_before_the_split_hand_has_its_second_card_nor_after_a_hit() -> None:
    """Double was taken on a hand of one card."""
    felt = Felt().put((1,)).dealt("8S 6S 8H").act("split")
    for face in ("3S", "2S"):
        for decision in (1, 2):
            early = c.Decide(felt.number, decision, 1, 1, "double")
            assert felt.refused(early) == ("nothing_asked", "R20")
        felt.card(face)
    felt.act("hit").drawn("2H")
    assert felt.refused(felt.decision("double")) == ("double_on_two_cards", "R29")
    assert [bet.stake for bet in felt.round.bets] == [1000, 1000]


@pytest.mark.parametrize(
    ("card", "dealer", "result"),
    [
        ("TD", "5D TC", ("push", 2000)),  # 21 v 21: two units back, nothing won
        ("TD", "5D 9C", ("win", 4000)),  # 21 v 20
        ("9D", "5D TC", ("lose", 0)),
    ],
)
def test_f_12_a_double_takes_one_card_and_is_settled_with_two_units(
    card: str, dealer: str, result: tuple[str, int]
) -> None:
    felt = Felt().put((1,)).dealt("6S 6H 5S").act("double").drawn(card)
    assert felt.owed == Slot(), "one card only"
    assert felt.drawn(dealer).paid() == {"P1 main 1/1": result}


def test_f_12_a_double_that_busts_loses_two_units_once() -> None:
    felt = Felt().put((1,)).dealt("8S 6H 7S").act("double").drawn("KD").drawn("5D TC")
    assert is_bust(felt.round.boxes[0].hands[0].cards)
    assert net(felt) == {"P1": -2000}
    assert len(felt.round.lines) == 1


# --- F-14: stakes that are none ----------------------------------------------------------------


def test_f_14_each_bad_stake_is_refused_and_each_good_one_is_taken_and_settled_once() -> None:
    """Zero, negative and oversized bets were taken, and a loss charged twice."""
    felt = Felt().sit(1)
    felt.open_round()
    assert felt.refused(felt.stake(1, 100, "pair")) == ("main_bet_first", "R14")
    for amount, why in ((-1, "below"), (0, "below"), (10**308, "above"), (1050, "off")):
        assert why in felt.refused(felt.stake(1, amount))[0]
    felt.must(HOST, felt.stake(1))
    assert felt.refused(felt.stake(1)) == ("bet_already_placed", "R13")
    assert felt.refused(felt.stake(2)) == ("not_seated", "R13")
    assert felt.refused(felt.stake(2, 1000, "behind", "B")) == ("seat_empty", "R48")
    felt.dealt("TS 6S")
    assert felt.refused(felt.stake(1, 100, "pair")) == ("betting_closed", "R11")
    felt.drawn("TH").act("split").drawn("6H 7H").act("double").drawn("KH").act("stand")
    felt.drawn("TD 4D")
    placed = [fact for fact in felt.facts if isinstance(fact, g.BetPlaced)]
    again = [fact for fact in felt.facts if isinstance(fact, g.BetDoubled)]
    assert [(fact.hand, fact.amount) for fact in placed] == [(1, 1000), (2, 1000)]
    assert [(fact.bet, fact.amount) for fact in again] == [(1, 1000)]
    assert [(line.bet, line.stake) for line in felt.round.lines] == [(1, 2000), (2, 1000)]


# --- F-17: surrender ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "steps", "why"),
    [
        ("9S AH 7S", "no_insurance", ("no_surrender_against", "R31")),
        ("9S JH 7S", "", ("no_surrender_against", "R31")),
        ("5S 9H 4S", "hit 6D", ("surrender_first", "R33")),
        ("8S 9H 8D", "split 3D 4D", ("surrender_first", "R33")),
        ("6S 9H 5S", "double 2D", ("nothing_asked", "R20")),
        ("9S 9H 7S", "surrender", ("nothing_asked", "R20")),
    ],
)
def test_f_17_surrender_is_refused_when_it_is_not_on_offer(
    deal: str, steps: str, why: tuple[str, str]
) -> None:
    """Offered against an ace, after another action, or twice."""
    felt = Felt().put((1,)).dealt(deal)
    for step in steps.split():
        if step == "no_insurance":
            felt.answer(P1=False)
        elif step.islower():
            felt.act(step)  # type: ignore[arg-type]
        else:
            felt.card(step)
    asked = felt.round.asked
    number, hand = (asked.decision, asked.hand) if asked else (felt.round.decisions, 1)
    assert felt.refused(c.Decide(felt.number, number, 1, hand, "surrender")) == why


def test_f_17_a_surrender_costs_half_ends_the_hand_and_leaves_the_pair_bet_alone() -> None:
    felt = Felt(SMALL).put({1: 100, 2: 100}, pair={1: 10}).dealt("8S TS 9H 8H TH")
    felt.act("surrender")
    assert felt.asked == (2, 1)
    felt.act("stand").drawn("8D")
    assert felt.hand(1) == "8S 8H"
    assert felt.paid() == {
        "P1 main 1/1": ("surrender", 50),
        "P1 pair 1": ("win", 120),
        "P2 main 2/1": ("win", 200),
    }


# --- F-18: the dealer's drawing rule -----------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "stands"),
    [
        ("AS 6D", True),
        ("AS 2D 4D", True),
        ("AS AD 5D", True),
        ("2S 3D 8D 3H", False),
        ("TS 6D", False),
        ("AS 5D TD", False),
    ],
)
def test_f_18_every_17_stands_and_every_16_draws(cards: str, stands: bool) -> None:
    """26 hours were dealt with the wrong rule for a soft 17; dealers stood on 16."""
    upcard, *draws = cards.split()
    felt = Felt().put((1,)).dealt(f"TS {upcard} TH")
    if felt.round.window is not None:
        felt.fire("insurance")
    felt.act("stand")
    for face in draws:
        assert felt.owed == Slot()
        felt.card(face)
    assert (phase(felt.round) is Phase.RESULT) is stands


def test_f_18_a_dealers_24_is_a_bust() -> None:
    """A hand of 24 was announced as 21."""
    felt = Felt().put((1,)).dealt("2H 2S 3H").act("stand").drawn("3D 8D 3S 8H")
    assert total(felt.round.dealer) == (24, False)
    assert felt.paid() == {"P1 main 1/1": ("win", 2000)}
