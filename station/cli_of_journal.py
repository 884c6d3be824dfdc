"""`dealer-station journal`: the facts on disk. Heavy things are imported by the command itself."""

from __future__ import annotations

from datetime import datetime
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


KeyOption = Annotated[
    Path | None,
    typer.Option("--key", help="The station's public key, kept elsewhere (`journal key --out`)."),
]


@journal_app.command("verify")
def journal_verify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Journals or copies, oldest first; else that of the table's file."),
    ] = None,
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Check the whole chain and its seals, and fold it; equal state digests are equal states."""
    from station.audit.files import verify_files
    from station.audit.keys import read_public
    from station.cli_audit import verified_document, verified_lines
    from station.journal import JournalError

    paths = files or [journal_path(config, journal, as_json=json)]
    try:
        found = verify_files(paths, read_public(key) if key is not None else None)
    except JournalError as error:
        raise fail(error, as_json=json) from None
    if json:
        json_out(verified_document(paths, found))
        return
    for line in verified_lines(paths, found):
        say(line)


@journal_app.command("key")
def journal_key(
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the public key to this file (PEM).")
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin a new key, signed by the old; no table may run.")
    ] = False,
    lost: Annotated[
        bool, typer.Option("--lost", help="With --new: the old key is lost; `verify` will tell.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show the public key by which the journal's seals are checked."""
    from sqlite3 import Error

    from station.cli_audit import key_document, new_key, write_public
    from station.journal import JournalError

    path = journal_path(config, journal, as_json=json)
    if lost and not new:
        raise fail("--lost goes with --new: it begins a new key without the old", as_json=json)
    try:
        if new:
            new_key(path, lost=lost)
        document = key_document(path)
        if out is not None:
            write_public(out, document["public"])
    except (JournalError, OSError, Error) as error:
        raise fail(error, as_json=json) from None
    if json:
        json_out(document)
        return
    say(str(document["public"]).strip())
    say(f"fingerprint  {document['fingerprint']}")
    say(f"since fact   {document['since']}")


@journal_app.command("rotate")
def journal_rotate(
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """Close the journal under a dated name and go on in a new file. No table may run."""
    from sqlite3 import Error

    from station.audit.rotation import rotate
    from station.cli_audit import whoami
    from station.clock import SystemClock
    from station.journal import JournalError

    path = journal_path(config, journal, as_json=json)
    try:
        done = rotate(path, whoami(), SystemClock())
    except (JournalError, OSError, Error) as error:
        raise fail(error, as_json=json) from None
    if json:
        document = {"ok": True, "closed": str(done.closed), "facts": done.found.facts}
        json_out({**document, "head": done.found.head, "carried": done.carried})
        return
    say(f"closed   {done.closed}")
    say(f"ends at  fact {done.found.facts}, head {done.found.head}")
    say(f"begun    {path}, with {done.carried} facts taken along")


@journal_app.command("retire")
def journal_retire(
    before: Annotated[
        datetime,
        typer.Option("--before", formats=["%Y-%m-%d"], help="Whose last fact is older than this."),
    ],
    to: Annotated[Path, typer.Option("--to", help="The folder they go to.")],
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    key: KeyOption = None,
) -> None:
    """Move closed journals out to a folder, each after it has verified. Nothing is deleted."""
    from station.audit.files import KEEP_YEARS, retire
    from station.audit.keys import read_public
    from station.journal import JournalError

    path = journal_path(config, journal)
    try:
        given = read_public(key) if key is not None else None
        done = retire(path, before.date().isoformat(), to, given)
    except (JournalError, OSError) as error:
        raise fail(error) from None
    for file in done.moved:
        say(f"moved    {file}")
    for why in done.kept:
        say(f"kept     {why}")
    if not done.moved and not done.kept:
        say(f"nothing  no closed journal beside {path} ends before {before.date()}")
    say(
        f"keep all of it {KEEP_YEARS} years, with the public key, or as long as your regulator says"
    )
    if done.kept:
        raise typer.Exit(1)


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
    from station.cli_staff import proved
    from station.clock import SystemClock
    from station.journal import JournalError
    from station.quarantine import quarantine
    from station.staff import Staff, StaffError
    from station.staff_file import alone

    settings = loaded(config)
    try:
        with alone(Path(settings.staff.file)):
            staff = Staff.load(Path(settings.staff.file), settings.table.kind)
            people = [proved(staff, number, _asked) for number in (technician, manager)]
        sealed, good = quarantine(
            Path(settings.journal.path), (people[0], people[1]), SystemClock()
        )
    except (JournalError, StaffError, OSError) as error:
        raise fail(error) from None
    say(f"sealed   {sealed}")
    say(f"because  {good.fault}")
    say(f"good     {good.facts} facts, head {good.head}")


def _asked(what: str, shown: bool) -> str:
    return str(typer.prompt(what, hide_input=not shown, err=True))


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
