"""Simulated rounds: the same core, money conserved, the same for the same seed."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from station.cli_simulate import report, rules_from, simulate
from station.game.rules import TableRules
from station.simulation.players import STRATEGIES, StrategyName
from station.simulation.returns import Return
from station.simulation.run import CUT, Settings, Simulation, SimulationError


def played(rounds: int, rules: TableRules | None = None, **settings: object) -> Simulation:
    simulation = Simulation(Settings(**settings), rules or TableRules())  # type: ignore[arg-type]
    for _ in range(rounds):
        simulation.play()
    return simulation


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_seed_plays_the_same_rounds(strategy: StrategyName) -> None:
    first = played(60, strategy=strategy, seats=4, behind=2, seed=5)
    again = played(60, strategy=strategy, seats=4, behind=2, seed=5)
    other = played(60, strategy=strategy, seats=4, behind=2, seed=6)
    assert first.game == again.game
    assert first.returns == again.returns
    assert first.game != other.game


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_bet_of_every_round_has_one_line(strategy: StrategyName) -> None:
    simulation = Simulation(Settings(strategy=strategy, seats=7, behind=3), TableRules())
    kinds = set()
    for _ in range(80):
        settled = simulation.play()
        assert sorted(line.bet for line in settled.lines) == [bet.bet for bet in settled.bets]
        assert all(line.returned >= 0 for line in settled.lines)
        kinds |= {line.kind for line in settled.lines}
    assert {"main", "pair", "behind", "behind_pair"} <= kinds
    assert ("insurance" in kinds) == (strategy == "random")


def test_r2_a_shoe_is_eight_decks_and_changes_at_its_cut_card() -> None:
    simulation = Simulation(Settings(), TableRules())
    shoes: dict[str, int] = {}
    for _ in range(120):
        settled = simulation.play()
        shoes[settled.shoe] = len(simulation.game.shoe.gone)
        gone = [entry.card for entry in simulation.game.shoe.gone]
        assert len(set(gone)) == len(gone)
    changed = list(shoes.values())[:-1]
    assert len(changed) >= 1
    assert all(416 - CUT <= left <= 416 - CUT + 20 for left in changed)


def test_a21_the_burn_is_taken_from_every_shoe() -> None:
    simulation = played(3, TableRules(burn=3))
    assert simulation.game.shoe.burned == 3


def test_a12_absent_players_never_bust_and_never_double() -> None:
    simulation = Simulation(Settings(strategy="absent", seats=7), TableRules())
    for _ in range(60):
        settled = simulation.play()
        for box in settled.boxes:
            assert len(box.hands) == 1
            assert not box.hands[0].bust
        assert not any(bet.doubled for bet in settled.bets)
        assert {seat.seat for seat in simulation.game.seats} <= {
            box.seat for box in settled.boxes if box.hands[0].blackjack
        }, "R25: who did nothing is vacated"


def test_basic_strategy_returns_what_it_should() -> None:
    """Within four standard errors of 99.41 % and 89.64 %: far from any rule misread."""
    told = report(played(20_000), 20_000, 1.0)
    for kind, known in (("main", 99.41), ("pair", 89.64)):
        sums = told["kinds"][kind]
        assert sums["best_percent"] == known
        assert abs(sums["return_percent"] - known) < 2 * sums["two_standard_errors"]
        assert 0 < sums["two_standard_errors"] < 6


def test_the_standard_error_is_that_of_independent_samples() -> None:
    """For bets of one size it is the textbook figure; checked by simulation."""
    source = random.Random(3)
    sums = Return()
    nets = []
    for _ in range(4000):
        back = source.choice((0, 100, 200, 250))
        sums.add(1, 100, 100, back)
        nets.append(back / 100)
    mean = sum(nets) / len(nets)
    deviation = math.sqrt(sum((net - mean) ** 2 for net in nets) / (len(nets) - 1))
    assert math.isclose(sums.share, mean, rel_tol=1e-9)
    assert math.isclose(sums.error, deviation / math.sqrt(len(nets)), rel_tol=1e-9)


def test_bets_of_one_round_are_one_sample() -> None:
    """Seven equal bets that win and lose together are as uncertain as one."""
    one, seven = Return(), Return()
    for number in range(100):
        back = 200 if number % 2 else 0
        one.add(1, 100, 100, back)
        seven.add(7, 700, 700, 7 * back)
    assert math.isclose(one.error, seven.error)


def test_nothing_staked_returns_nothing() -> None:
    assert Return().share == 0
    assert Return().error == 0


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"seats": 8}, "seats"),
        ({"seats": 0}, "seats"),
        ({"behind": 51}, "behind"),
        ({"cut": 9}, "cut"),
    ],
)
def test_settings_the_rules_forbid_are_named(settings: dict[str, int], word: str) -> None:
    with pytest.raises(SimulationError, match=word):
        Simulation(Settings(**settings), TableRules())  # type: ignore[arg-type]


def test_rules_are_changed_by_name() -> None:
    rules = rules_from(None, ["burn=2", "dealer_blackjack_takes=original", "reshuffle=true"])
    assert (rules.burn, rules.dealer_blackjack_takes, rules.reshuffle) == (2, "original", True)
    assert rules_from(Path("table.example.toml"), []) == TableRules()
    for change in ("burn", "nothing=1", "burn=many", "bet_step=3"):
        with pytest.raises(SimulationError, match="--set"):
            rules_from(None, [change])


def test_the_report_counts_what_was_played() -> None:
    told = simulate(Settings(seats=2, behind=1), TableRules(), 50, bar=False)
    assert told["rounds"] == 50
    assert told["kinds"]["main"]["bets"] == 100
    assert told["kinds"]["behind"]["bets"] == 100
    absent = simulate(Settings(strategy="absent"), TableRules(), 5, bar=False)["kinds"]
    assert "best_percent" not in absent["main"]
    assert absent["pair"]["best_percent"] == 89.64
