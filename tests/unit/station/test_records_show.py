"""`dealer-station round show` and `round list`: a past round as it was, for people and scripts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner

from station.cli import app
from station.cli_journal import backup
from station.evidence import folder_of
from station.game import facts as g
from station.game.incidents import INCIDENTS
from station.journal import Journal, rows
from station.records import source, words
from station.records.parcel import story_of
from station.records.telling import Speech, plain
from station.table import facts as f
from station.table import inputs as i
from station.table.evolve import evolve
from station.table.state import Table
from tests.support.eventful import OPEN, SETTLED, VOID, eventful
from tests.support.ledger import Ledger
from tests.support.play import PIT


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return eventful(tmp_path_factory.mktemp("records") / "journal.db")


def run(*words_: str | Path, code: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, words_)])
    assert done.exit_code == code, done.output
    return done.output


def show(table: Ledger, round_: int | str, *more: str, code: int = 0) -> str:
    return run("round", "show", str(round_), *more, "--journal", table.path, code=code)


def document(table: Ledger, round_: int | str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(show(table, round_, "--json"))
    return found


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
    from station.game.rules import TableRules

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


# --- which round, and where -----------------------------------------------------------------


def test_the_last_round_is_shown_while_it_is_played(table: Ledger) -> None:
    last = document(table, "last")
    assert (last["round"], last["ended"]) == (OPEN, "open")
    assert [card["face"] for card in last["cards"]] == ["2S", "3S"]


def test_a_copy_tells_the_same(table: Ledger, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup(table.path, copy)
    for round_ in (3, 4, 5):
        told = run("round", "show", str(round_), "--lang", "en", "--journal", copy)
        assert told == show(table, round_, "--lang", "en")


@pytest.mark.parametrize("name", ["8", "0", "-1", "first", "9" * 30])
def test_a_round_there_is_not_is_refused_with_what_to_do(table: Ledger, name: str) -> None:
    said = run("round", "show", "--journal", table.path, "--", name, code=2)
    assert said.startswith("dealer-station: ")
    assert "round" in said
    assert said.count("\n") == 1


def test_a_round_of_the_sealed_journal_before_is_looked_for_there(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal(path)
    continued = f.JournalContinued(
        "T01", "test", "journal.db.sealed-X", 9, "h", 4, None, ("1", "2")
    )
    from station.journal import Stamp
    from station.telling import told

    journal.append((continued,), Stamp("2026-01-01T00:00:00.000000Z", 0, "b"), told)
    journal.close()
    said = run("round", "show", "3", "--journal", path, code=2)
    assert f"--journal {tmp_path / 'journal.db.sealed-X'}" in said


def test_a_round_of_the_file_before_a_rotation_is_looked_for_there(tmp_path: Path) -> None:
    from station.audit.rotation import rotate
    from station.clock import SystemClock

    table = Ledger(tmp_path / "journal.db").open_table()
    table.deal("5H TC 9D 6C 8S").act("stand", "stand")
    table.cards("8H")
    table.clear()
    table.close_file()
    closed = rotate(table.path, "2001", SystemClock()).closed
    table.journal = Journal(table.path)
    table.table = table.journal.load()
    table.deal("5S TH 9S 6H 8C").act("stand", "stand")
    table.cards("8D")
    assert [card["face"] for card in document(table, 2)["cards"]] == [
        *("5S", "TH", "9S", "6H", "8C", "8D")
    ]
    assert document(table, 2)["dealer"]["staff"] == "1001"
    assert f"--journal {closed}" in show(table, 1, code=2)
    before = json.loads(run("round", "show", "1", "--json", "--journal", closed))
    assert (before["round"], before["ended"]) == (1, "cleared")
    run("round", "export", "2", tmp_path / "r2.zip", "--journal", table.path)
    assert json.loads(run("round", "verify", tmp_path / "r2.zip", "--json"))["sealed"] is True
    run("round", "export", "1", tmp_path / "r1.zip", "--journal", closed)
    assert json.loads(run("round", "verify", tmp_path / "r1.zip", "--json"))["sealed"] is True


def test_an_empty_journal_has_no_last_round(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    Journal(path).close()
    assert "no round has been opened" in run("round", "show", "last", "--journal", path, code=2)


def test_a_damaged_journal_is_not_told_from(tmp_path: Path) -> None:
    import sqlite3

    table = eventful(tmp_path / "journal.db")
    table.close_file()
    with sqlite3.connect(table.path) as db:
        db.execute(
            'UPDATE facts SET body=replace(body, \'"rank":"8"\', \'"rank":"9"\') '
            "WHERE kind='CardDealt' AND round=1"
        )
    db.close()
    assert "does not fit the chain" in show(table, 1, code=2)


def test_the_round_is_told_the_same_from_a_checkpoint_and_from_the_first_fact(
    table: Ledger,
) -> None:
    with source.journal(table.path) as db:
        for round_ in (*SETTLED, *VOID):
            found = source.find(db, table.path, round_)
            _, at, _ = source.nearest(db, table.path, found.opened)
            assert at > 0
            folded, head = Table(), ""
            for row in rows(db):
                if row.seq == found.opened:
                    break
                folded, head = evolve(folded, row.fact), row.hash
            assert (folded, head) == (found.before, found.head)


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


# --- words ----------------------------------------------------------------------------------


def test_every_fact_of_the_rounds_has_words_in_both_languages(table: Ledger) -> None:
    with source.journal(table.path) as db:
        for round_ in (*SETTLED, *VOID, OPEN):
            found = source.find(db, table.path, round_)
            story = story_of(found.before, found.rows, found.later, round_, {})
            for moment in (*story.moments, *story.later):
                for lang in ("ko", "en"):
                    told = Speech(story, lang, 0).tell(moment)
                    assert told != plain(moment), moment
                    assert "{" not in told
                    assert "None" not in told


def test_both_languages_say_the_same_kinds_and_fill_the_same_blanks() -> None:
    tables = [value for name, value in vars(words).items() if name.isupper()]
    found = 0
    for table_ in tables:
        pairs = table_.values() if isinstance(table_, dict) else [table_]
        for ko, en in pairs:
            found += 1
            assert sorted(re.findall(r"{(\w+)}", ko)) == sorted(re.findall(r"{(\w+)}", en)), (
                ko,
                en,
            )
    assert found > 150


def test_every_kind_of_fact_and_every_incident_has_words() -> None:
    kinds = {kind.__name__ for kind in get_args(f.AnyFact)}
    assert kinds - set(words.FACTS) == set()
    assert set(INCIDENTS) - set(words.VOIDS) == set()


def test_a_fact_without_words_of_its_own_is_told_by_its_fields(table: Ledger) -> None:
    from station.records.story import Moment

    fact = f.CallAnswered("2001")
    assert plain(Moment(1, "", None, "CallAnswered", fact)) == "CallAnswered by=2001"


def test_amounts_have_the_digits_of_the_tables_file(table: Ledger, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(
        '[table]\nid = "T01"\nkind = "test"\nminor_digits = 2\n\n'
        f'[journal]\npath = "{table.path}"\n'
    )
    text = run("round", "show", "1", "--lang", "en", "--config", config)
    assert "P1 · 20.00 → 40.00" in text


# --- the list -------------------------------------------------------------------------------


def test_the_list_has_a_line_a_round_with_how_it_ended(table: Ledger) -> None:
    lines = run("round", "list", "--lang", "en", "--journal", table.path).splitlines()
    assert len(lines) == OPEN
    assert [int(line.split()[0]) for line in lines] == list(range(1, OPEN + 1))
    assert "dealer A♠ 6♦ 17" in lines[0]
    assert "MARKED: dealt from a short shoe" in lines[0]
    assert "VOID" in lines[2]
    assert "VOID (game host lost)" in lines[3]
    assert "VOID (same card twice)" in lines[5]
    assert "RUNNING" in lines[-1]


def test_the_list_can_be_of_the_last_rounds_alone(table: Ledger) -> None:
    whole = json.loads(run("round", "list", "--last", "0", "--json", "--journal", table.path))
    two = json.loads(run("round", "list", "--last", "2", "--json", "--journal", table.path))
    assert two["rounds"] == whole["rounds"][-2:]
    assert [one["dealer"] for one in whole["rounds"]] == ["1001"] * OPEN
    assert [one["sealed"] for one in whole["rounds"]] == [True] * (OPEN - 1) + [False]
    assert whole["rounds"][0]["seats"] == [1, 3]


def test_a_journal_without_seals_says_so(tmp_path: Path) -> None:
    table = eventful(tmp_path / "journal.db", sealed=False)
    assert "sealed: not sealed" in show(table, 1, "--lang", "en")
    assert "봉인: 봉인 없음" in show(table, 1)


def test_a_seal_that_does_not_fit_is_told(tmp_path: Path) -> None:
    import sqlite3

    table = eventful(tmp_path / "journal.db")
    table.close_file()
    with sqlite3.connect(table.path) as db:
        db.execute("UPDATE seals SET signature='00' || substr(signature, 3)")
    db.close()
    assert "✗ the seal at fact" in show(table, 1, "--lang", "en")


def test_a_language_there_is_not_is_refused(table: Ledger) -> None:
    assert "ko or en" in show(table, 1, "--lang", "fr", code=2)


def test_showing_a_round_writes_nothing(table: Ledger) -> None:
    before = sorted((file.name, file.stat().st_mtime_ns) for file in table.path.parent.iterdir())
    for command in (("show", "1"), ("list",)):
        run("round", *command, "--journal", table.path)
    after = sorted((file.name, file.stat().st_mtime_ns) for file in table.path.parent.iterdir())
    # SQLite's own index of the log is shared memory that readers mark.
    assert [one for one in after if "-shm" not in one[0]] == [
        one for one in before if "-shm" not in one[0]
    ]
