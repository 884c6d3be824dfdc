"""`device trend`: the file of a reader's health, and the advice that is read from it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from station.cli import app
from station.cli_trend import Trend, TrendError, advice, document, load, show, summed
from station.readers import TrendLine, Worn, append, trend_file


def line(day: int = 1, **fields: object) -> TrendLine:
    at = {"utc": f"2026-05-{day:02}T10:00:00.000000Z", "device": "shoe", "why": "hour"}
    return TrendLine(**{**at, **fields})  # type: ignore[arg-type]


def worn(face: str, deck: int, misses: int) -> Worn:
    return Worn(face, deck, "A", misses)


def test_a_dirty_window_is_over_three_percent_of_the_last_200_cards() -> None:
    assert advice([line(cards=200, no_reads=4, repeats=2)]) == []
    (said,) = advice([line(cards=200, no_reads=4, repeats=3)])
    assert said.startswith("clean the window: 7 failed or repeated reads in 200 cards (3.5%")


def test_only_the_newest_cards_count_for_the_window() -> None:
    dirty, clean = line(1, cards=200, no_reads=50), line(2, cards=100)
    assert advice([dirty, clean, clean]) == []
    assert len(advice([clean, clean, dirty])) == 1


def test_too_few_cards_say_nothing_of_the_window() -> None:
    assert advice([line(cards=20, no_reads=5)]) == []


def test_a_card_missed_three_times_while_others_were_not_is_replaced() -> None:
    one = worn("KD", 3, 3)
    assert advice([line(cards=416, worn=(one, worn("2S", 1, 2)))]) == [
        "replace K♦ of deck 3: it was missed 3 times and others were not"
    ]
    assert advice([line(cards=416, worn=(worn("KD", 3, 2),))]) == []


def test_many_cards_missed_are_the_readers_fault() -> None:
    cards = tuple(worn("KD", deck, 3) for deck in range(1, 7))
    (said,) = advice([line(cards=416, worn=cards)])
    assert said.startswith("6 different cards")
    assert "reader, not the cards" in said


def test_misses_count_on_within_a_run_and_are_added_over_runs() -> None:
    run = [line(cards=416, worn=(worn("KD", 3, 1),)), line(cards=416, worn=(worn("KD", 3, 2),))]
    assert advice(run) == []
    stopped = line(why="stopped", cards=0, worn=(worn("KD", 3, 2),))
    (said,) = advice([*run, stopped, line(2, cards=416, worn=(worn("KD", 3, 2),))])
    assert "missed 4 times" in said
    killed = [*run, line(2, cards=416, worn=(worn("KD", 3, 1),))]
    assert "missed 3 times" in advice(killed)[0]


def test_misses_of_long_ago_are_forgotten() -> None:
    old = line(1, why="stopped", cards=416, worn=(worn("KD", 3, 9),))
    days = [line(day, cards=416) for day in range(2, 32)]
    assert len(advice([old, *days[:10]])) == 1
    assert advice([old, *days]) == []


def test_lines_add_up_and_the_worst_stays_the_worst() -> None:
    total = summed(
        [
            line(cards=10, no_reads=1, p50_us=50, p99_us=200, worst_us=300),
            line(cards=30, repeats=1, p50_us=100, p99_us=100, worst_us=900),
        ]
    )
    assert (total.cards, total.rate, total.p99_us, total.worst_us) == (40, 0.05, 200, 900)


def test_a_torn_and_a_foreign_line_are_left_out_and_numbered(tmp_path: Path) -> None:
    path = trend_file(tmp_path / "journal.db")
    append(path, [line(cards=5)])
    with path.open("ab") as file:
        file.write(b'not json\n{"utc":"2026-05-01')
    trend = load(path)
    assert (trend.intervals, trend.unread) == ((line(cards=5),), (2, 3))


def test_without_a_file_or_a_line_it_says_who_writes_it(tmp_path: Path) -> None:
    with pytest.raises(TrendError, match="a running table writes it"):
        load(tmp_path / "x")
    (tmp_path / "x").write_text("\n")
    with pytest.raises(TrendError, match="no line of a reader"):
        load(tmp_path / "x")


def test_the_table_shows_days_rates_and_advice() -> None:
    text = io.StringIO()
    lines = (line(1, cards=300), line(2, cards=200, no_reads=20, worst_us=777))
    show(Path("x"), Trend(lines, (7,)), Console(file=text, width=120))
    said = text.getvalue()
    for part in ("2026-05-01", "2026-05-02", "10.0% █", "777", "clean the window", "line 7"):
        assert part in said


def test_the_table_is_whole_in_a_terminal_of_80_columns() -> None:
    text = io.StringIO()
    lines = (line(1, cards=99_999, resent=999, repeats=999, worst_us=999_999, p99_us=500_000),)
    show(Path("x"), Trend(lines), Console(file=text, width=80))
    said = text.getvalue()
    assert "…" not in said
    for part in ("2026-05-01", "99999", "999999", "500000", "1.0%"):
        assert part in said


def test_the_command_reads_the_file_beside_the_journal(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[table]\nid = "T01"\n')
    ask = ["device", "trend", "--config", str(config), "--json"]
    missing = CliRunner().invoke(app, ask)
    assert (missing.exit_code, json.loads(missing.stdout)["ok"]) == (2, False)
    append(trend_file(tmp_path / "journal.db"), [line(cards=200, no_reads=20)])
    done = CliRunner().invoke(app, ask)
    (device,) = json.loads(done.stdout)["devices"]
    assert (device["device"], device["last"]["rate"]) == ("shoe", 0.1)
    assert device["advice"][0].startswith("clean the window")
    assert device == document(Path("x"), load(trend_file(tmp_path / "journal.db")))["devices"][0]


def test_a_line_that_a_full_disk_tore_spoils_itself_alone(tmp_path: Path) -> None:
    file = tmp_path / "journal.db.readers.jsonl"
    append(file, [line(1, cards=10)])
    with file.open("ab") as torn:
        torn.write(b'{"utc":"2026-05-')
    append(file, [line(2, cards=20)])
    texts = file.read_text().splitlines()
    assert len(texts) == 3
    assert [json.loads(texts[0])["cards"], json.loads(texts[2])["cards"]] == [10, 20]
