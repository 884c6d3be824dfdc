"""`dealer-station stats`: figures of play, each a count over the facts, in one pass."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from station.cli import app
from station.game import commands as c
from station.game import facts as g
from station.game.rules import TableRules
from station.journal import Journal, Stamp, rows
from station.records import source
from station.records.figures import stamp_of
from station.records.stats import Figures, Lengths, statistics
from station.simulation.run import Settings, Simulation
from station.table import facts as f
from station.table import inputs as i
from station.table.facts import Person
from station.telling import nobody_told
from tests.support.dice import LONG
from tests.support.eventful import OPEN, SETTLED, VOID, eventful
from tests.support.ledger import Ledger
from tests.support.play import CONSOLE, DEALER, PIT

RELIEF = Person("1002", "박서준", "dealer")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return eventful(tmp_path_factory.mktemp("records") / "journal.db")


def run(*words: str | Path, code: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == code, done.output
    return done.output


def of(table: Ledger, by: Any = "table", since: str = "", until: str = "") -> dict[str, Figures]:
    with source.journal(table.path) as db:
        return statistics(db, table.path, by, since, until).groups()


# --- the figures ----------------------------------------------------------------------------


def test_the_figures_of_a_day_are_what_its_facts_count(table: Ledger) -> None:
    (one,) = of(table).values()
    facts = [row.fact for row in rows(table.journal.db)]
    dealt = [fact for fact in facts if isinstance(fact, g.CardDealt)]
    assert (one.rounds, one.settled, one.empty) == (OPEN, len(SETTLED), 0)
    assert one.void == {"duplicate_card": 1, "exposed_card": 1, "host_lost": 1}
    assert sum(one.void.values()) == len(VOID)
    assert one.cards == len(dealt)
    assert one.exposed == {"betting_open": 1, "decision_open": 1}
    assert (one.no_reads, one.owed, one.read_again) == ({"damaged": 1}, 1, 1)
    assert one.rulings == {
        "duplicate_card void": 1,
        "exposed_card burn": 1,
        "exposed_card void": 1,
    }
    assert one.refused == {"supervisor_only": 1}
    assert one.hands == 3 + 2 + 2
    assert one.repeats == 1


def test_holds_are_counted_by_code_with_how_long_they_lasted(table: Ledger) -> None:
    (one,) = of(table).values()
    step = table.step_ms
    assert one.holds["exposed_card"].began == one.holds["exposed_card"].ended == 2
    assert one.holds["exposed_card"].median_ms == step
    assert one.holds["exposed_card"].longest_ms == 20_000 + 3 * step
    assert one.holds["duplicate_card"].longest_ms == step


def test_a_hold_ends_also_by_the_void_of_a_person_and_one_that_lasts_has_no_end_yet(
    tmp_path: Path,
) -> None:
    table = Ledger(tmp_path / "journal.db").open_table()
    table.bet((1,)).close()
    table.must(CONSOLE, i.ReportError("other"))
    table.wait(5_000)
    table.must(PIT, i.VoidRound(table.number, "misdeal", table.table.version))
    table.must(CONSOLE, i.Wait())
    (one,) = of(table).values()
    assert (one.holds["dealer_report"].ended, one.holds["dealer_report"].longest_ms) == (1, 5_700)
    assert (one.holds["wait"].began, one.holds["wait"].ended) == (1, 0)


def test_a_hold_across_a_boot_is_measured_by_utc(tmp_path: Path) -> None:
    table = Ledger(tmp_path / "journal.db").open_table()
    table.must(CONSOLE, i.Wait())
    table.boot = "boot-2"
    table.wait(60_000)
    table.must(CONSOLE, i.Resume(table.table.holds[0].hold))
    (one,) = of(table).values()
    assert one.holds["wait"].longest_ms == 60_700


def test_wrong_pins_are_counted(tmp_path: Path) -> None:
    table = Ledger(tmp_path / "journal.db").open_table()
    for _ in range(3):
        table.say(PIT, i.LogIn("2002", None))
    (one,) = of(table).values()
    assert one.wrong_pins == 3


def test_no_reads_that_were_never_read_are_not_read_again(tmp_path: Path) -> None:
    table = Ledger(tmp_path / "journal.db").open_table()
    table.bet((1,)).close()
    for _ in range(3):
        table.give(i.ReadMissed("shoe", "damaged", "", "", True))
    table.must(PIT, i.Rule(table.table.holds[0].hold, "void", "", None))
    (one,) = of(table).values()
    assert (one.owed, one.read_again) == (3, 0)
    assert one.holds["unreadable_card"].began == 1


# --- whose they are -------------------------------------------------------------------------


def two_dealers(path: Path) -> Ledger:
    table = Ledger(path).open_table()
    table.deal("5H TC 9D 6C 8S").act("stand", "stand")
    table.cards("8H")
    table.clear()
    table.must(CONSOLE, i.LogOut(DEALER.staff))
    table.wait(1_000_000)
    table.must(CONSOLE, i.LogIn(RELIEF.staff, RELIEF))
    table.bet((1, 3))
    table.card("QS")
    table.must(PIT, i.Rule(table.table.holds[0].hold, "burn", "", None))
    table.close()
    table.say(CONSOLE, c.Cleared(table.number))
    table.cards("5S TH 9S 6H 8D")
    table.act("stand", "stand")
    table.cards("8C")
    table.clear()
    return table


def test_rounds_and_errors_belong_to_the_dealer_who_had_the_table(tmp_path: Path) -> None:
    groups = of(two_dealers(tmp_path / "journal.db"), "dealer")
    first, relief = groups["1001"], groups["1002"]
    assert (first.rounds, first.settled, first.exposed, first.refused) == (1, 1, {}, {})
    assert (relief.rounds, relief.settled) == (1, 1)
    assert relief.exposed == {"betting_open": 1}
    assert relief.refused == {"not_settled": 1}
    assert relief.holds["exposed_card"].began == 1
    assert first.cards == relief.cards == 6


def test_only_time_with_a_dealer_and_a_shoe_in_play_counts_for_hands_an_hour(
    tmp_path: Path,
) -> None:
    table = two_dealers(tmp_path / "journal.db")
    groups = of(table, "dealer")
    (whole,) = of(table).values()
    assert groups["1001"].played_ms + groups["1002"].played_ms == whole.played_ms
    assert whole.played_ms < 60_000
    assert whole.hands_an_hour == round(whole.hands * 3_600_000 / whole.played_ms, 1)
    assert whole.rounds_an_hour == pytest.approx(whole.hands_an_hour / 2, abs=0.1)


def test_by_shoe_each_has_its_own_rounds(table: Ledger) -> None:
    groups = of(table, "shoe")
    assert {shoe: one.rounds for shoe, one in groups.items() if one.rounds} == {
        "S1": 3,
        "S2": 1,
        "S3": 2,
        "S4": 1,
    }


def test_all_groupings_count_the_same(table: Ledger) -> None:
    (whole,) = of(table).values()
    for by in ("dealer", "shoe"):
        groups = of(table, by).values()
        for name in ("rounds", "settled", "cards", "hands", "repeats", "wrong_pins", "read_again"):
            assert sum(getattr(one, name) for one in groups) == getattr(whole, name), (by, name)
        for name in ("void", "exposed", "no_reads", "rulings", "refused", "faces"):
            sums: Counter[str] = Counter()
            for one in groups:
                sums.update(getattr(one, name))
            assert dict(sums) == dict(getattr(whole, name)), (by, name)


# --- cards ----------------------------------------------------------------------------------


def test_faces_are_told_of_shoes_that_are_out_and_of_none_in_play(table: Ledger) -> None:
    (whole,) = of(table).values()
    dealt: Counter[str] = Counter()
    for row in rows(table.journal.db):
        fact = row.fact
        if isinstance(fact, g.CardDealt) and fact.round != OPEN:
            dealt[fact.card.face] += 1
    assert whole.faces == dict(dealt)
    assert whole.finished_shoes == 3
    in_play = of(table, "shoe")["S4"]
    assert (in_play.cards, in_play.faces, in_play.finished_shoes) == (2, {}, 0)
    for words in ((), ("--csv",), ("--json",)):
        text = run("stats", "--by", "shoe", *words, "--journal", table.path)
        assert "S4" in text
        assert "2S" not in text.split("S4")[1]
        assert "2♠" not in text.split("S4")[1]


# --- since, until ---------------------------------------------------------------------------


def test_figures_of_a_time_are_those_of_its_facts_also_from_a_checkpoint_on(
    table: Ledger,
) -> None:
    opened = {row.round: row.utc for row in rows(table.journal.db) if row.kind == "RoundOpened"}
    for first in range(1, OPEN):
        for until in range(first + 1, OPEN + 1):
            groups = of(table, "table", opened[first], opened[until])
            (one,) = groups.values()
            assert one.rounds == until - first
            inside = set(range(first, until))
            assert one.settled == len(inside & set(SETTLED))
            assert sum(one.void.values()) == len(inside & set(VOID))
    assert of(table, "table", "2030-01-01") == {}


@pytest.mark.parametrize(
    ("text", "stamp"),
    [
        ("2026-03-01", "2026-03-01T00:00:00.000000Z"),
        ("2026-03-01T18:30", "2026-03-01T18:30:00.000000Z"),
        ("2026-03-01T18:30:00+09:00", "2026-03-01T09:30:00.000000Z"),
    ],
)
def test_dates_are_utc_unless_they_say_otherwise(text: str, stamp: str) -> None:
    assert stamp_of(text) == stamp


@pytest.mark.parametrize(
    "words",
    [
        ("--by", "seat"),
        ("--since", "yesterday"),
        ("--until", "2026-13-01"),
        ("--since", "2026-03-02", "--until", "2026-03-01"),
        ("--csv", "--json"),
    ],
)
def test_what_cannot_be_meant_is_refused(table: Ledger, words: tuple[str, ...]) -> None:
    said = run("stats", *words, "--journal", table.path, code=2)
    assert "dealer-station: --" in said


# --- how it is told -------------------------------------------------------------------------


def test_the_document_has_every_group_and_the_time_it_took(table: Ledger) -> None:
    document = json.loads(run("stats", "--json", "--by", "dealer", "--journal", table.path))
    assert document["ok"] is True
    assert document["facts"] == table.journal.seq
    assert document["seconds"] >= 0
    assert [one["dealer"] for one in document["groups"] if one["rounds"]] == ["1001"]


def test_csv_has_one_figure_a_line_and_no_formula(tmp_path: Path) -> None:
    table = Ledger(tmp_path / "journal.db").open_table()
    table.new_shoe("=HYPERLINK(1)")
    table.deal("5H TC 9D 6C 8S").act("stand", "stand")
    text = run("stats", "--csv", "--by", "shoe", "--journal", table.path)
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == ["shoe", "figure", "code", "value"]
    assert all(len(line) == 4 for line in lines)
    assert ["'=HYPERLINK(1)", "cards", "", "5"] in lines
    assert not [line for line in lines if line[0].startswith("=")]


def test_people_read_it_too(table: Ledger) -> None:
    text = run("stats", "--journal", table.path)
    assert "table T01" in text
    assert f"{OPEN}: {len(SETTLED)} settled, {len(VOID)} void, 0 without a bet" in text
    assert "exposed_card 2: median 0.7 s, longest 22.1 s" in text


def test_a_damaged_journal_gives_no_figures(tmp_path: Path) -> None:
    import sqlite3

    table = eventful(tmp_path / "journal.db")
    table.close_file()
    with sqlite3.connect(table.path) as db:
        db.execute("DELETE FROM facts WHERE seq=50")
    db.close()
    said = run("stats", "--journal", table.path, code=2)
    assert "does not fit the chain" in said


# --- how much -------------------------------------------------------------------------------


def test_the_median_is_exact_up_to_a_second_and_to_one_part_in_a_thousand_beyond() -> None:
    lengths = Lengths()
    assert (lengths.median, lengths.longest) == (0, 0)
    for ms in (5, 700, 3, 900, 1):
        lengths.add(ms)
    assert (lengths.count, lengths.median, lengths.longest) == (5, 5, 900)
    long = Lengths()
    for ms in range(1, 10_000_001, 997):
        long.add(ms)
    assert long.median == pytest.approx(5_000_000, rel=0.002)
    assert len(long._counts) < 15_000


def day(path: Path, rounds: int) -> Counter[str]:
    """A journal of so many rounds of three seats that play by chance; its facts by kind."""
    simulation = Simulation(Settings(seed=4, strategy="random", seats=3), TableRules())
    facts: list[f.AnyFact] = [
        f.StationStarted("T01", "test", "0", ()),
        f.DealerTookTable(DEALER),
    ]
    add = simulation._add

    def kept(fact: g.AnyGameFact) -> None:
        facts.append(fact)
        add(fact)

    simulation._add = kept  # type: ignore[method-assign]
    for _ in range(rounds):
        simulation.play()
    journal = Journal(path)
    for at in range(0, len(facts), 500):
        utc = f"2026-03-01T{at // 500 // 60:02}:{at // 500 % 60:02}:00.000000Z"
        stamp = Stamp(utc, at * 120_000_000, "boot")
        journal.append(tuple(facts[at : at + 500]), stamp, nobody_told)
    journal.close()
    return Counter(type(fact).__name__ for fact in facts)


def test_a_thousand_rounds_take_one_pass_and_hardly_any_memory(tmp_path: Path) -> None:
    """What is kept is the table and the sums, whatever was played."""
    path, rounds = tmp_path / "journal.db", 1000 * LONG
    kinds = day(path, rounds)
    tracemalloc.start()
    with source.journal(path) as db:
        (one,) = statistics(db, path, "table").groups().values()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (one.rounds, one.settled) == (rounds, kinds["RoundSettled"])
    assert one.cards == kinds["CardDealt"]
    assert one.finished_shoes == kinds["ShoeOut"]
    assert 0 < sum(one.faces.values()) < one.cards
    assert path.stat().st_size > 10 * 2**20
    assert peak < 2**20
