"""The controller under stalls and a failing disk: who was in time stays in time, nobody hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from station import messages as m
from station.config import ConfigError, load_config
from station.controller import Acked, Request, Stop
from station.staff import Entry, Staff, StaffFile
from station.table import inputs as i
from tests.unit.station.test_controller import Shell, betting, make

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
    assert shell.kinds() == stored, "looking again leaves no fact"


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
