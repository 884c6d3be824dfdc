"""A checkpoint another release wrote is passed over: facts are the truth, and are folded anew."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

from station.journal import Journal, Stamp, verify
from station.telling import told
from tests.support.play import Play

STAMP = Stamp("2026-01-01T00:00:00.000000Z", 1, "boot")


def test_a_checkpoint_of_another_format_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    play = Play().open_table()
    journal = Journal(path)
    journal.append(tuple(play.facts), STAMP, told)
    journal.checkpoint(play.table)
    journal.close()
    with sqlite3.connect(path) as db:
        old = '{"shape":"old"}'
        digest = hashlib.sha256(old.encode()).hexdigest()
        db.execute("UPDATE checkpoints SET format='0.0.0:old', state=?, digest=?", (old, digest))
    db.close()
    found = verify(path)
    assert (found.checkpoints, found.passed_over) == (0, 1)
    again = Journal(path)
    assert again.load() == play.table
    again.close()
