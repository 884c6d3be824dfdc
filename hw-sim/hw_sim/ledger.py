"""The players' own books, kept from facts alone: each bet paid once, whatever is repeated."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

# Stake and what comes back of it, stake included, by how a bet ended (R7-R10, R32, R46, R47).
_TIMES = {"main": (2, 1), "behind": (2, 1), "pair": (12, 1), "behind_pair": (12, 1)}
_RETURNS = {
    "blackjack_win": (5, 2),
    "push": (1, 1),
    "lose": (0, 1),
    "bust": (0, 1),
    "surrender": (1, 2),
    "returned": (1, 1),
    "taken_back": (1, 1),
    "void": (1, 1),
}
# The original bet alone is lost to a dealer's Blackjack: what was added to it comes back.
_ADDED_RETURNS = "A22"


@dataclass
class Stake:
    """What is at stake in one bet, in minor units, and where it stands."""

    kind: str
    seat: int
    hand: int
    player: str
    amount: int


@dataclass
class Ledger:
    """Money in minor units. `seq`: up to which fact everything is in the books.

    `placed` and `returned` are all that was taken and given back, `open` the bets that have not
    ended by round and number, `rounds` the ends of rounds, `disputes` what cannot be right: a
    round ended twice, a bet that was never placed, a line that pays another amount than its result.
    """

    seq: int = 0
    placed: int = 0
    returned: int = 0
    settled: int = 0
    void: int = 0
    open: dict[str, Stake] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    rounds: dict[str, str] = field(default_factory=dict)
    disputes: list[str] = field(default_factory=list)

    @property
    def at_stake(self) -> int:
        """Stakes of the open round."""
        return sum(stake.amount for stake in self.open.values())

    def placed_in(self, number: object) -> set[tuple[str, int, str]]:
        """The open bets of that round: kind, seat and player."""
        return {
            (stake.kind, stake.seat, stake.player)
            for key, stake in self.open.items()
            if key.startswith(f"{number}/")
        }

    def take(self, fact: dict[str, Any]) -> bool:
        """Book one fact; False when it is in the books already."""
        seq = int(fact.get("seq", 0))
        if seq <= self.seq:
            return False
        self.seq = seq
        body = fact.get("body") or {}
        match fact.get("kind"):
            case "BetPlaced":
                self._place(body)
            case "BetDoubled":
                self._double(body)
            case "BetsReturned":
                for line in body.get("lines", []):
                    self._pay(body, line)
            case "RoundSettled":
                self._end(body, "settled")
            case "RoundVoided":
                self._end(body, "void")
            case _:
                pass
        return True

    def _place(self, body: dict[str, Any]) -> None:
        key = _key(body, body.get("bet"))
        if key in self.open:
            self.disputes.append(f"bet {key} placed twice")
            return
        stake = Stake(
            kind=str(body.get("kind", "main")),
            seat=int(body.get("seat", 0)),
            hand=int(body.get("hand", 1)),
            player=str(body.get("player", "")),
            amount=int(body.get("amount", 0)),
        )
        self.open[key] = stake
        self._stake(stake.player, stake.amount)

    def _double(self, body: dict[str, Any]) -> None:
        """As much again, once (R29, R54)."""
        key, amount = _key(body, body.get("bet")), int(body.get("amount", 0))
        stake = self.open.get(key)
        if stake is None or amount != stake.amount or stake.player != body.get("player"):
            had = stake.amount if stake else None
            self.disputes.append(f"bet {key} doubled by {amount}, placed {had}")
            return
        stake.amount += amount
        self._stake(stake.player, amount)

    def _stake(self, player: str, amount: int) -> None:
        self.placed += amount
        self.balances[player] = self.balances.get(player, 0) - amount

    def _end(self, body: dict[str, Any], how: str) -> None:
        number = str(body.get("round"))
        if number in self.rounds:
            self.disputes.append(f"round {number} {how} after it was {self.rounds[number]}")
            return
        self.rounds[number] = how
        if how == "settled":
            self.settled += 1
        else:
            self.void += 1
        for line in body.get("lines", []):
            self._pay(body, line)
        left = [key for key in self.open if key.startswith(f"{number}/")]
        for key in left:
            self.disputes.append(f"bet {key} is missing in the end of round {number}")
            del self.open[key]

    def _pay(self, body: dict[str, Any], line: dict[str, Any]) -> None:
        key = _key(body, line.get("bet"))
        stake = self.open.pop(key, None)
        if stake is None or stake.amount != int(line.get("stake", -1)):
            had = stake.amount if stake else None
            self.disputes.append(f"bet {key} ends with stake {line.get('stake')}, placed {had}")
            return
        amount, player = int(line.get("returned", 0)), str(line.get("player", ""))
        if player != stake.player:
            self.disputes.append(f"bet {key} of {stake.player} is paid to {player}")
        if not _is_right(stake, line, amount):
            self.disputes.append(
                f"bet {key}: {stake.kind} of {stake.amount}, {line.get('result')}, returns {amount}"
            )
        self.returned += amount
        self.balances[player] = self.balances.get(player, 0) + amount

    # --- on disk ------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the books whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.new")
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(asdict(self), file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)

    @classmethod
    def load(cls, path: Path) -> Ledger:
        """The books of a file, or new ones. Raises LedgerError for a file that is none."""
        if not path.exists():
            return cls()
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            stakes = {key: Stake(**stake) for key, stake in kept["open"].items()}
            return cls(**{**kept, "open": stakes})
        except (ValueError, TypeError, KeyError) as error:
            raise LedgerError(f"{path}: no players' ledger: {error}; move it away") from error


class LedgerError(Exception):
    """The file is no ledger."""


def _key(body: dict[str, Any], bet: object) -> str:
    return f"{body.get('round')}/{bet}"


def _is_right(stake: Stake, line: dict[str, Any], amount: int) -> bool:
    """Whether the line returns what its result says."""
    result = str(line.get("result", ""))
    if line.get("rule") == _ADDED_RETURNS:
        return 0 < amount <= stake.amount
    if result == "win":
        times, of = _TIMES.get(stake.kind, (3, 1))
    elif result in _RETURNS:
        times, of = _RETURNS[result]
    else:
        return False
    return amount * of == stake.amount * times
