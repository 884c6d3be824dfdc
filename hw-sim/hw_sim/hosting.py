"""The game host's part at a table: seats, rounds, bets, answers and decisions, as the party wants.

The same at every table: a host's link says it (`players`), or the dealer keys it (`chairs`).
Nothing is said that the snapshot's actions refuse. A player is lost or back only while the table
waits for the players, so that the order of facts never hangs on who was quicker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hw_sim.client import Command, Due, may
from hw_sim.link import Message
from hw_sim.party import Party, Wish

SHOE_WAIT_S = 5.0
BETWEEN = ("idle", "void", "closed", "paused")

# Bets of the open round, as `Wish.key` names them.
Placed = set[tuple[str, int, str]]


@dataclass(frozen=True)
class Times:
    """`think_s`: seconds a player takes; `betting_s`: seconds betting is left open."""

    think_s: float = 0.5
    betting_s: float = 1.0


class HostPart:
    """Says what is to be done next on a snapshot: a command, seconds to wait, or nothing."""

    def __init__(self, party: Party, times: Times) -> None:
        self.party = party
        self.times = times
        self._due = Due()
        self._round = 0
        self._said: set[tuple[str, int]] = set()
        self._asked: dict[int, tuple[int, int]] = {}
        self._back_again: Placed = set()

    def step(self, snapshot: Message, placed: Placed, now: float) -> Command | float | None:
        """`placed`: what has been bet in the open round."""
        if snapshot.get("round") != self._round:
            self._round = int(snapshot.get("round", 0))
            self._said.clear()
            self._asked.clear()
            self._back_again.clear()
        seats = {int(seat["seat"]): seat for seat in snapshot.get("seats", [])}
        if snapshot.get("phase") in BETWEEN:
            return self._between(snapshot, seats, now)
        if snapshot.get("holds"):
            return None
        if snapshot.get("phase") == "betting":
            return self._bet(snapshot, seats, placed, now)
        if snapshot.get("window"):
            return self._answer(snapshot, snapshot["window"], now)
        asked = snapshot.get("decision")
        if asked and not asked.get("chosen"):
            return self._decide(snapshot, seats, asked, now)
        return None

    def ends(self, snapshot: Message, now: float) -> bool | float:
        """Whether they may leave the table after their last round, or seconds to look again in.

        A shoe that is due to be changed is changed first, if anybody does it: so a table ends in
        the same state each time.
        """
        if snapshot.get("phase") not in BETWEEN:
            return False
        if snapshot.get("shoe", {}).get("state") == "in_play":
            return True
        wait = self._due.left("end", SHOE_WAIT_S, now)
        return wait if wait > 0 else True

    # --- between rounds ---------------------------------------------------------------------

    def _between(
        self, snapshot: Message, seats: dict[int, Message], now: float
    ) -> Command | float | None:
        if not may(snapshot, "open_round"):
            # Whoever has to act first (shoe, dealer, clearing) is not overtaken.
            return None
        for number in self.party.seats:
            player = seats.get(number, {}).get("player")
            wants = self.party.sits(self._round, number)
            if wants and not player and may(snapshot, "take_seat", str(number)):
                return Command("take_seat", {"seat": number, "player": self.party.name(number)})
            if not wants and self._mine(seats, number) and _leaves(snapshot, number):
                return Command("leave_seat", {"seat": number, "player": player})
        wait = self._due.left(f"open/{self._round}", self.times.think_s, now)
        if wait > 0:
            return wait
        return Command("open_round", {"rules": snapshot["rules"]["fingerprint"]})

    # --- betting ----------------------------------------------------------------------------

    def _bet(
        self, snapshot: Message, seats: dict[int, Message], placed: Placed, now: float
    ) -> Command | float | None:
        wishes = self.party.bets(self._round, _settings(snapshot))
        for wish in self._now_wanted(wishes, snapshot):
            own = wish.kind in ("main", "pair")
            if wish.key in placed or (own and not self._mine(seats, wish.seat)):
                continue
            name = "place_bet" if wish.kind == "main" else f"place_bet:{wish.kind}"
            if may(snapshot, name, str(wish.seat)):
                bet = {"seat": wish.seat, "player": wish.player, "amount": wish.amount}
                return Command("place_bet", {"round": self._round, "kind": wish.kind, **bet})
        back = self._take_back(wishes, snapshot, placed)
        if back is not None:
            return back
        for number in self.party.seats:
            if self._sits_idle(seats, number, placed) and _leaves(snapshot, number):
                return Command("leave_seat", {"seat": number, "player": self.party.name(number)})
        lost = self._lost(seats, "betting")
        if lost is not None or not may(snapshot, "close_betting"):
            return lost
        wait = self._due.left(f"close/{self._round}", self.times.betting_s, now)
        return wait if wait > 0 else Command("close_betting", {"round": self._round})

    def _now_wanted(self, wishes: list[Wish], snapshot: Message) -> list[Wish]:
        """The bets they want, with others in place of those taken back."""
        settings = _settings(snapshot)
        wanted = (
            self.party.instead(self._round, wish, settings)
            if wish.key in self._back_again
            else wish
            for wish in wishes
        )
        return [wish for wish in wanted if wish is not None]

    def _take_back(self, wishes: list[Wish], snapshot: Message, placed: Placed) -> Command | None:
        """A bet that is taken back, once it and all others are placed. The Pair bet that comes
        back with a main bet is placed again.
        """
        for wish in wishes:
            if wish.key in self._back_again or wish.key not in placed:
                continue
            if not self.party.takes_back(self._round, wish) or not _open_for(snapshot, wish):
                continue
            self._back_again.add(wish.key)
            bet = {"seat": wish.seat, "player": wish.player, "kind": wish.kind}
            return Command("take_back", {"round": self._round, **bet})
        return None

    def _sits_idle(self, seats: dict[int, Message], number: int, placed: Placed) -> bool:
        bet = ("main", number, self.party.name(number)) in placed
        mine = self._mine(seats, number)
        return mine and not bet and self.party.leaves(self._round, number)

    # --- who is there -----------------------------------------------------------------------

    def _lost(self, seats: dict[int, Message], when: str, only: int = 0) -> Command | None:
        """A player whose connection is lost now (R55)."""
        for number in self.party.seats:
            view = seats.get(number, {})
            if only not in (0, number) or not self._mine(seats, number) or view.get("absent"):
                continue
            if not view.get("in_round") or ("lost", number) in self._said:
                continue
            if self.party.presence(self._round, number).lost == when:
                self._said.add(("lost", number))
                return self._presence("player_lost", number)
        return None

    def _back(self, seats: dict[int, Message]) -> Command | None:
        """An absent player is there again: he says so, or decides too late (A13)."""
        for number in self.party.seats:
            view = seats.get(number, {})
            how = self.party.presence(self._round, number).back
            if not how or not view.get("absent") or not self._mine(seats, number):
                continue
            if ("back", number) in self._said:
                continue
            self._said.add(("back", number))
            if how == "decide" and number in self._asked and view.get("in_round"):
                decision, hand = self._asked[number]
                fields = {"round": self._round, "decision": decision, "seat": number}
                return Command("decide", {**fields, "hand": hand, "action": "stand"})
            return self._presence("player_back", number)
        return None

    def _presence(self, do: str, number: int) -> Command:
        return Command(do, {"seat": number, "player": self.party.name(number)})

    def _mine(self, seats: dict[int, Message], number: int) -> bool:
        return bool(seats.get(number, {}).get("player") == self.party.name(number))

    # --- answers ----------------------------------------------------------------------------

    def _answer(self, snapshot: Message, window: Message, now: float) -> Command | float | None:
        wait = self._thinks(f"window/{self._round}/{window['window']}", now)
        if wait > 0:
            return wait
        back = self._back({int(seat["seat"]): seat for seat in snapshot.get("seats", [])})
        if back is not None:
            return back
        for player in window["asked"]:
            command = self._to_window(window, player)
            if command is None or player in window["answered"]:
                continue
            if may(snapshot, command.do, player):
                return command
        return None

    def _thinks(self, key: str, now: float) -> float:
        """Seconds left until somebody says something to a question."""
        seconds = self.times.think_s * self.party.rng(key).uniform(0.6, 1.4)
        return self._due.left(key, seconds, now)

    def _to_window(self, window: Message, player: str) -> Command | None:
        """The answer of one who is asked; None: he says nothing."""
        fields = {"round": self._round, "window": window["window"], "player": player}
        if window["kind"] == "insurance":
            buy = self.party.insures(self._round, player)
            return None if buy is None else Command("insure", {**fields, "buy": buy})
        about = (window["kind"], int(window["seat"]), int(window["hand"]))
        follow = self.party.follows(self._round, *about, player)
        return None if follow is None else Command("follow", {**fields, "follow": follow})

    # --- decisions --------------------------------------------------------------------------

    def _decide(
        self, snapshot: Message, seats: dict[int, Message], asked: Message, now: float
    ) -> Command | float | None:
        seat, hand = int(asked["seat"]), int(asked["hand"])
        hands = [view for view in seats.get(seat, {}).get("hands", []) if view["hand"] == hand]
        if seat not in self.party.seats or not hands:
            return None
        self._asked[seat] = (asked["decision"], hand)
        # Also who is lost or back says so only then: a card drawn by mistake is read before.
        wait = self._thinks(f"decide/{self._round}/{asked['decision']}", now)
        if wait > 0:
            return wait
        moved = self._back(seats) or self._lost(seats, "deciding", only=seat)
        if moved is not None:
            return moved
        up = (snapshot["dealer"]["cards"] or [""])[0]
        legal = [action for action in asked["legal"] if may(snapshot, f"decide:{action}")]
        if not legal or not up:
            return None
        action = self.party.decides(self._round, seat, hands[0], up, legal, _settings(snapshot))
        if action is None:
            return None
        fields = {"round": self._round, "decision": asked["decision"], "seat": seat}
        return Command("decide", {**fields, "hand": hand, "action": action})


def bets_shown(snapshot: Message) -> Placed:
    """The bets the snapshot shows; those behind only at a table with players in the chairs."""
    return {
        (str(bet["kind"]), int(seat["seat"]), str(bet["player"]))
        for seat in snapshot.get("seats", [])
        for bet in seat.get("bets", [])
    }


def _open_for(snapshot: Message, wish: Wish) -> bool:
    """Whether that bet may be taken back. Of bets behind the actions do not tell, because they do
    not know whose: there it is enough that betting may be closed, which needs it open.
    """
    match wish.kind:
        case "main":
            return may(snapshot, "take_back", str(wish.seat))
        case "pair":
            return may(snapshot, "take_back:pair", str(wish.seat))
        case _:
            return may(snapshot, "close_betting")


def _settings(snapshot: Message) -> dict[str, Any]:
    settings: dict[str, Any] = snapshot.get("rules", {}).get("settings", {})
    return settings


def _leaves(snapshot: Message, number: int) -> bool:
    return may(snapshot, "leave_seat", str(number))
