"""A play of anything at all whose journal is on disk, begun anew from it after every commit.

After each commit the files are taken as a crash would leave them, opened as a station opens them
(lock, check, chain, fold), and the table in them has to be the one that was shown. Then a station
starts there: nothing may be paid twice, and no bar, lock, fault or dispute be forgotten.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from station.game.state import is_open
from station.journal import Journal, Stamp, state_digest
from station.table import inputs as i
from station.table.decide import Decision
from station.table.state import Table
from station.telling import told
from tests.support.chaos import Chaos
from tests.support.play import MANAGER, PIT

_TROUBLE = 0.12


class Restarted(Chaos):
    """`folder` holds the journal. `commits`: how many there were; `starts`: how many stations were
    begun from what was on disk then, `void`: how many of these had to void a round.
    """

    def __init__(self, seed: int, folder: Path) -> None:
        self.folder = folder
        self.journal: Journal | None = Journal(folder / "journal.db")
        self.commits = self.starts = self.void = 0
        self.ended: set[int] = set()
        super().__init__(seed)

    def give(self, given: i.AnyInput) -> Decision:
        decision = super().give(given)
        if self.journal is not None and decision.facts:
            self.commits += 1
            at = self.commits * 1_000_000
            stamp = Stamp(f"2026-03-01T10:00:00.{self.commits:06}Z", at, "boot")
            self.journal.append(decision.facts, stamp, told, after=decision.after)
            round_ = decision.after.game.round
            if round_ is not None and not is_open(round_) and round_.lines:
                self.ended.add(round_.number)
            self.crash(decision.after)
        return decision

    def crash(self, shown: Table) -> None:
        """Now, and a station starts from what is left."""
        left = self.folder.with_name("left")
        shutil.rmtree(left, ignore_errors=True)
        shutil.copytree(self.folder, left)
        found = Journal(left / "journal.db")
        table = found.load()
        found.close()
        assert state_digest(table) == state_digest(shown), "what was shown is not what is on disk"
        self.begin_anew(table)

    def begin_anew(self, table: Table) -> None:
        """A station starts there; the play itself goes on as if it had not."""
        journal, self.journal = self.journal, None
        back = self.aside()
        self.table = table
        self.start()
        after = self.table
        self.starts += 1
        round_ = table.game.round
        if round_ is not None and is_open(round_) and not is_open(after.game.round):
            self.void += 1
        assert after.attempts.people == table.attempts.people, "a wrong PIN was forgotten"
        assert after.conditions == table.conditions, "a lock was forgotten"
        assert after.disputes == table.disputes, "a dispute was forgotten"
        assert after.game.barred == table.game.barred, "a barred shoe was forgotten"
        devices = {hold.hold for hold in table.holds if hold.device}
        assert devices <= {hold.hold for hold in after.holds}, "a fault was forgotten"
        back()
        self.journal = journal

    def next_round(self) -> None:
        """What is said against a past round is answered first."""
        for disputed in self.table.disputes:
            if disputed.escalated:
                self.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
            self.must(PIT, i.AnswerDispute(disputed.round, "accept", ""))
            return
        super().next_round()

    def play(self, rounds: int) -> None:
        """Until so many rounds are over, mostly as sensible people would."""
        for _ in range(400 * rounds):
            if len(self.ended) >= rounds:
                return
            if self.random.random() < _TROUBLE:
                self.trouble()
            else:
                self.natural()

    def shut(self) -> None:
        """The file is let go."""
        if self.journal is not None:
            self.journal.close()
