"""The players at the rules themselves: nothing they say is refused, and money is conserved."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta

from hw_sim.party import BEHIND, SEATED, Party, Presence
from hw_sim.strategy import STRATEGIES
from station.game import facts as g
from station.game.rules import TableRules
from station.message_parts import Player
from tests.unit.sim.core_table import CoreTable

SEATS = (1, 3, 5)


def table(
    seed: int = 7,
    strategy: str = "basic",
    *,
    seats: tuple[int, ...] = SEATS,
    chairs: bool = False,
    rules: TableRules | None = None,
) -> CoreTable:
    return CoreTable(Party(seed, seats, strategy, behind=3, chairs=chairs), rules)


def kinds(played: CoreTable) -> dict[str, int]:
    found: dict[str, int] = {}
    for command in played.said:
        word = str(command.fields.get("kind") or command.fields.get("action") or "")
        name = f"{command.do}:{word}" if word else command.do
        found[name] = found.get(name, 0) + 1
    return found


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    strategy=st.sampled_from(STRATEGIES),
    chairs=st.booleans(),
    seats=st.sets(st.integers(1, 7), min_size=1).map(lambda found: tuple(sorted(found))),
    takes=st.sampled_from(("all", "original")),
    draw=st.sampled_from(("always", "until_decided")),
    das=st.booleans(),
    behind=st.sampled_from((0, 1, 50)),
)
def test_nothing_they_say_is_refused_and_the_books_agree(
    seed: int,
    strategy: str,
    chairs: bool,
    seats: tuple[int, ...],
    takes: Literal["all", "original"],
    draw: Literal["always", "until_decided"],
    das: bool,
    behind: int,
) -> None:
    """R11-R14, R20-R54 as the table itself has them, whatever its settings."""
    rules = TableRules(
        dealer_blackjack_takes=takes,
        dealer_draw=draw,
        double_after_split=das,
        behind_bettors=behind,
    )
    played = table(seed, strategy, seats=seats, chairs=chairs, rules=rules).rounds(3)
    # A late decision is meant to be late (A13).
    assert [word for _, word in played.refused if word.code != "too_late"] == []
    books = played.ledger
    assert (books.disputes, books.open) == ([], {})
    assert sum(books.balances.values()) == books.returned - books.placed


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("chairs", [False, True])
def test_the_same_seed_says_the_same(strategy: str, chairs: bool) -> None:
    one, other = (table(5, strategy, chairs=chairs).rounds(6) for _ in range(2))
    assert one.said == other.said
    assert one.play.facts == other.play.facts
    assert table(6, strategy, chairs=chairs).rounds(6).said != one.said


@pytest.mark.parametrize("chairs", [False, True])
def test_random_players_do_everything_there_is(chairs: bool) -> None:
    """Every command of a host, every bet and every action comes in some rounds."""
    done = kinds(table(2, "random", chairs=chairs).rounds(60))
    bets = ("main", "pair", "behind", "behind_pair")
    actions = ("hit", "stand", "double", "split", "surrender")
    others = ("open_round", "take_seat", "leave_seat", "close_betting", "insure", "follow")
    present = ("player_lost", "player_back")
    wanted = [f"{do}:{kind}" for do in ("place_bet", "take_back") for kind in bets]
    wanted += [f"decide:{action}" for action in actions]
    assert [name for name in (*wanted, *others, *present) if name not in done] == []


def test_random_players_are_silent_late_and_lost() -> None:
    """R21, R53, R55, A13: time-outs of every window, a decision too late, a lost player."""
    played = table(2, "random").rounds(60)
    assert {fact.why for fact in played.of(g.PlayerAbsent)} == {"timeout", "lost"}
    assert {fact.by for fact in played.of(g.WindowClosed)} == {"countdown", "answered"}
    assert any(refusal.code == "too_late" for _, refusal in played.refused)
    assert {fact.yes for fact in played.of(g.WindowAnswered)} == {True, False}
    assert {fact.reason for fact in played.of(g.SeatLeft)} == {"left", "inactive"}
    assert played.of(g.BetsReturned)


@pytest.mark.parametrize("chairs", [False, True])
def test_random_players_take_bets_back_and_place_others(chairs: bool) -> None:
    """The stake comes back, with a main bet the Pair bet too (R14); what is placed then plays."""
    played = table(2, "random", chairs=chairs).rounds(60)
    bets = {(fact.round, fact.bet): fact for fact in played.of(g.BetPlaced)}
    back = [
        (fact.round, line)
        for fact in played.of(g.BetsReturned)
        for line in fact.lines
        if line.result == "taken_back"
    ]
    assert {line.kind for _, line in back} == {"main", "pair", "behind", "behind_pair"}
    assert any(len(fact.lines) == 2 for fact in played.of(g.BetsReturned))
    again = 0
    for number, line in back:
        assert line.returned == line.stake == bets[number, line.bet].amount
        key = (line.kind, line.seat, line.player)
        after = [
            fact
            for (round_, bet), fact in bets.items()
            if round_ == number and bet > line.bet and (fact.kind, fact.seat, fact.player) == key
        ]
        again += bool(after)
    # Not always, but for most: who takes his main bet back may leave it at that.
    assert 0 < len(back) - again < again
    assert (played.ledger.disputes, played.ledger.open) == ([], {})


def test_absent_players_bet_and_never_answer() -> None:
    """R25: their seats are vacated, and taken again for the next round."""
    played = table(3, "absent").rounds(12)
    done = kinds(played)
    assert not [name for name in done if name.startswith(("decide", "insure", "follow"))]
    assert done["player_lost"] > 0
    assert {fact.reason for fact in played.of(g.SeatLeft)} == {"inactive"}
    assert done["take_seat"] == len(played.of(g.SeatLeft)) - _left_at_the_end(played) + len(SEATS)
    assert {fact.by for fact in played.of(g.DecisionMade)} == {"station"}
    assert len(played.of(g.RoundSettled)) == 12


def _left_at_the_end(played: CoreTable) -> int:
    """Seats vacated by the last round, which nobody has taken again yet."""
    return len(SEATS) - len(played.play.table.game.seats)


def test_basic_players_answer_everything() -> None:
    played = table(3, "basic").rounds(40)
    assert played.silences == 0
    assert not played.of(g.PlayerAbsent)
    # Insurance is never worth it (R40), and saying no is an answer.
    assert not [fact for fact in played.of(g.BetPlaced) if fact.kind == "insurance"]
    assert {fact.kind for fact in played.of(g.WindowOpened)} == {"insurance", "split", "double"}


def test_at_the_chairs_what_the_dealer_need_not_know_is_left_out() -> None:
    played = table(4, chairs=True).rounds(5)
    for command in played.said:
        if command.do in ("open_round", "take_seat", "place_bet"):
            assert {"rules", "player"}.isdisjoint(command.fields)
    bets = [command.fields for command in played.said if command.do == "place_bet"]
    assert {"amount" in bet for bet in bets} == {True, False}


def test_what_they_want_is_within_the_limits_of_the_table() -> None:
    """A21, A26: a high table's limits, a step of its own."""
    limits: dict[str, Any] = {
        "main_min": 60_000,
        "main_max": 61_000,
        "bet_step": 500,
        "pair_min": 25_000,
        "pair_max": 25_000,
    }
    wishes = [wish for n in range(50) for wish in Party(1, SEATS, "random").bets(n, limits)]
    mains = {wish.amount for wish in wishes if wish.kind in ("main", "behind")}
    assert mains == {60_000}
    assert {wish.amount for wish in wishes if "pair" in wish.kind} == {25_000}


def test_every_name_is_one_that_a_station_takes() -> None:
    """No control characters, none that turn the line's direction, no blank at either end."""
    chairs = [Party(1, SEATS, chairs=True).name(seat) for seat in range(1, 8)]
    bets = [wish for n in range(20) for wish in Party(1, SEATS, chairs=True).bets(n, {})]
    for name in (*SEATED, *BEHIND, *chairs, *(wish.player for wish in bets)):
        assert msgspec.convert(name, Annotated[Player, Meta(min_length=1)]) == name
    assert len({*SEATED, *BEHIND}) == len(SEATED) + len(BEHIND)


def test_basic_players_are_never_lost() -> None:
    assert {Party(1, SEATS).presence(n, 1) for n in range(50)} == {Presence()}
