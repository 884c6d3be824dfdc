"""Everybody around a running station: dealer's console, game host, pit; and rounds played there."""

from __future__ import annotations

from collections.abc import Iterable

from station import messages as m
from station import snapshot as v
from station.game import facts as g
from tests.support.daemon import Client, Station

DEALER, SUPERVISOR = "1001", "2001"


class Floor:
    """A station with its three links. Each step waits until the console shows it."""

    def __init__(self, station: Station) -> None:
        self.station = station
        self.decks: dict[str, int] = {}
        self.join()

    def join(self, after: int | None = None) -> Floor:
        """The three links, in one order always; the reader is up first."""
        self.console: Client = self.station.client("console")
        self.console.wait_for(lambda s: s.devices[0].health == "up", "the reader up")
        self.host: Client = self.station.client("host", after=after)
        self.pit: Client = self.station.client("pit")
        return self

    def open_table(self) -> Floor:
        """Dealer and supervisor in, a released shoe."""
        self.console.must(m.LogIn(DEALER, DEALER))
        self.pit.must(m.LogIn(SUPERVISOR, SUPERVISOR))
        self.new_shoe("S1")
        return self

    def new_shoe(self, name: str) -> None:
        """Loaded and released by the supervisor, who is signed in."""
        self.decks.clear()
        self.pit.must(m.LoadShoe(name, "A"))
        self.pit.must(m.ReleaseShoe(name, self.pit.now.version))

    def sit(self, *seats: int) -> Floor:
        for seat in seats:
            self.host.must(m.TakeSeat(seat, f"P{seat}"))
        return self

    def open(self) -> int:
        """Betting opens; the round's number."""
        before = self.console.now.round
        self.host.must(m.OpenRound(self.host.now.rules.fingerprint))
        return self.console.wait_for(lambda s: s.round > before, "a new round").round

    def bet(self, seats: Iterable[int] = (1,), amount: int = 1000) -> Floor:
        """The seated players bet in a new round, and betting is closed."""
        number = self.open()
        for seat in seats:
            self.host.must(m.PlaceBet(number, seat, f"P{seat}", amount))
        self.host.must(m.CloseBetting(number))
        self.console.wait_for(lambda s: s.prompt.kind == "card", "the first card owed")
        return self

    def ready(self, *seats: int) -> Floor:
        """From an empty table to the first card owed."""
        return self.open_table().sit(*seats).bet(seats)

    # --- cards ------------------------------------------------------------------------------

    @property
    def reads(self) -> int:
        """How many readings the console has been shown of this shoe."""
        return self.console.now.last_read.number if self.console.now.last_read else 0

    def read(self, data: bytes) -> v.LastReadView:
        """Bytes on the wire, and what became of the one reading they are."""
        before = self.reads
        self.station.serial.send(data)
        return self.seen(before)

    def seen(self, before: int) -> v.LastReadView:
        """The reading after that one."""
        last = self.console.wait_for(
            lambda s: s.last_read is not None and s.last_read.number > before, "a reading"
        ).last_read
        assert last is not None
        return last

    def card(self, face: str, deck: int | None = None) -> v.LastReadView:
        """A card is drawn; of the first deck that still has it."""
        if deck is None:
            deck = self.decks.get(face, 0) + 1
            self.decks[face] = deck
        before = self.reads
        self.station.send(face, deck)
        return self.seen(before)

    def deal(self, faces: str) -> Floor:
        """Cards that all are dealt."""
        for face in faces.split():
            last = self.card(face)
            assert (last.outcome, last.face) == ("dealt", face), last
        return self

    def act(self, action: str) -> Floor:
        """The asked player's answer."""
        now = self.host.wait_for(lambda s: s.decision is not None and bool(s.decision.legal))
        asked = now.decision
        assert asked is not None
        command = m.Decide(now.round, asked.decision, asked.seat, asked.hand, action)  # type: ignore[arg-type]
        answer = self.host.must(command)
        self.console.wait_for(lambda s: s.version >= answer.version)
        return self

    def clear(self) -> Floor:
        self.console.must(m.Cleared(self.console.now.round))
        return self

    # --- looking ----------------------------------------------------------------------------

    def held(self, hold: str) -> v.HoldView:
        """The hold of that code, as soon as it is shown."""
        now = self.console.wait_for(lambda s: any(h.code == hold for h in s.holds), hold)
        return next(h for h in now.holds if h.code == hold)

    def rule(self, hold: v.HoldView, ruling: str) -> None:
        """The supervisor's ruling, accepted."""
        answer = self.pit.must(m.Rule(hold.hold, ruling))  # type: ignore[arg-type]
        self.console.wait_for(lambda s: s.version >= answer.version)

    def dealt(self) -> list[str]:
        """The faces dealt so far, as the journal has them."""
        facts = [row.fact for row in self.station.journal() if row.kind == "CardDealt"]
        return [fact.card.face for fact in facts if isinstance(fact, g.CardDealt)]

    def paid(self) -> dict[tuple[int, int], list[tuple[str, int]]]:
        """By round and bet, every line of the journal that gave something back for it."""
        found: dict[tuple[int, int], list[tuple[str, int]]] = {}
        for row in self.station.journal():
            fact = row.fact
            if isinstance(fact, g.BetPlaced):
                found.setdefault((fact.round, fact.bet), [])
            elif isinstance(fact, g.RoundSettled | g.RoundVoided):
                for line in fact.lines:
                    found[fact.round, line.bet].append((line.result, line.returned))
        return found
