"""Thousands of inputs of every kind in any order: nothing raises, no hold is got around, and from
wherever the table is people find what leads it to the next round among what they are offered.
"""

from __future__ import annotations

import msgspec
import pytest

from station.game import commands as c
from station.game import facts as g
from station.game.rules import fingerprint
from station.game.state import is_open
from station.journal import state_digest
from station.table import facts as f
from station.table import inputs as i
from station.table import shoe_inputs as si
from station.table.evolve import fold
from station.table.state import Table
from tests.support.chaos import ACTORS, Chaos
from tests.support.dice import LONG
from tests.support.every_shoe_command import WHOLE
from tests.support.phases_shoes import PHASES
from tests.support.play import CONSOLE, DEALER, MANAGER, PIT, SUPERVISOR

pytestmark = pytest.mark.timeout(120 * LONG)
_decode = msgspec.json.Decoder(f.AnyFact).decode
_encode = msgspec.json.Encoder(order="deterministic").encode


def look(table: Chaos) -> None:
    """Every role can be shown the table, and no card left the shoe twice."""
    for actor in ACTORS:
        table.snapshot(actor)
    gone = table.table.game.shoe.gone
    assert len({entry.card for entry in gone}) == len(gone)


def people_come(table: Chaos) -> None:
    """Host and reader are there, a supervisor at the pit, nobody locked out."""
    while table.comes_back():
        pass
    table.unlock()
    if not any(s.link == PIT.link and s.person == SUPERVISOR for s in table.table.signed):
        table.must(PIT, i.LogIn(SUPERVISOR.staff, SUPERVISOR))


def rule_as_offered(table: Chaos) -> None:
    """End every hold in the first way its own view offers (R59, R60)."""
    for _ in range(20):
        if not table.table.holds:
            return
        last = table.table.game.shoe.last
        if last is not None:
            table.give(table.read(last.card))
        holds = table.snapshot(PIT).holds
        ways = [(h.hold, way.ruling) for h in holds for way in h.rulings if way.refusal is None]
        assert ways, f"no ruling is open: {table.table.holds}"
        table.must(PIT, i.Rule(ways[0][0], ways[0][1], "", None))  # type: ignore[arg-type]
    raise AssertionError(f"holds without end: {table.table.holds}")


def answer_for_past_rounds(table: Chaos) -> None:
    """A supervisor does, and what was escalated a shift manager."""
    for disputed in table.table.disputes:
        if disputed.escalated:
            table.must(PIT, i.LogIn(MANAGER.staff, MANAGER))
        assert "answer_dispute:accept" in table.offered(PIT)
        table.must(PIT, i.AnswerDispute(disputed.round, "accept", ""))


def opens_the_next_round(table: Chaos) -> None:
    """From between rounds: a dealer, a new shoe, its burn, and the table open."""
    if table.table.dealer is None:
        table.must(CONSOLE, i.LogIn(DEALER.staff, DEALER))
    if table.table.shoes.rules.check == "required":
        checked_shoe(table)
    else:
        assert "load_shoe" in table.offered(PIT)
        table.new_shoe("on")
    for _ in range(table.table.rules.burn):
        table.draw()
    if table.table.life != "open":
        assert "open_table" in table.offered(PIT)
        table.must(PIT, i.OpenTable())
    answer_for_past_rounds(table)
    table.see_to_locks()
    assert "open_round" in table.offered(table.host)
    table.must(table.host, c.OpenRound(fingerprint(table.table.rules)))


def checked_shoe(table: Chaos) -> None:
    """By what is offered: whatever runs is given up, what is in comes out, and a set that is due is
    checked, shuffled and put in by two.
    """
    shoes, shoe = table.table.shoes, table.table.game.shoe
    if shoes.running is not None:
        assert "cancel_shoe_check" in table.offered(PIT)
        table.must(PIT, si.CancelShoeCheck(shoes.running.check))
    if shoe.state in ("loaded", "in_play"):
        assert "take_out_shoe" in table.offered(PIT)
        table.must(PIT, si.TakeOutShoe(shoe.id, "changed"))
    letter = table.table.shoes.rules.due(table.table.shoes.last_set)[0].letter
    assert "begin_shoe_check" in table.offered(PIT)
    device = table.table.devices[0].name
    table.must(PIT, si.BeginShoeCheck("on", letter, device, "", "", DEALER.staff, DEALER))
    assert "finish_shoe_check" in table.offered(PIT)
    table.must(PIT, si.FinishShoeCheck(table.table.shoes.checks, WHOLE))
    assert "shoe_shuffled" in table.offered(PIT)
    table.must(PIT, si.ShoeShuffled("on"))
    assert "load_shoe" in table.offered(PIT)
    table.must(PIT, i.LoadShoe("on", letter, second=DEALER.staff, person=DEALER))
    assert "release_shoe" in table.offered(PIT)
    table.must(PIT, i.ReleaseShoe("on", table.table.version))


def a_void_leads_on(table: Chaos) -> None:
    """The hard way: the round is void, whatever it was at, and the next one opens."""
    back = table.aside()
    people_come(table)
    if is_open(table.table.game.round):
        assert "void_round" in table.offered(PIT)
        table.must(PIT, i.VoidRound(table.number, "misdeal", table.table.version))
    rule_as_offered(table)
    clear(table)
    opens_the_next_round(table)
    back()


def a_loss_leads_on(table: Chaos) -> None:
    """The host is lost for longer than is waited for, or the station begins anew (R58, R60)."""
    back = table.aside()
    if table.chairs:
        table.start()
    elif is_open(table.table.game.round):
        table.lose_host()
        if is_open(table.table.game.round):
            table.fire("host_grace")
        assert not is_open(table.table.game.round)
    people_come(table)
    if is_open(table.table.game.round):
        table.must(PIT, i.VoidRound(table.number, "misdeal", table.table.version))
    rule_as_offered(table)
    clear(table)
    opens_the_next_round(table)
    back()


def clear(table: Chaos) -> None:
    if not table.table.between_rounds:
        assert "cleared" in table.offered(CONSOLE)
        table.must(CONSOLE, c.Cleared(table.number))


def playing_leads_on(table: Chaos) -> None:
    """The soft way: holds are ruled on as offered, then the cards and the answers end it."""
    back = table.aside()
    people_come(table)
    rule_as_offered(table)
    for _ in range(200):
        if not is_open(table.table.game.round):
            break
        table.natural()
    assert not is_open(table.table.game.round), "the round does not end"
    rule_as_offered(table)
    clear(table)
    opens_the_next_round(table)
    back()


@pytest.mark.parametrize("seed", range(40 * LONG))
def test_whatever_happens_there_is_a_way_on_and_no_way_around(seed: int) -> None:
    table = Chaos(seed)
    share = table.random.choice([0.02, 0.05, 0.1, 0.4])
    for step in range(300):
        if table.random.random() < share:
            table.trouble()
        else:
            table.natural()
        if step % 20 == 0:
            look(table)
            a_void_leads_on(table)
            a_loss_leads_on(table)
            playing_leads_on(table)
    stored = fold(Table(), (_decode(_encode(fact)) for fact in table.facts))
    assert state_digest(stored) == state_digest(table.table)
    ends = [
        fact.round
        for fact in table.facts
        if isinstance(fact, g.RoundSettled | g.RoundVoided | g.RoundEmpty)
    ]
    assert len(ends) == len(set(ends)), "no round ends twice"


@pytest.mark.parametrize("name", PHASES)
def test_from_every_place_there_is_a_way_on(name: str) -> None:
    table = Chaos(0)
    table.take_over(PHASES[name][0]())
    a_void_leads_on(table)
    a_loss_leads_on(table)
    playing_leads_on(table)
