"""What simulated players say: a strategy for seats, and for those who stand behind them."""

from __future__ import annotations

import random
from typing import Literal, Protocol, get_args

from station.game.rules import TableRules
from station.game.state import Action, Asked, Round, Slot, WindowKind, hand_at
from station.simulation.strategy import basic

StrategyName = Literal["basic", "random", "absent"]
STRATEGIES: tuple[StrategyName, ...] = get_args(StrategyName)


class Strategy(Protocol):
    """`None` is silence: the window's time runs out."""

    def decide(self, round_: Round, asked: Asked) -> Action | None:
        """One of the legal actions of the asked hand."""

    def answers(self, kind: WindowKind) -> bool | None:
        """Insurance bought, a second hand or a double followed?"""


class Basic:
    """The total-dependent basic strategy; never insures, follows whatever the seat does."""

    def __init__(self, rules: TableRules) -> None:
        self._rules = rules

    def decide(self, round_: Round, asked: Asked) -> Action:
        cards = hand_at(round_, Slot(asked.seat, asked.hand)).cards
        return basic(
            cards,
            round_.dealer[0],
            asked.legal,
            self._rules.dealer_blackjack_takes,
            self._rules.double_after_split,
        )

    def answers(self, kind: WindowKind) -> bool:
        return kind != "insurance"


class Random:
    """Any legal action, and now and then none."""

    def __init__(self, source: random.Random) -> None:
        self._random = source

    def decide(self, round_: Round, asked: Asked) -> Action | None:
        return self._random.choice((*asked.legal, None))

    def answers(self, kind: WindowKind) -> bool | None:
        return self._random.choice((True, False, None))


class Absent:
    """Nobody ever answers: the station plays every hand (R21)."""

    def decide(self, round_: Round, asked: Asked) -> None:
        return None

    def answers(self, kind: WindowKind) -> None:
        return None


def strategy_of(name: StrategyName, rules: TableRules, source: random.Random) -> Strategy:
    """The strategy of that name."""
    match name:
        case "basic":
            return Basic(rules)
        case "random":
            return Random(source)
        case "absent":
            return Absent()
