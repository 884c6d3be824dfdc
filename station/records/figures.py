"""Figures of play as text, as CSV and as one document."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from station.records.stats import HOUR_MS, Figures, HoldFigures, Statistics
from station.records.text import printable
from station.wording.say import face_sign


def stamp_of(text: str) -> str:
    """A date or a time as facts are stamped: `2026-03-01`, `2026-03-01T18:30`, with an offset or in
    UTC. Raises ValueError.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    utc = moment.astimezone(UTC)
    return utc.isoformat(timespec="microseconds").replace("+00:00", "Z")


def document(sums: Statistics) -> dict[str, Any]:
    """For `--json`; money does not occur, times in milliseconds."""
    return {
        "by": sums.by,
        "since": sums.since or sums.first,
        "until": sums.until or sums.last,
        "facts": sums.facts,
        "groups": [
            {sums.by: key, **msgspec.to_builtins(figures)} for key, figures in sums.groups().items()
        ],
    }


def comma_separated(sums: Statistics) -> str:
    """One figure a line: the group, the figure, its code where it has one, the value."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([sums.by, "figure", "code", "value"])
    for key, figures in sums.groups().items():
        for name, value in msgspec.structs.asdict(figures).items():
            for code, number in _values(value):
                writer.writerow([_harmless(key), name, _harmless(code), number])
    return out.getvalue()


def _values(value: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        yield "", value
        return
    for code, inner in value.items():
        if isinstance(inner, HoldFigures):
            for name, number in msgspec.structs.asdict(inner).items():
                yield f"{code} {name}", number
        else:
            yield code, inner


def _harmless(text: str) -> str:
    """A shoe's name that a spreadsheet would take for a formula is text."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def lines(sums: Statistics) -> Iterator[str]:
    """For people."""
    since, until = sums.since or sums.first or "–", sums.until or sums.last or "–"
    yield f"{sums.facts:,} facts, {since} to {until} (UTC)"
    for key, figures in sums.groups().items():
        yield ""
        yield printable(f"{sums.by} {key or '(nobody)'}")
        for name, told in _told(figures):
            yield printable(f"  {name:<12}{told}")


def _told(one: Figures) -> Iterator[tuple[str, str]]:
    void = sum(one.void.values())
    yield "rounds", f"{one.rounds}: {one.settled} settled, {void} void, {one.empty} without a bet"
    if one.void:
        yield "void", _counts(one.void)
    if one.disputed:
        yield "disputed", str(one.disputed)
    yield (
        "hands",
        f"{one.hands} in {one.played_ms / HOUR_MS:.2f} h: {one.hands_an_hour} an hour, "
        f"{one.rounds_an_hour} rounds an hour",
    )
    yield "cards", f"{one.cards} dealt, {one.burned} burned, {one.manual} entered by hand"
    if one.exposed:
        yield "exposed", _counts(one.exposed)
    yield (
        "not read",
        f"{sum(one.no_reads.values())}, {one.owed} while a card was owed, {one.read_again} of "
        "them read again",
    )
    if one.no_reads:
        yield "", _counts(one.no_reads)
    yield "repeats", f"{one.repeats}, and {one.aligned} to prove the last card"
    for code, hold in one.holds.items():
        lasted = f"median {_seconds(hold.median_ms)}, longest {_seconds(hold.longest_ms)}"
        still = f", {hold.began - hold.ended} not ended" if hold.began > hold.ended else ""
        yield "hold", f"{code} {hold.began}" + (f": {lasted}" if hold.ended else "") + still
    if one.rulings:
        yield "rulings", _counts(one.rulings)
    yield "wrong PINs", str(one.wrong_pins)
    if one.refused:
        yield "refused", _counts(one.refused)
    if one.faces:
        yield from _faces(one)


def _faces(one: Figures) -> Iterator[tuple[str, str]]:
    yield "faces", f"{sum(one.faces.values())} cards of {one.finished_shoes} shoes that are out"
    for suit in "SHDC":
        row = [
            f"{face_sign(rank + suit)} {one.faces.get(rank + suit, 0)}" for rank in "A23456789TJQK"
        ]
        yield "", "  ".join(row)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{code} {count}" for code, count in counts.items())


def _seconds(ms: int) -> str:
    if ms >= 600_000:
        return str(timedelta(seconds=ms // 1000))
    return f"{ms / 1000:.1f} s"
