"""A table with players in the chairs: the dealer keys what they do."""

from __future__ import annotations

import msgspec
import pytest

from station import messages as m
from station.game import commands as c
from station.game.rules import TableRules, fingerprint
from station.hosts.chairs import Chairs, nominal_unit
from station.table import inputs as i
from station.translate import to_core
from tests.support.play import CONSOLE, DEALER, HOST, PIT, Play

CHAIRS = Chairs(1000)
LINKED = i.Actor("host", "host:game")


def table() -> Play:
    return Play(host="chairs").open_table()


def key(play: Play, command: m.AnyCommand) -> None:
    """A key of the dealer's console, filled in as the daemon does."""
    play.must(CONSOLE, to_core(CHAIRS.fill(play.table, command)))


def test_a_round_keyed_by_the_dealer_from_seat_to_payment() -> None:
    play = table()
    key(play, m.TakeSeat(2))
    key(play, m.TakeSeat(5, "김"))
    key(play, m.OpenRound())
    key(play, m.PlaceBet(play.number, 2))
    key(play, m.PlaceBet(play.number, 2, kind="pair"))
    key(play, m.PlaceBet(play.number, 5, amount=2500))
    key(play, m.PlaceBet(play.number, 5, kind="behind"))
    key(play, m.PlaceBet(play.number, 5, kind="behind"))
    key(play, m.CloseBetting(play.number))
    assert [(bet.kind, bet.player, bet.amount) for bet in play.round.bets] == [
        ("main", "chair-2", 1000),
        ("pair", "chair-2", 1000),
        ("main", "김", 2500),
        ("behind", "behind-5-1", 1000),
        ("behind", "behind-5-2", 1000),
    ]
    play.cards("TS 9H 6C 8D 9C")
    asked = play.round.asked
    assert asked is not None
    key(play, m.Decide(play.number, asked.decision, 2, 1, "stand"))
    asked = play.round.asked
    assert asked is not None
    key(play, m.Decide(play.number, asked.decision, 5, 1, "split"))
    window = play.round.window
    assert window is not None
    key(play, m.Follow(play.number, window.window, "behind-5-1", follow=True))
    key(play, m.Follow(play.number, window.window, "behind-5-2", follow=False))
    assert play.round.window is None
    play.cards("TD TC")
    play.act("stand", "stand").card("TH")
    play.card("9S")
    returned = {line.player: line.returned for line in play.round.lines if line.kind == "main"}
    assert returned == {"chair-2": 2000, "김": 5000}
    key(play, m.Cleared(play.number))


def test_what_is_keyed_is_booked_under_the_dealer() -> None:
    play = table()
    key(play, m.TakeSeat(2))
    answered = [fact for fact in play.facts if getattr(fact, "name", "") == "TakeSeat"]
    assert getattr(answered[-1], "by", "") == DEALER.staff


@pytest.mark.parametrize("actor", [LINKED, PIT])
def test_nobody_but_the_dealer_keys_at_a_table_with_chairs(actor: i.Actor) -> None:
    play = table()
    command = i.Commanded("x", "0" * 64, "take_seat", actor, c.TakeSeat(1, "A"))
    refusal = play.give(command).refusal
    assert refusal is not None
    assert refusal.code == "dealer_keys_only"


def test_the_dealer_has_no_keys_where_a_host_plays() -> None:
    play = Play().open_table()
    refusal = play.say(CONSOLE, c.TakeSeat(1, "A"))
    assert refusal is not None
    assert refusal.code == "hosts_only"


def test_without_a_dealer_nothing_is_keyed() -> None:
    play = table()
    play.must(CONSOLE, i.LogOut(DEALER.staff))
    refusal = play.say(CONSOLE, c.TakeSeat(1, "A"))
    assert refusal is not None
    assert refusal.code == "no_dealer"


def test_r58_consoles_come_and_go_and_no_host_is_lost() -> None:
    play = table()
    play.bet((1,))
    play.give(i.LinkDown(CONSOLE.link, "console", "one", "closed"))
    play.give(i.LinkDown("host:game", "host", "game", "closed"))
    assert play.table.host_connected
    play.close().cards("TS 6H")
    assert not play.round.ended


def test_r58_a_restart_in_betting_goes_on_with_a_new_window() -> None:
    play = table()
    play.bet((1,))
    play.start()
    assert play.table.host_connected
    assert not play.round.ended
    play.give(i.DeviceHealth("shoe", "up", ""))
    play.fire("betting")
    assert play.round.closed


def test_r11_a_bet_for_an_empty_chair_is_refused_by_name_of_the_seat() -> None:
    play = table()
    key(play, m.OpenRound())
    for kind, code in (("main", "player_needed"), ("behind", "seat_empty")):
        command = msgspec.convert({"round": play.number, "seat": 4, "kind": kind}, m.PlaceBet)
        filled = to_core(CHAIRS.fill(play.table, command))
        refusal = play.say(CONSOLE, filled)
        assert refusal is not None
        assert refusal.code == code


def test_a_pair_keyed_without_an_amount_stays_within_its_limits() -> None:
    play = Play(TableRules(pair_max=500), host="chairs").open_table()
    play.bet((1,))
    filled = CHAIRS.fill(play.table, m.PlaceBet(play.number, 1, kind="pair"))
    assert isinstance(filled, m.PlaceBet)
    assert filled.amount == 500


def test_what_a_host_leaves_out_is_not_filled_in_elsewhere() -> None:
    play = Play().open_table()
    for command, code in (
        (m.TakeSeat(1), "player_needed"),
        (m.OpenRound(), "other_rules"),
    ):
        refusal = play.say(HOST, to_core(command))
        assert refusal is not None
        assert refusal.code == code
    play.bet((1,))
    refusal = play.say(HOST, to_core(m.PlaceBet(play.number, 1, "P1", kind="pair")))
    assert refusal is not None
    assert refusal.code == "bet_below_minimum"


def test_start_is_by_the_rules_in_force() -> None:
    play = table()
    filled = CHAIRS.fill(play.table, m.OpenRound())
    assert filled == m.OpenRound(fingerprint(play.rules))


@pytest.mark.parametrize(
    ("keyed", "unit"), [(0, 1000), (1000, 1000), (50_000, 50_000), (999, "limits"), (1050, "step")]
)
def test_the_nominal_unit_is_a_main_bet(keyed: int, unit: int | str) -> None:
    got = nominal_unit(keyed, TableRules())
    if isinstance(unit, str):
        assert unit in str(got)
    else:
        assert got == unit
