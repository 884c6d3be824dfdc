"""`dealer-station round show`: a past round as it was, for people and scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from station.evidence import folder_of
from station.game import facts as g
from station.game.rules import TableRules
from station.journal import rows
from station.table import inputs as i
from tests.support.eventful import eventful
from tests.support.exported import document, run, show
from tests.support.ledger import Ledger
from tests.support.play import PIT


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return eventful(tmp_path_factory.mktemp("records") / "journal.db")


# --- the cards ------------------------------------------------------------------------------


def test_each_card_is_told_in_the_order_dealt_with_slot_deck_time_and_the_readers_bytes(
    table: Ledger,
) -> None:
    cards = document(table, 1)["cards"]
    dealt = [row for row in rows(table.journal.db, round_=1) if row.kind == "CardDealt"]
    assert [card["face"] for card in cards] == [
        "8H",
        "9D",
        "AS",
        "8S",
        "9C",
        "3H",
        "TC",
        "7D",
        "6D",
    ]
    assert [card["number"] for card in cards] == list(range(1, 10))
    for card, row in zip(cards, dealt, strict=True):
        fact = row.fact
        assert isinstance(fact, g.CardDealt)
        assert (card["order"], card["deck"], card["seq"]) == (fact.order, 1, row.seq)
        assert card["utc"] == row.utc
        assert (card["slot"]["seat"], card["slot"]["hand"]) == (fact.slot.seat, fact.slot.hand)
        assert bytes.fromhex(card["read"]["raw"]).decode() == f"A{card['face']}1"
        assert card["read"]["text"] == f"A{card['face']}1"
    assert [card["purpose"] for card in cards] == [
        *("first", "first", "upcard", "second", "second", "split", "split", "double", "draw")
    ]


def test_the_layout_is_what_lay_on_the_felt_with_totals_also_after_a_split(table: Ledger) -> None:
    layout = document(table, 1)["layout"]
    told = [
        (hand["seat"], hand["hand"], [c["face"] for c in hand["cards"]], hand["points"])
        for hand in layout
    ]
    assert told == [
        (0, 0, ["AS", "6D"], 17),
        (1, 1, ["8H", "3H", "7D"], 18),
        (1, 2, ["8S", "TC"], 18),
        (3, 1, ["9D", "9C"], 18),
    ]
    assert [c["number"] for c in layout[1]["cards"]] == [1, 6, 8]
    assert [c["number"] for c in layout[2]["cards"]] == [4, 7]
    assert (layout[0]["soft"], layout[1]["state"]) == (True, "doubled")


def test_the_layout_comes_first_then_the_money_then_the_story(table: Ledger) -> None:
    text = show(table, 1, "--lang", "en")
    places = [text.index(word) for word in ("── LAYOUT", "── MONEY", "── WHAT HAPPENED")]
    assert places == sorted(places)
    assert "Round 1 · table T01 (test) · settled" in text
    assert re.search(r"seat 1 hand 2 P1 +8♠  10♣ +18 split +\[4 7\]", text)
    assert re.search(r"dealer +A♠  6♦ +soft 17 +\[3 9\]", text)
    assert "seat 1 hand 1 · main bet · P1 · 2,000 → 4,000 · win (R45)" in text
    assert "seat 1 · Pair · P1 · 500 → 6,000 · win (R47)" in text
    assert "seat 1 · insurance · P1 · 500 → 0 · lose (R40)" in text


def test_pictures_are_named_with_their_hash_and_whether_they_are_there(
    tmp_path: Path,
) -> None:
    table = eventful(tmp_path / "journal.db")
    folder = folder_of(table.path)
    (folder / "a2.jpg").unlink()
    (folder / "a3.jpg").write_bytes(b"another")
    table.give(i.EvidenceOld(("a0.jpg",), "days"))
    (folder / "a0.jpg").unlink()
    cards = document(table, 1)["cards"]
    states = [
        (shot["name"], shot["state"])
        for card in cards
        for shot in (card["read"] or {}).get("pictures", ())
    ]
    assert states == [("a1.jpg", "kept"), ("a2.jpg", "missing"), ("a3.jpg", "changed")]
    text = show(table, 1, "--lang", "en")
    assert "a0.jpg" in text
    assert "taken away by the station" in text
    assert "MISSING: no fact says that it was taken away" in text
    assert "CHANGED: it is not the picture that was read" in text


# --- the story ------------------------------------------------------------------------------


def test_who_pressed_what_is_told_with_name_role_place_and_answer_refusals_too(
    table: Ledger,
) -> None:
    text = show(table, 3, "--lang", "en")
    assert "▸ ruling · – [console:one] ✗ REFUSED: A supervisor has to sign in first." in text
    assert "▸ ruling · 2001 이수진 (supervisor) [pit:floor] ✗ REFUSED: " in text
    assert "▸ place a bet · host:game" in text
    assert "Void the round · all bets returned · by 2001 이수진 (supervisor) · “dealt too far”" in (
        text
    )


def test_a_press_is_told_before_what_it_brought(table: Ledger) -> None:
    story = document(table, 1)["story"]
    kinds = [moment["kind"] for moment in story]
    assert kinds[:2] == ["CommandAnswered", "RoundOpened"]
    at = kinds.index("RoundCleared")
    assert kinds[at - 1] == "CommandAnswered"
    assert sorted(moment["seq"] for moment in story) == list(
        range(story[1]["seq"], story[1]["seq"] + len(story))
    )


def test_an_exposed_card_is_told_with_why_and_what_became_of_it(table: Ledger) -> None:
    early, late = document(table, 2), document(table, 3)
    told = [(c["face"], c["exposed"], c["fate"], c["by"]) for c in early["cards"] if c["exposed"]]
    assert told == [("QS", "betting_open", "burned", "2001")]
    told = [(c["face"], c["exposed"], c["fate"], c["by"]) for c in late["cards"] if c["exposed"]]
    assert told == [("2D", "decision_open", "void", "2001")]
    assert "betting was open · burned by 2001 이수진 (supervisor)" in show(table, 2, "--lang", "en")


def test_an_exposed_card_that_is_used_is_one_card_that_goes_to_its_hand(tmp_path: Path) -> None:
    house = TableRules(incident_policy="house")
    table = Ledger(tmp_path / "journal.db", house).open_table()
    table.bet((1,))
    table.card("QS")
    table.must(PIT, i.Rule(table.table.holds[0].hold, "use", "", None))
    table.close()
    table.cards("9D TC")
    cards = document(table, 1)["cards"]
    assert [(c["face"], c["number"], c["fate"]) for c in cards] == [
        ("QS", 1, "used"),
        ("9D", 2, ""),
        ("TC", 3, ""),
    ]
    assert cards[0]["slot"]["seat"] == 1
    assert cards[0]["read"]["text"] == "AQS1"


def test_timers_that_ended_a_question_or_a_decision_are_told(table: Ledger) -> None:
    text = show(table, 1, "--lang", "en")
    assert text.count("The question is closed (time ran out)") == 2
    assert "Seat 1 P1 is absent (time ran out)" in show(table, 2, "--lang", "en")


def test_a_hold_is_told_as_the_console_said_it(table: Ledger) -> None:
    assert "■ HOLD 2 · A card nobody is owed came out: 2♦" in show(table, 3, "--lang", "en")
    assert "■ 멈춤 2 · 받을 사람이 없는 카드가 나왔습니다: 2♦" in show(table, 3)


def test_why_a_round_is_void_and_by_whom(table: Ledger) -> None:
    assert "void: Void: the game host was lost · the station" in show(table, 4, "--lang", "en")
    assert document(table, 3)["void_by"] == "2001"


def test_no_reads_are_told_with_their_bytes(table: Ledger) -> None:
    text = show(table, 1, "--lang", "en")
    assert "NOT READ · damaged (A?H1)" in text
    assert "“A?H1” · 413f4831" in text


# --- later ----------------------------------------------------------------------------------


def test_what_was_found_after_the_round_is_told_with_it(table: Ledger) -> None:
    short, twice = document(table, 1), document(table, 5)
    assert short["marked"] == "short_shoe"
    assert [m["kind"] for m in short["later"]] == ["ShoeReconciled", "RoundsMarked"]
    assert twice["marked"] == "duplicate_card"
    assert [m["kind"] for m in twice["later"]] == ["TableHeld", "RoundsMarked"]
    assert "missing K♦×1" in show(table, 1, "--lang", "en")
    # Found before the next round opened, it stands in the story itself.
    last = document(table, 3)
    assert (last["marked"], last["later"]) == ("short_shoe", [])
    assert "MARKED: dealt from a short shoe" in show(table, 3, "--lang", "en")


def test_a_disputed_round_says_so_first_and_how_it_was_answered(tmp_path: Path) -> None:
    table = Ledger(tmp_path / "journal.db").open_table()
    table.deal("5H TC 9D 6C 8S").act("stand", "stand")
    table.cards("8H")
    table.clear()
    table.must(PIT, i.DisputeRound(1, "player at 1 says hit"))
    assert document(table, 1)["disputed"] == "open"
    text = show(table, 1, "--lang", "en")
    assert "DISPUTED: not answered yet" in text
    assert "by 2001 이수진 (supervisor) · “player at 1 says hit”" in text
    table.must(PIT, i.AnswerDispute(1, "accept", "film seen"))
    assert "DISPUTED: the round stands" in show(table, 1, "--lang", "en")
    assert "DISPUTED: the round stands" in run(
        "round", "list", "--lang", "en", "--journal", table.path
    )
    table.deal("5S TH 9S 6H 8C").act("stand", "stand")
    kinds = [moment["kind"] for moment in document(table, 1)["story"]]
    assert kinds.count("RoundDisputed") == kinds.count("DisputeAnswered") == 1


# --- the layout, large ----------------------------------------------------------------------


def test_the_recall_layout_shows_exact_cards_seat_by_seat_with_their_turn_in_the_deal(
    table: Ledger,
) -> None:
    text = show(table, 1, "--layout", "--lang", "en")
    seats = [line for line in text.splitlines() if line.startswith(("SEAT", "DEALER"))]
    assert [seat.split("  ")[0] for seat in seats] == [
        "SEAT 1 HAND 1",
        "SEAT 1 HAND 2",
        "SEAT 3",
        "DEALER",
    ]
    first = text[text.index("SEAT 1 HAND 1") : text.index("SEAT 1 HAND 2")]
    assert re.findall(r"│ (\S+) +│", first.splitlines()[2]) == ["8♥", "3♥", "7♦"]
    assert re.sub(r"[^0-9 ]", "", first.splitlines()[4]).split() == ["1", "6", "8"]
    assert "라운드 3" in show(table, 3, "--layout")
    assert "2♦" in show(table, 3, "--layout")
