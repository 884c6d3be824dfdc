"""`dealer-station round export` and `verify`: one file, whole, the same for the same round."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from station.audit import keys
from station.cli_journal import backup
from station.evidence import folder_of
from station.records import parcel
from station.records.check import check
from station.table import inputs as i
from tests.support.eventful import OPEN, SETTLED, VOID, eventful
from tests.support.exported import export, public, run, told
from tests.support.ledger import Ledger


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return eventful(tmp_path_factory.mktemp("records") / "journal.db")


@pytest.fixture(scope="module")
def exported(table: Ledger, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Round 1, with pictures, a split and later marks."""
    file = tmp_path_factory.mktemp("exported") / "r1.zip"
    export(table, 1, file)
    return file


# --- one file -------------------------------------------------------------------------------


def test_every_round_that_is_over_verifies_against_the_stations_key(
    table: Ledger, tmp_path: Path
) -> None:
    key = public(table, tmp_path)
    for round_ in (*SETTLED, *VOID):
        file = tmp_path / f"{round_}.zip"
        export(table, round_, file)
        found = told("round", "verify", file, "--key", key)
        assert (found["ok"], found["fault"], found["sealed"], found["trusted"]) == (
            True,
            "",
            True,
            True,
        )
        assert found["manifest"]["round"] == round_
        assert found["cards"] > 0
        assert found["lines"] > 0


def test_the_file_needs_nothing_else_neither_journal_nor_pictures_nor_key(
    exported: Path, tmp_path: Path
) -> None:
    """In a process of its own, in an empty folder, with the file alone."""
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(exported, alone / "given.zip")
    code = "from station.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "round", "verify", "given.zip", "--json"],
        cwd=alone,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        check=False,
        timeout=100,
    )
    found = json.loads(done.stdout)
    assert (done.returncode, found["ok"], found["pictures"]) == (0, True, 4)
    assert sorted(file.name for file in alone.iterdir()) == ["given.zip"]


def test_equal_rounds_give_equal_bytes_from_a_copy_too(
    table: Ledger, exported: Path, tmp_path: Path
) -> None:
    again, copy = tmp_path / "again.zip", tmp_path / "copy.db"
    export(table, 1, again)
    assert again.read_bytes() == exported.read_bytes()
    backup(table.path, copy)
    shutil.copytree(folder_of(table.path), folder_of(copy))
    run("round", "export", "1", tmp_path / "copied.zip", "--journal", copy)
    assert (tmp_path / "copied.zip").read_bytes() == exported.read_bytes()


def test_any_unzip_program_opens_it(exported: Path) -> None:
    with zipfile.ZipFile(exported) as opened:
        assert opened.testzip() is None
        names = opened.namelist()
        assert names == sorted(names)
        assert set(parcel.FIXED) | {parcel.MANIFEST} <= set(names)
        assert {info.date_time for info in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {info.external_attr >> 16 & 0o777 for info in opened.infolist()} == {0o600}
        text = opened.read(parcel.TEXTS["en"]).decode()
        assert "── LAYOUT" in text
        assert "MARKED: dealt from a short shoe" in text
        assert "── 레이아웃" in opened.read(parcel.TEXTS["ko"]).decode()


def test_the_facts_run_from_the_seal_before_the_round_to_the_one_that_ends_it(
    table: Ledger, tmp_path: Path
) -> None:
    ends = [row[0] for row in table.journal.db.execute("SELECT seq FROM seals ORDER BY seq")]
    for round_ in (*SETTLED, *VOID):
        export(table, round_, tmp_path / f"{round_}.zip")
        manifest = check(tmp_path / f"{round_}.zip").manifest
        assert manifest is not None
        assert manifest.last in ends
        assert manifest.first - 1 in ends
        assert not [seq for seq in ends if manifest.opened <= seq < manifest.last]


def test_it_is_its_owners_alone_and_never_written_over_what_is_there(
    table: Ledger, exported: Path, tmp_path: Path
) -> None:
    assert stat.S_IMODE(exported.stat().st_mode) == 0o600
    there, link = tmp_path / "there.zip", tmp_path / "link.zip"
    there.write_text("mine")
    link.symlink_to(tmp_path / "nowhere")
    for file in (there, link):
        assert "exists already" in export(table, 1, file, code=2)
    assert there.read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_what_cannot_be_written_whole_is_not_there_at_all(table: Ledger, tmp_path: Path) -> None:
    said = export(table, 1, tmp_path / "none" / "r.zip", code=2)
    assert "name another place" in said
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)); "
        "from station.cli import main; main()"
    )
    file = tmp_path / "r.zip"
    words = ["round", "export", "1", str(file), "--journal", str(table.path)]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, check=False, timeout=100
    )
    assert done.returncode == 2
    assert b"nothing was exported" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_round_that_still_runs_is_refused_and_told_how(table: Ledger, tmp_path: Path) -> None:
    file = tmp_path / "last.zip"
    said = export(table, "last", file, code=2)
    assert f"round {OPEN} is still running" in said
    assert "--unfinished" in said
    export(table, "last", file, "--unfinished")
    found = told("round", "verify", file)
    assert (found["ok"], found["sealed"], found["cards"]) == (True, False, 2)
    assert "the round was still running when it was exported" in found["unproven"]


def test_a_journal_without_seals_is_exported_and_told_as_not_sealed(tmp_path: Path) -> None:
    table = eventful(tmp_path / "journal.db", sealed=False)
    assert "NOT SEALED" in export(table, 3, tmp_path / "r.zip")
    text = run("round", "verify", tmp_path / "r.zip")
    assert "NOT PROVEN: not sealed: nobody signed where the round ended" in text
    assert "NOT PROVEN: no seal before the round" in text
    key = public(eventful(tmp_path / "other.db"), tmp_path)
    said = run("round", "verify", tmp_path / "r.zip", "--key", key, code=1)
    assert "nothing is sealed" in said


def test_pictures_that_are_gone_are_named_and_the_rest_is_exported(tmp_path: Path) -> None:
    table = eventful(tmp_path / "journal.db")
    folder = folder_of(table.path)
    (folder / "a2.jpg").unlink()
    (folder / "a3.jpg").write_bytes(b"another")
    table.give(i.EvidenceOld(("a0.jpg",), "days"))
    (folder / "a0.jpg").unlink()
    said = export(table, 1, tmp_path / "r.zip", code=1)
    assert "missing  a2.jpg" in said
    assert "changed  a3.jpg" in said
    assert "removed  a0.jpg" in said
    found = told("round", "verify", tmp_path / "r.zip")
    assert (found["ok"], found["pictures"]) == (True, 1)
    assert sum("a2.jpg" in one for one in found["unproven"]) == 1


# --- keys -----------------------------------------------------------------------------------


def test_another_stations_key_is_told_apart(table: Ledger, exported: Path, tmp_path: Path) -> None:
    other = public(eventful(tmp_path / "other.db"), tmp_path)
    said = run("round", "verify", exported, "--key", other, code=1)
    assert "which is not the one given" in said
    assert told("round", "verify", exported)["trusted"] is False
    assert "is the file's own: compare it" in run("round", "verify", exported)


def test_a_key_that_was_changed_is_trusted_through_the_one_before(tmp_path: Path) -> None:
    table = Ledger(tmp_path / "journal.db").open_table()
    old = public(table, tmp_path)
    table.close_file()
    from station.journal import Journal

    table.journal = Journal(table.path)
    table.journal.change_key()
    table.deal("5H TC 9D 6C 8S").act("stand", "stand")
    table.cards("8H")
    table.clear()
    export(table, 1, tmp_path / "r.zip")
    assert told("round", "verify", tmp_path / "r.zip", "--key", old)["trusted"] is True
    new = public(table, tmp_path)
    before = told("round", "verify", tmp_path / "r.zip", "--key", new, code=1)
    assert "which is not the one given" in before["fault"]


@pytest.mark.parametrize("kind", ["none", "private", "text"])
def test_what_is_no_public_key_is_refused(
    table: Ledger, exported: Path, tmp_path: Path, kind: str
) -> None:
    file = tmp_path / "key.pem"
    if kind == "private":
        file.write_bytes(keys.file_of(table.path).read_bytes())
    elif kind == "text":
        file.write_text("no key")
    said = run("round", "verify", exported, "--key", file, code=2)
    assert said.startswith("dealer-station: ")
    assert "key.pem" in said
