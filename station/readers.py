"""How well each reader reads, as a trend: what it missed, what it read twice, and how long it took.

Made from the facts as they are committed, and from the drivers' own counters; no rule of the game
looks at it. A line for every shoe, every hour and every stop goes to a file beside the journal.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from drivers.meter import Meter
from station.game import facts as g
from station.game.cards import Card
from station.snapshot import Text
from station.table import facts as f
from station.wording import devices as words
from station.wording.say import say

RECENT = 200
ENOUGH = 20
DIRTY_SHARE = 0.03
WORN_MISSES = 3
HOUR_NS = 3_600_000_000_000
FACES = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


class Worn(Struct, frozen=True):
    """A card that was not read at first, and how often; `deck` 0 where its code has none."""

    face: str
    deck: int
    set: str
    misses: int


class TrendLine(Struct, frozen=True, omit_defaults=True):
    """One line of the trend file: what a reader did since its line before. Delays are microseconds
    from the last byte to the hand-over.
    """

    utc: str
    device: str
    why: str
    cards: int = 0
    no_reads: int = 0
    repeats: int = 0
    resent: int = 0
    troubles: int = 0
    p50_us: int = 0
    p99_us: int = 0
    worst_us: int = 0
    worn: tuple[Worn, ...] = ()


class _Reader:
    """One reader's counts, since its last line and over its last cards."""

    def __init__(self) -> None:
        self.last = deque[bool](maxlen=RECENT)  # whether the card was read at once
        self.waiting = 0
        self.missed = Counter[Card]()
        self.repeats = 0
        self.meter: Meter | None = None

    def card(self, card: Card) -> None:
        """A card was read at last; what was missed before it was that card."""
        self.last.append(self.waiting == 0)
        if self.waiting:
            self.missed[card] += self.waiting
        self.waiting = 0


class Readers:
    """All readers of a table. Used by the controller's thread alone."""

    def __init__(self, names: Iterable[str]) -> None:
        self._readers = {name: _Reader() for name in names}
        self._written_ns: int | None = None

    def take(self, facts: tuple[f.AnyFact, ...]) -> None:
        """What was just committed."""
        seen = next((fact for fact in facts if isinstance(fact, f.Observed)), None)
        reader = self._readers.get(seen.device) if seen else None
        if reader is None:
            return
        for fact in facts:
            match fact:
                case g.CardDealt() | g.CardExposed() | g.CardBurnedFirst():
                    reader.card(fact.card)
                case f.ReadFailed(owed=True):
                    reader.waiting += 1
                case f.ReadRepeated():
                    reader.repeats += 1
                case _:
                    pass

    def advice(self, name: str) -> tuple[Text, ...]:
        """What a person should do about a reader, in his words."""
        reader = self._readers.get(name)
        if reader is None:
            return ()
        said = [_worn(card) for card, misses in reader.missed.items() if misses >= WORN_MISSES]
        bad = sum(1 for at_once in reader.last if not at_once)
        if len(reader.last) >= ENOUGH and bad > DIRTY_SHARE * len(reader.last) and not said:
            said.append(say(words.WINDOW))
        return tuple(said)

    def hour_over(self, now_ns: int) -> bool:
        """Whether an hour has gone by since it was last asked and said so."""
        if self._written_ns is None:
            self._written_ns = now_ns
        over = now_ns - self._written_ns >= HOUR_NS
        if over:
            self._written_ns = now_ns
        return over

    def line(self, name: str, meter: Meter, utc: str, why: str) -> TrendLine:
        """The reader's line, and its counts begin anew; cards it missed stay known."""
        reader = self._readers[name]
        since = meter.since(reader.meter)
        reader.meter = meter.since(None)
        worn = tuple(
            Worn(card.face, card.deck, card.set, misses)
            for card, misses in reader.missed.most_common(10)
        )
        repeats, reader.repeats = reader.repeats, 0
        return TrendLine(
            utc,
            name,
            why,
            since.cards,
            since.no_reads,
            repeats,
            since.resent,
            since.troubles,
            since.delay_us(0.5),
            since.delay_us(0.99),
            since.worst_us,
            worn,
        )


def _worn(card: Card) -> Text:
    face = card.face[0].replace("T", "10") + FACES[card.face[1]]
    if not card.deck:
        return say(words.WORN_FACE, {"face": face})
    return say(words.WORN, {"face": face, "deck": card.deck})


def trend_file(journal: Path) -> Path:
    """Where the trend of a journal's table is kept."""
    return journal.with_name(journal.name + ".readers.jsonl")


def append(path: Path, lines: Iterable[TrendLine]) -> None:
    """Add lines to the trend file; OSError when that cannot be."""
    text = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    with path.open("a+b") as file:
        if file.tell() and os.pread(file.fileno(), 1, file.tell() - 1) != b"\n":
            # A full disk tore the last line: that one is lost, not this one.
            text = b"\n" + text
        file.write(text)
