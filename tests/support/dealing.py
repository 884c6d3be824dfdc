"""A dealer and a supervisor at a `Link`, and an oracle that looks on.

The dealer draws a card when the table owes one, presents it again when no good read came of it, and
never draws on before it is in. The supervisor rules on holds as he sees the cards on the felt.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from hw_sim.codes import VirtualCard
from hw_sim.faults import fault_params
from hw_sim.shoe import ShoeEmpty
from station.game import commands as c
from station.game import facts as g
from station.game.dealing import Expected, Nobody, Owed
from station.game.incidents import INCIDENTS
from station.game.rules import fingerprint
from station.game.state import Action
from station.table import facts as f
from station.table import inputs as i
from station.table.state import due, expected
from tests.support.link import Link, at_rate
from tests.support.oracle import TAKEN, TOLD, Oracle, Report
from tests.support.play import CONSOLE, DEALER, HOST, PIT, SUPERVISOR

# Longer than any protocol waits for the rest of a message, or for one sent again.
PATIENCE_MS = 2700
# So many facts make some minutes of a table that gets nowhere.
LATELY = 60
CHOICES: tuple[Action, ...] = ("hit", "stand", "stand")
SHOW_AGAIN = 4


class Dealing:
    """One table with its people, played card by card. `make` makes the link, by these settings."""

    def __init__(
        self,
        kind: str,
        wire: str = "perfect",
        *,
        seed: int = 1,
        make: Callable[..., Link] = Link,
        **link: Any,
    ) -> None:
        self.rng = random.Random(f"dealing/{seed}")
        self.oracle = Oracle()
        self._two = False
        self.link = make(kind, wire, seed=seed, looks=self.oracle.look, leaves=self._leaves, **link)
        self.play = self.link.table
        self.oracle.checked = self.link.spec.checked
        self._shown = 0
        self._tried: Counter[int] = Counter()
        self._waited = 0
        self._faults: list[tuple[int, str, dict[str, object]]] = []
        self._take_table()

    def _take_table(self) -> None:
        """People sign in and the first shoe goes in, whatever the reader does meanwhile."""
        play = self.play
        play.give(i.LinkUp(HOST.link, "host", "game"))
        play.must(CONSOLE, i.LogIn(DEALER.staff, DEALER))
        play.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))
        self._put_in("S1")

    def _put_in(self, shoe: str) -> None:
        while self.play.table.game.shoe.id != shoe:
            if self.play.table.holds:
                self._rule()
            else:
                self.play.new_shoe(shoe)

    # --- what is to happen -------------------------------------------------------------------

    def arm(self, after: int, fault: str, **params: object) -> None:
        """That fault at the draw that comes after so many cards in all."""
        self._faults.append((after, fault, params))

    def deal(self, cards: int, limit_ms: int = 900_000) -> Report:
        """Rounds until so many cards are drawn, to the end of the round; or the table is stuck."""
        report, end = self.oracle.report, self.link.now_ms + limit_ms
        while report.drawn < cards or self._busy():
            if report.wrong:
                break
            if self.link.now_ms > end:
                report.stuck = self._why_stuck()
                break
            self._step()
        self.oracle.close()
        return report

    def _busy(self) -> bool:
        return bool(self.oracle.pending) or not self.play.table.between_rounds

    def _why_stuck(self) -> str:
        table = self.play.table
        device = table.devices[0]
        holds = ",".join(hold.code for hold in table.holds)
        lately = any(isinstance(fact, f.TableHeld) for fact in self.oracle.told[-LATELY:])
        if not (holds or lately) and device.reads:
            self.oracle.report.wrong.append(f"the table does not go on: {expected(table)}")
        return f"{holds or ('held lately' if lately else '-')} {device.health}"

    # --- one step ----------------------------------------------------------------------------

    def _step(self) -> None:
        table = self.play.table
        if table.holds:
            self._rule()
        elif table.between_rounds and (table.game.shoe.state == "out" or table.game.shoe.cut):
            self._change_shoe()
        else:
            answer = expected(table)
            if isinstance(answer, Owed):
                self._card()
            elif answer.code == "reader_not_up":
                self._wait_for_reader()
            else:
                self._host(answer)

    def _host(self, answer: Nobody) -> None:
        play, table = self.play, self.play.table
        round_ = table.game.round
        if round_ is None or round_.ended in ("cleared", "void"):
            if play.say(HOST, c.OpenRound(fingerprint(play.rules))) is not None:
                self._wait_for_reader()
                return
            for seat in (1, 3):
                if seat not in {one.seat for one in table.game.seats}:
                    play.must(HOST, c.TakeSeat(seat, f"P{seat}"))
                play.must(HOST, c.PlaceBet(play.number, seat, f"P{seat}", 1000))
            play.must(HOST, c.CloseBetting(play.number))
        elif round_.ended:
            self.link.run(self.rng.randint(200, 1500))
            if not play.table.holds:
                play.clear()
        elif round_.asked is not None:
            action: Action = self.rng.choice(CHOICES)
            self.link.run(self.rng.randint(50, 800))
            if play.table.game.round is not None and play.round.asked is not None:
                asked = play.round.asked
                play.say(
                    HOST, c.Decide(play.number, asked.decision, asked.seat, asked.hand, action)
                )
        elif timers := due(table):
            play.give(i.TimerFired(timers[0].name))
        else:
            raise AssertionError(f"nobody knows what is next: {answer}")

    # --- the dealer --------------------------------------------------------------------------

    def _card(self) -> None:
        if self.oracle.pending:
            self._present()
        else:
            self._draw()

    def _draw(self) -> None:
        link, drawn = self.link, self.oracle.report.drawn
        link.run(self.rng.randint(450, 900))
        if self._locked():
            # He feels that it is held back, and pulls again when it gives way.
            link.run(PATIENCE_MS, lambda: not self._locked())
            link.run(300)
        if not isinstance(expected(self.play.table), Owed) or self.oracle.pending:
            return
        for one in [one for one in self._faults if one[0] <= drawn]:
            self._faults.remove(one)
            self._strike(one[1], one[2])
        before = len(link.shoes.shoe.given)
        facts, slot = len(self.oracle.told), expected(self.play.table)
        try:
            link.what.draw()
        except ShoeEmpty:
            self._report_and_void()
            return
        given = link.shoes.shoe.given[before:]
        self._shown = 0
        if any(one.card.cut for one in given):
            self._cut_card(given[0].card)
        else:
            self._await(facts, slot)

    def _locked(self) -> bool:
        return bool(self.link.model.state().get("locked"))

    def _strike(self, fault: str, given: dict[str, object]) -> None:
        """A fault, now or of the next card."""
        link = self.link
        if fault == "wrong_rate":
            ratio = float(str(given["ratio"]))
            rng = random.Random(self.rng.random())
            link.misread = lambda data: at_rate(data, ratio, rng)
            link.timers.later(int(str(given["ms"])), self._right_rate)
            return
        if fault == "two_codes":
            # The other code is that of the card that comes out with it.
            given = {**given, "text": link.shoes.shoe._order[-2].code}
        params = fault_params(fault, given, link.faults)
        if link.faults[fault].when == "draw" or fault in ("unplug", "early_draw"):
            link.what.arm(fault, params, 0)
        else:
            link.what.fault(fault, params)
            link.run(self.rng.randint(0, 300))
        self._two = fault == "two_codes"

    def _leaves(self, card: VirtualCard) -> None:
        if not card.cut:
            holds = self.play.table.holds
            self.oracle.drew(card, holds[0].code if holds else "")
        if self._two:
            self._two = False
            self.oracle.drew(self.link.shoes.shoe.draw().card)

    def _right_rate(self) -> None:
        self.link.misread = None

    def _cut_card(self, card: VirtualCard) -> None:
        for _ in range(SHOW_AGAIN):
            self.link.run(PATIENCE_MS, lambda: self.play.table.game.shoe.cut)
            if self.play.table.game.shoe.cut or self.play.table.holds:
                return
            self.link.what.card_passes(card)
        self.link.run(PATIENCE_MS)

    def _await(self, facts: int, slot: Expected) -> None:
        """Wait for the beep, as long as a dealer does. `facts`, `slot`: before the card came."""
        self.link.run(PATIENCE_MS, lambda: not self.oracle.pending or bool(self.play.table.holds))
        if not self.oracle.pending:
            return
        said = [fact for fact in self.oracle.told[facts:] if isinstance(fact, (*TOLD, *TAKEN))]
        if not said and self.play.table.devices[0].reads:
            self.oracle.report.vanished += 1
            if expected(self.play.table) != slot:
                self.oracle.report.wrong.append(f"no card came and the prompt moved from {slot}")

    def _present(self) -> None:
        """The card again, a few times; then the reader is restarted; then a person is called."""
        self._shown += 1
        if self._shown == SHOW_AGAIN + 1:
            self._restart_reader()
        elif self._shown > 2 * SHOW_AGAIN or not self._presents():
            self._report_and_void()
            return
        self.oracle.report.again += 1
        self.link.run(self.rng.randint(300, 900))
        if not self.oracle.pending or self.play.table.holds:
            return
        facts, slot = len(self.oracle.told), expected(self.play.table)
        self.link.what.again(self.oracle.pending[0].card.face)
        self._await(facts, slot)

    def _presents(self) -> bool:
        return self.link.kind.codes

    def _restart_reader(self) -> None:
        self.link.what.clear()
        self.link.misread = None
        if self.link.kind.own_power and "power_cycle" in self.link.faults:
            self.link.what.fault("power_cycle", {})
        else:
            self.link.what.unplug()
            self.link.run(500)
            self.link.what.plug()
        self.link.run(4000)

    def _report_and_void(self) -> None:
        """A card lies there that cannot be read: the dealer says so and the round is void."""
        self.play.must(CONSOLE, i.ReportError("missed_scan"))

    def _wait_for_reader(self) -> None:
        self._waited += 1
        self.link.run(500)
        if self._waited % 30 == 20:
            self._restart_reader()

    # --- the supervisor ----------------------------------------------------------------------

    def _rule(self) -> None:
        self.link.run(PATIENCE_MS)
        if not self.play.table.holds:
            return
        hold = self.play.table.holds[0]
        self._tried[hold.hold] += 1
        device = self.play.table.device(hold.device)
        if device is not None and not device.reads:
            self._wait_for_reader()
            if self._tried[hold.hold] < 60:
                return
        for ruling in self._rulings(hold.code):
            said = i.Rule(hold.hold, ruling, "", None)  # type: ignore[arg-type]
            if self.play.say(PIT, said) is None:
                if ruling == "release" and hold.code in ("dealer_report", "unreadable_card"):
                    self._lay_aside(hold.code)
                return
        if not INCIDENTS[hold.code].device and not self.play.table.cards_out:
            raise AssertionError(f"no way out of {hold}")
        self._clear_device()

    def _lay_aside(self, code: str) -> None:
        """Between rounds there is nothing to void: the card goes out of play as it lies."""
        if code == "dealer_report" or not self._presents():
            for one in self.oracle.pending:
                one.given_up = True

    def _rulings(self, code: str) -> Sequence[str]:
        out = self.play.table.cards_out
        last_resort = ("void",)
        match code:
            case "exposed_card":
                return ("burn", "void")
            case "same_or_second":
                return ("second" if self.oracle.pending else "same", *last_resort)
            case "unreadable_card":
                return ("release", "void") if self._presents() else ("void", "release")
            case "unknown_card":
                return ("void", "release") if self.oracle.pending else ("release", "void")
            case "reader_lost" | "device_fault":
                if out and self._presents():
                    self._reread()
                return ("aligned", "void") if out else ("release", "void")
            case "dealer_report":
                return ("void", "release")
            case _:
                return ("void", "release")

    def _reread(self) -> None:
        """The last card that is in, once more."""
        ours = [one for one in self.oracle.drawn if one.shoe == self.oracle.shoe and one.accepted]
        if not ours:
            return
        for _ in range(SHOW_AGAIN):
            if all(hold.aligned for hold in self.play.table.holds):
                return
            self.link.what.card_passes(ours[-1].card)
            self.link.run(PATIENCE_MS)

    def _clear_device(self) -> None:
        """A device whose fault goes on is reset at the device."""
        if "clear_error" in self.link.faults:
            self.link.what.fault("clear_error", fault_params("clear_error", {}, self.link.faults))
            self.link.run(1000)
        else:
            self._wait_for_reader()

    def _change_shoe(self) -> None:
        """The old one is counted, and what is missing is what the oracle knows."""
        play, link = self.play, self.link
        link.run(1000)
        if play.table.holds:
            return
        old, physical = play.table.game.shoe.id, link.shoes.shoe.name
        link.what.take_out()
        link.shoes.load({})
        link.what.new_shoe()
        self.oracle.report.shoes += 1
        self._shown = 0
        link.run(1000)
        self._put_in(f"S{self.oracle.report.shoes}")
        if any(one.shoe == old and one.accepted for one in self.oracle.drawn):
            self.count_out(old, link.shoes.remaining(physical))

    def count_out(self, shoe: str, remaining: dict[str, int]) -> None:
        """Count a shoe that is out; what is missing must be what is not in."""
        self.play.must(PIT, i.ReconcileShoe(shoe, remaining))
        found = next(
            fact for fact in reversed(self.oracle.told) if isinstance(fact, g.ShoeReconciled)
        )
        if (found.missing, found.surplus) != (true := self.oracle.count(shoe)):
            self.oracle.report.wrong.append(
                f"the count of {shoe} says {(found.missing, found.surplus)}, true is {true}"
            )
