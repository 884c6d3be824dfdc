"""A camera's reads at the table: what holds, what is read again, and cards read in two ways.

A camera that reads code and index tells some cards with their deck's number and others by their
face alone. No card may be dealt twice for it, and none of the right ones turned away.
"""

from __future__ import annotations

import random

import pytest

from station.game import facts as g
from station.game.cards import Card, card_of
from station.game.dealing import Nobody
from station.table import facts as f
from station.table import inputs as i
from station.table.missed import GRAVE, UNREAD
from station.table.state import expected
from tests.support.play import PIT, Play

ONE = (f.Picture("cam-1.jpg", "1" * 64),)
TWO = (f.Picture("cam-2.jpg", "2" * 64), f.Picture("cam-3.jpg", "3" * 64))
# They are of a card that was told already.
TOLD = ("pushed_back", "disputed")
AGAIN = ("one_look", "contradiction", "one_witness")
HOLDS = {
    "witnesses_disagree": "witnesses_disagree",
    "two_cards": "two_cards",
    "joker": "strange_card",
    "card_back": "strange_card",
    "pushed_back": "pushed_back",
    "disputed": "disputed_card",
}


def camera() -> Play:
    """A table with a camera that numbers what it sees drawn."""
    play = Play()
    play.give(i.StationStart("T01", "test", "0", ("shoe",), play.rules, numbers=("shoe",)))
    return play.open_table()


def dealing() -> Play:
    """Two seats are to be dealt to, and have nothing yet."""
    return camera().bet((1, 3)).close()


def seen(
    face: str, deck: int = 0, *, numbered: bool = True, evidence: tuple[f.Picture, ...] = ()
) -> i.CardSeen:
    """As a camera tells it: by its code with set and deck, or by its index alone."""
    card = card_of(face, "A", deck) if deck else card_of(face)
    return i.CardSeen("shoe", card, "", "", 0, numbered, evidence=evidence)


def missed(
    reason: str, text: str = "", evidence: tuple[f.Picture, ...] = (), *, passed: bool = True
) -> i.ReadMissed:
    return i.ReadMissed("shoe", reason, text, "", passed, evidence=evidence)


def rule(play: Play, ruling: str) -> None:
    hold = play.table.holds[0].hold
    play.must(PIT, i.Rule(hold, ruling, "", None))  # type: ignore[arg-type]


def dealt(play: Play) -> list[Card]:
    return [fact.card for fact in play.of(g.CardDealt) if isinstance(fact, g.CardDealt)]


# --- what was not read ----------------------------------------------------------------------


@pytest.mark.parametrize("reason", AGAIN)
def test_p2_what_was_seen_badly_is_shown_again_and_goes_where_it_was_owed(reason: str) -> None:
    play = dealing()
    play.give(missed(reason))
    assert not play.table.holds
    assert (play.table.misses, play.table.read and play.table.read.code) == (1, reason)
    play.give(seen("KH", 3, numbered=False))
    assert [card.face for card in dealt(play)] == ["KH"]
    assert play.table.misses == 0


@pytest.mark.parametrize("reason", AGAIN)
def test_p2_three_times_and_a_supervisor_looks_at_the_last_pictures(reason: str) -> None:
    play = dealing()
    for evidence in (ONE, ONE, TWO):
        play.give(missed(reason, "code KH/7; index QH", evidence))
    hold = play.table.holds[0]
    assert (hold.code, hold.evidence) == ("unreadable_card", TWO)
    assert hold.params == {"reason": reason, "said": "code KH/7; index QH"}


@pytest.mark.parametrize("reason", GRAVE)
def test_n7_what_reading_again_cannot_mend_holds_at_once(reason: str) -> None:
    play = dealing()
    play.give(seen("5S", 1))
    play.give(missed(reason, "code KH/7; index QH", TWO, passed=reason not in TOLD))
    hold = play.table.holds[0]
    assert play.hold_codes == [HOLDS[reason]]
    assert (hold.device, hold.evidence, hold.params["reason"]) == ("shoe", TWO, reason)
    play.give(seen("9D", 1))
    assert [card.face for card in dealt(play)] == ["5S"], "nothing is dealt meanwhile"
    assert [card.face for card in play.table.set_aside] == ["9D"]


@pytest.mark.parametrize("reason", GRAVE)
def test_a_grave_one_that_goes_on_is_one_hold(reason: str) -> None:
    play = dealing()
    for _ in range(3):
        play.give(missed(reason))
    assert play.hold_codes == [HOLDS[reason]]


@pytest.mark.parametrize("reason", GRAVE)
def test_a_grave_one_holds_when_nobody_was_owed_a_card_too(reason: str) -> None:
    """A camera at the shoe's mouth does not mistake the air for two cards."""
    play = camera().bet((1, 3))
    play.give(missed(reason))
    assert play.hold_codes == [HOLDS[reason]]


@pytest.mark.parametrize("reason", GRAVE)
def test_without_a_shoe_in_play_nothing_holds(reason: str) -> None:
    play = Play()
    play.give(missed(reason))
    assert not play.table.holds
    assert play.table.read is not None
    assert (play.table.read.outcome, play.table.read.code) == ("no_read", reason)


@pytest.mark.parametrize("reason", ["witnesses_disagree", "two_cards", "joker", "card_back"])
def test_released_the_slot_is_still_open_and_the_card_is_shown_again(reason: str) -> None:
    play = dealing()
    play.give(missed(reason))
    rule(play, "release")
    play.give(seen("KH", 3, numbered=False))
    assert [card.face for card in dealt(play)] == ["KH"]
    assert not play.table.holds


# --- a card that went back into the shoe ----------------------------------------------------


@pytest.mark.parametrize("reason", TOLD)
@pytest.mark.parametrize("deck", [0, 2], ids=["by its index", "by its code"])
def test_a20_a_card_pushed_back_or_seen_otherwise_is_read_again_and_never_counts_twice(
    deck: int, reason: str
) -> None:
    play = dealing()
    play.give(seen("KH", deck))
    play.give(missed(reason, passed=False))
    refusal = play.say(PIT, i.Rule(play.table.holds[0].hold, "aligned", "", None))
    assert refusal is not None
    assert refusal.code == "last_card_not_reread"
    play.give(seen("KH", deck))
    rule(play, "aligned")
    play.give(seen("QC", 4))
    assert [card.face for card in dealt(play)] == ["KH", "QC"]
    assert [gone.card.face for gone in play.table.game.shoe.gone] == ["KH", "QC"]


def test_a20_another_card_drawn_after_the_push_is_not_dealt_and_only_a_void_is_left() -> None:
    play = dealing()
    play.give(seen("KH"))
    play.give(missed("pushed_back", passed=False))
    play.give(seen("QH"))
    refusal = play.say(PIT, i.Rule(play.table.holds[0].hold, "aligned", "", None))
    assert refusal is not None
    assert [card.face for card in dealt(play)] == ["KH"]
    rule(play, "void")
    assert (play.round.ended, play.table.game.shoe.state) == ("void", "out")
    assert not play.table.holds


@pytest.mark.parametrize("reason", TOLD)
def test_a20_of_one_card_it_is_one_hold_and_each_time_it_is_read_again(reason: str) -> None:
    play = dealing()
    play.give(seen("KH", 2))
    for _ in range(4):
        play.give(missed(reason, passed=False))
        assert play.hold_codes == [HOLDS[reason]]
        aligned = i.Rule(play.table.holds[0].hold, "aligned", "", None)
        refusal = play.say(PIT, aligned)
        assert refusal is not None
        assert refusal.code == "last_card_not_reread", "what was read before proves nothing"
        play.give(seen("KH", 2))
    rule(play, "aligned")
    play.give(seen("QC", 4))
    assert [card.face for card in dealt(play)] == ["KH", "QC"]


# --- a card by its code, a card by its face -------------------------------------------------


@pytest.mark.parametrize(("first", "then"), [(3, 0), (0, 3)])
@pytest.mark.parametrize("numbered", [True, False])
def test_d4_the_last_face_read_in_another_way_may_be_the_same_card_and_is_asked(
    first: int, then: int, numbered: bool
) -> None:
    play = dealing()
    play.give(seen("KH", first))
    play.give(seen("KH", then, numbered=numbered))
    assert (play.hold_codes, len(dealt(play))) == (["same_or_second"], 1)
    rule(play, "same")
    assert len(dealt(play)) == 1
    play.give(seen("2C"))
    assert [card.face for card in dealt(play)] == ["KH", "2C"]


def test_d4_if_it_was_a_second_one_it_goes_where_it_is_owed() -> None:
    play = dealing()
    play.give(seen("KH", 3))
    play.give(seen("KH"))
    rule(play, "second")
    assert [card.face for card in dealt(play)] == ["KH", "KH"]


def test_r2_of_eight_read_by_face_or_by_code_a_ninth_is_one_too_many() -> None:
    """Five by their code, three by their face: any ninth is one of them, or a foreign card."""
    play = camera()
    play.bet(range(1, 8)).close()
    for deck in (1, 0, 2, 0, 3, 0, 4):
        play.give(seen("2S", deck))
        if play.table.holds:
            rule(play, "second")
    play.give(seen("9H", 1))
    play.give(seen("2S", 5))
    assert not play.table.holds
    assert len(dealt(play)) == 9
    play.give(seen("2S", 6))
    hold = play.table.holds[0]
    assert (hold.code, hold.params["why"], hold.params["copies"]) == (
        "foreign_card",
        "ninth_copy",
        9,
    )
    assert len(dealt(play)) == 9


def test_d4_a_set_letter_that_one_reading_lacks_makes_no_second_card_of_one() -> None:
    play = dealing()
    play.give(i.CardSeen("shoe", card_of("KH", "A", 3), "", "", 0, True))
    play.give(i.CardSeen("shoe", card_of("KH", "", 3), "", "", 0, True))
    assert len(dealt(play)) == 1
    assert [fact for fact in play.facts if isinstance(fact, f.ReadRepeated)]
    play.give(seen("2C", 1))
    play.give(i.CardSeen("shoe", card_of("KH", "", 3), "", "", 0, True))
    assert play.hold_codes == ["duplicate_card"]


def test_a20_a_card_read_by_its_face_is_aligned_by_its_code_and_the_reverse() -> None:
    for first, then in ((0, 3), (3, 0), (0, 0), (3, 3)):
        play = dealing()
        play.give(seen("KH", first))
        play.give(i.DeviceHealth("shoe", "lost", ""))
        play.give(i.DeviceHealth("shoe", "up", ""))
        play.give(seen("KH", then, numbered=False))
        rule(play, "aligned")
        play.give(seen("2C", 5))
        assert [card.face for card in dealt(play)] == ["KH", "2C"], (first, then)


@pytest.mark.parametrize("deck", [0, 3])
def test_a_card_waved_into_the_window_that_nobody_missed_is_asked_about(deck: int) -> None:
    """It may lie on the felt already, or come from the discards."""
    play = dealing()
    play.give(seen("KH", deck, numbered=False))
    assert (play.hold_codes, dealt(play)) == (["same_or_second"], [])
    rule(play, "second")
    assert [card.face for card in dealt(play)] == ["KH"]


@pytest.mark.parametrize("deck", [0, 3])
@pytest.mark.parametrize("ruling", ["second", "void"])
def test_a_card_drawn_while_another_is_unread_goes_to_no_hand_by_itself(
    deck: int, ruling: str
) -> None:
    """It may be the next one, and the unread one lies on the felt: it would be at a wrong hand."""
    play = dealing()
    play.give(i.ReadMissed("shoe", "one_look", "", "", passed=True))
    play.give(seen("KH", deck))
    assert (play.hold_codes, dealt(play)) == (["drawn_after_unread"], [])
    rule(play, ruling)
    assert [card.face for card in dealt(play)] == (["KH"] if ruling == "second" else [])
    assert play.hold_codes == []
    if ruling == "second":
        play.give(seen("2C", 1))
        assert [card.face for card in dealt(play)] == ["KH", "2C"]


@pytest.mark.parametrize("deck", [0, 3])
def test_a_card_shown_again_after_a_no_read_is_dealt(deck: int) -> None:
    play = dealing()
    play.give(i.ReadMissed("shoe", "one_look", "", "", passed=True))
    play.give(seen("KH", deck, numbered=False))
    assert [card.face for card in dealt(play)] == ["KH"]
    assert play.hold_codes == []


def test_a20_a_code_that_left_the_shoe_before_aligns_nothing() -> None:
    play = dealing()
    play.give(seen("KH", 3))
    play.give(seen("2C", 1))
    play.give(seen("KH", 0))
    play.give(i.DeviceHealth("shoe", "lost", ""))
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.give(seen("KH", 3, numbered=False))
    assert not any(hold.aligned for hold in play.table.holds)
    assert "duplicate_card" in play.hold_codes


@pytest.mark.parametrize("seed", range(20))
def test_a_shoe_read_now_by_code_now_by_face_deals_each_card_once(seed: int) -> None:
    """Every card comes once; some are shown a second time at once. Nothing is dealt twice, and
    nothing is turned away: the people rule as they see.
    """
    chance = random.Random(seed)
    shoe = [card_of(face, "A", deck) for deck in range(1, 9) for face in ("KH", "QH", "2C", "9D")]
    chance.shuffle(shoe)
    play = camera()
    drawn: list[str] = []
    while len(shoe) > 20:
        if play.table.between_rounds:
            play.bet((1, 3)).close()
        elif play.round.ended:
            play.clear()
            continue
        elif play.round.asked is not None:
            play.act("stand")
            continue
        card = shoe.pop()
        drawn.append(card.face)
        for again in range(1 + (chance.random() < 0.2)):
            plain = card if chance.random() < 0.6 else card_of(card.face)
            # Shown again from the table's side it is not numbered as a draw.
            play.give(i.CardSeen("shoe", plain, "", "", 0, not again))
            for hold in play.table.holds:
                assert hold.code == "same_or_second"
                rule(play, "same" if again else "second")
        gone = [entry.card.face for entry in play.table.game.shoe.gone]
        assert gone == drawn


# --- a camera that does not see -------------------------------------------------------------


def test_r60_a_camera_that_sees_nothing_is_a_reader_lost() -> None:
    play = dealing()
    play.give(i.DeviceHealth("shoe", "blind", "", cause="frozen"))
    assert play.hold_codes == ["reader_lost"]


def test_while_a_hand_covers_the_window_nobody_is_owed_a_card_and_nothing_is_held() -> None:
    play = dealing()
    play.give(i.DeviceHealth("shoe", "covered", "", cause="blocked_view"))
    assert (play.hold_codes, expected(play.table)) == ([], Nobody("reader_not_up"))
    play.give(i.DeviceHealth("shoe", "up", "", over="blocked_view"))
    play.give(seen("KH", 1))
    assert [card.face for card in dealt(play)] == ["KH"]


def test_a_card_drawn_under_a_covered_window_is_exposed_not_dealt() -> None:
    play = dealing()
    play.give(i.DeviceHealth("shoe", "covered", "", cause="blocked_view"))
    play.give(seen("KH", 1))
    assert (play.hold_codes, dealt(play)) == (["exposed_card"], [])


def test_r2_the_set_is_that_of_the_first_card_that_carries_one() -> None:
    play = camera()
    play.must(PIT, i.LoadShoe("S2", ""))
    play.must(PIT, i.ReleaseShoe("S2", play.table.version))
    play.bet((1, 3)).close()
    play.give(seen("KH"))
    assert play.table.game.shoe.set == ""
    play.give(seen("2C", 1))
    play.give(seen("9D"))
    assert (play.table.game.shoe.set, play.hold_codes) == ("A", [])
    play.give(i.CardSeen("shoe", card_of("8S", "B", 1), "", "", 0, True))
    assert (play.hold_codes, play.table.holds[0].params["why"]) == (["foreign_card"], "wrong_set")
    assert len(dealt(play)) == 3


def test_a_card_the_sensor_alone_saw_holds_once_and_only_while_a_shoe_is_in_play() -> None:
    play = camera()
    play.give(missed(UNREAD))
    play.give(missed(UNREAD))
    assert play.hold_codes == ["unknown_card"], "nobody is owed one, and no card is out"
    none = Play()
    none.give(missed(UNREAD))
    assert none.hold_codes == []
