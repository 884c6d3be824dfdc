"""The dealer at a table with players in the chairs: he keys what they do, then deals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import UNSET

from hw_sim.chairs import Chairs
from hw_sim.control import ShoeControl
from hw_sim.dealer import Dealer, DealerSettings
from hw_sim.hosting import Times
from hw_sim.party import Party
from station import messages as m
from tests.unit.sim.conftest import Until
from tests.unit.sim.fake_station import FakeStation, action, hand, running, seat, snapshot, text

DUTY = {"dealer": {"staff": "1001", "name": "", "role": "dealer"}, "signed_in": []}
TABLE = {"id": "T", "kind": "test", "currency": "KRW", "minor_digits": 0, "nominal": 5_000}
LONG_S = 1_000.0


def at_chairs(**changes: Any) -> dict[str, Any]:
    prompt = {"kind": "none", "code": "", "text": text("")}
    parts = {"table": {**TABLE, "host": "chairs"}, "staff": DUTY, "round": 4, "prompt": prompt}
    return snapshot(**{**parts, **changes})


def make(station: FakeStation, shoe: ShoeControl, rounds: int = 0) -> Dealer:
    party = Party(7, (1, 3), chairs=True)
    chairs = Chairs(party, Times(0.0, 0.0), rounds)
    settings = DealerSettings(reaction_s=0.0, again_s=LONG_S)
    return Dealer(
        station.path, ShoeControl(shoe.path), settings, 7, chairs=chairs, tell=lambda _: None
    )


@pytest.fixture
def dealer(station: FakeStation, shoe: ShoeControl) -> Iterator[Dealer]:
    made = make(station, shoe)
    with running(made):
        yield made


def main(number: int) -> dict[str, Any]:
    return {"kind": "main", "player": f"chair-{number}", "amount": 5_000}


def idle(**changes: Any) -> dict[str, Any]:
    seats = [seat(n, f"chair-{n}") for n in (1, 3)]
    return at_chairs(
        **{"phase": "idle", "actions": [action("open_round")], "seats": seats, **changes}
    )


def test_seats_start_bets_and_closing_are_his_keys(station: FakeStation, dealer: Dealer) -> None:
    """R11, R13: what a dealer need not know he leaves to the station."""
    assert station.hello().role == "console"
    free = [action("open_round"), action("take_seat", "3")]
    station.show(idle(seats=[seat(1, "chair-1"), seat(3, "")], actions=free))
    taken = station.accept("take_seat", seat=3).command
    assert isinstance(taken, m.TakeSeat)
    assert taken.player == ""
    station.show(idle())
    station.accept("open_round", rules="")
    allowed = [action("place_bet", "1"), action("place_bet", "3"), action("close_betting", "4")]
    for placed in ((), (1,), (1, 3)):
        seats = [seat(n, f"chair-{n}", bets=[main(n)] if n in placed else []) for n in (1, 3)]
        station.show(at_chairs(phase="betting", seats=seats, actions=allowed))
        if placed == (1, 3):
            station.accept("close_betting", round=4)
            return
        bet = station.accept("place_bet", round=4, kind="main", player="").command
        assert isinstance(bet, m.PlaceBet)
        assert bet.seat not in placed
        assert bet.amount is UNSET or bet.amount % 100 == 0


def test_decisions_and_answers_are_keyed_as_the_players_signal(
    station: FakeStation, dealer: Dealer, shoe: ShoeControl
) -> None:
    """R26, R39, R52: in the names the station gave."""
    station.hello()
    seats = [seat(3, "chair-3", hands=[hand("TH", "6H", total=16)], bets=[main(3)])]
    asked = {"decision": 2, "seat": 3, "hand": 1, "legal": ["hit", "stand"], "chosen": ""}
    up = {"cards": ["6S"], "total": 6, "soft": False, "state": "open"}
    actions = [action("decide:hit", "3"), action("decide:stand", "3")]
    parts = {"seats": seats, "dealer": up, "actions": actions}
    station.show(at_chairs(phase="deciding", decision=asked, **parts))
    station.accept("decide", seat=3, hand=1, decision=2, action="stand")
    people = ["chair-1", "chair-3"]
    window = {"window": 1, "kind": "insurance", "seat": 0, "hand": 0, "asked": people}
    window_prompt = {"kind": "window", "code": "insurance_window", "text": text("")}
    station.show(
        at_chairs(
            phase="insurance",
            prompt=window_prompt,
            window={**window, "answered": ["chair-1"]},
            actions=[action("insure", who) for who in people],
        )
    )
    station.accept("insure", player="chair-3", window=1, buy=False)
    assert shoe.ask("state")["position"] == 0


def test_no_card_is_drawn_while_the_players_are_asked(
    station: FakeStation, dealer: Dealer, shoe: ShoeControl, until: Until
) -> None:
    """A15: no card of the doubled hand before the window has closed."""
    station.hello()
    window = {"window": 1, "kind": "double", "seat": 1, "hand": 1, "asked": ["behind-1-1"]}
    prompt = {"kind": "window", "code": "follow_window", "text": text("")}
    station.show(at_chairs(phase="follow", prompt=prompt, window={**window, "answered": []}))
    until(lambda: dealer.snapshot.get("version") == 1)
    assert shoe.ask("state")["position"] == 0
    slot = {"to": "seat", "seat": 1, "hand": 1}
    card = {"kind": "card", "code": "double", "text": text(""), "slot": slot, "action": "double"}
    station.show(at_chairs(phase="drawing", prompt=card))
    until(lambda: shoe.ask("state")["position"] == 1)


def test_he_goes_after_the_rounds_asked_for(station: FakeStation, shoe: ShoeControl) -> None:
    made = make(station, shoe, rounds=1)
    with running(made) as thread:
        station.hello()
        station.show(at_chairs(phase="result", actions=[action("cleared", "4")]))
        station.accept("cleared", round=4)
        station.show(idle())
        thread.join(5)
        assert not thread.is_alive()
    assert made.done


def test_where_a_game_host_is_connected_he_keys_nothing(
    station: FakeStation, dealer: Dealer, until: Until
) -> None:
    station.hello()
    station.show(idle(table={**TABLE, "host": "link"}))
    until(lambda: dealer.snapshot.get("version") == 1)
    assert station.silent()


def test_burn_of_a_new_shoe_is_drawn_card_by_card_also_after_a_void(
    station: FakeStation, dealer: Dealer, shoe: ShoeControl, until: Until
) -> None:
    """A21: the void round is still shown; the card in the hand is not forgotten for that."""
    station.hello()
    burn = {"kind": "card", "code": "burn", "text": text(""), "slot": {"to": "burn"}}
    shown = at_chairs(phase="void", prompt=burn)
    station.show(shown)
    until(lambda: shoe.ask("state")["position"] == 1)
    station.show(shown)
    until(lambda: dealer.snapshot.get("version") == 2)
    assert shoe.ask("state")["position"] == 1
    face = shoe.ask("state")["last"]["face"]
    read = {"number": 1, "face": face, "outcome": "burned", "slot": None, "text": text("")}
    station.show({**shown, "last_read": read})
    until(lambda: shoe.ask("state")["position"] == 2)
