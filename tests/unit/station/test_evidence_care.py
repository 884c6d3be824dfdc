"""A running table and its pictures: the facts come first, and no picture stops a card."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.kinds.camera import CameraSpec
from drivers.specs import DeviceSpec
from station.config import EvidenceSection, TableSection
from station.controller import Controller
from station.evidence import Keep, Old, Store, folder_of
from station.evidence_care import Care, placed
from station.game.cards import card_of
from station.journal import Journal, Stamp, rows
from station.table import facts as f
from station.table import inputs as i
from station.telling import told
from station.view import Viewer
from tests.support.play import Play
from tests.unit.station.test_controller import HandClock

CAMERA = CameraSpec(name="cam", port="/dev/v4l/by-id/usb-cam-video-index0")
PLAIN = CameraSpec(name="cam", port="/dev/v4l/by-id/usb-cam-video-index0", evidence="off")
SETTINGS = EvidenceSection(days=1, megabytes=10)


# --- where devices put their pictures -------------------------------------------------------


def test_a_camera_is_told_of_the_folder_beside_the_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    found = placed(journal, SETTINGS, (CAMERA,))
    assert found.store is not None
    (spec,) = found.specs
    assert isinstance(spec, CameraSpec)
    assert Path(spec.evidence_dir) == folder_of(journal)
    assert folder_of(journal).is_dir()
    found.store.close()


@pytest.mark.parametrize("specs", [(PLAIN,), (DeviceSpec(name="s", port="/dev/table/shoe"),)])
def test_without_a_camera_that_keeps_pictures_there_is_no_folder(
    tmp_path: Path, specs: tuple[DeviceSpec, ...]
) -> None:
    journal = tmp_path / "journal.db"
    assert placed(journal, SETTINGS, specs) == (None, specs, frozenset())
    assert not folder_of(journal).exists()


def test_what_is_left_of_a_camera_that_was_taken_away_is_still_looked_after(
    tmp_path: Path,
) -> None:
    folder_of(tmp_path / "journal.db").mkdir()
    found = placed(tmp_path / "journal.db", SETTINGS, ())
    assert found.store is not None
    found.store.close()


def test_a_folder_that_may_not_be_used_stops_no_table_and_the_camera_keeps_none(
    tmp_path: Path,
) -> None:
    journal = tmp_path / "journal.db"
    folder_of(journal).symlink_to(tmp_path)
    found = placed(journal, SETTINGS, (CAMERA,))
    assert found.store is None
    assert found.unkept == {"cam"}
    (spec,) = found.specs
    assert isinstance(spec, CameraSpec)
    assert spec.evidence_dir == ""


# --- a table with pictures ------------------------------------------------------------------


class Table:
    """A controller and its folder; the worker's work is done when it is asked for."""

    def __init__(self, tmp_path: Path) -> None:
        self.path = tmp_path / "journal.db"
        self.clock = HandClock()
        self.journal = Journal(self.path)
        play = Play().open_table().bet().close()
        stamp = Stamp("2026-01-01T00:00:00.000000Z", 7, "boot")
        self.journal.append(tuple(play.facts), stamp, told)
        self.store = Store(self.path, 1, 10, lambda: self.clock.mono_s, lambda _handle: -1)
        self.late: list[Callable[[], None]] = []
        self.controller = Controller(
            self.journal,
            play.table,
            Viewer(TableSection("T01", "test"), 1.0, 0, (), pictures=str(self.store.folder)),
            self.clock,
            boot="boot",
            effects=lambda facts: self.care.committed(facts),
        )
        self.care = Care(self.store, self.controller, self.clock, lambda work: work())

    def read(self, face: str, name: str) -> None:
        data = name.encode()
        (self.store.folder / name).write_bytes(data)
        picture = f.Picture(name, hashlib.sha256(data).hexdigest())
        card = card_of(face, "A", 1)
        self.controller.handle(i.CardSeen("shoe", card, "", "", 0, True, evidence=(picture,)))

    def tend(self) -> None:
        """Sweep, and let the controller take up what came of it."""
        self.care.tend()
        while not self.controller.inbox.empty():
            self.controller.handle(self.controller.inbox.get())

    def there(self) -> set[str]:
        return {path.name for path in self.store.folder.iterdir()}

    def kinds(self) -> list[str]:
        return [row.kind for row in rows(self.journal.db)]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.care.close()
    made.journal.close()


def fill(table: Table) -> None:
    """Pictures of long ago, and a round after them."""
    facts = tuple(
        f.Observed("shoe", "card", "", "", evidence=(f.Picture(f"old-{n}.jpg", "0" * 64),))
        for n in range(3)
    )
    for n in range(3):
        (table.store.folder / f"old-{n}.jpg").write_bytes(b"")
    stamp = Stamp("2020-01-01T00:00:00.000000Z", 7, "boot")
    table.journal.append(facts, stamp, told)
    play = Play().open_table().bet((1,))
    opened = [fact for fact in play.facts if type(fact).__name__ == "RoundOpened"]
    table.journal.append(tuple(opened), stamp, told)


def test_old_pictures_go_after_the_fact_that_says_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(table)
    seen: list[tuple[str, bool]] = []
    remove = table.store.remove

    def watched(names: tuple[str, ...]) -> None:
        seen.append((table.kinds()[-1], (table.store.folder / names[0]).exists()))
        remove(names)

    monkeypatch.setattr(table.store, "remove", watched)
    table.tend()
    assert seen == [("EvidenceRemoved", True)]
    assert table.there() == set()
    removed = [row.fact for row in rows(table.journal.db, kind="EvidenceRemoved")]
    assert removed == [f.EvidenceRemoved(("old-0.jpg", "old-1.jpg", "old-2.jpg"), "days")]
    table.tend()
    assert table.kinds().count("EvidenceRemoved") == 1


def test_a_removal_changes_nothing_a_command_could_be_stale_for(table: Table) -> None:
    fill(table)
    changed = table.controller.table.changed
    table.tend()
    assert table.controller.table.changed == changed


def test_g04_while_the_journal_has_no_room_pictures_make_it_at_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(table)
    table.controller.journal_ok = False

    def full(*_arguments: object) -> int:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(table.journal, "append", full)
    table.care.tend()
    assert table.there() == set()
    monkeypatch.undo()
    table.tend()
    assert table.kinds()[-1] == "EvidenceRemoved"


def test_a_folder_that_is_gone_or_broken_stops_no_card(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.read("KH", "cam-1.jpg")

    def broken(*_arguments: object, **_more: object) -> object:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(table.store, "sweep", broken)
    table.tend()
    table.read("QC", "cam-2.jpg")
    assert len(table.controller.table.game.shoe.gone) == 2


def test_the_pictures_of_an_open_hold_and_of_both_suspects_stay(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.read("KH", "first.jpg")
    table.read("QC", "other.jpg")
    table.read("KH", "again.jpg")
    (hold,) = table.controller.table.holds
    assert hold.code == "duplicate_card"
    asked: list[frozenset[str]] = []

    def sweep(_utc: str, keep: Keep, **_more: bool) -> list[Old]:
        asked.append(keep.names)
        return []

    monkeypatch.setattr(table.store, "sweep", sweep)
    table.care.tend()
    assert asked == [{"first.jpg", "again.jpg"}]
