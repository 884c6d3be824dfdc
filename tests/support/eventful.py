"""A journal of six rounds in which much happens, for whoever reads journals.

1: insurance, a split, a bet behind, a Pair bet, pictures, a no-read; settled and cleared.
2: a card too early, burned by a ruling; a player who is absent; settled and cleared.
3: a card that nobody was owed; refused presses; void by a ruling. The shoe is counted short.
4: the game host is lost: void by the station.
5: a card of it is read again in round 6 and void there, so that it is marked.
7: still running.
"""

from __future__ import annotations

from pathlib import Path

from station.game import commands as c
from station.game.cards import RANKS, SUITS
from station.table import inputs as i
from tests.support.ledger import Ledger
from tests.support.play import CONSOLE, HOST, PIT

SETTLED, VOID, OPEN = (1, 2, 5), (3, 4, 6), 7


def eventful(path: Path, *, sealed: bool = True) -> Ledger:
    """The table as it is in round 7, its journal still open."""
    table = Ledger(path, sealed=sealed).open_table()
    split(table)
    burned(table)
    void(table)
    lost(table)
    doubled_card(table)
    table.bet((1, 3)).close()
    table.cards("2S 3S")
    return table


def split(table: Ledger) -> None:
    table.bet((1, 3))
    table.must(HOST, c.PlaceBet(table.number, 1, "Eve", 1000, "behind"))
    table.must(HOST, c.PlaceBet(table.number, 1, "P1", 500, "pair"))
    table.close()
    missed = (table.picture("a0.jpg"),)
    table.give(i.ReadMissed("shoe", "damaged", "A?H1", "413f4831", True, evidence=missed))
    table.seen("8H", "a1.jpg", "a2.jpg")
    table.seen("9D", "a3.jpg")
    table.cards("AS 8S 9C")
    window = table.round.window
    assert window is not None
    table.must(HOST, c.Insure(table.number, window.window, "P1", True))
    table.fire("insurance")
    table.act("split")
    window = table.round.window
    assert window is not None
    table.must(HOST, c.Follow(table.number, window.window, "Eve", True))
    table.cards("3H TC")
    table.act("double")
    table.fire("follow")
    table.cards("7D")
    table.act("stand", "stand")
    table.cards("6D")
    table.clear()


def burned(table: Ledger) -> None:
    table.bet((1, 3))
    table.card("QS")
    table.must(PIT, i.Rule(table.table.holds[0].hold, "burn", "too early", None))
    table.close()
    table.cards("5H TC 9D 6C 8S")
    table.fire("decision")
    table.card("7H")
    table.act("stand")
    table.cards("8C")
    table.clear()


def void(table: Ledger) -> None:
    table.deal("5S TH 9S 6H 8D")
    table.card("2D")
    hold = table.table.holds[0].hold
    assert table.say(CONSOLE, i.Rule(hold, "void", "", None)) is not None
    assert table.say(PIT, i.Rule(hold, "burn", "", None)) is not None
    table.wait(20_000)
    table.must(PIT, i.Rule(hold, "void", "dealt too far", None))
    left = {rank + suit: 8 for rank in RANKS for suit in SUITS}
    for gone in table.table.game.shoe.gone:
        left[gone.card.face] -= 1
    left["KD"] -= 1
    table.must(PIT, i.ReconcileShoe("S1", left))
    table.new_shoe("S2")


def lost(table: Ledger) -> None:
    table.deal("5H TC 9D 6C 8S")
    table.lose_host()
    table.give(i.LinkUp(HOST.link, "host", "game"))
    table.new_shoe("S3")


def doubled_card(table: Ledger) -> None:
    table.deal("5H TC 9D 6C 8S").act("stand", "stand")
    table.cards("8H")
    table.clear()
    table.bet((1, 3)).close()
    table.card("9C")
    table.card("TC", 1)
    hold = table.table.holds[0].hold
    table.must(PIT, i.Rule(hold, "void", "", None))
    table.new_shoe("S4")
