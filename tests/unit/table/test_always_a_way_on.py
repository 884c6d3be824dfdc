"""Thousands of inputs of every kind in any order: nothing raises, no hold is got around, and from
wherever the table is people can lead it to the next round.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

from station.config import TableSection
from station.game import facts as g
from station.game import round as r
from station.game.cards import RANKS, SUITS, Card, card_of
from station.game.dealing import Owed
from station.game.incidents import RulingName
from station.game.rules import TableRules, fingerprint
from station.game.state import is_open
from station.journal import state_digest
from station.table import facts as f
from station.table import inputs as i
from station.table.decide import Decision
from station.table.evolve import fold
from station.table.facts import Person
from station.table.rights import SUPERVISORS
from station.table.state import Table, due, expected
from station.table.why_not import why_not
from station.view import Viewer
from tests.support.play import CONSOLE, DEALER, HOST, PIT, STAFF, SUPERVISOR, Play

ACTORS = (HOST, CONSOLE, PIT, STAFF)
HEALTHS = ("up", "up", "lost", "garbled", "silent", "busy", "not_answering", "waiting")
RULINGS: tuple[RulingName, ...] = ("release", "aligned", "burn", "void")
SECOND_DEALER = Person("1002", "박서준", "dealer")
AUDITOR = Person("5001", "정하은", "auditor")

_decode = msgspec.json.Decoder(f.AnyFact).decode
_encode = msgspec.json.Encoder(order="deterministic").encode
_viewer = Viewer(TableSection("T01", "test"), 1.0, ())


class Chaos(Play):
    """A table to which anything may happen; each step is checked."""

    def __init__(self, seed: int) -> None:
        self.random = rand = random.Random(seed)
        self.deck: list[Card] = []
        self.drawn: list[Card] = []
        self.shoes = 0
        super().__init__(
            TableRules(
                grace_seconds=rand.choice([0, 5]),
                dealer_draw=rand.choice(["always", "until_decided"]),
                reshuffle=rand.random() < 0.3,
                autoplay_hits_eleven=rand.random() < 0.7,
            )
        )
        self.open_table()

    def new_shoe(self, name: str) -> None:
        super().new_shoe(name)
        self.deck = [card_of(a + b, "A", n) for a in RANKS for b in SUITS for n in range(1, 9)]
        self.random.shuffle(self.deck)
        self.drawn = []

    def give(self, given: i.AnyInput) -> Decision:
        before = self.table
        decision = super().give(given)
        if isinstance(given, i.Commanded):
            assert decision.refusal == why_not(before, given.actor, given.command)
        if decision.refusal is not None:
            assert decision.after.game == before.game
            assert decision.after.holds == before.holds
        for fact in decision.facts:
            self.check(before, given, fact)
        kept = {hold.hold for hold in decision.after.holds}
        if any(hold.hold not in kept for hold in before.holds):
            assert isinstance(given, i.Commanded), "only a person ends a hold"
        return decision

    @staticmethod
    def check(before: Table, given: i.AnyInput, fact: f.AnyFact) -> None:
        if isinstance(fact, g.CardDealt):
            answer = expected(before)
            assert isinstance(answer, Owed)
            assert answer.slot == fact.slot
            assert not before.holds
        if isinstance(fact, f.HoldReleased):
            assert isinstance(given, i.Commanded)
            hold = before.hold(fact.hold)
            assert hold is not None
            there = [s.person for s in before.signed if s.link == given.actor.link]
            assert hold.code == "wait" or any(who.role in SUPERVISORS for who in there)

    # --- what may happen --------------------------------------------------------------------

    def natural(self) -> None:
        """What sensible people would do next."""
        table, rand = self.table, self.random
        answer = expected(table)
        if not table.host_connected:
            self.give(i.LinkUp(HOST.link, "host", "game"))
        elif not all(device.reads for device in table.devices):
            self.give(i.DeviceHealth("shoe", "up", ""))
        elif not any(s.link == PIT.link and s.person == SUPERVISOR for s in table.signed):
            self.unlock()
            self.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
        elif table.holds:
            self.rule_somehow()
        elif table.dealer is None:
            self.unlock()
            self.say(CONSOLE, i.LogIn(DEALER.staff, DEALER))
        elif table.between_rounds:
            self.next_round()
        elif isinstance(answer, Owed):
            self.draw()
        elif self.round.asked is not None:
            self.act(rand.choice(["hit", "stand"]))
        elif self.round.ended == "settled":
            self.clear()
        else:
            seat = rand.randint(1, 7)
            if rand.random() < 0.3:
                self.close()
            elif self.say(HOST, r.TakeSeat(seat, f"P{seat}")) is not None:
                self.say(HOST, r.PlaceBet(self.number, seat, f"P{seat}", 1000))

    def next_round(self) -> None:
        shoe = self.table.game.shoe
        if shoe.state != "in_play" or shoe.cut or len(self.deck) < 60:
            self.shoes += 1
            self.new_shoe(f"N{self.shoes}")
        self.must(HOST, r.OpenRound(fingerprint(self.table.rules)))

    def draw(self) -> None:
        if self.deck:
            self.drawn.append(self.deck.pop())
            self.give(self.read(self.drawn[-1]))

    def unlock(self) -> None:
        for timer in due(self.table):
            if timer.kind == "pin_lock":
                self.give(i.TimerFired(timer.name))

    def rule_somehow(self) -> None:
        """Reread, then rule on some hold in some way that is open."""
        if self.drawn and self.random.random() < 0.5:
            self.give(self.read(self.drawn[-1]))
        hold = self.random.choice(self.table.holds).hold
        for ruling in self.random.sample(RULINGS, 4):
            if self.say(PIT, i.Rule(hold, ruling, "", None)) is None:
                return

    def chaos(self) -> None:
        rand = self.random
        rand.choice(
            [
                self.draw,
                self.draw,
                lambda: self.give(self.read(rand.choice(self.drawn))) if self.drawn else None,
                lambda: self.give(self.read(card_of("KH", "B", 1))),
                lambda: self.give(i.CutCardSeen("shoe", "", "")) if rand.random() < 0.1 else None,
                lambda: self.give(i.ReadMissed("shoe", "x", "", "", passed=rand.random() < 0.7)),
                lambda: self.give(i.DeviceHealth("shoe", rand.choice(HEALTHS), "")),
                lambda: self.give(i.DeviceFault(rand.choice(["shoe", "?"]), "own", "")),
                lambda: self.give(i.LinkDown(rand.choice(ACTORS).link, "console", "n", "closed")),
                lambda: self.give(i.LinkDown(HOST.link, "host", "game", "closed")),
                lambda: self.give(i.TimerFired(rand.choice(["?", "betting:1:1"]))),
                lambda: [self.give(i.TimerFired(timer.name)) for timer in due(self.table)[:1]],
                self.start if rand.random() < 0.2 else self.draw,
                *[self.command] * 8,
            ]
        )()

    def command(self) -> None:
        rand, table = self.random, self.table
        number = rand.choice([table.game.rounds] * 9 + [rand.randint(0, 9)])
        hold = rand.choice(table.holds).hold if table.holds else rand.randint(0, 9)
        asked = table.game.round.asked if table.game.round else None
        decision, seat = (asked.decision, asked.seat) if asked else (1, rand.randint(1, 7))
        person = rand.choice([None, None, DEALER, SECOND_DEALER, SUPERVISOR, AUDITOR])
        staff = person.staff if person else rand.choice(["1001", "2001"])
        version = rand.choice([table.version, table.changed, 0])
        commands: list[Callable[[], i.AnyCommand]] = [
            lambda: r.OpenRound(fingerprint(table.rules)),
            lambda: r.TakeSeat(seat, f"P{rand.randint(1, 9)}"),
            lambda: r.LeaveSeat(seat, f"P{seat}"),
            lambda: r.PlaceBet(number, seat, f"P{seat}", rand.choice([1000, 1100, 0, -5])),
            lambda: r.CloseBetting(number),
            lambda: r.Decide(number, decision, seat, rand.choice([1, 1, 2]), "hit"),
            lambda: r.Cleared(number),
            lambda: i.LogIn(staff, person),
            lambda: i.LogOut(staff),
            i.Wait,
            lambda: i.Resume(hold),
            i.EmergencyStop,
            lambda: i.ReportError("misdeal"),
            lambda: i.CallSupervisor("help"),
            i.AnswerCall,
            lambda: i.Rule(hold, rand.choice(RULINGS), "", rand.choice([None, version])),
            lambda: i.VoidRound(number, "because", version),
            lambda: i.ReleaseShoe(table.game.shoe.id, version),
        ]
        self.say(rand.choice(ACTORS), rand.choice(commands)())

    # --- what always holds ------------------------------------------------------------------

    def look(self) -> None:
        """Every role can be shown the table, and no card left the shoe twice."""
        for actor in ACTORS:
            _viewer.snapshot(self.table, actor, "", {}, {}, journal_ok=True)
        gone = self.table.game.shoe.gone
        assert len({entry.card for entry in gone}) == len(gone)

    def leads_on(self) -> None:
        """From here, by commands alone once host and reader are there, to the next round."""
        kept = self.table, self.facts
        self.facts = []
        self.give(i.LinkUp(HOST.link, "host", "game"))
        self.give(i.DeviceHealth("shoe", "up", ""))
        self.unlock()
        self.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
        if is_open(self.table.game.round):
            self.must(PIT, i.VoidRound(self.number, "because", self.table.version))
        for hold in self.table.holds:
            said = [self.say(PIT, i.Rule(hold.hold, ruling, "", None)) for ruling in RULINGS]
            assert None in said, hold
        if self.table.dealer is None:
            self.must(CONSOLE, i.LogIn(DEALER.staff, DEALER))
        if not self.table.between_rounds:
            self.clear()
        self.must(PIT, i.LoadShoe("on", "A"))
        self.must(PIT, i.ReleaseShoe("on", self.table.version))
        self.must(HOST, r.OpenRound(fingerprint(self.table.rules)))
        self.table, self.facts = kept


@pytest.mark.parametrize("seed", range(60))
def test_whatever_happens_there_is_a_way_on_and_no_way_around(seed: int) -> None:
    table = Chaos(seed)
    share = table.random.choice([0.02, 0.05, 0.1, 0.4])
    for step in range(300):
        if table.random.random() < share:
            table.chaos()
        else:
            table.natural()
        if step % 15 == 0:
            table.look()
            table.leads_on()
    stored = fold(Table(), (_decode(_encode(fact)) for fact in table.facts))
    assert state_digest(stored) == state_digest(table.table)
    ends = [
        fact.round
        for fact in table.facts
        if isinstance(fact, g.RoundSettled | g.RoundVoided | g.RoundEmpty)
    ]
    assert len(ends) == len(set(ends)), "no round ends twice"
