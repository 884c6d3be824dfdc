"""At a table with players in the chairs the dealer keys what they do, in the game host's words.

What a dealer need not know is left out, as a console leaves it out: who sits there, chips that
nobody counts, the rules. The station fills it in.
"""

from __future__ import annotations

from typing import Any

from hw_sim.client import Command
from hw_sim.hosting import HostPart, Times, bets_shown
from hw_sim.link import Message
from hw_sim.party import Party

LEFT_OUT = {
    "open_round": ("rules",),
    "take_seat": ("player",),
    "leave_seat": ("player",),
    "place_bet": ("player",),
}


class Chairs:
    """The dealer's keys. `rounds`: how many he plays to their end, 0 for ever."""

    def __init__(self, party: Party, times: Times, rounds: int = 0) -> None:
        self.rounds = rounds
        self.cleared = 0
        self._host = HostPart(party, times)

    def ends(self, snapshot: Message, now: float) -> bool | float:
        """Whether all rounds asked for are cleared and over, or seconds to look again in."""
        if not self.rounds or self.cleared < self.rounds:
            return False
        return self._host.ends(snapshot, now)

    def key(self, snapshot: Message, now: float) -> Command | float | None:
        """The next thing to key, seconds to wait, or nothing: then it is the dealer's own turn."""
        wanted = self._host.step(snapshot, bets_shown(snapshot), now)
        return as_keyed(wanted) if isinstance(wanted, Command) else wanted


def is_chairs(snapshot: Message) -> bool:
    """Whether the players sit at the table itself."""
    return bool(snapshot.get("table", {}).get("host") == "chairs")


def as_keyed(command: Command) -> Command:
    """The command without what the station fills in."""
    left_out = LEFT_OUT.get(command.do, ())
    if command.do == "take_back" and command.fields["kind"] in ("main", "pair"):
        # Who sits there is known; of those behind the seat he says which.
        left_out = ("player",)
    fields: dict[str, Any] = {
        name: value
        for name, value in command.fields.items()
        if name not in left_out and value is not None
    }
    return Command(command.do, fields)
