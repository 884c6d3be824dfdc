"""R2 and what a shoe remembers: what left it, whether a card can be of it, and its count."""

from __future__ import annotations

import pytest

from station.game import facts as f
from station.game.cards import RANKS, SUITS, card_of
from station.game.game import RETIRED, Game, evolve
from station.game.shoe import Gone, Shoe, earlier, foreign, reconcile, retire, suspects

FACES = [rank + suit for rank in RANKS for suit in SUITS]
WHOLE = dict.fromkeys(FACES, 8)


def shoe(*gone: tuple[str, int], letter: str = "A") -> Shoe:
    """A shoe in play from which these faces of these decks have left, all in round 1."""
    cards = (card_of(face, letter, deck) for face, deck in gone)
    left = tuple(Gone(card, order, 1) for order, card in enumerate(cards, start=1))
    return Shoe("S1", letter, "in_play", gone=left)


def folded(*facts: f.AnyGameFact) -> Game:
    game = Game()
    for fact in facts:
        game = evolve(game, fact)
    return game


def used(name: str) -> list[f.AnyGameFact]:
    """A shoe's life: loaded, released, one card left it, out."""
    return [
        f.ShoeLoaded(name, "A", "2001"),
        f.ShoeReleased(name, "2001"),
        f.CardBurnedFirst(card_of("2S", "A", 1), 1, name),
        f.ShoeOut(name, "cut_card"),
    ]


def counted(name: str, missing: dict[str, int], surplus: dict[str, int]) -> f.ShoeReconciled:
    return f.ShoeReconciled(name, 1, 415, missing, surplus, "2001")


# --- which card it is ---------------------------------------------------------------------------


def test_r2_a_card_with_a_deck_number_left_the_shoe_once_and_that_read_is_found() -> None:
    old = shoe(("7H", 1), ("7H", 2), ("8H", 3))
    found = earlier(old, card_of("7H", "A", 2))
    assert found is not None
    assert found.order == 2
    assert earlier(old, card_of("7H", "A", 3)) is None


def test_r2_without_a_deck_number_no_card_is_told_from_the_others_of_its_face() -> None:
    assert earlier(shoe(("7H", 0)), card_of("7H", "A", 0)) is None


def test_r2_the_reads_of_a_face_are_named_newest_first() -> None:
    old = shoe(("7H", 1), ("7S", 1), ("8H", 1), ("7H", 2))
    assert [gone.order for gone in suspects(old, card_of("7H", "A", 3))] == [4, 1]


@pytest.mark.parametrize(
    ("letter", "card", "why"),
    [
        ("A", card_of("7H", "B", 1), "wrong_set"),
        ("A", card_of("7H", "A", 1), ""),
        ("A", card_of("7H", "", 1), ""),
        ("", card_of("7H", "B", 1), ""),
        ("A", card_of("7H", "A", 8), ""),
        ("A", card_of("7H", "A", 9), "wrong_deck"),
    ],
)
def test_r2_a_card_of_another_set_or_a_ninth_deck_is_not_of_this_shoe(
    letter: str, card: object, why: str
) -> None:
    assert foreign(shoe(letter=letter), card) == why  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("letter", "deck", "why"),
    [("A", 0, "ninth_copy"), ("", 1, "ninth_copy"), ("A", 1, "ninth_copy")],
)
def test_r2_of_a_face_eight_leave_the_shoe_and_a_ninth_however_it_is_read_is_one_too_many(
    letter: str, deck: int, why: str
) -> None:
    """With a set and a deck number too: those before it were read by their face alone, and it may
    be one of them. Where all bear numbers the ninth is one of the eight read twice.
    """
    seven = shoe(*(("7H", 0) for _ in range(7)), letter=letter)
    eight = shoe(*(("7H", 0) for _ in range(8)), letter=letter)
    card = card_of("7H", letter, deck)
    assert foreign(seven, card) == ""
    assert foreign(eight, card) == why
    assert foreign(eight, card_of("7D", letter, deck)) == ""


# --- the count ----------------------------------------------------------------------------------


def test_r2_what_left_and_what_remained_are_eight_of_each_face() -> None:
    old = retire(shoe(("7H", 1), ("7H", 2), ("KS", 1)))
    count = reconcile(old, WHOLE | {"7H": 6, "KS": 7})
    assert (count.missing, count.surplus, count.why) == ({}, {}, "")


def test_r2_each_face_that_is_short_or_over_is_named_with_how_many() -> None:
    old = retire(shoe(("7H", 1)))
    short = reconcile(old, WHOLE | {"7H": 5})
    assert (short.missing, short.surplus, short.why) == ({"7H": 2}, {}, "short_shoe")
    long = reconcile(old, WHOLE | {"7H": 10})
    assert (long.missing, long.surplus, long.why) == ({}, {"7H": 3}, "long_shoe")
    over = reconcile(old, WHOLE)
    assert (over.missing, over.surplus, over.why) == ({}, {"7H": 1}, "long_shoe")
    both = reconcile(old, WHOLE | {"7H": 7, "2S": 7, "3S": 9})
    assert (both.missing, both.surplus, both.why) == ({"2S": 1}, {"3S": 1}, "wrong_shoe")


def test_r2_a_face_that_is_not_named_was_not_found() -> None:
    count = reconcile(retire(shoe()), {face: 8 for face in FACES if face != "AS"})
    assert count.missing == {"AS": 8}


def test_r2_of_a_shoe_that_is_out_its_faces_and_its_rounds_are_kept() -> None:
    """A card burned before the first round belongs to none."""
    faces = (("2S", 0), ("2S", 9), ("3H", 8), ("2S", 9))
    left = tuple(Gone(card_of(face), n, round_) for n, (face, round_) in enumerate(faces, start=1))
    kept = retire(Shoe("S1", gone=left))
    assert (kept.id, kept.counts, kept.cards) == ("S1", {"2S": 3, "3H": 1}, 4)
    assert kept.rounds == (8, 9)


# --- its life -----------------------------------------------------------------------------------


def test_r60_shoes_that_are_out_wait_for_their_count_and_the_oldest_too_long_is_barred() -> None:
    names = [f"S{number}" for number in range(RETIRED + 2)]
    lives = [fact for name in names for fact in used(name)]
    game = folded(*lives, f.ShoeLoaded("new", "A", "2001"))
    assert [old.id for old in game.retired] == names[2:]
    assert game.barred == ("S0", "S1")
    assert RETIRED == 32


def test_r60_a_shoe_no_card_has_left_waits_for_no_count() -> None:
    loaded, released, _, out = used("S1")
    assert folded(loaded, released, out, f.ShoeLoaded("S2", "A", "2001")).retired == ()


def test_r60_a_shoe_that_is_not_out_is_not_kept_when_another_is_loaded() -> None:
    game = folded(*used("S1")[:3], f.ShoeLoaded("S2", "A", "2001"))
    assert (game.retired, game.shoe.id, game.shoe.gone) == ((), "S2", ())


@pytest.mark.parametrize(("missing", "surplus"), [({"AS": 1}, {}), ({}, {"AS": 1})])
def test_r2_a_shoe_whose_count_does_not_come_out_is_barred_until_it_does(
    missing: dict[str, int], surplus: dict[str, int]
) -> None:
    lives = [*used("S1"), *used("S2"), f.ShoeLoaded("S3", "A", "2001")]
    bad = folded(*lives, counted("S1", missing, surplus), counted("S2", missing, surplus))
    assert bad.barred == ("S1", "S2")
    assert [old.id for old in bad.retired] == ["S1", "S2"], "whoever counted may count once more"
    assert evolve(bad, counted("S1", missing, surplus)).barred == ("S2", "S1"), "named once"
    right = evolve(bad, counted("S2", {}, {}))
    assert (right.barred, [old.id for old in right.retired]) == (("S1",), ["S1"])


def test_r2_of_a_shoe_that_was_counted_nothing_is_left_to_count() -> None:
    game = folded(*used("S1"), *used("S2"), counted("S2", {}, {}))
    assert (game.shoe.id, game.shoe.state, game.shoe.gone) == ("S2", "out", ())
    other = folded(*used("S1"), *used("S2"), counted("S1", {}, {}))
    assert [gone.card.face for gone in other.shoe.gone] == ["2S"]


def test_r2_the_first_card_gives_a_shoe_its_set_and_no_later_one_does() -> None:
    loaded = folded(f.ShoeLoaded("S1", "", "2001"), f.ShoeReleased("S1", "2001"))
    first = evolve(loaded, f.CardBurnedFirst(card_of("2S", "B", 1), 1, "S1"))
    assert (loaded.shoe.set, first.shoe.set, first.shoe.burned) == ("", "B", 1)
    again = evolve(first, f.CardBurnedFirst(card_of("3S", "C", 1), 2, "S1"))
    assert (again.shoe.set, again.shoe.burned) == ("B", 2)
    assert [(gone.order, gone.round) for gone in again.shoe.gone] == [(1, 0), (2, 0)]


def test_the_last_card_of_a_shoe_is_the_one_that_left_it_last() -> None:
    assert shoe().last is None
    last = shoe(("7H", 1), ("8H", 1)).last
    assert last is not None
    assert last.card.face == "8H"
