"""What a test table's run came to."""

from __future__ import annotations

import json
from pathlib import Path

from hw_sim.ledger import Ledger, LedgerError
from hw_sim.link import Message
from hw_sim.table_config import TableDir
from hw_sim.view import money

LINES = {
    "ko": ("라운드 {settled}, 취소 {void}, 카드 {cards}", "베팅 {placed}, 지급 {returned}"),
    "en": ("rounds {settled}, void {void}, cards {cards}", "money in {placed}, out {returned}"),
}


def summary(
    directory: TableDir, before: Ledger, truth_from: int, snapshot: Message, language: str
) -> list[str]:
    """Lines about rounds, cards and money since the start, and where the traces are."""
    try:
        books = Ledger.load(directory.ledger)
    except LedgerError as error:
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
        *(f"! {dispute}" for dispute in books.disputes[len(before.disputes) :]),
        f"journal      {directory.journal}",
        f"logs         {directory.logs}",
    ]
    if any(directory.screenshots.glob("*.png")):
        lines.append(f"screenshots  {directory.screenshots}")
    return lines


def cards_drawn(truth: Path, start: int = 0) -> int:
    """Cards in a shoe's own log from that byte on, the cut card not counted."""
    if not truth.exists():
        return 0
    with truth.open("rb") as file:
        file.seek(start)
        entries = [json.loads(line) for line in file]
    return sum(1 for entry in entries if "position" in entry and not entry["cut"])
