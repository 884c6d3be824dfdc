"""What is true of every step of any play, whatever was put in: checked on each input.

The facts lead to the table, also through their stored form; a refusal changes nothing; every stake
is taken once and has one line; no card moves while a question is open; the table always waits for
one thing.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from station.game import facts as g
from station.game.dealing import Nobody, Owed
from station.game.rules import TableRules
from station.game.state import DEALER, Phase, at_risk, is_open, phase
from station.table import facts as f
from station.table import inputs as i
from station.table import lock_facts as lf
from station.table.decide import Decision
from station.table.evolve import evolve
from station.table.state import Table, due, expected
from tests.support.play import Play

_decode = msgspec.json.Decoder(f.AnyFact).decode
_encode = msgspec.json.Encoder(order="deterministic").encode
AUDIT = (
    f.CommandAnswered,
    f.LoginFailed,
    f.TriesForgotten,
    g.PlayerReturned,
    # Of a host that plays by other rules.
    lf.ConditionRaised,
    lf.ConditionCleared,
)
MONEY = (g.BetPlaced, g.BetDoubled, g.BetsReturned, g.RoundSettled, g.RoundVoided)
WINDOWS = ("betting", "decision", "insurance", "follow")


class Ledger:
    """Every stake taken and every line paid, per round, from the facts alone."""

    def __init__(self) -> None:
        self.staked: dict[tuple[int, int], int] = {}
        self.lines: dict[tuple[int, int], int] = {}
        self.ended: Counter[int] = Counter()
        self.held = 0

    def copy(self) -> Ledger:
        """Another one with the same in it."""
        other = Ledger()
        other.staked, other.lines = dict(self.staked), dict(self.lines)
        other.ended, other.held = Counter(self.ended), self.held
        return other

    def book(self, fact: f.AnyFact) -> None:
        match fact:
            case g.BetPlaced():
                key = fact.round, fact.bet
                assert key not in self.staked, fact
                self.staked[key] = fact.amount
                self.held += fact.amount
            case g.BetDoubled():
                key = fact.round, fact.bet
                assert self.staked[key] == fact.amount, "doubled twice, or by another amount"
                self.staked[key] += fact.amount
                self.held += fact.amount
            case g.BetsReturned() | g.RoundSettled() | g.RoundVoided():
                for line in fact.lines:
                    key = fact.round, line.bet
                    assert key not in self.lines, f"{line} is paid twice"
                    assert line.stake == self.staked[key], line
                    self.lines[key] = line.returned
                    self.held -= line.stake
            case _:
                return
        if isinstance(fact, g.RoundSettled | g.RoundVoided):
            self.ended[fact.round] += 1
            assert self.ended[fact.round] == 1, "a round ends once"
            open_ = [key for key in self.staked if key[0] == fact.round and key not in self.lines]
            assert not open_, "a bet without its line"


class Watch(Play):
    """A table under test at which every step is looked at."""

    def __init__(self, rules: TableRules | None = None) -> None:
        self.ledger = Ledger()
        super().__init__(rules)

    def give(self, given: i.AnyInput) -> Decision:
        before = self.table
        decision = super().give(given)
        stored = before
        for fact in decision.facts:
            self.before_fact(stored, fact)
            self.ledger.book(fact)
            again = _decode(_encode(fact))
            assert again == fact
            stored = evolve(stored, again)
        assert stored == decision.after, "replay is not what was lived"
        if decision.refusal is not None:
            refused_changes_nothing(before, decision)
        waits_for_one_thing(decision.after)
        round_ = decision.after.game.round
        at_stake = sum(bet.stake for bet in at_risk(round_)) if round_ and is_open(round_) else 0
        assert at_stake == self.ledger.held
        return decision

    def before_fact(self, table: Table, fact: f.AnyFact) -> None:
        """What must be so at the very moment at which a fact happens."""
        if isinstance(fact, g.CardDealt):
            card_moves(table, fact)
        elif isinstance(fact, g.DecisionAsked):
            assert {"hit", "stand"} <= set(fact.legal)
            assert not table.holds
        elif isinstance(fact, g.RoundSettled):
            assert not table.holds


def card_moves(table: Table, fact: g.CardDealt) -> None:
    """Only to whom it is owed; never in a hold, a window, or while a decision is open (A15)."""
    round_ = table.game.round
    assert round_ is not None
    assert round_.window is None
    assert round_.asked is None
    assert not table.holds
    assert table.host_connected or fact.card in table.game.kept
    if fact.card not in table.game.kept:
        answer = expected(table)
        assert isinstance(answer, Owed)
        assert answer.slot == fact.slot
    before = [gone for gone in table.game.shoe.gone if gone.card == fact.card]
    assert fact.slot.seat >= DEALER
    assert len(before) == int(fact.card in table.game.kept), "a card is dealt once"


def refused_changes_nothing(before: Table, decision: Decision) -> None:
    """A refusal leaves an answer, and at most that the player is there again (A13)."""
    assert {type(fact) for fact in decision.facts} <= set(AUDIT), decision.facts
    after = decision.after
    assert after.game.round == before.game.round
    assert after.game.shoe == before.game.shoe
    assert (after.game.exposed, after.game.kept) == (before.game.exposed, before.game.kept)
    assert [(s.seat, s.player) for s in after.game.seats] == [
        (s.seat, s.player) for s in before.game.seats
    ]
    assert (after.holds, after.life, after.rules) == (before.holds, before.life, before.rules)
    assert (after.dealer, after.signed, after.resumed) == (
        before.dealer,
        before.signed,
        before.resumed,
    )
    if not any(isinstance(fact, g.PlayerReturned) for fact in decision.facts):
        assert after.game == before.game
        assert after.changed == before.changed


def waits_for_one_thing(table: Table) -> None:
    """Exactly one of them, so that nothing hangs; and a window has its clock (A7)."""
    answer = expected(table)
    round_ = table.game.round
    clocks = [timer.kind for timer in due(table) if timer.kind in WINDOWS]
    if table.holds or (is_open(round_) and not table.host_connected):
        assert isinstance(answer, Nobody)
        assert not clocks
        return
    if round_ is None or not is_open(round_):
        assert not clocks
        if round_ is not None and phase(round_) is Phase.RESULT:
            assert isinstance(answer, Nobody)
        return
    owed = isinstance(answer, Owed) or answer.code == "reader_not_up"
    waits = {
        "betting": not round_.closed,
        "decision": round_.asked is not None,
        "window": round_.window is not None,
        "card": owed,
    }
    assert sum(waits.values()) == 1, waits
    assert len(clocks) == int(not owed)
    if round_.asked is not None:
        assert round_.asked.legal
