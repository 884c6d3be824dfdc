"""`dealer-station round`: past rounds told, exported and verified. Heavy imports in the commands.

Only what has left the shoe is told: nothing here shows a card that is still in it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from station.cli_common import DEFAULT_CONFIG, ConfigOption, JsonOption, fail, json_out, say
from station.cli_of_journal import JournalOption, journal_path

if TYPE_CHECKING:
    from station.records.check import Checked
    from station.records.story import Story

round_app = typer.Typer(no_args_is_help=True, help="Past rounds: told, exported, verified.")

LangOption = Annotated[str, typer.Option("--lang", "--language", help="ko or en.")]
RoundArgument = Annotated[str, typer.Argument(metavar="ROUND", help="A round's number, or `last`.")]


@round_app.command("show")
def round_show(
    round_: RoundArgument,
    lang: LangOption = "ko",
    layout: Annotated[
        bool, typer.Option("--layout", help="Only the cards, large: to lay them back as they were.")
    ] = False,
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """What lay where, what came when, who pressed what: a round card by card.

    Works beside a running table, also for the round that is being played, and on a copy.
    """
    from station.records import text
    from station.records.documents import story_document

    language = _language(lang, as_json=json)
    path = journal_path(config, journal, as_json=json)
    with _failing(as_json=json):
        story, sealed = _story(path, round_, 0 if language == "ko" else 1)
    digits = _digits(config)
    if json:
        json_out({"ok": True, "sealed": sealed, **story_document(story)})
        return
    told = text.layout(story, language) if layout else text.show(story, language, digits, sealed)
    for line in told:
        say(line)


@round_app.command("list")
def round_list(
    last: Annotated[int, typer.Option(min=0, help="So many of the last; 0 for all.")] = 10,
    lang: LangOption = "ko",
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """The last rounds, one a line."""
    from station.records import listing, source

    language = _language(lang, as_json=json)
    path = journal_path(config, journal, as_json=json)
    with _failing(as_json=json), source.journal(path) as db:
        found = listing.listed(db, path, last)
    if json:
        json_out({"ok": True, "rounds": found})
        return
    for line in listing.lines(found, language):
        say(line)
    if not found:
        say(f"{path}: no round has been opened in this journal yet")


@round_app.command("export")
def round_export(
    round_: RoundArgument,
    file: Annotated[Path, typer.Argument(help="The new file, a ZIP; must not exist yet.")],
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also a round that still runs, up to now.")
    ] = False,
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """Write a round into one file that another machine can verify and replay.

    Exit code 1 when a picture was missing or changed: the file is written without it.
    """
    from station.records.export import export

    path = journal_path(config, journal, as_json=json)
    with _failing(as_json=json):
        done = export(path, round_, file, digits=_digits(config), unfinished=unfinished)
    manifest = done.manifest
    if json:
        document = {"ok": not done.lacking, "file": str(file), "exported": done}
        json_out(document)
        raise typer.Exit(1 if done.lacking else 0)
    say(
        f"{file}: round {manifest.round}, facts {manifest.first} to {manifest.last}, "
        f"{done.size} bytes, {'sealed' if done.sealed else 'NOT SEALED'}"
    )
    for one in manifest.pictures:
        if one.state != "kept":
            say(f"{one.state:8} {one.name} (fact {one.fact})")
    if done.lacking:
        say(f"NOT ALL: pictures missing or changed: {len(done.lacking)}; all else is exported")
        raise typer.Exit(1)


@round_app.command("verify")
def round_verify(
    file: Annotated[Path, typer.Argument(help="What `round export` wrote.")],
    key: Annotated[
        Path | None,
        typer.Option(help="The station's public key, from `journal key --out`, in PEM."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check an exported round on any machine: file, chain, seals, every card and every line.

    Exit code 1 when something is not as it should be; the first such thing is named.
    """
    from station.records import text
    from station.records.archive import ArchiveRefused
    from station.records.check import check

    with _failing(as_json=json):
        trusted = None
        if key is not None:
            from station.audit.keys import read_public

            trusted = read_public(key)
        try:
            found = check(file, trusted)
        except ArchiveRefused as error:
            raise fail(f"{file}: {error}", as_json=json) from None
    if json:
        json_out({"ok": not found.fault, **_built(found)})
        raise typer.Exit(1 if found.fault else 0)
    for line in _checked(found):
        say(text.printable(line))
    raise typer.Exit(1 if found.fault else 0)


def _checked(found: Checked) -> Iterator[str]:
    one = found.manifest
    if one is not None:
        facts = f"facts {one.first} to {one.last}"
        yield f"round    {one.round} of {one.kind} table {one.table}, {facts}"
    if found.fault:
        yield f"WRONG    {found.fault}"
        return
    yield f"facts    {found.facts}, each fits the chain"
    yield f"replay   {found.cards} cards and {found.lines} lines are what the rules make of them"
    yield f"pictures {found.pictures}, each as it was read"
    if found.sealed:
        whose = "the key given, or signed by it" if found.trusted else "the file's own key"
        yield f"sealed   {found.key} ({whose})"
    for what in found.unproven:
        yield f"NOT PROVEN: {what}"


def _story(path: Path, name: str, at: int) -> tuple[Story, str]:
    """The round, and what is said of its seal."""
    from station.cli_evidence import folder, removed_names
    from station.evidence import state_of
    from station.records import parcel, source
    from station.records.export import ENDS
    from station.records.sealing import of_round

    gone = removed_names(path)
    with source.journal(path) as db:
        number = source.number_of(db, path, name)
        found = source.find(db, path, number)
        ended = next((r for r in found.rows if r.kind in ENDS and r.round == number), None)
        seals = of_round(db, found.opened, ended.seq if ended else None)
    with folder(path) as handle:
        states = {
            one.name: state_of(handle, one, removed=one.name in gone)
            for _, one in parcel.named_pictures(found.rows)
        }
    story = parcel.story_of(found.before, found.rows, found.later, number, states)
    seal = seals.after
    last = next((r for r in found.rows if seal is not None and r.seq == seal.seq), None)
    return story, parcel.sealed(story.table, seals, last, at)


def _digits(config: Path) -> int:
    """How many digits follow the point of an amount; whole units where there is no table's file."""
    from station.config import ConfigError, load_config

    with contextlib.suppress(ConfigError, ValueError, OSError):
        return load_config(config).table.minor_digits if config.is_file() else 0
    return 0


def _language(lang: str, *, as_json: bool) -> Any:
    if lang not in ("ko", "en"):
        raise fail(f"--lang {lang!r}: ko or en", as_json=as_json)
    return lang


def _built(value: object) -> Any:
    import msgspec

    return msgspec.to_builtins(value)


@contextlib.contextmanager
def _failing(*, as_json: bool) -> Iterator[None]:
    """Errors of journal and folder as one line."""
    from station.evidence import EvidenceRefused
    from station.journal import JournalError

    try:
        yield
    except (JournalError, EvidenceRefused) as error:
        raise fail(error, as_json=as_json) from None
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        why = error.strerror or "it cannot be read"
        raise fail(
            f"{what}{why}; give yourself the right, or name another", as_json=as_json
        ) from None
