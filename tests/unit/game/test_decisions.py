"""What a player may do with his hand, by the rules it proves."""

from __future__ import annotations

import pytest

from station.game import facts as g
from station.game.rules import TableRules
from station.game.state import Action, Phase, Slot, phase
from tests.support.felt import Felt

# --- R20, R26: what is offered -----------------------------------------------------------------

ALWAYS = {"hit", "stand"}
FIRST = ALWAYS | {"double"}


@pytest.mark.parametrize(
    ("first", "second", "upcard", "legal"),
    [
        ("9S", "7S", "2S", FIRST | {"surrender"}),
        ("9S", "7S", "9H", FIRST | {"surrender"}),
        ("9S", "7S", "TS", FIRST),
        ("9S", "7S", "JS", FIRST),
        ("9S", "7S", "QS", FIRST),
        ("9S", "7S", "KS", FIRST),
        ("9S", "7S", "AS", FIRST),
        ("8S", "8H", "6S", FIRST | {"split", "surrender"}),
        ("8S", "8H", "TS", FIRST | {"split"}),
        ("8S", "8H", "AS", FIRST | {"split"}),
        ("TS", "KS", "5S", FIRST | {"split", "surrender"}),
        ("AS", "AH", "5S", FIRST | {"split", "surrender"}),
        ("AS", "9S", "5S", FIRST | {"surrender"}),
        ("2S", "3S", "7S", FIRST | {"surrender"}),
    ],
)
def test_r20_r26_what_is_offered_depends_on_the_cards(
    first: str, second: str, upcard: str, legal: set[str]
) -> None:
    felt = Felt().put((1,)).dealt(f"{first} {upcard} {second}")
    if upcard[0] == "A":
        felt.answer(P1=False)
    assert felt.legal == legal


def test_r20_nothing_is_asked_before_the_first_two_cards_are_out() -> None:
    felt = Felt().put((1, 2)).close()
    for face in ("5S", "6S", "9S", "5H"):
        felt.card(face)
        assert felt.asked is None
    assert felt.drawn("6H").asked == (1, 1)


# --- R27, R28: hit and stand -------------------------------------------------------------------


def test_r27_hits_go_on_until_the_player_is_satisfied() -> None:
    felt = Felt().put((1,)).dealt("2S 9S 2H")
    for face in ("2D", "2C", "3S", "3H", "4S"):
        felt.act("hit")
        assert felt.owed == Slot(1, 1)
        felt.card(face)
    assert felt.hand(1) == "2S 2H 2D 2C 3S 3H 4S"  # 18
    assert felt.legal == ALWAYS
    assert phase(felt.act("stand").round) is Phase.DEALER


def test_r27_r23_hits_go_on_until_the_hand_busts() -> None:
    felt = Felt().put((1,)).dealt("TS 9S 2H").act("hit").drawn("9H")
    assert felt.owed == Slot(), "21 is complete"
    felt = Felt().put((1,)).dealt("TS 9S 6H").act("hit").drawn("6D")
    assert felt.asked is None
    assert felt.owed == Slot(), "22: no more cards go to that hand"
    assert felt.drawn("TD").paid() == {"P1 main 1/1": ("bust", 0)}


def test_r28_a_hand_that_stands_takes_no_further_card() -> None:
    felt = Felt().put((1, 2)).dealt("2S 5S 9S 2H 5H").act("stand")
    assert felt.asked == (2, 1)
    felt.act("hit").drawn("5D").act("stand").drawn("TD")
    assert felt.hand(1) == "2S 2H"


# --- R29, R30, A9: double down -----------------------------------------------------------------


def test_r29_a_double_takes_as_much_again_as_the_base_bet() -> None:
    felt = Felt().put({1: 1500}, pair={1: 100}).dealt("6S 9S 5S").act("double")
    assert [(bet.kind, bet.stake) for bet in felt.round.bets] == [("main", 3000), ("pair", 100)]
    doubled = felt.of(g.BetDoubled)
    assert doubled == [g.BetDoubled(1, 1, "P1", 1500)]


def test_r29_a_double_is_for_the_first_two_cards_only() -> None:
    felt = Felt().put((1,)).dealt("2S 9S 3S").act("hit").drawn("6S")
    assert felt.legal == ALWAYS
    assert felt.refused(felt.decision("double")) == ("double_on_two_cards", "R29")


@pytest.mark.parametrize("face", ["2D", "TD", "KD"])
def test_r30_a_double_brings_exactly_one_card_and_no_further_option(face: str) -> None:
    felt = Felt().put((1, 2)).dealt("6S TS 9S 5S TH").act("double")
    assert felt.owed == Slot(1, 1)
    felt.card(face)
    assert felt.hand(1) == f"6S 5S {face}"
    assert felt.asked == (2, 1)


def test_r30_a_double_that_busts_ends_the_hand_at_once() -> None:
    felt = Felt().put((1, 2)).dealt("8S TS 9S 7S TH").act("double").drawn("KD")
    assert felt.asked == (2, 1)
    assert felt.act("stand").drawn("TD").paid()["P1 main 1/1"] == ("bust", 0)


def test_a9_a_split_hand_may_double_on_its_two_cards() -> None:
    felt = Felt().put((1,)).dealt("8S 9S 8H").act("split").drawn("3S 2S")
    assert felt.legal == FIRST
    felt.act("double").drawn("TS")
    assert felt.asked == (1, 2)
    felt.act("double").drawn("TH").drawn("8D")
    # 21 and 20 against 17, with 2,000 on each hand.
    assert felt.paid() == {"P1 main 1/1": ("win", 4000), "P1 main 1/2": ("win", 4000)}


def test_a9_the_setting_forbids_doubling_after_a_split() -> None:
    felt = Felt(TableRules(double_after_split=False)).put((1,)).dealt("8S 9S 8H")
    assert felt.legal == FIRST | {"split", "surrender"}, "an unsplit hand still doubles"
    felt.act("split").drawn("3S 2S")
    for hand in (1, 2):
        assert felt.asked == (1, hand)
        assert felt.legal == ALWAYS
        assert felt.refused(felt.decision("double")) == ("no_double_after_split", "R29")
        felt.act("stand")


# --- R31-R33, A8: surrender --------------------------------------------------------------------


@pytest.mark.parametrize("upcard", ["TS", "JS", "QS", "KS", "AS"])
def test_r31_no_surrender_against_an_ace_or_a_ten(upcard: str) -> None:
    felt = Felt().put((1,)).dealt(f"9S {upcard} 7S")
    if upcard == "AS":
        felt.answer(P1=False)
    assert felt.refused(felt.decision("surrender")) == ("no_surrender_against", "R31")


@pytest.mark.parametrize("upcard", ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S"])
def test_r31_r32_against_2_to_9_surrender_closes_the_hand_and_costs_half(upcard: str) -> None:
    felt = Felt().put({1: 1500, 2: 1000}).dealt(f"TS 9H {upcard} 6S 9D").act("surrender")
    assert felt.asked == (2, 1), "the hand is closed"
    felt.act("stand")
    while not felt.round.ended:
        felt.card("TD" if felt.round.dealer[-1].face != "TD" else "7D")
    assert felt.hand(1) == "TS 6S"
    assert felt.paid()["P1 main 1/1"] == ("surrender", 750)


def test_r33_no_surrender_after_a_hit() -> None:
    felt = Felt().put((1,)).dealt("5S 9S 4S").act("hit").drawn("6S")
    assert felt.refused(felt.decision("surrender")) == ("surrender_first", "R33")


def test_r33_a8_no_surrender_of_a_split_hand() -> None:
    felt = Felt().put((1,)).dealt("8S 9S 8H").act("split").drawn("8D 7D")
    for hand in (1, 2):
        assert felt.asked == (1, hand)
        assert felt.refused(felt.decision("surrender")) == ("surrender_first", "R33")
        felt.act("stand")


def test_r33_what_another_seat_did_before_takes_nobodys_surrender() -> None:
    felt = Felt().put((1, 2)).dealt("5S TS 9S 4S 6S").act("hit").drawn("9D").act("stand")
    assert felt.asked == (2, 1)
    assert "surrender" in felt.legal


@pytest.mark.parametrize("upcard", "23456789TJQKA")
def test_a8_insurance_and_surrender_never_meet(upcard: str) -> None:
    felt = Felt().put((1,)).dealt(f"9S {upcard}D 7S")
    insured = felt.round.window is not None
    if insured:
        felt.answer(P1=True)
    assert insured is (upcard == "A")
    assert not (insured and "surrender" in felt.legal)


# --- R34-R37, A10, A11: split ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "may"),
    [
        ("2S", "2H", True),
        ("5S", "5H", True),
        ("9S", "9H", True),
        ("AS", "AH", True),
        ("TS", "TH", True),
        ("TS", "KH", True),
        ("JS", "QH", True),
        ("KS", "JH", True),
        ("9S", "TH", False),
        ("5S", "6H", False),
        ("AS", "9H", False),
        ("2S", "AH", False),
    ],
)
def test_r34_a10_two_first_cards_of_the_same_value_may_be_split(
    first: str, second: str, may: bool
) -> None:
    felt = Felt().put({1: 1500}).dealt(f"{first} 6S {second}")
    assert ("split" in felt.legal) is may
    if not may:
        assert felt.refused(felt.decision("split")) == ("split_same_value", "R34")
        return
    felt.act("split")
    assert [(bet.kind, bet.hand, bet.amount) for bet in felt.round.bets] == [
        ("main", 1, 1500),
        ("main", 2, 1500),
    ]


def test_r34_no_split_after_a_hit() -> None:
    felt = Felt().put((1,)).dealt("2S 6S 2H").act("hit").drawn("2D")
    assert felt.refused(felt.decision("split")) == ("split_on_two_cards", "R34")


def test_r35_a11_both_split_hands_get_their_second_card_before_any_decision() -> None:
    felt = Felt().put((1, 2)).dealt("8S TS 6S 8H TH").act("split")
    assert (felt.hand(1, 1), felt.hand(1, 2)) == ("8S", "8H")
    assert (felt.owed, felt.asked) == (Slot(1, 1), None)
    felt.card("2S")
    assert (felt.owed, felt.asked) == (Slot(1, 2), None)
    felt.card("3S")
    assert (felt.hand(1, 1), felt.hand(1, 2)) == ("8S 2S", "8H 3S")
    assert (felt.owed, felt.asked) == (None, (1, 1))


def test_a6_the_first_hand_of_a_split_is_played_before_the_second_then_the_next_seat() -> None:
    felt = Felt().put((1, 2)).dealt("8S TS 6S 8H TH").act("split").drawn("2S 3S")
    felt.act("hit")
    assert felt.owed == Slot(1, 1)
    felt.drawn("2D").act("stand")
    assert felt.asked == (1, 2)
    felt.act("hit")
    assert felt.owed == Slot(1, 2)
    felt.drawn("2H").act("stand")
    assert felt.asked == (2, 1)
    assert (felt.hand(1, 1), felt.hand(1, 2)) == ("8S 2S 2D", "8H 3S 2H")


def test_r36_one_split_a_round_also_where_a_split_hand_is_a_pair_again() -> None:
    felt = Felt().put((1,)).dealt("8S 6S 8H").act("split").drawn("8D 8C")
    for hand in (1, 2):
        assert felt.asked == (1, hand)
        assert "split" not in felt.legal
        assert felt.refused(felt.decision("split")) == ("split_once", "R36")
        felt.act("stand")
    assert len(felt.round.boxes[0].hands) == 2


def test_r36_every_player_of_the_round_may_split_once() -> None:
    felt = Felt().put((1, 2)).dealt("8S 9S 6S 8H 9H").act("split").drawn("TS TH")
    felt.act("stand", "stand", "split").drawn("TD TC")
    assert [len(box.hands) for box in felt.round.boxes] == [2, 2]


@pytest.mark.parametrize("cards", ["5S 6S", "AD AC", "TS KS", "9S AD"])
def test_r37_each_split_ace_receives_one_card_and_nothing_is_asked(cards: str) -> None:
    first, second = cards.split()
    felt = Felt().put((1, 2)).dealt("AS TS 6S AH TH").act("split").drawn(cards)
    assert (felt.hand(1, 1), felt.hand(1, 2)) == (f"AS {first}", f"AH {second}")
    assert felt.asked == (2, 1), "no card, no double, no second split on an ace"


# --- A18, A32: what completes a hand -----------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "actions"),
    [
        ("5S 6S 5H TD AD", ("hit", "hit")),  # 5 5 10 A, a hard 21
        ("AS 6S 4H 6D", ("hit",)),  # A 4 6, a soft 21
        ("6S 6S 5H TD", ("double",)),
    ],
)
def test_a18_a_total_of_21_completes_the_hand(deal: str, actions: tuple[Action, ...]) -> None:
    faces = deal.split()
    felt = Felt().put((1,)).dealt(" ".join(faces[:3]))
    for action, face in zip(actions, faces[3:], strict=True):
        felt.act(action).card(face)
    assert felt.asked is None
    assert felt.owed == Slot()


def test_a18_a_split_hand_of_21_is_complete_and_the_other_one_is_asked() -> None:
    felt = Felt().put((1,)).dealt("TS 6S TH").act("split").drawn("AS 5S")
    assert felt.asked == (1, 2)
    felt = Felt().put((1,)).dealt("TS 6S TH").act("split").drawn("5S AS")
    assert felt.asked == (1, 1)
    assert phase(felt.act("stand").round) is Phase.DEALER


def test_a18_a_blackjack_is_asked_nothing() -> None:
    felt = Felt().put((1, 2)).dealt("AS TS 6S KH TH")
    assert felt.asked == (2, 1)


def test_r23_a32_a_bust_ends_that_hand_of_a_split_and_not_the_other() -> None:
    felt = Felt().put((1,)).dealt("8S 6S 8H").act("split").drawn("8D TC")
    felt.act("hit").drawn("TS")  # 26
    assert felt.asked == (1, 2)
    felt.act("stand").drawn("TH TD")
    assert felt.paid() == {"P1 main 1/1": ("bust", 0), "P1 main 1/2": ("win", 2000)}
