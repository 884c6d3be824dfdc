"""A round over the wire, and the same round again."""

from __future__ import annotations

import json
from collections.abc import Callable

from station.journal import GENESIS, state_digest, verify
from station.table.evolve import fold
from station.table.state import Table
from tests.support.daemon import Station
from tests.support.floor import Floor


def play(floor: Floor) -> None:
    """Two players, one draws; then a second round."""
    floor.ready(1, 3)
    floor.deal("5H KS 9D 6C 8S")
    floor.act("hit").deal("7H").act("stand").act("stand").deal("8H")
    floor.clear()
    floor.bet((1, 3)).deal("AS KS TD AH 9D")
    floor.act("stand").act("stand")


def bare(station: Station) -> list[object]:
    shown = station.cli("journal", "show", "--bare", "--json").stdout
    return [json.loads(line) for line in shown.splitlines()]


def test_a_round_over_the_wire_pays_every_bet_once(floor: Floor) -> None:
    floor.ready(1, 3)
    now = floor.console.now
    assert (now.phase, now.prompt.action) == ("dealing", "first")
    floor.deal("5H KS 9D 6C 8S")
    now = floor.console.now
    assert now.decision is not None
    assert (now.phase, now.decision.seat) == ("deciding", 1)
    # 11 against a nine, on the first two cards (R20, R29, R31).
    assert now.decision.legal == ["hit", "stand", "double", "surrender"]
    floor.act("hit")
    assert floor.console.now.prompt.slot is not None
    assert (floor.console.now.prompt.action, floor.console.now.prompt.slot.seat) == ("hit", 1)
    floor.deal("7H").act("stand").act("stand")
    assert floor.console.now.prompt.action == "draw"
    floor.deal("8H")
    now = floor.console.wait_for(lambda s: s.phase == "result")
    returned = {seat.seat: seat.bets[0].returned for seat in now.seats if seat.bets}
    # 18 against the dealer's 17, and 18 against 17 (R7-R10).
    assert returned == {1: 2000, 3: 2000}
    assert floor.paid() == {(1, 1): [("win", 2000)], (1, 2): [("win", 2000)]}
    floor.clear()
    assert floor.console.now.phase == "idle"
    assert floor.open() == 2


def test_the_same_inputs_give_the_same_facts(make_station: Callable[..., Station]) -> None:
    shown = []
    for name in ("one", "two"):
        station = make_station(name).start()
        play(Floor(station))
        shown.append(bare(station))
        assert station.stop() == 0
    assert len(shown[0]) > 40
    assert shown[0] == shown[1]


def test_verify_gives_the_digest_of_the_fold(floor: Floor) -> None:
    play(floor)
    station = floor.station
    found = json.loads(station.cli("journal", "verify", "--json").stdout)
    journal = station.journal()
    folded = fold(Table(), (row.fact for row in journal))
    assert found["ok"] is True
    assert found["facts"] == len(journal) == floor.console.now.version
    assert found["head"] == journal[-1].hash
    assert found["head"] != GENESIS
    assert found["state"] == state_digest(folded)
    station.kill()
    assert verify(station.journal_path).state == found["state"]
    station.start()
    before = station.journal()[: len(journal)]
    assert before == journal


def test_hosts_are_told_what_they_keep_their_books_by_and_nothing_of_the_shoe(
    floor: Floor,
) -> None:
    play(floor)
    told = [fact.kind for fact in floor.host.facts]
    for kind in ("SeatTaken", "RoundOpened", "BetPlaced", "CardDealt", "RoundSettled"):
        assert kind in told
    assert not {"ShoeLoaded", "ShoeReleased", "Observed", "DealerTookTable"} & set(told)
    stored = {row.seq: row.kind for row in floor.station.journal()}
    assert all(stored[fact.seq] == fact.kind for fact in floor.host.facts)
    seqs = [fact.seq for fact in floor.host.facts]
    assert seqs == sorted(set(seqs))
