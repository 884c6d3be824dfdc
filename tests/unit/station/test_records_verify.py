"""`dealer-station round verify`: a file that is another's word, changed, forged or made to harm."""

from __future__ import annotations

import json
import os
import random
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from station.audit import keys
from station.audit.reading import hash_of
from station.journal import Row
from station.records import archive, parcel
from station.records.archive import ArchiveRefused, packed, unpacked
from station.records.check import check
from station.records.sealing import Seals
from tests.support.dice import LONG
from tests.support.eventful import eventful
from tests.support.exported import export, public, resealed, run
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


def test_names_that_would_steer_a_terminal_are_told_harmlessly(
    exported: Path, tmp_path: Path
) -> None:
    parts = unpacked(exported.read_bytes(), parcel.proper)
    file = tmp_path / "forged.zip"
    file.write_bytes(resealed(parts, table="T\x1b[2J\u202e", release="\x1b]0;x\x07"))
    assert check(file).fault
    said = run("round", "verify", file, code=1)
    assert not [one for one in said.replace("\n", "") if not one.isprintable()]


@pytest.mark.parametrize("digits", [-1, 4, 10**9])
def test_amounts_of_absurd_digits_are_refused_unwritten(
    exported: Path, tmp_path: Path, digits: int
) -> None:
    parts = unpacked(exported.read_bytes(), parcel.proper)
    file = tmp_path / "forged.zip"
    file.write_bytes(resealed(parts, digits=digits))
    assert parcel.MANIFEST in check(file).fault


# What a forger might put in place of any value.
_STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 2, 99, 2**70, 1.5, "", "P1", "\x00", "A" * 5000),
    *([], {}, [1], ["P1", "P1"], {"rank": "A", "suit": "S", "set": "A", "deck": 1}),
)


def strange(value: Any, rng: random.Random) -> Any:
    """The same with one value in it, at any depth, another one."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(sorted(value))
        return {**value, name: strange(value[name], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], strange(value[at], rng), *value[at + 1 :]]
    return rng.choice(_STRANGE)


def test_facts_of_any_shape_in_a_chain_that_fits_are_a_fault_and_never_a_crash(
    exported: Path, tmp_path: Path
) -> None:
    """Whoever can do sums can chain anything; without the seals only reading and rules are left."""
    parts = unpacked(exported.read_bytes(), parcel.proper)
    facts = [
        msgspec.json.decode(line, type=parcel.Fact) for line in parts[parcel.FACTS].splitlines()
    ]
    manifest = msgspec.json.decode(parts[parcel.MANIFEST], type=parcel.Manifest)
    seals = parcel.document(Seals())
    rng, file, passed = random.Random(11), tmp_path / "forged.zip", 0
    for _ in range(150 * LONG):
        target, prev, rows = rng.randrange(len(facts)), manifest.before, []
        for at, fact in enumerate(facts):
            body = fact.body
            if at == target:
                body = json.dumps(strange(json.loads(body), rng))
            row = Row(*msgspec.structs.astuple(fact))._replace(body=body, prev=prev)
            row = row._replace(hash=hash_of(row))
            prev = row.hash
            rows.append(row)
        forged = {**parts, parcel.FACTS: parcel.lines_of(rows), parcel.SEALS: seals}
        file.write_bytes(resealed(forged, head=prev))
        passed += check(file).fault == ""
    # Of a command's digest or a link's name neither rules nor texts can tell: that is the seal's.
    assert passed < 15 * LONG


def test_a_table_before_of_any_shape_is_a_fault_and_never_a_crash(
    exported: Path, tmp_path: Path
) -> None:
    parts = unpacked(exported.read_bytes(), parcel.proper)
    before = json.loads(parts[parcel.BEFORE])
    seals = parcel.document(Seals())
    rng, file = random.Random(12), tmp_path / "forged.zip"
    for _ in range(100 * LONG):
        state = json.dumps(strange(before, rng)).encode()
        file.write_bytes(resealed({**parts, parcel.BEFORE: state, parcel.SEALS: seals}))
        check(file)
