"""The core against a naive model that shares nothing with it.

The model keeps lists of two-character faces and plain sums. After every step the two must agree
on where the next card goes, on every hand, and on the money; and the fold of all facts must be the
state the core arrived at, bit for bit.
"""

from __future__ import annotations

import random
from fractions import Fraction

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from station.game import facts as g
from station.game import round as r
from station.game.cards import RANKS, SUITS
from station.game.dealing import Owed
from station.game.rules import fingerprint
from station.table import inputs as i
from station.table.evolve import fold
from station.table.facts import Person
from station.table.state import Table, expected
from tests.support.play import CONSOLE, HOST, PIT, Play


def worth(faces: list[str]) -> int:
    """The model's own total: every ace as 11, then as many as needed back to 1."""
    points = sum({"A": 11}.get(face[0], 10 if face[0] in "TJQK" else 0) for face in faces)
    points += sum(int(face[0]) for face in faces if face[0].isdigit())
    aces = sum(face[0] == "A" for face in faces)
    while points > 21 and aces:
        points, aces = points - 10, aces - 1
    return points


class NaiveRound:
    """What a child would write down at the table."""

    def __init__(self) -> None:
        self.bets: dict[int, int] = {}
        self.hands: dict[int, list[str]] = {}
        self.stood: set[int] = set()
        self.hit: int | None = None
        self.dealer: list[str] = []
        self.closed = False

    def done(self, seat: int) -> bool:
        return seat in self.stood or worth(self.hands[seat]) >= 21

    def next(self) -> int | None:
        """Seat that is owed a card, 0 for the dealer, None for nobody."""
        if not self.closed:
            return None
        seats = sorted(self.hands)
        for seat in seats:
            if not self.hands[seat]:
                return seat
        if not self.dealer:
            return 0
        for seat in seats:
            if len(self.hands[seat]) < 2:
                return seat
        if self.hit is not None:
            return self.hit
        if any(not self.done(seat) for seat in seats):
            return None
        return 0 if len(self.dealer) < 2 or worth(self.dealer) < 17 else None

    def turn(self) -> int | None:
        if not self.closed or self.next() is not None:
            return None
        return next((seat for seat in sorted(self.hands) if not self.done(seat)), None)

    def returned(self, seat: int) -> Fraction:
        mine, bet = self.hands[seat], Fraction(self.bets[seat])
        natural = worth(mine) == 21 and len(mine) == 2
        theirs = worth(self.dealer) == 21 and len(self.dealer) == 2
        if worth(mine) > 21:
            return Fraction(0)
        if natural or theirs:
            if natural and theirs:
                return bet
            return bet * Fraction(5, 2) if natural else Fraction(0)
        if worth(self.dealer) > 21 or worth(mine) > worth(self.dealer):
            return bet * 2
        return bet if worth(mine) == worth(self.dealer) else Fraction(0)


class TableMachine(RuleBasedStateMachine):
    """Anything may come at any time, in any order."""

    @initialize(seed=st.integers(0, 2**16))
    def begin(self, seed: int) -> None:
        self.play = Play().open_table()
        self.random = random.Random(seed)
        self.model: NaiveRound | None = None
        self.shoes = 1
        self.refill()
        for seat in (1, 2, 4, 7):
            self.play.must(HOST, r.TakeSeat(seat, f"P{seat}"))

    def refill(self) -> None:
        self.deck = [(a + b, n) for a in RANKS for b in SUITS for n in range(1, 9)]
        self.random.shuffle(self.deck)

    # --- play -------------------------------------------------------------------------------

    @rule(actions=st.lists(st.sampled_from(["hit", "stand", "stand"]), min_size=1, max_size=25))
    def play_on(self, actions: list[str]) -> None:
        """The natural next steps, one an action: without these, few rounds would get far."""
        for action in actions:
            if self.play.table.holds:
                self.rule_on_hold("void")
            elif self.model is None:
                self.open_round()
            elif not self.model.closed:
                self.bet(self.random.choice([1, 2, 4, 7]), 5)
                if len(self.model.bets) > 1:
                    self.close(by_clock=action == "hit")
            elif self.play.round.ended == "settled":
                self.clear()
            elif self.model.turn() is not None:
                self.decide(action)
            else:
                self.draw(0)
            self.the_next_card_goes_where_the_model_says()
            self.the_hands_are_the_models()
            self.money_is_returned_once_and_as_the_model_says()

    @precondition(lambda self: self.model is None and not self.play.table.holds)
    @rule()
    def open_round(self) -> None:
        if self.play.table.game.shoe.state != "in_play":
            self.shoes += 1
            self.play.new_shoe(f"S{self.shoes}")
            self.refill()
        self.play.must(HOST, r.OpenRound(fingerprint(self.play.rules)))
        self.model = NaiveRound()

    @precondition(lambda self: self.model is not None and not self.model.closed)
    @rule(seat=st.sampled_from([1, 2, 4, 7, 3]), steps=st.integers(-1, 20))
    def bet(self, seat: int, steps: int) -> None:
        assert self.model is not None
        taken = {s.seat for s in self.play.table.game.seats}
        if seat not in taken:
            self.play.must(HOST, r.TakeSeat(seat, f"P{seat}"))
        amount = 1000 + 100 * steps
        refusal = self.play.say(HOST, r.PlaceBet(self.play.number, seat, f"P{seat}", amount))
        fine = amount >= 1000 and seat not in self.model.bets and not self.play.table.holds
        assert (refusal is None) == fine
        if fine:
            self.model.bets[seat] = amount

    @precondition(
        lambda self: self.model is not None and not self.model.closed and not self.play.table.holds
    )
    @rule(by_clock=st.booleans())
    def close(self, by_clock: bool) -> None:
        assert self.model is not None
        if by_clock:
            self.play.fire("betting")
        else:
            self.play.close()
        self.model.closed = True
        self.model.hands = {seat: [] for seat in self.model.bets}
        if not self.model.bets:
            self.model = None

    @rule(again=st.integers(0, 2))
    def draw(self, again: int) -> None:
        """A card comes, wanted or not, and is perhaps read more than once."""
        if self.play.table.holds or self.play.table.game.shoe.state != "in_play":
            return
        face, deck = self.deck.pop()
        seat = self.model.next() if self.model else None
        for _ in range(1 + again):
            self.play.card(face, deck)
        if seat is None:
            assert self.play.hold_codes == ["exposed_card"]
            return
        assert self.model is not None
        if seat == 0:
            self.model.dealer.append(face)
        else:
            self.model.hands[seat].append(face)
            self.model.hit = None

    @precondition(
        lambda self: (
            self.model is not None
            and self.model.turn() is not None
            and not self.play.table.holds
            and self.play.round.asked is not None
        )
    )
    @rule(action=st.sampled_from(["hit", "stand", "silence"]))
    def decide(self, action: str) -> None:
        assert self.model is not None
        seat = self.model.turn()
        asked = self.play.round.asked
        assert asked is not None
        assert asked.seat == seat
        assert seat is not None
        if action == "silence":
            self.play.fire("decision")
            # The station plays this hand: up to 11 it hits, and it is not asked again.
            self.absent(seat)
            return
        self.play.act("hit" if action == "hit" else "stand")
        if action == "hit":
            self.model.hit = seat
        else:
            self.model.stood.add(seat)

    def absent(self, seat: int) -> None:
        assert self.model is not None
        while not self.model.done(seat):
            if worth(self.model.hands[seat]) > 11:
                self.model.stood.add(seat)
                return
            face, deck = self.deck.pop()
            self.play.card(face, deck)
            self.model.hands[seat].append(face)

    @precondition(
        lambda self: (
            self.model is not None
            and self.play.round.ended == "settled"
            and not self.play.table.holds
        )
    )
    @rule()
    def clear(self) -> None:
        self.play.clear()
        self.model = None

    # --- trouble ----------------------------------------------------------------------------

    @precondition(lambda self: bool(self.play.table.holds))
    @rule(ruling=st.sampled_from(["release", "aligned", "burn", "void"]))
    def rule_on_hold(self, ruling: str) -> None:
        hold = self.play.table.holds[0]
        self.play.say(PIT, i.Rule(hold.hold, ruling, "", None))  # type: ignore[arg-type]
        self.forget_void()

    @precondition(lambda self: self.model is not None and self.play.round.ended == "")
    @rule(luck=st.integers(0, 5))
    def void(self, luck: int) -> None:
        if luck:
            return
        self.play.must(PIT, i.VoidRound(self.play.number, "because", self.play.table.version))
        self.forget_void()

    @rule(luck=st.integers(0, 5))
    def restart(self, luck: int) -> None:
        if luck:
            return
        self.play.start()
        self.play.give(i.LinkUp(HOST.link, "host", "game"))
        self.play.give(i.DeviceHealth("shoe", "up", ""))
        if not self.play.table.signed:
            supervisor = i.LogIn("2001", Person("2001", "이수진", "supervisor"))
            self.play.must(PIT, supervisor)
        self.forget_void()

    @rule(luck=st.integers(0, 5))
    def unplug_and_back(self, luck: int) -> None:
        if luck:
            return
        self.play.give(i.DeviceHealth("shoe", "lost", ""))
        self.play.give(i.DeviceHealth("shoe", "up", ""))
        last = self.play.table.game.shoe.last
        if last is not None and self.play.table.game.shoe.state == "in_play":
            self.play.give(Play.read(last.card))

    @rule(luck=st.integers(0, 5))
    def wait_and_report(self, luck: int) -> None:
        if luck:
            return
        self.play.say(CONSOLE, i.Wait())

    @rule(number=st.integers(0, 3), seat=st.integers(1, 7))
    def nonsense(self, number: int, seat: int) -> None:
        before = self.play.table.game
        self.play.say(HOST, r.Decide(number + 10_000, 1, seat, 1, "hit"))
        self.play.say(HOST, r.PlaceBet(10_000, seat, "x", 1000))
        self.play.say(CONSOLE, r.Cleared(10_000))
        self.play.give(i.TimerFired("betting:0:0"))
        assert self.play.table.game == before

    def forget_void(self) -> None:
        if self.model is not None and self.play.round.ended == "void":
            self.model = None

    # --- what always holds ------------------------------------------------------------------

    @invariant()
    def the_next_card_goes_where_the_model_says(self) -> None:
        if self.play.table.holds:
            return
        answer = expected(self.play.table)
        got = answer.slot.seat if isinstance(answer, Owed) else None
        want = self.model.next() if self.model else None
        assert got == want

    @invariant()
    def the_hands_are_the_models(self) -> None:
        if self.model is None or not self.model.closed:
            return
        for box in self.play.round.boxes:
            faces = [card.face for card in box.hands[0].cards]
            assert faces == self.model.hands[box.seat]
        assert [card.face for card in self.play.round.dealer] == self.model.dealer

    @invariant()
    def money_is_returned_once_and_as_the_model_says(self) -> None:
        ended: dict[int, int] = {}
        for fact in self.play.facts:
            if isinstance(fact, g.RoundSettled | g.RoundVoided):
                ended[fact.round] = ended.get(fact.round, 0) + 1
        assert all(times == 1 for times in ended.values())
        if self.model is not None and self.play.round.ended == "settled":
            for line in self.play.round.lines:
                assert line.returned == self.model.returned(line.seat)
                assert line.stake == self.model.bets[line.seat]

    @invariant()
    def a_card_is_in_one_place(self) -> None:
        gone = [entry.card for entry in self.play.table.game.shoe.gone]
        assert len(gone) == len(set(gone))
        assert [entry.order for entry in self.play.table.game.shoe.gone] == list(
            range(1, len(gone) + 1)
        )

    def teardown(self) -> None:
        if not hasattr(self, "play"):
            return
        folded = fold(Table(), self.play.facts)
        assert msgspec.json.encode(folded) == msgspec.json.encode(self.play.table)


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=200, stateful_step_count=40, deadline=None)
