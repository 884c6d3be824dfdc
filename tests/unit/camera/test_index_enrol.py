"""A table's own deck: learned from its cards, checked on a second pass, kept in a file."""

from __future__ import annotations

import importlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.camera.index.deck import Deck, DeckError, load_deck
from drivers.camera.index.enrol import EnrolError, Labelled, check, learn, seen, with_limits
from drivers.camera.index.network import RANKS, SUITS
from drivers.camera.index.reader import IndexReader
from drivers.camera.index.templates import deck_templates
from drivers.camera.sight import Corner, Frame, Region

# The renderer of made-up cards belongs to the training recipe and is not typed.
decks: Any = importlib.import_module("scripts.train_index.decks")
render: Any = importlib.import_module("scripts.train_index.render")

FACES = [rank + suit for suit in SUITS for rank in RANKS]


@cache
def made_up(seed: int) -> Any:
    """A deck whose figures are drawn from strokes, so that no font is needed."""
    rng = np.random.default_rng(seed)
    deck = decks.make_deck(rng, {}, [""], [])
    return replace(
        deck, font="", suits="", rank_high=7.0, suit_high=5.0, gap=1.2, four=False, weight=0.0
    )


def pictures(seed: int, of: int, each: int = 2, harsh: float = 0.15) -> list[tuple[str, Any]]:
    """So many pictures of each card of a made-up deck, with the corner and its scale."""
    rng = np.random.default_rng(of)
    return [
        (face, render.sample(rng, made_up(seed), {}, harsh, "index", place))
        for face in FACES
        for place in [(RANKS.index(face[0]), SUITS.index(face[1]))]
        for _ in range(each)
    ]


def region(shown: Any) -> Region:
    outline = np.zeros((4, 2), dtype=np.float32)
    return Region("card", outline, (shown.corner,), frozenset(), shown.hint)


@cache
def samples(seed: int, of: int) -> tuple[Labelled, ...]:
    return tuple(
        (face, glyphs)
        for face, shown in pictures(seed, of)
        for glyphs in seen(shown.frame, region(shown), None)
    )


@cache
def learned(seed: int) -> Deck:
    return learn(samples(seed, 1), "made up")


def test_a_deck_is_learned_and_tells_its_cards_apart() -> None:
    separation = check(learned(3), samples(3, 2))
    assert separation.safe, separation.why_unsafe
    assert separation.misread == 0
    assert separation.rank_lowest_right - separation.rank_highest_wrong > 0.1
    assert separation.suit_lowest_right - separation.suit_highest_wrong > 0.1
    assert separation.pairs[0].score == max(pair.score for pair in separation.pairs)


def test_the_pictures_of_a_learned_deck_are_read_right() -> None:
    deck = with_limits(learned(3), check(learned(3), samples(3, 2)))
    templates = deck_templates(deck)
    read = [(face, templates.verdict(glyphs).face) for face, glyphs in samples(3, 4)]
    assert all(got in ("", face) for face, got in read)
    assert sum(got == face for face, got in read) > 0.75 * len(read)


def test_a_reader_with_a_deck_reads_with_it_and_with_the_network() -> None:
    reader = IndexReader(deck=learned(3))
    looks = [
        (face, reader.look(shown.frame, region(shown))[0]) for face, shown in pictures(3, 5, each=1)
    ]
    assert all(look.face in (None, face) for face, look in looks)
    assert sum(look.face == face for face, look in looks) > 0.5 * len(looks)


def test_cards_of_another_deck_are_seldom_taken_for_this_one_and_never_wrongly() -> None:
    templates = deck_templates(learned(3))
    read = [(face, templates.verdict(glyphs).face) for face, glyphs in samples(8, 2)]
    assert all(got in ("", face) for face, got in read)


def test_what_stands_at_other_corners_does_not_spoil_what_is_learned() -> None:
    """The same pip, code or frame beside every card: it agrees with no rank's own glyphs."""
    good = samples(3, 1)
    strange = [(face, good[(7 * i) % len(good)][1]) for i, (face, _) in enumerate(good[::4])]
    deck = learn([*good, *strange], "made up")
    assert check(deck, samples(3, 2)).safe


def test_cards_in_another_order_than_said_are_refused() -> None:
    shifted = {face: FACES[(i + 1) % 52] for i, face in enumerate(FACES)}
    with pytest.raises(EnrolError, match=r"looks? (like|alike)"):
        learn([(shifted[face], glyphs) for face, glyphs in samples(3, 1)], "wrong")


def test_a_missing_rank_is_named() -> None:
    with pytest.raises(EnrolError, match="Q: only 0"):
        learn([one for one in samples(3, 1) if one[0][0] != "Q"], "no queens")


def test_a_second_pass_that_misses_a_card_is_not_safe() -> None:
    unlike = [(face, glyphs) for face, glyphs in samples(3, 2) if face != "7D"]
    blank = samples(3, 2)[0][1]
    blank = replace(blank, rank=np.zeros_like(blank.rank))
    separation = check(learned(3), [*unlike, ("7D", blank)])
    assert not separation.safe
    assert "7D" in separation.why_unsafe


def test_a_second_pass_of_another_deck_is_not_safe() -> None:
    shifted = [(FACES[(FACES.index(face) + 13) % 52], glyphs) for face, glyphs in samples(3, 2)]
    assert not check(learned(3), shifted).safe


def test_a_second_pass_without_a_card_is_an_error() -> None:
    with pytest.raises(EnrolError, match="not one picture"):
        check(learned(3), [])


def test_nothing_is_seen_where_there_is_no_card() -> None:
    corner = Corner((9.0, 9.0), (1.0, 0.0), (0.0, 1.0), 50.0, 50.0)
    frame = Frame(0, np.full((480, 640, 3), 240, dtype=np.uint8))
    outline = np.zeros((4, 2), dtype=np.float32)
    for kind in ("card", "other"):
        thing = Region("card" if kind == "card" else "other", outline, (corner,), frozenset(), 9.0)
        assert seen(frame, thing, None) == ()


def test_a_deck_comes_back_from_its_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "deck.npz"
    learned(3).save(path)
    back = load_deck(path)
    assert (back.name, back.rank_labels, back.suit_labels) == (
        "made up",
        learned(3).rank_labels,
        learned(3).suit_labels,
    )
    assert np.array_equal(back.rank_glyphs, learned(3).rank_glyphs)
    assert np.array_equal(back.suit_figures, learned(3).suit_figures)
    assert list(tmp_path.iterdir()) == [path]


def changed(path: Path, **fields: Any) -> Path:
    """The deck's file with some of its fields changed; None takes one out."""
    learned(3).save(path)
    with np.load(path) as file:
        all_of = {name: file[name] for name in file.files} | fields
    np.savez_compressed(path, **{name: v for name, v in all_of.items() if v is not None})
    return path


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"format": np.int32(2)}, "format"),
        ({"format": np.array("1")}, "format"),
        ({"format": None}, "format"),
        ({"name": None}, "name"),
        ({"name": np.int32(3)}, "name"),
        ({"rank_labels": np.array("A23")}, "rank_labels"),
        ({"suit_labels": np.array("SHDX")}, "suit_labels"),
        ({"rank_glyphs": np.zeros((3, 28, 20), np.uint8)}, "rank_glyphs"),
        ({"suit_glyphs": np.zeros((4, 20, 20), np.float32)}, "suit_glyphs"),
        ({"rank_figures": np.full((13, 15), np.nan, np.float32)}, "rank_figures"),
        ({"suit_figures": np.zeros((4, 3), np.float32)}, "suit_figures"),
        ({"least": np.array([0.0, 2.0], np.float32)}, "limits"),
    ],
)
def test_a_file_that_is_no_whole_deck_is_refused_by_name(
    tmp_path: Path, fields: dict[str, Any], why: str
) -> None:
    with pytest.raises(DeckError, match=why):
        load_deck(changed(tmp_path / "deck.npz", **fields))


def test_a_deck_with_a_pickle_in_it_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path / "deck.npz", name=np.array([{"a": 1}], dtype=object))
    with pytest.raises(DeckError, match=r"deck\.npz"):
        load_deck(path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 half a file", b"\x80\x04pickle"])
def test_a_file_that_is_no_deck_at_all_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "deck.npz"
    path.write_bytes(content)
    with pytest.raises(DeckError, match=r"deck\.npz"):
        load_deck(path)
    with pytest.raises(DeckError, match=r"missing\.npz"):
        load_deck(tmp_path / "missing.npz")


@pytest.mark.parametrize("own", [True, False])
def test_an_index_with_something_over_it_is_never_read_as_another(own: bool) -> None:
    """A finger or the edge of another card over rank or suit, of a learned deck or not."""
    reader = IndexReader(deck=learned(3)) if own else IndexReader()
    rng = np.random.default_rng(6)
    for i in range(104):
        face = FACES[(5 * i) % 52]
        place = (RANKS.index(face[0]), SUITS.index(face[1]))
        shown = render.sample(rng, made_up(3), {}, 0.2, "covered", place)
        assert reader.look(shown.frame, region(shown))[0].face in (None, face), (i, face)
