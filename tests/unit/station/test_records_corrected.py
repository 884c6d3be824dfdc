"""A corrected card in the records: told with both names, and replayed with its conditions."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from station.game import facts as g
from station.game.cards import card_of
from station.game.state import Slot
from station.records import source
from station.records.replay import Replay, Wrong
from station.table import inputs as i
from tests.support.exported import document, export, show, told
from tests.support.ledger import Ledger
from tests.support.play import CONSOLE, DEALER, PIT


@pytest.fixture
def table(tmp_path: Path) -> Ledger:
    """Seat 1's second card was read as a three and is a five."""
    table = Ledger(tmp_path / "journal.db").open_table()
    table.deal("8S 9S 3D", (1,))
    table.must(CONSOLE, i.ReportError("wrong_card"))
    table.card("5D")
    hold = table.table.holds[0].hold
    table.must(PIT, i.CorrectCard(hold, card_of("5D"), DEALER.staff, DEALER, "smudged"))
    table.act("stand")
    table.cards("8H")
    table.clear()
    return table


def test_it_is_told_with_both_names_and_lies_in_the_hand_as_what_it_is(table: Ledger) -> None:
    faces = [card["face"] for card in document(table, 1)["cards"]]
    assert faces == ["8S", "9S", "5D", "8H"]
    text = show(table, 1, "--lang", "en")
    assert "CORRECTED · 3♦ of deck 1 is 5♦ of deck 1 (card 3 of the shoe) · by 2001" in text
    assert "witness 1001 한지민 (dealer) · “smudged”" in text
    assert "HOLD 1 ended · the card was corrected" in text
    assert "정정 · " in show(table, 1, "--lang", "ko")


def test_its_round_verifies_on_another_machine(table: Ledger, tmp_path: Path) -> None:
    export(table, 1, tmp_path / "r.zip")
    assert told("round", "verify", tmp_path / "r.zip")["fault"] == ""


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"was": card_of("4D", "A", 1)}, "is not 4D"),
        ({"order": 2}, "could not be corrected any more"),
        ({"slot": Slot()}, "could not be corrected any more"),
        ({"card": card_of("8S", "A", 1)}, "card_is_out"),
        ({"card": card_of("5D", "A", 9)}, "not_of_this_shoe"),
    ],
)
def test_a_correction_that_could_not_be_is_named(
    table: Ledger, changed: dict[str, object], words: str
) -> None:
    with pytest.raises(Wrong, match=words):
        replayed(table, changed)


def replayed(table: Ledger, changed: dict[str, object]) -> None:
    """The round again, its correction saying otherwise."""
    with source.journal(table.path) as db:
        found = source.find(db, table.path, 1)
    play = Replay(found.before)
    for row in found.rows:
        fact = row.fact
        if isinstance(fact, g.CardCorrected):
            row = row._replace(body=msgspec.json.encode(replace(fact, **changed)).decode())
        play.step(row)
    play.end()
