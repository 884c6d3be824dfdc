"""A card that was drawn and not read is shown again before another is drawn, also after the hold
it brought was released: the next card must not take its place.
"""

from __future__ import annotations

import pytest

from station.game.dealing import Owed
from station.table import facts as f
from station.table import inputs as i
from station.table.state import Unread, expected
from tests.support.play import CONSOLE, PIT
from tests.unit.table.test_camera_reads import AGAIN, camera, dealing, dealt, missed, rule, seen

# They hold at once, and a release says that the card is shown again.
RELEASED = ("witnesses_disagree", "joker", "card_back")
ONE = Unread(1, "shoe")
PICTURES = (f.Picture("cam-1.jpg", "1" * 64),)


@pytest.mark.parametrize("reason", RELEASED)
def test_r60_a_release_reads_no_card_and_the_next_one_drawn_does_not_take_its_place(
    reason: str,
) -> None:
    play = dealing()
    play.give(missed(reason))
    rule(play, "release")
    assert (play.hold_codes, play.table.unread) == ([], ONE)
    play.give(seen("2C", 1))
    assert (play.hold_codes, dealt(play)) == (["drawn_after_unread"], [])
    rule(play, "second")
    assert ([card.face for card in dealt(play)], play.table.unread) == (["2C"], Unread())


@pytest.mark.parametrize("reason", RELEASED)
def test_r60_shown_again_after_the_release_it_goes_where_it_was_owed(reason: str) -> None:
    play = dealing()
    play.give(missed(reason))
    answer = expected(dealing().table)
    rule(play, "release")
    assert isinstance(answer, Owed)
    assert expected(play.table) == answer
    play.give(seen("KH", 3, numbered=False))
    play.give(seen("2C", 1))
    assert [card.face for card in dealt(play)] == ["KH", "2C"]
    assert (play.hold_codes, play.table.unread) == ([], Unread())


@pytest.mark.parametrize("reason", AGAIN)
def test_p2_three_times_unread_and_released_it_is_still_that_card(reason: str) -> None:
    play = dealing()
    for _ in range(3):
        play.give(missed(reason))
    rule(play, "release")
    assert (play.table.misses, play.table.unread) == (0, ONE)
    play.give(seen("2C", 1))
    assert (play.hold_codes, dealt(play)) == (["drawn_after_unread"], [])


@pytest.mark.parametrize("tries", [(PICTURES, (), ()), ((), PICTURES, ()), ((), (), PICTURES)])
def test_p2_the_hold_shows_the_last_pictures_there_are_of_it(
    tries: tuple[tuple[f.Picture, ...], ...],
) -> None:
    play = dealing()
    for evidence in tries:
        play.give(missed("unread", "", evidence))
    assert play.table.holds[0].evidence == PICTURES


def test_p2_of_the_card_before_it_shows_none() -> None:
    play = dealing()
    play.give(missed("unread", "", PICTURES))
    play.give(seen("KH", 3, numbered=False))
    for _ in range(3):
        play.give(missed("unread"))
    assert play.table.holds[0].evidence == ()


def test_r60_a_wait_of_the_dealer_reads_no_card() -> None:
    play = dealing()
    play.give(missed("one_look"))
    play.must(CONSOLE, i.Wait())
    play.must(CONSOLE, i.Resume(play.table.holds[0].hold))
    play.give(seen("2C", 1))
    assert (play.hold_codes, dealt(play)) == (["drawn_after_unread"], [])


def test_p3_of_two_that_came_together_both_are_shown_before_a_third_is_drawn() -> None:
    play = dealing()
    play.give(missed("two_cards"))
    rule(play, "release")
    assert play.table.unread == Unread(2, "shoe")
    play.give(seen("KH", 3, numbered=False))
    assert play.table.unread == ONE
    play.give(seen("2C", 1))
    assert play.hold_codes == ["drawn_after_unread"]
    assert [card.face for card in dealt(play)] == ["KH"], "the second of them is still owed"


def test_p3_the_second_of_two_is_dealt_when_it_is_shown_and_the_first_never_twice() -> None:
    play = dealing()
    play.give(missed("two_cards"))
    rule(play, "release")
    play.give(seen("KH", numbered=False))
    play.give(seen("KH", numbered=False))
    assert (play.hold_codes, len(dealt(play))) == (["same_or_second"], 1)
    rule(play, "same")
    assert play.table.unread == ONE, "the same card is not the second one"
    play.give(seen("QC", 2, numbered=False))
    assert [card.face for card in dealt(play)] == ["KH", "QC"]
    assert play.table.unread == Unread()


@pytest.mark.parametrize("reason", ["pushed_back", "disputed"])
def test_a20_of_a_card_that_was_dealt_none_is_unread(reason: str) -> None:
    play = dealing()
    play.give(seen("KH", 2))
    play.give(missed(reason, passed=False))
    assert play.table.unread == Unread()


def test_when_nobody_was_owed_a_card_none_is_awaited() -> None:
    play = camera().bet((1, 3))
    play.give(missed("card_back"))
    rule(play, "release")
    assert play.table.unread == Unread()


@pytest.mark.parametrize("how", ["void", "new shoe"])
def test_a_void_ends_the_wait_for_it(how: str) -> None:
    play = dealing()
    play.give(missed("card_back"))
    rule(play, "void")
    if how == "new shoe":
        play.must(PIT, i.LoadShoe("S2", ""))
        play.must(PIT, i.ReleaseShoe("S2", play.table.version))
    assert play.table.unread == Unread()
