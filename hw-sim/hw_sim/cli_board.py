"""`hw-sim board-check`: does a board keep to the open protocol?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Add this command."""
    app.command("board-check")(board_check)


def board_check(
    port: Annotated[Path, typer.Argument(help="The board's port, such as /dev/serial/by-id/…")],
    baud: Annotated[int, typer.Option(help="Of its line.")] = 115200,
    person: Annotated[
        bool,
        typer.Option(
            "--person/--no-person", help="Ask for presses; without, those rules are not checked."
        ),
    ] = True,
    patience: Annotated[
        float, typer.Option(min=0.1, help="Seconds a person has for each thing asked.")
    ] = 20.0,
) -> None:
    """Check a table board, real or virtual, rule by rule; code 1 when it breaks one.

    The station must not have the port meanwhile. The rules are those of docs/board-protocol.md.
    """
    from hw_sim.board_check import run

    raise typer.Exit(run(port, baud, sys.stdout, person=person, patience_s=patience))
