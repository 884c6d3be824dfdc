"""Which round is meant, where it is found, in which words it is told; `round list`."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import get_args

import pytest

from station.audit.rotation import rotate
from station.cli_journal import backup
from station.clock import SystemClock
from station.game.incidents import INCIDENTS
from station.journal import Journal, Stamp, rows
from station.records import source, words
from station.records.parcel import story_of
from station.records.story import Moment
from station.records.telling import Speech, plain
from station.table import facts as f
from station.table.evolve import evolve
from station.table.state import Table
from station.telling import told
from tests.support.eventful import OPEN, SETTLED, VOID, eventful
from tests.support.exported import document, run, show
from tests.support.ledger import Ledger


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return eventful(tmp_path_factory.mktemp("records") / "journal.db")


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
    journal.append((continued,), Stamp("2026-01-01T00:00:00.000000Z", 0, "b"), told)
    journal.close()
    said = run("round", "show", "3", "--journal", path, code=2)
    assert f"--journal {tmp_path / 'journal.db.sealed-X'}" in said


def test_a_round_of_the_file_before_a_rotation_is_looked_for_there(tmp_path: Path) -> None:
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
    listed = json.loads(run("round", "list", "--json", "--journal", table.path))["rounds"]
    assert [(one["round"], one["dealer"]) for one in listed] == [(2, "1001")]
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
