"""`dealer-station staff`: people, PINs, badges. Heavy things are imported by the command itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from station.staff import Staff

staff_app = typer.Typer(no_args_is_help=True, help="People, PINs and badges.")

Number = Annotated[str, typer.Argument(help="The person's number.")]
Until = Annotated[str | None, typer.Option(help="The licence's last day, 2027-12-31.")]
GameUntil = Annotated[
    str | None, typer.Option(help="The last day on which the dealer may deal blackjack.")
]
LicenceNumber = Annotated[str | None, typer.Option("--licence", help="The licence's number.")]


def _ask(what: str, shown: bool) -> str:
    """Never an argument: a command line is read by everybody on the machine."""
    return str(typer.prompt(what, hide_input=not shown, err=True))


@contextlib.contextmanager
def _changing(settings: Any) -> Iterator[tuple[Staff, str]]:
    from station.cli_staff import changing

    with _failing(), changing(settings, _ask) as who:
        yield who


@contextlib.contextmanager
def _failing() -> Iterator[None]:
    from station.staff import StaffError

    try:
        yield
    except (StaffError, OSError) as error:
        raise fail(error) from None


def _said(settings: Any, text: str) -> None:
    from station.cli_staff import station_runs

    say(f"{settings.staff.file}: {text}")
    if station_runs(Path(settings.link.socket)):
        say("the running station takes it up by itself, within seconds")


@staff_app.command("add")
def staff_add(
    staff: Number,
    name: Annotated[str, typer.Option(help="The person's name.")],
    role: Annotated[
        str, typer.Option(help="dealer, supervisor, shift_manager, technician or auditor.")
    ] = "dealer",
    stage: Annotated[str | None, typer.Option(help="The name shown to players.")] = None,
    licence: LicenceNumber = None,
    licence_until: Until = None,
    game_until: GameUntil = None,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Add a person; the PIN is asked for, never an argument."""
    from station import cli_staff

    settings = loaded(config)
    changes = cli_staff.Changes(stage, licence, licence_until, game_until)
    with _failing():
        person = cli_staff.person(staff, name, role)
    with _changing(settings) as (people, by):
        # What will not do is refused before anything is asked for, a PIN before it is again.
        cli_staff.check_new(people, staff)
        pin = typer.prompt(
            f"PIN of {staff}",
            hide_input=True,
            confirmation_prompt=True,
            err=True,
            value_proc=lambda pin: cli_staff.check_pin(staff, pin),
        )
        cli_staff.add(people, by, person, pin, changes)
        why = people.barred(staff)
    _said(settings, f"{staff} ({role}) added")
    if why is not None:
        say(f"cannot work yet: {why.code}; `dealer-station staff licence {staff}` records it")


@staff_app.command("list")
def staff_list(
    changes: Annotated[
        bool, typer.Option("--changes", help="Who changed what of whom, and when.")
    ] = False,
    config: ConfigOption = DEFAULT_CONFIG,
    json: JsonOption = False,
) -> None:
    """Who there is: number, role and name, and why somebody cannot work."""
    import msgspec

    from station import cli_staff
    from station.staff import StaffError

    try:
        staff = cli_staff.people(loaded(config, as_json=json))
    except (StaffError, OSError) as error:
        raise fail(error, as_json=json) from None
    if changes:
        done = [msgspec.to_builtins(change) for change in staff.file.changes]
        if json:
            json_out(done)
            return
        for one in done:
            say(f"{one['at']}  {one['by']:12} {one['did']:10} {one['staff']:10} {one['what']}")
        return
    people = cli_staff.listed(staff)
    if json:
        json_out(people)
        return
    for person in people:
        say(cli_staff.in_a_line(person))


@staff_app.command("licence")
def staff_licence(
    staff: Number,
    licence: Annotated[str | None, typer.Option("--number", help="The licence's number.")] = None,
    until: Until = None,
    game_until: GameUntil = None,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Record a dealer's licence, or until when he may deal blackjack."""
    from station import cli_staff

    if licence is None and until is None and game_until is None:
        raise fail("nothing to record: give --number and --until, or --game-until")
    settings = loaded(config)
    with _changing(settings) as (people, by):
        changes = cli_staff.Changes(None, licence, until, game_until)
        cli_staff.licence(people, by, staff, changes)
    _said(settings, f"{staff}: recorded")


@staff_app.command("disable")
def staff_disable(
    staff: Number,
    why: Annotated[str, typer.Option(help="Why, for the record.")],
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Let somebody in no more; his entry stays for the record."""
    from station import cli_staff

    settings = loaded(config)
    with _changing(settings) as (people, by):
        cli_staff.disable(people, by, staff, why)
    _said(settings, f"{staff} is disabled")


@staff_app.command("enable")
def staff_enable(staff: Number, config: ConfigOption = DEFAULT_CONFIG) -> None:
    """Let somebody in again who was disabled."""
    from station import cli_staff

    settings = loaded(config)
    with _changing(settings) as (people, by):
        cli_staff.enable(people, by, staff)
    _said(settings, f"{staff} is enabled")


@staff_app.command("reset")
def staff_reset(
    staff: Number,
    again: Annotated[
        bool, typer.Option("--again", help="Another one-time secret; the last one was lost.")
    ] = False,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Give a one-time secret in place of a forgotten PIN; whoever has one exchanges it here."""
    from station import cli_staff
    from station.staff_file import alone

    settings = loaded(config)
    with _failing():
        entry = cli_staff.known(cli_staff.people(settings), staff)
    if entry.once and not again:
        with _failing(), alone(Path(settings.staff.file)):
            cli_staff.exchange(cli_staff.people(settings), staff, _ask)
        _said(settings, f"{staff} has a PIN of his own")
        return
    with _changing(settings) as (people, by):
        secret = cli_staff.new_secret(people, by, staff)
    _said(settings, f"the old PIN of {staff} is void")
    say(f"one-time secret: {secret}")
    say(f"it is shown this once; {staff} exchanges it with `dealer-station staff reset {staff}`")


@staff_app.command("unlock")
def staff_unlock(staff: Number, config: ConfigOption = DEFAULT_CONFIG) -> None:
    """Let somebody try again who is locked for wrong PINs."""
    from station import cli_staff

    settings = loaded(config)
    with _changing(settings) as (people, by):
        cli_staff.unlock(people, by, staff)
    if cli_staff.station_runs(Path(settings.link.socket)):
        say(f"{staff} may try again in a few seconds")
    else:
        say(f"{staff} may try again when the station starts")


@staff_app.command("badge")
def staff_badge(staff: Number, config: ConfigOption = DEFAULT_CONFIG) -> None:
    """Make a badge: prints what to encode on it (Code 128, QR, or a card's memory)."""
    from station import cli_staff

    settings = loaded(config)
    with _changing(settings) as (people, by):
        text = cli_staff.give_badge(people, by, staff)
    _said(settings, f"an earlier badge of {staff} opens nothing any more")
    say(f"encode on the badge of {staff}: {text}")
    say("it is shown this once; whoever has this text can sign in with it")
