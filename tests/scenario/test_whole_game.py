"""Windows, splits and bets behind over the wire; killed in the middle; the chairs table."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from station import messages as m
from station import snapshot as v
from station.game import facts as g
from tests.support.daemon import Client, Station
from tests.support.floor import Floor


def stakes(floor: Floor) -> Floor:
    """Seats 1 and 3 with Pair bets, two players behind seat 1, one of them behind seat 3 too."""
    floor.open_table().sit(1, 3)
    number = floor.open()
    host = floor.host
    for seat in (1, 3):
        host.must(m.PlaceBet(number, seat, f"P{seat}", 1000))
        host.must(m.PlaceBet(number, seat, f"P{seat}", 500, "pair"))
    host.must(m.PlaceBet(number, 1, "B1", 2000, "behind"))
    host.must(m.PlaceBet(number, 1, "B2", 1000, "behind"))
    host.must(m.PlaceBet(number, 3, "B1", 500, "behind_pair"))
    host.must(m.CloseBetting(number))
    floor.console.wait_for(lambda s: s.prompt.kind == "card", "the first card owed")
    return floor


def window(floor: Floor, kind: str) -> v.Snapshot:
    """The snapshot of that open window."""
    return floor.host.wait_for(lambda s: s.window is not None and s.window.kind == kind, kind)


def follow(floor: Floor, player: str, yes: bool) -> None:
    now = floor.host.now
    assert now.window is not None
    answer = floor.host.must(m.Follow(now.round, now.window.window, player, yes))
    floor.console.wait_for(lambda s: s.version >= answer.version)


def money(floor: Floor) -> tuple[int, int]:
    """What the journal took, and what it gave back."""
    taken = back = 0
    for row in floor.station.journal():
        fact = row.fact
        if isinstance(fact, g.BetPlaced | g.BetDoubled):
            taken += fact.amount
        elif isinstance(fact, g.RoundSettled | g.RoundVoided | g.BetsReturned):
            back += sum(line.returned for line in fact.lines)
    return taken, back


def test_r39_to_r54_windows_split_and_double_over_the_wire(floor: Floor) -> None:
    stakes(floor).deal("8S TH 6H 8D 9C")
    floor.act("split")
    now = window(floor, "split")
    assert now.window is not None
    assert now.window.asked == ["B1", "B2"]
    assert now.prompt.kind == "window"
    follow(floor, "B1", yes=True)
    assert window(floor, "split").window is not None, "B2 has not answered"
    follow(floor, "B2", yes=False)
    floor.deal("3S TC")
    floor.act("double")
    window(floor, "double")
    for player in ("B1", "B2"):
        follow(floor, player, yes=player == "B2")
    slot = floor.console.now.prompt.slot
    assert slot is not None
    assert (slot.seat, slot.hand) == (1, 1)
    floor.deal("9H").act("stand").act("stand").deal("9S 2D")
    now = floor.console.wait_for(lambda s: s.phase == "result")
    lines = {
        (line.kind, line.player, line.seat, line.hand): (line.stake, line.result, line.returned)
        for row in floor.station.journal()
        if isinstance(fact := row.fact, g.RoundSettled)
        for line in fact.lines
    }
    # 20 and 18 against the dealer's 17, and 19 against it.
    assert lines == {
        ("main", "P1", 1, 1): (2000, "win", 4000),
        ("pair", "P1", 1, 0): (500, "win", 6000),
        ("main", "P3", 3, 1): (1000, "win", 2000),
        ("pair", "P3", 3, 0): (500, "lose", 0),
        ("behind", "B1", 1, 1): (2000, "win", 4000),
        ("behind", "B2", 1, 1): (2000, "win", 4000),
        ("behind_pair", "B1", 3, 0): (500, "lose", 0),
        ("main", "P1", 1, 2): (1000, "win", 2000),
        ("behind", "B1", 1, 2): (2000, "win", 4000),
    }
    told = [fact.kind for fact in floor.host.facts]
    assert {"WindowOpened", "WindowAnswered", "WindowClosed", "BetDoubled"} <= set(told)


def test_a15_a_card_drawn_in_a_follow_window_is_exposed_and_the_table_holds(floor: Floor) -> None:
    stakes(floor).deal("8S TH 6H 8D 9C").act("split")
    window(floor, "split")
    assert floor.card("3S").outcome == "exposed"
    hold = floor.held("exposed_card")
    assert [ruling.ruling for ruling in hold.rulings if ruling.refusal is None] == ["void"]
    floor.rule(hold, "void")
    taken, back = money(floor)
    assert taken == back == 1000 * 3 + 500 * 3 + 2000 + 1000


@pytest.mark.parametrize("at", ["insurance", "split", "double"])
def test_r60_killed_in_a_window_every_stake_comes_back_once(
    make_station: Callable[..., Station], at: str
) -> None:
    station = make_station("killed").start()
    floor = stakes(Floor(station))
    if at == "insurance":
        floor.deal("8S TH AH 8D 9C")
        now = window(floor, "insurance")
        assert now.window is not None
        floor.host.must(m.Insure(now.round, now.window.window, "P1", buy=True))
    else:
        floor.deal("8S TH 6H 8D 9C").act("split")
        window(floor, "split")
        follow(floor, "B1", yes=True)
        if at == "double":
            follow(floor, "B2", yes=True)
            floor.deal("3S TC").act("double")
            window(floor, "double")
            follow(floor, "B2", yes=True)
    station.kill()
    station.start()
    floor.join()
    taken, back = money(floor)
    assert taken == back
    assert all(len(lines) == 1 for lines in floor.paid().values())
    assert floor.console.now.phase == "void"
    assert floor.console.now.shoe.state == "out"
    station.kill()
    station.start()
    assert money(floor) == (taken, back)


def test_i07_of_a_card_read_twice_both_reads_are_named_with_their_times(floor: Floor) -> None:
    floor.ready(1).deal("5H 6D KS").act("stand").deal("TC 9C")
    floor.clear()
    first = next(
        row
        for row in floor.station.journal()
        if isinstance(fact := row.fact, g.CardDealt) and fact.card.face == "6D"
    )
    floor.bet((1,)).deal("4H")
    floor.card("6D", deck=1)
    hold = floor.held("duplicate_card")
    earlier, later = hold.suspects
    assert (earlier.face, earlier.round, earlier.order, earlier.at) == ("6D", 1, 2, first.utc)
    assert later.round == 2
    assert earlier.at < later.at
    floor.station.kill()
    floor.station.start()
    floor.join()
    again = floor.held("duplicate_card").suspects[0]
    assert again.at == first.utc, "the times survive a restart"
    floor.pit.must(m.LogIn("2001", "2001"))
    floor.rule(floor.held("duplicate_card"), "void")
    marked = [row.fact for row in floor.station.journal() if row.kind == "RoundsMarked"]
    assert marked == [g.RoundsMarked((1,), "S1", "duplicate_card")]
    recent = {past.round: past.marked for past in floor.console.now.recent}
    assert recent[1] is not None


def test_r2_a_short_shoe_marks_every_round_it_dealt_and_is_barred(floor: Floor) -> None:
    floor.ready(1).deal("5H 6D KS").act("stand").deal("TC 9C")
    floor.clear()
    floor.new_shoe("S2")
    everything = {rank + suit: 8 for rank in "A23456789TJQK" for suit in "SHDC"}
    for face in ("5H", "6D", "KS", "TC", "9C", "QH"):
        everything[face] -= 1
    floor.pit.must(m.ReconcileShoe("S1", everything))
    facts = [row.fact for row in floor.station.journal()]
    counted = next(fact for fact in facts if isinstance(fact, g.ShoeReconciled))
    assert (counted.gone, counted.remaining) == (5, 410)
    assert (counted.missing, counted.surplus) == ({"QH": 1}, {})
    assert g.RoundsMarked((1,), "S1", "short_shoe") in facts
    shown = json.dumps(
        [floor.pit.now.shoe.__struct_fields__, [fact.kind for fact in floor.host.facts]]
    )
    assert "ShoeReconciled" not in shown, "what remained is nobody's business"
    answer = floor.pit.ask(m.LoadShoe("S1", "A"), floor.pit.next_id())
    assert answer.refusal is not None
    assert answer.refusal.code == "shoe_barred"


def shown(console: Client, phase: str, face: str) -> None:
    """The console shows that phase, and that card as the last."""
    console.wait_for(
        lambda s: s.phase == phase and s.last_read is not None and s.last_read.face == face, face
    )


def test_a_table_of_chairs_needs_no_host_and_keeps_nothing_for_one(
    make_station: Callable[..., Station],
) -> None:
    station = make_station("chairs", table='host = "chairs"').start()
    console = station.client("console")
    console.wait_for(lambda s: s.devices[0].health == "up", "the reader up")
    pit = station.client("pit")
    console.must(m.LogIn("1001", "1001"))
    pit.must(m.LogIn("2001", "2001"))
    pit.must(m.LoadShoe("S1", "A"))
    pit.must(m.ReleaseShoe("S1", pit.now.version))
    console.must(m.TakeSeat(3))
    console.must(m.OpenRound())
    number = console.wait_for(lambda s: s.round == 1).round
    console.must(m.PlaceBet(number, 3))
    console.must(m.CloseBetting(number))
    console.wait_for(lambda s: s.prompt.kind == "card")
    for face, phase in (("TS", "dealing"), ("6H", "dealing"), ("9S", "deciding")):
        station.send(face, 1)
        shown(console, phase, face)
    asked = console.wait_for(lambda s: s.decision is not None).decision
    assert asked is not None
    console.must(m.Decide(number, asked.decision, 3, 1, "stand"))
    station.send("KD", 1)
    station.send("2D", 1)
    now = console.wait_for(lambda s: s.phase == "result", "the result")
    assert [(pay.seat, pay.do, pay.amount) for pay in now.payments] == [(3, "pay", 1000)]
    console.must(m.Cleared(number))
    waiting = station.outbox()
    assert waiting == 0


def test_a_shut_table_says_so(floor: Floor) -> None:
    floor.open_table().sit(1)
    floor.console.must(m.PauseTable())
    assert floor.console.wait_for(lambda s: s.phase == "paused").prompt.code == "table_paused"
    answer = floor.host.ask(m.OpenRound(floor.host.now.rules.fingerprint), floor.host.next_id())
    assert answer.refusal is not None
    assert answer.refusal.code == "table_paused"
    floor.pit.must(m.CloseTable())
    answer = floor.console.ask(m.OpenTable(), floor.console.next_id())
    assert answer.refusal is not None
    assert answer.refusal.code == "supervisor_only"
    floor.pit.must(m.OpenTable())
    assert floor.open() == 1
