"""The game host, against a scripted station on a real socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hw_sim.client import REFUSED_WAIT_S
from hw_sim.ledger import Ledger
from hw_sim.party import BET_MOST, Party
from hw_sim.party import SEATED as NAMES
from hw_sim.players import Players, PlayersSettings
from station import messages as m
from tests.unit.sim.conftest import Clock, Until
from tests.unit.sim.fake_station import (
    FakeStation,
    action,
    hand,
    running,
    seat,
    snapshot,
)

ONE, THREE = NAMES[0], NAMES[2]


def make(station: FakeStation, **changes: Any) -> Players:
    settings = {"seats": (1, 3), "think_s": 0.0, "betting_s": 0.0, **changes}
    return Players(station.path, PlayersSettings(**settings), 7, tell=lambda _: None)


@pytest.fixture
def players(station: FakeStation) -> Iterator[Players]:
    made = make(station)
    with running(made):
        yield made


def idle(*taken: int, **changes: Any) -> dict[str, Any]:
    """Between rounds, with those seats taken; a round may be opened."""
    seats = [seat(n, NAMES[n - 1] if n in taken else "") for n in range(1, 8)]
    free = [action("take_seat", str(n)) for n in range(1, 8) if n not in taken]
    return snapshot(seats=seats, actions=[action("open_round"), *free], **changes)


def betting(*bets: int) -> dict[str, Any]:
    """Betting of round 4, with bets placed on those seats."""
    bet = {n: {"kind": "main", "player": NAMES[n - 1], "amount": 1_000} for n in bets}
    seats = [seat(n, NAMES[n - 1], bets=[bet[n]] if n in bet else []) for n in (1, 3)]
    actions = [action("place_bet", str(n)) for n in (1, 3)]
    return snapshot(
        phase="betting", round=4, seats=seats, actions=[action("close_betting", "4"), *actions]
    )


def deciding(
    total: int, up: str, *, soft: bool = False, seats: Any = (), **changes: Any
) -> dict[str, Any]:
    seats = list(seats) or [seat(1, ONE, hands=[hand("2H", "3H", total=total, soft=soft)])]
    asked = {"decision": 2, "seat": 1, "hand": 1, "legal": ["hit", "stand"], "chosen": ""}
    return snapshot(
        phase="deciding",
        round=4,
        seats=seats,
        dealer={"cards": [up], "total": 0, "soft": False, "state": "open"},
        decision={**asked, **changes},
        actions=[action("decide:hit", "1"), action("decide:stand", "1")],
    )


def test_says_hello_as_host_and_sits_down_before_opening(
    station: FakeStation, players: Players
) -> None:
    hello = station.hello()
    assert (hello.role, hello.name, hello.after) == ("host", "players", None)
    station.show(idle())
    station.accept("take_seat", seat=1, player=ONE)
    station.show(idle(1))
    station.accept("take_seat", seat=3, player=THREE)
    station.show(idle(1, 3))
    station.accept("open_round", rules="f" * 64)


def test_opens_no_round_that_the_snapshot_refuses(station: FakeStation, players: Players) -> None:
    station.hello()
    refused = idle(1, 3)
    refused["actions"][0] = action("open_round", "", "shoe_not_in_play")
    station.show(refused)
    station.show(idle(1, 3))
    message = station.accept("open_round")
    # It is the first thing said at all: the command's own count says so.
    assert message.id == "players-7-v1-0-1"


def test_bets_by_seed_within_limits_then_closes(station: FakeStation, players: Players) -> None:
    station.hello()
    station.show(betting())
    first = station.accept("place_bet", round=4, seat=1, player=ONE).command
    station.show(betting(1))
    second = station.accept("place_bet", round=4, seat=3, player=THREE).command
    station.show(betting(1, 3))
    station.accept("close_betting", round=4)
    amounts = [getattr(bet, "amount", 0) for bet in (first, second)]
    assert all(1_000 <= amount <= BET_MOST and amount % 100 == 0 for amount in amounts)
    assert amounts == [42_500, 4_000]


@pytest.mark.parametrize(
    ("total", "up", "soft", "choice"),
    [
        (11, "6H", False, "hit"),
        (12, "2H", False, "hit"),
        (12, "4H", False, "stand"),
        (16, "6S", False, "stand"),
        (16, "7S", False, "hit"),
        (12, "TH", False, "hit"),
        (12, "AH", False, "hit"),
        (17, "TH", False, "stand"),
        (17, "6H", True, "hit"),
        (18, "TH", True, "hit"),
        (18, "8H", True, "stand"),
    ],
)
def test_decides_by_basic_strategy(
    station: FakeStation, players: Players, total: int, up: str, soft: bool, choice: str
) -> None:
    station.hello()
    station.show(deciding(total, up, soft=soft))
    station.accept("decide", round=4, decision=2, seat=1, hand=1, action=choice)


def test_a_choice_made_is_not_made_again(station: FakeStation, players: Players) -> None:
    station.hello()
    station.show(deciding(12, "TH", chosen="hit"))
    station.show(deciding(18, "TH"))
    message = station.accept("decide", action="stand")
    assert message.id.endswith("-1")


def test_one_command_at_a_time_and_only_on_a_snapshot_after_the_answer(
    station: FakeStation, players: Players
) -> None:
    station.hello()
    station.show(betting())
    bet = station.command()
    station.show(betting())
    station.answer(bet.id)
    # What was shown before the answer's version comes late: it is old news.
    station.version = 1
    station.show(betting())
    station.version = 3
    station.show(betting(1))
    station.accept("place_bet", seat=3)
    assert station.silent()


def test_unanswered_command_is_said_again_under_its_id_after_a_restart(
    station: FakeStation, players: Players
) -> None:
    station.hello()
    station.show(betting())
    first = station.command()
    station.hang_up()
    station.hello()
    again = station.command()
    assert again == first
    station.answer(again.id)
    station.show(betting(1))
    station.accept("place_bet", seat=3)


def fact(seq: int, kind: str, **body: Any) -> dict[str, Any]:
    return {"type": "fact", "seq": seq, "kind": kind, "at": "", "body": body}


def bet_fact(seq: int, number: int) -> dict[str, Any]:
    return fact(seq, "BetPlaced", round=number, bet=1, player=ONE, seat=1, amount=1_000)


def settled_fact(seq: int, number: int) -> dict[str, Any]:
    line = {"bet": 1, "player": ONE, "stake": 1_000, "returned": 2_000, "result": "win"}
    return fact(seq, "RoundSettled", round=number, lines=[line])


def test_facts_are_booked_once_on_disk_and_acknowledged(
    station: FakeStation, tmp_path: Path
) -> None:
    books = tmp_path / "ledger.json"
    with running(make(station, ledger=books)):
        station.hello()
        station.send(bet_fact(5, 1))
        assert station.ack() == 5
        station.send(settled_fact(9, 1))
        assert station.ack() == 9
        assert Ledger.load(books).balances == {ONE: 1_000}
        station.hang_up()
        assert station.hello().after == 9
        # At least once is what the station promises: the same facts come again.
        station.send(settled_fact(9, 1))
        assert station.ack() == 9
    after = Ledger.load(books)
    assert (after.placed, after.returned, after.settled) == (1_000, 2_000, 1)
    assert after.disputes == []


def test_players_end_after_the_rounds_asked_for_are_settled_and_cleared(
    station: FakeStation,
) -> None:
    players = make(station, rounds=1)
    with running(players) as thread:
        station.hello()
        station.show(idle(1, 3, round=4))
        station.accept("open_round")
        station.send(settled_fact(3, 4))
        assert station.ack() == 3
        station.show(idle(1, 3, round=4))
        # A round of before this start is not one of them.
        station.accept("open_round")
        station.send(settled_fact(12, 5))
        station.show(idle(1, 3, round=5))
        thread.join(5)
        assert not thread.is_alive()
    assert players.done


def test_refused_command_is_not_hammered(station: FakeStation, until: Until) -> None:
    clock = Clock()
    players = make(station)
    players.now = clock
    with running(players):
        station.hello()
        station.show(idle(1, 3))
        station.answer(station.command().id, "table_holds")
        station.show(idle(1, 3))
        until(lambda: players.snapshot.get("version") == station.version)
        assert station.silent()
        clock.now += REFUSED_WAIT_S
        station.show(idle(1, 3))
        station.accept("open_round")


def test_a_decision_too_late_says_that_he_is_there_and_nothing_waits(
    station: FakeStation, until: Until
) -> None:
    """A13: it is refused, and the answer to it is no trouble."""
    told: list[str] = []
    seed = next(
        seed
        for seed in range(999)
        if Party(seed, (1, 3), "random").presence(4, 1).back == "decide"
        and Party(seed, (1, 3), "random").rng("decide", 4, 3, 1, 2).random() > 0.2
        and Party(seed, (1, 3), "random").presence(4, 3).lost == ""
    )
    players = make(station, strategy="random")
    players = Players(station.path, players.settings, seed, tell=told.append, now=Clock())
    with running(players):
        station.hello()
        seats = [seat(n, NAMES[n - 1], hands=[hand("2H", "9S", total=11)]) for n in (1, 3)]
        seen = deciding(11, "6H", seats=seats)
        # He is asked, is silent, and the station has decided for him (R21).
        station.show({**seen, "actions": []})
        until(lambda: players.snapshot.get("version") == station.version)
        seats = [{**seats[0], "absent": True, "in_round": True}, seats[1]]
        asked = {"decision": 3, "seat": 3, "hand": 1, "legal": ["hit", "stand"], "chosen": ""}
        actions = [action("decide:hit", "3"), action("decide:stand", "3")]
        station.show({**seen, "seats": seats, "decision": asked, "actions": actions})
        late = station.command()
        assert isinstance(late.command, m.Decide)
        assert (late.command.decision, late.command.seat) == (2, 1)
        station.answer(late.id, "too_late")
        station.show({**seen, "seats": seats, "decision": asked, "actions": actions})
        station.accept("decide", decision=3, seat=3)
    assert told == []


def test_books_of_another_journal_are_refused(station: FakeStation, tmp_path: Path) -> None:
    Ledger(seq=500).save(tmp_path / "ledger.json")
    players = make(station, ledger=tmp_path / "ledger.json")
    with running(players) as thread:
        assert station.hello().after == 500
        station.show(idle(1, 3))
        thread.join(5)
    assert "books of another journal" in players.failed


def test_ids_of_two_runs_over_one_journal_differ(station: FakeStation) -> None:
    ids = []
    for _ in range(2):
        with running(make(station)):
            station.hello()
            station.show(idle(1, 3))
            ids.append(station.accept("open_round").id)
    assert ids[0] != ids[1]
