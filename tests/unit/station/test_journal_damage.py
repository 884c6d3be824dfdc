"""No change of a sealed journal passes: the first bad fact is named, or what else is wrong."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from station.audit import keys
from station.audit.reading import hash_of
from station.audit.seals import seal_text
from station.cli_audit import notes
from station.journal import (
    Journal,
    JournalDamaged,
    JournalError,
    Row,
    rows,
    state_digest,
    verify,
)
from station.table.state import Table
from tests.support.audit import content, edit, flip, sealed_journal

LONG = int(os.environ.get("DEALER_STATION_TEST_LONG", "1"))


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sealed") / "journal.db"
    sealed_journal(path)
    return path


@pytest.fixture
def path(original: Path, tmp_path: Path) -> Path:
    """A copy of a journal of a start and three rounds, with its key."""
    path = tmp_path / "journal.db"
    path.write_bytes(original.read_bytes())
    keys.file_of(path).write_bytes(keys.file_of(original).read_bytes())
    keys.file_of(path).chmod(0o600)
    return path


def column(path: Path, query: str) -> list[object]:
    db = sqlite3.connect(path)
    try:
        return [row[0] for row in db.execute(query)]
    finally:
        db.close()


def public(path: Path) -> Ed25519PublicKey:
    private = keys.read_private(keys.file_of(path))
    assert private is not None
    return private.public_key()


# --- damage ---------------------------------------------------------------------------------

SAMPLE = (1, 2, 15, 32, 33, 52, 60, 72, 74)
COLUMNS = ("utc", "mono_ns", "boot", "round", "kind", "version", "body", "prev", "hash")


def altered(path: Path, table: str, name: str, seq: int) -> None:
    """Another value of the same type in that cell."""
    with sqlite3.connect(path) as db:
        query = f"SELECT {name}, typeof({name}) FROM {table} WHERE seq=?"
        value, kind = db.execute(query, (seq,)).fetchone()
        if kind == "integer":
            value += 1
        else:
            at = len(value) // 2
            value = value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :]
        db.execute(f"UPDATE {table} SET {name}=? WHERE seq=?", (value, seq))
    db.close()


@pytest.mark.parametrize("name", COLUMNS)
def test_a_changed_byte_in_any_column_names_the_fact(original: Path, path: Path, name: str) -> None:
    for seq in SAMPLE:
        path.write_bytes(original.read_bytes())
        kind = column(path, f"SELECT kind FROM facts WHERE seq={seq}")[0]
        altered(path, "facts", name, seq)
        shown = r"\S+" if name == "kind" else kind
        with pytest.raises(JournalDamaged, match=rf"fact {seq} \({shown}\)"):
            verify(path)


def test_a_changed_command_id_names_the_fact(original: Path, path: Path) -> None:
    seqs = column(path, "SELECT seq FROM facts WHERE command IS NOT NULL")
    assert seqs
    for seq in seqs:
        for change in ("command||'x'", "NULL"):
            path.write_bytes(original.read_bytes())
            edit(path, f"UPDATE facts SET command={change} WHERE seq={seq}")
            with pytest.raises(JournalDamaged, match=rf"fact {seq} \(CommandAnswered\)"):
                verify(path)
    edit(path, "UPDATE facts SET command='other' WHERE seq=1")
    with pytest.raises(JournalDamaged, match=r"fact 1 \(StationStarted\)"):
        verify(path)


@pytest.mark.parametrize("seq", [1, 2, 31, 32, 53])
def test_a_deleted_row_is_named(path: Path, seq: int) -> None:
    edit(path, f"DELETE FROM facts WHERE seq={seq}")
    with pytest.raises(JournalDamaged, match=f"where fact {seq} should be"):
        verify(path)


def test_a_truncated_end_is_told_by_the_seal_whose_fact_is_missing(path: Path) -> None:
    edit(path, "DELETE FROM facts WHERE seq>60", "DELETE FROM outbox WHERE seq>60")
    with pytest.raises(JournalDamaged, match=r"facts 61 to 72 are missing: fact 72 was sealed"):
        verify(path)


def test_a_truncated_end_with_its_seal_is_found_in_the_outbox(path: Path) -> None:
    edit(path, "DELETE FROM facts WHERE seq>60", "DELETE FROM seals WHERE seq>60")
    with pytest.raises(JournalDamaged, match="there is no such fact"):
        verify(path)


@pytest.mark.parametrize("seq", [2, 32, 52, 72])
def test_a_deleted_seal_is_missed_at_its_fact(path: Path, seq: int) -> None:
    edit(path, f"DELETE FROM seals WHERE seq={seq}")
    kind = "StationStarted" if seq == 2 else "RoundSettled"
    with pytest.raises(JournalDamaged, match=rf"fact \d+ \({kind}\): it was sealed"):
        verify(path)


@pytest.mark.parametrize("name", ["seq", "hash", "state", "format", "key", "signature"])
@pytest.mark.parametrize("seq", [2, 52, 72])
def test_a_changed_seal_names_its_fact(path: Path, name: str, seq: int) -> None:
    altered(path, "seals", name, seq)
    with pytest.raises(JournalDamaged, match=r"fact \d+ \(\w+\): .*seal|are missing"):
        verify(path)


def test_a_seal_of_another_fact_is_not_this_ones(path: Path) -> None:
    edit(
        path,
        "UPDATE seals SET state=(SELECT state FROM seals WHERE seq=32), signature="
        "(SELECT signature FROM seals WHERE seq=32) WHERE seq=52",
    )
    with pytest.raises(JournalDamaged, match=r"fact 52 \(RoundSettled\).*signature"):
        verify(path)


@pytest.mark.parametrize("name", ["seq", "public", "signer", "signature"])
def test_a_changed_key_is_found(path: Path, name: str) -> None:
    altered(path, "keys", name, 1)
    with pytest.raises(JournalDamaged):
        verify(path)


def test_all_seals_and_keys_taken_away_is_found_by_the_public_key(path: Path) -> None:
    """Then it looks like an earlier release's: only who kept the key can tell."""
    kept = public(path)
    edit(path, "DELETE FROM seals", "DELETE FROM keys")
    assert any("nothing is sealed" in note for note in notes(verify(path)))
    with pytest.raises(JournalDamaged, match="nothing in it is sealed"):
        verify(path, kept)


def rewritten(path: Path, first: int, change: Callable[[Row], Row]) -> None:
    """One fact changed, and every hash from there on made anew."""
    with sqlite3.connect(path) as db:
        stored = list(rows(db))
        head = stored[first - 2].hash
        for row in stored[first - 1 :]:
            new = (change(row) if row.seq == first else row)._replace(prev=head)
            head = hash_of(new)
            db.execute(
                "UPDATE facts SET utc=?, body=?, prev=?, hash=? WHERE seq=?",
                (new.utc, new.body, new.prev, head, new.seq),
            )
        db.execute("DELETE FROM checkpoints")
    db.close()


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row._replace(body=row.body.replace("1000", "9000")),
        lambda row: row._replace(utc="2026-01-01T00:59:59.000000Z"),
    ],
    ids=["a stake", "a time"],
)
def test_a_fact_rewritten_with_the_whole_chain_after_it_is_found_by_the_seals(
    path: Path, change: Callable[[Row], Row]
) -> None:
    """Hashes can be made anew by anybody; signatures cannot."""
    rewritten(path, 17, change)
    with pytest.raises(JournalDamaged, match=r"fact 32 \(RoundSettled\): its seal is of another h"):
        verify(path)


def test_a_signed_state_that_is_not_the_fold_is_found(path: Path) -> None:
    """What a station that folds wrongly would sign."""
    private = keys.read_private(keys.file_of(path))
    assert private is not None
    hash_ = str(column(path, "SELECT hash FROM seals WHERE seq=52")[0])
    state = state_digest(Table())
    mark = keys.sign(private, seal_text("T01", 52, hash_, state))
    edit(path, f"UPDATE seals SET state='{state}', signature='{mark}' WHERE seq=52")
    with pytest.raises(JournalDamaged, match=r"fact 52 \(RoundSettled\): .* another state"):
        verify(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE checkpoints SET state=replace(state,'1001','1002')",
        "UPDATE checkpoints SET digest=upper(digest)",
        "UPDATE checkpoints SET hash=upper(hash)",
        "UPDATE checkpoints SET seq=seq+1",
        "UPDATE checkpoints SET seq=seq+1000",
        "UPDATE checkpoints SET format='0.0.9:0123456789abcdef'",
        "UPDATE outbox SET seq=14 WHERE seq=13",
        "UPDATE outbox SET seq=1000 WHERE seq=73",
        "UPDATE outbox SET audience='hosu' WHERE seq=13",
        "UPDATE outbox SET taken=35 WHERE seq=37",
        "UPDATE outbox SET taken=1 WHERE seq=35",
        "UPDATE outbox SET taken=0 WHERE seq=13",
        "DELETE FROM outbox WHERE seq=52",
        "INSERT INTO outbox VALUES (54,'host',0)",
        "INSERT INTO carried SELECT * FROM facts WHERE seq=2",
        "CREATE TABLE other (x)",
        "DROP INDEX facts_command",
    ],
)
def test_no_other_table_of_the_file_can_be_changed_in_silence(path: Path, statement: str) -> None:
    good = verify(path)
    edit(path, statement)
    if statement == "DROP INDEX facts_command":
        # The next start makes it again, and nothing is lost by it.
        assert verify(path) == good
        return
    with pytest.raises(JournalDamaged):
        verify(path)


def test_no_flipped_bit_of_the_file_passes_unless_it_means_nothing(
    original: Path, tmp_path: Path
) -> None:
    """Bits by seed over the whole file: refused, or every row of every table is as it was."""
    data, wanted, good = original.read_bytes(), content(original), verify(original)
    chance = random.Random(6)
    lengths: list[int] = []
    for number in range(400 * LONG):
        copy = tmp_path / f"{number % 2}.db"
        copy.write_bytes(data)
        at, bit = chance.randrange(len(data)), chance.randrange(8)
        flip(copy, at, bit)
        try:
            told_ = verify(copy)
        except JournalError as error:
            lengths.append(len(str(error)))
            continue
        assert (told_, content(copy)) == (good, wanted), (at, bit)
    assert len(lengths) > 100 * LONG
    assert max(lengths) < 700


def test_a_flipped_bit_stops_a_start_with_one_line(original: Path, tmp_path: Path) -> None:
    """The start skips what a checkpoint covers, but nothing else than a journal's error comes."""
    data, chance = original.read_bytes(), random.Random(7)
    refused = 0
    for number in range(60 * LONG):
        copy = tmp_path / f"{number}.db"
        copy.write_bytes(data)
        flip(copy, chance.randrange(len(data)), chance.randrange(8))
        try:
            journal = Journal(copy)
        except JournalError:
            refused += 1
            continue
        try:
            journal.load()
        except JournalError:
            refused += 1
        finally:
            journal.close()
        copy.unlink()
    assert refused


def test_an_index_that_leads_elsewhere_than_its_rows_is_found(original: Path, path: Path) -> None:
    """By it a command's answer is found: with a false one it would be done again."""
    db = sqlite3.connect(path)
    (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name='facts_command'").fetchone()
    (size,) = db.execute("PRAGMA page_size").fetchone()
    db.close()
    data = path.read_bytes()
    commands = [str(one) for one in column(path, "SELECT command FROM facts WHERE command NOTNULL")]
    places = [data.find(one.encode(), (page - 1) * size, page * size) for one in commands]
    assert len(places) > 10
    assert -1 not in places
    for at in places:
        path.write_bytes(original.read_bytes())
        flip(path, at, 0)
        with pytest.raises(JournalDamaged):
            verify(path)
