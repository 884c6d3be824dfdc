"""A table and its picture on paper, led through whatever dice say; after each step they agree.

`Dice` is a string of bytes, so that a failing walk can be made shorter byte by byte.
"""

from __future__ import annotations

from typing import Any

from station.game import commands as c
from station.game import facts as g
from station.game.cards import card_of
from station.game.rules import TableRules, fingerprint
from station.table import inputs as i
from station.table.facts import Person
from station.table.state import due
from tests.support.agree import agree
from tests.support.anything import ACTIONS, BEHIND, SEATED, any_command
from tests.support.dice import Dice
from tests.support.naive import BURN, DEALER, Place
from tests.support.naive_floor import RULINGS, PaperFloor
from tests.support.play import CONSOLE, HOST, PIT, Play
from tests.support.watch import Watch

# Aces, tens and equal cards come more often than in a shoe: they are where the rules differ.
RANKS = "AAAA2345566788899TTTJQKK"
WRONG_COUNTS: tuple[dict[str, int], ...] = (
    {},
    {},
    {"KH": 1},
    {"2S": -1},
    {"KH": 1, "2S": -1},
)
STOPS: tuple[tuple[i.AnyCommand, i.Actor], ...] = (
    (i.Wait(), CONSOLE),
    (i.ReportError("other"), CONSOLE),
    (i.EmergencyStop(), PIT),
)
SUPERVISOR = Person("2001", "이수진", "supervisor")


def drawn_rules(dice: Dice) -> TableRules:
    """Settings under which rounds take a different course."""
    return TableRules(
        seats=4,
        behind_bettors=3,
        double_after_split=dice.pick((True, True, False)),
        dealer_draw=dice.pick(("always", "until_decided")),
        dealer_blackjack_takes=dice.pick(("all", "original")),
        autoplay_hits_eleven=dice.pick((True, False)),
        burn=dice.pick((0, 0, 1, 3)),
        incident_policy=dice.pick(("strict", "house")),
        grace_seconds=dice.pick((0, 5)),
        reshuffle=dice.pick((False, True)),
    )


class Walk:
    """The two of them. `hosts` is where the host's commands come from."""

    def __init__(self, rules: TableRules) -> None:
        self.play = Watch(rules)
        self.paper = PaperFloor(rules)
        self.paper.rules_name = fingerprint(rules)
        self.shoes = 0
        self.clocks: list[str] = []
        self.decks: dict[str, int] = {}
        self.play.give(i.LinkUp(HOST.link, "host", "game"))
        self.play.give(i.DeviceHealth("shoe", "up", ""))
        self.play.must(CONSOLE, i.LogIn("1001", Person("1001", "한지민", "dealer")))
        self.play.must(PIT, i.LogIn("2001", SUPERVISOR))
        self.new_shoe()

    # --- both at once -----------------------------------------------------------------------

    def say(self, command: i.AnyCommand, actor: i.Actor = HOST) -> bool:
        """The command to both: they refuse the same."""
        may = self.paper.hear(command)
        refusal = self.play.say(actor, command)
        assert (refusal is None) == may, (command, refusal, self.paper.__dict__)
        self.same()
        return may

    def must(self, command: i.AnyCommand, actor: i.Actor = HOST) -> None:
        assert self.say(command, actor), command

    def new_shoe(self) -> None:
        self.shoes += 1
        self.decks = {}
        self.must(i.LoadShoe(f"S{self.shoes}", "A"), PIT)
        self.must(i.ReleaseShoe(f"S{self.shoes}", self.play.table.version), PIT)

    def card(self, face: str, deck: int, letter: str = "A") -> None:
        self.paper.reads(face, deck, letter)
        self.play.give(Play.read(card_of(face, letter, deck)))
        self.same()

    def draw(self, dice: Dice) -> None:
        """A card of the shoe that has not left it."""
        rank, suit = dice.pick(RANKS), dice.pick("SHDC")
        place, round_ = self.paper.next(), self.paper.round
        if round_ is not None and place is not None and place[0] > 0 and dice.once_in(4):
            hand = round_.hands[place[0]][place[1] - 1].cards
            rank = hand[0][0] if hand else rank
        elif round_ is not None and place == DEALER and round_.dealer and dice.once_in(4):
            rank = {"A": "K"}.get(round_.dealer[0][0], "A")
        for other in (rank, *"23456789TJQKA"):
            face = other + suit
            if self.decks.get(face, 0) < 8:
                self.decks[face] = self.decks.get(face, 0) + 1
                self.card(face, self.decks[face])
                return

    def time_is_up(self) -> None:
        kind = self.paper.clock()
        self.paper.time_is_up()
        self.play.fire(kind)
        self.same()

    def reconcile(self, shoe: str, dice: Dice) -> None:
        """What is left is counted: rightly, or a card too few, too many, or another's."""
        gone = self.paper.waiting.get(shoe, self.paper.drawn)
        remaining = {rank + suit: 8 for rank in "A23456789TJQK" for suit in "SHDC"}
        for face, _, _ in gone:
            remaining[face] -= 1
        wrong = dice.pick(WRONG_COUNTS)
        remaining |= {face: max(0, remaining[face] + by) for face, by in wrong.items()}
        if self.say(i.ReconcileShoe(shoe, remaining), PIT):
            fact = self.facts(g.ShoeReconciled)[-1]
            paper = self.paper.wrong
            assert fact.missing == {face: -by for face, by in paper.items() if by < 0}
            assert fact.surplus == {face: by for face, by in paper.items() if by > 0}
            # The same count may have been said before.
            at = max(n for n, one in enumerate(self.play.facts) if one is fact)
            after = self.play.facts[at:]
            marks = [f for f in after if isinstance(f, g.RoundsMarked)]
            # A count that comes out after one that did not takes the marks away.
            bad = [n for f in marks if f.why != "counted_whole" for n in f.rounds]
            assert bad == self.paper.marked
            assert not (bad and any(f.why == "counted_whole" for f in marks))

    # --- the natural next step --------------------------------------------------------------

    def go(self, dice: Dice) -> None:
        """What people at a table would do next."""
        paper = self.paper
        if not paper.host:
            self.host_back(dice)
        elif paper.open and dice.once_in(4 if paper.holds else 12):
            self.come_and_go(dice)
        elif paper.open and dice.once_in(40):
            self.say(*dice.pick(STOPS))
        elif paper.holds:
            self.rule(dice)
        elif paper.between:
            self.begin(dice)
        elif paper.clock() == "betting":
            self.bet(dice)
        elif paper.clock():
            self.answer(dice)
        elif paper.next() is not None:
            self.draw(dice)
        else:
            self.must(c.Cleared(paper.rounds), CONSOLE)

    def begin(self, dice: Dice) -> None:
        paper = self.paper
        if paper.shoe_state != "in_play" or paper.cut or len(paper.drawn) > 300:
            if dice.once_in(4):
                self.reconcile(paper.shoe, dice)
            self.new_shoe()
            if dice.once_in(4) and paper.waiting:
                self.reconcile(dice.pick(list(paper.waiting)), dice)
        elif paper.next() == BURN:
            self.draw(dice)
        elif paper.life != "open":
            self.must(i.OpenTable(), PIT)
        else:
            self.must(c.OpenRound(paper.rules_name))

    def bet(self, dice: Dice) -> None:
        """Somebody sits down, bets, bets behind; in the end betting closes."""
        paper = self.paper
        what = dice.pick(("main", "main", "main", "behind", "pair", "behind_pair", "close"))
        seat = dice.pick((1, 2, 3, 4))
        player = paper.seats.get(seat, "")
        round_ = paper.round
        assert round_ is not None
        if what == "close" and not round_.stakes and not dice.once_in(4):
            what = "main"
        if what != "close" and round_.live() and dice.once_in(25):
            stake = dice.pick(round_.live())
            kind: Any = stake.kind
            taken = c.TakeBack(paper.rounds, stake.seat, stake.player, kind)
            self.say(taken)
        elif what == "close":
            if dice.once_in(2):
                self.time_is_up()
            else:
                self.must(c.CloseBetting(paper.rounds))
        elif not player:
            self.say(c.TakeSeat(seat, SEATED[seat - 1]))
        else:
            behind = what.startswith("behind")
            amount = dice.pick((1000, 1100, 2500)) if "pair" not in what else dice.pick((100, 333))
            who = dice.pick(BEHIND) if behind else player
            self.say(c.PlaceBet(paper.rounds, seat, who, amount, what))  # type: ignore[arg-type]

    def answer(self, dice: Dice) -> None:
        """A decision or an answer to a window; or silence."""
        round_ = self.paper.round
        assert round_ is not None
        if dice.once_in(25):
            self.time_is_up()
        elif dice.once_in(24):
            self.draw(dice)  # Too early: a hand slipped.
        elif round_.turn_of is not None:
            legal = [action for action in ACTIONS if action in round_.legal(round_.turn_of)]
            wanted = ["split"] * 4 if "split" in legal else []
            if round_.hands[round_.turn_of[0]][0].split and "double" in legal:
                wanted = ["double"] * 3
            action = dice.pick([*legal, *wanted, "hit", "stand"])
            self.must(self.decision(round_.turn_of, action))
        else:
            window = round_.window
            assert window is not None
            player = dice.pick([name for name in window.asked if name not in window.said])
            self.must(self.reply(player, yes=not dice.once_in(3)))

    def decision(self, place: Place, action: str, decision: int | None = None) -> c.Decide:
        number = self.paper.decision if decision is None else decision
        return c.Decide(self.paper.rounds, number, place[0], place[1], action)  # type: ignore[arg-type]

    def reply(self, player: str, *, yes: bool) -> c.Insure | c.Follow:
        round_ = self.paper.round
        assert round_ is not None
        assert round_.window is not None
        kind = c.Insure if round_.window.kind == "insurance" else c.Follow
        return kind(self.paper.rounds, self.paper.window, player, yes)

    def come_and_go(self, dice: Dice) -> None:
        """A player is lost; one who is says that he is back, or acts too late (R55, A13)."""
        seats = self.paper.seats
        seat = dice.pick(sorted(seats) or (1,))
        turn = self.paper.round.turn_of if self.paper.round else None
        if seat in self.paper.away and dice.once_in(2):
            self.must(c.PlayerBack(seat, seats[seat]))
        elif seat in self.paper.away:
            self.say(self.decision((seat, 1), "hit"))
        elif turn is not None and dice.once_in(2):
            self.must(c.PlayerLost(turn[0], seats[turn[0]]))
        elif seat in seats:
            self.must(c.PlayerLost(seat, seats[seat]))

    # --- trouble ----------------------------------------------------------------------------

    def rule(self, dice: Dice) -> None:
        """One open way out of some hold."""
        hold = dice.pick(sorted(self.paper.holds))
        ways = [ruling for ruling in RULINGS if self.paper.may_rule(hold, ruling)]
        if not ways:
            hold = max(self.paper.holds, key=lambda n: self.paper.may_rule(n, "void"))
            ways = ["void"]
        if dice.once_in(3):
            self.say(i.Rule(hold, dice.pick(RULINGS), "", None), PIT)  # type: ignore[arg-type]
        elif self.paper.holds[hold][0] == "wait" and dice.once_in(2):
            self.say(i.Resume(hold), CONSOLE)
        else:
            self.must(i.Rule(hold, dice.pick(ways), "", None), PIT)  # type: ignore[arg-type]

    def host_back(self, dice: Dice) -> None:
        if self.paper.clock() and dice.once_in(3):
            self.time_is_up()
        else:
            self.paper.host = True
            self.play.give(i.LinkUp(HOST.link, "host", "game"))
            self.same()

    def host_lost(self) -> None:
        self.paper.host_lost()
        self.play.lose_host()
        self.same()

    def restart(self) -> None:
        self.paper.restart()
        self.play.start()
        self.play.give(i.LinkUp(HOST.link, "host", "game"))
        self.paper.host = True
        self.play.give(i.DeviceHealth("shoe", "up", ""))
        self.play.must(PIT, i.LogIn("2001", SUPERVISOR))
        self.same()

    def unplug_and_back(self) -> None:
        """A reader lost and found, nothing drawn: the last card is read again (A20)."""
        if self.paper.holds or not self.paper.host:
            return
        self.play.give(i.DeviceHealth("shoe", "lost", ""))
        self.play.give(i.DeviceHealth("shoe", "up", ""))
        last = self.play.table.game.shoe.last
        ruling = "aligned" if self.paper.cards_out else "release"
        if last is not None:
            self.play.give(Play.read(last.card))
        self.play.must(PIT, i.Rule(self.play.table.holds[0].hold, ruling, "", None))  # type: ignore[arg-type]
        self.paper.hold_count += 1
        self.same()

    def wrong_card(self, dice: Dice) -> None:
        """The last card again, an earlier one, another set's, the cut card, or one too many."""
        what = dice.pick(("last", "last", "new", "cut", "earlier", "foreign"))
        drawn = self.paper.drawn
        if what == "new":
            self.draw(dice)
        elif what == "cut":
            self.paper.cut_card()
            self.play.give(i.CutCardSeen("shoe", "", ""))
            self.same()
        elif what == "foreign":
            self.card("KH", 1, "B")
        elif drawn:
            face, deck, _ = drawn[-1] if what == "last" else dice.pick(drawn)
            self.card(face, deck)

    def old_clock(self, dice: Dice) -> None:
        """A clock that rings when its window is over says nothing."""
        running = {timer.name for timer in due(self.play.table)}
        old = [name for name in self.clocks[-20:] if name not in running]
        if old:
            assert self.play.give(i.TimerFired(dice.pick(old))).facts == ()

    def meddle(self, dice: Dice) -> None:
        """Any command at any time, right or wrong."""
        command, actor = any_command(self.paper, self.play.table.version, dice)
        if actor is HOST and not self.paper.host:
            return  # A host that is not there says nothing.
        self.say(command, actor)

    # --- looking ----------------------------------------------------------------------------

    def same(self) -> None:
        """What can be seen of the table is as it is on paper; ids are taken over from it."""
        round_ = self.play.table.game.round
        if round_ is not None and round_.asked is not None:
            self.paper.decision = round_.asked.decision
        if round_ is not None and round_.window is not None:
            self.paper.window = round_.window.window
        running = [timer.name for timer in due(self.play.table)]
        self.clocks += [name for name in running if name not in self.clocks[-3:]]
        agree(self.play.table, self.paper)

    def facts(self, kind: type[Any]) -> list[Any]:
        return [fact for fact in self.play.facts if isinstance(fact, kind)]
