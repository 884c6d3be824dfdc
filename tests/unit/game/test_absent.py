"""The station plays for a silent or lost player, and who loses his seat, by the rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.game import commands as c
from station.game import facts as g
from station.game.cards import RANKS, card_of
from station.game.dealing import autoplay
from station.game.hands import is_bust, total
from station.game.rules import TableRules
from station.game.state import Box, Hand
from tests.support.felt import Felt
from tests.support.play import HOST


def made(felt: Felt) -> list[tuple[int, int, str, str]]:
    """Seat, hand, action and author of every decision so far."""
    facts = [fact for fact in felt.facts if isinstance(fact, g.DecisionMade)]
    return [(fact.seat, fact.hand, fact.action, fact.by) for fact in facts]


# --- R21, R22, R56, A12: how the station plays -------------------------------------------------

PLAYED = [
    # two cards, cards that could come, what the hand is in the end
    ("2S 3S", "2H 4H TD", "2S 3S 2H 4H TD"),  # 5, 7, 11: an 11 is hit
    ("2S 3S", "7D 9D", "2S 3S 7D"),  # 12 stands
    ("5S 6S", "TD", "5S 6S TD"),  # 21
    ("5S 6S", "AD 5D", "5S 6S AD"),  # 12: the ace counts 1, or it would bust
    ("5S 5D", "AD", "5S 5D AD"),  # 21: the ace counts 11
    ("2S 3S", "AD 5D", "2S 3S AD"),  # the ace counts 11: 16 stands
    ("AS AD", "5D", "AS AD"),  # 12
    ("AS 2S", "5D", "AS 2S"),  # 13
    ("7S 5S", "5D", "7S 5S"),  # a hard 12 may bust: it stands
    ("9S 2S", "TD", "9S 2S TD"),
    ("8S 8D", "5D", "8S 8D"),  # never split
    ("TS 6S", "5D", "TS 6S"),  # never surrendered
]


@pytest.mark.parametrize("why", ["timeout", "lost"])
@pytest.mark.parametrize(("two", "comes", "hand"), PLAYED)
def test_r21_r56_a12_hit_while_the_total_is_11_or_less_then_stand(
    two: str, comes: str, hand: str, why: str
) -> None:
    first, second = two.split()
    felt = Felt().put((1, 2)).dealt(f"{first} TH 9S {second} TC")
    if why == "timeout":
        felt.fire("decision")
    else:
        felt.must(HOST, c.PlayerLost(1, "P1"))
    for face in comes.split():
        if felt.asked == (2, 1):
            break
        felt.card(face)
    assert felt.hand(1) == hand
    assert felt.asked == (2, 1)
    assert all(by == "station" for *_, by in made(felt))
    assert {action for _, _, action, _ in made(felt)} <= {"hit", "stand"}


@pytest.mark.parametrize(
    ("eleven", "two", "hits"),
    [(True, "5S 6S", 1), (False, "5S 6S", 0), (True, "5S 5D", 1), (False, "5S 5D", 1)],
)
def test_a12_the_setting_says_whether_eleven_is_hit(eleven: bool, two: str, hits: int) -> None:
    first, second = two.split()
    felt = Felt(TableRules(autoplay_hits_eleven=eleven)).put((1, 2))
    felt.dealt(f"{first} TH 9S {second} TC").fire("decision")
    if hits:
        felt.card("TD")
    assert felt.asked == (2, 1)
    assert len(felt.hand(1).split()) == 2 + hits


@given(
    st.lists(st.sampled_from(RANKS), min_size=2, max_size=8),
    st.sampled_from(RANKS),
    st.booleans(),
)
def test_r22_the_station_never_ends_a_hand_as_a_bust(
    ranks: list[str], drawn: str, eleven: bool
) -> None:
    cards = tuple(card_of(f"{rank}S") for rank in ranks)
    if is_bust(cards):
        return
    box = Box(1, "P1", (Hand(cards),))
    action = autoplay(box, 1, TableRules(autoplay_hits_eleven=eleven))
    if action == "hit":
        assert not is_bust((*cards, card_of(f"{drawn}H")))
    else:
        assert total(cards).points >= (12 if eleven else 11)


def test_a12_the_station_never_insures() -> None:
    felt = Felt().put((1,)).dealt("5S AS 6S")
    felt.must(HOST, c.PlayerLost(1, "P1"))
    felt.fire("insurance")
    felt.card("2D")
    assert [bet.kind for bet in felt.round.bets] == ["main"]
    assert made(felt) == [(1, 1, "hit", "station"), (1, 1, "stand", "station")]


def test_r21_r28_what_the_player_began_the_station_completes() -> None:
    felt = Felt().put((1, 2)).dealt("2S TH 9S 3S TC").act("hit").drawn("4S")
    felt.fire("decision")
    felt.card("8S")
    assert made(felt) == [
        (1, 1, "hit", "player"),
        (1, 1, "hit", "station"),
        (1, 1, "stand", "station"),
    ]


# --- R55, A13: absent and back -----------------------------------------------------------------


def test_r55_a_lost_players_round_is_completed_without_waiting_for_him() -> None:
    felt = Felt().put((1, 2)).close()
    felt.must(HOST, c.PlayerLost(2, "P2"))
    felt.drawn("TS 5S 9S TH 4S").act("stand").drawn("TD")
    assert felt.round.asked is None
    assert "decision" not in felt.running
    felt.drawn("7D")  # the dealer: 9-7
    felt.card("2D")
    assert felt.paid() == {"P1 main 1/1": ("win", 2000), "P2 main 2/1": ("win", 2000)}


@pytest.mark.parametrize("moment", ["betting", "deal", "insurance", "decision", "follow", "hit"])
def test_r55_whenever_the_connection_is_lost_the_seats_round_is_completed(moment: str) -> None:
    """Nobody waits for the lost seat; what is asked of others is still asked."""
    felt = Felt().put((1, 2), behind=[("B", 1, 1000)])
    upcard = "AS" if moment == "insurance" else "9S"
    steps = {"deal": 2, "insurance": 5, "decision": 5, "follow": 5, "hit": 5}
    faces = ["5S", "TH", upcard, "5H", "TC"]
    done = steps.get(moment, 0)
    if done:
        felt.dealt(" ".join(faces[:done]))
    if moment == "follow":
        felt.act("split")
    elif moment == "hit":
        felt.act("hit")
    felt.must(HOST, c.PlayerLost(1, "P1"))
    if not done:
        felt.close()
    felt.drawn(" ".join(faces[done:]))
    if felt.round.window is not None:
        felt.answer(**dict.fromkeys(felt.round.window.asked, False))
    if moment == "follow":
        felt.drawn("7D 8D")
    else:
        felt.card("7D")
    assert felt.asked == (2, 1)
    hands = [felt.hand(1, hand) for hand in (1, 2)] if moment == "follow" else [felt.hand(1)]
    assert hands == (["5S 7D", "5H 8D"] if moment == "follow" else ["5S 5H 7D"])
    by = {author for seat, _, action, author in made(felt) if action == "stand" and seat == 1}
    assert by == {"station"}


def test_a13_one_silence_hands_the_rest_of_the_seats_round_to_the_station() -> None:
    felt = Felt().put((1, 2)).dealt("8S TH 9S 8H TC").act("split").drawn("2D 3D")
    felt.fire("decision")
    felt.drawn("TD TS")
    assert made(felt) == [
        (1, 1, "split", "player"),
        (1, 1, "hit", "station"),
        (1, 1, "stand", "station"),
        (1, 2, "hit", "station"),
    ]
    assert felt.asked == (2, 1)


def test_a13_absence_is_a_matter_of_that_seat_and_that_round() -> None:
    felt = Felt().put((1, 2)).dealt("5S TH 9S 8H TC").act("hit").drawn("2S")
    felt.fire("decision")
    felt.act("stand").drawn("TD")
    felt.clear()
    assert felt.seated == [1, 2]
    felt.open_round()
    assert not felt.table.game.absent(1), "before he has said anything"
    for seat in (1, 2):
        felt.must(HOST, felt.stake(seat))
    assert felt.dealt("TS TH 9S TC TD").asked == (1, 1)


def test_a13_a_late_answer_is_refused_and_makes_him_present_for_the_next_decision() -> None:
    felt = Felt().put((1, 2)).dealt("2S TH 9S 3S TC")
    late = felt.decision("double")
    felt.fire("decision")
    refusal = felt.say(HOST, late)
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("too_late", "R21")
    assert felt.of(g.PlayerReturned) == [g.PlayerReturned(1, "P1")]
    assert len(felt.round.bets) == 2, "his double is not played"
    felt.card("2D")
    assert felt.asked == (1, 1)
    assert felt.running == {"decision": 15}


def test_a13_an_answer_that_comes_before_the_windows_end_is_in_time() -> None:
    felt = Felt().put((1, 2)).dealt("2S TH 9S 3S TC")
    name = next(timer.name for timer in felt.timers)
    felt.act("hit")
    felt.end(name)
    assert felt.of(g.PlayerAbsent) == []
    assert felt.drawn("2D").asked == (1, 1)


def test_a13_a_lost_player_who_is_back_is_asked_from_the_next_decision_on() -> None:
    felt = Felt().put((1, 2)).dealt("2S TH 9S 3S TC")
    felt.must(HOST, c.PlayerLost(1, "P1"))
    assert felt.refused(c.PlayerLost(1, "P1")) == ("absent_already", "R55")
    assert felt.refused(c.PlayerBack(1, "other")) == ("not_seated", "R55")
    felt.must(HOST, c.PlayerBack(1, "P1"))
    assert felt.refused(c.PlayerBack(1, "P1")) == ("present_already", "A13")
    assert felt.drawn("2D").asked == (1, 1)


@pytest.mark.parametrize(("buys", "asked"), [(True, (1, 1)), (False, (2, 1))])
def test_a13_buying_insurance_is_an_action_and_declining_it_is_none(
    buys: bool, asked: tuple[int, int]
) -> None:
    felt = Felt().put((1, 2)).dealt("TS TH AS 9S TC")
    felt.must(HOST, c.PlayerLost(1, "P1"))
    felt.answer(P1=buys, P2=False)
    assert felt.asked == asked


# --- R25, A33: who loses his seat --------------------------------------------------------------


def test_r25_a_seat_that_was_asked_and_did_nothing_is_vacated_at_the_rounds_end() -> None:
    felt = Felt().put((1, 2)).dealt("TS TH 9S 9H TC")
    felt.fire("decision")
    assert felt.seated == [1, 2], "not before the round is over"
    felt.act("stand").drawn("8S")
    assert felt.seated == [2]
    assert felt.of(g.SeatLeft) == [g.SeatLeft(1, "P1", "inactive")]


@pytest.mark.parametrize("upcard", ["9S", "AS"])
def test_a33_a_blackjack_is_offered_no_decision_and_keeps_its_seat(upcard: str) -> None:
    felt = Felt().put((1,)).dealt(f"AH {upcard} KH")
    if upcard == "AS":
        felt.fire("insurance")
    felt.card("8D")
    assert felt.round.ended == "settled"
    assert felt.seated == [1]


def test_a33_who_acted_once_and_then_fell_silent_keeps_his_seat() -> None:
    felt = Felt().put((1,)).dealt("2S 9S 3S").act("hit").drawn("7H")
    felt.fire("decision")
    assert felt.drawn("8D").seated == [1]


@pytest.mark.parametrize(("buys", "seated"), [(True, [1]), (False, [])])
def test_a33_who_bought_insurance_and_then_fell_silent_has_acted(
    buys: bool, seated: list[int]
) -> None:
    felt = Felt().put((1,)).dealt("TS AS 9S").answer(P1=buys)
    felt.fire("decision")
    assert felt.drawn("8D").seated == seated


def test_a33_a_lost_player_for_whom_the_station_decided_is_vacated() -> None:
    felt = Felt().put((1, 2)).close()
    felt.must(HOST, c.PlayerLost(1, "P1"))
    assert felt.drawn("TS TH 9S 9H TC").act("stand").drawn("8S").seated == [2]


def test_a33_a_seated_player_without_a_bet_in_a_whole_round_is_vacated() -> None:
    felt = Felt().sit(6).put((1,)).dealt("TS 9S 9H").act("stand").drawn("8S")
    assert felt.seated == [1]


def test_a33_who_sat_down_during_betting_has_not_missed_a_whole_round_yet() -> None:
    felt = Felt().put((1,)).sit(6)
    felt.dealt("TS 9S 9H").act("stand").drawn("8S")
    assert felt.seated == [1, 6]
    felt.clear()
    felt.put((1,)).dealt("TH 9D 9C").act("stand").drawn("8D")
    assert felt.seated == [1]


def test_a33_a_round_nobody_bets_in_vacates_who_sat_there_before_it() -> None:
    felt = Felt().sit(1).put(()).sit(2)
    felt.fire("betting")
    assert felt.round.ended == "cleared"
    assert felt.seated == [2]
