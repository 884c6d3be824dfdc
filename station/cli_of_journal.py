"""`dealer-station journal`: the facts on disk. Heavy things are imported by the command itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from station.cli_common import (
    DEFAULT_CONFIG,
    ConfigOption,
    JsonOption,
    LinesOption,
    fail,
    json_out,
    loaded,
    say,
)

journal_app = typer.Typer(no_args_is_help=True, help="The facts on disk.")


def journal_path(config: Path, journal: Path | None, *, as_json: bool = False) -> Path:
    """The journal that is meant: the one named, or that of the table's file."""
    return journal or Path(loaded(config, as_json=as_json).journal.path)


JournalOption = Annotated[
    Path | None, typer.Option("--journal", help="The journal, instead of the table's file.")
]
RoundOption = Annotated[
    int | None,
    typer.Option(
        "--round",
        min=0,
        max=2**53,
        help="Only that round, from its opening to the next one's; 0: before the first.",
    ),
]


@journal_app.command("verify")
def journal_verify(
    config: ConfigOption = DEFAULT_CONFIG, journal: JournalOption = None, json: JsonOption = False
) -> None:
    """Check the whole chain and fold it; equal state digests are equal states, bit for bit."""
    from station.journal import JournalError
    from station.journal import verify as verify_journal

    path = journal_path(config, journal, as_json=json)
    try:
        found = verify_journal(path)
    except JournalError as error:
        raise fail(error, as_json=json) from None
    document = {
        "ok": True,
        "journal": str(path),
        "facts": found.facts,
        "head": found.head,
        "state": found.state,
        "checkpoints": found.checkpoints,
        "rounds": found.table.game.rounds,
    }
    if json:
        json_out(document)
    else:
        for name, value in document.items():
            say(f"{name:12}{value}")


@journal_app.command("show")
def journal_show(
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    round_: RoundOption = None,
    last: Annotated[int, typer.Option(min=0, help="Only so many of the last; 0 for all.")] = 0,
    bare: Annotated[
        bool, typer.Option(help="Facts alone, without stamps and hashes: for comparing runs.")
    ] = False,
    json: LinesOption = False,
) -> None:
    """Show facts, one a line."""
    from station.cli_journal import shown_lines

    for line in _lines(
        shown_lines(journal_path(config, journal), round_, last, bare=bare, as_json=json)
    ):
        say(line)


def _lines(lines: Any) -> Any:
    from station.journal import JournalError

    try:
        yield from lines
    except JournalError as error:
        raise fail(error) from None


@journal_app.command("export")
def journal_export(
    file: Annotated[Path, typer.Argument(help="Where to; `-` is the standard output.")],
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    round_: RoundOption = None,
) -> None:
    """Write the verified facts with stamps and hashes as JSON lines."""
    from station.cli_journal import export_lines, write_whole

    lines = _lines(export_lines(journal_path(config, journal), round_))
    if str(file) == "-":
        for line in lines:
            say(line)
        return
    try:
        count = write_whole(file, lines)
    except OSError as error:
        raise fail(f"{file}: {error.strerror or error}") from None
    say(f"{file}: {count} facts")


@journal_app.command("quarantine")
def journal_quarantine(
    technician: Annotated[str, typer.Option(help="The technician's staff number.")],
    manager: Annotated[str, typer.Option(help="The shift manager's staff number.")],
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Seal a damaged journal and begin the next one; two persons prove who they are.

    An open round is void, every bet returned; play goes on with a new shoe.
    """
    from station.clock import SystemClock
    from station.journal import JournalError
    from station.quarantine import quarantine
    from station.staff import Staff, StaffError

    settings = loaded(config)
    try:
        staff = Staff.load(Path(settings.staff.file), settings.table.kind)
        people = []
        for number in (technician, manager):
            person = staff.check(number, typer.prompt(f"PIN {number}", hide_input=True))
            if person is None:
                raise fail(f"staff number or PIN is wrong ({number})")
            people.append(person)
        sealed, good = quarantine(
            Path(settings.journal.path), (people[0], people[1]), SystemClock()
        )
    except (JournalError, StaffError, OSError) as error:
        raise fail(error) from None
    say(f"sealed   {sealed}")
    say(f"because  {good.fault}")
    say(f"good     {good.facts} facts, head {good.head}")


@journal_app.command("backup")
def journal_backup(
    file: Annotated[Path, typer.Argument(help="The copy; must not exist yet.")],
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
) -> None:
    """Copy the journal whole, also of a running table, and check the copy."""
    from station.cli_journal import backup
    from station.journal import JournalError

    try:
        found = backup(journal_path(config, journal), file)
    except (JournalError, OSError) as error:
        raise fail(error) from None
    say(f"{file}: {found.facts} facts, head {found.head}")
