"""The controller under stalls and a failing disk: who was in time stays in time, nobody hangs."""

from __future__ import annotations

import contextlib
import socket
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from station import messages as m
from station.cli import app
from station.config import ConfigError, load_config
from station.inbox import Acked, Request, Stop
from station.journal import Journal, row_hash
from station.staff import Entry, Staff, StaffFile
from station.table import inputs as i
from station.telling import told
from tests.support.play import Play
from tests.unit.station.test_controller import STAMP, Shell, betting, make

__all__ = ["make"]
FULL = "CREATE TRIGGER full BEFORE INSERT ON facts BEGIN SELECT RAISE(FAIL,'full'); END"


def test_a13_an_answer_that_came_before_the_windows_end_is_in_time(
    make: Callable[..., Shell],
) -> None:
    """The disk stalls over the end of the betting window; the bet is in the inbox already."""
    shell = make()
    host = betting(shell)

    def stalled(_seq: int, _ns: int) -> None:
        shell.clock.mono_s += 20

    shell.controller._committed = stalled
    post = shell.controller.post
    post(i.DeviceHealth("shoe", "garbled", "noise"))
    post(Request(host, "bet", m.PlaceBet(1, 1, "P1", 1000)))
    post(Stop())
    shell.controller.run()
    kinds = shell.kinds()
    assert host.answer.ok
    assert kinds.index("BetPlaced") < kinds.index("BettingClosed")


def test_h_01_an_acknowledgement_of_what_was_never_sent_loses_the_host_nothing(
    make: Callable[..., Shell],
) -> None:
    shell = make()
    host = betting(shell)
    shell.controller.handle(Acked(2**53))
    assert shell.ask(host, m.PlaceBet(1, 1, "P1", 1000)).ok
    assert [row.kind for row in shell.journal.outbox_after(None)] == ["BetPlaced"]


def test_g_04_a_command_is_answered_when_the_journal_cannot_even_be_read(
    make: Callable[..., Shell],
) -> None:
    shell = make()
    console = shell.join("console", "one")
    shell.journal.db.execute("ALTER TABLE facts RENAME TO gone")
    answer = shell.ask(console, m.Wait())
    assert answer.refusal is not None
    assert answer.refusal.code == "journal_unavailable"
    shell.journal.db.execute("ALTER TABLE gone RENAME TO facts")
    assert shell.ask(console, m.Wait()).ok


def test_g_04_the_console_learns_by_itself_that_the_disk_has_space_again(
    make: Callable[..., Shell],
) -> None:
    """A refused command is not tried again: nothing else might ever happen at the table."""
    shell = make()
    console = shell.join("console", "one")
    shell.journal.db.execute(FULL)
    assert not shell.ask(console, m.Wait()).ok
    assert console.now.prompt.code == "journal_unavailable"
    stored = shell.kinds()
    shell.journal.db.execute("DROP TRIGGER full")
    thread = threading.Thread(target=shell.controller.run)
    thread.start()
    until = time.monotonic() + 10
    while console.now.prompt.code == "journal_unavailable" and time.monotonic() < until:
        time.sleep(0.01)
    shell.controller.post(Stop())
    thread.join(10)
    assert console.now.prompt.code != "journal_unavailable"
    # Looking again leaves no fact but the one that says that nothing could be stored.
    assert shell.kinds() == [*stored, "ConditionRaised"]


def test_a_broken_entry_of_the_staff_file_is_a_wrong_pin(tmp_path: Path) -> None:
    """An error on the worker would leave the link waiting for its answer for ever."""
    people = (Entry("2001", "이수진", "supervisor", "비밀"), Entry("3001", "김도윤", "auditor", ""))
    staff = Staff(tmp_path / "staff.json", StaffFile("test", people))
    assert staff.check("2001", "2001") is None
    assert staff.check("3001", "3001") is None


def test_a_clock_so_slow_that_no_window_could_be_waited_for_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[table]\nid = "T01"\nkind = "test"\n[clock]\nscale = 1e-300\n')
    with pytest.raises(ConfigError, match=r"\$\.clock\.scale"):
        load_config(file)


# --- the command line: one line that names the file, and exit code 2 ---------------------------


def fails(*arguments: str | Path) -> str:
    """The one line the command says before it gives up."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith("dealer-station: ")
    return line


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A closed journal of several pages."""
    play = Play().open_table().deal("5H TC 9D 6C 8S").act("stand", "stand")
    play.cards("8H")
    path = tmp_path / "journal.db"
    writer = Journal(path)
    writer.append(tuple(play.facts), STAMP, told)
    writer.close()
    return path


@pytest.mark.parametrize("command", ["verify", "show", "export", "backup"])
@pytest.mark.parametrize("damage", ["page", "not_a_journal"])
def test_a_damaged_journal_is_named_in_one_line(
    journal: Path, tmp_path: Path, command: str, damage: str
) -> None:
    if damage == "page":
        pages = bytearray(journal.read_bytes())
        for middle in range(4 * 4096, len(pages), 4096):
            pages[middle : middle + 4096] = b"A" * 4096
        journal.write_bytes(pages)
    else:
        journal.unlink()
        with contextlib.closing(sqlite3.connect(journal)) as db:
            db.execute("CREATE TABLE facts (x)")
    targets: dict[str, list[str | Path]] = {"export": ["-"], "backup": [tmp_path / "copy.db"]}
    more = targets.get(command, [])
    said = fails("journal", command, *more, "--journal", journal)
    assert "journal.db: " in said or "copy.db: " in said


def test_a_fact_this_release_does_not_know_is_named(tmp_path: Path) -> None:
    """The chain is whole: another release wrote it."""
    path = tmp_path / "journal.db"
    writer = Journal(path)
    writer.append(tuple(Play().facts), STAMP, told)
    body = '{"fact":"Unheard"}'
    digest = row_hash(writer.seq + 1, STAMP, 0, "Unheard", 1, body, writer.head)
    writer.db.execute(
        "INSERT INTO facts VALUES (?,?,?,?,0,'Unheard',1,?,?,?,NULL)",
        (writer.seq + 1, *STAMP, body, writer.head, digest),
    )
    writer.close()
    assert f"fact {writer.seq + 1} " in fails("journal", "verify", "--journal", path)


def test_what_cannot_be_written_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    table = tmp_path / "table.toml"
    table.write_text('[table]\nid = "T01"\nkind = "test"\n[staff]\nfile = "file/staff.json"\n')
    assert "file" in fails("run", "--config", table)
    trace = tmp_path / "nowhere" / "trace"
    assert str(trace) in fails("run", "--config", table, "--trace", trace)
    assert "file" in fails("schema", "--out", tmp_path / "file" / "schemas")


def test_what_is_no_table_is_told_from_one(tmp_path: Path) -> None:
    path = tmp_path / "sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def answer() -> None:
            peer, _ = listener.accept()
            with peer:
                peer.sendall(b"220 mail ready\n")
                peer.recv(1000)

        thread = threading.Thread(target=answer)
        thread.start()
        assert "no table" in fails("status", "--socket", path)
        thread.join(10)
