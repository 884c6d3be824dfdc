"""A table to which anything may happen, mostly what people do; each input is looked at."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from station.config import TableSection
from station.game import commands as c
from station.game.cards import RANKS, SUITS, Card, card_of
from station.game.dealing import Owed
from station.game.rules import TableRules, fingerprint
from station.snapshot import Snapshot
from station.table import facts as f
from station.table import inputs as i
from station.table import shoe_inputs as si
from station.table.decide import Decision
from station.table.facts import Person
from station.table.locks import CONDITIONS
from station.table.missed import GRAVE
from station.table.rights import SUPERVISORS
from station.table.state import Table, due, expected
from station.table.why_not import why_not
from station.view import Viewer
from tests.support.every_command import RULINGS, every_command
from tests.support.play import CONSOLE, DEALER, HOST, MANAGER, PIT, STAFF, SUPERVISOR, Play
from tests.support.watch import WINDOWS, Ledger, Watch

ACTORS = (HOST, CONSOLE, PIT, STAFF)
HEALTHS = (
    *("up", "up", "lost", "garbled", "silent", "busy", "not_answering", "waiting"),
    *("blind", "covered"),
)
SECOND_DEALER = Person("1002", "박서준", "dealer")
AUDITOR = Person("5001", "정하은", "auditor")
SHOE = [card_of(a + b, "A", n) for a in RANKS for b in SUITS for n in range(1, 9)]
BEHIND = ("Eve", "Fay", "Gus")
_viewer = Viewer(TableSection("T01", "test"), 1.0, 0, ())


def any_rules(rand: random.Random) -> TableRules:
    return TableRules(
        grace_seconds=rand.choice([0, 5]),
        dealer_draw=rand.choice(["always", "until_decided"]),
        dealer_blackjack_takes=rand.choice(["all", "original"]),
        double_after_split=rand.random() < 0.7,
        incident_policy=rand.choice(["strict", "house"]),
        burn=rand.choice([0, 0, 2]),
        reshuffle=rand.random() < 0.3,
        autoplay_hits_eleven=rand.random() < 0.7,
    )


class Chaos(Watch):
    """`chairs`: the dealer keys what a host would say; `host` is where that comes from."""

    def __init__(self, seed: int) -> None:
        self.random = rand = random.Random(seed)
        self.chairs = rand.random() < 0.3
        self.host = CONSOLE if self.chairs else HOST
        self.deck: list[Card] = []
        self.drawn: list[Card] = []
        self.shoes = 0
        super().__init__(any_rules(rand))
        self.open_table()

    def start(self) -> None:
        host = "chairs" if self.chairs else "link"
        given = i.StationStart("T01", "test", "0", ("shoe",), self.rules, host)  # type: ignore[arg-type]
        self.give(replace(given, shoe=self.table.shoes.rules))

    def new_shoe(self, name: str) -> None:
        super().new_shoe(name)
        self.deck = self.random.sample(SHOE, len(SHOE))
        self.drawn = []

    def give(self, given: i.AnyInput) -> Decision:
        before = self.table
        decision = super().give(given)
        if isinstance(given, i.Commanded):
            assert decision.refusal == why_not(before, given.actor, given.command)
        for fact in decision.facts:
            if isinstance(fact, f.HoldReleased):
                ended_by_a_person(before, given, fact)
        kept = {hold.hold for hold in decision.after.holds}
        if any(hold.hold not in kept for hold in before.holds):
            assert isinstance(given, i.Commanded), "only a person ends a hold"
        return decision

    # --- what sensible people would do next -------------------------------------------------

    def natural(self) -> None:
        table = self.table
        if self.comes_back():
            return
        if table.holds:
            if self.random.random() < 0.2:
                self.come_and_go()
            self.rule_somehow()
        elif table.dealer is None:
            self.unlock()
            self.say(CONSOLE, i.LogIn(DEALER.staff, DEALER))
        else:
            self.play_on()

    def come_and_go(self) -> None:
        """A player is lost, or back; in a hold too (R55)."""
        round_, seats = self.table.game.round, self.table.game.seats
        asked = round_.asked.seat if round_ is not None and round_.asked is not None else 0
        for seat in seats:
            if seat.seat == asked or self.random.random() < 0.3:
                kind = c.PlayerBack if seat.absent else c.PlayerLost
                self.must(self.host, kind(seat.seat, seat.player))

    def comes_back(self) -> bool:
        """Host, reader and supervisor are seen to first; whether there was need."""
        table = self.table
        if not table.host_connected:
            self.give(i.LinkUp(HOST.link, "host", "game"))
        elif not all(device.reads for device in table.devices):
            self.give(i.DeviceHealth("shoe", "up", ""))
        elif not any(s.link == PIT.link and s.person == SUPERVISOR for s in table.signed):
            self.unlock()
            self.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
        else:
            return False
        return True

    def see_to_locks(self) -> None:
        """Causes go away; what latches is acknowledged as it is offered."""
        for one in self.table.conditions:
            self.give(i.ConditionSeen(one.code, stands=False))
            if one.latches:
                self.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
                assert "clear_lock" in self.offered(PIT)
                self.must(PIT, i.ClearLock(one.lock, "seen to"))

    def play_on(self) -> None:
        table, rand = self.table, self.random
        if isinstance(expected(table), Owed):
            self.draw()
        elif table.between_rounds:
            self.next_round()
        elif self.round.ended == "settled":
            self.must(CONSOLE, c.Cleared(self.number))
        elif rand.random() < 0.1:
            self.ring()
        elif self.round.asked is not None:
            asked = self.round.asked
            action = rand.choice(asked.legal)
            place = asked.decision, asked.seat, asked.hand
            self.must(self.host, c.Decide(self.number, *place, action))
        elif self.round.window is not None:
            self.answer()
        else:
            self.bet_somehow()

    def ring(self) -> None:
        """The time of the window that runs is over."""
        for timer in due(self.table):
            if timer.kind in WINDOWS:
                self.give(i.TimerFired(timer.name))

    def answer(self) -> None:
        window = self.round.window
        assert window is not None
        open_ = [player for player in window.asked if not window.has_answered(player)]
        kind = c.Insure if window.kind == "insurance" else c.Follow
        player, yes = self.random.choice(open_), self.random.random() < 0.6
        self.must(self.host, kind(self.number, window.window, player, yes))

    def bet_somehow(self) -> None:
        rand, seat = self.random, self.random.randint(1, 4)
        if rand.random() < 0.15:
            self.must(self.host, c.CloseBetting(self.number))
            return
        taken = self.table.game.seat_at(seat)
        if taken is None:
            self.say(self.host, c.TakeSeat(seat, f"P{seat}"))
            return
        behind = rand.random() < 0.4
        player = rand.choice(BEHIND) if behind else taken.player
        kind: c.PlacedKind = rand.choice(("behind", "behind_pair") if behind else ("main", "pair"))
        self.say(self.host, c.PlaceBet(self.number, seat, player, 1000, kind))

    def next_round(self) -> None:
        shoe, check = self.table.game.shoe, self.table.shoes.running
        if check is not None:
            self.must(PIT, si.CancelShoeCheck(check.check))
        elif shoe.state != "in_play" or shoe.cut or len(self.deck) < 80:
            self.shoes += 1
            self.new_shoe(f"N{self.shoes}")
        elif self.table.life != "open":
            self.must(PIT, i.OpenTable())
        elif self.table.conditions:
            self.see_to_locks()
        else:
            self.must(self.host, c.OpenRound(fingerprint(self.table.rules)))

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
        for ruling in self.random.sample(RULINGS, len(RULINGS)):
            if self.say(PIT, i.Rule(hold, ruling, "", None)) is None:
                return

    # --- what else may happen ---------------------------------------------------------------

    def trouble(self) -> None:
        rand = self.random
        happenings: Sequence[Callable[[], object]] = [
            self.draw,
            self.draw,
            lambda: self.give(self.read(rand.choice(self.drawn))) if self.drawn else None,
            lambda: self.give(self.read(card_of("KH", "B", 1))),
            lambda: self.give(i.CutCardSeen("shoe", "", "")) if rand.random() < 0.1 else None,
            lambda: self.give(i.ReadMissed("shoe", "x", "", "", passed=rand.random() < 0.7)),
            lambda: self.give(i.ReadMissed("shoe", rand.choice(GRAVE), "", "", passed=True)),
            lambda: self.give(i.DeviceHealth("shoe", rand.choice(HEALTHS), "")),
            lambda: self.give(
                i.ConditionSeen(rand.choice(CONDITIONS), rand.random() < 0.7, {"seconds": "+9.0"})
            ),
            lambda: self.give(i.DeviceFault(rand.choice(["shoe", "?"]), "own", "")),
            lambda: self.give(i.LinkDown(rand.choice(ACTORS).link, "console", "n", "closed")),
            self.lose_host,
            lambda: self.give(i.TimerFired(rand.choice(["?", "betting:1:1"]))),
            lambda: [self.give(i.TimerFired(timer.name)) for timer in due(self.table)[:1]],
            self.restart if rand.random() < 0.2 else self.draw,
            *[self.command] * 8,
        ]
        rand.choice(happenings)()

    def restart(self) -> None:
        """Now and then with other settings."""
        if self.random.random() < 0.2:
            self.rules = any_rules(self.random)
        self.start()

    def command(self) -> None:
        """Any command from anywhere; rarely the right one."""
        rand, table = self.random, self.table
        person = rand.choice([None, None, DEALER, SECOND_DEALER, SUPERVISOR, AUDITOR])
        staff = person.staff if person else rand.choice(["1001", "2001"])
        logs: list[i.AnyCommand] = [i.LogIn(staff, person), i.LogOut(staff)]
        command = rand.choice(rand.choice([logs, every_command(table), every_command(table)]))
        self.say(rand.choice(ACTORS), command)

    # --- what is offered --------------------------------------------------------------------

    def snapshot(self, actor: i.Actor) -> Snapshot:
        return _viewer.snapshot(self.table, actor, "", {}, {}, {}, journal_ok=True)

    def offered(self, actor: i.Actor) -> set[str]:
        """The commands that are not greyed out there."""
        return {a.command for a in self.snapshot(actor).actions if a.refusal is None}

    def take_over(self, made: Play) -> None:
        """Go on from where another play is."""
        self.table, self.rules, self.facts = made.table, made.rules, list(made.facts)
        self.chairs = made.table.keys
        self.host = CONSOLE if self.chairs else HOST
        self.ledger = Ledger()
        for fact in made.facts:
            self.ledger.book(fact)
        gone = {entry.card for entry in made.table.game.shoe.gone}
        self.drawn = [entry.card for entry in made.table.game.shoe.gone]
        self.deck = [card for card in SHOE if card not in gone]
        self.random.shuffle(self.deck)

    def aside(self) -> Callable[[], None]:
        """Remember how things are; the answer brings them back."""
        kept = self.table, self.ledger, self.deck, self.drawn, self.random.getstate()
        count, self.facts = self.facts, []
        self.ledger = self.ledger.copy()
        self.deck, self.drawn = list(self.deck), list(self.drawn)

        def back() -> None:
            self.table, self.ledger, self.deck, self.drawn, state = kept
            self.facts = count
            self.random.setstate(state)

        return back


def ended_by_a_person(before: Table, given: i.AnyInput, fact: f.HoldReleased) -> None:
    """A supervisor at that link; the dealer only his own wait."""
    assert isinstance(given, i.Commanded)
    hold = before.hold(fact.hold)
    assert hold is not None
    there = [s.person for s in before.signed if s.link == given.actor.link]
    assert hold.code == "wait" or any(who.role in SUPERVISORS for who in there)
