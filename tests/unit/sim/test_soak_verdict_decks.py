"""The verdict where some cards of the journal have no deck number, as by a camera's index."""

from __future__ import annotations

from hw_sim.soak_verdict import _longest

TRUE = [("KH", 3), ("KH", 5), ("9S", 1), ("2C", 8)]


def test_the_face_does_where_no_deck_was_told() -> None:
    told = [("KH", 3), ("KH", 0), ("9S", 1), ("2C", 0)]
    assert _longest(told, TRUE) == {0: 0, 1: 1, 2: 2, 3: 3}


def test_another_deck_or_face_is_another_card() -> None:
    assert _longest([("KH", 4), ("9S", 0)], TRUE) == {1: 2}
    assert _longest([("QH", 0), ("9S", 1)], TRUE) == {1: 2}


def test_a_missing_card_and_a_wrong_order_are_found() -> None:
    assert _longest([("KH", 5), ("2C", 0)], TRUE) == {0: 1, 1: 3}
    assert len(_longest([("9S", 0), ("KH", 3)], TRUE)) == 1
