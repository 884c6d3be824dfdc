"""A card entered by hand in the records: told with both names, counted, replayed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from station.game import facts as g
from station.game.cards import card_of
from station.records import source
from station.records.replay import Replay, Wrong
from station.records.stats import statistics
from station.table import inputs as i
from tests.support.exported import document, export, show, told
from tests.support.ledger import Ledger
from tests.support.play import DEALER, PIT


@pytest.fixture
def table(tmp_path: Path) -> Ledger:
    """Seat 1's second card could not be read three times, and was entered."""
    table = Ledger(tmp_path / "journal.db").open_table()
    table.deal("8S 9S", (1,))
    for _ in range(3):
        table.give(i.ReadMissed("shoe", "damaged", "", "", passed=True))
    hold = table.table.holds[0].hold
    table.must(PIT, i.EnterCard(hold, card_of("5D"), DEALER.staff, DEALER, "torn corner"))
    table.act("stand")
    table.cards("8H")
    table.clear()
    return table


def test_it_is_told_with_both_names_and_the_note_and_has_no_bytes(table: Ledger) -> None:
    card = next(one for one in document(table, 1)["cards"] if one["face"] == "5D")
    assert (card["manual"], card["read"], card["number"]) == (True, None, 3)
    text = show(table, 1, "--lang", "en")
    assert (
        "ENTERED BY HAND · 5♦ · by 2001 이수진 (supervisor), witness 1001 한지민 (dealer) · "
        "“torn corner”"
    ) in text
    assert "Card 3 · 5♦ → seat 1 · second card · entered by hand" in text
    assert "HOLD 1 ended · the card was entered by hand" in text


def test_it_is_counted_and_its_round_verifies(table: Ledger, tmp_path: Path) -> None:
    with source.journal(table.path) as db:
        (one,) = statistics(db, table.path, "table").groups().values()
    assert (one.manual, one.cards, one.owed, one.read_again) == (1, 4, 3, 3)
    export(table, 1, tmp_path / "r.zip")
    assert told("round", "verify", tmp_path / "r.zip")["fault"] == ""


@pytest.mark.parametrize("manual", [True, False])
def test_a_card_that_was_read_is_not_passed_off_as_entered_nor_the_other_way_round(
    table: Ledger, manual: bool
) -> None:
    first = next(fact for fact in dealt(table) if fact.manual is not manual)
    with pytest.raises(Wrong, match="entered by hand"):
        replayed(table, first, manual=manual)


def test_another_card_than_the_one_entered_is_named(table: Ledger) -> None:
    entered = next(fact for fact in dealt(table) if fact.manual)
    with pytest.raises(Wrong, match="another card was entered"):
        replayed(table, entered, card=card_of("TD"))


def dealt(table: Ledger) -> list[g.CardDealt]:
    return [row.fact for row in round_(table).rows if isinstance(row.fact, g.CardDealt)]


def round_(table: Ledger) -> source.Found:
    with source.journal(table.path) as db:
        return source.find(db, table.path, 1)


def replayed(table: Ledger, which: g.CardDealt, **fields: object) -> None:
    """The round again, with that card's fact changed."""
    found = round_(table)
    replay = Replay(found.before)
    body = msgspec.json.encode(replace(which, **fields)).decode()
    for row in found.rows:
        replay.step(row._replace(body=body) if row.fact == which else row)
