"""`dealer-station`: the command line. Heavy things are imported by the command that needs them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

_BEGAN = time.monotonic()

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
config_app = typer.Typer(no_args_is_help=True, help="A table's file.")
journal_app = typer.Typer(no_args_is_help=True, help="The facts on disk.")
staff_app = typer.Typer(no_args_is_help=True, help="People and PINs.")
app.add_typer(config_app, name="config")
app.add_typer(journal_app, name="journal")
app.add_typer(staff_app, name="staff")

ConfigOption = Annotated[
    Path, typer.Option("--config", "-c", help="The table's file.", metavar="FILE")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document, for scripts.")]
LinesOption = Annotated[bool, typer.Option("--json", help="JSON lines, one fact a line.")]
DEFAULT_CONFIG = Path("table.toml")


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        _say(f"dealer-station {metadata.version('dealer-station')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Say the release and end."
        ),
    ] = False,
) -> None:
    """The software of a live blackjack table."""


def main() -> None:
    """The command's entry point."""
    app()


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _json(document: Any) -> None:
    import msgspec

    sys.stdout.buffer.write(msgspec.json.encode(document) + b"\n")
    sys.stdout.flush()


def _fail(error: BaseException | str, *, as_json: bool = False) -> typer.Exit:
    """One line that says what is wrong, and exit code 2."""
    if as_json:
        _json({"ok": False, "error": str(error)})
    sys.stderr.write(f"dealer-station: {error}\n")
    return typer.Exit(2)


@app.command()
def run(
    config: ConfigOption = DEFAULT_CONFIG,
    debug: bool = False,
    trace: Annotated[
        Path | None, typer.Option(help="Write the time of each commit here at the end.")
    ] = None,
) -> None:
    """Run a table until SIGTERM or Ctrl-C."""
    from station import daemon, logs
    from station.config import ConfigError, load_config
    from station.journal import JournalError
    from station.links.local import LinkError
    from station.staff import StaffError

    logs.to_stderr(debug=debug)

    def ready(running: daemon.Daemon, seconds: float) -> None:
        _say(
            f"ready table={running.config.table.id} kind={running.config.table.kind} "
            f"facts={running.journal.seq} seconds={seconds:.3f} "
            f"socket={running.config.link.socket}"
        )

    try:
        if trace is not None:
            trace.touch()
        settings = load_config(config)
        _devices(config, settings)
        code = daemon.run(settings, ready, _BEGAN, trace)
    except (ConfigError, JournalError, StaffError, LinkError, ValueError, OSError) as error:
        raise _fail(error) from None
    except daemon.DeviceTaken as error:
        raise _fail(error) from None
    raise typer.Exit(code)


@app.command()
def console(
    config: ConfigOption = DEFAULT_CONFIG,
    socket: Annotated[
        Path | None, typer.Option(help="The table's socket, instead of its file.")
    ] = None,
    language: Annotated[str, typer.Option("--language", "--lang", help="ko or en.")] = "ko",
    name: Annotated[str, typer.Option(help="This console's name.")] = "console",
    screenshots: Annotated[
        Path | None, typer.Option(help="Keep a picture of each screen in this folder.")
    ] = None,
    trace: Annotated[
        Path | None, typer.Option(help="Write when each snapshot came and was painted.")
    ] = None,
    fullscreen: bool = False,
) -> None:
    """Show the dealer's console, in a process of its own."""
    if language not in ("ko", "en"):
        raise _fail(f"--language {language!r}: ko or en")
    where = socket or Path(_loaded(config).link.socket)
    arguments = ["--socket", str(where), "--language", language, "--name", name]
    for flag, value in (("--screenshots", screenshots), ("--trace", trace)):
        if value is not None:
            arguments += [flag, str(value)]
    if fullscreen:
        arguments.append("--fullscreen")
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "ui", *arguments])


def _loaded(path: Path, *, as_json: bool = False) -> Any:
    from station.config import ConfigError, load_config

    try:
        return load_config(path)
    except (ConfigError, ValueError) as error:
        raise _fail(error, as_json=as_json) from None


def _devices(file: Path, config: Any, *, as_json: bool = False) -> Any:
    """The devices of a table's file; a mistake in one names the file too."""
    from station.cli_check import devices
    from station.config import ConfigError

    try:
        return devices(config)
    except ConfigError as error:
        raise _fail(f"{file}: {error}", as_json=as_json) from None


@config_app.command("check")
def config_check(
    file: Annotated[Path, typer.Argument(help="The table's file.")], json: JsonOption = False
) -> None:
    """Check a table's file: every key, value and device, without starting anything."""
    from station.cli_check import host, socket_fault, warnings
    from station.game.rules import fingerprint

    config = _loaded(file, as_json=json)
    specs = _devices(file, config, as_json=json)
    if fault := socket_fault(config):
        raise _fail(f"{file}: {fault}", as_json=json)
    mark, warned = fingerprint(config.rules), warnings(config, specs)
    if json:
        document = {"ok": True, "table": config.table, "rules": config.rules}
        document["chairs"] = config.chairs
        _json({**document, "fingerprint": mark, "warnings": warned})
        return
    names = ", ".join(f"{spec.name} ({spec.kind} at {spec.port})" for spec in specs)
    _say(f"{file}: in order")
    _say(f"table    {config.table.id} ({config.table.kind})")
    _say(f"host     {host(config)}")
    _say(f"rules    {mark}")
    _say(f"devices  {names or 'none'}")
    for warning in warned:
        _say(f"warning  {warning}")


def _journal_path(config: Path, journal: Path | None, *, as_json: bool = False) -> Path:
    return journal or Path(_loaded(config, as_json=as_json).journal.path)


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

    path = _journal_path(config, journal, as_json=json)
    try:
        found = verify_journal(path)
    except JournalError as error:
        raise _fail(error, as_json=json) from None
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
        _json(document)
    else:
        for name, value in document.items():
            _say(f"{name:12}{value}")


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
        shown_lines(_journal_path(config, journal), round_, last, bare=bare, as_json=json)
    ):
        _say(line)


def _lines(lines: Any) -> Any:
    from station.journal import JournalError

    try:
        yield from lines
    except JournalError as error:
        raise _fail(error) from None


@journal_app.command("export")
def journal_export(
    file: Annotated[Path, typer.Argument(help="Where to; `-` is the standard output.")],
    config: ConfigOption = DEFAULT_CONFIG,
    journal: JournalOption = None,
    round_: RoundOption = None,
) -> None:
    """Write the verified facts with stamps and hashes as JSON lines."""
    from station.cli_journal import export_lines, write_whole

    lines = _lines(export_lines(_journal_path(config, journal), round_))
    if str(file) == "-":
        for line in lines:
            _say(line)
        return
    try:
        count = write_whole(file, lines)
    except OSError as error:
        raise _fail(f"{file}: {error.strerror or error}") from None
    _say(f"{file}: {count} facts")


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

    loaded = _loaded(config)
    try:
        staff = Staff.load(Path(loaded.staff.file), loaded.table.kind)
        people = []
        for number in (technician, manager):
            person = staff.check(number, typer.prompt(f"PIN {number}", hide_input=True))
            if person is None:
                raise _fail(f"staff number or PIN is wrong ({number})")
            people.append(person)
        sealed, good = quarantine(Path(loaded.journal.path), (people[0], people[1]), SystemClock())
    except (JournalError, StaffError, OSError) as error:
        raise _fail(error) from None
    _say(f"sealed   {sealed}")
    _say(f"because  {good.fault}")
    _say(f"good     {good.facts} facts, head {good.head}")


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
        found = backup(_journal_path(config, journal), file)
    except (JournalError, OSError) as error:
        raise _fail(error) from None
    _say(f"{file}: {found.facts} facts, head {found.head}")


@app.command()
def simulate(
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The same seed plays the same rounds.")] = 1,
    strategy: Annotated[str, typer.Option(help="basic, random or absent.")] = "basic",
    seats: Annotated[int, typer.Option(help="Seats that play.")] = 1,
    behind: Annotated[int, typer.Option(help="Players behind each seat.")] = 0,
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="Take the rules of a table's file.")
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", help="A rule as name=value, such as burn=1; may be repeated."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play rounds through the core, without devices or disk, and report the returns."""
    from station import cli_simulate
    from station.config import ConfigError
    from station.simulation.players import STRATEGIES
    from station.simulation.run import Settings, SimulationError

    if strategy not in STRATEGIES:
        raise _fail(f"--strategy {strategy}: one of {', '.join(STRATEGIES)}", as_json=as_json)
    try:
        rules = cli_simulate.rules_from(config, change or [])
        settings = Settings(seed, strategy, seats, behind)
        bar = sys.stderr.isatty()
        told = cli_simulate.simulate(settings, rules, rounds, bar=bar)
    except (ConfigError, SimulationError) as error:
        raise _fail(error, as_json=as_json) from error
    if as_json:
        _json(told)
    else:
        cli_simulate.show(told)


@app.command()
def status(
    config: ConfigOption = DEFAULT_CONFIG,
    socket: Annotated[Path | None, typer.Option(help="The table's socket.")] = None,
    json: JsonOption = False,
) -> None:
    """Ask a running table how it is."""
    from station.cli_status import StatusError, ask, describe

    where = socket or Path(_loaded(config, as_json=json).link.socket)
    try:
        snapshot = ask(where)
    except StatusError as error:
        raise _fail(error, as_json=json) from None
    if json:
        _json(snapshot)
    else:
        for line in describe(snapshot):
            _say(line)


@app.command()
def schema(
    directory: Annotated[
        Path | None, typer.Option("--out", help="Write one file a schema into this folder.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """The JSON Schemas of every message, and of the facts hosts are told."""
    from station.schemas import schemas

    documents = schemas()
    if directory is None:
        _json(documents)
        return
    import msgspec

    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, document in documents.items():
            target = directory / f"{name}.json"
            target.write_bytes(msgspec.json.format(msgspec.json.encode(document)) + b"\n")
            if not json:
                _say(str(target))
    except OSError as error:
        raise _fail(f"{directory}: {error.strerror or error}", as_json=json) from None
    if json:
        _json({"ok": True, "files": [f"{name}.json" for name in documents]})


@staff_app.command("add")
def staff_add(
    staff: Annotated[str, typer.Argument(help="The person's number.")],
    name: Annotated[str, typer.Option(help="The name shown on the console.")],
    role: Annotated[
        str, typer.Option(help="dealer, supervisor, shift_manager, technician or auditor.")
    ] = "dealer",
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Add a person, or give one a new PIN; the PIN is asked for, never an argument."""
    from station import cli_staff
    from station.staff import StaffError

    loaded = _loaded(config)
    try:
        person, people = cli_staff.person(staff, name, role), cli_staff.people(loaded)
        # A PIN that will not do is refused before it is asked for again.
        pin = typer.prompt(
            "PIN", hide_input=True, confirmation_prompt=True, value_proc=cli_staff.check_pin
        )
        people.add(person, pin)
    except (StaffError, OSError) as error:
        raise _fail(error) from None
    _say(f"{people.path}: {staff} ({role})")
    if cli_staff.station_runs(Path(loaded.link.socket)):
        _say("restart the station to use it")


@staff_app.command("list")
def staff_list(config: ConfigOption = DEFAULT_CONFIG, json: JsonOption = False) -> None:
    """Who there is: number, role and name."""
    from station import cli_staff
    from station.staff import StaffError

    try:
        people = cli_staff.listed(cli_staff.people(_loaded(config, as_json=json)))
    except StaffError as error:
        raise _fail(error, as_json=json) from None
    if json:
        _json(people)
        return
    for one in people:
        _say(f"{one['staff']:10} {one['role']:14} {one['name']}")


if __name__ == "__main__":
    main()
