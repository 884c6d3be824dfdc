"""`hw-sim`: the command line. Heavy things are imported by the command that needs them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hw_sim import (
    cli_board,
    cli_camera,
    cli_devices,
    cli_selftest,
    cli_soak,
    cli_staff_shoes,
    cli_table,
)
from hw_sim.cli_common import (
    BehindOption,
    SeedOption,
    SocketOption,
    StrategyOption,
    check_strategy,
    fail,
    run_client,
    seats_of,
)

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Virtual devices and people for a test table.",
)
staff_app = typer.Typer(
    invoke_without_command=True,
    help="A supervisor. With a command: signs in, says that one thing, and ends.",
)
cli_table.add_to(app)
cli_devices.add_to(app)
cli_selftest.add_to(app)
cli_board.add_to(app)
cli_soak.add_to(app)
cli_camera.add_to(app)
cli_staff_shoes.add_to(staff_app)
app.add_typer(staff_app, name="staff")


def main() -> None:
    """The command's entry point."""
    app()


@app.command()
def players(
    socket: SocketOption,
    seed: SeedOption = 0,
    seats: Annotated[str, typer.Option(help="Where they sit.")] = "1,3,5",
    rounds: Annotated[int, typer.Option(min=0, help="Settled rounds to play; 0 for ever.")] = 0,
    think: Annotated[float, typer.Option(min=0, help="Seconds a player takes.")] = 0.5,
    betting: Annotated[float, typer.Option(min=0, help="Seconds betting stays open.")] = 1.0,
    ledger: Annotated[Path | None, typer.Option(help="Their own books, a JSON file.")] = None,
    strategy: StrategyOption = "basic",
    behind: BehindOption = 3,
) -> None:
    """The game host: seats, bets, answers, decisions, and books of its own."""
    from hw_sim.players import Players, PlayersSettings

    check_strategy(strategy)
    settings = PlayersSettings(seats_of(seats), rounds, think, betting, ledger, strategy, behind)
    run_client(lambda: Players(socket, settings, seed))


@app.command()
def dealer(
    socket: SocketOption,
    shoe: Annotated[Path, typer.Option(help="The shoe's control socket.")],
    seed: SeedOption = 0,
    errors: Annotated[float, typer.Option(min=0, max=1, help="Share of cards he errs at.")] = 0.0,
    reaction: Annotated[float, typer.Option(min=0, help="Seconds from prompt to card.")] = 0.3,
    again: Annotated[
        float, typer.Option(min=0, help="Seconds until an unread card is presented again.")
    ] = 3.0,
    staff: Annotated[str, typer.Option(help="Staff id.")] = "1001",
    pin: Annotated[str, typer.Option(help="PIN; a test person's is the id.")] = "",
    seats: Annotated[str, typer.Option(help="Chairs taken, at a table with chairs.")] = "1,3,5",
    rounds: Annotated[
        int, typer.Option(min=0, help="Rounds to play at a table with chairs; 0 for ever.")
    ] = 0,
    think: Annotated[float, typer.Option(min=0, help="Seconds a player in a chair takes.")] = 0.5,
    betting: Annotated[float, typer.Option(min=0, help="Seconds betting stays open there.")] = 1.0,
    strategy: StrategyOption = "basic",
    behind: BehindOption = 3,
) -> None:
    """A dealer who follows the prompt, and errs by seed.

    At a table with players in the chairs he also keys what they do.
    """
    from hw_sim.chairs import Chairs
    from hw_sim.control import ShoeControl
    from hw_sim.dealer import Dealer, DealerSettings
    from hw_sim.hosting import Times
    from hw_sim.party import Party

    check_strategy(strategy)
    settings = DealerSettings(staff, pin or staff, reaction, errors, again)
    party = Party(seed, seats_of(seats), strategy, behind=behind, chairs=True)
    chairs = Chairs(party, Times(think, betting), rounds)
    run_client(lambda: Dealer(socket, ShoeControl(shoe), settings, seed, chairs))


@staff_app.callback()
def staff(
    context: typer.Context,
    socket: SocketOption,
    shoe: Annotated[Path | None, typer.Option(help="The shoe's control socket.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Load shoes, rule on holds.")] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Put a new shoe in first, whatever is in.")
    ] = False,
    reaction: Annotated[float, typer.Option(min=0, help="Seconds before acting.")] = 1.0,
    staff_id: Annotated[str, typer.Option("--staff", help="Staff id.")] = "2001",
    pin: Annotated[str, typer.Option(help="PIN; a test person's is the id.")] = "",
    second: Annotated[
        str, typer.Option(help="With --auto: staff id of who checks and loads with him.")
    ] = "1001",
    seed: SeedOption = 0,
) -> None:
    """A supervisor: signs in, rules on holds, checks shoes where they are, puts them in."""
    from hw_sim.control import ShoeControl
    from hw_sim.staff import Staff, StaffSettings

    settings = StaffSettings(staff_id, pin or staff_id, auto, fresh, reaction, second, second)
    if context.invoked_subcommand is not None:
        context.obj = (socket, settings, shoe)
        return
    if (auto or fresh) and shoe is None:
        raise fail("--auto and --fresh put shoes in: say with --shoe where the shoe's control is")
    control = ShoeControl(shoe) if shoe else None
    run_client(lambda: Staff(socket, control, settings, seed))


def _one(context: typer.Context, make: Callable[[Any], Any]) -> None:
    import os

    from hw_sim.staff import OneCommand

    socket, settings, _ = context.obj
    run_client(lambda: OneCommand(socket, settings, f"staff-{os.getpid()}", make))


@staff_app.command("void")
def staff_void(
    context: typer.Context,
    reason: Annotated[
        str,
        typer.Option(
            help="misdeal, wrong_card, unread_card, card_exposed, player_dispute, equipment, "
            "force_majeure or other."
        ),
    ],
    note: Annotated[str, typer.Option(help="In your own words; `other` needs it.")] = "",
) -> None:
    """Void the open round."""
    from hw_sim import orders

    _one(context, lambda snapshot: orders.void(snapshot, reason, note))


@staff_app.command("rule")
def staff_rule(
    context: typer.Context,
    ruling: Annotated[str, typer.Argument(help="release, aligned, burn or void.")],
    hold: Annotated[int, typer.Option(help="Which hold; by default the first.")] = 0,
    note: Annotated[str, typer.Option(help="For the journal.")] = "",
) -> None:
    """Rule on a hold."""
    from hw_sim import orders

    _one(context, lambda snapshot: orders.rule(snapshot, ruling, hold, note))


@staff_app.command("load")
def staff_load(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The shoe's name.")],
    set_letter: Annotated[str, typer.Option("--set", help="Set letter of its cards.")] = "",
    second: cli_staff_shoes.SecondOption = "",
    second_pin: cli_staff_shoes.SecondPinOption = "",
    seal: Annotated[str, typer.Option(help="The number of the seal that was broken.")] = "",
    cut_card: Annotated[
        int, typer.Option(min=0, max=415, help="Cards behind the cut card; 0: not said.")
    ] = 0,
    reason: Annotated[str, typer.Option(help="Why this set, if it is not due.")] = "",
) -> None:
    """Say that a checked and shuffled shoe is in."""
    from hw_sim import orders

    more = cli_staff_shoes.two(second, second_pin)
    more |= {"seal": seal} if seal else {}
    more |= {"reason": reason} if reason else {}
    where = {"cut_card": cut_card} if cut_card else {}
    _one(context, lambda snapshot: orders.load(snapshot, name, set_letter, **more, **where))


@staff_app.command("release")
def staff_release(context: typer.Context) -> None:
    """Release the loaded shoe."""
    from hw_sim import orders

    _one(context, orders.release)


@staff_app.command("count")
def staff_count(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(help="The shoe's name; by default the one that waits longest.")
    ] = "",
) -> None:
    """Count a shoe that is out, by what the virtual shoe (--shoe) says remained in it."""
    from hw_sim import orders
    from hw_sim.control import ShoeControl

    shoe = context.obj[2]
    if shoe is None:
        raise fail("count: say before it with --shoe where the shoe's control is")
    control = ShoeControl(shoe)
    try:
        _one(context, lambda snapshot: orders.count(snapshot, control, name))
    finally:
        control.close()


if __name__ == "__main__":
    main()
