"""How a simulated player plays: the documented table, and nothing that is not legal."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw_sim.codes import RANKS
from hw_sim.strategy import STRATEGIES, UPCARDS, anything, basic
from station.game.cards import card_of
from station.game.hands import total
from station.simulation.strategy import basic as derived

ALL = ("double", "hit", "split", "stand", "surrender")
DOCUMENT = Path(__file__).parents[3] / "docs" / "strategy.md"


def view(*ranks: str) -> dict[str, Any]:
    """A hand of the snapshot with those ranks."""
    points, soft = total(tuple(card_of(f"{rank}S", "A", 1) for rank in ranks))
    return {"hand": 1, "cards": [f"{rank}S" for rank in ranks], "total": points, "soft": soft}


HANDS = [
    *itertools.combinations_with_replacement(RANKS, 2),
    *itertools.combinations_with_replacement(RANKS, 3),
]
LEGAL = [
    ("hit", "stand", *more)
    for n in range(4)
    for more in itertools.combinations(("double", "split", "surrender"), n)
]


@pytest.mark.parametrize("takes", ["all", "original"])
@pytest.mark.parametrize("das", [True, False])
def test_basic_strategy_is_the_one_derived_from_the_rules(takes: Any, das: bool) -> None:
    """Every hand of two or three cards against every upcard, whatever is legal (R26-R36)."""
    settings = {"dealer_blackjack_takes": takes, "double_after_split": das}
    for ranks in HANDS:
        hand = view(*ranks)
        if hand["total"] >= 21:
            continue
        cards = tuple(card_of(face, "A", 1) for face in hand["cards"])
        for up, legal in itertools.product(UPCARDS, LEGAL):
            want = derived(cards, card_of(f"{up}H", "A", 1), legal, takes, das)
            assert basic(hand, f"{up}H", legal, settings) == want, (ranks, up, legal)


def documented(table: str) -> dict[str, list[str]]:
    """Rows of the first table of that name in the document, by what stands first in them."""
    text = DOCUMENT.read_text(encoding="utf-8")
    part = text[text.index(f"| {table} | 2 |") :].split("\n\n")[0]
    rows = [re.findall(r"[^|\s]+", line) for line in part.splitlines()[2:]]
    return {row[0]: row[1:] for row in rows}


WORDS = {"H": "hit", "S": "stand", "D": "double", "d": "double", "R": "surrender"}


@pytest.mark.parametrize(
    ("table", "row", "hand"),
    [
        ("hard", "9", ("4", "5")),
        ("hard", "10-11", ("4", "7")),
        ("hard", "12", ("T", "2")),
        ("hard", "16", ("T", "6")),
        ("hard", "17-20", ("T", "7")),
        ("soft", "13-14", ("A", "3")),
        ("soft", "17", ("A", "6")),
        ("soft", "18", ("A", "7")),
        ("soft", "19-20", ("A", "8")),
    ],
)
def test_basic_strategy_is_the_documented_one(table: str, row: str, hand: tuple[str, str]) -> None:
    words = documented(table)[row]
    legal = ("hit", "stand", "double", "surrender")
    played = [basic(view(*hand), f"{up}H", legal, {}) for up in UPCARDS]
    assert played == [WORDS[word] for word in words]


def test_pairs_are_split_by_value() -> None:
    """R34, A10: a king and a queen are a pair, and are never split."""
    words = documented("pair")
    for rank in "A2346789":
        played = [basic(view(rank, rank), f"{up}H", ALL, {}) == "split" for up in UPCARDS]
        assert played == [word in "Pp" for word in words[f"{rank}-{rank}"]]
    assert basic(view("K", "Q"), "6H", ALL, {}) == "stand"


def test_a_pair_is_played_by_its_total_where_it_may_not_be_split() -> None:
    """R36: a hand after a split is not split again."""
    assert basic(view("8", "8"), "6H", ("hit", "stand", "double"), {}) == "stand"
    assert basic(view("A", "A"), "6H", ("hit", "stand"), {}) == "hit"


@given(st.sets(st.sampled_from(ALL), min_size=1), st.integers())
def test_anything_is_legal_or_silence(legal: set[str], seed: int) -> None:
    assert anything(random.Random(seed), sorted(legal)) in {*legal, None}


@given(
    st.lists(st.sampled_from(RANKS), min_size=2, max_size=8),
    st.sampled_from(RANKS),
    st.sets(st.sampled_from(ALL), min_size=1),
)
def test_basic_strategy_never_leaves_what_is_legal(
    ranks: list[str], up: str, legal: set[str]
) -> None:
    assert basic(view(*ranks), f"{up}D", sorted(legal), {}) in legal


def test_there_are_three_strategies() -> None:
    assert STRATEGIES == ("basic", "random", "absent")
