"""`dealer-station staff`: people and PINs. Heavy things are imported by the command itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from station.cli_common import (
    DEFAULT_CONFIG,
    ConfigOption,
    JsonOption,
    fail,
    json_out,
    loaded,
    say,
)

staff_app = typer.Typer(no_args_is_help=True, help="People and PINs.")


@staff_app.command("add")
def staff_add(
    staff: Annotated[str, typer.Argument(help="The person's number.")],
    name: Annotated[str, typer.Option(help="The name shown on the console.")],
    role: Annotated[
        str, typer.Option(help="dealer, supervisor, shift_manager, technician or auditor.")
    ] = "dealer",
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Add a person, or give one a new PIN; the PIN is asked for, never an argument."""
    from station import cli_staff
    from station.staff import StaffError

    settings = loaded(config)
    try:
        person, people = cli_staff.person(staff, name, role), cli_staff.people(settings)
        # A PIN that will not do is refused before it is asked for again.
        pin = typer.prompt(
            "PIN", hide_input=True, confirmation_prompt=True, value_proc=cli_staff.check_pin
        )
        people.add(person, pin)
    except (StaffError, OSError) as error:
        raise fail(error) from None
    say(f"{people.path}: {staff} ({role})")
    if cli_staff.station_runs(Path(settings.link.socket)):
        say("restart the station to use it")


@staff_app.command("list")
def staff_list(config: ConfigOption = DEFAULT_CONFIG, json: JsonOption = False) -> None:
    """Who there is: number, role and name."""
    from station import cli_staff
    from station.staff import StaffError

    try:
        people = cli_staff.listed(cli_staff.people(loaded(config, as_json=json)))
    except StaffError as error:
        raise fail(error, as_json=json) from None
    if json:
        json_out(people)
        return
    for one in people:
        say(f"{one['staff']:10} {one['role']:14} {one['name']}")
