"""`journal verify`, `key`, `rotate` and `retire` as a person or a script gives them."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from station.audit import keys
from station.audit.files import files_of
from station.cli import app
from station.journal import Journal, verify
from tests.support.audit import edit, play_on, sealed_journal


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["journal", *arguments])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    sealed_journal(path, 2)
    return path


def test_verify_tells_seals_keys_and_what_is_not_sealed_yet(path: Path) -> None:
    found = asked("verify", str(path))
    assert found.exit_code == 0
    assert "seals        3" in found.stdout
    assert "not sealed yet: 2 facts after fact 52" in found.stdout
    assert "checked with the journal's own keys" in found.stdout
    document = json.loads(asked("verify", str(path), "--json").stdout)
    assert (document["ok"], document["seals"], document["unsealed"]) == (True, 3, 2)
    assert document["state"] == verify(path).state


def test_verify_names_the_fact_in_one_line(path: Path) -> None:
    edit(path, "UPDATE facts SET round=9 WHERE seq=22")
    found = asked("verify", str(path), "--json")
    assert found.exit_code == 2
    assert "fact 22 (CardDealt)" in json.loads(found.stdout)["error"]
    (line,) = found.stderr.splitlines()
    assert line.startswith("dealer-station: ")


def test_a_copy_verifies_alone_on_another_machine(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    out = other / "table.pem"
    assert asked("key", "--journal", str(path), "--out", str(out)).exit_code == 0
    copy = other / "copy.db"
    assert asked("backup", "--journal", str(path), str(copy)).exit_code == 0
    found = asked("verify", str(copy), "--key", str(out), "--json")
    assert found.exit_code == 0, found.stderr
    document = json.loads(found.stdout)
    private = keys.read_private(keys.file_of(path))
    assert private is not None
    assert document["checked_with"] == keys.fingerprint(private.public_key())
    assert not any("own keys" in note for note in document["notes"])
    assert stat.S_IMODE(out.stat().st_mode) == 0o644
    assert {file.name for file in other.iterdir()} == {"table.pem", "copy.db"}


def test_the_fingerprint_is_the_one_openssl_gives(path: Path, tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    out = tmp_path / "table.pem"
    document = json.loads(asked("key", "--journal", str(path), "--out", str(out), "--json").stdout)
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-in", str(out), "-outform", "DER"],
        check=True,
        capture_output=True,
    ).stdout
    digest = subprocess.run(
        ["openssl", "sha256", "-r"], input=der, check=True, capture_output=True
    ).stdout
    assert digest.split()[0].decode() == document["fingerprint"]


def test_a_seal_verifies_with_openssl_alone(path: Path, tmp_path: Path) -> None:
    """Nothing of ours is needed to check what a station signed."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    asked("key", "--journal", str(path), "--out", str(tmp_path / "table.pem"))
    db = sqlite3.connect(path)
    seal = db.execute("SELECT seq, hash, state, signature FROM seals ORDER BY seq").fetchall()[-1]
    db.close()
    seq, hash_, state, signature = seal
    text = f"dealer-station seal 1\nT01\n{seq}\n{hash_}\n{state}\n"
    (tmp_path / "text").write_text(text)
    (tmp_path / "signature").write_bytes(bytes.fromhex(signature))
    command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "table.pem", "-rawin"]
    files = ["-in", "text", "-sigfile", "signature"]
    found = subprocess.run(
        [*command, *files], check=False, capture_output=True, text=True, cwd=tmp_path
    )
    assert found.returncode == 0, found.stderr
    (tmp_path / "text").write_text(text.replace(f"\n{seq}\n", f"\n{seq + 1}\n"))
    other = subprocess.run([*command, *files], check=False, capture_output=True, cwd=tmp_path)
    assert other.returncode != 0


def test_a_new_key_by_command_and_a_lost_one(path: Path) -> None:
    before = json.loads(asked("key", "--journal", str(path), "--json").stdout)
    new = json.loads(asked("key", "--journal", str(path), "--new", "--json").stdout)
    assert new["fingerprint"] != before["fingerprint"]
    assert new["since"] == verify(path).facts + 1
    assert new["earlier"] == [before["public"]]
    assert asked("key", "--journal", str(path), "--lost").exit_code == 2
    again = asked("key", "--journal", str(path), "--new")
    assert again.exit_code == 2
    assert "changed already" in again.stderr
    running = Journal(path)
    busy = asked("key", "--journal", str(path), "--new")
    running.close()
    assert busy.exit_code == 2
    assert "stop it" in busy.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nothing", "no public key in PEM"),
        ("-----BEGIN PRIVATE KEY-----", "give the public one"),
    ],
)
def test_what_is_no_public_key_is_refused(path: Path, tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "k.pem").write_text(text)
    found = asked("verify", str(path), "--key", str(tmp_path / "k.pem"))
    assert (found.exit_code, says in found.stderr) == (2, True), found.stderr


def test_before_the_first_start_there_is_no_key(tmp_path: Path) -> None:
    found = asked("key", "--journal", str(tmp_path / "none.db"))
    assert found.exit_code == 2
    assert "first start" in found.stderr


def test_rotate_then_verify_all_files_then_retire(path: Path, tmp_path: Path) -> None:
    done = json.loads(asked("rotate", "--journal", str(path), "--json").stdout)
    assert done["ok"]
    assert done["facts"] == 54
    play_on(path, 1)
    files = [str(file) for file in files_of(path)]
    found = json.loads(asked("verify", *files, "--json").stdout)
    assert (found["files"][0]["first"], found["files"][0]["last"]) == (1, 54)
    wrong = asked("verify", *reversed(files))
    assert wrong.exit_code == 2
    assert "oldest first" in wrong.stderr
    away = tmp_path / "away"
    gone = asked("retire", "--journal", str(path), "--before", "2027-01-01", "--to", str(away))
    assert gone.exit_code == 0
    assert "moved" in gone.stdout
    assert "years" in gone.stdout
    assert [file.name for file in away.iterdir()] == [Path(done["closed"]).name]
    nothing = asked("retire", "--journal", str(path), "--before", "2027-01-01", "--to", str(away))
    assert "nothing" in nothing.stdout


def test_rotate_is_refused_while_a_table_runs(path: Path) -> None:
    running = Journal(path)
    found = asked("rotate", "--journal", str(path))
    running.close()
    assert found.exit_code == 2
    assert "stop it" in found.stderr
    assert files_of(path) == [path]
