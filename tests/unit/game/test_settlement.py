"""What each bet returns, in amounts worked out by hand: 1,000 on every main bet if not said."""

from __future__ import annotations

import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.rules import TableRules
from station.table import inputs as i
from tests.support.felt import Felt
from tests.support.play import HOST


def stood(deal: str, draws: str, rules: TableRules | None = None) -> tuple[str, int]:
    """What comes back to seat 1, which stands on its first two cards and buys no insurance."""
    felt = Felt(rules).put((1,)).dealt(deal)
    if felt.round.window is not None:
        felt.answer(P1=False)
    if felt.asked is not None:
        felt.act("stand")
    return felt.drawn(draws).paid()["P1 main 1/1"]


# --- R7-R10, R44, R45, A1, A3, A31: a hand against the dealer's ---------------------------------


@pytest.mark.parametrize(
    ("deal", "draws"),
    [
        ("AS 9S KS", "9H"),  # 18
        ("AS 9S TS", "7H TD"),  # the dealer busts with 26
        ("QS TH AS", "9H"),  # 19 behind a ten
        ("JS AH AS", "9H"),  # 20 behind an ace
    ],
)
def test_r7_r44_a_blackjack_pays_three_to_two(deal: str, draws: str) -> None:
    assert stood(deal, draws) == ("blackjack_win", 2500)


@pytest.mark.parametrize(
    ("deal", "draws", "result", "returned"),
    [
        ("TS 9S TH", "TD", "win", 2000),  # 20 v 19
        ("TS 9S 9H", "9D", "win", 2000),  # 19 v 18
        ("TS 9S 8H", "TD", "lose", 0),  # 18 v 19
        ("2S TH 2H", "7D", "lose", 0),  # 4 v 17
        ("AS 9S 8H", "9D", "win", 2000),  # soft 19 v 18
    ],
)
def test_r8_r45_closer_to_21_than_the_dealer_pays_even_money(
    deal: str, draws: str, result: str, returned: int
) -> None:
    assert stood(deal, draws) == (result, returned)


@pytest.mark.parametrize(
    ("deal", "draws"),
    [
        ("TS 9S 7H", "8D"),  # 17
        ("AS 9S 6H", "8D"),  # soft 17 v hard 17
        ("TS 9S 8H", "9D"),  # 18
        ("TS 9S 9H", "TD"),  # 19
        ("TS KH TH", "QD"),  # 20
    ],
)
def test_r10_equal_totals_push_and_the_stake_comes_back(deal: str, draws: str) -> None:
    assert stood(deal, draws) == ("push", 1000)


def test_r10_a1_an_exact_21_of_three_cards_is_no_bust_and_pushes_against_21() -> None:
    felt = Felt().put((1,)).dealt("7S 5H 7H").act("hit").drawn("7D").drawn("6D TD")
    assert felt.paid() == {"P1 main 1/1": ("push", 1000)}


@pytest.mark.parametrize(
    ("card", "result"), [("7D", ("win", 2000)), ("8D", ("bust", 0)), ("TD", ("bust", 0))]
)
def test_r9_a1_21_wins_and_22_busts(card: str, result: tuple[str, int]) -> None:
    felt = Felt().put((1,)).dealt("7S TH 7H").act("hit").drawn(card).drawn("9D")
    assert felt.paid() == {"P1 main 1/1": result}


def test_r9_r23_a_bust_loses_also_when_the_dealer_busts() -> None:
    felt = Felt().put((1, 2)).dealt("TS TH 6S 6H 9H").act("hit").drawn("6D").act("stand")
    felt.drawn("TD KD")
    assert felt.paid() == {"P1 main 1/1": ("bust", 0), "P2 main 2/1": ("win", 2000)}


@pytest.mark.parametrize(
    ("deal", "hits", "draws", "result", "returned"),
    [
        ("AS TH KS", "", "AD", "push", 1000),  # two Blackjacks
        ("AS AH KS", "", "KD", "push", 1000),
        ("AS 7H KS", "", "7D 7C", "blackjack_win", 2500),  # v 21 of three cards
        ("7S TH 7D", "7C", "AD", "lose", 0),  # 21 of three cards v Blackjack
        ("TS TH KS", "", "AD", "lose", 0),  # 20 v Blackjack
        ("7S 5H 7D", "7C", "6D TC", "push", 1000),  # 21 v 21, neither a Blackjack
    ],
)
def test_r6_a3_a_blackjack_is_a_class_of_its_own(
    deal: str, hits: str, draws: str, result: str, returned: int
) -> None:
    felt = Felt().put((1,)).dealt(deal)
    if felt.round.window is not None:
        felt.answer(P1=False)
    for face in hits.split():
        felt.act("hit").card(face)
    if felt.asked:
        felt.act("stand")
    assert felt.drawn(draws).paid() == {"P1 main 1/1": (result, returned)}


@pytest.mark.parametrize("last", ["6D", "7D", "TD"])
def test_a31_when_the_dealer_busts_every_hand_wins_that_is_neither_bust_nor_surrendered(
    last: str,
) -> None:
    felt = Felt().put((1, 2, 3, 4)).dealt("2S AS TS 9H 6S 2H KS 6H 7H")
    felt.act("stand", "hit").drawn("7C").act("surrender").drawn(f"TC {last}")
    assert felt.paid() == {
        "P1 main 1/1": ("win", 2000),  # with a total of 4
        "P2 main 2/1": ("blackjack_win", 2500),
        "P3 main 3/1": ("bust", 0),
        "P4 main 4/1": ("surrender", 500),
    }


# --- R38, A14: after a split -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "seconds"),
    [("AS 9S AH", "KS 5S"), ("TS 9S TH", "AS 5S"), ("KS 9S JH", "AS 5S")],
)
def test_r38_a14_an_ace_and_a_ten_after_a_split_count_21_and_no_blackjack(
    deal: str, seconds: str
) -> None:
    felt = Felt().put((1,)).dealt(deal).act("split").drawn(seconds)
    if felt.asked is not None:
        felt.act("stand")
    felt.drawn("TD")
    assert felt.paid() == {"P1 main 1/1": ("win", 2000), "P1 main 1/2": ("lose", 0)}


def test_r38_a14_such_a_21_pushes_against_21_and_loses_to_a_blackjack() -> None:
    felt = Felt().put((1,)).dealt("AS 7S AH").act("split").drawn("KS QS").drawn("7D 7C")
    assert felt.paid() == {"P1 main 1/1": ("push", 1000), "P1 main 1/2": ("push", 1000)}
    felt = Felt().put((1,)).dealt("AS TS AH").act("split").drawn("KS QS").drawn("AD")
    assert felt.paid() == {"P1 main 1/1": ("lose", 0), "P1 main 1/2": ("lose", 0)}


# --- R29, R32: doubled and surrendered ---------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "draws", "result", "returned"),
    [
        ("9D", "TD", "win", 4000),  # 20 v 19
        ("8D", "TD", "push", 2000),  # 19 v 19
        ("2D", "TD", "lose", 0),  # 13 v 19
    ],
)
def test_r29_r30_a_doubled_bet_is_settled_with_both_units(
    card: str, draws: str, result: str, returned: int
) -> None:
    felt = Felt().put((1,)).dealt("6S 9S 5S").act("double").drawn(card).drawn(draws)
    assert felt.paid() == {"P1 main 1/1": (result, returned)}


def test_r32_a28_a_surrender_costs_half_of_the_main_bet_and_of_each_bet_behind() -> None:
    felt = Felt().put({1: 1100}, behind=[("B", 1, 1000), ("C", 1, 3300)])
    felt.dealt("TS 9S 6S").act("surrender").drawn("8D")
    assert felt.paid() == {
        "P1 main 1/1": ("surrender", 550),
        "B behind 1/1": ("surrender", 500),
        "C behind 1/1": ("surrender", 1650),
    }


# --- R40, R46: insurance -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "draw", "main", "insurance"),
    [
        ("TS AH 9S", "KD", ("lose", 0), ("win", 1500)),
        ("TS AH 9S", "7D", ("win", 2000), ("lose", 0)),
        ("TS AH 9S", "8D", ("push", 1000), ("lose", 0)),
        ("TS AH 7S", "8D", ("lose", 0), ("lose", 0)),
        ("AS AH KS", "QD", ("push", 1000), ("win", 1500)),
        ("AS AH KS", "7D", ("blackjack_win", 2500), ("lose", 0)),
    ],
)
def test_r40_r46_insurance_pays_two_to_one_against_a_blackjack_and_is_lost_otherwise(
    deal: str, draw: str, main: tuple[str, int], insurance: tuple[str, int]
) -> None:
    felt = Felt().put((1,)).dealt(deal).answer(P1=True)
    if felt.asked is not None:
        felt.act("stand")
    assert felt.drawn(draw).paid() == {"P1 main 1/1": main, "P1 insurance 1": insurance}


def test_r40_insurance_is_decided_whatever_happens_to_the_hand() -> None:
    felt = Felt().put((1, 2)).dealt("TS TH AH 6S 6H").answer(P1=True, P2=True)
    felt.act("hit").drawn("KS").act("double").drawn("KH").drawn("KD")
    assert felt.paid() == {
        "P1 main 1/1": ("bust", 0),
        "P2 main 2/1": ("bust", 0),
        "P1 insurance 1": ("win", 1500),
        "P2 insurance 2": ("win", 1500),
    }


def test_r40_a_21_of_three_cards_behind_an_ace_is_no_blackjack() -> None:
    felt = Felt().put((1,)).dealt("TS AH 9S").answer(P1=True).act("stand").drawn("4D 6D")
    assert felt.paid() == {"P1 main 1/1": ("lose", 0), "P1 insurance 1": ("lose", 0)}


# --- R42, R47, A10, A30: Pair ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ("8S", "8H", ("win", 1200)),
        ("8S", "8S", ("win", 1200)),  # of two decks
        ("AS", "AH", ("win", 1200)),
        ("TS", "TH", ("win", 1200)),
        ("KS", "KH", ("win", 1200)),
        ("TS", "KH", ("lose", 0)),  # of equal value, but no pair
        ("JS", "QH", ("lose", 0)),
        ("8S", "9S", ("lose", 0)),
        ("AS", "KS", ("lose", 0)),
    ],
)
def test_r42_r47_a10_pair_pays_eleven_to_one_on_two_cards_of_the_same_rank(
    first: str, second: str, result: tuple[str, int]
) -> None:
    felt = Felt().put((1,), pair={1: 100}, behind_pair=[("B", 1, 100)])
    felt.dealt(f"{first} 9S {second}")
    if felt.asked is not None:
        felt.act("stand")
    paid = felt.drawn("9H").paid()
    assert (paid["P1 pair 1"], paid["B behind_pair 1"]) == (result, result)


@pytest.mark.parametrize("ending", ["surrender", "bust", "split", "dealer"])
def test_a30_pair_is_decided_by_the_first_two_cards_alone(ending: str) -> None:
    felt = Felt().put((1,), pair={1: 101}, behind_pair=[("B", 1, 1000)])
    felt.dealt(f"8S {'TC' if ending == 'dealer' else '6S'} 8H")
    if ending == "surrender":
        felt.act("surrender").drawn("TD TH")
    elif ending == "bust":
        felt.act("hit").drawn("TD").drawn("TH TC")
    elif ending == "split":
        felt.act("split").drawn("TD 9D").act("stand", "stand").drawn("TH TC")
    else:
        felt.act("stand").drawn("AD")
    paid = felt.paid()
    assert (paid["P1 pair 1"], paid["B behind_pair 1"]) == (("win", 1212), ("win", 12000))


def test_a30_a_pair_made_by_a_later_card_pays_nothing() -> None:
    felt = Felt().put((1,), pair={1: 100}).dealt("8S 6S 2H").act("hit").drawn("8H")
    assert felt.act("stand").drawn("TD TH").paid()["P1 pair 1"] == ("lose", 0)
    felt = Felt().put((1,), pair={1: 100}).dealt("TS 6S KH").act("split").drawn("TD KD")
    assert felt.act("stand", "stand").drawn("TH TC").paid()["P1 pair 1"] == ("lose", 0)


# --- R50: behind -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "draw", "result"),
    [
        ("AS 9S KS", "9H", ("blackjack_win", 5000)),
        ("AS TS KS", "AH", ("push", 2000)),
        ("TS 9S TH", "9H", ("win", 4000)),
        ("TS 9S 9D", "TH", ("push", 2000)),
        ("TS 9S 8D", "TH", ("lose", 0)),
    ],
)
def test_r50_r41_a_bet_behind_is_paid_like_the_hand_it_stands_on(
    deal: str, draw: str, result: tuple[str, int]
) -> None:
    felt = Felt().put((1,), behind=[("B", 1, 2000)]).dealt(deal)
    if felt.asked is not None:
        felt.act("stand")
    assert felt.drawn(draw).paid()["B behind 1/1"] == result


# --- R57, A23, R58, R60, A30: when -------------------------------------------------------------


def test_r57_a23_a_lost_players_winning_hand_is_paid_when_the_round_settles() -> None:
    felt = Felt().put((1,)).close()
    felt.must(HOST, c.PlayerLost(1, "P1"))
    felt.drawn("TS 9S 9H")
    settled = felt.card("9D").facts
    lines = [fact.lines for fact in settled if isinstance(fact, g.RoundSettled)]
    assert [(line.player, line.result, line.returned) for line in lines[0]] == [("P1", "win", 2000)]


def test_r60_r58_a30_a_void_returns_every_stake_of_every_kind_once() -> None:
    felt = (
        Felt()
        .sit(3)
        .put(
            {1: 1000, 2: 1500},
            pair={1: 100},
            behind=[("B", 1, 2000), ("C", 3, 5000)],
            behind_pair=[("B", 1, 300)],
        )
    )
    felt.dealt("8S TS AS 8H TH").answer(P1=True, P2=False).act("split").answer(B=True)
    felt.drawn("3D 2D").act("double").answer(B=True).card("TD")
    felt.lose_host()
    assert felt.paid() == {
        "C behind 3/1": ("returned", 5000),
        "P1 main 1/1": ("void", 2000),
        "P2 main 2/1": ("void", 1500),
        "P1 pair 1": ("void", 100),
        "B behind 1/1": ("void", 4000),
        "B behind_pair 1": ("void", 300),
        "P1 insurance 1": ("void", 500),
        "P1 main 1/2": ("void", 1000),
        "B behind 1/2": ("void", 2000),
    }
    assert felt.table.game.shoe.state == "out"
    assert felt.refused(c.OpenRound(felt.round.fingerprint)) == ("host_is_lost", "R58")
    felt.give(i.LinkUp(HOST.link, "host", "game"))
    assert felt.refused(c.OpenRound(felt.round.fingerprint)) == ("shoe_not_in_play", "R60")


def test_r60_no_bet_of_a_settled_round_is_returned_by_anything_after_it() -> None:
    felt = Felt().put((1,)).dealt("TS 9S 9H").act("stand").drawn("9D")
    paid = felt.paid()
    felt.lose_host()
    felt.start()
    assert felt.paid() == paid == {"P1 main 1/1": ("win", 2000)}
