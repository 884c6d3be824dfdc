"""`dealer-station devices` and `device`: the technician's tools. Heavy things are imported by the
command itself.
"""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import Annotated, Any

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

device_app = typer.Typer(
    no_args_is_help=True, help="One device alone: try it, record it, play it again, see it age."
)
LinesOption = Annotated[bool, typer.Option("--json", help="JSON lines, one event a line.")]
NameArgument = Annotated[str, typer.Argument(help="The device's name in the table's file.")]
SecondsOption = Annotated[
    float | None, typer.Option(min=0.1, help="End after so many seconds; else at Ctrl-C.")
]


def plugged_in(
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", help="Say which are in this table's file.", metavar="FILE"),
    ] = None,
    json: JsonOption = False,
) -> None:
    """What is plugged in, who may open it, and the entry to paste into a table's file."""
    from station import cli_plugged

    specs = devices(config, loaded(config, as_json=json), as_json=json) if config else ()
    found = cli_plugged.survey(specs)
    missing = cli_plugged.not_there(specs, found)
    if json:
        json_out(cli_plugged.document(found, missing))
        return
    for line in cli_plugged.lines(found, missing):
        say(line)


@device_app.command("test")
def device_test(
    name: NameArgument,
    config: ConfigOption = DEFAULT_CONFIG,
    seconds: SecondsOption = None,
    beep: Annotated[str, typer.Option(help="Try the beeper: good or bad.")] = "",
    json: LinesOption = False,
) -> None:
    """Open one device alone and show what comes, and how far it comes. No table may be running."""
    from station.cli_device_run import watch

    if beep not in ("", "good", "bad"):
        raise fail(f"--beep {beep}: good or bad", as_json=json)
    spec = one_alone(name, config, as_json=json)
    raise typer.Exit(watch(spec, seconds, beep, as_json=json, stop=_stop_signal()))


@device_app.command("record")
def device_record(
    name: NameArgument,
    file: Annotated[Path, typer.Argument(help="The new file.")],
    config: ConfigOption = DEFAULT_CONFIG,
    seconds: SecondsOption = None,
    max_mb: Annotated[float, typer.Option(min=0.001, help="End at this size.")] = 64.0,
) -> None:
    """Write down every byte of one device with its time. No table may be running.

    Only cards that are drawn pass a reader: the order of the cards still in a
    shoe cannot be recorded.
    """
    from drivers.recording import RecordingError
    from station.cli_device_run import record

    spec = one_alone(name, config)
    try:
        said = record(spec, file, seconds, int(max_mb * 1024 * 1024), stop=_stop_signal())
    except RecordingError as error:
        raise fail(error) from None
    if said:
        raise fail(said)


@device_app.command("replay")
def device_replay(
    file: Annotated[Path, typer.Argument(help="A recording.")],
    link: Annotated[
        Path | None, typer.Option(help="Play it as a virtual device under this name.")
    ] = None,
    speed: Annotated[float, typer.Option(min=0.01, max=1000, help="So many times as fast.")] = 1.0,
    decode: Annotated[
        bool, typer.Option("--decode", help="No port: say what the protocol makes of it.")
    ] = False,
    json: LinesOption = False,
) -> None:
    """Play a recording as a virtual device, or run it through its protocol."""
    from drivers.recording import RecordingError, load
    from drivers.replay import ReplayError
    from station import cli_device_run

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if decode == (link is not None):
        raise fail("give --link PATH to play it on a port, or --decode to read it", as_json=json)
    try:
        recording = load(file)
        if recording.torn:
            sys.stderr.write(
                f"{file}: the last line was cut off ({len(recording.torn)} characters); "
                "all before it is used\n"
            )
        if link is None:
            cli_device_run.decoded(recording, as_json=json)
        else:
            cli_device_run.replayed(recording, link, speed, as_json=json)
    except RecordingError as error:
        text = str(error)
        raise fail(text if str(file) in text else f"{file}: {text}", as_json=json) from None
    except ReplayError as error:
        raise fail(error, as_json=json) from None
    except KeyboardInterrupt:
        say("stopped")


@device_app.command("trend")
def device_trend(config: ConfigOption = DEFAULT_CONFIG, json: JsonOption = False) -> None:
    """How well each reader reads, day by day, and what to clean or replace."""
    from station import cli_trend
    from station.readers import trend_file

    path = trend_file(Path(loaded(config, as_json=json).journal.path))
    try:
        trend = cli_trend.load(path)
    except cli_trend.TrendError as error:
        raise fail(error, as_json=json) from None
    if json:
        json_out(cli_trend.document(path, trend))
    else:
        cli_trend.show(path, trend)


def one_alone(name: str, file: Path, *, as_json: bool = False) -> Any:
    """The device of that name, which no running table has."""
    from station.cli_status import StatusError, ask

    config = loaded(file, as_json=as_json)
    specs = devices(file, config, as_json=as_json)
    spec = next((spec for spec in specs if spec.name == name), None)
    if spec is None:
        names = ", ".join(spec.name for spec in specs) or "none"
        raise fail(f"{file}: no device {name!r}; there are: {names}", as_json=as_json)
    try:
        running = ask(Path(config.link.socket))
    except StatusError:
        return spec
    if all(device.name != name for device in running.devices):
        return spec
    raise fail(
        f"table {running.table.id} is running and holds device {name!r}: two programs on one port "
        "would each get some of the bytes. Stop the table, or see `dealer-station status`",
        as_json=as_json,
    )


def _stop_signal() -> threading.Event:
    """Set by SIGTERM or Ctrl-C."""
    asked = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: asked.set())
    return asked
