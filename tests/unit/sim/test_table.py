"""A whole test table, with the real station."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hw_sim.ledger import Ledger
from hw_sim.sockets import SocketError
from hw_sim.summary import summary
from hw_sim.table_config import KEPT, TableDir, TableError, config_text, fresh_dir
from tests.unit.sim.conftest import Until

FAST = ("--pace", "fast", "--no-console", "--lang", "en")


def command(place: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "hw_sim.cli", "table", "--dir", str(place), *FAST, *options]


def play(place: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(place, *options), capture_output=True, text=True, timeout=90, check=False
    )


@pytest.fixture
def table(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A table that goes on until it is ended, in `tmp_path/t`."""
    with (tmp_path / "said").open("w") as out:
        process = subprocess.Popen(
            command(tmp_path / "t", "--seed", "5"), stdout=out, stderr=out, text=True
        )
    yield process
    process.kill()
    process.wait(10)


def facts(place: Path) -> list[Any]:
    with contextlib.closing(sqlite3.connect(place / "journal.db")) as journal:
        return journal.execute("SELECT kind, body FROM facts ORDER BY seq").fetchall()


def processes_of(place: Path) -> list[str]:
    """Command lines of processes that name the table's directory."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            if str(place) in line and "pytest" not in line:
                found.append(line)
    return found


def child_of(parent: int, command_name: str) -> int:
    """The process of that command that the table has started; 0 when there is none."""
    word = f"\0{command_name}\0".encode()
    for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        with contextlib.suppress(OSError):
            if word in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
    return 0


def nothing_left(place: Path) -> bool:
    left = [name for name in ("table.sock", "shoe.sock", "shoe.link") if (place / name).exists()]
    return not left and not (place / "shoe.link").is_symlink() and not processes_of(place)


def test_a_seed_gives_the_same_facts_errors_and_all(tmp_path: Path) -> None:
    runs = [
        play(tmp_path / name, "--seed", "11", "--rounds", "4", "--errors", "0.15")
        for name in ("a", "b")
    ]
    for run in runs:
        assert (run.returncode, run.stderr) == (0, "")
        assert run.stdout.startswith("seed 11\n")
    said = [[line for line in run.stdout.splitlines() if tmp_path.name not in line] for run in runs]
    assert said[0] == said[1]
    assert "Round 4" in said[0]
    assert facts(tmp_path / "a") == facts(tmp_path / "b")
    assert nothing_left(tmp_path / "a")


def test_every_card_that_left_the_shoe_is_in_the_journal_and_the_books_agree(
    tmp_path: Path,
) -> None:
    run = play(tmp_path / "t", "--seed", "3", "--rounds", "3")
    assert run.returncode == 0
    told = facts(tmp_path / "t")
    dealt = [json.loads(body)["card"] for kind, body in told if kind == "CardDealt"]
    log = (tmp_path / "t" / "shoe-truth.jsonl").read_text()
    truth = [json.loads(line) for line in log.splitlines()]
    drawn = [(entry["face"], entry["deck"]) for entry in truth if "position" in entry]
    assert [(card["rank"] + card["suit"], card["deck"]) for card in dealt] == drawn
    books = json.loads((tmp_path / "t" / "players-ledger.json").read_text())
    ends = [json.loads(body) for kind, body in told if kind == "RoundSettled"]
    assert books["returned"] == sum(line["returned"] for end in ends for line in end["lines"])
    assert (books["settled"], books["open"], books["disputes"]) == (3, {}, [])
    assert f"rounds 3, void 0, cards {len(drawn)}" in run.stdout


def test_random_players_are_the_seeds_alone_through_shoe_changes(tmp_path: Path) -> None:
    """Silence, losses and all; each shoe that goes out is counted and whole (R2)."""
    options = ("--seed", "3", "--rounds", "2", "--strategy", "random", "--cut", "12")
    for name in ("a", "b"):
        run = play(tmp_path / name, *options)
        assert (run.returncode, run.stderr) == (0, "")
    told = facts(tmp_path / "a")
    assert told == facts(tmp_path / "b")
    counts = [json.loads(body) for kind, body in told if kind == "ShoeReconciled"]
    shoes = [json.loads(body)["shoe"] for kind, body in told if kind == "ShoeLoaded"]
    assert [count["shoe"] for count in counts] == shoes[:-1] != []
    assert {count["gone"] + count["remaining"] for count in counts} == {416}
    assert "RoundsMarked" not in [kind for kind, _ in told]
    books = Ledger.load(TableDir(tmp_path / "a").ledger)
    assert (books.settled, books.open, books.disputes) == (2, {}, [])


def test_at_a_table_with_chairs_the_dealer_plays_it_all(tmp_path: Path) -> None:
    run = play(tmp_path / "t", "--seed", "3", "--rounds", "2", "--host", "chairs")
    assert (run.returncode, run.stderr) == (0, "")
    told = facts(tmp_path / "t")
    players = {json.loads(body)["player"] for kind, body in told if kind == "SeatTaken"}
    assert players == {"chair-1", "chair-3", "chair-5"}
    assert [kind for kind, _ in told].count("RoundCleared") == 2
    assert "rounds 2, void 0" in run.stdout
    assert nothing_left(tmp_path / "t")


@pytest.mark.parametrize(("is_", "wanted"), [("link", "chairs"), ("chairs", "link")])
def test_a_table_of_another_host_is_refused_before_anything_is_started(
    tmp_path: Path, is_: str, wanted: str
) -> None:
    """A file that is there is not changed: it says what the table is, and its journal grows by
    nothing.
    """
    place = TableDir(tmp_path / "t")
    place.open(config_text(is_))
    place.close()
    run = play(place.path, "--seed", "3", "--rounds", "1", "--host", wanted)
    assert run.returncode == 1
    assert f"says host = {is_}, not {wanted}" in run.stderr
    assert list(place.logs.iterdir()) == []
    assert not place.journal.exists()
    assert nothing_left(place.path)


def test_a_file_that_is_none_is_left_for_the_station_to_name(tmp_path: Path) -> None:
    place = TableDir(tmp_path / "t")
    for text in ("[table", "table = 3", ""):
        place.open("# none")
        place.config.write_text(text)
        assert place.host() == ""
        place.close()
    place.config.write_text('[table]\nid = "T"')
    assert place.host() == "link"


def test_same_directory_goes_on_with_a_new_shoe(tmp_path: Path) -> None:
    runs = [play(tmp_path / "t", "--seed", "3", "--rounds", "1") for _ in range(2)]
    assert [(run.returncode, run.stderr) for run in runs] == [(0, "")] * 2
    # The last card of the first run is not told again.
    assert not [line for line in runs[1].stdout.partition("Round 2")[0].splitlines() if "→" in line]
    assert "Round 2" in runs[1].stdout
    kinds = [kind for kind, _ in facts(tmp_path / "t")]
    assert kinds.count("ShoeLoaded") == 2
    assert kinds.count("RoundSettled") == 2
    assert "RoundVoided" not in kinds


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ended_by_a_signal_leaves_nothing(
    table: subprocess.Popen[str], tmp_path: Path, until: Until, number: signal.Signals
) -> None:
    until(lambda: "Round 1" in (tmp_path / "said").read_text())
    table.send_signal(number)
    assert table.wait(20) == 0
    assert nothing_left(tmp_path / "t")
    assert "money in" in (tmp_path / "said").read_text()


def test_ended_in_mid_round_the_summary_and_the_books_are_what_the_journal_says(
    tmp_path: Path, until: Until
) -> None:
    options = ["real" if part == "fast" else part for part in command(tmp_path / "t")]
    with (tmp_path / "said").open("w") as out:
        process = subprocess.Popen(options, stdout=out, stderr=out, text=True)
    try:
        until(lambda: "Round 1" in (tmp_path / "said").read_text())
        until(lambda: "→ seat 1" in (tmp_path / "said").read_text())
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait(10)
    (void,) = [json.loads(body) for kind, body in facts(tmp_path / "t") if kind == "RoundVoided"]
    returned = sum(line["returned"] for line in void["lines"])
    books = json.loads((tmp_path / "t" / "players-ledger.json").read_text())
    assert (books["void"], books["settled"], books["open"]) == (1, 0, {})
    assert books["placed"] == books["returned"] == returned > 0
    said = (tmp_path / "said").read_text()
    assert "rounds 0, void 1, cards " in said
    assert f"money in {returned:,} KRW, out {returned:,} KRW" in said


def test_a_round_left_in_betting_is_said_to_be_open(tmp_path: Path) -> None:
    place = TableDir(tmp_path)
    bet = {"round": 1, "bet": 1, "player": "kim", "amount": 2000}
    books = Ledger()
    books.take({"seq": 5, "kind": "BetPlaced", "body": bet})
    books.save(place.ledger)
    said = summary(place, Ledger(), 0, {"table": {"currency": "KRW"}}, "en")
    assert "round 1 is still open, 2,000 KRW at stake" in said


def test_the_commands_at_the_end_work_as_they_stand(tmp_path: Path) -> None:
    run = play(tmp_path / "t", "--seed", "3", "--rounds", "1")
    said = [line for line in run.stdout.splitlines() if "dealer-station" in line]
    assert len(said) == 2
    for line in said:
        done = subprocess.run(
            line.removeprefix("look further").split(), capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert "RoundSettled" in done.stdout or "rounds" in done.stdout


def test_killed_table_leaves_no_process(
    table: subprocess.Popen[str], tmp_path: Path, until: Until
) -> None:
    until(lambda: "Round 1" in (tmp_path / "said").read_text())
    table.kill()
    table.wait(10)
    until(lambda: nothing_left(tmp_path / "t"))


def test_part_that_dies_is_named_and_ends_the_table(
    table: subprocess.Popen[str], tmp_path: Path, until: Until
) -> None:
    until(lambda: "Round 1" in (tmp_path / "said").read_text())
    os.kill(child_of(table.pid, "dealer"), signal.SIGKILL)
    assert table.wait(20) == 1
    assert "hw-sim: dealer was killed by SIGKILL" in (tmp_path / "said").read_text()
    assert nothing_left(tmp_path / "t")


def test_crashed_console_is_started_again(tmp_path: Path, until: Until) -> None:
    options = [part for part in command(tmp_path / "t") if part != "--no-console"]
    environment = {k: v for k, v in os.environ.items() if not k.endswith("DISPLAY")}
    with (tmp_path / "said").open("w") as out:
        process = subprocess.Popen(options, stdout=out, stderr=out, env=environment)
    try:
        until(lambda: child_of(process.pid, "console"))
        first = child_of(process.pid, "console")
        os.kill(first, signal.SIGKILL)
        until(lambda: child_of(process.pid, "console") not in (0, first))
        until(lambda: "Round 1" in (tmp_path / "said").read_text())
        assert "console was killed by SIGKILL" in (tmp_path / "said").read_text()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait(10)
    assert nothing_left(tmp_path / "t")


def test_directory_of_a_running_table_is_refused(tmp_path: Path) -> None:
    first = TableDir(tmp_path / "t")
    first.open()
    assert first.in_use()
    with pytest.raises(TableError, match="a test table runs here already"):
        TableDir(tmp_path / "t").open()
    first.close()
    assert not first.in_use()


def test_own_settings_of_a_directory_are_kept(tmp_path: Path) -> None:
    place = TableDir(tmp_path)
    place.config.write_text("# mine\n")
    place.open()
    place.close()
    assert place.config.read_text() == "# mine\n"


def test_fresh_directories_are_numbered_and_the_last_few_kept(tmp_path: Path) -> None:
    (tmp_path / "0001").mkdir()
    (tmp_path / "notes").mkdir()
    running = fresh_dir(tmp_path)
    running.open()
    place = running
    for _ in range(KEPT + 2):
        place = fresh_dir(tmp_path)
        place.open()
        place.close()
    names = sorted(entry.name for entry in tmp_path.iterdir())
    # Neither a running table's, nor one that was never a table, nor anything else is taken away.
    tables = ["0001", "0002", "0005", "0006", "0007", "0008", "0009"]
    assert names == [*tables, "latest", "notes"]
    assert (tmp_path / "latest").resolve() == place.path
    running.close()


def test_directory_too_long_for_a_socket_is_named(tmp_path: Path) -> None:
    with pytest.raises(SocketError, match="choose a shorter directory"):
        TableDir(tmp_path / ("x" * 120)).open()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--lang", "de"], "ko or en"),
        (["--pace", "slow"], "real or fast"),
        (["--seats", "1,9"], "numbers from 1 to 7"),
        (["--strategy", "clever"], "basic, random or absent"),
        (["--host", "both"], "link or chairs"),
    ],
)
def test_bad_options_are_named(tmp_path: Path, options: list[str], message: str) -> None:
    run = play(tmp_path / "t", *options)
    assert run.returncode == 2
    assert message in run.stderr
    assert not (tmp_path / "t").exists()
