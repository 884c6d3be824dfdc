"""The players' own books, kept from facts alone: each bet paid once, whatever is repeated."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Ledger:
    """Money in minor units. `seq`: up to which fact everything is in the books.

    `open` is what each player has at stake by round, `rounds` the ends of rounds, `disputes` what
    cannot be right: a round ended twice, a bet that was never placed.
    """

    seq: int = 0
    placed: int = 0
    returned: int = 0
    settled: int = 0
    void: int = 0
    open: dict[str, int] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    rounds: dict[str, str] = field(default_factory=dict)
    disputes: list[str] = field(default_factory=list)

    @property
    def at_stake(self) -> int:
        """Stakes of the open round."""
        return sum(self.open.values())

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
            case "RoundSettled":
                self._end(body, "settled")
            case "RoundVoided":
                self._end(body, "void")
            case _:
                pass
        return True

    def _place(self, body: dict[str, Any]) -> None:
        player, amount = str(body.get("player", "")), int(body.get("amount", 0))
        key = _key(body, body.get("bet"))
        if key in self.open:
            self.disputes.append(f"bet {key} placed twice")
            return
        self.open[key] = amount
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
        if stake is None or stake != int(line.get("stake", -1)):
            self.disputes.append(f"bet {key} ends with stake {line.get('stake')}, placed {stake}")
            return
        amount, player = int(line.get("returned", 0)), str(line.get("player", ""))
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
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError) as error:
            raise LedgerError(f"{path}: no players' ledger: {error}; move it away") from error


class LedgerError(Exception):
    """The file is no ledger."""


def _key(body: dict[str, Any], bet: object) -> str:
    return f"{body.get('round')}/{bet}"
