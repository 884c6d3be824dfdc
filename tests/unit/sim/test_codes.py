"""The text on a card."""

from __future__ import annotations

import pytest

from hw_sim.codes import ALPHABET, CodeError, VirtualCard, check_character, decks, is_valid


@pytest.mark.parametrize(
    ("text", "check"),
    [
        # The Global Release Identifier's published example, and vectors by the standard's own
        # computation, product by product.
        ("A12425GABC1234002", "M"),
        ("AAS1", "C"),
        ("AKH3", "5"),
        ("A2C7", "L"),
        ("ATD8", "9"),
        ("ACUT", "6"),
    ],
)
def test_check_character_iso_7064_mod_37_36(text: str, check: str) -> None:
    assert check_character(text) == check
    assert is_valid(text + check)


def test_check_character_finds_every_single_wrong_character() -> None:
    code = VirtualCard("KH", 3, "A").code
    for place in range(len(code)):
        for other in ALPHABET.replace(code[place], ""):
            assert not is_valid(code[:place] + other + code[place + 1 :])


def test_check_character_names_a_character_without_a_value() -> None:
    with pytest.raises(CodeError, match=r"'k' has no check value"):
        check_character("AkH3")


def test_eight_decks_are_416_cards_with_codes_of_their_own() -> None:
    cards = decks(8, "A")
    assert len({card.code for card in cards}) == 416
    faces = [card.face for card in cards]
    assert all(faces.count(face) == 8 for face in set(faces))
    assert all(is_valid(card.code) for card in cards)


@pytest.mark.parametrize(("count", "letter"), [(0, "A"), (10, "A"), (8, "a"), (8, ""), (8, "1")])
def test_decks_and_sets_that_have_no_code_are_refused(count: int, letter: str) -> None:
    with pytest.raises(CodeError):
        decks(count, letter)
