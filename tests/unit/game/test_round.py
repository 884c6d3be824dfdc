"""The round, by the rules it proves."""

from __future__ import annotations

import pytest

from station.game import facts as g
from station.game import round as r
from station.game.dealing import Nobody, Owed
from station.game.rules import TableRules
from station.game.state import Phase, Slot, phase
from station.table.state import expected
from tests.support.play import HOST, Play


def owed(play: Play) -> Slot | None:
    answer = expected(play.table)
    return answer.slot if isinstance(answer, Owed) else None


def test_r15_to_r18_cards_go_clockwise_dealer_last_and_dealer_gets_one() -> None:
    play = Play().open_table().bet((2, 5, 7)).close()
    order = []
    for face in ["2S", "3S", "4S", "5S", "6S", "7S", "8S"]:
        order.append(owed(play))
        play.card(face)
    want = [Slot(2, 1), Slot(5, 1), Slot(7, 1), Slot(), Slot(2, 1), Slot(5, 1), Slot(7, 1)]
    assert order == want
    assert phase(play.round) is Phase.PLAYERS
    assert len(play.round.dealer) == 1


def test_a5_only_seats_with_a_confirmed_bet_are_dealt_to() -> None:
    play = Play().open_table()
    play.must(HOST, r.TakeSeat(2, "idle"))
    play.bet((1, 4)).close()
    assert [box.seat for box in play.round.boxes] == [1, 4]


def test_r15_no_card_is_owed_before_betting_is_closed() -> None:
    play = Play().open_table().bet()
    answer = expected(play.table)
    assert isinstance(answer, Nobody)
    assert answer.code == "betting_open"


def test_a6_seats_decide_in_order_and_a_hit_card_goes_to_the_asking_hand() -> None:
    play = Play().open_table().deal("5S 6S 9S 5H 6H")
    assert play.round.asked is not None
    assert play.round.asked.seat == 1
    play.act("hit")
    assert owed(play) == Slot(1, 1)
    play.card("2H")
    play.act("stand")
    assert play.round.asked is not None
    assert play.round.asked.seat == 3


def test_a18_21_completes_a_hand_and_nothing_is_asked() -> None:
    play = Play().open_table().deal("7S TS 9S 7H AS")
    play.act("hit")
    play.card("7D")
    assert play.round.asked is None
    assert owed(play) == Slot(), "seat 3 has Blackjack: the dealer is next"


def test_r23_a_bust_hand_gets_no_more_cards() -> None:
    play = Play().open_table().deal("TS 6S 9S 6H 6D").act("hit")
    play.card("KS")
    assert play.round.boxes[0].hands[0].bust
    assert play.round.asked is not None
    assert play.round.asked.seat == 3


def test_r24_dealer_draws_after_all_hands_and_stands_on_soft_17() -> None:
    play = Play().open_table().deal("TS TH AS 8S 9S").act("stand", "stand")
    assert owed(play) == Slot()
    play.card("6S")
    assert phase(play.round) is Phase.RESULT
    assert play.returned() == {1: ("win", 2000), 3: ("win", 2000)}


def test_r24_dealer_draws_on_a_hard_16_with_an_ace() -> None:
    play = Play().open_table().deal("TS TH AS 8S 9S").act("stand", "stand")
    play.cards("5S TD")
    assert owed(play) == Slot(), "A-5-10 is a hard 16"
    play.card("8D")
    assert play.round.lines[0].result == "win"


@pytest.mark.parametrize(
    ("cards", "dealer", "result"),
    [
        ("AS TS 9S KS 9H", "9D", ("blackjack_win", 2500)),  # R7
        ("TS TH 9S 9C 9H", "9D", ("win", 2000)),  # R8
        ("TS TH 9S 8C 9H", "9D", ("push", 1000)),  # R10
        ("TS TH 9S 7C 9H", "9D", ("lose", 0)),  # R8
        ("AS TH TS KS 9H", "AD", ("push", 1000)),  # R10: two Blackjacks
        ("TS TH AH 9S 9H", "KD", ("lose", 0)),  # A3: Blackjack beats other hands
    ],
)
def test_r7_to_r10_what_seat_1_gets_back(cards: str, dealer: str, result: tuple[str, int]) -> None:
    play = Play().open_table().deal(cards)
    while play.round.asked is not None:
        play.act("stand")
    play.cards(dealer)
    assert play.returned()[1] == result


def test_a3_dealers_blackjack_beats_a_21_of_three_cards() -> None:
    play = Play().open_table().deal("7S TH AH 7H 9H").act("hit")
    play.card("7D")
    play.act("stand")
    play.card("KD")
    assert play.returned()[1] == ("lose", 0)


def test_a3_players_blackjack_beats_a_dealers_21_of_three_cards() -> None:
    play = Play().open_table().deal("AS TH 7S KS 9H").act("stand")
    play.cards("7H 7D")
    assert play.returned()[1] == ("blackjack_win", 2500)


def test_a31_dealer_bust_pays_every_hand_that_is_not_bust() -> None:
    play = Play().open_table().deal("TS TH 6S 6H 2H").act("hit")
    play.card("8D")  # seat 1: 24
    play.act("stand")
    play.cards("TC TD")
    assert play.returned() == {1: ("bust", 0), 3: ("win", 2000)}


def test_a17_always_draws_also_when_every_hand_is_bust() -> None:
    play = Play().open_table().deal("TS TH 6S 6H 6C").act("hit")
    play.card("8D")
    play.act("hit")
    play.card("8C")
    assert owed(play) == Slot()
    play.card("2S")
    assert owed(play) == Slot(), "8: the dealer goes on to 17"
    play.card("9S")
    assert phase(play.round) is Phase.RESULT


def test_a17_until_decided_draws_nothing_when_every_hand_is_bust() -> None:
    play = Play(TableRules(dealer_draw="until_decided")).open_table().deal("TS TH 6S 6H 6C")
    play.act("hit")
    play.card("8D")
    play.act("hit")
    play.card("8C")
    assert phase(play.round) is Phase.RESULT
    assert play.round.dealer[0].face == "6S"


@pytest.mark.parametrize(("upcard", "draws"), [("9S", 0), ("TS", 1), ("AS", 1)])
def test_a17_until_decided_one_card_when_only_blackjacks_wait(upcard: str, draws: int) -> None:
    play = Play(TableRules(dealer_draw="until_decided")).open_table()
    play.deal(f"AH {upcard} KH", seats=(4,))
    for _ in range(draws):
        assert owed(play) == Slot()
        play.card("5S")
    assert phase(play.round) is Phase.RESULT
    assert play.returned()[4] == ("blackjack_win", 2500)


def test_r21_a_silent_player_is_hit_up_to_11_and_then_stands() -> None:
    play = Play().open_table().deal("2S TH 9S 3H 9H")
    play.fire("decision")
    assert owed(play) == Slot(1, 1)
    play.card("6S")  # 11: hit once more (A12)
    assert owed(play) == Slot(1, 1)
    play.card("TD")
    assert play.round.asked is not None
    assert play.round.asked.seat == 3


def test_a12_eleven_is_not_hit_when_the_setting_says_so() -> None:
    play = Play(TableRules(autoplay_hits_eleven=False)).open_table().deal("5S TH 9S 6H 9H")
    play.fire("decision")
    assert play.round.asked is not None
    assert play.round.asked.seat == 3


def test_a12_soft_hands_of_an_absent_player_stand() -> None:
    play = Play().open_table().deal("AS TH 9S 2H 9H")
    play.fire("decision")  # A-2 = 13 stands
    assert play.round.asked is not None
    assert play.round.asked.seat == 3


def test_r25_a_seat_that_was_asked_and_did_nothing_is_vacated_at_the_end() -> None:
    play = Play().open_table().deal("TS TH 9S 9H 9C")
    play.fire("decision")
    play.act("stand")
    play.card("8S")
    assert [seat.seat for seat in play.table.game.seats] == [3]


def test_a33_a_blackjack_that_was_asked_nothing_keeps_its_seat() -> None:
    play = Play().open_table().deal("AS TH 9S KH 9C").act("stand")
    play.card("8S")
    assert [seat.seat for seat in play.table.game.seats] == [1, 3]


def test_a33_a_seated_player_without_a_bet_in_the_round_is_vacated() -> None:
    play = Play().open_table()
    play.must(HOST, r.TakeSeat(6, "watcher"))
    play.deal("TS TH 9S 9H 9C").act("stand", "stand")
    play.card("8S")
    assert [seat.seat for seat in play.table.game.seats] == [1, 3]


def test_a_round_nobody_bets_in_is_over_when_betting_closes() -> None:
    play = Play().open_table()
    play.must(HOST, r.TakeSeat(1, "P1"))
    play.bet(())
    play.fire("betting")
    assert play.round.ended == "cleared"
    assert play.of(g.RoundEmpty)


def test_a13_an_answer_after_the_window_is_stale() -> None:
    play = Play().open_table().deal("TS TH 9S 9H 9C")
    asked = play.round.asked
    assert asked is not None
    play.fire("decision")
    refusal = play.say(HOST, r.Decide(play.number, asked.decision, 1, 1, "hit"))
    assert refusal is not None
    assert refusal.code == "stale_decision"
    assert not play.round.boxes[0].hands[0].owed
