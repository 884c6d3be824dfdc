"""The whole game by brute force: every hand against every upcard, every end of a hand against every
end of the dealer's, under every setting, beside a statement of the rules that shares nothing with
the product.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec
import pytest

from station.game.cards import Card, card_of
from station.game.dealing import dealer_done
from station.game.decisions import ACTIONS, legal, why_not_action
from station.game.rules import TableRules
from station.game.settlement import settle
from station.game.state import Bet, Box, Hand, Round, Slot

RANKS = "A23456789TJQK"
TENS = "TJQK"
MAIN = 1000


def cards(ranks: str) -> tuple[Card, ...]:
    return tuple(card_of(rank + "S") for rank in ranks)


def pips(rank: str) -> int:
    return 1 if rank == "A" else 10 if rank in TENS else int(rank)


def points(ranks: str) -> int:
    """R3-R5: one ace is 11 where that is no bust."""
    low = sum(pips(rank) for rank in ranks)
    return low + 10 if "A" in ranks and low <= 11 else low


def natural(ranks: str) -> bool:
    return len(ranks) == 2 and "A" in ranks and any(rank in TENS for rank in ranks)


# --- R20, R26-R37, A8-A10, A18: what may be done --------------------------------------------------


def may(ranks: str, upcard: str, *, split: bool, das: bool) -> set[str]:
    """The five actions, as the rules name their conditions; none for a hand that asks nothing."""
    if points(ranks) >= 21 or (split and ranks[0] == "A"):
        return set()
    two = len(ranks) == 2
    found = {"hit", "stand"}
    if two and (das or not split):
        found.add("double")
    if two and not split and pips(ranks[0]) == pips(ranks[1]):
        found.add("split")
    if two and not split and upcard not in "ATJQK":
        found.add("surrender")
    return found


def hands_of(length: int) -> Iterator[str]:
    for ranks in itertools.product("A23456789TK", repeat=length):
        yield "".join(ranks)


@pytest.mark.parametrize("das", [True, False])
@pytest.mark.parametrize("split", [False, True])
@pytest.mark.parametrize("length", [2, 3])
def test_r26_what_may_be_done_with_every_hand_against_every_upcard(
    length: int, split: bool, das: bool
) -> None:
    rules = TableRules(double_after_split=das)
    for ranks in hands_of(length):
        if length == 3 and points(ranks[:2]) >= 21:
            continue
        if length == 3 and split and ranks[0] == "A":
            continue  # R37: there is no such hand.
        hand = Hand(cards(ranks), split=split)
        other = Hand(cards("95"), split=True)
        wanted = may(ranks, "2", split=split, das=das)
        assert hand.complete == (not wanted), ranks
        if not wanted:
            continue
        box = Box(1, "P1", (hand, other) if split else (hand,))
        for upcard in RANKS:
            round_ = Round(1, "S1", "", closed=True, boxes=(box,), dealer=cards(upcard))
            found = legal(round_, rules, Slot(1, 1))
            assert set(found) == may(ranks, upcard, split=split, das=das), (ranks, upcard)
            for action in ACTIONS:
                why = why_not_action(round_, rules, Slot(1, 1), action)
                assert (why is None) == (action in found)
                assert why is None or why.rule.startswith("R"), why


# --- R7-R10, R32, R40-R47, A1-A3, A14, A22, A28, A30, A31: what comes back ------------------------


class End(NamedTuple):
    """How a seat's hands may have ended: their ranks, and what was done."""

    hands: tuple[str, ...]
    doubled: tuple[bool, ...] = (False,)
    surrendered: bool = False


ENDS = (
    End(("TA",)),
    End(("AK",)),
    End(("A9",)),
    End(("T9",)),
    End(("T8",)),
    End(("T7",)),
    End(("T6",)),
    End(("22",)),
    End(("777",)),
    End(("A55",)),
    End(("T66",)),
    End(("T67",)),
    End(("T6",), surrendered=True),
    End(("88",), surrendered=True),
    End(("56T",), (True,)),
    End(("569",), (True,)),
    End(("646",), (True,)),
    End(("T2T",), (True,)),
    End(("AT", "AK"), (False, False)),
    End(("AT", "A7"), (False, False)),
    End(("TA", "KA"), (False, False)),
    End(("8T", "85T"), (False, False)),
    End(("83T", "83T"), (True, True)),
    End(("83T", "86T"), (True, False)),
    End(("86T", "83T"), (False, True)),
    End(("86T", "86T"), (True, True)),
    End(("86T", "86T"), (False, False)),
)
DEALERS = ("T7", "A6", "T8", "T9", "TK", "AT", "KA", "777", "A55", "T6T", "T66", "9A7", "22346")


def bets_of(end: End) -> tuple[Bet, ...]:
    """The seat's bets, and behind: one who follows everything, one who follows nothing."""
    bets = [
        Bet(1, "main", "P1", 1, 1, MAIN, end.doubled[0]),
        Bet(2, "pair", "P1", 1, 0, 101),
        Bet(3, "insurance", "P1", 1, 0, MAIN // 2),
        Bet(4, "behind", "Eve", 1, 1, 300, end.doubled[0]),
        Bet(5, "behind", "Fay", 1, 1, 700),
        Bet(6, "behind_pair", "Gil", 1, 0, 33),
    ]
    if len(end.hands) == 2:
        bets.append(Bet(7, "main", "P1", 1, 2, MAIN, end.doubled[1]))
        bets.append(Bet(8, "behind", "Eve", 1, 2, 300, end.doubled[1]))
        bets.append(Bet(9, "behind", "Hal", 1, 2, 500))
    return tuple(bets)


def boxed(end: End) -> Box:
    split = len(end.hands) == 2
    hands = tuple(
        Hand(
            cards(ranks),
            stood=True,
            doubled=doubled,
            split=split,
            surrendered=end.surrendered,
        )
        for ranks, doubled in zip(end.hands, end.doubled, strict=True)
    )
    return Box(1, "P1", hands)


def comes_back(bet: Bet, end: End, dealer: str, *, original: bool) -> int:
    """The stake and what it wins, in whole minor units, from the rules' own sentences."""
    split = len(end.hands) == 2
    if bet.kind in ("pair", "behind_pair"):  # R42: the first two cards, by rank (A10)
        first = end.hands[0][0] + (end.hands[1][0] if split else end.hands[0][1])
        return bet.amount * 12 if first[0] == first[1] else 0
    if bet.kind == "insurance":  # R40
        return bet.amount * 3 if natural(dealer) else 0
    stake = bet.amount * (1 + bet.doubled)
    if end.surrendered:  # R32, A28
        return stake // 2
    ranks = end.hands[bet.hand - 1]
    blackjack = natural(ranks) and not split  # R38, A14
    if natural(dealer) and blackjack:  # A3
        return stake
    if natural(dealer):  # A22
        added = stake if bet.hand == 2 else stake - bet.amount
        return added if original else 0
    if points(ranks) > 21:  # R23, A1
        return 0
    if blackjack:  # R7, R50
        return stake + stake // 2 * 3
    if points(dealer) > 21 or points(ranks) > points(dealer):  # A31, R8
        return 2 * stake
    return stake if points(ranks) == points(dealer) else 0  # R10


@pytest.mark.parametrize("original", [False, True])
@pytest.mark.parametrize("end", ENDS, ids=str)
def test_r7_to_r47_every_bet_against_every_end_of_the_dealer(end: End, original: bool) -> None:
    rules = TableRules(dealer_blackjack_takes="original" if original else "all")
    for dealer in DEALERS:
        if end.surrendered and dealer[0] in "ATJQK":
            continue  # R31: never offered.
        round_ = Round(
            1,
            "S1",
            "",
            bets=bets_of(end),
            closed=True,
            boxes=(boxed(end),),
            dealer=cards(dealer),
        )
        lines = settle(round_, rules)
        assert [line.bet for line in lines] == [bet.bet for bet in round_.bets], "one line a bet"
        for bet, line in zip(round_.bets, lines, strict=True):
            wanted = comes_back(bet, end, dealer, original=original)
            assert line.returned == wanted, (dealer, line)
            assert line.stake == bet.amount * (1 + bet.doubled)
            assert (line.result in ("lose", "bust")) == (wanted < line.stake) or (
                line.result == "surrender"
            ), line


# --- A17: how far the dealer draws ----------------------------------------------------------------


@cache
def finals(dealer: str) -> frozenset[str]:
    """Every hand the dealer can end with from here; a ten stands for all of its value."""
    if len(dealer) >= 2 and points(dealer) >= 17:
        return frozenset({dealer})
    return frozenset().union(*(finals(dealer + rank) for rank in "A23456789T"))


@cache
def kinds(dealer: str) -> tuple[str, ...]:
    """One of each end that any bet can tell apart."""
    found: dict[tuple[int, bool], str] = {}
    for final in finals(dealer):
        found.setdefault((min(points(final), 22), natural(final)), final)
    return tuple(found.values())


@pytest.mark.parametrize("original", [False, True])
@pytest.mark.parametrize("insured", [False, True])
@pytest.mark.parametrize("upcard", "A2679TK")
def test_a17_the_dealer_draws_while_a_bets_return_hangs_on_it_and_no_longer(
    upcard: str, insured: bool, original: bool
) -> None:
    """Two seats, every pair of ends: done means that no further card could change a return."""
    if insured and upcard != "A":
        return
    rules = TableRules(
        dealer_draw="until_decided",
        dealer_blackjack_takes="original" if original else "all",
    )
    always = TableRules(dealer_draw="always")
    ends = [end for end in ENDS if not (end.surrendered and upcard in "ATK")]
    for mine, theirs in itertools.combinations_with_replacement(ends, 2):
        bets = [bet for bet in bets_of(mine) if insured or bet.kind != "insurance"]
        other = Box(2, "P2", boxed(theirs).hands)
        bets += [
            msgspec.structs.replace(bet, bet=bet.bet + 20, seat=2)
            for bet in bets_of(theirs)
            if bet.kind != "insurance"
        ]
        for dealer in (upcard, upcard + "2", upcard + "T", upcard + "A"):
            round_ = Round(
                1,
                "S1",
                "",
                bets=tuple(bets),
                closed=True,
                boxes=(boxed(mine), other),
                dealer=cards(dealer),
                insurance_over=True,
            )
            stands = len(dealer) >= 2 and points(dealer) >= 17
            hangs = not stands and any(
                len(
                    {
                        comes_back(bet, mine if bet.seat == 1 else theirs, final, original=original)
                        for final in kinds(dealer)
                    }
                )
                > 1
                for bet in bets
            )
            assert dealer_done(round_, rules) == (not hangs), (mine, theirs, dealer)
            assert dealer_done(round_, always) == stands
