"""`dealer-station stats`: figures of play out of the journal. Heavy imports in the command."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from station.cli_common import DEFAULT_CONFIG, ConfigOption, JsonOption, fail, json_out, say
from station.cli_of_journal import JournalOption, journal_path

_GROUPS = ("table", "dealer", "shoe")


def stats(
    by: Annotated[str, typer.Option(help="Whose figures: table, dealer or shoe.")] = "table",
    since: Annotated[
        str, typer.Option(metavar="DATE", help="From then on, such as 2026-03-01 (UTC).")
    ] = "",
    until: Annotated[
        str, typer.Option(metavar="DATE", help="Before then, such as 2026-03-02T04:00 (UTC).")
    ] = "",
    csv: Annotated[
        bool, typer.Option("--csv", help="One figure a line, for spreadsheets.")
    ] = False,
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """Rounds, voids, cards, no-reads, holds, rulings, refusals: counted over the facts.

    Faces are told of shoes that are out, never of one in play.
    """
    from station.journal import JournalError
    from station.records import figures, source
    from station.records.stats import statistics

    if csv and json:
        raise fail("--csv and --json: one of them", as_json=json)
    if by not in _GROUPS:
        raise fail(f"--by {by!r}: one of {', '.join(_GROUPS)}", as_json=json)
    group: Any = by
    first, before = (
        _stamp(name, text, as_json=json) for name, text in (("since", since), ("until", until))
    )
    if first and before and first >= before:
        raise fail(f"--since {since} is not before --until {until}", as_json=json)
    path = journal_path(config, journal, as_json=json)
    began = time.monotonic()
    try:
        with source.journal(path) as db:
            sums = statistics(db, path, group, first, before)
    except JournalError as error:
        raise fail(error, as_json=json) from None
    seconds = round(time.monotonic() - began, 3)
    if json:
        json_out({"ok": True, **figures.document(sums), "seconds": seconds})
    elif csv:
        typer.echo(figures.comma_separated(sums), nl=False)
    else:
        for line in figures.lines(sums):
            say(line)


def _stamp(name: str, text: str, *, as_json: bool) -> str:
    from station.records import figures

    try:
        return figures.stamp_of(text) if text else ""
    except ValueError:
        raise fail(
            f"--{name} {text!r}: a date such as 2026-03-01, or a time such as 2026-03-01T18:30",
            as_json=as_json,
        ) from None
