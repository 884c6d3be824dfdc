"""The folder of pictures: whose it is, what stays, what goes and why, and what the facts say."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from station.evidence import (
    BATCH,
    EvidenceRefused,
    Keep,
    Old,
    Store,
    days_before,
    folder_of,
    opened,
    read_picture,
    state_of,
)
from station.game import facts as g
from station.journal import Journal, Stamp
from station.table import facts as f
from station.telling import told

NOW = "2026-06-30T12:00:00.000000Z"
MB = 2**20


class Room:
    """A journal, the folder beside it, and a clock of one's own."""

    def __init__(self, tmp_path: Path) -> None:
        self.path = tmp_path / "journal.db"
        self.folder = folder_of(self.path)
        self.journal = Journal(self.path)
        self.seconds = 1000.0
        self.lacking = 0
        self.store: Store | None = None

    def start(self, days: int = 30, megabytes: int = 10) -> Store:
        self.store = Store(
            self.path, days, megabytes, lambda: self.seconds, lambda _handle: self.lacking
        )
        return self.store

    def write(self, name: str, data: bytes = b"picture") -> f.Picture:
        (self.folder / name).write_bytes(data)
        return f.Picture(name, hashlib.sha256(data).hexdigest())

    def fact(self, fact: f.AnyFact, utc: str = NOW) -> None:
        self.journal.append((fact,), Stamp(utc, 7, "boot"), told)

    def read(self, name: str, utc: str = NOW, data: bytes = b"picture") -> None:
        """A picture, and the fact that names it."""
        self.fact(f.Observed("cam", "card", "", "", evidence=(self.write(name, data),)), utc)

    def round(self, number: int) -> None:
        self.fact(g.RoundOpened(number, "0" * 64, "S1"))

    def there(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()}

    def close(self) -> None:
        if self.store is not None:
            self.store.close()
        self.journal.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.close()


# --- the folder -----------------------------------------------------------------------------


def test_the_folder_is_its_owners_alone(room: Room) -> None:
    room.start()
    assert stat.S_IMODE(room.folder.stat().st_mode) == 0o700


def test_a_folder_open_to_others_is_closed_to_them(room: Room) -> None:
    room.folder.mkdir()
    room.folder.chmod(0o777)
    room.start()
    assert stat.S_IMODE(room.folder.stat().st_mode) == 0o700


def test_a_link_to_another_folder_is_refused(room: Room, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "diary.jpg").write_bytes(b"")
    room.folder.symlink_to(elsewhere)
    with pytest.raises(EvidenceRefused, match="it is a link"):
        room.start()
    assert (elsewhere / "diary.jpg").exists()


def test_a_file_in_its_place_is_refused(room: Room) -> None:
    room.folder.write_bytes(b"")
    with pytest.raises(EvidenceRefused, match="folder of this user's own"):
        room.start()


def test_anothers_folder_is_refused(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.folder.mkdir()
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    with pytest.raises(EvidenceRefused, match="it belongs to user"):
        room.start()


def test_a_link_put_there_later_leads_nowhere(room: Room, tmp_path: Path) -> None:
    """The folder is swapped for a link to one with files of the same names."""
    store = room.start()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "cam-1.jpg").write_bytes(b"mine")
    room.write("cam-1.jpg")
    room.folder.rename(tmp_path / "moved")
    room.folder.symlink_to(elsewhere)
    store.remove(("cam-1.jpg",))
    assert (elsewhere / "cam-1.jpg").exists()
    assert not (tmp_path / "moved" / "cam-1.jpg").exists()


@pytest.mark.parametrize("name", ["../journal.db", "/etc/hostname", ".", "..", "a/b.jpg", ""])
def test_a_name_that_leads_out_of_the_folder_removes_and_reads_nothing(
    room: Room, name: str
) -> None:
    store = room.start()
    store.remove((name,))
    assert room.path.exists()
    handle = opened(room.folder)
    assert read_picture(handle, name) is None
    os.close(handle)


# --- what no fact names ---------------------------------------------------------------------


def test_a_picture_that_no_fact_names_goes_after_a_minute(room: Room) -> None:
    store = room.start()
    room.write("cam-1.jpg")
    room.seconds += 1
    assert store.sweep(NOW, Keep()) == []
    room.seconds += 59
    store.sweep(NOW, Keep())
    assert room.there() == {"cam-1.jpg"}, "its fact may be under way"
    room.seconds += 1
    store.sweep(NOW, Keep())
    assert room.there() == set()


def test_a_picture_whose_fact_came_in_time_stays(room: Room) -> None:
    store = room.start()
    room.write("cam-1.jpg")
    store.sweep(NOW, Keep())
    room.seconds += 59
    room.read("cam-1.jpg")
    store.sweep(NOW, Keep())
    room.seconds += 3600
    assert store.sweep(NOW, Keep()) == []
    assert room.there() == {"cam-1.jpg"}


def test_what_an_earlier_start_left_unnamed_goes_at_once(room: Room) -> None:
    room.start().close()
    room.read("cam-1.jpg")
    room.write("cam-2.jpg")
    store = room.start()
    room.write("cam-3.jpg")
    store.sweep(NOW, Keep())
    assert room.there() == {"cam-1.jpg", "cam-3.jpg"}


def test_another_journals_pictures_are_not_this_ones_to_remove(room: Room) -> None:
    """The journal was put away, and its folder was left where it was."""
    room.start()
    names = {f"a{number}.jpg" for number in range(17)}
    for name in names:
        room.write(name)
    assert room.store is not None
    room.store.close()
    room.store = None
    with pytest.raises(EvidenceRefused, match="another journal's; move the folder"):
        room.start()
    assert room.there() == names
    room.fact(f.Observed("cam", "card", "", "", evidence=(f.Picture("a0.jpg", "0" * 64),)))
    room.start().sweep(NOW, Keep())
    assert room.there() == {"a0.jpg"}


def test_while_nothing_can_be_written_what_waits_for_its_fact_is_not_removed(room: Room) -> None:
    store = room.start()
    room.write("cam-1.jpg")
    for _ in range(5):
        store.sweep(NOW, Keep(), written=False)
        room.seconds += 600
    room.read("cam-1.jpg")
    store.sweep(NOW, Keep())
    assert room.there() == {"cam-1.jpg"}


def test_strange_files_and_links_are_orphans_and_folders_are_left_alone(
    room: Room, tmp_path: Path
) -> None:
    store = room.start()
    secret = tmp_path / "secret"
    secret.write_bytes(b"")
    (room.folder / "cam-1.jpg.part").write_bytes(b"")
    (room.folder / "readme.txt").write_bytes(b"")
    (room.folder / "cam-9.jpg").symlink_to(secret)
    (room.folder / "sub").mkdir()
    os.mkfifo(room.folder / "cam-8.jpg")
    room.fact(f.Observed("cam", "card", "", "", evidence=(f.Picture("cam-9.jpg", "0" * 64),)))
    store.sweep(NOW, Keep())
    room.seconds += 60
    store.sweep(NOW, Keep())
    assert room.there() == {"sub"}
    assert secret.exists()


# --- what is kept, and for how long ---------------------------------------------------------


def test_a_stamp_of_so_many_days_ago_is_written_as_facts_are() -> None:
    assert days_before(NOW, 30) == "2026-05-31T12:00:00.000000Z"
    assert days_before("2026-06-30T12:00:00.5Z", 1) == "2026-06-29T12:00:00.500000Z"


def test_pictures_older_than_their_days_are_to_go_and_younger_ones_stay(room: Room) -> None:
    store = room.start(days=30)
    room.read("cam-1.jpg", "2026-05-31T11:59:59.999999Z")
    room.read("cam-2.jpg", "2026-05-31T12:00:00.000000Z")
    room.round(2)
    assert store.sweep(NOW, Keep()) == [Old(("cam-1.jpg",), "days")]
    assert room.there() == {"cam-1.jpg", "cam-2.jpg"}, "not before a fact says so"
    assert store.sweep(NOW, Keep()) == [], "and it is said once"


def test_beyond_the_megabytes_the_oldest_go(room: Room) -> None:
    store = room.start(megabytes=10)
    for number in range(6):
        room.read(f"cam-{number}.jpg", data=bytes([number]) * (2 * MB))
    room.round(2)
    assert store.sweep(NOW, Keep()) == [Old(("cam-0.jpg",), "space")]


def test_where_the_disk_fills_the_oldest_go(room: Room) -> None:
    store = room.start()
    for number in range(6):
        room.read(f"cam-{number}.jpg", data=bytes([number]) * MB)
    room.round(2)
    room.lacking = MB + 1
    assert store.sweep(NOW, Keep()) == [Old(("cam-0.jpg", "cam-1.jpg"), "space")]
    assert store.sweep(NOW, Keep()) == [Old(("cam-2.jpg", "cam-3.jpg"), "space")]


def test_those_of_the_last_round_stay_however_old_and_large(room: Room) -> None:
    store = room.start(days=1, megabytes=10)
    room.round(1)
    room.read("cam-1.jpg", "2020-01-01T00:00:00.000000Z", bytes(4 * MB))
    room.round(2)
    for number in (2, 3, 4):
        room.read(f"cam-{number}.jpg", "2020-01-01T00:00:00.000000Z", bytes(4 * MB))
    assert store.sweep(NOW, Keep()) == [Old(("cam-1.jpg",), "days")]


def held(number: int) -> f.TableHeld:
    return f.TableHeld(number, "unknown_card", "cam", {}, ())


def test_those_of_an_open_hold_and_of_its_round_stay(room: Room) -> None:
    store = room.start(days=1)
    old = "2020-01-01T00:00:00.000000Z"
    room.read("cam-0.jpg", old)
    room.round(1)
    room.read("cam-1.jpg", old)
    room.fact(held(1))
    room.round(2)
    room.read("cam-2.jpg", old)
    room.fact(held(2))
    room.round(3)
    kept = Keep(frozenset(("cam-0.jpg",)), frozenset((2,)))
    assert store.sweep(NOW, kept) == [Old(("cam-1.jpg",), "days")]
    assert store.sweep(NOW, Keep()) == [Old(("cam-0.jpg", "cam-2.jpg"), "days")]


def test_before_the_first_round_nothing_is_let_go(room: Room) -> None:
    store = room.start(days=1)
    room.read("cam-1.jpg", "2020-01-01T00:00:00.000000Z")
    assert store.sweep(NOW, Keep()) == []


def test_many_are_told_in_facts_of_a_few(room: Room) -> None:
    store = room.start(days=1)
    names = [f"cam-{number:04}.jpg" for number in range(BATCH + 1)]
    for name in names:
        room.read(name, "2020-01-01T00:00:00.000000Z")
    room.round(1)
    portions = [old.names for old in store.sweep(NOW, Keep())]
    assert [len(portion) for portion in portions] == [BATCH, 1]
    assert [name for portion in portions for name in portion] == names


def test_what_a_fact_has_let_go_is_removed_also_after_a_crash(room: Room) -> None:
    """The fact was written and the file was not removed yet."""
    room.start().close()
    room.read("cam-1.jpg")
    room.read("cam-2.jpg")
    room.fact(f.EvidenceRemoved(("cam-1.jpg",), "days"))
    store = room.start()
    assert store.sweep(NOW, Keep()) == []
    assert room.there() == {"cam-2.jpg"}


def test_a_journal_that_cannot_be_read_lets_nothing_go(room: Room) -> None:
    room.start().close()
    room.read("cam-1.jpg")
    store = room.start()
    room.path.rename(room.path.with_name("gone.db"))
    with pytest.raises(Exception, match="there is no journal"):
        store.sweep(NOW, Keep())
    room.path.with_name("gone.db").rename(room.path)
    assert room.there() == {"cam-1.jpg"}


# --- how a picture is -----------------------------------------------------------------------


@pytest.fixture
def handle(room: Room) -> Iterator[int]:
    room.start()
    made = opened(room.folder)
    yield made
    os.close(made)


def test_a_picture_is_kept_changed_removed_or_missing(room: Room, handle: int) -> None:
    picture = room.write("cam-1.jpg")
    assert state_of(handle, picture, removed=False) == "kept"
    (room.folder / "cam-1.jpg").write_bytes(b"pictuRe")
    assert state_of(handle, picture, removed=False) == "changed"
    (room.folder / "cam-1.jpg").unlink()
    assert state_of(handle, picture, removed=False) == "missing"
    assert state_of(handle, picture, removed=True) == "removed"
    assert state_of(None, picture, removed=False) == "missing"


def beside(path: Path) -> Path:
    other = path.with_name("other")
    other.write_bytes(b"picture")
    return other


SWAPS: dict[str, Callable[[Path], None]] = {
    "a link to the same bytes": lambda path: path.symlink_to(beside(path)),
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
}


@pytest.mark.parametrize("swap", SWAPS)
def test_what_is_no_file_is_no_picture_and_is_not_waited_for(
    room: Room, handle: int, swap: str
) -> None:
    picture = room.write("cam-1.jpg")
    (room.folder / "cam-1.jpg").unlink()
    SWAPS[swap](room.folder / "cam-1.jpg")
    assert state_of(handle, picture, removed=False) == "missing"
