"""`dealer-station incident`: what went wrong at a table, told from its facts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from station.cli_common import DEFAULT_CONFIG, ConfigOption, JsonOption, fail, json_out, say
from station.cli_of_journal import JournalOption, journal_path

if TYPE_CHECKING:
    from station.records.incidents import Report

incident_app = typer.Typer(no_args_is_help=True, help="Incidents and their reports.")

LangOption = Annotated[str, typer.Option("--lang", "--language", help="ko or en.")]


@incident_app.command("list")
def incident_list(
    last: Annotated[int, typer.Option(min=0, help="So many of the last; 0 for all.")] = 20,
    lang: LangOption = "ko",
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """The last incidents, one a line: number, time, round, what it was, how it ended."""
    from station.records import incident_text

    at = _language(lang, as_json=json)
    path = journal_path(config, journal, as_json=json)
    found = _reports(path, as_json=json)
    found = found[-last:] if last else found
    if json:
        json_out({"ok": True, "incidents": found})
        return
    for report in found:
        say(incident_text.headline(report, at))
    if not found:
        say(f"{path}: no incident in this journal")


@incident_app.command("show")
def incident_show(
    number: Annotated[int, typer.Argument(help="The incident's number, as `list` has it.")],
    lang: LangOption = "ko",
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """The report of one incident, to be printed and signed."""
    from station.records import incident_text

    at = _language(lang, as_json=json)
    path = journal_path(config, journal, as_json=json)
    reports = _reports(path, as_json=json)
    found = next((report for report in reports if report.number == number), None)
    if found is None:
        wrong = f"{path}: no incident {number}; `dealer-station incident list` names them"
        raise fail(wrong, as_json=json)
    if json:
        json_out({"ok": True, "incident": found})
        return
    for line in incident_text.lines(found, at):
        say(line)


def _reports(path: Path, *, as_json: bool) -> list[Report]:
    """Every incident of the journal, by its number."""
    from station.journal import JournalError, rows
    from station.records import incidents, source

    try:
        with source.journal(path) as db:
            return sorted(incidents.reports(rows(db)), key=lambda report: report.number)
    except JournalError as error:
        raise fail(error, as_json=as_json) from None


def _language(lang: str, *, as_json: bool) -> int:
    """0 for Korean, 1 for English."""
    if lang not in ("ko", "en"):
        raise fail(f"--lang {lang!r}: ko or en", as_json=as_json)
    return ("ko", "en").index(lang)
