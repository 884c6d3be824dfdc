"""Seals: each round's end is signed with the station's key, and no change of the file passes."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from station.audit import keys
from station.audit.files import verify_files
from station.audit.seals import ENDS, seal_text
from station.cli_audit import notes, verified_document
from station.clock import SystemClock
from station.daemon import Daemon
from station.journal import (
    Journal,
    JournalDamaged,
    JournalError,
    Stamp,
    rows,
    state_digest,
    verify,
)
from station.quarantine import quarantine
from station.table import facts as f
from station.table.evolve import fold
from station.table.facts import Person
from station.table.state import Table
from station.telling import told
from tests.support.audit import Writing, edit, sealed_journal
from tests.support.play import Play
from tests.unit.station.test_journal import config

STAMP = Stamp("2026-01-01T00:00:00.000000Z", 7, "boot")
BOTH = (
    Person("4001", "최민호", "technician"),
    Person("3001", "김도윤", "shift_manager"),
)


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


# --- what is sealed -------------------------------------------------------------------------


def test_a_start_and_every_end_of_a_round_are_sealed_with_their_facts(path: Path) -> None:
    db = sqlite3.connect(path)
    sealed = {seq for (seq,) in db.execute("SELECT seq FROM seals")}
    ends = {row.seq for row in rows(db) if row.kind in ENDS}
    start = [row.seq for row in rows(db, kind="RulesSet")]
    db.close()
    assert len(ends) == 3
    assert sealed == ends | set(start)


def test_a_seal_signs_the_table_the_last_fact_and_the_state_there(path: Path) -> None:
    """Checked from the rows alone, as another program would."""
    db = sqlite3.connect(path)
    found = db.execute("SELECT seq, hash, state, key, signature FROM seals").fetchall()
    stored = list(rows(db))
    db.close()
    for seq, hash_, state, key, signature in found:
        assert hash_ == stored[seq - 1].hash
        assert state == state_digest(fold(Table(), [row.fact for row in stored[:seq]]))
        text = f"dealer-station seal 1\nT01\n{seq}\n{hash_}\n{state}\n"
        assert text == seal_text("T01", seq, hash_, state)
        public(path).verify(bytes.fromhex(signature), text.encode())
        assert key == keys.fingerprint(public(path))


def test_a_fact_that_is_not_stored_is_not_sealed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    play = Writing(journal).open_table()
    answer = next(fact for fact in play.facts if isinstance(fact, f.CommandAnswered))
    start = f.StationStarted("T01", "test", "0", ())
    before = column(journal.path, "SELECT COUNT(*) FROM seals")
    with pytest.raises(sqlite3.IntegrityError):
        journal.append((start, answer), STAMP, told, after=play.table)
    assert column(journal.path, "SELECT COUNT(*) FROM seals") == before
    journal.close()
    verify(journal.path)


def test_facts_after_the_last_seal_are_told_as_not_sealed_yet(path: Path) -> None:
    found = verify(path)
    last = max(int(str(seq)) for seq in column(path, "SELECT seq FROM seals"))
    assert found.sealed.unsealed == found.facts - last > 0
    assert any("not sealed yet: 2 facts" in note for note in notes(found))


def test_without_the_public_key_it_says_that_the_journals_own_were_used(path: Path) -> None:
    own, given = verify_files([path]), verify_files([path], public(path))
    assert any("journal's own keys" in note for note in verified_document([path], own)["notes"])
    assert verified_document([path], given)["checked_with"] == keys.fingerprint(public(path))
    assert not any("own keys" in note for note in notes(given[0]))


def test_a_journal_of_an_earlier_release_verifies_and_is_sealed_from_its_next_start(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    play = Play().open_table().deal("5H TC 9D", (1,)).act("stand")
    play.cards("TS")
    play.clear()
    journal = Journal(path)
    journal.append(tuple(play.facts), STAMP, told)
    journal.close()
    edit(path, "DROP TABLE seals", "DROP TABLE keys", "DROP TABLE carried")
    assert any("nothing is sealed" in note for note in notes(verify(path)))
    text = '[table]\nid = "T01"\nkind = "test"\n'
    Daemon(config(tmp_path, text)).stop()
    found = verify(path)
    assert (found.sealed.seals, found.sealed.unsealed) == (1, 0)


def test_the_next_journal_after_damage_is_sealed_from_its_first_fact(path: Path) -> None:
    edit(path, "UPDATE facts SET round=9 WHERE seq=60")
    quarantine(path, BOTH, SystemClock())
    found = verify(path, public(path))
    assert (found.facts, found.sealed.seals) == (2, 1)


# --- the key --------------------------------------------------------------------------------


def test_the_key_is_its_owners_alone(path: Path) -> None:
    assert stat.S_IMODE(keys.file_of(path).stat().st_mode) == 0o600
    assert not keys.file_of(path).with_name("journal.db.key.new").exists()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o620])
def test_a_key_others_may_read_or_change_is_refused_with_what_to_do(
    tmp_path: Path, path: Path, mode: int
) -> None:
    keys.file_of(path).chmod(mode)
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"others may read.*chmod 600"):
        Daemon(config(tmp_path, '[table]\nid = "T01"\nkind = "test"\n'))
    assert verify(path).facts == 74
    assert len(before) <= path.stat().st_size


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lambda file: file.unlink(), "no such file"),
        (lambda file: (file.unlink(), keys.make(file)), "another key"),
        (lambda file: file.write_text("nothing"), "no private key"),
    ],
)
def test_a_key_that_is_gone_or_another_is_never_made_anew_in_silence(
    path: Path, harm: Callable[[Path], object], says: str
) -> None:
    harm(keys.file_of(path))
    journal = Journal(path)
    start = f.StationStarted("T01", "test", "0", ())
    with pytest.raises(keys.KeyRefused, match=rf"{says}.*put back"):
        journal.append((start,), STAMP, told, after=journal.load())
    journal.close()
    assert verify(path).facts == 74


def go_on(path: Path, ns: int = 10**9) -> None:
    """Another start of the table, sealed."""
    journal = Journal(path)
    start = f.StationStarted("T01", "test", "0", ("shoe",))
    after = fold(journal.load(), [start])
    journal.append((start,), Stamp("2026-01-02T00:00:00.000000Z", ns, "b"), told, after=after)
    journal.close()


def changed(path: Path, *, lost: bool = False) -> str:
    journal = Journal(path)
    try:
        return journal.change_key(lost=lost)
    finally:
        journal.close()


def test_a_new_key_is_signed_by_the_old_and_the_old_public_key_vouches_for_it(path: Path) -> None:
    old = public(path)
    name = changed(path)
    go_on(path)
    assert stat.S_IMODE(keys.file_of(path).stat().st_mode) == 0o600
    new = public(path)
    assert keys.fingerprint(new) == name
    for key in (None, old, new):
        found = verify(path, key)
        assert found.sealed.keys == (keys.fingerprint(old), name)
        assert found.sealed.seals == 6
    assert verify(path, new).sealed.earlier == 5
    assert verify(path, old).sealed.earlier == 0


def test_the_old_keys_last_word_is_everything_before_the_new_one(path: Path) -> None:
    assert verify(path).sealed.unsealed == 2
    changed(path)
    assert (verify(path).sealed.unsealed, verify(path).sealed.last) == (0, 74)


def test_a_lost_key_is_replaced_and_that_is_told_for_ever(path: Path) -> None:
    old = public(path)
    keys.file_of(path).unlink()
    changed(path, lost=True)
    go_on(path)
    assert verify(path).sealed.lost == (75,)
    assert any("did not sign" in note for note in notes(verify(path)))
    with pytest.raises(JournalDamaged, match=r"fact 75 .* does not vouch"):
        verify(path, old)
    verify(path, public(path))


def test_a_change_of_keys_cut_off_before_the_file_has_its_name_is_completed(path: Path) -> None:
    old = keys.file_of(path).read_bytes()
    changed(path)
    # As it was between the journal's row and the new name.
    keys.file_of(path).rename(keys.next_of(path))
    keys.file_of(path).write_bytes(old)
    keys.file_of(path).chmod(0o600)
    go_on(path)
    assert not keys.next_of(path).exists()
    assert verify(path).sealed.seals == 6


def test_a_change_of_keys_cut_off_before_the_journal_has_it_changes_nothing(path: Path) -> None:
    keys.make(keys.next_of(path))
    go_on(path)
    assert len(verify(path).sealed.keys) == 1


def test_a_journal_signed_anew_with_another_key_is_found_by_the_public_key(
    path: Path, tmp_path: Path
) -> None:
    kept = public(path)
    forged = tmp_path / "forged" / "journal.db"
    forged.parent.mkdir()
    sealed_journal(forged)
    verify(forged)
    with pytest.raises(JournalDamaged, match="nothing in it is sealed with the key given"):
        verify(forged, kept)
