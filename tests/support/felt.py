"""The pure core with every kind of bet on the felt: what tests of the game's rules drive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from station.game import commands as c
from station.game.commands import PlacedKind
from station.game.dealing import Nobody, Owed
from station.game.rules import TableRules
from station.game.state import Action, Slot
from station.table import inputs as i
from station.table.state import Timer, due, expected
from tests.support.play import HOST, Play

Stakes = Iterable[tuple[str, int, int]]
STAKE = 1000


class Felt(Play):
    """A table that is open, with a released shoe. The player of seat 3 is `P3`."""

    def __init__(self, rules: TableRules | None = None) -> None:
        super().__init__(rules)
        self.open_table()

    # --- money on it ------------------------------------------------------------------------

    def sit(self, *seats: int) -> Felt:
        for seat in seats:
            self.must(HOST, c.TakeSeat(seat, f"P{seat}"))
        return self

    def stake(
        self, seat: int, amount: int = STAKE, kind: PlacedKind = "main", player: str = ""
    ) -> c.PlaceBet:
        """That bet of the seat's own player, or of `player`."""
        return c.PlaceBet(self.number, seat, player or f"P{seat}", amount, kind)

    def put(
        self,
        main: Mapping[int, int] | Iterable[int] = (1,),
        *,
        pair: Mapping[int, int] | None = None,
        behind: Stakes = (),
        behind_pair: Stakes = (),
    ) -> Felt:
        """A round in betting, with main and Pair bets by seat, and (player, seat, amount)
        behind.
        """
        mains = dict(main) if isinstance(main, Mapping) else dict.fromkeys(main, STAKE)
        self.sit(*(seat for seat in mains if self.table.game.seat_at(seat) is None))
        self.open_round()
        for seat, amount in mains.items():
            self.must(HOST, self.stake(seat, amount))
        for seat, amount in (pair or {}).items():
            self.must(HOST, self.stake(seat, amount, "pair"))
        for player, seat, amount in behind:
            self.must(HOST, self.stake(seat, amount, "behind", player))
        for player, seat, amount in behind_pair:
            self.must(HOST, self.stake(seat, amount, "behind_pair", player))
        return self

    def close(self) -> Felt:
        super().close()
        return self

    def drawn(self, faces: str) -> Felt:
        """Those cards are read one after the other."""
        self.cards(faces)
        return self

    def dealt(self, faces: str) -> Felt:
        """Betting closed, and those cards."""
        return self.close().drawn(faces)

    def end(self, timer: str) -> None:
        """The end of the window of that name, be it running or not."""
        self.give(i.TimerFired(timer))

    # --- what players say -------------------------------------------------------------------

    def act(self, *actions: Action) -> Felt:
        super().act(*actions)
        return self

    def decision(self, action: Action) -> c.Decide:
        """That answer to the decision that is asked."""
        asked = self.round.asked
        assert asked is not None, "nothing is asked"
        return c.Decide(self.number, asked.decision, asked.seat, asked.hand, action)

    def insurance(self, player: str, buy: bool) -> c.Insure:
        return c.Insure(self.number, self.round.windows, player, buy)

    def follow(self, player: str, yes: bool) -> c.Follow:
        return c.Follow(self.number, self.round.windows, player, yes)

    def answer(self, **says: bool) -> Felt:
        """Answers to the window that is open, by player."""
        window = self.round.window
        assert window is not None, "no window is open"
        for player, yes in says.items():
            insure = window.kind == "insurance"
            self.must(HOST, self.insurance(player, yes) if insure else self.follow(player, yes))
        return self

    def refused(self, command: i.AnyCommand, actor: i.Actor = HOST) -> tuple[str, str]:
        """Code and rule of the refusal; nothing of the game has changed by the command."""
        before = self.table.game
        refusal = self.say(actor, command)
        assert refusal is not None, f"accepted: {command}"
        assert self.table.game == before, f"refused, and yet it changed something: {command}"
        return refusal.code, refusal.rule

    # --- looking ----------------------------------------------------------------------------

    @property
    def owed(self) -> Slot | None:
        """Where the next card goes."""
        answer = expected(self.table)
        return answer.slot if isinstance(answer, Owed) else None

    @property
    def nobody(self) -> tuple[str, str]:
        """Why no card may come: code and rule."""
        answer = expected(self.table)
        assert isinstance(answer, Nobody), answer
        return answer.code, answer.rule

    @property
    def asked(self) -> tuple[int, int] | None:
        """Seat and hand of the decision that is asked."""
        asked = self.round.asked
        return (asked.seat, asked.hand) if asked else None

    @property
    def legal(self) -> set[Action]:
        assert self.round.asked is not None, "nothing is asked"
        return set(self.round.asked.legal)

    @property
    def timers(self) -> tuple[Timer, ...]:
        return due(self.table)

    @property
    def seated(self) -> list[int]:
        return [seat.seat for seat in self.table.game.seats]

    @property
    def running(self) -> dict[str, int]:
        """The windows that should run, and their seconds."""
        return {timer.kind: timer.seconds for timer in due(self.table)}

    def hand(self, seat: int, hand: int = 1) -> str:
        """The cards of a hand, as faces."""
        box = next(box for box in self.round.boxes if box.seat == seat)
        return " ".join(card.face for card in box.hands[hand - 1].cards)

    def paid(self) -> dict[str, tuple[str, int]]:
        """Result and amount that came back, by player, bet and place: `P1 main 1/2` is the bet on
        the second hand of seat 1, `P1 pair 1` stands on the seat.
        """
        lines: dict[str, tuple[str, int]] = {}
        for line in self.round.lines:
            place = f"{line.seat}/{line.hand}" if line.hand else f"{line.seat}"
            name = f"{line.player} {line.kind} {place}"
            assert name not in lines, f"settled twice: {name}"
            lines[name] = (line.result, line.returned)
        return lines
