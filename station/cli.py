"""`dealer-station`: the command line. Heavy things are imported by the command that needs them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from station.cli_common import (
    DEFAULT_CONFIG,
    ConfigOption,
    JsonOption,
    devices,
    fail,
    json_out,
    loaded,
    say,
)
from station.cli_of_camera import camera_app
from station.cli_of_devices import device_app, plugged_in
from station.cli_of_doctor import doctor
from station.cli_of_evidence import evidence_app
from station.cli_of_incident import incident_app
from station.cli_of_journal import journal_app
from station.cli_of_locks import lock_app
from station.cli_of_round import round_app
from station.cli_of_selfcheck import selfcheck
from station.cli_of_shoe import shoe_app
from station.cli_of_staff import staff_app
from station.cli_of_stats import stats

_BEGAN = time.monotonic()

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
config_app = typer.Typer(no_args_is_help=True, help="A table's file.")
app.add_typer(config_app, name="config")
app.add_typer(journal_app, name="journal")
app.add_typer(evidence_app, name="evidence")
app.add_typer(device_app, name="device")
app.add_typer(camera_app, name="camera")
app.command("devices")(plugged_in)
app.command()(doctor)
app.command()(selfcheck)
app.add_typer(staff_app, name="staff")
app.add_typer(round_app, name="round")
app.add_typer(incident_app, name="incident")
app.add_typer(shoe_app, name="shoe")
app.add_typer(lock_app, name="lock")
app.command()(stats)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        say(f"dealer-station {metadata.version('dealer-station')}")
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


@app.command()
def run(
    config: ConfigOption = DEFAULT_CONFIG,
    debug: Annotated[bool, typer.Option("--debug", help="Log every small thing, too.")] = False,
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
        say(
            f"ready table={running.config.table.id} kind={running.config.table.kind} "
            f"facts={running.journal.seq} seconds={seconds:.3f} "
            f"socket={running.config.link.socket}"
        )

    try:
        if trace is not None:
            trace.touch()
        settings = load_config(config)
        devices(config, settings)
        # A one-time secret is for the terminal that started it, and for no file or log.
        tell = say if sys.stdout.isatty() else None
        code = daemon.run(settings, ready, _BEGAN, trace, tell, config)
    except (ConfigError, JournalError, StaffError, LinkError, ValueError, OSError) as error:
        raise fail(error) from None
    except daemon.DeviceTaken as error:
        raise fail(error) from None
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
        raise fail(f"--language {language!r}: ko or en")
    where = socket or Path(loaded(config).link.socket)
    arguments = ["--socket", str(where), "--language", language, "--name", name]
    for flag, value in (("--screenshots", screenshots), ("--trace", trace)):
        if value is not None:
            arguments += [flag, str(value)]
    if fullscreen:
        arguments.append("--fullscreen")
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "ui", *arguments])


@config_app.command("check")
def config_check(
    file: Annotated[Path, typer.Argument(help="The table's file.")], json: JsonOption = False
) -> None:
    """Check a table's file: every key, value and device, without starting anything."""
    from drivers.catalog import kind_name
    from station.cli_check import host, socket_fault, warnings
    from station.game.rules import fingerprint

    config = loaded(file, as_json=json)
    specs = devices(file, config, as_json=json)
    if fault := socket_fault(config):
        raise fail(f"{file}: {fault}", as_json=json)
    mark, warned = fingerprint(config.rules), warnings(config, specs)
    if json:
        document = {"ok": True, "table": config.table, "rules": config.rules}
        document["chairs"] = config.chairs
        json_out({**document, "fingerprint": mark, "warnings": warned})
        return
    names = ", ".join(f"{spec.name} ({kind_name(spec)} at {spec.port})" for spec in specs)
    say(f"{file}: in order")
    say(f"table    {config.table.id} ({config.table.kind})")
    say(f"host     {host(config)}")
    say(f"rules    {mark}")
    say(f"devices  {names or 'none'}")
    for warning in warned:
        say(f"warning  {warning}")


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
        raise fail(f"--strategy {strategy}: one of {', '.join(STRATEGIES)}", as_json=as_json)
    try:
        rules = cli_simulate.rules_from(config, change or [])
        settings = Settings(seed, strategy, seats, behind)
        bar = sys.stderr.isatty()
        told = cli_simulate.simulate(settings, rules, rounds, bar=bar)
    except (ConfigError, SimulationError) as error:
        raise fail(error, as_json=as_json) from error
    if as_json:
        json_out(told)
    else:
        cli_simulate.show(told)


@app.command()
def status(
    config: ConfigOption = DEFAULT_CONFIG,
    socket: Annotated[Path | None, typer.Option(help="The table's socket.")] = None,
    json: JsonOption = False,
) -> None:
    """Ask a running table how it is, and why no round starts. 1: none can."""
    from station.cli_status import StatusError, ask, describe, is_locked

    where = socket or Path(loaded(config, as_json=json).link.socket)
    try:
        snapshot = ask(where)
    except StatusError as error:
        raise fail(error, as_json=json) from None
    if json:
        json_out(snapshot)
    else:
        for line in describe(snapshot):
            say(line)
    if is_locked(snapshot):
        raise typer.Exit(1)


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
        json_out(documents)
        return
    import msgspec

    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, document in documents.items():
            target = directory / f"{name}.json"
            target.write_bytes(msgspec.json.format(msgspec.json.encode(document)) + b"\n")
            if not json:
                say(str(target))
    except OSError as error:
        raise fail(f"{directory}: {error.strerror or error}", as_json=json) from None
    if json:
        json_out({"ok": True, "files": [f"{name}.json" for name in documents]})


if __name__ == "__main__":
    main()
