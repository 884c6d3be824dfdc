"""The players' own books."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hw_sim.ledger import Ledger, LedgerError


def fact(seq: int, kind: str, /, **body: Any) -> dict[str, Any]:
    return {"seq": seq, "kind": kind, "body": {"round": 1, **body}}


def line(
    returned: int, stake: int = 500, bet: int = 1, result: str = "", **more: Any
) -> dict[str, Any]:
    """A line of an end; without a result it is the one of a main bet that returns so much."""
    plain = {0: "lose", stake: "push", 2 * stake: "win"}.get(returned, "win")
    parts = {"bet": bet, "player": "Kim", "stake": stake, "returned": returned}
    return {**parts, "result": result or plain, **more}


def placed(seq: int, bet: int = 1, **changes: Any) -> dict[str, Any]:
    parts = {"bet": bet, "kind": "main", "player": "Kim", "seat": 3, "hand": 1, "amount": 500}
    return fact(seq, "BetPlaced", **{**parts, **changes})


BET = placed(1)


def test_void_returns_each_stake() -> None:
    books = Ledger()
    assert books.take(BET)
    assert books.at_stake == 500
    assert books.take(fact(2, "RoundVoided", lines=[line(500)]))
    assert (books.void, books.settled, books.at_stake) == (1, 0, 0)
    assert books.balances == {"Kim": 0}


def test_a_doubled_stake_is_taken_and_paid_whole() -> None:
    """R29, R54: as much again, in the same bet."""
    books = Ledger()
    doubled = fact(2, "BetDoubled", bet=1, player="Kim", amount=500)
    for given in (BET, doubled, doubled):
        books.take(given)
    assert (books.placed, books.at_stake, books.balances) == (1_000, 1_000, {"Kim": -1_000})
    books.take(fact(3, "RoundSettled", lines=[line(2_000, 1_000)]))
    assert (books.balances, books.disputes) == ({"Kim": 1_000}, [])


def test_bets_returned_before_the_end_are_not_in_it() -> None:
    """A34: a bet behind a seat nobody plays comes back when betting closes."""
    books = Ledger()
    books.take(BET)
    books.take(placed(2, 2, kind="behind", player="Leo"))
    books.take(fact(3, "BetsReturned", lines=[line(500, bet=2, result="returned", player="Leo")]))
    assert (books.at_stake, books.balances["Leo"]) == (500, 0)
    books.take(fact(4, "RoundSettled", lines=[line(1_000)]))
    assert (books.rounds, books.disputes) == ({"1": "settled"}, [])


def test_a_bet_taken_back_is_whole_again_and_another_takes_its_place() -> None:
    books = Ledger()
    books.take(BET)
    books.take(fact(2, "BetsReturned", lines=[line(500, result="taken_back")]))
    assert (books.at_stake, books.balances, books.placed_in(1)) == (0, {"Kim": 0}, set())
    books.take(placed(3, 2, amount=700))
    books.take(fact(4, "RoundSettled", lines=[line(1_400, 700, bet=2)]))
    assert (books.balances, books.disputes) == ({"Kim": 700}, [])


@pytest.mark.parametrize("returned", [0, 499, 501])
def test_a_bet_taken_back_in_part_is_a_dispute(returned: int) -> None:
    books = Ledger()
    books.take(BET)
    books.take(fact(2, "BetsReturned", lines=[line(returned, result="taken_back")]))
    assert [f"taken_back, returns {returned}" in said for said in books.disputes] == [True]


@pytest.mark.parametrize(
    ("kind", "result", "returned"),
    [
        ("main", "blackjack_win", 1_250),
        ("main", "win", 1_000),
        ("behind", "win", 1_000),
        ("main", "push", 500),
        ("behind", "surrender", 250),
        ("pair", "win", 6_000),
        ("behind_pair", "win", 6_000),
        ("insurance", "win", 1_500),
        ("main", "lose", 0),
        ("main", "bust", 0),
    ],
)
def test_a_line_pays_what_its_result_says(kind: str, result: str, returned: int) -> None:
    """R44-R47, R32, R10; anything else is a dispute, and booked as it was paid."""
    for amount, disputes in ((returned, 0), (returned + 1, 1)):
        books = Ledger()
        books.take(placed(1, kind=kind))
        books.take(fact(2, "RoundSettled", lines=[line(amount, result=result)]))
        assert (books.returned, len(books.disputes)) == (amount, disputes)


def test_what_was_added_to_the_original_bet_may_come_back() -> None:
    """A22: a dealer's Blackjack takes the original bet alone."""
    books = Ledger()
    books.take(BET)
    books.take(fact(2, "BetDoubled", bet=1, player="Kim", amount=500))
    books.take(fact(3, "RoundSettled", lines=[line(500, 1_000, result="lose", rule="A22")]))
    assert books.disputes == []


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
        ([placed(2)], "placed twice"),
        ([fact(2, "BetDoubled", bet=2, player="Kim", amount=500)], "doubled by 500, placed None"),
        ([fact(2, "BetDoubled", bet=1, player="Kim", amount=400)], "doubled by 400, placed 500"),
        ([fact(2, "BetDoubled", bet=1, player="Leo", amount=500)], "doubled by 500, placed 500"),
        (
            [
                fact(2, "BetsReturned", lines=[line(500, result="returned")]),
                fact(3, "RoundSettled", lines=[line(1_000)]),
            ],
            "placed None",
        ),
        ([fact(2, "RoundSettled", lines=[line(500, player="Leo")])], "of Kim is paid to Leo"),
        ([fact(2, "RoundVoided", lines=[line(0, result="void")])], "void, returns 0"),
        ([fact(2, "RoundSettled", lines=[line(500, result="jackpot")])], "jackpot, returns 500"),
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
    again = Ledger.load(path)
    assert again == books
    assert again.placed_in(1) == {("main", 3, "Kim")}
    assert list(tmp_path.iterdir()) == [path]


def test_file_that_is_no_ledger_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    path.write_text('{"mine": 1}')
    with pytest.raises(LedgerError, match=r"ledger\.json: no players' ledger"):
        Ledger.load(path)
