"""A shoe's receipt: manifest, device, persons, times, result, rounds, reconciliation."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import get_args

import pytest

from station.game.check import FACES
from station.game.shoe import Count
from station.records import shoe_text, words_shoe
from station.records.shoes import Life, Told, lives
from station.table import inputs as i
from station.table import shoe_facts as s
from station.table import shoe_inputs as si
from station.wording import receipts
from station.wording import shoes as shoe_words
from tests.support.every_shoe_command import WHOLE
from tests.support.phases_shoes import CheckedPlay
from tests.support.play import DEALER, MANAGER, PIT, Play
from tests.unit.station.test_incident_reports import rows


def told(play: Play) -> Told:
    return lives(rows(play))


def english(life: Life, found: Told) -> str:
    return "\n".join(shoe_text.lines(life, found, 1))


@pytest.fixture
def play() -> CheckedPlay:
    return CheckedPlay().staffed()


def dealt(play: CheckedPlay, name: str = "C1", missing: int = 0) -> CheckedPlay:
    """Checked, put in, one round, one void round, taken out and counted."""
    play.new_shoe(name)
    play.play_one()
    play.bet().close()
    play.must(PIT, i.VoidRound(play.number, "misdeal", play.table.version))
    gone = play.table.game.shoe.gone
    left = {face: 8 - sum(one.card.face == face for one in gone) for face in FACES}
    left["KH"] -= missing
    play.must(PIT, i.ReconcileShoe(name, left))
    return play


def test_a_receipt_tells_all_of_a_shoes_life(play: CheckedPlay) -> None:
    found = told(dealt(play))
    (life,) = found.lives
    assert (life.rounds, life.void, life.dealt, life.state) == ((1, 2), (2,), 6, "out")
    text = english(life, found)
    for part in (
        "Shoe C1 · table T01 (test) · record 1",
        "backs                 red",
        "8 · 416 cards",
        "shoe · virtual",
        "416 of 416",
        "by 2001 이수진 and 1001 한지민",
        "dealt 6 + burned 0 + exposed 0 + remaining 410 = 416",
        "WHOLE",
        "2 · 1-2",
        "misdeal",
    ):
        assert part in text, part
    assert "MARKED" not in text


def test_a_short_shoe_says_so_and_which_rounds_are_marked(play: CheckedPlay) -> None:
    found = told(dealt(play, missing=2))
    text = english(found.lives[0], found)
    assert "missing K♥ ×2 · too many none" in text
    assert "rounds marked         1 · dealt from a short shoe" in text
    # No card of it was dealt in the second.
    assert found.lives[0].marked == {1: "short_shoe"}


def test_a_bar_that_was_lifted_stands_on_it_and_the_marks_stay(play: CheckedPlay) -> None:
    dealt(play, missing=2)
    play.checked("C1", "A", "they lay under the felt")
    play.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
    play.must(PIT, si.LiftShoeBar("C1", "found again"))
    play.load("C1", "A", "set B is away")
    found = told(play)
    first, second = found.lives
    assert (first.lifted is not None, second.lifted) == (True, None)
    assert "by 3001 김도윤 · found again" in english(first, found)
    assert first.marked
    assert "they lay under the felt" in english(second, found)
    assert "set B is away" in english(second, found)


def test_a_second_count_that_comes_out_takes_the_marks_away(play: CheckedPlay) -> None:
    dealt(play, missing=2)
    gone = play.table.game.shoe.gone
    left = {face: 8 - sum(one.card.face == face for one in gone) for face in FACES}
    play.must(PIT, i.ReconcileShoe("C1", left))
    found = told(play)
    assert len(found.lives[0].counts) == 2
    assert found.lives[0].marked == {}


def test_a_check_that_came_to_nothing_and_one_that_failed_have_their_receipts(
    play: CheckedPlay,
) -> None:
    play.begin("C1")
    play.must(PIT, si.CancelShoeCheck(1))
    play.begin("C1")
    cards = {name: n for name, n in WHOLE.cards.items() if name not in ("KH3", "5S1")}
    play.must(PIT, si.FinishShoeCheck(2, type(WHOLE)(cards, foreign={"BQD4": 1}), "virtual"))
    found = told(play)
    assert [life.state for life in found.lives] == ["ended", "failed"]
    assert "cancelled" in english(found.lives[0], found)
    text = english(found.lives[1], found)
    assert "414 of 416" in text
    assert "WRONG CARDS" in text
    assert "Missing: 5♠ ×1, K♥ ×1" in text
    assert "Of another set: B Q♦/4 ×1" in text


def test_a_machines_receipt_is_told_as_what_it_is(play: CheckedPlay) -> None:
    play.must(
        PIT,
        si.EnterCheckersReceipt(
            "C3", "B", "M-1", "7", "09:00", "kim", second="1001", person=DEALER
        ),
    )
    play.must(PIT, si.ShoeShuffled("C3", "8812"))
    found = told(play)
    text = english(found.lives[0], found)
    for part in ("a checking machine's receipt", "M-1", "09:00", "kim", "8812", "blue"):
        assert part in text


def test_a_shoe_of_a_table_that_asks_for_no_check_says_not_checked() -> None:
    play = Play().open_table()
    found = told(play)
    assert "NOT CHECKED" in english(found.lives[0], found)


def test_two_lives_of_one_name_are_two_receipts(play: CheckedPlay) -> None:
    play.new_shoe("C1")
    play.must(PIT, si.TakeOutShoe("C1", "time_limit"))
    play.checked("C1").load("C1", "A", "again")
    found = told(play)
    assert [life.check for life in found.lives] == [1, 2]
    assert "in use too long" in english(found.lives[0], found)


def test_the_page_says_what_the_text_says_and_others_words_are_no_markup(
    play: CheckedPlay,
) -> None:
    play.must(
        PIT,
        si.EnterCheckersReceipt(
            "C3", "B", "<script>", "7", "09:00", "", note="a & b", second="1001", person=DEALER
        ),
    )
    found = told(play)
    page = shoe_text.page(found.lives[0], found, 0)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "a &amp; b" in page
    assert 'lang="ko"' in page
    assert "슈 확인증" in page
    assert not re.search(r"(src|href)=", page)


def test_words_that_would_steer_a_terminal_do_not(play: CheckedPlay) -> None:
    play.must(
        PIT,
        si.EnterCheckersReceipt(
            "C3", "B", "M\x1b[2J", "7", "09:00", "", second="1001", person=DEALER
        ),
    )
    found = told(play)
    assert "\x1b" not in english(found.lives[0], found)


@pytest.mark.parametrize("at", [0, 1])
def test_both_languages_have_the_same_lines(play: CheckedPlay, at: int) -> None:
    found = told(dealt(play, missing=1))
    (life,) = found.lives
    one, other = (list(shoe_text.lines(life, found, each)) for each in (at, 1 - at))
    assert len(one) == len(other)


def test_every_word_of_a_receipt_fills_the_same_blanks_in_both_languages() -> None:
    for module in (receipts, words_shoe, shoe_words):
        for name, value in vars(module).items():
            if not name.isupper():
                continue
            pairs = value.values() if isinstance(value, dict) else [value]
            for pair in pairs:
                texts = pair if isinstance(pair[0], str) else [one for two in pair for one in two]
                blanks = [sorted(re.findall(r"{(\w+)}", text)) for text in texts]
                assert all(a == b for a, b in pairwise(blanks)), (name, pair)


def test_every_end_and_result_of_a_check_has_its_word() -> None:
    assert set(get_args(s.EndedWhy)) == set(words_shoe.ENDED) == set(shoe_words.ENDED)
    whys = {Count({"KH": 1}, {}).why, Count({}, {"KH": 1}).why, Count({"KH": 1}, {"QH": 1}).why}
    assert whys | {"", "doubtful"} == set(words_shoe.RESULTS)
