"""`hw-sim soak`: thousands of rounds in which things go wrong, and what came of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hw_sim.cli_common import (
    StrategyOption,
    WireOption,
    check_strategy,
    check_wire,
    fail,
    on_signals,
    one_of,
    random_seed,
    readers,
)


def add_to(app: typer.Typer) -> None:
    """Add this command."""
    app.command("soak")(soak)


def soak(
    rounds: Annotated[int, typer.Option(min=1, help="Rounds to play, settled or void.")] = 100,
    seed: Annotated[int | None, typer.Option(help="By default random.")] = None,
    fault_rate: Annotated[float, typer.Option(min=0, max=1, help="Faults a card.")] = 0.02,
    kind: Annotated[str, typer.Option(help="Kind of the shoe's reader.")] = "text-line",
    wire: WireOption = "perfect",
    board: Annotated[bool, typer.Option("--board", help="With a table board's sensor.")] = False,
    directory: Annotated[
        Path | None, typer.Option("--dir", help="A new directory for table, logs and journal.")
    ] = None,
    errors: Annotated[float, typer.Option(min=0, max=1, help="Share of cards to err at.")] = 0.0,
    strategy: StrategyOption = "basic",
    tables: Annotated[int, typer.Option(min=1, max=16, help="Tables beside each other.")] = 1,
    checked: Annotated[
        bool,
        typer.Option("--checked", help="Two sets; each shoe is checked and put in by two people."),
    ] = False,
    judge: Annotated[
        bool, typer.Option("--judge", help="Play nothing: judge what was played in --dir.")
    ] = False,
) -> None:
    """Play rounds unattended while things go wrong, then compare the journal with the truth."""
    from hw_sim.soak import SoakSettings
    from hw_sim.soak_run import judge_again, run_soak, run_tables

    if judge:
        if directory is None:
            raise fail("--judge: say with --dir what is to be judged")
        raise typer.Exit(judge_again(directory))
    one_of("--kind", kind, readers())
    check_wire(wire)
    check_strategy(strategy)
    if tables > rounds:
        raise fail(f"--tables {tables}: more than there are rounds")
    settings = SoakSettings(
        rounds=rounds,
        seed=random_seed() if seed is None else seed,
        rate=fault_rate,
        kind=kind,
        wire=wire,
        board=board,
        errors=errors,
        strategy=strategy,
        checked=checked,
    )
    if tables > 1:
        raise typer.Exit(run_tables(tables, directory, settings, on_signals))
    raise typer.Exit(run_soak(directory, settings, on_signals))
