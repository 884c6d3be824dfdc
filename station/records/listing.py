"""The rounds of a journal, one line each."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from station.audit.reading import has_table, start_of
from station.game import facts as g
from station.game.hands import total
from station.journal import rows
from station.records import words
from station.records.telling import Lang
from station.records.text import printable
from station.table import facts as f
from station.wording import table as table_words
from station.wording.say import face_sign

_KINDS = frozenset(
    {
        "DealerTookTable",
        "DealerLeft",
        "RoundOpened",
        "BettingClosed",
        "CardDealt",
        "CardExposed",
        "TableHeld",
        "RoundSettled",
        "RoundVoided",
        "RoundEmpty",
        "RoundCleared",
        "RoundsMarked",
        "RoundDisputed",
        "DisputeAnswered",
    }
)


class Listed(Struct, frozen=True):
    """A round in short. `ended`: `open`, `settled`, `cleared`, `void`; `why` it is void, as the
    fact says it. `dealer` is a staff number; `faces` the dealer's hand. `sealed`: a seal is stored
    with its end (whether it is good, `round verify` and `journal verify` say). `disputed`: as a
    story's.
    """

    round: int
    opened: str
    shoe: str
    dealer: str = ""
    seats: tuple[int, ...] = ()
    cards: int = 0
    exposed: int = 0
    holds: int = 0
    ended: str = "open"
    why: str = ""
    faces: tuple[str, ...] = ()
    points: int = 0
    marked: str = ""
    disputed: str = ""
    sealed: bool = False


def listed(db: sqlite3.Connection, path: Path, last: int) -> list[Listed]:
    """The last rounds that were opened, oldest first; all of them with 0."""
    found: deque[Listed] = deque(maxlen=last or None)
    # A file that goes on from another one has its dealer from there.
    duty = start_of(db, path).table.dealer
    dealer = duty.staff if duty else ""
    ends: dict[int, int] = {}
    marks: dict[int, str] = {}
    disputes: dict[int, str] = {}
    for row in rows(db):
        if row.kind not in _KINDS:
            continue
        fact = row.fact
        match fact:
            case f.DealerTookTable(person=person):
                dealer = person.staff
            case f.DealerLeft():
                dealer = ""
            case g.RoundOpened():
                found.append(Listed(fact.round, row.utc, fact.shoe, dealer))
            case g.RoundsMarked():
                why = "" if fact.why == "counted_whole" else fact.why
                marks.update(dict.fromkeys(fact.rounds, why))
            case f.RoundDisputed():
                disputes[fact.round] = "open"
            case f.DisputeAnswered():
                disputes[fact.round] = fact.answer
            case _ if found:
                found[-1] = _with(found[-1], fact)
                if isinstance(fact, g.RoundSettled | g.RoundVoided | g.RoundEmpty):
                    ends[fact.round] = row.seq
    seals = _seals(db)
    return [
        replace(
            one,
            marked=marks.get(one.round, ""),
            disputed=disputes.get(one.round, ""),
            sealed=_sealed(seals, ends.get(one.round, 0), ends.get(one.round + 1)),
        )
        for one in found
    ]


def _with(one: Listed, fact: f.AnyFact) -> Listed:
    match fact:
        case g.BettingClosed():
            return replace(one, seats=fact.seats)
        case g.CardDealt():
            return replace(one, cards=one.cards + 1)
        case g.CardExposed():
            return replace(one, exposed=one.exposed + 1)
        case f.TableHeld():
            return replace(one, holds=one.holds + 1)
        case g.RoundSettled():
            faces = tuple(card.face for card in fact.dealer)
            return replace(one, ended="settled", faces=faces, points=total(fact.dealer).points)
        case g.RoundVoided() if fact.round == one.round:
            return replace(one, ended="void", why=fact.reason)
        case g.RoundCleared() | g.RoundEmpty():
            return replace(one, ended="cleared")
        case _:
            return one


def _seals(db: sqlite3.Connection) -> list[int]:
    if not has_table(db, "seals"):
        return []
    return [seq for (seq,) in db.execute("SELECT seq FROM seals ORDER BY seq")]


def _sealed(seals: list[int], ended: int, until: int | None) -> bool:
    """Whether there is a seal at that end: of a later one it would be another round's."""
    return any(ended <= seq and (until is None or seq < until) for seq in seals) if ended else False


def lines(found: list[Listed], lang: Lang) -> Iterator[str]:
    """For people."""
    at = 0 if lang == "ko" else 1
    for one in found:
        seats = ",".join(map(str, one.seats)) or "–"
        hand = " ".join(map(face_sign, one.faces))
        end = words.ENDED[one.ended][at]
        if one.why:
            end = f"{end} ({words.VOIDS.get(one.why, (one.why,) * 2)[at]})"
        told = [
            f"{one.round:>6}",
            one.opened[:19] + "Z",
            one.shoe,
            one.dealer or "–",
            f"{words.TITLES['seats'][at]} {seats}",
            f"{words.TITLES['cards'][at]} {one.cards}",
            f"{words.TITLES['dealer'][at]} {hand} {one.points}" if hand else "",
            end,
            f"{words.TITLES['holds'][at]} {one.holds}" if one.holds else "",
            f"{words.TITLES['disputed'][at]}: {words.DISPUTES[one.disputed][at]}"
            if one.disputed
            else "",
            f"{words.TITLES['marked'][at]}: {_mark(one.marked, at)}" if one.marked else "",
        ]
        yield printable("  ".join(part for part in told if part))


def _mark(mark: str, at: int) -> str:
    return table_words.MARKS.get(mark, (mark, mark))[at]
