"""`dealer-station selfcheck`: whether the installed program is the one that was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from station.cli_common import JsonOption, fail, json_out, say

SHOWN = 20


def selfcheck(
    manifest: Annotated[
        Path | None,
        typer.Option(help="What --write made, kept elsewhere; else the installation's record."),
    ] = None,
    write: Annotated[
        Path | None, typer.Option(help="Record what is there now, as a manifest, and end.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compare every file of the installed program with its record. 1: not as recorded."""
    from station.audit import selfcheck as s

    if manifest is not None and write is not None:
        raise fail("--manifest and --write: one of the two", as_json=json)
    try:
        if write is not None:
            made = s.record(write)
            if json:
                json_out({"ok": True, "file": str(write), "files": len(made.files)})
            else:
                say(f"{write}: {len(made.files)} files and {len(made.parts)} parts recorded")
                say("keep it where this machine cannot write")
            return
        found = s.check(s.read(manifest) if manifest is not None else None)
    except s.SelfCheckError as error:
        raise fail(error, as_json=json) from None
    except OSError as error:
        raise fail(f"{error.filename}: {error.strerror or error}", as_json=json) from None
    if json:
        json_out(found)
    else:
        _show(found, s.python())
    if not found.ok:
        raise typer.Exit(1)


def _show(found: object, python: str) -> None:
    from station.audit.selfcheck import Result

    assert isinstance(found, Result)
    verdict = "as recorded" if found.ok else "NOT AS RECORDED: stop the table, call a technician"
    say(f"program  {verdict}")
    say(f"release  {found.release}, {python}")
    say(f"against  {found.against}")
    say(f"read     {found.files} files in {found.ms} ms")
    for word in ("changed", "missing", "added"):
        names = getattr(found, word)
        for name in names[:SHOWN]:
            say(f"{word:9}{name}")
        if len(names) > SHOWN:
            say(f"{word:9}and {len(names) - SHOWN} more (--json has all)")
    for name in found.unrecorded:
        say(f"note     {name}: its installation left no record; it was not checked")
