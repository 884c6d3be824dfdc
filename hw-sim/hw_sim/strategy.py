"""How a simulated player plays: hit or stand by a simple basic strategy."""

from __future__ import annotations

from typing import Literal


def choose(total: int, soft: bool, dealer_up: str) -> Literal["hit", "stand"]:
    """Hit or stand on `total` against the dealer's upcard (`KH`; "" when there is none).

    Hard: stand on 17 and more, and on 12 to 16 against 2 to 6. Soft: stand on 18 and more.
    """
    if soft:
        return "stand" if total >= 18 else "hit"
    if total >= 17 or (total >= 12 and dealer_up[:1] in tuple("23456")):
        return "stand"
    return "hit"
