"""An incident's report writes itself: what happened, who ruled what, and what of the bets."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from station.game.incidents import POLICIES, REPORTS, ROWS, incident_of, ways
from station.game.rules import TableRules
from station.journal import GENESIS, Row, Stamp, row_hash
from station.records import incident_text
from station.records.incidents import Report, reports
from station.table import facts as f
from station.table import inputs as i
from station.upcast import FACT_VERSION
from station.wording import incidents as words
from tests.support.felt import Felt
from tests.support.play import CONSOLE, PIT, Play


def rows(play: Play) -> Iterator[Row]:
    """The facts as a journal has them, a second apart."""
    prev = GENESIS
    for seq, fact in enumerate(play.facts, 1):
        body = msgspec.json.encode(fact, order="deterministic").decode()
        stamp = Stamp(f"2026-01-01T00:{seq // 60:02}:{seq % 60:02}Z", seq * 10**9, "boot")
        round_ = getattr(fact, "round", 0)
        kind = type(fact).__name__
        digest = row_hash(seq, stamp, round_, kind, FACT_VERSION, body, prev)
        yield Row(seq, *stamp, round_, kind, FACT_VERSION, body, prev, digest)
        prev = digest


def told(play: Play) -> list[Report]:
    return list(reports(rows(play)))


def english(report: Report) -> str:
    return "\n".join(incident_text.lines(report, 1))


def rule(play: Play, ruling: str, note: str = "") -> None:
    hold = play.table.holds[0].hold
    play.must(PIT, i.Rule(hold, ruling, note, None))  # type: ignore[arg-type]


def test_r60_a_misdeal_that_is_voided_tells_who_and_that_every_bet_came_back_once() -> None:
    felt = Felt().put((1, 3), pair={1: 500}, behind=[("B", 3, 2000)]).dealt("8S 7S 9S")
    felt.must(CONSOLE, i.ReportError("seat_skipped"))
    rule(felt, "void", "seat 3 got none")
    (report,) = told(felt)
    assert (report.row, report.by, report.ruling, report.decided_by) == (
        "P9",
        "1001",
        "void",
        "2001",
    )
    assert (report.bets, report.returned) == (4, 1000 + 1000 + 500 + 2000)
    text = english(report)
    for line in ("P9 Seat skipped", "1001", "2001", "all 4 returned: 4,500", "seat 3 got none"):
        assert line in text
    assert "all bets returned" in text


def test_a20_an_exposed_card_that_is_burned_leaves_the_bets_as_they_were() -> None:
    felt = Felt().put((1,))
    felt.card("5D")
    rule(felt, "burn")
    (report,) = told(felt)
    assert (report.row, report.ruling, report.card, report.bets) == ("P1", "burn", "burned", 0)
    assert "stand as they were" in english(report)
    assert report.by == ""
    assert "device shoe" in english(report)


def test_an_open_incident_is_told_as_not_decided() -> None:
    felt = Felt().put((1,)).dealt("8S 9S")
    felt.must(CONSOLE, i.EmergencyStop())
    (report,) = told(felt)
    assert (report.row, report.ruling) == ("P23", "")
    assert "not decided yet" in english(report)


def test_the_dealers_own_wait_is_no_incident() -> None:
    felt = Felt().put((1,))
    felt.must(CONSOLE, i.Wait())
    felt.must(CONSOLE, i.Resume(felt.table.holds[0].hold))
    assert told(felt) == []


def test_a_supervisors_void_ends_every_incident_that_is_open_but_a_devices() -> None:
    felt = Felt().put((1,)).dealt("8S 9S")
    felt.must(CONSOLE, i.ReportError("other"))
    felt.must(CONSOLE, i.EmergencyStop())
    felt.give(i.DeviceFault("shoe", "jam", ""))
    felt.must(PIT, i.VoidRound(felt.number, "misdeal", felt.table.version))
    found = {report.code: report for report in told(felt)}
    assert {code: one.ruling for code, one in found.items()} == {
        "dealer_report": "void",
        "emergency": "void",
        "device_fault": "",
    }
    assert all(one.decided_by == "2001" for one in found.values() if one.ruling)


def test_how_long_it_took_is_by_the_monotonic_clock_whatever_the_wall_clock_did() -> None:
    felt = Felt().put((1,))
    felt.card("5D")
    rule(felt, "burn")
    stored = list(rows(felt))
    stepped = [row._replace(utc="2020-01-01T00:00:00Z") for row in stored]
    (plain,), (back,) = list(reports(stored)), list(reports(stepped))
    assert plain.lasted_ms == back.lasted_ms
    assert plain.lasted_ms is not None
    assert plain.lasted_ms > 0
    (other,) = reports([*stored[:-3], *(row._replace(boot="next") for row in stored[-3:])])
    assert other.lasted_ms is None, "two boots share no monotonic clock"


@pytest.mark.parametrize("at", [0, 1])
def test_every_row_has_its_words_in_both_languages(at: int) -> None:
    assert set(words.ROWS) == {row.number for row in ROWS} | {""}
    assert {row.unheld for row in ROWS if row.unheld} == set(words.UNHELD)
    for table in (words.ROWS, words.UNHELD, words.ROLES, words.CARDS, words.LINES, words.VALUES):
        assert all(text[at].strip() for text in table.values())


@pytest.mark.parametrize("what", REPORTS)
@pytest.mark.parametrize("policy", POLICIES)
def test_every_report_in_every_way_out_can_be_printed(what: str, policy: str) -> None:
    rules = TableRules(incident_policy=policy)  # type: ignore[arg-type]
    for way in ways(incident_of("dealer_report", {"what": what}), rules.incident_policy):
        felt = Felt(rules).put((1,)).dealt("8S 9S 8H")
        felt.must(CONSOLE, i.ReportError(what))
        if way.ruling == "aligned":
            felt.give(Play.read(felt.table.game.shoe.gone[-1].card))
        refusal = felt.say(PIT, i.Rule(felt.table.holds[0].hold, way.ruling, "", None))
        (report,) = told(felt)
        assert (report.ruling == "") == (refusal is not None)
        for at in (0, 1):
            text = "\n".join(incident_text.lines(report, at))
            assert "{" not in text
            assert report.row in text
        assert isinstance(felt.facts[-1], f.CommandAnswered)
