"""The journal: chained, verified, locked; damage is named and never played on."""

from __future__ import annotations

import json
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from station import cli_journal
from station.config import Config, ConfigError, load_config
from station.daemon import Daemon
from station.game import facts as g
from station.game.rules import TableRules, fingerprint
from station.journal import (
    GENESIS,
    Journal,
    JournalBusy,
    JournalDamaged,
    JournalError,
    Row,
    Stamp,
    chained,
    load,
    open_reader,
    row_hash,
    rows,
    state_digest,
    verify,
)
from station.table import facts as f
from station.table.evolve import fold
from station.table.state import Table
from station.telling import told
from station.upcast import FACT_VERSION
from tests.support.play import Play

STAMP = Stamp("2026-01-01T00:00:00.000000Z", 7, "boot")


def played() -> Play:
    play = Play().open_table().deal("5H TC 9D 6C 8S").act("stand", "stand")
    play.cards("8H")
    play.clear()
    return play


@pytest.fixture(scope="module")
def play() -> Play:
    return played()


@pytest.fixture
def path(tmp_path: Path, play: Play) -> Path:
    """A closed journal of a whole round, with a checkpoint in the middle."""
    path = tmp_path / "journal.db"
    journal = Journal(path)
    half = len(play.facts) // 2
    journal.append(tuple(play.facts[:half]), STAMP, told)
    journal.checkpoint(fold(Table(), play.facts[:half]))
    for fact in play.facts[half:]:
        journal.append((fact,), STAMP, told)
    journal.close()
    return path


def edit(path: Path, *statements: str) -> None:
    """Change the file behind the station's back."""
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


# --- what is written ------------------------------------------------------------------------


def test_the_writer_syncs_fully_in_write_ahead_mode(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    assert journal.db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal.db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    journal.close()


def test_the_files_are_their_owners_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "deep" / "journal.db")
    journal.append((f.CallAnswered("2001"),), STAMP, told)
    for file in (tmp_path / "deep").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    journal.close()


def test_every_fact_comes_back_as_it_was(path: Path, play: Play) -> None:
    db = open_reader(path)
    stored = list(rows(db))
    db.close()
    assert [row.fact for row in stored] == play.facts
    assert [row.seq for row in stored] == list(range(1, len(play.facts) + 1))
    assert {(row.utc, row.mono_ns, row.boot) for row in stored} == {tuple(STAMP)}


def test_each_row_carries_the_hash_of_the_row_before(path: Path) -> None:
    db = open_reader(path)
    head = GENESIS
    for row in rows(db):
        assert row.prev == head
        head = row_hash(row.seq, STAMP, row.round, row.kind, row.version, row.body, row.prev)
        assert row.hash == head
    db.close()


def test_the_state_is_the_fold_with_and_without_the_checkpoint(path: Path, play: Play) -> None:
    journal = Journal(path)
    assert journal.load() == play.table
    assert load(journal.db, path, checkpoints=False) == play.table
    journal.close()
    found = verify(path)
    assert (found.facts, found.checkpoints) == (len(play.facts), 1)
    assert found.state == state_digest(play.table)


def test_a_state_survives_its_own_json_bit_for_bit(play: Play) -> None:
    encoded = msgspec.json.encode(play.table)
    assert state_digest(msgspec.json.decode(encoded, type=Table)) == state_digest(play.table)


def test_facts_of_one_decision_are_all_there_or_none(tmp_path: Path, play: Play) -> None:
    journal = Journal(tmp_path / "journal.db")
    answer = next(fact for fact in play.facts if isinstance(fact, f.CommandAnswered))
    journal.append((f.CallAnswered("2001"), answer), STAMP, told)
    before = journal.seq, journal.head
    with pytest.raises(sqlite3.IntegrityError):
        journal.append((f.CallAnswered("2001"), answer), STAMP, told)
    assert (journal.seq, journal.head) == before
    assert len(list(rows(journal.db))) == 2
    journal.append((f.CallAnswered("2001"),), STAMP, told)
    journal.close()
    assert verify(tmp_path / "journal.db").facts == 3


def test_the_answer_to_a_command_is_found_for_ever(path: Path, play: Play) -> None:
    journal = Journal(path)
    answers = [fact for fact in play.facts if isinstance(fact, f.CommandAnswered)]
    assert answers
    for answer in answers:
        found = journal.answer_of(answer.command)
        assert found is not None
        assert found[0] == answer
        assert play.facts[found[1] - 1] == answer
    assert journal.answer_of("host:game/never") is None
    journal.close()


def test_the_outbox_gives_what_is_not_acknowledged_and_what_is_asked_for(
    path: Path, play: Play
) -> None:
    journal = Journal(path)
    wanted = [seq for seq, fact in enumerate(play.facts, start=1) if told(fact)]
    assert [row.seq for row in journal.outbox_after(None)] == wanted
    journal.append((f.CallAnswered("2001"),), STAMP, told, taken=wanted[3])
    assert [row.seq for row in journal.outbox_after(None)] == wanted[4:]
    assert [row.seq for row in journal.outbox_after(wanted[1])] == wanted[2:]
    journal.close()


# --- damage ---------------------------------------------------------------------------------


def _seq_in_middle(play: Play, later: int = 0) -> int:
    return len(play.facts) // 2 + 3 + later


DAMAGES: dict[str, tuple[Callable[[int], tuple[str, ...]], int]] = {
    "a changed byte in a body": (
        lambda n: (
            f"UPDATE facts SET body=substr(body,1,length(body)-2)||'x'||substr(body,-1) "
            f"WHERE seq={n}",
        ),
        0,
    ),
    "a changed stamp": (lambda n: (f"UPDATE facts SET mono_ns=mono_ns+1 WHERE seq={n}",), 0),
    "a changed round": (lambda n: (f"UPDATE facts SET round=round+1 WHERE seq={n}",), 0),
    "a changed kind": (lambda n: (f"UPDATE facts SET kind='Other' WHERE seq={n}",), 0),
    "a changed hash": (lambda n: (f"UPDATE facts SET hash='{GENESIS}' WHERE seq={n}",), 0),
    "a removed row": (lambda n: (f"DELETE FROM facts WHERE seq={n}",), 1),
    "two rows swapped": (
        lambda n: (
            f"UPDATE facts SET seq=-1 WHERE seq={n}",
            f"UPDATE facts SET seq={n} WHERE seq={n + 1}",
            f"UPDATE facts SET seq={n + 1} WHERE seq=-1",
        ),
        0,
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_stops_the_station_and_names_the_fact(path: Path, play: Play, damage: str) -> None:
    statements, later = DAMAGES[damage]
    edit(path, *statements(_seq_in_middle(play)))
    named = f"fact {_seq_in_middle(play, later)} "
    journal = Journal(path)
    with pytest.raises(JournalDamaged, match=named) as told_:
        journal.load()
    journal.close()
    assert str(path) in str(told_.value)
    assert "technician" in str(told_.value)
    with pytest.raises(JournalDamaged, match=named):
        verify(path)
    with pytest.raises(JournalDamaged, match=named):
        list(cli_journal.export_lines(path, None))


def test_damage_before_the_checkpoint_is_found_by_verify(path: Path) -> None:
    edit(path, "UPDATE facts SET round=9 WHERE seq=2")
    with pytest.raises(JournalDamaged, match="fact 2 "):
        verify(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE checkpoints SET state=replace(state,'1001','1002')",
        "UPDATE checkpoints SET state='{'",
        "UPDATE checkpoints SET digest=upper(digest)||'0'",
        f"UPDATE checkpoints SET hash='{GENESIS}'",
        "UPDATE checkpoints SET seq=seq+1",
    ],
)
def test_a_false_checkpoint_stops_the_station(path: Path, statement: str) -> None:
    edit(path, statement)
    journal = Journal(path)
    with pytest.raises(JournalDamaged, match="checkpoint at fact"):
        journal.load()
    journal.close()


def test_a_checkpoint_that_is_not_the_fold_is_found_by_verify(path: Path, play: Play) -> None:
    other = state_digest(Table())
    edit(path, f"UPDATE checkpoints SET digest='{other}'")
    with pytest.raises(JournalDamaged, match="not the fold"):
        verify(path)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"no database " * 1000)
    with pytest.raises(JournalDamaged, match=r"journal\.db.*technician"):
        Journal(path)
    with pytest.raises(JournalError, match=r"journal\.db"):
        open_reader(path)


def test_a_torn_page_is_found_at_start(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:8192] = b"\xff" * 4096
    path.write_bytes(bytes(data))
    with pytest.raises(JournalDamaged, match="technician"):
        Journal(path)
    # The lock is given up with the failed start.
    with pytest.raises(JournalDamaged):
        Journal(path)


def test_a_torn_tail_of_the_log_is_the_commit_that_never_was(tmp_path: Path, play: Play) -> None:
    """What a power cut leaves of a commit under way is not there after it."""
    path, torn = tmp_path / "journal.db", tmp_path / "torn.db"
    journal = Journal(path)
    journal.append(tuple(play.facts[:-1]), STAMP, told)
    whole = path.with_name("journal.db-wal").stat().st_size
    journal.append((play.facts[-1],), STAMP, told)
    log = path.with_name("journal.db-wal").read_bytes()
    assert len(log) > whole
    torn.write_bytes(path.read_bytes())
    torn.with_name("torn.db-wal").write_bytes(log[: whole + (len(log) - whole) // 2])
    journal.close()
    left = Journal(torn)
    assert left.seq == len(play.facts) - 1
    assert left.load() == fold(Table(), play.facts[:-1])
    left.close()


def test_a_fact_of_a_newer_release_is_not_guessed_at() -> None:
    row = Row(1, "", 0, "", 1, "CardDealt", FACT_VERSION + 1, "{}", "", "")
    with pytest.raises(JournalError, match=f"version {FACT_VERSION + 1}"):
        _ = row.fact


def test_facts_of_the_first_release_are_read_as_this_one_means_them() -> None:
    bet = '{"fact":"BetPlaced","round":1,"bet":1,"kind":"main","player":"p","seat":3,"amount":9}'
    absent = '{"fact":"PlayerAbsent","round":1,"seat":3}'
    closed = '{"fact":"BettingClosed","round":1,"seats":[3],"by":"host"}'
    read = [
        Row(1, "", 0, "", 1, kind, 1, body, "", "").fact
        for kind, body in (
            ("BetPlaced", bet),
            ("PlayerAbsent", absent),
            ("BettingClosed", closed),
        )
    ]
    assert read == [
        g.BetPlaced(1, 1, "main", "p", 3, 1, 9),
        g.PlayerAbsent(3, "", "timeout"),
        g.BettingClosed(1, (3,), "host"),
    ]


def test_chained_goes_on_from_any_good_row(path: Path, play: Play) -> None:
    db = open_reader(path)
    stored = list(rows(db))
    assert list(chained(db, path, 5, stored[4].hash)) == stored[5:]
    with pytest.raises(JournalDamaged, match="fact 6 "):
        list(chained(db, path, 5, stored[3].hash))
    db.close()


# --- one writer -----------------------------------------------------------------------------


def test_a_second_writer_is_refused_and_the_lock_ends_with_the_first(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal(path)
    with pytest.raises(JournalBusy, match="another station"):
        Journal(path)
    journal.close()
    Journal(path).close()


def test_a_reader_cannot_write(path: Path) -> None:
    db = open_reader(path)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.execute("DELETE FROM facts")
    db.close()


def test_a_journal_that_is_not_there_is_not_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal"):
        open_reader(tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []


# --- out of it ------------------------------------------------------------------------------


def test_export_and_backup_have_every_fact(path: Path, play: Play, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in cli_journal.export_lines(path, None)]
    assert len(lines) == len(play.facts)
    copy = tmp_path / "copy" / "copy.db"
    copy.parent.mkdir()
    assert cli_journal.backup(path, copy) == verify(path)
    assert lines[-1]["hash"] == verify(copy).head
    with pytest.raises(JournalError, match="exists already"):
        cli_journal.backup(path, copy)
    Journal(copy).close()


def test_an_export_of_one_round_is_that_round(path: Path, play: Play) -> None:
    lines = [json.loads(line) for line in cli_journal.export_lines(path, 1)]
    assert lines
    assert lines[0]["kind"] == "RoundOpened"
    assert {line["round"] for line in lines} <= {0, 1}
    seqs = [line["seq"] for line in lines]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))


def test_a_failed_export_leaves_no_half_file(path: Path, tmp_path: Path, play: Play) -> None:
    edit(path, f"UPDATE facts SET round=9 WHERE seq={_seq_in_middle(play)}")
    target = tmp_path / "facts.jsonl"
    with pytest.raises(JournalDamaged):
        cli_journal.write_whole(target, cli_journal.export_lines(path, None))
    assert not list(tmp_path.glob("facts.jsonl*"))


# --- whose journal --------------------------------------------------------------------------


def config(tmp_path: Path, text: str) -> Config:
    (tmp_path / "table.toml").write_text(text)
    return load_config(tmp_path / "table.toml")


def started(tmp_path: Path, text: str) -> None:
    """A start that is refused, or one that is ended at once."""
    Daemon(config(tmp_path, text)).stop()


@pytest.fixture
def home(tmp_path: Path, path: Path) -> Path:
    """A folder whose journal is of test table T01."""
    (tmp_path / "staff.json").write_text('{"kind":"test","people":[]}')
    (tmp_path / "staff.json").chmod(0o600)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[table]\nid = "T01"\nkind = "live"\n', "never mixed"),
        ('[table]\nid = "T01"\n', "never mixed"),
        ('[table]\nid = "T02"\nkind = "test"\n', "never mixed"),
    ],
)
def test_a_journal_of_another_table_or_kind_is_refused(home: Path, text: str, says: str) -> None:
    before = verify(home / "journal.db").head
    with pytest.raises(ConfigError, match=says):
        started(home, text)
    assert verify(home / "journal.db").head == before
    started(home, '[table]\nid = "T01"\nkind = "test"\n')


def test_a_live_journal_refuses_a_test_table(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    journal.append((f.StationStarted("T01", "live", "0", ()),), STAMP, told)
    journal.close()
    with pytest.raises(ConfigError, match="never mixed"):
        started(tmp_path, '[table]\nid = "T01"\nkind = "test"\n')


def test_rules_do_not_change_in_an_open_round(tmp_path: Path) -> None:
    play = Play().open_table().bet((1,))
    journal = Journal(tmp_path / "journal.db")
    journal.append(tuple(play.facts), STAMP, told)
    journal.close()
    with pytest.raises(ConfigError, match="round 1 is open under other rules"):
        started(tmp_path, '[table]\nid = "T01"\nkind = "test"\n[rules]\nseats = 5\n')
    started(tmp_path, '[table]\nid = "T01"\nkind = "test"\n')


def test_the_rules_fingerprint_is_in_the_journal(tmp_path: Path) -> None:
    started(tmp_path, '[table]\nid = "T01"\nkind = "test"\n[rules]\nseats = 5\n')
    db = open_reader(tmp_path / "journal.db")
    (row,) = rows(db, kind="RulesSet")
    db.close()
    assert isinstance(row.fact, f.RulesSet)
    assert row.fact.rules.seats == 5
    assert row.fact.fingerprint == fingerprint(TableRules(seats=5))
