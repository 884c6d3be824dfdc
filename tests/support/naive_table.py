"""The table on paper, around the round of `naive`: who sits, who is away, what holds, the shoe.

`hear` takes any command by the name of its kind, says whether it may be, and if so writes down what
it brings. Nothing of the product is imported: commands are looked at by their fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.support.naive import BURN, House, PaperRound, Place, Question, Stake

BEHIND = ("behind", "behind_pair")
# Holds during which whatever comes out of the shoe is a card that was drawn.
OPEN_HOLDS = ("exposed_card", "wait", "emergency", "dealer_report")
ONE_OF_A_KIND = ("wait", "emergency")


def said(command: Any) -> str:
    """The command's kind in small letters: `PlaceBet` is `place_bet`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(command).__name__).lower()


OF_THE_HOST = (
    "open_round",
    "take_seat",
    "leave_seat",
    "player_lost",
    "player_back",
    "place_bet",
    "take_back",
    "close_betting",
    "decide",
    "insure",
    "follow",
)


class PaperTable:
    """`rules` are the settings by their names; `decision` and `window` the ids last handed out."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.house = House(
            rules.double_after_split,
            rules.dealer_draw == "until_decided",
            rules.dealer_blackjack_takes == "original",
            rules.autoplay_hits_eleven,
        )
        self.seats: dict[int, str] = {}
        self.since: dict[int, int] = {}
        self.away: set[int] = set()
        self.rounds = 0
        self.round: PaperRound | None = None
        self.host = True
        self.life = "open"
        self.holds: dict[int, tuple[str, str]] = {}
        self.hold_count = 0
        # Whether the last card was read again since the station began anew.
        self.reread = False
        self.aside: set[str] = set()
        self.exposed: list[str] = []
        self.kept: list[str] = []
        self.shoe, self.shoe_state, self.cut, self.burned = "", "none", False, 0
        self.drawn: list[tuple[str, int, int]] = []
        self.waiting: dict[str, list[tuple[str, int, int]]] = {}
        self.barred: set[str] = set()
        self.wrong: dict[str, int] = {}
        self.marked: list[int] = []
        self.decision = self.window = 0
        self.rules_name = ""

    # --- looking ----------------------------------------------------------------------------

    @property
    def between(self) -> bool:
        return self.round is None or self.round.state in ("cleared", "void")

    @property
    def open(self) -> PaperRound | None:
        return self.round if self.round is not None and self.round.open else None

    @property
    def cards_out(self) -> bool:
        return self.round is not None and self.round.cards_out

    @property
    def burn_left(self) -> int:
        due = self.shoe_state == "in_play" and not self.cut
        return max(0, self.rules.burn - self.burned) if due else 0

    def next(self) -> Place | None:
        if self.holds or (self.open and not self.host):
            return None
        if self.between:
            return BURN if self.burn_left else None
        assert self.round is not None
        return self.round.next()

    def clock(self) -> str:
        """The one window that runs (A7, A19), or ""."""
        round_ = self.open
        if round_ is None:
            return ""
        if ("restart", "") in self.holds.values():
            # First the felt is looked at.
            return ""
        if not self.host:
            return "host_grace"
        if self.holds:
            return ""
        if round_.state == "betting":
            return "betting"
        if round_.window is not None:
            return "insurance" if round_.window.kind == "insurance" else "follow"
        return "decision" if round_.turn_of else ""

    # --- commands ---------------------------------------------------------------------------

    def hear(self, command: Any) -> bool:
        """Whether the command may be; if so it is done. A host that is lost says nothing (R58)."""
        if not self.host and said(command) in OF_THE_HOST:
            return False
        may: Callable[[Any], bool] = getattr(self, f"hear_{said(command)}")
        done = may(command)
        if done:
            self.go_on()
        return done

    def _now(self, number: int) -> PaperRound | None:
        """The open round of that number, while nothing holds."""
        round_ = self.open
        return round_ if round_ and round_.number == number and not self.holds else None

    def hear_open_round(self, command: Any) -> bool:
        ready = self.between and self.shoe_state == "in_play" and not self.cut
        ready = ready and not self.burn_left and not self.holds and self.life == "open"
        if not ready or command.rules != self.rules_name:
            return False
        self.rounds += 1
        self.round = PaperRound(self.rounds, self.house)
        self.away.clear()
        return True

    def hear_take_seat(self, command: Any) -> bool:
        """R11, R12, R49."""
        seat, player, round_ = command.seat, command.player, self.open
        if not player or seat > self.rules.seats or seat in self.seats:
            return False
        if player in self.seats.values() or (round_ and round_.state == "playing"):
            return False
        if round_ and any(stake.player == player for stake in round_.live()):
            return False
        self.seats[seat] = player
        self.since[seat] = self.rounds + 1
        return True

    def hear_leave_seat(self, command: Any) -> bool:
        """R12; bets behind him come back (R48)."""
        seat, round_ = command.seat, self.open
        if self.seats.get(seat) != command.player or (round_ and round_.main(seat)):
            return False
        self.vacate(seat)
        for stake in round_.live() if round_ else []:
            if stake.seat == seat:
                stake.back = stake.all
        return True

    def vacate(self, seat: int) -> None:
        del self.seats[seat]
        self.away.discard(seat)

    def hear_player_lost(self, command: Any) -> bool:
        """R55."""
        seat = command.seat
        if self.seats.get(seat) != command.player or seat in self.away:
            return False
        self._gone(seat)
        return True

    def _gone(self, seat: int) -> None:
        self.away.add(seat)
        if self.round and self.round.turn_of and self.round.turn_of[0] == seat:
            self.round.turn_of = None

    def hear_player_back(self, command: Any) -> bool:
        """A13."""
        if self.seats.get(command.seat) != command.player or command.seat not in self.away:
            return False
        self.away.discard(command.seat)
        return True

    def hear_place_bet(self, command: Any) -> bool:
        round_ = self._now(command.round)
        if round_ is None or round_.state != "betting" or not command.player:
            return False
        seat, player, kind = command.seat, command.player, command.kind
        if any((s.kind, s.player, s.seat) == (kind, player, seat) for s in round_.live()):
            return False
        may = self._may_behind if kind in BEHIND else self._may_own
        if not may(round_, command) or not self._amount(kind, command.amount):
            return False
        round_.stakes.append(Stake(kind, player, seat, int("pair" not in kind), command.amount))
        if self.seats[seat] == player:
            self.away.discard(seat)
        return True

    def hear_take_back(self, command: Any) -> bool:
        """A bet comes back while betting is open, and with the main bet its Pair bet (R14)."""
        round_ = self._now(command.round)
        if round_ is None or round_.state != "betting":
            return False
        kinds = ("main", "pair") if command.kind == "main" else (command.kind,)
        mine = [
            stake
            for stake in round_.live()
            if (stake.seat, stake.player) == (command.seat, command.player) and stake.kind in kinds
        ]
        if not any(stake.kind == command.kind for stake in mine):
            return False
        for stake in mine:
            stake.back = stake.all
        return True

    def _may_own(self, round_: PaperRound, command: Any) -> bool:
        """R13, R14, A29."""
        first = command.kind == "main" or round_.main(command.seat) is not None
        return first and self.seats.get(command.seat) == command.player

    def _may_behind(self, round_: PaperRound, command: Any) -> bool:
        """R41, R48, R49, A25; A21 says how many."""
        there = {s.player for s in round_.live() if s.kind in BEHIND and s.seat == command.seat}
        room = command.player in there or len(there) < self.rules.behind_bettors
        seated = command.player in self.seats.values()
        return command.seat in self.seats and not seated and room

    def _amount(self, kind: str, amount: int) -> bool:
        """A21, A26."""
        rules = self.rules
        if "pair" in kind:
            return bool(rules.pair_min <= amount <= rules.pair_max)
        return bool(rules.main_min <= amount <= rules.main_max and amount % rules.bet_step == 0)

    def hear_close_betting(self, command: Any) -> bool:
        round_ = self._now(command.round)
        if round_ is None or round_.state != "betting":
            return False
        self.close()
        return True

    def close(self) -> None:
        assert self.round is not None
        self.round.close()
        if self.round.state == "cleared":
            self._idle()

    def hear_decide(self, command: Any) -> bool:
        round_, seat = self.open, command.seat
        if round_ and round_.number == command.round and seat in round_.hands and seat in self.away:
            # Too late, and he is there again (A13).
            self.away.discard(seat)
            return False
        round_ = self._now(command.round)
        place = (seat, command.hand)
        if round_ is None or round_.turn_of != place or command.decision != self.decision:
            return False
        if command.action not in round_.legal(place):
            return False
        round_.acted.add(seat)
        round_.act(place, command.action)
        return True

    def _hear_answer(self, command: Any, *, insurance: bool, yes: bool) -> bool:
        round_ = self._now(command.round)
        window = round_.window if round_ else None
        if round_ is None or window is None or command.window != self.window:
            return False
        if (window.kind == "insurance") != insurance:
            return False
        if command.player not in window.asked or command.player in window.said:
            return False
        round_.answer(command.player, yes=yes)
        if yes:
            self.away -= {s for s, player in self.seats.items() if player == command.player}
        return True

    def hear_insure(self, command: Any) -> bool:
        if self._hear_answer(command, insurance=True, yes=command.buy):
            return True
        if command.buy and self.open and self.open.number == command.round:
            # Refused, but buying is an action: he is there again (A13).
            self.away -= {s for s, player in self.seats.items() if player == command.player}
        return False

    def hear_follow(self, command: Any) -> bool:
        return self._hear_answer(command, insurance=False, yes=command.follow)

    def hear_cleared(self, command: Any) -> bool:
        round_ = self.round
        if round_ is None or round_.number != command.round or round_.state != "settled":
            return False
        if self.holds:
            return False
        round_.state = "cleared"
        return True

    # --- what follows by itself -------------------------------------------------------------

    def go_on(self) -> None:
        """Everything the rules make happen without anybody, as long as nothing holds."""
        while not self.holds and self._goes_on():
            pass

    def _goes_on(self) -> bool:
        round_ = self.round
        if round_ is None or round_.state == "betting":
            return False
        if not round_.open:
            self.kept.clear()
            return False
        if round_.window is not None:
            done = len(round_.window.said) == len(round_.window.asked)
            if done:
                round_.close_window()
            return done
        place = round_.next()
        if place is not None:
            if self.kept:
                round_.card(place, self.kept.pop(0))
                return True
            return False
        return self._asks(round_)

    def _asks(self, round_: PaperRound) -> bool:
        if round_.insurance_due():
            asked = [round_.names[seat] for seat in sorted(round_.names)]
            round_.window = Question("insurance", 0, 0, asked)
            return True
        place = round_.turn()
        if place is None:
            round_.settle()
            self._idle()
            return True
        round_.asked.add(place[0])
        if place[0] in self.away:
            round_.act(place, round_.autoplay(place))
            return True
        round_.turn_of = place
        return False

    def _idle(self) -> None:
        """R25, A33."""
        round_ = self.round
        assert round_ is not None
        for seat, player in list(self.seats.items()):
            if round_.names.get(seat) == player:
                idle = seat in round_.asked and seat not in round_.acted
            else:
                idle = self.since[seat] <= round_.number
            if idle:
                self.vacate(seat)

    def time_is_up(self) -> None:
        """The end of the window of `clock` (A7, A13, R53, A19)."""
        round_, kind = self.open, self.clock()
        assert round_ is not None
        if kind == "betting":
            self.close()
        elif kind == "decision":
            assert round_.turn_of is not None
            self._gone(round_.turn_of[0])
        elif kind in ("insurance", "follow"):
            round_.close_window()
        else:
            self.break_off(shoe_out=self.cards_out or self.rules.reshuffle)
        self.go_on()

    def break_off(self, *, shoe_out: bool) -> None:
        """The station itself voids the round; what holds goes on holding."""
        if self.open:
            self.open.void()
            self.kept.clear()
            self.aside.clear()
        if shoe_out:
            self.shoe_state = "out"
