"""Driving the pure core in tests: every input goes through `decide`, every fact is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from station.game import commands as c
from station.game.cards import Card, card_of
from station.game.refusal import Refusal
from station.game.rules import TableRules, fingerprint
from station.game.state import Action, Round
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision, decide
from station.table.facts import Person
from station.table.state import Table, due

HOST = i.Actor("host", "host:game")
CONSOLE = i.Actor("console", "console:one")
PIT = i.Actor("pit", "pit:floor")
STAFF = i.Actor("staff", "staff:desk")

DEALER = Person("1001", "한지민", "dealer")
SUPERVISOR = Person("2001", "이수진", "supervisor")
MANAGER = Person("3001", "김도윤", "shift_manager")


class Play:
    """A table under test. `facts` is everything that happened, in order."""

    def __init__(
        self, rules: TableRules | None = None, host: Literal["link", "chairs"] = "link"
    ) -> None:
        """`host` "chairs": the players sit at the table and the console is the host's link."""
        self.rules = rules or TableRules()
        self.kind = host
        self.table = Table()
        self.facts: list[f.AnyFact] = []
        self._commands = 0
        self._decks: dict[str, int] = {}
        self.start()

    # --- inputs -----------------------------------------------------------------------------

    def give(self, given: i.AnyInput) -> Decision:
        decision = decide(self.table, given)
        self.table = decision.after
        self.facts.extend(decision.facts)
        return decision

    def say(self, actor: i.Actor, command: i.AnyCommand) -> Refusal | None:
        """A command; its refusal, if it is refused."""
        if self.kind == "chairs" and actor == HOST:
            actor = CONSOLE
        self._commands += 1
        name = type(command).__name__
        return self.give(
            i.Commanded(f"{actor.link}/{self._commands}", "0" * 64, name, actor, command)
        ).refusal

    def must(self, actor: i.Actor, command: i.AnyCommand) -> None:
        refusal = self.say(actor, command)
        assert refusal is None, (command, refusal)

    def card(self, face: str, deck: int | None = None, letter: str = "A") -> Decision:
        """A card of that face, of the first deck it can still come from."""
        if deck is None:
            deck = self._decks.get(face, 0) + 1
            self._decks[face] = deck
        return self.give(self.read(card_of(face, letter, deck)))

    @staticmethod
    def read(card: Card) -> i.CardSeen:
        text = f"{card.set}{card.face}{card.deck}"
        return i.CardSeen("shoe", card, text, text.encode().hex())

    def cards(self, faces: str) -> None:
        for face in faces.split():
            self.card(face)

    def fire(self, kind: str) -> Decision:
        """The end of the one running window of that kind."""
        timer = next(timer for timer in due(self.table) if timer.kind == kind)
        return self.give(i.TimerFired(timer.name))

    # --- steps ------------------------------------------------------------------------------

    def start(self) -> None:
        self.give(i.StationStart("T01", "test", "0", ("shoe",), self.rules, self.kind))

    def open_table(self) -> Play:
        """Dealer and supervisor in, host connected, reader up, a released shoe."""
        self.give(i.LinkUp(HOST.link, "host", "game"))
        self.give(i.DeviceHealth("shoe", "up", ""))
        self.must(CONSOLE, i.LogIn(DEALER.staff, DEALER))
        self.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
        self.new_shoe("S1")
        return self

    def new_shoe(self, name: str) -> None:
        self._decks = {}
        self.must(PIT, i.LoadShoe(name, "A"))
        self.must(PIT, i.ReleaseShoe(name, self.table.version))

    def bet(self, seats: Iterable[int] = (1, 3), amount: int = 1000) -> Play:
        """Players sit, a round opens, every seat bets."""
        taken = {seat.seat for seat in self.table.game.seats}
        for seat in seats:
            if seat not in taken:
                self.must(HOST, c.TakeSeat(seat, f"P{seat}"))
        self.open_round()
        for seat in seats:
            self.must(HOST, c.PlaceBet(self.number, seat, f"P{seat}", amount))
        return self

    def open_round(self) -> None:
        self.must(HOST, c.OpenRound(fingerprint(self.rules)))

    def lose_host(self) -> Decision:
        """The game host's connection is lost."""
        return self.give(i.LinkDown(HOST.link, "host", "game", "closed"))

    def close(self) -> Play:
        self.must(HOST, c.CloseBetting(self.number))
        return self

    def deal(self, faces: str, seats: Iterable[int] = (1, 3)) -> Play:
        """Bets, closing, and those cards."""
        self.bet(seats).close().cards(faces)
        return self

    def act(self, *actions: Action) -> Play:
        """Answers to the decisions in the order in which they are asked."""
        for action in actions:
            asked = self.round.asked
            assert asked is not None, "nothing is asked"
            self.must(HOST, c.Decide(self.number, asked.decision, asked.seat, asked.hand, action))
        return self

    def clear(self) -> None:
        self.must(CONSOLE, c.Cleared(self.number))

    # --- looking ----------------------------------------------------------------------------

    @property
    def round(self) -> Round:
        assert self.table.game.round is not None
        return self.table.game.round

    @property
    def number(self) -> int:
        return self.round.number

    def of(self, kind: type[f.AnyFact]) -> list[f.AnyFact]:
        """The facts of that kind so far."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    @property
    def hold_codes(self) -> list[str]:
        return [hold.code for hold in self.table.holds]

    def returned(self) -> dict[int, tuple[str, int]]:
        """Per seat the result and what came back."""
        return {line.seat: (line.result, line.returned) for line in self.round.lines}
