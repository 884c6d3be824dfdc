"""Which card comes next."""

from __future__ import annotations

from collections import Counter

import pytest

from hw_sim.codes import CodeError, decks
from hw_sim.shoe import CUT_FROM_END, Shoe, ShoeEmpty


def codes(shoe: Shoe, count: int) -> list[str]:
    return [shoe.draw().card.code for _ in range(count)]


def test_the_same_seed_gives_the_same_cards_and_another_seed_others() -> None:
    assert codes(Shoe(7), 417) == codes(Shoe(7), 417)
    assert codes(Shoe(7), 50) != codes(Shoe(8), 50)


def test_every_card_comes_once_and_then_the_shoe_is_empty() -> None:
    shoe = Shoe(7, cut=0)
    assert sorted(codes(shoe, 416)) == sorted(card.code for card in decks(8, "A"))
    assert shoe.left == 0
    with pytest.raises(ShoeEmpty, match="load a new one"):
        shoe.draw()


@pytest.mark.parametrize("seed", range(20))
def test_cut_card_lies_60_to_80_cards_from_the_end(seed: int) -> None:
    shoe = Shoe(seed)
    while not shoe.draw().card.cut:
        pass
    assert CUT_FROM_END[0] <= shoe.left <= CUT_FROM_END[1]
    assert not any(shoe.draw().card.cut for _ in range(shoe.left))


def test_cut_card_comes_at_the_depth_asked_for() -> None:
    shoe = Shoe(7, cut=5)
    assert [shoe.draw().card.cut for _ in range(7)] == [False] * 5 + [True, False]


def test_last_is_the_last_card_and_never_the_cut_card() -> None:
    shoe = Shoe(7, cut=1)
    assert shoe.last() is None
    first = shoe.draw()
    assert shoe.draw().card.cut
    assert shoe.last() == first
    assert shoe.last(first.card.face) == first


def test_stack_comes_first_and_takes_its_cards_from_the_shoe() -> None:
    shoe = Shoe(7, cut=0, stack=["KH3", "kh", "AS"])
    first = [shoe.draw().card for _ in range(3)]
    assert [card.face for card in first] == ["KH", "KH", "AS"]
    assert [card.deck for card in first] == [3, 1, 1]
    rest = codes(shoe, 413)
    assert len(set(rest)) == 413
    assert first[0].code not in rest


@pytest.mark.parametrize("stack", [["XX"], ["KH0"], ["K"], ["KH3", "KH3"], ["KH"] * 9])
def test_stack_that_cannot_be_made_names_the_card(stack: list[str]) -> None:
    with pytest.raises(CodeError, match=stack[-1]):
        Shoe(7, stack=stack)


def test_what_left_and_what_remains_are_the_whole_shoe() -> None:
    """R2: eight of each face; the cut card is none of them."""
    shoe = Shoe(7, cut=40)
    out = [given.card.face for given in (shoe.draw() for _ in range(100)) if not given.card.cut]
    remaining = shoe.remaining()
    assert sum(remaining.values()) == 416 - len(out) == shoe.left
    whole = Counter({card.face: 8 for card in decks(8, "A")})
    assert Counter(out) + Counter(remaining) == whole
