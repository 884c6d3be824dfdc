"""The pictures of a journal's reads: what was read, what it became, and how each picture is now."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from station.evidence import State, facts_of, folder_of, opened, state_of
from station.game import facts as g
from station.game.state import BURN, Slot
from station.journal import JournalError, Row, open_reader, reading, rows
from station.table import facts as f
from station.wording.say import face_sign


class Reading(Struct, frozen=True):
    """A read and what became of it: `dealt`, `exposed`, `burned`, `repeat`, `doubted`, `set_aside`,
    `reread`, `cut_card`, `no_read`, "" for nothing. `seq` is its fact, `where` whose card it is.
    `holds`: what the table held for.
    """

    seq: int
    utc: str
    device: str
    saw: str
    text: str
    evidence: tuple[f.Picture, ...]
    outcome: str = ""
    face: str = ""
    deck: int = 0
    where: str = ""
    why: str = ""
    holds: tuple[str, ...] = ()


class Shown(Struct, frozen=True):
    """A picture of a read and how it is now."""

    name: str
    sha256: str
    state: State
    path: str


class Found(Struct, frozen=True):
    """What a check of all pictures found: how many are in which state, and the bad ones by name
    with the facts that name them. `unnamed`: files that no fact names.
    """

    pictures: int
    kept: int
    removed: int
    missing: tuple[tuple[int, str], ...]
    changed: tuple[tuple[int, str], ...]
    unnamed: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether each picture is as it was, or was let go by the station itself."""
        return not self.missing and not self.changed


def readings(facts: Iterable[Row]) -> Iterator[Reading]:
    """The reads among the facts, each with what followed from it in the same decision."""
    at: Reading | None = None
    stamp: tuple[str, int] = ("", 0)
    for row in facts:
        fact = row.fact
        if isinstance(fact, f.Observed):
            if at is not None:
                yield at
            at = Reading(row.seq, row.utc, fact.device, fact.saw, fact.text, fact.evidence)
            stamp = (row.utc, row.mono_ns)
        elif at is not None and (row.utc, row.mono_ns) != stamp:
            yield at
            at = None
        elif at is not None:
            at = _became(at, fact)
    if at is not None:
        yield at


_BECAME: dict[type[f.AnyFact], str] = {
    g.CardDealt: "dealt",
    g.CardExposed: "exposed",
    g.CardBurnedFirst: "burned",
    f.ReadRepeated: "repeat",
    f.ReadDoubted: "doubted",
    f.ReadSetAside: "set_aside",
    f.LastCardReread: "reread",
    g.CutCardOut: "cut_card",
    f.CutCardRepeated: "repeat",
    f.ReadFailed: "no_read",
}


def _became(at: Reading, fact: f.AnyFact) -> Reading:
    if isinstance(fact, f.TableHeld):
        return replace(at, holds=(*at.holds, fact.code))
    outcome = _BECAME.get(type(fact), "")
    if at.outcome or not outcome:
        return at
    card = getattr(fact, "card", None)
    slot: Slot | None = getattr(fact, "slot", None)
    return replace(
        at,
        outcome=outcome,
        face=card.face if card is not None else "",
        deck=card.deck if card is not None else 0,
        where=_place(slot) if slot is not None else "",
        why=str(getattr(fact, "reason", "") or getattr(fact, "why", "")),
    )


def _place(slot: Slot) -> str:
    if slot.seat == BURN:
        return "burn"
    if slot.seat == 0:
        return "dealer"
    return f"seat {slot.seat}" + (f" hand {slot.hand}" if slot.hand > 1 else "")


def of_round(path: Path, round_: int) -> list[Reading]:
    """The reads of a round, from its opening to the next one's. Raises JournalError."""
    from station.cli_journal import span

    with contextlib.closing(open_reader(path)) as db, reading(path):
        db.execute("BEGIN")
        first, end = span(db, path, round_)
        found = (row for row in rows(db, first - 1) if end is None or row.seq < end)
        return list(readings(found))


def of_fact(path: Path, seq: int) -> list[Reading]:
    """The read that a fact is, or followed from. Raises JournalError."""
    with contextlib.closing(open_reader(path)) as db, reading(path):
        (first,) = db.execute(
            "SELECT MAX(seq) FROM facts WHERE kind='Observed' AND seq<=?", (seq,)
        ).fetchone()
        if first is None or not _same_decision(db, first, seq):
            raise JournalError(f"{path}: fact {seq} is not there, or no reader said it")
        end = db.execute("SELECT seq FROM facts WHERE kind='Observed' AND seq>?", (seq,)).fetchone()
        until = end[0] if end else first + 1000
        return list(readings(row for row in rows(db, first - 1) if row.seq < until))[:1]


def _same_decision(db: sqlite3.Connection, first: int, seq: int) -> bool:
    stamps = db.execute(
        "SELECT COUNT(*), COUNT(DISTINCT utc || mono_ns) FROM facts WHERE seq IN (?,?)",
        (first, seq),
    ).fetchone()
    return bool(stamps == (2 if first != seq else 1, 1))


def removed_names(path: Path) -> frozenset[str]:
    """The pictures that the station itself has let go. Raises JournalError."""
    with contextlib.closing(open_reader(path)) as db, reading(path):
        gone = (row.fact for row in rows(db, kind="EvidenceRemoved"))
        return frozenset(
            n for fact in gone if isinstance(fact, f.EvidenceRemoved) for n in fact.names
        )


@contextlib.contextmanager
def folder(path: Path) -> Iterator[int | None]:
    """The journal's folder of pictures, opened; None when there is none. Raises EvidenceRefused."""
    where = folder_of(path)
    if not where.exists() and not where.is_symlink():
        yield None
        return
    handle = opened(where)
    try:
        yield handle
    finally:
        os.close(handle)


def pictures(path: Path, found: Iterable[Reading]) -> dict[str, Shown]:
    """How the pictures of those reads are now, by name. Raises JournalError, EvidenceRefused."""
    gone, where = removed_names(path), folder_of(path)
    with folder(path) as handle:
        return {
            one.name: Shown(
                one.name,
                one.sha256,
                state_of(handle, one, removed=one.name in gone),
                str(where / one.name),
            )
            for read in found
            for one in read.evidence
        }


def check(path: Path) -> Found:
    """Every picture that a fact names. Raises JournalError, EvidenceRefused, OSError."""
    named: dict[str, tuple[int, f.Picture]] = {}
    gone: set[str] = set()
    with reading(path):
        for seq, _, fact in facts_of(path, 0):
            if isinstance(fact, f.Observed):
                named.update((one.name, (seq, one)) for one in fact.evidence)
            elif isinstance(fact, f.EvidenceRemoved):
                gone |= set(fact.names)
    states: dict[State, list[tuple[int, str]]] = {}
    with folder(path) as handle:
        for seq, picture in named.values():
            state = state_of(handle, picture, removed=picture.name in gone)
            states.setdefault(state, []).append((seq, picture.name))
        files = sorted(os.listdir(handle)) if handle is not None else []  # noqa: PTH208
    return Found(
        len(named),
        len(states.get("kept", ())),
        len(states.get("removed", ())),
        tuple(states.get("missing", ())),
        tuple(states.get("changed", ())),
        tuple(name for name in files if name not in named),
    )


# --- telling ----------------------------------------------------------------------------------

_STATES: dict[State, str] = {
    "kept": "as it was read",
    "removed": "taken away by the station for its age or for room",
    "missing": "MISSING: no fact says that it was taken away",
    "changed": "CHANGED: it is not the picture that was read",
}


def lines(found: Iterable[Reading], shown: dict[str, Shown]) -> Iterator[str]:
    """For people, a read and its pictures."""
    for read in found:
        card = face_sign(read.face) + (f" of deck {read.deck}" if read.deck else "")
        told = [read.outcome or read.saw, card, f"→ {read.where}" if read.where else ""]
        told += [read.why, f"({read.text})" if read.text and read.outcome == "no_read" else ""]
        told += [f"HOLD {code}" for code in read.holds]
        words = " ".join(part for part in told if part)
        yield f"{read.seq:>7}  {read.utc}  {read.device}  {words}"
        for one in read.evidence:
            picture = shown[one.name]
            where = picture.path if picture.state == "kept" else picture.name
            yield f"{'':9}{where}  {_STATES[picture.state]}"


def check_lines(found: Found) -> Iterator[str]:
    """For people."""
    yield f"{found.pictures} pictures: {found.kept} as they were read, {found.removed} taken away"
    for what, named in (("missing", found.missing), ("changed", found.changed)):
        for seq, name in named:
            yield f"{what:8} {name} (fact {seq})"
    for name in found.unnamed:
        yield f"unnamed  {name}: no fact names it; a running station removes it"


def documents(found: Iterable[Reading], shown: dict[str, Shown]) -> list[dict[str, Any]]:
    """For `--json`."""
    import msgspec

    return [
        {
            **msgspec.to_builtins(read),
            "evidence": [msgspec.to_builtins(shown[one.name]) for one in read.evidence],
        }
        for read in found
    ]
