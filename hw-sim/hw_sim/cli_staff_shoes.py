"""`hw-sim staff check`, `receipt`, `shuffled`, `take-out`, `lift`: shoes before they go in."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from hw_sim.cli_common import fail, run_client

SecondOption = Annotated[
    str, typer.Option("--second", help="Staff id of the second person; '' where one does it.")
]
SecondPinOption = Annotated[
    str, typer.Option("--second-pin", help="His PIN; a test person's is the id.")
]
Name = Annotated[str, typer.Argument(help="The shoe's name.")]
SetOption = Annotated[str, typer.Option("--set", help="Set letter of its cards.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("check")(check)
    app.command("receipt")(receipt)
    app.command("shuffled")(shuffled)
    app.command("take-out")(take_out)
    app.command("lift")(lift)


def two(second: str, pin: str) -> dict[str, str]:
    """The second person as a command has him; nothing where there is none."""
    return {"second": second, "pin": pin or second} if second else {}


def one(context: typer.Context, make: Any) -> None:
    """Sign in, say that one thing, and end."""
    from hw_sim.staff import OneCommand

    socket, settings, _ = context.obj
    run_client(lambda: OneCommand(socket, settings, f"staff-{os.getpid()}", make))


def check(
    context: typer.Context, second: SecondOption = "1001", second_pin: SecondPinOption = ""
) -> None:
    """Check the shoe in the virtual device (--shoe): all its cards are read, and it is shuffled."""
    from hw_sim.check_one import CheckOne
    from hw_sim.checker import Second
    from hw_sim.control import ShoeControl

    socket, settings, shoe = context.obj
    if shoe is None:
        raise fail("check: say before it with --shoe where the shoe's control is")
    with_him = Second(second, second_pin or second)
    name = f"staff-{os.getpid()}"
    run_client(lambda: CheckOne(socket, ShoeControl(shoe), settings, name, with_him))


def receipt(
    context: typer.Context,
    name: Name,
    machine: Annotated[str, typer.Option(help="The machine's serial number.")],
    number: Annotated[str, typer.Option(help="The receipt's number.")],
    checked_at: Annotated[str, typer.Option("--at", help="When, as it is printed.")],
    set_letter: SetOption = "",
    second: SecondOption = "1001",
    second_pin: SecondPinOption = "",
) -> None:
    """Enter a checking machine's receipt for that shoe."""
    fields = {"shoe": name, "set": set_letter, "machine": machine, "number": number}
    fields |= {"checked_at": checked_at, **two(second, second_pin)}
    from hw_sim import orders

    one(context, lambda _snapshot: orders.said("enter_checkers_receipt", fields))


def shuffled(
    context: typer.Context,
    name: Name,
    seal: Annotated[str, typer.Option(help="The number of the seal on it.")] = "",
) -> None:
    """Say that the shoe was shuffled after its check."""
    from hw_sim import orders

    one(context, lambda _snapshot: orders.said("shoe_shuffled", {"shoe": name, "seal": seal}))


def take_out(
    context: typer.Context,
    reason: Annotated[str, typer.Option(help="changed, damaged_card or time_limit.")] = "changed",
) -> None:
    """Take the shoe out, between rounds."""
    from hw_sim import orders

    one(context, lambda snapshot: orders.take_out(snapshot, reason))


def lift(
    context: typer.Context,
    name: Name,
    reason: Annotated[str, typer.Option(help="Why, for the journal.")],
) -> None:
    """Lift the bar of a shoe that a check has found whole since (a shift manager)."""
    from hw_sim import orders

    one(context, lambda _snapshot: orders.said("lift_shoe_bar", {"shoe": name, "reason": reason}))
