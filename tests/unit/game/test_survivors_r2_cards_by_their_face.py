"""R2: a card is what is printed on it; set and deck are what its code adds, where it adds any."""

from __future__ import annotations

from station.game.cards import Card, Rank, Suit, card_of


def test_r2_a_face_alone_names_a_card_without_set_and_deck() -> None:
    king = card_of("KH")
    assert (king.rank, king.suit, king.set, king.deck) == (Rank.KING, Suit.HEARTS, "", 0)
    assert king == Card(Rank.KING, Suit.HEARTS)
    assert (Card(Rank.KING, Suit.HEARTS).set, Card(Rank.KING, Suit.HEARTS).deck) == ("", 0)
    assert not king.unique


def test_r2_a_deck_number_from_one_tells_a_card_from_its_like() -> None:
    first, second = card_of("KH", "A", 1), card_of("KH", "A", 2)
    assert first.unique
    assert first != second
    assert first.face == second.face == "KH"
