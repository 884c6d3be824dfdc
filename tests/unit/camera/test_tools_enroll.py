"""A deck taught: which card is asked for, what is refused, what the second pass proves."""

from __future__ import annotations

import string
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from drivers.camera import asked
from drivers.camera.enrol_words import WORDS, in_words, order_of, shown, summary
from drivers.camera.enrolling import (
    FACES,
    LEAST_VIEWS,
    Enrolment,
    Outcome,
    Said,
    View,
    check_order,
)
from drivers.camera.follow import Passed
from drivers.camera.index.deck import load_deck
from drivers.camera.index.measure import Glyphs
from drivers.camera.tools_enroll import NEW_DECK, enroll, save
from tests.support.camera_deck import Booth, write_film, write_slides
from tests.unit.camera.test_index_enrol import samples
from tests.unit.camera.test_tools_setup import entry

# Of each card, glyphs of some pictures; of the second pass other ones.
FIRST, SECOND = (1, 2), (4, 6)


@cache
def glyphs(of: tuple[int, ...]) -> dict[str, tuple[Glyphs, ...]]:
    found: dict[str, list[Glyphs]] = {}
    for one in of:
        for face, seen in samples(3, one):
            found.setdefault(face, []).append(seen)
    # As many as a card needs: what a picture more shows is much the same.
    return {
        face: tuple((some * LEAST_VIEWS)[: max(LEAST_VIEWS, len(some))])
        for face, some in found.items()
    }


def card(face: str, of: tuple[int, ...] = FIRST, *, read: str | None = None) -> Passed[View]:
    """A card that passed: one view a glyph, each read as `read`, "" as nothing."""
    said = face if read is None else read
    views = tuple(View((one,), (said,) if said else ()) for one in glyphs(of)[face])
    return Passed(views, len(views), 3000.0, True)


def codes(said: tuple[Said, ...]) -> list[str]:
    return [one.code for one in said]


def first_pass() -> Enrolment:
    """One whose first pass is over. Its own reader is not asked: views say what was read."""
    enrolment = Enrolment("made up", NEW_DECK)
    for face in NEW_DECK:
        assert enrolment.next == face
        said = enrolment.card(card(face, read=""))
        assert said[0].code == "took", (face, said)
    assert enrolment.phase == "second"
    return enrolment


def test_a_deck_is_asked_for_in_order_learned_and_checked(tmp_path: Path) -> None:
    enrolment = first_pass()
    for number, face in enumerate(NEW_DECK):
        assert (enrolment.next, enrolment.done_of) == (face, (number, FACES))
        assert codes(enrolment.card(card(face, SECOND))) == ["read"]
    assert enrolment.phase == "done"
    outcome = enrolment.outcome()
    assert outcome.safe, outcome.why
    assert (outcome.after, outcome.unread) == (FACES, ())
    assert outcome.separation is not None
    assert outcome.separation.rank_lowest_right > outcome.separation.rank_highest_wrong + 0.1
    assert outcome.deck is not None
    save(outcome.deck, tmp_path / "deck.npz")
    loaded = load_deck(tmp_path / "deck.npz")
    assert loaded.name == "made up"
    assert loaded.rank_least == pytest.approx(outcome.deck.rank_least)
    assert [path.name for path in tmp_path.iterdir()] == ["deck.npz"]


def test_what_is_doubtful_is_refused_at_once_and_the_same_card_asked_for_again() -> None:
    enrolment = Enrolment("made up", NEW_DECK)
    few = card("AS", read="")
    few = Passed(few.looks[: LEAST_VIEWS - 1], 2, None, True)
    mixed = tuple(
        View((glyphs(FIRST)[face][0],), ()) for face in ("AS", "9H", "KD", "3C", "TS", "6D")
    )
    nothing = Passed((View((), ()), View((), ())), 2, None, True)
    back = Passed(card("AS").looks, 4, None, False)
    for passed, wanted in (
        (few, "few"),
        (Passed(mixed, 6, None, True), "unlike"),
        (nothing, "no_index"),
        (card("KD"), "another"),
        (back, "went_back"),
    ):
        assert codes(enrolment.card(passed)) == [wanted]
        assert (enrolment.next, enrolment.done_of) == ("AS", (0, FACES))
    assert codes(enrolment.card(card("AS"))) == ["took"]
    # The same card once more, which the reader cannot read.
    assert codes(enrolment.card(card("AS", SECOND, read=""))) == ["same_again"]
    assert enrolment.next == "2S"


def test_without_a_whole_first_pass_nothing_comes_of_it() -> None:
    enrolment = Enrolment("made up", NEW_DECK)
    enrolment.card(card("AS"))
    outcome = enrolment.outcome()
    assert not outcome.safe
    assert outcome.deck is None
    assert outcome.why.startswith("the first pass is not complete: 2S 3S")


def second(*passed: Passed[View]) -> tuple[Enrolment, list[str]]:
    enrolment = first_pass()
    said = [code for one in passed for code in codes(enrolment.card(one))]
    return enrolment, said


def test_a_card_taken_for_another_spoils_the_second_pass() -> None:
    """Read as the next one, where the order is kept; or as one that was there."""
    enrolment, said = second(card("AS", SECOND), card("2S", SECOND, read="3S"))
    assert said == ["read", "out_of_order"]
    assert enrolment.spoilt
    assert "3S was read where 2S was next" in enrolment.outcome().why
    enrolment, said = second(card("AS", SECOND), card("2S", SECOND, read="AS"))
    assert said == ["read", "twice"]
    assert not enrolment.outcome().safe
    both = Passed((*card("AS", SECOND).looks, *card("2S", SECOND).looks), 6, None, True)
    enrolment, said = second(both)
    assert said == ["clash"]
    assert "one card was read as two: 2S AS" in enrolment.outcome().why
    enrolment.again()
    assert not enrolment.spoilt
    assert enrolment.next == "AS"


def test_a_card_that_is_not_read_is_shown_twice_then_left() -> None:
    unread = card("2S", SECOND, read="")
    enrolment, said = second(card("AS", SECOND), unread, unread)
    assert said == ["read", "not_read", "left"]
    for face in NEW_DECK[2:]:
        enrolment.card(card(face, SECOND))
    outcome = enrolment.outcome()
    assert outcome.safe, outcome.why
    assert (outcome.after, outcome.unread) == (FACES - 1, ("2S",))


def test_going_on_after_a_card_that_was_not_read_is_no_disorder() -> None:
    enrolment, said = second(card("AS", SECOND), card("2S", SECOND, read=""), card("3S", SECOND))
    assert said == ["read", "not_read", "read"]
    assert not enrolment.spoilt
    assert enrolment.next == "4S"


def test_one_sure_look_is_no_reading() -> None:
    once = card("AS", SECOND, read="")
    looks = (View(once.looks[0].glyphs, ("AS",)), *once.looks[1:])
    _, said = second(Passed(looks, 3, None, True))
    assert said == ["not_read"]


def test_in_any_order_each_card_has_to_be_read_once() -> None:
    enrolment = Enrolment("made up", NEW_DECK, any_order=True)
    for face in NEW_DECK:
        enrolment.card(card(face, read=""))
    assert enrolment.next is None
    for face in reversed(NEW_DECK[1:]):
        assert codes(enrolment.card(card(face, SECOND))) == ["read"]
    assert enrolment.outcome().why == "not shown in the second pass: AS"
    enrolment.card(card("AS", SECOND))
    assert enrolment.outcome().safe


@pytest.mark.parametrize(
    ("order", "why"),
    [
        (NEW_DECK[1:], "not in the order: AS"),
        ((*NEW_DECK, "AS"), "in the order twice: AS"),
        (("1S", *NEW_DECK), "no card: 1S"),
    ],
)
def test_an_order_that_is_none_is_named(order: tuple[str, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        check_order(order)


def test_both_languages_say_the_same_with_the_signs_of_the_cards() -> None:
    for code, (english, korean) in WORDS.items():
        assert fields(english) == fields(korean), code
    said = Said("another", {"face": "TH", "other": "AS"})
    assert in_words(said, "en").startswith("this looks like A♠, and 10♥ is next")
    assert in_words(said, "ko").startswith("A♠처럼 보이는데 다음은 10♥입니다")
    assert shown("TD") == "10♦"
    assert order_of(NEW_DECK) == "A♠…K♠, A♥…K♥, A♦…K♦, A♣…K♣"
    assert order_of(("AS", "KH", "QH", "2C")) == "A♠, K♥ Q♥, 2♣"
    assert any("NOT SAFE" in row for row in summary(Outcome(False, "x"), "f", "en"))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


# --- the whole tool, on rendered cards ----------------------------------------------------


def test_some_cards_of_a_film_are_no_deck_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a camera would be looked through: asked for one by one, the third one is another."""
    booth = Booth(fps=30.0)
    write_film(tmp_path / "film", booth.slides(["AS", "2S", "7H"], 1))
    file = tmp_path / "deck.npz"
    spec = entry(f"file:{tmp_path / 'film'}", fps=240, travel="right")
    assert enroll(asked.Enroll(name="shoe", file=str(file), spec=spec)) == 1
    out = capsys.readouterr().out
    for words in ("next: A♠", "A♠ learned", "2♠ learned", "looks like 7♥, and 3♠ is next"):
        assert words in out
    assert "NOT SAFE" in out
    assert not file.exists()


@pytest.mark.parametrize(
    ("file", "why"),
    [("deck.bin", r"ends in \.npz"), ("nowhere/deck.npz", "there is no folder .*; make it first")],
)
def test_where_the_deck_goes_is_known_before_anybody_slides_cards(
    tmp_path: Path, file: str, why: str
) -> None:
    request: dict[str, Any] = {"name": "x", "file": str(tmp_path / file), "paths": ("x",)}
    with pytest.raises(ValueError, match=why):
        enroll(asked.Enroll(**request))


def test_a_sequence_nobody_can_show_again_ends_it_by_name(tmp_path: Path) -> None:
    """Where each card has a sequence of its own."""
    folder = tmp_path / "one"
    write_slides(folder, Booth(fps=30.0).slides(["AS"], 1))
    for path in sorted(folder.iterdir()):
        for number in range(1, 52):
            (folder / path.name.replace("000_", f"{number:03}_", 1)).hardlink_to(path)
    file = tmp_path / "deck.npz"
    with pytest.raises(ValueError, match="001: 2S cannot be learned from it"):
        enroll(asked.Enroll(name="x", file=str(file), paths=(str(folder),)))
    assert not file.exists()


def test_a_file_that_is_no_picture_is_named_and_nothing_is_learned(tmp_path: Path) -> None:
    (tmp_path / "deck").mkdir()
    broken, file = tmp_path / "deck" / "01.jpg", tmp_path / "deck.npz"
    broken.touch()
    with pytest.raises(ValueError, match=f"{broken}: an empty file"):
        enroll(asked.Enroll(name="x", file=str(file), paths=(str(broken.parent),)))
    assert not file.exists()
