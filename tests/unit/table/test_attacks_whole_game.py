"""The whole game at the table: silence and absence in every order, several exposed cards under the
house's policy, names that look alike, and the state at every fact as it is stored.
"""

from __future__ import annotations

import json
from typing import Literal

import msgspec
import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.cards import card_of
from station.game.rules import TableRules
from station.table import facts as f
from station.table import inputs as i
from station.table.evolve import evolve
from station.table.state import Table, expected
from station.upcast import upcast
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


def face_only(play: Play) -> Play:
    """The same table with a shoe whose codes name the face alone."""
    play.must(PIT, i.LoadShoe("S2", ""))
    play.must(PIT, i.ReleaseShoe("S2", play.table.version))
    return play


def face(play: Play, *faces: str) -> None:
    for one in faces:
        play.give(play.read(card_of(one)))


def test_r59_burning_a_card_leaves_the_kept_one_of_the_same_face_to_be_dealt() -> None:
    """By codes without a deck number two cards of one face are equal; they are two all the same."""
    play = face_only(Play(TableRules(incident_policy="house")).open_table()).bet().close()
    face(play, "5S", "9S", "8S", "6S", "7S", "KH")
    play.must(PIT, i.Rule(play.table.holds[0].hold, "use", "", None))
    face(play, "KH")
    play.must(PIT, i.Rule(play.table.holds[0].hold, "burn", "", None))
    game = play.table.game
    assert (len(game.kept), game.exposed, play.hold_codes) == (1, (), [])
    play.act("hit")
    assert [card.face for card in play.round.boxes[0].hands[0].cards] == ["5S", "6S", "KH"]
    assert len(play.table.game.shoe.gone) == 7


@pytest.mark.parametrize("policy", ["strict", "house"])
def test_a20_by_codes_of_a_face_alone_the_last_face_read_again_aligns_and_no_other(
    policy: Literal["strict", "house"],
) -> None:
    play = face_only(Play(TableRules(incident_policy=policy)).open_table()).bet().close()
    face(play, "5S", "9S", "8S")
    for health in ("lost", "up"):
        play.give(i.DeviceHealth("shoe", health, ""))
    aligned = i.Rule(play.table.holds[0].hold, "aligned", "", None)
    face(play, "8S")
    assert play.say(PIT, aligned) is None
    assert [card.face for card in play.round.dealer] == ["8S"]
    orders = [gone.order for gone in play.table.game.shoe.gone]
    assert orders == [1, 2, 3], "read again, not drawn again"
    face(play, "8S")
    last = play.table.game.shoe.last
    assert last is not None
    assert last.order == 4, "without a hold the same face is another card"

    for health in ("lost", "up"):
        play.give(i.DeviceHealth("shoe", health, ""))
    face(play, "5S")
    refusal = play.say(PIT, i.Rule(play.table.holds[0].hold, "aligned", "", None))
    assert refusal is not None
    assert (refusal.code, refusal.params) == ("last_card_not_reread", {"face": "8S"})


@pytest.mark.parametrize("reshuffle", [False, True])
def test_a19_a_card_kept_for_a_round_that_is_cancelled_is_burned_by_a_fact(reshuffle: bool) -> None:
    """The shoe may stay: the next round must not find a card on the felt that nobody owns."""
    play = Play(TableRules(incident_policy="house", reshuffle=reshuffle)).open_table().bet()
    play.card("KH")
    play.must(PIT, i.Rule(play.table.holds[0].hold, "use", "", None))
    play.lose_host()
    play.fire("host_grace")
    burned = [fact for fact in play.of(g.CardBurned) if isinstance(fact, g.CardBurned)]
    assert [(fact.card.face, fact.by) for fact in burned] == [("KH", "station")]
    assert play.table.game.kept == ()
    assert play.table.game.shoe.state == ("out" if reshuffle else "in_play")


@pytest.mark.parametrize("host", ["link", "chairs"])
def test_the_first_start_puts_the_rules_into_the_journal(host: Literal["link", "chairs"]) -> None:
    """Default rules too: what they are may be other ones in a later release."""
    play = Play(host=host)
    assert [fact.rules for fact in play.of(f.RulesSet) if isinstance(fact, f.RulesSet)] == [
        TableRules()
    ]
    play.start()
    assert len(play.of(f.RulesSet)) == 1


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


# --- an earlier release -------------------------------------------------------------------------

# A round as the first release wrote it: main bets without a hand, absence in the round.
FIRST_RELEASE = (
    ("SeatTaken", {"seat": 2, "player": "P2"}),
    ("RoundOpened", {"round": 1, "shoe": "S1", "fingerprint": "ecc78d31"}),
    (
        "BetPlaced",
        {"round": 1, "bet": 1, "kind": "main", "player": "P2", "seat": 2, "amount": 1000},
    ),
    ("BettingClosed", {"round": 1, "seats": [2], "by": "host"}),
    ("CardDealt", "5S 2 1 1"),
    ("CardDealt", "AS 0 0 2"),
    ("CardDealt", "6S 2 1 3"),
    (
        "DecisionAsked",
        {"round": 1, "decision": 1, "seat": 2, "hand": 1, "legal": ["hit", "stand"]},
    ),
    ("PlayerAbsent", {"round": 1, "seat": 2}),
)


def written(kind: str, body: dict[str, object] | str) -> str:
    """The stored body; of a card: its face, seat, hand and order."""
    if isinstance(body, str):
        card, seat, hand, order = body.split()
        body = {
            "round": 1,
            "card": {"rank": card[0], "suit": card[1], "set": "A", "deck": 1},
            "slot": {"seat": int(seat), "hand": int(hand)},
            "order": int(order),
        }
    return json.dumps({"fact": kind, **body})


def test_facts_of_the_first_release_are_the_same_round() -> None:
    decoder, play = msgspec.json.Decoder(f.AnyFact), Play().open_table()
    table = play.table
    for kind, body in FIRST_RELEASE:
        table = evolve(table, decoder.decode(upcast(kind, 1, written(kind, body))))  # type: ignore[arg-type]
    play.table = table
    assert [(bet.hand, bet.stake) for bet in play.round.bets] == [(1, 1000)]
    assert (play.round.asked, table.game.absent(2)) == (None, True)
    play.start()
    assert play.round.ended == "void"
    assert [(line.player, line.result, line.returned) for line in play.round.lines] == [
        ("P2", "void", 1000)
    ]


def test_a_journal_continued_by_the_first_release_in_the_middle_of_a_round_is_read() -> None:
    bet = {"bet": 1, "kind": "main", "player": "P2", "seat": 2, "amount": 1000}
    hands = [{"cards": [], "stood": False, "owed": False}]
    box = {"seat": 2, "player": "P2", "hands": hands, "absent": False}
    body = {
        "table": "T01",
        "kind": "test",
        "sealed": "journal.db.sealed",
        "facts": 3,
        "head": "0" * 64,
        "rounds": 1,
        "open_round": {
            "number": 1,
            "shoe": "S1",
            "fingerprint": "",
            "bets": [bet],
            "closed": True,
            "boxes": [box],
        },
        "by": ["4001", "3001"],
    }
    stored = upcast("JournalContinued", 1, written("JournalContinued", body))
    fact = msgspec.json.Decoder(f.AnyFact).decode(stored)
    table = evolve(Table(), fact)
    assert table.game.round is not None
    assert [(bet.hand, bet.stake) for bet in table.game.round.bets] == [(1, 1000)]
    empty = upcast("JournalContinued", 1, written("JournalContinued", {**body, "open_round": None}))
    assert evolve(Table(), msgspec.json.Decoder(f.AnyFact).decode(empty)).game.round is None
