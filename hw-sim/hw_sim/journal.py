"""A table's journal as anybody may read it: by the station's own command."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from hw_sim.children import station_command
from hw_sim.link import Message

JOURNAL_S = 30.0
RECENT = 500


class JournalUnread(Exception):
    """The journal cannot be read; the message says where and why."""


def journal_facts(journal: Path, last: int = 0) -> list[Message]:
    """Facts with `seq`, `round`, `kind` and `body`; only so many of the last, or all with 0.

    Raises JournalUnread.
    """
    command = [station_command(), "journal", "show", "--json", "--bare", "--journal", str(journal)]
    try:
        done = subprocess.run(
            [*command, "--last", str(last)],
            capture_output=True,
            text=True,
            timeout=JOURNAL_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JournalUnread(f"{journal}: cannot be read: {error}") from error
    if done.returncode:
        raise JournalUnread(f"{journal}: cannot be read: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def how_released(journal: Path, hold: int) -> Message:
    """The body of the fact that ended that hold; empty when nothing says so."""
    try:
        facts = journal_facts(journal, RECENT)
    except JournalUnread:
        return {}
    return next(
        (
            fact["body"]
            for fact in reversed(facts)
            if fact["kind"] == "HoldReleased" and fact["body"]["hold"] == hold
        ),
        {},
    )
