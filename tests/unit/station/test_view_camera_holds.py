"""What a hold says of a camera that does not see, and of a read that is in doubt: the cause, what
mends it, and no read that never was.
"""

from __future__ import annotations

import pytest

from station import snapshot as v
from station.game.cards import card_of
from station.table import inputs as i
from tests.support.play import Play
from tests.unit.station.test_view_unread import shown
from tests.unit.table.test_camera_reads import dealing, dealt, rule, seen

CAUSES = {
    "black": ("깜깜", "nothing but black", "렌즈 덮개와 조명", "lens cap and the light"),
    "frozen": ("같은 화면", "one picture again", "뽑았다가 다시", "Unplug the camera"),
    "stalled": ("영상이 오지", "No pictures come", "케이블과 전원", "cable and power"),
    "too_slow": ("느려", "too slow", "조명", "the light"),
}


def hold(play: Play) -> v.HoldView:
    (only,) = shown(play).holds
    return only


@pytest.mark.parametrize("cause", CAUSES)
def test_e_a_camera_that_does_not_see_says_why_and_what_mends_it(cause: str) -> None:
    play = dealing()
    play.give(i.DeviceHealth("shoe", "blind", "mean 3.1 of 255", cause=cause))
    view, (ko, en, do_ko, do_en) = hold(play), CAUSES[cause]
    assert ko in view.what.ko
    assert en in view.what.en
    assert do_ko in view.who.ko
    assert do_en in view.who.en
    assert "감독이 카드를 확인하고" in view.who.ko
    assert "연결이 끊" not in view.what.ko
    assert "lost" not in view.what.en
    assert view.detail is not None
    assert "mean 3.1 of 255" in view.detail.ko
    assert "mean 3.1 of 255" in view.detail.en
    assert shown(play).prompt.text == view.what


def test_e_it_says_so_still_when_the_camera_sees_again() -> None:
    play = dealing()
    play.give(i.DeviceHealth("shoe", "blind", "mean 3.1", cause="black"))
    play.give(i.DeviceHealth("shoe", "up", "", over="black"))
    assert "nothing but black" in hold(play).what.en
    detail = hold(play).detail
    assert detail is not None
    assert "lens cap" in detail.en


@pytest.mark.parametrize(
    ("health", "en"), [("lost", "is lost"), ("silent", "is silent"), ("denied", "is lost")]
)
def test_e_one_that_is_unplugged_or_silent_is_told_as_that(health: str, en: str) -> None:
    play = dealing()
    play.give(i.DeviceHealth("shoe", health, "why"))
    assert en in hold(play).what.en
    assert "why" in str(hold(play).detail)


def rulings(play: Play) -> dict[str, str]:
    return {one.ruling: one.text.en for one in hold(play).rulings}


@pytest.mark.parametrize(("deck", "card"), [(0, "8♦"), (5, "8♦ of deck 5")])
def test_d4_a_card_shown_from_the_table_claims_no_earlier_read(deck: int, card: str) -> None:
    play = dealing()
    play.give(seen("KC", 1))
    play.give(seen("8D", deck, numbered=False))
    view = hold(play)
    assert view.what.en == (
        f"{card} was shown to the camera from the table's side. Is it the card just drawn?"
    )
    assert "다시" not in view.what.ko
    assert view.suspects == []
    assert rulings(play)["second"].startswith("Yes, just drawn")
    assert rulings(play)["same"].startswith("No, it lay there already")
    rule(play, "second")
    assert [one.face for one in dealt(play)] == ["KC", "8D"]


def test_d4_of_two_codes_that_differ_both_decks_are_shown() -> None:
    """It is not the last card for certain; but nobody saw it drawn."""
    play = dealing()
    play.give(seen("9S", 4))
    play.give(seen("9S", 2, numbered=False))
    view = hold(play)
    assert view.what.en.startswith("9♠ of deck 2 was shown to the camera from the table's side.")
    assert [(one.face, one.deck, one.order) for one in view.suspects] == [
        ("9S", 4, 1),
        ("9S", 2, 0),
    ]


def test_d4_of_two_codes_that_differ_the_drawn_one_is_a_second_card_and_no_question() -> None:
    play = dealing()
    play.give(seen("9S", 4))
    play.give(seen("9S", 2))
    assert play.hold_codes == []
    assert len(dealt(play)) == 2


def test_d4_the_last_card_told_in_another_way_is_asked_with_both_reads() -> None:
    play = dealing()
    play.give(seen("KH", 3))
    play.give(seen("KH"))
    view = hold(play)
    assert view.what.en == (
        "K♥ was read, and the last card was a K♥ too. The same card, or a second K♥?"
    )
    assert [(one.deck, one.order) for one in view.suspects] == [(3, 1), (0, 0)]
    assert rulings(play)["same"] == "The same card · play on"


def test_d4_at_once_is_said_only_where_it_was_read_a_moment_before() -> None:
    play = dealing()
    first = i.CardSeen("shoe", card_of("KH"), "", "", 10_000)
    play.give(i.StationStart("T01", "test", "0", ("shoe",), play.rules, timed=True))
    play.give(i.LinkUp("host:game", "host", "game"))
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.give(first)
    play.give(i.CardSeen("shoe", card_of("KH"), "", "", 11_000))
    assert "was read again at once" in hold(play).what.en
