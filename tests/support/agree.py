"""Where the table and its picture on paper must agree: everywhere that can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from station.game.dealing import Nobody
from station.game.state import Round, phase
from station.table.state import Table, due, expected
from tests.support.naive import PaperRound
from tests.support.naive_table import PaperTable
from tests.support.watch import WINDOWS


def agree(table: Table, paper: PaperTable) -> None:
    """Cards, people, holds, shoe, clocks, and the round."""
    round_ = table.game.round
    answer = expected(table)
    where = None if isinstance(answer, Nobody) else (answer.slot.seat, answer.slot.hand)
    assert where == paper.next(), (answer, paper.next())
    assert {s.seat: s.player for s in table.game.seats} == paper.seats
    assert {s.seat for s in table.game.seats if s.absent} == paper.away
    assert {h.hold: h.code for h in table.holds} == {n: h[0] for n, h in paper.holds.items()}
    assert (table.game.shoe.state, table.game.shoe.cut) == (paper.shoe_state, paper.cut)
    assert [t.kind for t in due(table) if t.kind in (*WINDOWS, "host_grace")] == [
        kind for kind in [paper.clock()] if kind
    ]
    if round_ is not None:
        same_round(round_, paper.round)


def same_round(round_: Round, paper: PaperRound | None) -> None:
    """Hands, question, window and money of the round."""
    assert paper is not None
    hands = {
        (box.seat, number): (faces(hand.cards), hand.split, hand.doubled, hand.surrendered)
        for box in round_.boxes
        for number, hand in enumerate(box.hands, start=1)
    }
    assert hands == {
        (seat, number): (hand.cards, hand.split, hand.doubled, hand.surrendered)
        for seat, theirs in paper.hands.items()
        for number, hand in enumerate(theirs, start=1)
    }
    assert faces(round_.dealer) == paper.dealer
    asked = round_.asked
    assert ((asked.seat, asked.hand) if asked else None) == paper.turn_of
    if asked is not None and paper.turn_of is not None:
        assert set(asked.legal) == paper.legal(paper.turn_of)
    mine, theirs_ = round_.window, paper.window
    assert (mine is None) == (theirs_ is None)
    if mine is not None and theirs_ is not None:
        place = (mine.kind, mine.seat, mine.hand)
        assert place == (theirs_.kind, theirs_.seat, theirs_.hand)
        assert set(mine.asked) == set(theirs_.asked)
        assert dict(mine.answers) == theirs_.said
    back = {line.bet: line.returned for line in round_.lines}
    money = [
        (bet.kind, bet.player, bet.seat, bet.hand, bet.stake, back.get(bet.bet, -1))
        for bet in round_.bets
    ]
    assert sorted(money) == sorted(
        (s.kind, s.player, s.seat, s.hand, s.all, -1 if s.back is None else s.back)
        for s in paper.stakes
    )
    state = {"betting": ("",), "playing": ("",)}.get(paper.state, (paper.state,))
    assert round_.ended in state, (phase(round_), paper.state)
    assert round_.closed == (paper.state != "betting") or paper.state == "void"


def faces(cards: Sequence[Any]) -> list[str]:
    return [card.face for card in cards]
