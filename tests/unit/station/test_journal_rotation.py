"""A journal is closed and the next one goes on, as if nothing had been between; nothing is lost."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from station.audit import keys, rotation
from station.audit.files import files_of, retire, verify_files
from station.audit.reading import known_rows, start_of, when_it_left
from station.audit.rotation import Rotated, rotate
from station.cli_journal import export_lines, table_of
from station.clock import SystemClock
from station.evidence import folder_of
from station.journal import (
    Journal,
    JournalBusy,
    JournalDamaged,
    JournalError,
    Stamp,
    open_reader,
    rows,
    state_digest,
    verify,
)
from station.table import facts as f
from station.table import inputs as i
from tests.support.audit import Writing, edit, play_on, sealed_journal
from tests.support.play import PIT, SUPERVISOR
from tests.unit.station.test_journal import started


class DatedClock(SystemClock):
    """Each rotation of a test in a second of its own."""

    def __init__(self, second: int) -> None:
        self.second = second

    def utc(self) -> str:
        return f"2026-02-01T00:00:{self.second:02}.000000Z"


def turned(path: Path, second: int = 1) -> Rotated:
    return rotate(path, "os:test", DatedClock(second))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    sealed_journal(path, 2)
    return path


# --- everything goes on ---------------------------------------------------------------------


def test_the_chain_and_the_sequence_go_on_over_the_files(path: Path) -> None:
    before = verify(path)
    done = turned(path)
    db = open_reader(path)
    (first,) = rows(db)
    db.close()
    fact = first.fact
    assert isinstance(fact, f.JournalRotated)
    assert (first.seq, first.prev) == (before.facts + 1, before.head)
    assert (fact.facts, fact.head, fact.state) == (before.facts, before.head, before.state)
    assert (fact.closed, fact.by, fact.table) == (done.closed.name, "os:test", "T01")
    assert stat.S_IMODE(done.closed.stat().st_mode) == 0o400
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.glob("*.next*")] == []
    # The closed file is sealed to its last fact, and complete by itself.
    assert verify(done.closed).sealed.unsealed == 0
    assert not done.closed.with_name(done.closed.name + "-wal").exists()


def test_the_folded_state_goes_on_bit_for_bit(tmp_path: Path) -> None:
    """Seats, dealer, shoe, a hold that is open, wrong tries of a PIN."""
    path = tmp_path / "journal.db"
    journal = Journal(path)
    play = Writing(journal)
    play.open_table()
    play.play_round()
    play.say(PIT, i.LogIn(SUPERVISOR.staff, None))
    play.give(i.DeviceHealth("shoe", "lost", "unplugged"))
    journal.close()
    table = play.table
    assert table.game.seats
    assert table.dealer is not None
    assert table.holds
    assert table.game.shoe.state == "in_play"
    assert SUPERVISOR.staff in repr(table.attempts)
    turned(path)
    with sqlite3.connect(path) as db:
        carried = start_of(db, path).table
    db.close()
    assert carried == table
    assert state_digest(carried) == state_digest(table)
    again = Journal(path)
    held = [row.fact for row in known_rows(again.db, kind="TableHeld")]
    assert [fact.hold for fact in held if isinstance(fact, f.TableHeld)] == [table.holds[0].hold]
    assert again.load().holds == table.holds
    assert again.load().version == table.version + 1
    again.close()


def test_a_table_plays_on_and_the_files_verify_in_their_order(path: Path) -> None:
    first = turned(path, 1).closed
    play_on(path, 1)
    second = turned(path, 2).closed
    play_on(path, 1, day=3)
    assert files_of(path) == [first, second, path]
    private = keys.read_private(keys.file_of(path))
    assert private is not None
    found = verify_files(files_of(path), private.public_key())
    assert [one.first for one in found] == [1, found[0].facts + 1, found[1].facts + 1]
    assert [one.table.game.rounds for one in found] == [2, 3, 4]
    assert table_of(path) == table_of(first) == ("T01", "test")
    assert len(list(export_lines(path, None))) == found[2].facts - found[1].facts


def test_a_real_table_starts_on_the_new_file(path: Path) -> None:
    turned(path)
    started(path.parent, '[table]\nid = "T01"\nkind = "test"\n')
    assert len(verify_files(files_of(path))) == 2


def test_what_a_host_has_not_acknowledged_is_not_lost(path: Path) -> None:
    journal = Journal(path)
    owed, asked = journal.outbox_after(None), journal.outbox_after(40)
    journal.close()
    assert owed
    turned(path, 1)
    play_on(path, 1)
    turned(path, 2)
    journal = Journal(path)
    left = journal.outbox_after(None)
    assert left[: len(owed)] == owed
    assert [row for row in journal.outbox_after(40) if row.seq <= owed[-1].seq] == asked
    # And once it has, it is not told again.
    journal.append((), Stamp("", 0, ""), lambda _fact: False, left[-1].seq)
    assert journal.outbox_after(None) == []
    journal.close()
    verify_files(files_of(path))


def test_a_command_of_before_gets_its_answer_and_happens_once(path: Path) -> None:
    journal = Journal(path)
    answers = list(rows(journal.db, kind="CommandAnswered"))
    wanted = [journal.answer_of(str(getattr(row.fact, "command", ""))) for row in answers]
    journal.close()
    assert len(wanted) > 10
    assert None not in wanted
    turned(path, 1)
    play_on(path, 1)
    turned(path, 2)
    journal = Journal(path)
    found = [journal.answer_of(str(getattr(row.fact, "command", ""))) for row in answers]
    journal.close()
    assert found == wanted


def test_only_so_many_answers_go_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = open_reader(path)
    commands = [str(getattr(r.fact, "command", "")) for r in rows(db, kind="CommandAnswered")]
    (loaded,) = rows(db, kind="ShoeLoaded")
    early = [r.seq for r in rows(db, kind="CommandAnswered") if r.seq < loaded.seq]
    db.close()
    monkeypatch.setattr(rotation, "ANSWERS", 3)
    turned(path)
    journal = Journal(path)
    # Of the shoe in play everything is there; before it, only the newest three would be.
    known = [journal.answer_of(command) is not None for command in commands]
    journal.close()
    assert known == [False] * len(early) + [True] * (len(commands) - len(early))


def test_when_a_card_of_this_shoe_left_it_is_still_known(path: Path) -> None:
    db = open_reader(path)
    wanted = [when_it_left(db, order, 1) for order in range(1, 5)]
    db.close()
    assert all(left.utc for left in wanted)
    turned(path)
    db = open_reader(path)
    assert [when_it_left(db, order, 1) for order in range(1, 5)] == wanted
    db.close()


def test_the_pictures_go_with_the_closed_file(path: Path) -> None:
    folder_of(path).mkdir()
    (folder_of(path) / "cam-1.jpg").write_bytes(b"picture")
    done = turned(path)
    assert (folder_of(done.closed) / "cam-1.jpg").read_bytes() == b"picture"
    assert not folder_of(path).exists()


def test_a_state_of_an_earlier_release_is_carried_over_and_read(path: Path) -> None:
    turned(path)
    before = verify(path).state
    edit(path, "UPDATE checkpoints SET format='0.0.9:0123456789abcdef'")
    journal = Journal(path)
    assert state_digest(journal.load()) == before
    journal.close()


def test_a_journal_of_an_earlier_release_is_closed_and_sealed(path: Path) -> None:
    edit(path, "DROP TABLE seals", "DROP TABLE keys", "DROP TABLE carried")
    closed = turned(path).closed
    found = verify_files([closed, path])
    assert [(one.sealed.seals, one.sealed.unsealed) for one in found] == [(1, 0), (1, 0)]


def test_a_later_release_may_close_what_an_earlier_one_wrote(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = lambda: "9.9.9:0123456789abcdef"  # noqa: E731
    for module in ("seals", "sealed", "checks", "reading", "rotation", "files"):
        monkeypatch.setattr(f"station.audit.{module}.state_format", later)
    closed = turned(path).closed
    found = verify_files([closed, path])
    assert [one.sealed.states for one in found] == [3, 0]


def test_right_after_a_change_of_keys(path: Path) -> None:
    journal = Journal(path)
    journal.change_key()
    journal.close()
    turned(path)
    assert [len(one.sealed.keys) for one in verify_files(files_of(path))] == [2, 2]


def test_not_right_after_a_key_was_lost(path: Path) -> None:
    """Nobody is left who could sign for what came before."""
    keys.file_of(path).unlink()
    journal = Journal(path)
    journal.change_key(lost=True)
    journal.close()
    with pytest.raises(JournalError, match="start the table once"):
        turned(path)
    verify(path)
    play_on(path, 1)
    turned(path)
    assert len(verify_files(files_of(path))) == 2


# --- refused --------------------------------------------------------------------------------


def test_not_under_a_running_station(path: Path) -> None:
    running = Journal(path)
    with pytest.raises(JournalBusy, match="stop it"):
        turned(path)
    running.close()


def test_not_in_the_middle_of_a_round(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = Journal(path)
    play = Writing(journal)
    play.open_table()
    play.deal("5H TC", (1,))
    journal.close()
    with pytest.raises(JournalError, match="round 1 is not over"):
        turned(path)
    assert verify(path).table == play.table


def test_not_a_damaged_one(path: Path) -> None:
    edit(path, "UPDATE facts SET round=9 WHERE seq=9")
    with pytest.raises(JournalDamaged, match="fact 9 "):
        turned(path)
    assert files_of(path) == [path]


def test_not_while_somebody_reads_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("station.journal.BUSY_MS", 50)
    reader = open_reader(path)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM facts").fetchone()
    with pytest.raises((JournalError, sqlite3.OperationalError)):
        turned(path)
    reader.close()
    assert files_of(path) == [path]
    verify(path)


def test_not_one_in_which_nothing_has_happened(path: Path, tmp_path: Path) -> None:
    turned(path, 1)
    with pytest.raises(JournalError, match="nothing has happened"):
        turned(path, 2)
    Journal(tmp_path / "empty.db").close()
    with pytest.raises(JournalError, match="nothing in it"):
        turned(tmp_path / "empty.db")
    with pytest.raises(JournalError, match="there is no journal"):
        turned(tmp_path / "none.db")


# --- damage at the joint --------------------------------------------------------------------


def test_a_file_missing_between_two_is_named(path: Path) -> None:
    first = turned(path, 1).closed
    play_on(path, 1)
    second = turned(path, 2).closed
    with pytest.raises(JournalDamaged, match="a file between them is missing"):
        verify_files([first, path])
    with pytest.raises(JournalDamaged, match="oldest first"):
        verify_files([second, first])


def cut(path: Path) -> None:
    """The end of a closed file, with its seal, taken away."""
    path.chmod(0o600)
    edit(path, "DELETE FROM facts WHERE seq>50", "DELETE FROM seals WHERE seq>50")
    edit(path, "DELETE FROM outbox WHERE seq>50", "DELETE FROM checkpoints WHERE seq>50")


def test_an_end_cut_off_a_closed_file_is_found_at_the_joint(path: Path) -> None:
    closed = turned(path).closed
    cut(closed)
    # Alone it does not show: the last seals went too.
    with pytest.raises(JournalDamaged, match=r"JournalRotated.*goes on from fact 54"):
        verify_files([closed, path])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE checkpoints SET state=replace(state,'1001','1002')",
        "UPDATE checkpoints SET hash=upper(hash)",
        "UPDATE checkpoints SET format='0.0.9:0123456789abcdef'",
        "DELETE FROM checkpoints",
        "DELETE FROM carried WHERE seq=(SELECT MIN(seq) FROM carried)",
        "UPDATE carried SET body=replace(body,'1000','9000') WHERE kind='BetPlaced'",
        "UPDATE carried SET command='other' WHERE kind='CommandAnswered' AND seq=40",
        "DELETE FROM outbox WHERE seq=(SELECT MIN(seq) FROM outbox)",
        "UPDATE facts SET seq=seq+1",
        "UPDATE facts SET prev=upper(prev)",
        "DELETE FROM facts",
        "UPDATE keys SET public=(SELECT upper(public) FROM keys)",
    ],
)
def test_what_was_taken_along_cannot_be_changed_in_silence(path: Path, statement: str) -> None:
    closed = turned(path).closed
    verify_files([closed, path])
    edit(path, statement)
    with pytest.raises(JournalError):
        verify_files([closed, path])


@pytest.mark.parametrize("name", ["a b", "50%25", "who?x=1", "n#1", "탁자"])
def test_a_folder_may_be_called_anything(tmp_path: Path, name: str) -> None:
    path = tmp_path / name / "journal.db"
    path.parent.mkdir()
    sealed_journal(path, 1)
    turned(path)
    assert len(verify_files(files_of(path))) == 2


# --- kept -----------------------------------------------------------------------------------


def test_closed_files_are_moved_out_after_they_have_verified_and_never_deleted(
    path: Path, tmp_path: Path
) -> None:
    first = turned(path, 1).closed
    folder_of(first).mkdir()
    (folder_of(first) / "cam-1.jpg").write_bytes(b"picture")
    play_on(path, 1, day=9)
    second = turned(path, 2).closed
    away = tmp_path / "away"
    data = first.read_bytes()
    done = retire(path, "2026-01-05", away)
    assert done.moved == (away / first.name,)
    assert (away / first.name).read_bytes() == data
    assert (folder_of(away / first.name) / "cam-1.jpg").read_bytes() == b"picture"
    assert files_of(path) == [second, path]
    assert len(verify_files([away / first.name, second, path])) == 3
    assert retire(path, "2026-01-05", away).moved == ()


def test_a_damaged_closed_file_stays_and_is_named(path: Path, tmp_path: Path) -> None:
    closed = turned(path).closed
    closed.chmod(0o600)
    edit(closed, "UPDATE facts SET round=9 WHERE seq=9")
    done = retire(path, "2030-01-01", tmp_path / "away")
    assert done.moved == ()
    assert "fact 9 " in done.kept[0]
    assert closed.exists()


def test_nothing_is_written_over(path: Path, tmp_path: Path) -> None:
    closed = turned(path).closed
    away = tmp_path / "away"
    away.mkdir()
    (away / closed.name).write_text("another")
    done = retire(path, "2030-01-01", away)
    assert "exists already" in done.kept[0]
    assert (away / closed.name).read_text() == "another"
    assert closed.exists()
    with pytest.raises(JournalError, match="own folder"):
        retire(path, "2030-01-01", path.parent)
