"""`dealer-station shoe`: what the journal says of shoes, and their receipts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from station import cli_of_shoe_orders
from station.cli_common import DEFAULT_CONFIG, ConfigOption, JsonOption, fail, json_out, say
from station.cli_of_incident import LangOption
from station.cli_of_journal import JournalOption, journal_path

if TYPE_CHECKING:
    from station.records.shoes import Life, Told

shoe_app = typer.Typer(no_args_is_help=True, help="Shoes: checks, loads, counts, receipts.")
cli_of_shoe_orders.add_to(shoe_app)

NumberOption = Annotated[
    int,
    typer.Option(min=0, help="Which record of that shoe, as `list` has it; 0 for the last."),
]
ShoeArgument = Annotated[str, typer.Argument(help="The shoe's name, as `list` has it.")]


@shoe_app.command("list")
def shoe_list(
    last: Annotated[int, typer.Option(min=0, help="So many of the last; 0 for all.")] = 20,
    lang: LangOption = "ko",
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """The last shoes, one a line: number, when, name and set, rounds, how it stands."""
    from station.records import shoe_text

    at = _language(lang, as_json=json)
    path = journal_path(config, journal, as_json=json)
    found = _told(path, as_json=json).lives
    found = found[-last:] if last else found
    if json:
        json_out({"ok": True, "shoes": found})
        return
    for life in found:
        say(shoe_text.headline(life, at))
    if not found:
        say(f"{path}: no shoe in this journal")


@shoe_app.command("show")
def shoe_show(
    name: ShoeArgument,
    number: NumberOption = 0,
    lang: LangOption = "ko",
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """One shoe: its check, who put it in, the rounds it dealt, its count."""
    from station.records import shoe_text

    at = _language(lang, as_json=json)
    path = journal_path(config, journal, as_json=json)
    told = _told(path, as_json=json)
    life = _one(path, told, name, number, as_json=json)
    if json:
        json_out({"ok": True, "shoe": life, "marked": life.marked, "gone": life.gone})
        return
    for line in shoe_text.lines(life, told, at):
        say(line)


@shoe_app.command("receipt")
def shoe_receipt(
    name: ShoeArgument,
    number: NumberOption = 0,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="A new file: a page that prints on A4.", metavar="FILE"),
    ] = None,
    lang: LangOption = "ko",
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
) -> None:
    """The receipt of one shoe, to be printed and signed: as text, or as a page."""
    from station.records import shoe_text

    at = _language(lang, as_json=False)
    path = journal_path(config, journal, as_json=False)
    told = _told(path, as_json=False)
    life = _one(path, told, name, number, as_json=False)
    if html is None:
        for line in shoe_text.lines(life, told, at):
            say(line)
        return
    try:
        handle = os.open(html, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(shoe_text.page(life, told, at))
    except FileExistsError:
        raise fail(f"{html}: it is there already; name another file") from None
    except OSError as error:
        raise fail(f"{html}: {error.strerror or error}; name another file") from None
    say(f"{html}")


def _told(path: Path, *, as_json: bool) -> Told:
    """The life of every shoe, from facts whose chain holds."""
    from station.audit.reading import start_of
    from station.journal import JournalError, chained
    from station.records import shoes, source

    try:
        with source.journal(path) as db:
            begin = start_of(db, path)
            return shoes.lives(chained(db, path, begin.after, begin.head), begin.table)
    except JournalError as error:
        raise fail(error, as_json=as_json) from None


def _one(path: Path, told: Told, name: str, number: int, *, as_json: bool) -> Life:
    found = [life for life in told.lives if life.manifest.shoe == name]
    if number:
        found = [life for life in found if life.number == number]
    if not found:
        which = f"shoe {name!r}" + (f" with record {number}" if number else "")
        wrong = f"{path}: no {which}; `dealer-station shoe list` names them"
        raise fail(wrong, as_json=as_json)
    return found[-1]


def _language(lang: str, *, as_json: bool) -> int:
    """0 for Korean, 1 for English."""
    if lang not in ("ko", "en"):
        raise fail(f"--lang {lang!r}: ko or en", as_json=as_json)
    return ("ko", "en").index(lang)
