"""An incident report as it is printed and signed, in Korean or English."""

from __future__ import annotations

from collections.abc import Iterator

from station.game.incidents import incident_of
from station.records.incidents import Report
from station.records.text import padded
from station.table.state import Hold
from station.view_holds import params_of, what_happened
from station.wording import incidents as words
from station.wording import table as table_words
from station.wording.say import face_sign, money

_WIDTH = 16


def lines(report: Report, at: int, digits: int = 0) -> Iterator[str]:
    """The report; `at` 0 is Korean, 1 English. `digits` follow the decimal point of an amount."""
    title = words.LINES["title"][at].format(number=report.number, table=report.table)
    yield title
    yield ""
    for name, text in _pairs(report, at, digits):
        yield padded(words.LINES[name][at], _WIDTH) + text


def headline(report: Report, at: int) -> str:
    """The report in one line of a list."""
    ruling = _ruling(report, at) if report.ruling else words.VALUES["open"][at]
    kind = words.ROWS[report.row][at]
    return f"{report.number:>5}  {report.at}  {report.round:>6}  {report.row:4} {kind} · {ruling}"


def _pairs(report: Report, at: int, digits: int) -> Iterator[tuple[str, str]]:
    yield "row", " ".join(filter(None, (report.row, words.ROWS[report.row][at])))
    hold = Hold(report.number, report.code, report.device, report.params, report.cards)
    what = what_happened(hold, table_words.HOLDS[report.code][0], params_of(hold))
    yield "what", (what.ko, what.en)[at]
    if report.round:
        yield "round", f"{report.round:,}"
    yield "when", report.at
    yield "noticed", _noticed(report, at)
    if report.cards:
        yield "cards", " ".join(_card(card.face, card.set, card.deck) for card in report.cards)
    if report.params.get("first_order"):
        first = {"round": report.params["first_round"], "order": report.params["first_order"]}
        yield "first", words.VALUES["first"][at].format(**first)
    yield "rule", str(report.params.get("rule") or incident_of(report.code, report.params).rule)
    yield from _decided(report, at, digits)
    if report.informs:
        yield "inform", ", ".join(words.ROLES[role][at] for role in report.informs)
    yield "facts", f"{report.facts[0]}-{report.facts[1]}"


def _decided(report: Report, at: int, digits: int) -> Iterator[tuple[str, str]]:
    if not report.ruling:
        yield "ruling", words.VALUES["open"][at]
        return
    yield "ruling", _ruling(report, at)
    yield "by", f"{report.decided_by}  {report.decided_at}"
    if report.lasted_ms is not None:
        seconds = f"{report.lasted_ms / 1000:.1f}"
        yield "lasted", words.VALUES["seconds"][at].format(seconds=seconds)
    if report.note:
        yield "note", report.note
    if report.cards and report.card is not None:
        yield "card", words.CARDS[report.card][at]
    if report.bets is None:
        yield "bets", words.VALUES["none"][at]
    elif report.ruling == "void":
        amount = money(report.returned, digits)
        yield "bets", words.VALUES["returned"][at].format(bets=report.bets, amount=amount)
    else:
        yield "bets", words.VALUES["stand"][at]


def _ruling(report: Report, at: int) -> str:
    ruling = report.ruling
    shown = {"void": "shoe_out", "burn": "burn_only"} if report.bets is None else {}
    text = table_words.RULINGS_OF.get(
        (report.code, ruling), table_words.RULINGS.get(shown.get(ruling, ruling), (ruling, ruling))
    )
    return text[at]


def _noticed(report: Report, at: int) -> str:
    if report.by:
        return report.by
    if report.device:
        return words.VALUES["device"][at].format(device=report.device)
    return words.VALUES["station"][at]


def _card(face: str, letter: str, deck: int) -> str:
    return face_sign(face) + (f"/{letter}{deck}" if deck else "")
