"""What a host may stake (F-14): each bad bet is refused with a reason and books nothing."""

from __future__ import annotations

import json

import pytest

from station import messages as m
from station.game import facts as g
from tests.support.daemon import Client
from tests.support.floor import Floor


def say(host: Client, amount: str, name: str) -> m.Answer:
    """A bet whose amount is given as JSON text."""
    bet = {"do": "place_bet", "round": 1, "seat": 1, "player": "P1", "amount": "?"}
    line = json.dumps({"type": "command", "id": name, "command": bet}).replace('"?"', amount)
    host.raw(line.encode() + b"\n")
    host.wait(lambda: bool(host.answers(name)), f"an answer to {amount}")
    return host.answers(name)[0]


AMOUNTS = {
    "-1": "malformed bet_below_minimum",
    "0": "bet_below_minimum",
    "1e308": "malformed",
    '"100"': "malformed",
    "null": "malformed",
    "1000.5": "malformed",
    "10000000": "bet_above_maximum",
    "1050": "bet_off_step",
    "99999999999999999999999": "malformed",
    "true": "malformed",
}


def test_f_14_bad_stakes_are_refused_and_the_good_one_is_taken_once(floor: Floor) -> None:
    floor.open_table().sit(1)
    floor.open()
    for number, (amount, codes) in enumerate(AMOUNTS.items()):
        answer = say(floor.host, amount, f"bad-{number}")
        assert answer.refusal is not None, amount
        assert answer.refusal.code in codes.split(), (amount, answer.refusal)
        assert answer.refusal.text.ko
    floor.host.raw(b'{"type":"command","id":"x","command":{"do":"place_bet","amount":NaN}}\n')
    floor.host.wait(lambda: bool(floor.host.of(m.Rejected)), "the line that is no JSON")
    assert say(floor.host, "1000", "good").ok
    assert floor.host.refused(m.PlaceBet(1, 1, "P1", 2000)) == "bet_already_placed"
    assert floor.host.refused(m.PlaceBet(1, 2, "P2", 1000)) == "not_seated"
    assert floor.host.refused(m.PlaceBet(2, 1, "P1", 1000)) == "stale_round"
    floor.host.must(m.CloseBetting(1))
    assert floor.host.refused(m.PlaceBet(1, 1, "P1", 1000)) == "betting_closed"
    floor.deal("5H")
    assert floor.host.refused(m.PlaceBet(1, 1, "P1", 1000)) == "betting_closed"
    placed = [r.fact for r in floor.station.journal() if isinstance(r.fact, g.BetPlaced)]
    assert [(bet.seat, bet.amount) for bet in placed] == [(1, 1000)]


@pytest.mark.parametrize("role", ["console", "pit", "staff"])
def test_nobody_but_the_host_bets(floor: Floor, role: m.LinkRole) -> None:
    floor.open_table().sit(1)
    floor.open()
    other = floor.station.client(role, "other")
    assert other.refused(m.PlaceBet(1, 1, "P1", 1000)) == "hosts_only"
