"""The players' own books."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hw_sim.ledger import Ledger, LedgerError


def fact(seq: int, kind: str, **body: Any) -> dict[str, Any]:
    return {"seq": seq, "kind": kind, "body": {"round": 1, **body}}


def line(returned: int, stake: int = 500, bet: int = 1) -> dict[str, Any]:
    return {"bet": bet, "player": "Kim", "stake": stake, "returned": returned}


BET = fact(1, "BetPlaced", bet=1, player="Kim", amount=500)


def test_void_returns_each_stake() -> None:
    books = Ledger()
    assert books.take(BET)
    assert books.at_stake == 500
    assert books.take(fact(2, "RoundVoided", lines=[line(500)]))
    assert (books.void, books.settled, books.at_stake) == (1, 0, 0)
    assert books.balances == {"Kim": 0}


def test_what_is_repeated_is_booked_once() -> None:
    books = Ledger()
    for _ in range(3):
        books.take(BET)
        books.take(fact(2, "RoundSettled", lines=[line(1_000)]))
    assert books.balances == {"Kim": 500}
    assert books.disputes == []


@pytest.mark.parametrize(
    ("facts", "dispute"),
    [
        ([fact(2, "BetPlaced", bet=1, player="Kim", amount=500)], "placed twice"),
        ([fact(2, "RoundSettled", lines=[])], "missing in the end of round 1"),
        ([fact(2, "RoundSettled", lines=[line(0), line(5, bet=2)])], "placed None"),
        ([fact(2, "RoundSettled", lines=[line(0, stake=400)])], "stake 400, placed 500"),
        (
            [fact(n, "RoundSettled", lines=[line(1_000)]) for n in (2, 3)],
            "settled after it was settled",
        ),
        (
            [
                fact(2, "RoundVoided", lines=[line(500)]),
                fact(3, "RoundSettled", lines=[line(1_000)]),
            ],
            "settled after it was void",
        ),
    ],
)
def test_what_cannot_be_right_is_a_dispute_and_never_paid_twice(
    facts: list[dict[str, Any]], dispute: str
) -> None:
    books = Ledger()
    for given in [BET, *facts]:
        books.take(given)
    assert len(books.disputes) == 1
    assert dispute in books.disputes[0]
    assert books.returned in (0, 500, 1_000)


def test_books_outlive_the_process(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    books = Ledger()
    books.take(BET)
    books.save(path)
    assert Ledger.load(path) == books
    assert list(tmp_path.iterdir()) == [path]


def test_file_that_is_no_ledger_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    path.write_text('{"mine": 1}')
    with pytest.raises(LedgerError, match=r"ledger\.json: no players' ledger"):
        Ledger.load(path)
