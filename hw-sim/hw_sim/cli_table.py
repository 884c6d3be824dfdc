"""`hw-sim table` and `scenario`: whole test tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hw_sim.cli_common import (
    BehindOption,
    CutOption,
    StrategyOption,
    WireOption,
    check_strategy,
    check_wire,
    fail,
    on_signals,
    one_of,
    random_seed,
    readers,
    say,
    seats_of,
)


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("table")(table)
    app.command("scenario")(scenario)


def table(
    rounds: Annotated[int, typer.Option(min=0, help="Rounds to play; 0 until it is ended.")] = 0,
    seed: Annotated[int | None, typer.Option(help="By default random.")] = None,
    directory: Annotated[
        Path | None,
        typer.Option("--dir", help="The table's directory; by default a new one, the last 5 kept."),
    ] = None,
    lang: Annotated[str, typer.Option(help="ko or en.")] = "ko",
    pace: Annotated[str, typer.Option(help="real, or fast: nobody takes any time.")] = "real",
    no_console: Annotated[bool, typer.Option("--no-console", help="Without the console.")] = False,
    errors: Annotated[float, typer.Option(min=0, max=1, help="Share of cards to err at.")] = 0.0,
    seats: Annotated[str, typer.Option(help="Where players sit.")] = "1,3,5",
    strategy: StrategyOption = "basic",
    behind: BehindOption = 3,
    cut: CutOption = None,
    host: Annotated[
        str,
        typer.Option(
            help="link: a game host connects. chairs: the dealer keys what players do. By default "
            "what the table's file says, link in a new one."
        ),
    ] = "",
    kind: Annotated[
        str,
        typer.Option(
            help="Kind of the shoe's reader, such as angel-eye; by default what the table's file "
            "says, text-line in a new one."
        ),
    ] = "",
    camera: Annotated[
        bool, typer.Option("--camera", help="A camera reads the shoe: the same as --kind camera.")
    ] = False,
    code: Annotated[
        str,
        typer.Option(
            help="What a camera finds printed on the cards: code128, qr, datamatrix, or none: the "
            "index alone. By default what the table's file says, code128 in a new one."
        ),
    ] = "",
    board: Annotated[bool, typer.Option("--board", help="With a table board.")] = False,
    wire: WireOption = "perfect",
) -> None:
    """A whole test table: virtual shoe, station, people and console."""
    from hw_sim.table import PACES, TableSettings
    from hw_sim.table_config import CAMERA_CODES
    from hw_sim.table_run import run_table

    one_of("--lang", lang, ("ko", "en"))
    one_of("--pace", pace, tuple(PACES))
    check_strategy(strategy)
    if host:
        one_of("--host", host, ("link", "chairs"))
    if camera:
        kind = kind or "camera"
    if kind:
        one_of("--kind", kind, readers())
    if code:
        one_of("--code", code, CAMERA_CODES)
        if kind != "camera":
            raise fail("--code is what a camera reads: it needs --camera")
    check_wire(wire)
    seats_of(seats)
    settings = TableSettings(
        seed=random_seed() if seed is None else seed,
        rounds=rounds,
        language=lang,
        pace=pace,
        console=not no_console,
        errors=errors,
        seats=seats,
        strategy=strategy,
        behind=behind,
        host=host,
        cut=cut,
        kind=kind,
        board=board,
        wire=wire,
        code=code,
    )
    raise typer.Exit(run_table(directory, settings, on_signals))


def scenario(
    files: Annotated[list[Path], typer.Argument(help="Scenario files.", metavar="FILE...")],
    socket: Annotated[
        Path | None, typer.Option(help="At this running station; by default each starts its own.")
    ] = None,
    shoe: Annotated[
        Path | None, typer.Option(help="Control socket of that station's virtual shoe.")
    ] = None,
    board: Annotated[Path | None, typer.Option(help="Control socket of its virtual board.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell each step.")] = False,
) -> None:
    """Run scenarios: what happens at a table step by step, and what must be seen of it."""
    from hw_sim.scenario import ScenarioError, load
    from hw_sim.scenario_run import StepFailed, run_one

    if (socket is None) != (shoe is None):
        raise fail("--socket and --shoe belong together: the station, and its virtual shoe")
    try:
        loaded = [load(file) for file in files]
    except ScenarioError as error:
        raise fail(error) from None
    failed = 0
    for one in loaded:
        tell = say if verbose else _say_nothing
        tell(one.name)
        try:
            run_one(one, tell, socket=socket, shoe=shoe, board=board)
        except StepFailed as error:
            failed += 1
            say(f"FAILED  {one.name}")
            fail(error)
        else:
            say(f"passed  {one.name}")
    if failed:
        raise fail(f"{failed} of {len(loaded)} failed", 1)


def _say_nothing(text: str) -> None:
    pass
