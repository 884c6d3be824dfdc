"""The whole game at the table: silence and absence in every order, several exposed cards under the
house's policy, names that look alike, and the state at every fact as it is stored.
"""

from __future__ import annotations

import msgspec
import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.rules import TableRules
from station.table import inputs as i
from station.table.evolve import evolve
from station.table.state import Table, expected
from tests.support.play import CONSOLE, HOST, PIT, Play

# --- A13, A33: silence, absence and who is vacated ------------------------------------------------

# What the player of seat 1 does between the deal and the end of his hand, and whether he keeps his
# seat. `lost`/`back`: what the host says of his link; `late`: a decision when none is his;
# `out`: his time runs out.
STORIES = {
    ("stand",): True,
    ("out",): False,
    ("lost",): False,
    ("lost", "back", "stand"): True,
    ("lost", "late", "stand"): True,
    ("lost", "back", "out"): False,
    ("out", "late"): False,
    ("hit", "out"): True,
    ("hit", "lost"): True,
    ("lost", "back", "lost", "back", "hit", "out"): True,
}


@pytest.mark.parametrize(("story", "stays"), STORIES.items(), ids=str)
def test_a13_a33_who_said_something_in_time_keeps_his_seat(
    story: tuple[str, ...], stays: bool
) -> None:
    play = Play().open_table().deal("5S 9S 8S 7H 7S")
    for word in story:
        asked = play.round.asked
        decision = c.Decide(play.number, asked.decision if asked else 1, 1, 1, "stand")
        if word == "lost":
            # A hold first: else the station plays on at once, and nobody can be back in time.
            play.must(CONSOLE, i.Wait())
            play.must(HOST, c.PlayerLost(1, "P1"))
            if "back" not in story and "late" not in story:
                play.must(CONSOLE, i.Resume(play.table.holds[0].hold))
        elif word == "back":
            play.must(HOST, c.PlayerBack(1, "P1"))
            play.must(CONSOLE, i.Resume(play.table.holds[0].hold))
        elif word == "late":
            refusal = play.say(HOST, decision)
            assert refusal is not None
            assert (refusal.code, refusal.rule) == ("too_late", "R21")
            if play.table.holds:
                play.must(CONSOLE, i.Resume(play.table.holds[0].hold))
        elif word == "out":
            play.fire("decision")
        elif word == "hit":
            play.act("hit").card("2C")
        else:
            play.must(HOST, decision)
    _to_the_end(play)
    assert (play.table.game.seat_at(1) is not None) == stays


@pytest.mark.parametrize("insurance", ["buy", "decline", "silent"])
@pytest.mark.parametrize(("first_two", "stays"), [("AH KH", True), ("9H 7H", False)])
def test_a33_who_was_offered_no_decision_stays_whatever_he_said_to_insurance(
    first_two: str, stays: bool, insurance: str
) -> None:
    """Buying is an action (A13): it keeps the seat of one who then lets his decision run out."""
    one, two = first_two.split()
    play = Play().open_table().deal(f"{one} 9S AS {two} 7S")
    window = play.round.window
    assert window is not None
    if insurance != "silent":
        buys = insurance == "buy"
        play.must(HOST, c.Insure(play.number, window.window, "P1", buys))
    play.fire("insurance")
    if not stays:
        play.fire("decision")
    _to_the_end(play)
    assert (play.table.game.seat_at(1) is not None) == (stays or insurance == "buy")


def _to_the_end(play: Play) -> None:
    """Whatever is still asked stands; whatever is owed comes."""
    for face in ("6C", "6D", "7C", "7D", "8C", "8D", "9C", "9D"):
        while play.round.asked is not None:
            play.act("stand")
        if play.round.ended:
            return
        play.card(face)
    raise AssertionError("the round goes on for ever")


# --- A20, R59: several exposed cards under the house's policy -------------------------------------


def kept(faces: str) -> Play:
    """Exposed cards, drawn while seat 1 decides, and ruled to be dealt next."""
    play = Play(TableRules(incident_policy="house")).open_table().deal("5S 9S 8S 6S 7S")
    play.cards(faces)
    assert play.hold_codes == ["exposed_card"]
    play.must(PIT, i.Rule(play.table.holds[0].hold, "use", "", None))
    return play


def test_r59_cards_ruled_to_be_used_are_dealt_in_the_order_in_which_they_came() -> None:
    play = kept("2C 3C 4C")
    play.act("hit", "hit", "stand", "hit")
    dealt = [fact for fact in play.of(g.CardDealt) if isinstance(fact, g.CardDealt)][5:]
    assert [(d.card.face, d.slot.seat, d.order) for d in dealt] == [
        ("2C", 1, 6),
        ("3C", 1, 7),
        ("4C", 3, 8),
    ]
    assert play.table.game.kept == ()


def test_r59_a_card_kept_and_not_needed_is_burned_by_the_station_at_the_end() -> None:
    play = kept("2C 3C")
    play.act("stand", "stand")
    # The dealer's 8 takes both, 2C and 3C: then only the shoe's next card ends his hand.
    assert [card.face for card in play.round.dealer] == ["8S", "2C", "3C"]
    play.card("TC")
    assert play.round.ended == "settled"
    assert not play.of(g.CardBurned)
    play = kept("9C TC")
    play.act("stand", "stand")
    assert [card.face for card in play.round.dealer] == ["8S", "9C"]
    assert play.round.ended == "settled"
    burned = [fact for fact in play.of(g.CardBurned) if isinstance(fact, g.CardBurned)]
    assert [(fact.card.face, fact.by) for fact in burned] == [("TC", "station")]


def test_a15_a_card_ruled_to_be_used_waits_for_the_end_of_the_follow_window() -> None:
    play = Play(TableRules(incident_policy="house")).open_table().bet()
    play.must(HOST, c.PlaceBet(play.number, 1, "Eve", 1000, "behind"))
    play.close().cards("5S 9S 8S 6S 7S")
    play.act("double").card("2C")
    play.must(PIT, i.Rule(play.table.holds[0].hold, "use", "", None))
    assert play.round.window is not None
    assert play.round.boxes[0].hands[0].owed
    play.fire("follow")
    assert [card.face for card in play.round.boxes[0].hands[0].cards] == ["5S", "6S", "2C"]


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        ("chair-3", "behind-3-1"),
        ("김민수", "金民秀"),
        ("e\u0301", "\u00e9"),
        ("x" * 64, "x" * 63),
        ("dealer", "station"),
        ("{player}", "%s"),
    ],
    ids=str,
)
def test_r57_names_that_look_alike_are_paid_each_his_own(names: tuple[str, str]) -> None:
    """A name is never more than a name: two that differ are two players."""
    one, two = names
    play = Play().open_table()
    play.must(HOST, c.TakeSeat(1, one))
    play.must(HOST, c.TakeSeat(3, two))
    play.open_round()
    play.must(HOST, c.PlaceBet(play.number, 1, one, 1000))
    play.must(HOST, c.PlaceBet(play.number, 3, two, 2000))
    play.close().cards("TS 9S 8S 7S TH")
    play.act("stand", "stand").card("9D")
    lines = {line.player: (line.seat, line.stake, line.returned) for line in play.round.lines}
    assert lines == {one: (1, 1000, 1000), two: (3, 2000, 4000)}, "17 and 19 against 17"


# --- every cut ------------------------------------------------------------------------------------


def test_the_state_at_every_fact_survives_being_stored() -> None:
    """A checkpoint is the state as JSON: after no fact may they differ."""
    play = Play(TableRules(incident_policy="house", burn=1)).open_table()
    play.card("2D")
    play.bet()
    for kind in ("behind", "behind_pair"):
        play.must(HOST, c.PlaceBet(play.number, 1, "Eve", 1000, kind))
    play.must(HOST, c.PlaceBet(play.number, 1, "P1", 100, "pair"))
    play.close().cards("8S 9S AS 8H 7S")
    window = play.round.window
    assert window is not None
    play.must(HOST, c.Insure(play.number, window.window, "P1", buy=True))
    play.card("KD")
    play.must(PIT, i.Rule(play.table.holds[0].hold, "use", "", None))
    play.fire("insurance")
    play.act("split")
    window = play.round.window
    assert window is not None
    play.must(HOST, c.Follow(play.number, window.window, "Eve", follow=True))
    play.card("3D")
    play.act("stand", "double").fire("follow")
    play.card("9D")
    play.act("stand").card("9C")
    assert play.round.ended == "settled"
    play.clear()
    decoder, table = msgspec.json.Decoder(Table), Table()
    for fact in play.facts:
        table = evolve(table, fact)
        stored = decoder.decode(msgspec.json.encode(table))
        assert stored == table
        assert expected(stored) == expected(table)
    assert table == play.table
