"""`dealer-station device trend`: how well each reader reads over the days, and what to do.

The station writes the lines (`station.readers.TrendLine`), each what a reader did since its line
before; only the misses of a card go on counting until the station stops.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from station.cli_device_words import card_words
from station.readers import DIRTY_SHARE, RECENT, WORN_MISSES, TrendLine

MANY = 5
STOPPED = "stopped"
WORN_DAYS = 30
_BARS = " ▁▂▃▄▅▆▇█"
_FULL_BAR = 0.10


class TrendError(Exception):
    """There is nothing to show; the message says why."""


class Trend(Struct, frozen=True):
    """All lines in order. `unread`: the numbers of lines that are none."""

    intervals: tuple[TrendLine, ...]
    unread: tuple[int, ...] = ()


class Summary(Struct, frozen=True):
    """Several lines of one reader as one. `rate`: failed and repeated reads a card."""

    cards: int
    resent: int
    no_reads: int
    repeats: int
    troubles: int
    p50_us: int
    p99_us: int
    worst_us: int

    @property
    def rate(self) -> float:
        return (self.no_reads + self.repeats) / max(1, self.cards)


def load(path: Path) -> Trend:
    """Read the file; what is no line of it (a torn last one, too) is counted and left out.

    Raises TrendError when there is nothing.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        raise TrendError(
            f"{path}: no such file yet; a running table writes it as cards are read"
        ) from None
    except OSError as error:
        raise TrendError(f"{path}: {error.strerror or error}") from error
    decoder = msgspec.json.Decoder(TrendLine)
    intervals: list[TrendLine] = []
    unread: list[int] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            intervals.append(decoder.decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            unread.append(number)
    if not intervals:
        raise TrendError(f"{path}: it holds no line of a reader yet")
    return Trend(tuple(intervals), tuple(unread))


def by_device(trend: Trend) -> dict[str, list[TrendLine]]:
    """The lines of each reader, in order."""
    found: dict[str, list[TrendLine]] = {}
    for line in trend.intervals:
        found.setdefault(line.device, []).append(line)
    return found


def summed(lines: Iterable[TrendLine]) -> Summary:
    """Several lines as one: sums; the middle of the middles, the worst of the worst."""
    found = list(lines)
    middles = sorted(line.p50_us for line in found if line.cards) or [0]
    return Summary(
        cards=sum(line.cards for line in found),
        resent=sum(line.resent for line in found),
        no_reads=sum(line.no_reads for line in found),
        repeats=sum(line.repeats for line in found),
        troubles=sum(line.troubles for line in found),
        p50_us=middles[len(middles) // 2],
        p99_us=max((line.p99_us for line in found), default=0),
        worst_us=max((line.worst_us for line in found), default=0),
    )


def last_cards(lines: list[TrendLine], cards: int = RECENT) -> Summary:
    """The newest lines that make up at least so many cards."""
    counted = 0
    for place in range(len(lines) - 1, -1, -1):
        counted += lines[place].cards
        if counted >= cards:
            return summed(lines[place:])
    return summed(lines)


def advice(lines: list[TrendLine]) -> list[str]:
    """What to do about one reader, a sentence each; nothing when nothing is needed."""
    recent, found = last_cards(lines), []
    if recent.cards >= RECENT and recent.rate > DIRTY_SHARE:
        found.append(
            f"clean the window: {recent.no_reads + recent.repeats} failed or repeated reads in "
            f"{recent.cards} cards ({recent.rate:.1%}, and {DIRTY_SHARE:.0%} is normal)"
        )
    worn = {card: count for card, count in _misses(lines).items() if count >= WORN_MISSES}
    if len(worn) > MANY:
        found.append(
            f"{len(worn)} different cards were missed {WORN_MISSES} times or more: that is the "
            "reader, not the cards; clean and align it"
        )
    else:
        found += [
            f"replace {_card(card)}: it was missed {count} times and others were not"
            for card, count in sorted(worn.items(), key=lambda item: -item[1])
        ]
    if recent.troubles:
        found.append(f"{recent.troubles} troubles lately: the log says which")
    return found


def _misses(lines: list[TrendLine]) -> dict[tuple[str, int], int]:
    """Misses of each face and deck in the days up to the newest line that count."""
    first = sorted({line.utc[:10] for line in lines})[-WORN_DAYS:][0]
    found: dict[tuple[str, int], int] = {}
    before: dict[tuple[str, int, str], int] = {}
    for line in lines:
        for worn in line.worn:
            card = (worn.face, worn.deck, worn.set)
            # They count on within a run; a smaller number is that of a new one.
            known = before.get(card, 0)
            more = worn.misses - known if worn.misses >= known else worn.misses
            before[card] = worn.misses
            if line.utc[:10] >= first:
                found[card[:2]] = found.get(card[:2], 0) + more
        if line.why == STOPPED:
            before.clear()
    return found


def _card(card: tuple[str, int]) -> str:
    face, deck = card
    return f"{card_words(face)}{f' of deck {deck}' if deck else ''}"


# --- telling ----------------------------------------------------------------------------------


def document(path: Path, trend: Trend) -> dict[str, Any]:
    """For `--json`."""
    devices = [
        {
            "device": name,
            "last": {**msgspec.to_builtins(last_cards(lines)), "rate": last_cards(lines).rate},
            "days": [
                {"day": day, **msgspec.to_builtins(one), "rate": one.rate}
                for day, one in _days(lines)
            ],
            "advice": advice(lines),
        }
        for name, lines in by_device(trend).items()
    ]
    return {"ok": True, "file": str(path), "devices": devices, "lines_not_read": trend.unread}


def _days(lines: list[TrendLine]) -> list[tuple[str, Summary]]:
    days: dict[str, list[TrendLine]] = {}
    for line in lines:
        days.setdefault(line.utc[:10], []).append(line)
    return [(day, summed(found)) for day, found in sorted(days.items())]


def show(path: Path, trend: Trend, console: Console | None = None) -> None:
    """For people: a table a reader, its rate as bars, and what to do."""
    console = console or Console(highlight=False, markup=False)
    for name, lines in by_device(trend).items():
        days = _days(lines)
        title = f"{name}  {_sparkline([one.rate for _, one in days])}"
        table = Table(title=title, padding=(0, 0, 0, 1))
        # Two words go on two lines; a word or a number that is cut short says nothing.
        for column in ("day", "cards", "told\nagain", "not\nread", "re-\npeats", "rate"):
            table.add_column(column, justify="left" if column == "day" else "right", no_wrap=True)
        for column in ("p50\nµs", "p99\nµs", "worst\nµs", "trou-\nbles"):
            table.add_column(column, justify="right", no_wrap=True)
        for day, one in days[-WORN_DAYS:]:
            counts = (one.cards, one.resent, one.no_reads, one.repeats)
            delays = (one.p50_us, one.p99_us, one.worst_us, one.troubles)
            rate = f"{one.rate:.1%} {_bar(one.rate)}"
            table.add_row(day, *map(str, counts), rate, *map(str, delays))
        console.print(table)
        for sentence in advice(lines) or ["nothing to do"]:
            console.print(f"  {sentence}", soft_wrap=True)
    if trend.unread:
        numbers = ", ".join(map(str, trend.unread))
        console.print(f"{path}: not readable and left out: line {numbers}", soft_wrap=True)


def _bar(rate: float) -> str:
    return _BARS[min(len(_BARS) - 1, round(rate / _FULL_BAR * (len(_BARS) - 1)))]


def _sparkline(rates: list[float]) -> str:
    return "".join(_bar(rate) for rate in rates[-WORN_DAYS:])
