"""What came back for what was staked, with how sure it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass
class Return:
    """One kind of bet over many rounds; all its bets of a round are one sample, for they share
    the dealer's cards.

    The return is 1 + net result / initial stakes: what a double or a split adds counts in the
    result and not in the stake it is measured by.
    """

    rounds: int = 0
    bets: int = 0
    initial: int = 0
    staked: int = 0
    returned: int = 0
    _squares: float = 0.0
    _products: float = 0.0
    _initials: float = 0.0

    def add(self, bets: int, initial: int, staked: int, returned: int) -> None:
        """The bets of one round: how many, and their sums in minor units."""
        net = returned - staked
        self.rounds += 1
        self.bets += bets
        self.initial += initial
        self.staked += staked
        self.returned += returned
        self._squares += net * net
        self._products += net * initial
        self._initials += initial * initial

    @property
    def share(self) -> float:
        """What comes back of each unit staked at first; 1 is everything."""
        return 1 + (self.returned - self.staked) / self.initial if self.initial else 0.0

    @property
    def error(self) -> float:
        """The standard error of `share` (of a ratio of sums over independent rounds)."""
        if self.rounds < 2 or not self.initial:
            return 0.0
        edge = self.share - 1
        spread = self._squares - 2 * edge * self._products + edge * edge * self._initials
        scale = self.rounds / (self.rounds - 1)
        return math.sqrt(max(0.0, spread) * scale) / self.initial


@dataclass
class Returns:
    """By kind of bet: `main`, `pair`, `insurance`, `behind`, `behind_pair`."""

    kinds: dict[str, Return] = field(default_factory=dict)

    def of(self, kind: str) -> Return:
        return self.kinds.setdefault(kind, Return())
