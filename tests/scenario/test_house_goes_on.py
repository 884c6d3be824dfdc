"""A house's station dies with cards out: it holds, the felt is looked at, and play goes on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from station import messages as m
from tests.support.daemon import Station
from tests.support.floor import DEALER, SUPERVISOR, Floor


@pytest.mark.parametrize("cards", ["5H", "5H 9D", "5H 9D 6C"])
def test_a_killed_house_station_goes_on_when_the_last_card_is_read_again(
    make_station: Callable[..., Station], cards: str
) -> None:
    station = make_station(rules='incident_policy = "house"').start()
    floor = Floor(station).ready(1).deal(cards)
    station.kill()
    station.start()
    again = Floor(station)
    again.decks = dict(floor.decks)
    hold = again.held("restart")
    assert again.console.now.shoe.state == "in_play"
    again.pit.must(m.LogIn(SUPERVISOR, SUPERVISOR))
    assert again.pit.refused(m.Rule(hold.hold, "aligned")) == "last_card_not_reread"
    assert again.card(cards.split()[-1], 1).outcome == "reread"
    again.rule(hold, "aligned")
    if again.console.now.staff.dealer is None:
        again.console.must(m.LogIn(DEALER, DEALER))
    rest = ["5H", "9D", "6C"][len(cards.split()) :]
    again.deal(" ".join(rest)).act("stand").deal("8H").clear()
    assert again.paid() == {(1, 1): [("lose", 0)]}
