"""The whole game at the table against a picture of it on paper, which shares nothing with it.

`tests.support.naive` keeps lists of two-character faces and plain sums, written from the rules.
After every step the two agree on where the next card goes, on every hand, question, window and
stake; on each input `tests.support.watch` holds what is always true. `DEALER_STATION_TEST_LONG=20`
makes both tests that many times longer, and shortens a play that fails.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import get_args

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from station.game import facts as g
from station.game.incidents import INCIDENTS
from station.table import facts as f
from tests.support.dice import LONG, Dice
from tests.support.walk import Walk, drawn_rules

# Making a failing play shorter takes minutes: only where somebody has asked for time.
PHASES = tuple(Phase) if LONG > 1 else (Phase.explicit, Phase.reuse, Phase.generate)
pytestmark = pytest.mark.timeout(300 * LONG)


class TableMachine(RuleBasedStateMachine):
    """Anything may come at any time, in any order."""

    @initialize(data=st.binary(min_size=9, max_size=9))
    def begin(self, data: bytes) -> None:
        self.walk = Walk(drawn_rules(Dice(data)))

    @rule(data=st.binary(min_size=20, max_size=150))
    def play_on(self, data: bytes) -> None:
        """The natural next steps: without these, few rounds would get far."""
        dice = Dice(data)
        while dice:
            self.walk.go(dice)

    @rule(data=st.binary(min_size=30, max_size=60))
    def any_command(self, data: bytes) -> None:
        dice = Dice(data)
        while dice:
            self.walk.meddle(dice)

    @rule(data=st.binary(min_size=3, max_size=3))
    def wrong_card(self, data: bytes) -> None:
        self.walk.wrong_card(Dice(data))

    @rule(data=st.binary(min_size=1, max_size=1))
    def old_clock(self, data: bytes) -> None:
        self.walk.old_clock(Dice(data))

    @rule()
    def unplug_and_back(self) -> None:
        self.walk.unplug_and_back()

    @rule(luck=st.integers(0, 2))
    def something_breaks(self, luck: int) -> None:
        if luck == 1:
            self.walk.host_lost()
        elif luck == 2:
            self.walk.restart()


TestTable = TableMachine.TestCase
TestTable.settings = settings(
    max_examples=150 * LONG,
    stateful_step_count=25,
    deadline=None,
    phases=PHASES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def walked(seed: int, steps: int = 400) -> Walk:
    """A long play by chance: mostly what people do, now and then what they should not."""
    chance = random.Random(seed)
    dice = Dice(chance.randbytes(steps * 12))
    walk = Walk(drawn_rules(dice))
    trouble = chance.choice([0, 0.02, 0.05, 0.2, 0.5])
    for _ in range(steps):
        if chance.random() >= trouble:
            walk.go(dice)
            continue
        what = chance.choices(
            [walk.meddle, walk.wrong_card, walk.old_clock, None], [60, 25, 5, 10]
        )[0]
        if what is not None:
            what(dice)
        else:
            chance.choice([walk.host_lost, walk.restart, walk.unplug_and_back])()
    return walk


GROUPS = 8
PAIRS = ("pair", "behind_pair")


@pytest.fixture(scope="module")
def seen() -> Counter[str]:
    """Everything the walks below have met, by name."""
    return Counter()


@pytest.mark.parametrize("group", range(GROUPS))
def test_a_long_play_is_as_it_is_on_paper(group: int, seen: Counter[str]) -> None:
    for seed in range(group, 100 * LONG, GROUPS):
        walk = walked(seed)
        for fact in walk.play.facts:
            seen.update(names(fact))


def names(fact: f.AnyFact) -> list[str]:
    """The fact's kind and what about it is worth meeting."""
    kind = [type(fact).__name__]
    match fact:
        case g.RoundSettled(lines=lines) | g.RoundVoided(lines=lines) | g.BetsReturned(lines=lines):
            return kind + [f"{line.kind} {line.result} {line.rule}" for line in lines]
        case g.DecisionMade():
            return [*kind, f"{fact.action} {fact.by} {fact.hand}"]
        case g.WindowOpened():
            return [*kind, f"{fact.kind} window {fact.hand}"]
        case f.TableHeld():
            return [*kind, fact.code]
        case f.HoldReleased():
            return [*kind, f"ruled {fact.ruling}"]
        case g.RoundsMarked():
            return [*kind, fact.why]
        case f.CommandAnswered(refusal=refusal) if refusal is not None:
            return [*kind, f"refused {refusal.code}"]
        case _:
            return kind


def must_be_met() -> set[str]:
    """What a walk that misses it would not prove anything about."""
    # Corrected by two people: tests/unit/table/test_corrected.py.
    facts = {fact.__name__ for fact in get_args(g.AnyGameFact)} - {"CardCorrected"}
    elsewhere = {"unreadable_card", "unknown_card", "device_fault", "same_or_second"}
    elsewhere |= {"witnesses_disagree", "two_cards", "strange_card", "pushed_back", "disputed_card"}
    elsewhere |= {"drawn_after_unread"}
    holds = set(INCIDENTS) - elsewhere
    played = {f"{action} player {hand}" for action in ("hit", "stand", "double") for hand in (1, 2)}
    played |= {f"{action} station {hand}" for action in ("hit", "stand") for hand in (1, 2)}
    played |= {"split player 1", "surrender player 1"}
    windows = {"insurance window 0", "split window 2", "double window 1", "double window 2"}
    ends = {
        f"{kind} {end}"
        for kind, pays in (("main", "R45"), ("behind", "R50"))
        for end in ("bust R23", "lose R8", "lose R6", "push R10", f"win {pays}", "surrender R32")
    }
    ends |= {"main blackjack_win R44", "behind blackjack_win R50", "behind returned R48"}
    ends |= {f"{kind} {end}" for kind in PAIRS for end in ("win R47", "lose R42")}
    ends |= {"insurance win R46", "insurance lose R40", "main push A22", "main lose A22"}
    ends |= {
        f"{kind} void {rule}" for kind in ("main", "pair", "behind") for rule in ("R58", "R60")
    }
    rulings = {f"ruled {way}" for way in ("release", "aligned", "burn", "use", "void")}
    marks = {"short_shoe", "long_shoe", "wrong_shoe", "duplicate_card"}
    return facts | holds | played | windows | ends | rulings | marks


def test_the_plays_meet_everything_there_is(seen: Counter[str]) -> None:
    """Else a rule might be broken in a corner where nobody walks."""
    if not seen:
        pytest.skip("the plays were not run")
    assert must_be_met() - set(seen) == set()
