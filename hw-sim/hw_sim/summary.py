"""What a test table's run came to."""

from __future__ import annotations

import json
import os
from pathlib import Path

from hw_sim.children import station_command
from hw_sim.journal import JournalUnread, journal_facts
from hw_sim.ledger import Ledger, LedgerError
from hw_sim.link import Message
from hw_sim.table_config import TableDir
from hw_sim.view import money

BOOKED = ("BetPlaced", "BetDoubled", "BetsReturned", "RoundSettled", "RoundVoided")
LINES = {
    "ko": ("라운드 {settled}, 취소 {void}, 카드 {cards}", "베팅 {placed}, 지급 {returned}"),
    "en": ("rounds {settled}, void {void}, cards {cards}", "money in {placed}, out {returned}"),
}


OPEN = {
    "ko": "라운드 {rounds}: 아직 열려 있음, 걸린 금액 {stake}",
    "en": "round {rounds} is still open, {stake} at stake",
}


def summary(
    directory: TableDir, before: Ledger, truth_from: int, snapshot: Message, language: str
) -> list[str]:
    """Lines about rounds, cards and money since the start, and where the traces are."""
    try:
        books = complete_books(directory)
    except (LedgerError, JournalUnread, OSError) as error:
        return [str(error)]
    first, second = LINES[language]
    lines = [
        first.format(
            settled=books.settled - before.settled,
            void=books.void - before.void,
            cards=cards_drawn(directory.truth, truth_from),
        ),
        second.format(
            placed=money(snapshot, books.placed - before.placed),
            returned=money(snapshot, books.returned - before.returned),
        ),
        *_still_open(books, snapshot, language),
        *(f"! {dispute}" for dispute in books.disputes[len(before.disputes) :]),
        f"journal      {directory.journal}",
        f"logs         {directory.logs}",
    ]
    if any(directory.screenshots.glob("*.png")):
        lines.append(f"screenshots  {directory.screenshots}")
    return lines + look_further(directory)


def look_further(directory: TableDir) -> list[str]:
    """Commands that work as they stand, in the place the table was started from."""
    station, config = _short(Path(station_command())), _short(directory.config)
    return [
        f"look further {station} journal show --config {config}",
        f"             {station} journal verify --config {config}",
    ]


def complete_books(directory: TableDir) -> Ledger:
    """The players' books, with what the station wrote down after the players had gone, such as
    the void of a round they left. They are saved complete: each fact is booked once, by `seq`.

    Raises LedgerError for books that are none, JournalUnread for a journal that cannot be read.
    """
    books = Ledger.load(directory.ledger)
    if directory.journal.exists():
        new = [
            books.take(fact) for fact in journal_facts(directory.journal) if fact["kind"] in BOOKED
        ]
        if any(new):
            books.save(directory.ledger)
    return books


def _still_open(books: Ledger, snapshot: Message, language: str) -> list[str]:
    if not books.open:
        return []
    rounds = ", ".join(sorted({key.partition("/")[0] for key in books.open}))
    return [OPEN[language].format(rounds=rounds, stake=money(snapshot, books.at_stake))]


def _short(path: Path) -> str:
    """The path from here, when that is shorter."""
    return min(str(path), os.path.relpath(path) if path.is_absolute() else str(path), key=len)


def cards_drawn(truth: Path, start: int = 0) -> int:
    """Cards in a shoe's own log from that byte on, the cut card not counted."""
    if not truth.exists():
        return 0
    with truth.open("rb") as file:
        file.seek(start)
        entries = [json.loads(line) for line in file]
    return sum(1 for entry in entries if "position" in entry and not entry["cut"])
