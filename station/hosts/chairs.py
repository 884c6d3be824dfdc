"""The host of a table with players in the chairs: the dealer keys seats, bets and what each player
signals.

The console says the same commands as a game host over a link; what a dealer need not know is
filled in here: a name for who sits there, the nominal unit for chips that are not counted, the
rules the table is played by. The station itself is the host, so it is never lost while the table
runs, and consoles may come and go.
"""

from __future__ import annotations

from itertools import count

from msgspec import UNSET
from msgspec.structs import replace

from station import messages as m
from station.game.rules import TableRules, fingerprint
from station.game.state import at_risk
from station.table.state import Table

BEHIND = ("behind", "behind_pair")


class Chairs:
    """Fills in the dealer's keys. `nominal`: a bet keyed without an amount, in minor units."""

    def __init__(self, nominal: int) -> None:
        self.nominal = nominal

    def fill(self, table: Table, command: m.AnyCommand) -> m.AnyCommand:
        """The command with nothing left out; what cannot be filled in is refused by the core."""
        match command:
            case m.OpenRound(rules=""):
                return replace(command, rules=fingerprint(table.rules))
            case m.TakeSeat(player=""):
                return replace(command, player=_free_name(table, f"chair-{command.seat}"))
            case m.LeaveSeat(player="") | m.TakeBack(player="", kind="main" | "pair"):
                return replace(command, player=_in_chair(table, command.seat))
            case m.PlaceBet():
                return self._bet(table, command)
            case _:
                return command

    def _bet(self, table: Table, command: m.PlaceBet) -> m.PlaceBet:
        player = command.player
        if not player and command.kind in BEHIND:
            player = _behind(table, command)
        elif not player:
            player = _in_chair(table, command.seat)
        amount = command.amount
        if amount is UNSET:
            amount = self._nominal(table.rules, command.kind)
        return replace(command, player=player, amount=amount)

    def _nominal(self, rules: TableRules, kind: str) -> int:
        """The nominal unit, within the limits of a Pair bet where it is one."""
        if kind in ("pair", "behind_pair"):
            return min(max(self.nominal, rules.pair_min), rules.pair_max)
        return self.nominal


def nominal_unit(keyed: int, rules: TableRules) -> str | int:
    """The unit of a table's file (0: the least main bet), or what is wrong with it."""
    if keyed == 0:
        return rules.main_min
    if not rules.main_min <= keyed <= rules.main_max:
        return f"{keyed} is no main bet: the limits are {rules.main_min} to {rules.main_max}"
    if keyed % rules.bet_step:
        return f"{keyed} is not a multiple of bet_step, {rules.bet_step}"
    return keyed


def _in_chair(table: Table, seat: int) -> str:
    taken = table.game.seat_at(seat)
    return taken.player if taken else ""


def _behind(table: Table, command: m.PlaceBet) -> str:
    """Who stands behind the seat: the first without such a bet, or the next to come (R48)."""
    round_ = table.game.round
    bets = at_risk(round_) if round_ is not None else ()
    have = {bet.player for bet in bets if (bet.seat, bet.kind) == (command.seat, command.kind)}
    have |= {seat.player for seat in table.game.seats}
    names = (f"behind-{command.seat}-{number}" for number in count(1))
    return next(name for name in names if name not in have)


def _free_name(table: Table, name: str) -> str:
    """That name, or one that nobody at the table has."""
    round_ = table.game.round
    have = {seat.player for seat in table.game.seats}
    if round_ is not None:
        have |= {bet.player for bet in at_risk(round_)}
    return next(one for one in (name, *(f"{name}-{n}" for n in range(2, 999))) if one not in have)
