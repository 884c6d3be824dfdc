"""The card code: format, check character, strictness."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cardcode import (
    ALPHABET,
    DEFAULT_CARD,
    RANKS,
    SUITS,
    CardCode,
    CardText,
    CutText,
    Reject,
    check_character,
)

FACES = [rank + suit for rank in RANKS for suit in SUITS]
TEMPLATES = [
    (DEFAULT_CARD, "{set}CUT{check}"),
    ("{rank}{suit}{deck:2}{check}", "CUT{check}"),
    ("{rank}{suit}-{deck:2}", "CUT"),
    ("{rank}{suit}", "CUT-CARD"),
]


def test_check_character_is_that_of_iso_7064_mod_37_36() -> None:
    # The published example of the Global Release Identifier, A1-2425G-ABC1234002-M.
    assert check_character("A12425GABC1234002") == "M"
    assert check_character("A1-2425G-ABC1234002-") == "M"


def test_the_default_code_reads_set_face_deck_and_check() -> None:
    code = CardCode.from_template()
    assert code.parse("AKH35") == CardText("KH", "A", 3, "AKH35", checked=True)
    assert code.parse("ACUT6") == CutText("A", "ACUT6", checked=True)
    assert code.has_check
    assert code.has_deck


@pytest.mark.parametrize(("template", "cut"), TEMPLATES)
def test_every_card_written_is_read_back(template: str, cut: str) -> None:
    code = CardCode.from_template(template, cut)
    for face, deck in itertools.product(FACES, range(1, 9)):
        text = code.format(face, "A", deck)
        assert code.parse(text) == CardText(
            face=face,
            set="A" if "{set}" in template else "",
            deck=deck if "{deck" in template else 0,
            text=text,
            checked="{check}" in template,
        )
    assert isinstance(code.parse(code.format_cut("A")), CutText)


def test_every_single_wrong_character_is_found() -> None:
    code = CardCode.from_template()
    for face, deck in itertools.product(FACES, range(1, 9)):
        text = code.format(face, "A", deck)
        for at, wrong in itertools.product(range(len(text)), ALPHABET):
            if wrong != text[at]:
                changed = text[:at] + wrong + text[at + 1 :]
                assert isinstance(code.parse(changed), Reject), (text, changed)


@pytest.mark.parametrize(("template", "cut"), TEMPLATES)
def test_no_fragment_tail_or_glued_pair_is_a_code(template: str, cut: str) -> None:
    code = CardCode.from_template(template, cut)
    texts = [code.format(face, "A", 3) for face in FACES] + [code.format_cut("A")]
    for text in texts:
        parts = {text[:at] for at in range(len(text))} | {text[at:] for at in range(1, len(text))}
        for part in parts:
            assert isinstance(code.parse(part), Reject), (text, part)
    for one, other in itertools.product(texts, repeat=2):
        assert isinstance(code.parse(one + other), Reject), (one, other)


@pytest.mark.parametrize(
    "text", ["akh35", " AKH35", "AKH35 ", "AKH35\n", "AKH3５", "ÀKH35", "A10H35", "AKH0X", ""]
)
def test_nothing_is_stripped_folded_or_guessed(text: str) -> None:
    assert CardCode.from_template().parse(text) == Reject("not_a_card")


def test_a_wrong_check_is_told_from_a_wrong_form() -> None:
    code = CardCode.from_template()
    assert code.parse("AKH36") == Reject("bad_check")
    assert code.parse("ACUT7") == Reject("bad_check")


def test_a_foreign_set_or_deck_is_a_card_that_says_so() -> None:
    code = CardCode.from_template(sets="A")
    foreign_set, foreign_deck = code.parse("BKH3Q"), code.parse("AKH9U")
    assert isinstance(foreign_set, CardText)
    assert (foreign_set.set, foreign_set.foreign) == ("B", "set")
    assert isinstance(foreign_deck, CardText)
    assert (foreign_deck.deck, foreign_deck.foreign) == (9, "deck")
    foreign_cut = code.parse("BCUTP")
    assert isinstance(foreign_cut, CutText)
    assert (foreign_cut.set, foreign_cut.foreign) == ("B", "set")
    assert CardCode.from_template().parse("BKH3Q") == CardText("KH", "B", 3, "BKH3Q", checked=True)


def test_a_deck_number_zero_is_no_code() -> None:
    text = "AKH0"
    code = CardCode.from_template()
    assert code.parse(text + check_character(text)) == Reject("not_a_card")


def test_codes_without_check_or_deck_number_say_so() -> None:
    bare = CardCode.from_template("{rank}{suit}", "CUT")
    assert not bare.has_check
    assert not bare.has_deck
    half = CardCode.from_template("{rank}{suit}{deck:2}{check}", "CUT")
    assert not half.has_check
    assert half.has_deck


@pytest.mark.parametrize(
    ("template", "cut", "problem"),
    [
        ("{rank}", "CUT", "needs {suit}"),
        ("{rank}{suit}{colour}", "CUT", "unknown field {colour}"),
        ("{rank}{suit}{deck:3}", "CUT", "only {deck:1} and {deck:2}"),
        ("{rank:2}{suit}", "CUT", "only {deck:1} and {deck:2}"),
        ("{rank}{suit}{rank}", "CUT", "{rank} stands twice"),
        ("{check}{rank}{suit}", "CUT", "{check} must be the last"),
        ("{rank}{suit", "CUT", "brace has no partner"),
        ("{rank} {suit}", "CUT", "' ' cannot stand in it"),
        ("{rank}{suit}\n", "CUT", "cannot stand in it"),
        ("{rank}{suit}", "{rank}CUT", "cannot have {rank}"),
        ("{rank}{suit}", "{set}X", "needs a word of its own"),
        ("{rank}{suit}", "AS", "could be taken for a card's code"),
        ("{rank}{suit}", "ASX", "could be taken for a card's code or its beginning"),
        ("{rank}{suit}", "", "needs a word of its own"),
    ],
)
def test_a_bad_template_is_refused_by_name(template: str, cut: str, problem: str) -> None:
    with pytest.raises(ValueError, match="card code template") as refusal:
        CardCode.from_template(template, cut)
    assert problem in str(refusal.value)


def test_a_bad_set_or_deck_range_is_refused() -> None:
    with pytest.raises(ValueError, match="set letters are A-Z"):
        CardCode.from_template(sets="a")
    with pytest.raises(ValueError, match="decks 0"):
        CardCode.from_template(decks=0)


@pytest.mark.parametrize(
    ("face", "set_letter", "deck"),
    [("XX", "A", 1), ("K", "A", 1), ("KH", "a", 1), ("KH", "", 1), ("KH", "A", 0), ("KH", "A", 10)],
)
def test_a_card_that_does_not_go_into_the_template_is_not_written(
    face: str, set_letter: str, deck: int
) -> None:
    with pytest.raises(ValueError, match=r"face|does not go into"):
        CardCode.from_template().format(face, set_letter, deck)


@given(st.text(max_size=12))
def test_any_text_is_judged_and_only_exact_codes_are_cards(text: str) -> None:
    code = CardCode.from_template()
    found = code.parse(text)
    if isinstance(found, CardText):
        assert code.format(found.face, found.set, found.deck) == text
        assert code.begins(text)
    elif isinstance(found, CutText):
        assert code.format_cut(found.set) == text


def test_the_beginnings_of_codes_are_known() -> None:
    code = CardCode.from_template()
    assert all(code.begins("AKH35"[:at]) for at in range(6))
    assert all(code.begins("ACUT6"[:at]) for at in range(6))
    assert not any(map(code.begins, ["1", "AX", "AKX", "AKH35X", "AKH-"]))
