"""`dealer-station simulate`: rounds through the core, and what came back for what was staked."""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from station.config import load_config
from station.config_words import explained
from station.game.rules import TableRules, fingerprint
from station.simulation.run import Settings, Simulation, SimulationError, best

EVERY = 1000


def rules_from(config: Path | None, changes: list[str]) -> TableRules:
    """The rules of a table's file, or the defaults, with `name=value` changed.

    Raises ConfigError or SimulationError naming the setting.
    """
    rules = load_config(config).rules if config else TableRules()
    settings = msgspec.to_builtins(rules)
    for change in changes:
        name, sign, value = change.partition("=")
        if not sign or name not in settings:
            names = ", ".join(settings)
            raise SimulationError(f"--set {change}: write name=value with one of: {names}")
        settings[name] = value
    try:
        return msgspec.convert(settings, TableRules, strict=False)
    except msgspec.ValidationError as error:
        raise SimulationError(f"--set: {explained(str(error), TableRules)}") from error


def simulate(settings: Settings, rules: TableRules, rounds: int, *, bar: bool) -> dict[str, Any]:
    """Play them, with a progress bar on a terminal, and report; Ctrl-C reports what was played."""
    simulation = Simulation(settings, rules)
    began = time.perf_counter()
    columns = (
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    played = 0
    with (
        Progress(*columns, console=Console(stderr=True), disable=not bar) as progress,
        contextlib.suppress(KeyboardInterrupt),
    ):
        task = progress.add_task("rounds", total=rounds)
        for number in range(1, rounds + 1):
            simulation.play()
            played = number
            if number % EVERY == 0 or number == rounds:
                progress.update(task, completed=number)
    told = report(simulation, played, time.perf_counter() - began)
    return {**told, "asked_for": rounds}


def report(simulation: Simulation, rounds: int, seconds: float) -> dict[str, Any]:
    """The figures: returns in percent with two standard errors, and the pace."""
    known = best(simulation.rules, simulation.settings.strategy)
    kinds = {}
    for kind, sums in simulation.returns.kinds.items():
        kinds[kind] = {
            "bets": sums.bets,
            "return_percent": round(100 * sums.share, 4),
            "two_standard_errors": round(200 * sums.error, 4),
            "staked_per_bet": round(sums.staked / sums.initial, 4) if sums.initial else 0.0,
        }
        if kind in known:
            kinds[kind]["best_percent"] = round(100 * known[kind], 2)
    settings = simulation.settings
    return {
        "rounds": rounds,
        "seed": settings.seed,
        "strategy": settings.strategy,
        "seats": settings.seats,
        "behind": settings.behind,
        "shoes": simulation.shoes,
        "facts": simulation.facts,
        "rules": fingerprint(simulation.rules),
        "seconds": round(seconds, 2),
        "rounds_per_second": round(rounds / seconds) if seconds else 0,
        "kinds": kinds,
    }


def show(told: dict[str, Any]) -> None:
    """The report for people."""
    table = Table(title=f"{told['rounds']:,} rounds, strategy {told['strategy']}")
    table.add_column("bet")
    for name in ("bets", "return %", "± 2 SE", "staked a bet", "at best %"):
        table.add_column(name, justify="right")
    for kind, sums in told["kinds"].items():
        known = sums.get("best_percent")
        table.add_row(
            kind,
            f"{sums['bets']:,}",
            f"{sums['return_percent']:.2f}",
            f"{sums['two_standard_errors']:.2f}",
            f"{sums['staked_per_bet']:.3f}",
            f"{known:.2f}" if known else "",
        )
    console = Console(file=sys.stdout)
    console.print(table)
    if told["rounds"] < told["asked_for"]:
        console.print(f"stopped: {told['asked_for']:,} rounds were asked for")
    console.print(
        f"{told['shoes']:,} shoes, {told['facts']:,} facts in {told['seconds']} s "
        f"({told['rounds_per_second']:,} rounds a second); rules {told['rules'][:8]}"
    )
