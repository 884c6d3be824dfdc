"""R2: what a count of a shoe's cards says, whatever was read and in whatever order."""

from __future__ import annotations

from collections import Counter as Bag

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from station.game.cards import card_of
from station.game.check import FACES, Manifest, Tally, verdict
from station.shoe_check import Counter
from station.table import inputs as i

encode = msgspec.json.Encoder().encode
MANIFEST = Manifest("A-7", "A")
WHOLE = [f"{face}{deck}" for deck in range(1, 9) for face in FACES]


def read(name: str, letter: str = "A", at_ms: int = 0) -> i.CardSeen:
    card = card_of(name[:2], letter, int(name[2:] or 0))
    return i.CardSeen("shoe", card, f"{letter}{name}", f"{letter}{name}".encode().hex(), at_ms)


def counted(names: list[str], letter: str = "A") -> Tally:
    counter = Counter(MANIFEST)
    for at, name in enumerate(names):
        counter.card(read(name, letter, at * 5000))
    return counter.tally()


def test_r2_all_416_cards_of_eight_decks_are_a_whole_shoe() -> None:
    found = verdict(counted(WHOLE))
    assert found.why == ""
    assert (found.missing, found.surplus, found.absent, found.doubtful) == ({}, {}, (), {})
    assert found.counts == dict.fromkeys(FACES, 8)


def test_two_decks_short_of_five_cards_which_dealt_438_rounds_are_found_at_the_check() -> None:
    """Fined: a shoe of which two decks lacked five cards was dealt from for 438 rounds."""
    gone = {"KH3", "KH7", "5S3", "2D7", "TC3"}
    found = verdict(counted([name for name in WHOLE if name not in gone]))
    assert found.why == "short_shoe"
    assert found.missing == {"5S": 1, "KH": 2, "2D": 1, "TC": 1}
    assert set(found.absent) == gone


def test_they_are_found_too_where_the_codes_tell_faces_alone() -> None:
    faces = [name[:2] for name in WHOLE]
    for face in ("KH", "KH", "5S", "2D", "TC"):
        faces.remove(face)
    found = verdict(counted(faces))
    assert (found.why, found.absent) == ("short_shoe", ())
    assert found.missing == {"5S": 1, "KH": 2, "2D": 1, "TC": 1}


def test_a_ninth_card_of_a_face_is_too_many() -> None:
    found = verdict(counted([*(name[:2] for name in WHOLE), "KH"]))
    assert (found.why, found.surplus, found.missing) == ("long_shoe", {"KH": 1}, {})


def test_a_card_of_another_set_makes_it_a_wrong_shoe() -> None:
    counter = Counter(MANIFEST)
    for name in WHOLE:
        counter.card(read(name, "B" if name == "KH3" else "A"))
    tally = counter.tally()
    assert tally.foreign == {"BKH3": 1}
    assert verdict(tally).why == "wrong_shoe"
    assert verdict(tally).missing == {"KH": 1}


def test_a_card_of_a_ninth_deck_is_none_of_the_shoe() -> None:
    counter = Counter(MANIFEST)
    counter.card(read("KH9"))
    assert (counter.read, counter.tally().foreign) == (0, {"AKH9": 1})


def test_the_last_card_shown_once_more_counts_once_and_is_no_doubt() -> None:
    counter = Counter(MANIFEST)
    for name in WHOLE:
        assert counter.card(read(name)) == "counted"
        assert counter.card(read(name)) == "repeat"
    assert (counter.read, counter.tally().repeats) == (416, 416)
    assert verdict(counter.tally()).why == ""


def test_a_card_that_comes_again_with_others_between_counts_once_and_is_in_doubt() -> None:
    """It may be a second card with the same code: no two of a shoe have one."""
    counter = Counter(MANIFEST)
    assert [counter.card(read(name)) for name in [*WHOLE, "KH3"]][-1] == "again"
    assert counter.read == 416
    found = verdict(counter.tally())
    assert (found.why, found.doubtful) == ("doubtful", {"KH3": 1})


def test_a_face_told_with_its_deck_and_without_is_in_doubt() -> None:
    found = verdict(counted([*(name for name in WHOLE if name != "KH8"), "KH"]))
    assert (found.why, found.doubtful) == ("doubtful", {"KH": 1})


def test_a_reader_that_tells_faces_alone_tells_a_card_once_within_a_moment() -> None:
    counter = Counter(MANIFEST)
    assert counter.card(read("KH", at_ms=1000)) == "counted"
    assert counter.card(read("KH", at_ms=1300)) == "repeat"
    assert counter.card(read("KH", at_ms=2800)) == "counted"
    assert (counter.read, counter.tally().close) == (2, 1)


def test_the_cut_card_is_told_and_is_no_card() -> None:
    counter = Counter(MANIFEST)
    assert counter.cut(i.CutCardSeen("shoe", "ACUT", "", "A")) == "cut"
    assert counter.cut(i.CutCardSeen("shoe", "BCUT", "", "B")) == "foreign"
    tally = counter.tally()
    assert (tally.total, tally.cut, tally.foreign) == (0, 1, {"BCUT": 1})


def test_what_passed_unread_is_counted_and_noise_is_not() -> None:
    counter = Counter(MANIFEST)
    assert counter.missed(i.ReadMissed("shoe", "bad_check", "AKH3", "", passed=True)) == "unread"
    assert counter.missed(i.ReadMissed("shoe", "garbage", "", "", passed=False)) == ""
    assert counter.tally().unread == 1


NAMES = st.sampled_from(WHOLE + list(FACES) + [f"{face}9" for face in FACES[:4]])


@settings(max_examples=300)
@given(st.lists(NAMES, max_size=120))
def test_any_reads_give_the_right_verdict(names: list[str]) -> None:
    """Against a plain count, written without looking at how the counter counts."""
    found = verdict(counted(names))
    known = {name for name in names if name[2:] not in ("", "9")}
    # Five seconds lie between two: a face alone is another card each time.
    bare = Bag(name for name in names if not name[2:])
    want = {face: sum(one[:2] == face for one in known) + bare[face] for face in FACES}
    assert found.counts == want
    assert found.missing == {face: 8 - have for face, have in want.items() if have < 8}
    assert found.surplus == {face: have - 8 for face, have in want.items() if have > 8}
    foreign = {name for name in names if name[2:] == "9"}
    assert set(counted(names).foreign) == {f"A{name}" for name in foreign}
    assert (found.why == "wrong_shoe") == bool(foreign or (found.missing and found.surplus))


@settings(max_examples=200)
@given(st.lists(NAMES, max_size=60, unique=True), st.randoms(use_true_random=False))
def test_nothing_that_is_kept_tells_the_order_of_the_reads(names: list[str], dice: object) -> None:
    """To the byte: the same cards in any order leave the same tally."""
    other = list(names)
    dice.shuffle(other)  # type: ignore[attr-defined]
    assert encode(counted(names)) == encode(counted(other))


@settings(max_examples=60)
@given(st.sets(st.integers(0, 415), max_size=12), st.randoms(use_true_random=False))
def test_a_shoe_is_whole_exactly_when_nothing_was_taken_from_it_in_whatever_order(
    taken: set[int],
    dice: object,
) -> None:
    names = [name for at, name in enumerate(WHOLE) if at not in taken]
    dice.shuffle(names)  # type: ignore[attr-defined]
    tally = counted(names)
    assert (verdict(tally).why == "") == (not taken)
    assert set(verdict(tally).absent) == {WHOLE[at] for at in taken} - _faces_gone(taken)


def _faces_gone(taken: set[int]) -> set[str]:
    """Of a face of which no card came at all, no code says that they are numbered."""
    gone = Bag(WHOLE[at][:2] for at in taken)
    return {WHOLE[at] for at in taken if gone[WHOLE[at][:2]] == 8}
