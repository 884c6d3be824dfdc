"""The deal and the order of the round, by the rules they prove."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.state import Phase, Slot, phase
from tests.support.felt import Felt
from tests.support.play import HOST


def test_r15_r16_r17_r18_cards_go_clockwise_dealer_last_and_dealer_gets_one() -> None:
    felt = Felt().put((5, 2, 7)).close()
    order = []
    for face in ["2S", "3S", "4S", "5S", "6S", "7S", "8S"]:
        order.append(felt.owed)
        felt.card(face)
    first = [Slot(2, 1), Slot(5, 1), Slot(7, 1), Slot()]
    assert order == [*first, Slot(2, 1), Slot(5, 1), Slot(7, 1)]
    assert phase(felt.round) is Phase.PLAYERS
    assert [felt.hand(seat) for seat in (2, 5, 7)] == ["2S 6S", "3S 7S", "4S 8S"]
    assert [card.face for card in felt.round.dealer] == ["5S"]


@pytest.mark.parametrize("seats", [(1,), (7,), (1, 7), (1, 2, 3, 4, 5, 6, 7)])
def test_r16_the_deal_ends_with_the_dealer_whoever_plays(seats: tuple[int, ...]) -> None:
    felt = Felt().put(seats).close()
    faces = iter(["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S"])
    slots = []
    while not felt.round.dealer:
        slots.append(felt.owed)
        felt.card(next(faces))
    assert slots == [*(Slot(seat, 1) for seat in seats), Slot()]


def test_r15_no_card_is_owed_before_the_countdown_ends() -> None:
    felt = Felt().put((1,))
    assert felt.nobody == ("betting_open", "R15")
    felt.fire("betting")
    assert felt.owed == Slot(1, 1)


def test_r19_every_card_is_known_to_all_as_soon_as_it_is_dealt() -> None:
    felt = Felt().put((1,)).close()
    for face in ("TS", "9S", "8S"):
        felt.card(face)
        dealt = felt.of(g.CardDealt)[-1]
        assert isinstance(dealt, g.CardDealt)
        assert dealt.card.face == face
    assert felt.hand(1) == "TS 8S"
    assert felt.round.dealer[0].face == "9S"


def test_a5_the_first_is_the_lowest_seat_whoever_bet_first() -> None:
    felt = Felt().put((6, 4)).close()
    assert felt.owed == Slot(4, 1)


def test_a6_seats_decide_in_order_and_a_hit_card_goes_to_the_asking_hand() -> None:
    felt = Felt().put((1, 3)).dealt("5S 6S 9S 5H 6H")
    assert felt.asked == (1, 1)
    felt.act("hit")
    assert felt.owed == Slot(1, 1)
    felt.drawn("2H").act("stand")
    assert felt.asked == (3, 1)
    assert felt.hand(1) == "5S 5H 2H"


def test_a6_only_the_seat_in_turn_is_heard() -> None:
    felt = Felt().put((1, 3)).dealt("5S 6S 9S 5H 6H")
    asked = felt.round.asked
    assert asked is not None
    for seat, hand, number in ((3, 1, asked.decision), (1, 2, asked.decision), (1, 1, 7)):
        command = c.Decide(felt.number, number, seat, hand, "hit")
        assert felt.refused(command) == ("stale_decision", "R20")
    twice = felt.decision("stand")
    felt.must(HOST, twice)
    assert felt.refused(twice) == ("stale_decision", "R20")
    assert felt.asked == (3, 1)


def test_r20_nothing_is_heard_while_a_card_is_owed() -> None:
    felt = Felt().put((1,)).dealt("5S 9S 5H")
    twice = felt.decision("hit")
    felt.act("hit")
    assert felt.refused(twice) == ("nothing_asked", "R20")


def test_r23_a_bust_hand_gets_no_more_cards() -> None:
    felt = Felt().put((1, 3)).dealt("TS 6S 9S 6H 6D").act("hit").drawn("KS")
    assert felt.round.boxes[0].hands[0].bust
    assert felt.asked == (3, 1)
    assert felt.act("hit").owed == Slot(3, 1)


def test_a_round_nobody_bets_in_is_over_when_betting_closes() -> None:
    felt = Felt().sit(1).put(())
    felt.fire("betting")
    assert felt.round.ended == "cleared"
    assert felt.of(g.RoundEmpty)
