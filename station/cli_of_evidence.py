"""`dealer-station evidence`: the pictures of what was read. Heavy things are imported by commands.

Only what has left the shoe has pictures: nothing here shows a card that is still in it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from station.cli_common import DEFAULT_CONFIG, ConfigOption, JsonOption, fail, json_out, say
from station.cli_of_journal import JournalOption, journal_path

evidence_app = typer.Typer(no_args_is_help=True, help="The pictures of what cameras read.")


@evidence_app.command("show")
def evidence_show(
    round_: Annotated[
        int | None, typer.Argument(metavar="[ROUND]", min=0, max=2**53, help="A round's number.")
    ] = None,
    fact: Annotated[
        int | None, typer.Option(min=1, max=2**53, help="One fact instead: its sequence number.")
    ] = None,
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """What was read in a round, what it became, and the pictures it was read from."""
    from station import cli_evidence as evidence

    if (round_ is None) == (fact is None):
        raise fail("evidence show: give a round's number, or --fact with a fact's", as_json=json)
    path = journal_path(config, journal, as_json=json)
    with _failing(as_json=json):
        if fact is not None:
            found = evidence.of_fact(path, fact)
        else:
            found = evidence.of_round(path, round_ or 0)
        shown = evidence.pictures(path, found)
    if json:
        json_out({"ok": True, "reads": evidence.documents(found, shown)})
        return
    for line in evidence.lines(found, shown):
        say(line)
    if not any(read.evidence for read in found):
        say("no pictures: none of these reads had any")


@evidence_app.command("verify")
def evidence_verify(
    config: ConfigOption = DEFAULT_CONFIG, journal: JournalOption = None, json: JsonOption = False
) -> None:
    """Hold every picture against the hash in its fact.

    Exit code 1 when one is missing or changed. What the station took away for its age or for room
    a fact says: that is no damage.
    """
    from station import cli_evidence as evidence

    path = journal_path(config, journal, as_json=json)
    with _failing(as_json=json):
        found = evidence.check(path)
    if json:
        json_out({"ok": found.whole, "found": found})
    else:
        for line in evidence.check_lines(found):
            say(line)
    raise typer.Exit(0 if found.whole else 1)


@evidence_app.command("export")
def evidence_export(
    round_: Annotated[int, typer.Argument(metavar="ROUND", min=0, max=2**53)],
    folder: Annotated[Path, typer.Argument(help="A new folder.")],
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """Write a round's facts and pictures into a folder that any machine can check.

    Exit code 1 when a picture was missing or changed: the export is written without it.
    """
    from station import evidence_export as exports

    path = journal_path(config, journal, as_json=json)
    with _failing(as_json=json):
        manifest = exports.export(path, round_, folder)
    lacking = manifest.lacking
    if json:
        json_out({"ok": not lacking, "folder": str(folder), "manifest": manifest})
        raise typer.Exit(1 if lacking else 0)
    kept = sum(one.state == "kept" for one in manifest.pictures)
    say(f"{folder}: facts {manifest.first} to {manifest.last}, {kept} pictures")
    for one in manifest.pictures:
        if one.state != "kept":
            say(f"{one.state:8} {one.name} (fact {one.fact})")
    if lacking:
        say(
            f"NOT ALL: pictures missing or changed: {len(lacking)}; facts and the others are "
            "exported. `evidence verify` tells how all pictures of the journal are"
        )
        raise typer.Exit(1)


@evidence_app.command("check")
def evidence_check(
    folder: Annotated[Path, typer.Argument(help="What `evidence export` wrote.")],
    json: JsonOption = False,
) -> None:
    """Check an export, on any machine, without the journal. Exit code 1 when it is not whole."""
    from station import evidence_export as exports

    with _failing(as_json=json):
        found = exports.check(folder)
    if json:
        json_out({"ok": not found.faults, "faults": found.faults, "manifest": found.manifest})
    else:
        one = found.manifest
        say(f"{one.kind} table {one.table}, round {one.round}, facts {one.first} to {one.last}")
        say(f"head     {one.head}")
        say(f"pictures {found.pictures}, faults {len(found.faults)}")
        for lacked in one.lacking:
            say(f"{lacked.name} (fact {lacked.fact}) was {lacked.state} when this was exported")
        for fault in found.faults:
            say(fault)
    raise typer.Exit(1 if found.faults else 0)


@contextlib.contextmanager
def _failing(*, as_json: bool) -> Iterator[None]:
    """Errors of journal, folder and export as one line."""
    from station.evidence import EvidenceRefused
    from station.evidence_export import ExportError
    from station.journal import JournalError

    try:
        yield
    except (JournalError, EvidenceRefused, ExportError) as error:
        raise fail(error, as_json=as_json) from None
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        why = error.strerror or "it cannot be read"
        raise fail(
            f"{what}{why}; give yourself the right, or name another", as_json=as_json
        ) from None
