"""Codes that carry a face and nothing else: what they can prove, and what they cannot."""

from __future__ import annotations

import pytest

from station.game import facts as g
from station.game.rules import TableRules
from station.table import inputs as i
from tests.support.play import PIT, Play


def play(rules: TableRules | None = None) -> Play:
    """A shoe without a set letter, and two seats to be dealt to."""
    table = Play(rules).open_table()
    table.must(PIT, i.LoadShoe("S2", ""))
    table.must(PIT, i.ReleaseShoe("S2", table.table.version))
    return table.bet((1, 3)).close()


def faces(table: Play, *read: str) -> None:
    for face in read:
        table.card(face, deck=0, letter="")


def rule(table: Play, ruling: str) -> None:
    hold = table.table.holds[0].hold
    table.must(PIT, i.Rule(hold, ruling, "", None))  # type: ignore[arg-type]


def test_a20_another_face_than_the_last_aligns_nothing() -> None:
    table = play()
    faces(table, "TS", "9S", "8S")
    table.give(i.DeviceHealth("shoe", "lost", ""))
    table.give(i.DeviceHealth("shoe", "up", ""))
    faces(table, "9S")
    hold = table.table.holds[0].hold
    refusal = table.say(PIT, i.Rule(hold, "aligned", "", None))
    assert refusal is not None, "that was not the last card"
    assert table.table.set_aside


def test_a20_the_last_face_again_and_play_goes_on() -> None:
    table = play()
    faces(table, "TS", "9S", "8S")
    table.give(i.DeviceHealth("shoe", "lost", ""))
    table.give(i.DeviceHealth("shoe", "up", ""))
    faces(table, "8S")
    rule(table, "aligned")
    faces(table, "7S")
    assert [hand.cards[-1].face for box in table.round.boxes for hand in box.hands] == ["7S", "9S"]


def test_a20_a_ruling_burns_the_exposed_card_and_not_its_twin_that_was_kept() -> None:
    table = play(TableRules(incident_policy="house"))
    faces(table, "TS", "9S", "8S", "7S", "7H")
    faces(table, "KH")
    rule(table, "use")
    faces(table, "KH")
    rule(table, "burn")
    assert (len(table.table.game.kept), table.table.game.exposed) == (1, ())
    table.act("hit")
    dealt = [fact for fact in table.of(g.CardDealt) if isinstance(fact, g.CardDealt)][-1]
    assert (dealt.card.face, dealt.slot.seat) == ("KH", 1)
    assert not table.table.game.kept


@pytest.mark.parametrize("reshuffle", [True, False])
def test_a19_a_kept_card_of_a_cancelled_round_is_burned_by_a_fact(reshuffle: bool) -> None:
    rules = TableRules(incident_policy="house", reshuffle=reshuffle)
    table = Play(rules).open_table().bet((1,))
    table.card("KH")
    rule(table, "use")
    table.lose_host()
    table.fire("host_grace")
    burned = [fact.card.face for fact in table.of(g.CardBurned) if isinstance(fact, g.CardBurned)]
    assert burned == ["KH"]
    assert table.table.game.kept == table.table.game.exposed == ()
    assert (table.table.game.shoe.state == "out") == reshuffle


def test_r2_nine_of_a_face_are_one_too_many_and_the_eighth_is_named_too() -> None:
    table = play(TableRules(seats=7))
    faces(table, "2S", "2S", "6H", "2S", "2S")
    table.act("hit")
    faces(table, "2S")
    table.act("hit")
    faces(table, "2S")
    table.act("hit")
    faces(table, "2S")
    table.act("hit")
    faces(table, "2S")
    assert not table.table.holds
    table.act("hit")
    faces(table, "2S")
    hold = table.table.holds[0]
    assert hold.code == "foreign_card"
    assert (hold.params["why"], hold.params["copies"]) == ("ninth_copy", 9)
    assert (hold.params["first_order"], hold.params["first_round"]) == (9, table.number)
