"""A damaged journal is sealed by two persons, and the next one says where its good part ended."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from station import journal as journals
from station.clock import SystemClock
from station.evidence import folder_of
from station.game import facts as g
from station.journal import (
    Journal,
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalNewer,
    Stamp,
    rows,
    verify,
)
from station.quarantine import quarantine
from station.table import facts as f
from station.table import inputs as i
from station.table.facts import Person
from station.telling import told
from station.upcast import FACT_VERSION
from tests.support.play import CONSOLE, DEALER, HOST, PIT, SUPERVISOR, Play

STAMP = Stamp("2026-01-01T00:00:00.000000Z", 1, "boot")
TECHNICIAN = Person("4001", "최민호", "technician")
MANAGER = Person("3001", "김도윤", "shift_manager")
BOTH = (TECHNICIAN, MANAGER)


def written(path: Path, play: Play) -> None:
    journal = Journal(path)
    journal.append(tuple(play.facts), STAMP, told)
    journal.close()


def damaged(path: Path) -> Play:
    """A journal of an open round whose last fact was tampered with."""
    play = Play().open_table().bet().close()
    play.cards("TS 9S")
    written(path, play)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE facts SET body=replace(body,'9','8') WHERE seq=?", (len(play.facts),))
    db.close()
    return play


def test_the_next_journal_names_the_last_good_hash_and_returns_every_bet_once(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    play = damaged(path)
    with pytest.raises(JournalDamaged):
        verify(path)
    sealed, good = quarantine(path, BOTH, SystemClock())
    assert good.facts == len(play.facts) - 1
    found = verify(path)
    journal = Journal(path)
    facts = [row.fact for row in rows(journal.db)]
    first = facts[0]
    assert isinstance(first, f.JournalContinued)
    assert (first.facts, first.head, first.by) == (good.facts, good.head, ("4001", "3001"))
    voids = [fact for fact in facts if isinstance(fact, g.RoundVoided)]
    assert len(voids) == 1
    assert [(line.stake, line.returned) for line in voids[0].lines] == [(1000, 1000)] * 2
    assert [row.kind for row in journal.outbox_after(None)] == ["RoundVoided"]
    journal.close()
    assert found.table.id == "T01"
    assert stat.S_IMODE(sealed.stat().st_mode) == 0o400


def test_play_goes_on_with_a_new_shoe_and_the_next_round_number(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    damaged(path)
    quarantine(path, BOTH, SystemClock())
    play = Play()
    play.table = verify(path).table
    play.start()
    play.give(i.LinkUp(HOST.link, "host", "game"))
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.must(CONSOLE, i.LogIn(DEALER.staff, DEALER))
    play.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
    play.new_shoe("S2")
    play.bet()
    assert play.number == 2


def test_a_file_that_is_no_database_is_sealed_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"no journal at all" * 100)
    sealed, good = quarantine(path, BOTH, SystemClock())
    assert good.facts == 0
    assert sealed.read_bytes().startswith(b"no journal")
    assert verify(path).facts == 1


def test_a_journal_in_order_is_not_sealed(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    written(path, Play())
    with pytest.raises(JournalError, match="in order"):
        quarantine(path, BOTH, SystemClock())
    assert path.is_file()


def test_what_stops_a_start_beside_the_facts_can_be_sealed_too(tmp_path: Path) -> None:
    """A false checkpoint: every fact is good, nothing of them is lost, and a table goes on."""
    path = tmp_path / "journal.db"
    play = Play().open_table()
    written(path, play)
    journal = Journal(path)
    journal.checkpoint(play.table)
    journal.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE checkpoints SET state=replace(state,'1001','1002')")
    db.close()
    journal = Journal(path)
    with pytest.raises(JournalDamaged, match="checkpoint"):
        journal.load()
    journal.close()
    _, good = quarantine(path, BOTH, SystemClock())
    assert good.facts == len(play.facts)
    assert verify(path).facts == 1


@pytest.mark.parametrize("by", [(MANAGER, MANAGER), (TECHNICIAN, SUPERVISOR)])
def test_it_takes_a_technician_and_a_shift_manager(
    tmp_path: Path, by: tuple[Person, Person]
) -> None:
    path = tmp_path / "journal.db"
    damaged(path)
    with pytest.raises(JournalError, match="together"):
        quarantine(path, by, SystemClock())


def test_not_under_a_running_station(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    written(path, Play())
    running = Journal(path)
    with pytest.raises(JournalBusy):
        quarantine(path, BOTH, SystemClock())
    running.close()


def test_a_journal_of_a_later_release_is_no_damage_and_is_never_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    monkeypatch.setattr(journals, "FACT_VERSION", FACT_VERSION + 1)
    written(path, Play().open_table())
    monkeypatch.undo()
    before = path.read_bytes()
    for sealing in (lambda: quarantine(path, BOTH, SystemClock()), lambda: verify(path)):
        with pytest.raises(JournalNewer, match="start the release that wrote it"):
            sealing()
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*.sealed-*"))


def test_the_pictures_of_a_sealed_journal_go_with_it(tmp_path: Path) -> None:
    """Beside the new journal, whose facts name none of them, they would be removed."""
    path = tmp_path / "journal.db"
    damaged(path)
    folder_of(path).mkdir()
    (folder_of(path) / "cam-1.jpg").write_bytes(b"picture")
    sealed, _ = quarantine(path, BOTH, SystemClock())
    assert (folder_of(sealed) / "cam-1.jpg").read_bytes() == b"picture"
    assert not folder_of(path).exists()
