"""`dealer-station doctor`: whether this machine is fit for a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from station.cli_common import DEFAULT_CONFIG, ConfigOption, JsonOption, json_out, say


def doctor(
    config: ConfigOption = DEFAULT_CONFIG,
    console: Annotated[
        bool | None,
        typer.Option(
            "--console/--no-console",
            help="Whether the dealer's console runs here; else: when there is a display.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Look for what would stop a table: rights, ports, libraries, clock, disk.

    Exit code 1 when something fails; warnings do not count. Without a running
    table each port is opened for a moment.
    """
    from station import cli_doctor

    findings = cli_doctor.examine(Path(config), console=console)
    failed = [finding for finding in findings if finding.level == "fail"]
    if json:
        json_out({"ok": not failed, "findings": findings})
    else:
        for line in cli_doctor.lines(findings):
            say(line)
    raise typer.Exit(1 if failed else 0)
