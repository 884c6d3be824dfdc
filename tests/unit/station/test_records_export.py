"""`dealer-station round export` and `verify`: one file, whole, the same for the same round."""

from __future__ import annotations

import json
import os
import random
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from station.audit import keys
from station.cli import app
from station.cli_journal import backup
from station.evidence import folder_of
from station.records import archive, parcel
from station.records.archive import ArchiveRefused, packed, unpacked
from station.records.check import check
from station.table import inputs as i
from tests.support.dice import LONG
from tests.support.eventful import OPEN, SETTLED, VOID, eventful
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


def run(*words: str | Path, code: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == code, done.output
    return done.output


def export(table: Ledger, round_: int | str, file: Path, *more: str, code: int = 0) -> str:
    return run("round", "export", str(round_), file, *more, "--journal", table.path, code=code)


def public(table: Ledger, folder: Path) -> Path:
    """The station's public key, as another machine is given it."""
    private = keys.read_private(keys.file_of(table.path))
    assert private is not None
    file = folder / "public.pem"
    file.write_text(keys.pem(private.public_key()))
    return file


def told(*words: str | Path, code: int = 0) -> Any:
    return json.loads(run(*words, "--json", code=code))


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


# --- a changed byte -------------------------------------------------------------------------


def test_one_changed_byte_anywhere_is_found(exported: Path, tmp_path: Path) -> None:
    """In every part, its header, its entry in the directory and the end: by seed, all bits."""
    data = exported.read_bytes()
    parts = unpacked(data, parcel.proper)
    rng = random.Random(6)
    places: list[int] = [0, len(data) - 1]
    at = 0
    for name, part in sorted(parts.items()):
        begin = at + 30 + len(name)
        places += rng.sample(range(at, begin), 6)
        size = len(part)
        places += [begin + rng.randrange(size) for _ in range(min(size, 8 * LONG))]
        at = begin + size
    places += rng.sample(range(at, len(data)), 60)
    file = tmp_path / "changed.zip"
    for place in places:
        changed = bytearray(data)
        changed[place] ^= 1 << rng.randrange(8)
        file.write_bytes(changed)
        assert check(file).fault, place
    for cut in rng.sample(range(len(data)), 20):
        file.write_bytes(data[:cut])
        assert check(file).fault, cut
    file.write_bytes(data + b"\0")
    assert check(file).fault
    file.write_bytes(data)
    assert check(file).fault == ""


def resealed(parts: dict[str, bytes], **changes: Any) -> bytes:
    """The file a forger would make: each part changed as he likes, every sum made good again."""
    import msgspec

    manifest = msgspec.json.decode(parts[parcel.MANIFEST], type=parcel.Manifest)
    rest = {name: data for name, data in parts.items() if name != parcel.MANIFEST}
    listed = tuple(parcel.part_of(name, data) for name, data in sorted(rest.items()))
    fresh = msgspec.structs.replace(manifest, parts=listed, **changes)
    return packed({**rest, parcel.MANIFEST: parcel.document(fresh)})


def test_a_changed_part_with_its_sums_made_good_is_still_found(
    table: Ledger, exported: Path, tmp_path: Path
) -> None:
    data = exported.read_bytes()
    trusted = keys.read_public(public(table, tmp_path))
    parts = unpacked(data, parcel.proper)
    assert resealed(parts) == data
    rng = random.Random(7)
    file = tmp_path / "forged.zip"
    for name, part in sorted(parts.items()):
        if name == parcel.MANIFEST:
            continue
        for _ in range(12 * LONG):
            changed = bytearray(part)
            place = rng.randrange(len(part))
            changed[place] ^= 1 << rng.randrange(8)
            file.write_bytes(resealed({**parts, name: bytes(changed)}))
            found = check(file, trusted)
            assert found.fault, (name, place)


def test_a_manifest_that_says_otherwise_is_found(
    table: Ledger, exported: Path, tmp_path: Path
) -> None:
    parts = unpacked(exported.read_bytes(), parcel.proper)
    file = tmp_path / "forged.zip"
    manifest = check(exported).manifest
    assert manifest is not None
    changes: tuple[dict[str, Any], ...] = (
        {"round": 2},
        {"table": "T02"},
        {"kind": "live"},
        {"first": manifest.first + 1},
        {"last": manifest.last - 1},
        {"opened": manifest.opened + 1},
        {"before": "1" * 64},
        {"head": "1" * 64},
        {"finished": False},
        {"digits": 2},
        {"pictures": ()},
        {"pictures": manifest.pictures[:-1]},
        {"version": 2},
    )
    for change in changes:
        file.write_bytes(resealed(parts, **change))
        assert check(file).fault, change


def test_a_part_left_out_or_another_rounds_part_is_found(
    table: Ledger, exported: Path, tmp_path: Path
) -> None:
    export(table, 2, tmp_path / "other.zip")
    parts = unpacked(exported.read_bytes(), parcel.proper)
    other = unpacked((tmp_path / "other.zip").read_bytes(), parcel.proper)
    file = tmp_path / "forged.zip"
    for name in parts:
        if name != parcel.MANIFEST:
            file.write_bytes(resealed({n: d for n, d in parts.items() if n != name}))
            assert check(file).fault, name
        if name in other and other[name] != parts[name]:
            file.write_bytes(packed({**parts, name: other[name]}))
            assert check(file).fault, name


# --- a file that is not to be trusted -------------------------------------------------------


def written(tmp_path: Path, method: int = zipfile.ZIP_STORED, **parts: bytes) -> Path:
    file = tmp_path / "bad.zip"
    with zipfile.ZipFile(file, "w", method) as out:
        for name, data in parts.items():
            out.writestr(name, data)
    return file


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../../etc/passwd", "leads out of the file"),
        ("/etc/passwd", "leads out of the file"),
        ("pictures/../../x.jpg", "leads out of the file"),
        ("C:\\x.jpg", "leads out of the file"),
        ("pictures/UPPER.JPG", "no such part"),
        ("pictures/deep/x.jpg", "no such part"),
        ("notes.txt", "no such part"),
        ("", "no such part"),
        ("pictures/a\x1b[2J.jpg", "no such part"),
    ],
)
def test_parts_of_other_names_are_refused(tmp_path: Path, name: str, words: str) -> None:
    file = tmp_path / "bad.zip"
    file.write_bytes(packed({name: b"x"}))
    said = run("round", "verify", file, code=1)
    assert words in said
    assert "\x1b" not in said
    assert sorted(one.name for one in tmp_path.iterdir()) == ["bad.zip"]


def test_a_part_that_is_there_twice_is_refused(exported: Path, tmp_path: Path) -> None:
    data = exported.read_bytes()
    size = 30 + len(parcel.FACTS) + len(unpacked(data, parcel.proper)[parcel.FACTS])
    file = tmp_path / "twice.zip"
    file.write_bytes(data[:size] + data)
    assert "it is there twice" in check(file).fault


def test_what_would_swell_when_unpacked_is_refused_before_it_does(tmp_path: Path) -> None:
    bomb = written(tmp_path, zipfile.ZIP_DEFLATED, **{parcel.FACTS: b"0" * 50_000_000})
    assert bomb.stat().st_size < 100_000
    assert "is compressed or encrypted" in check(bomb).fault


def test_sizes_that_are_not_true_are_refused(exported: Path, tmp_path: Path) -> None:
    data = bytearray(exported.read_bytes())
    file = tmp_path / "bad.zip"
    data[18:26] = b"\xff" * 8
    file.write_bytes(data)
    assert "its size is not true" in check(file).fault


def test_more_than_a_round_can_be_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "big.zip"
    with file.open("wb") as out:
        out.truncate(archive.FILE_BYTES + 1)
    said = run("round", "verify", file, code=2)
    assert "no round is" in said


def test_too_many_parts_are_refused() -> None:
    parts = {f"pictures/{number}.jpg": b"" for number in range(archive.PARTS + 1)}
    with pytest.raises(ArchiveRefused, match="no round has as many"):
        unpacked(packed(parts), parcel.proper)


@pytest.mark.parametrize("what", ["none", "folder", "pipe", "empty", "text"])
def test_what_is_no_file_of_ours_is_refused_in_plain_words(tmp_path: Path, what: str) -> None:
    file = tmp_path / "given"
    if what == "folder":
        file.mkdir()
    elif what == "pipe":
        os.mkfifo(file)
    elif what in ("empty", "text"):
        file.write_text("" if what == "empty" else "PK and then some text")
    said = run("round", "verify", file, code=1 if what in ("empty", "text") else 2)
    assert "round export" in said
    assert "Traceback" not in said


def test_json_that_nests_without_end_is_refused(exported: Path, tmp_path: Path) -> None:
    parts = unpacked(exported.read_bytes(), parcel.proper)
    file = tmp_path / "deep.zip"
    for name in (parcel.MANIFEST, parcel.BEFORE, parcel.SEALS):
        deep = {**parts, name: b"[" * 200_000}
        file.write_bytes(packed(deep) if name == parcel.MANIFEST else resealed(deep))
        assert name in check(file).fault
